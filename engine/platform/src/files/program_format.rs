//! Programs that the kernel runs, or refuses to run, by settings of the machine.

use rustix::fs::{StatVfsMountFlags, statvfs};
use std::fs;
use std::io;
use std::path::Path;

/// The folder of the formats of programs that the administrator has added (`binfmt_misc`).
const FORMATS: &str = "/proc/sys/fs/binfmt_misc";

/// Tells whether the disk of a file is mounted so that no program on it may be run.
///
/// # Errors
/// The file is missing.
pub fn forbids_programs(path: &Path) -> io::Result<bool> {
    Ok(statvfs(path)?.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

/// Tells whether the administrator has given the kernel a program that runs files such as this one, which begins with `start`.
pub fn has_program_format(path: &Path, start: &[u8]) -> bool {
    let Ok(entries) = fs::read_dir(FORMATS) else { return false };
    let mut formats = entries.flatten().filter_map(|entry| fs::read_to_string(entry.path()).ok());
    formats.any(|format| matches(&format, path, start))
}

/// Tells whether a format, in the words of the kernel, is that of a file.
fn matches(format: &str, path: &Path, start: &[u8]) -> bool {
    let value = |key: &str| format.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    if !format.starts_with("enabled\ninterpreter") {
        return false;
    }
    if let Some(extension) = value("extension .") {
        return path.extension().is_some_and(|found| found == extension);
    }
    let Some(magic) = value("magic ").and_then(from_hex) else { return false };
    let offset = value("offset ").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let mask = value("mask ").and_then(from_hex).unwrap_or_else(|| vec![0xFF; magic.len()]);
    let found = start.get(offset..).unwrap_or_default();
    let is_alike = |((magic, found), mask): ((&u8, &u8), &u8)| (magic ^ found) & mask == 0;
    found.len() >= magic.len() && magic.iter().zip(found).zip(&mask).all(is_alike)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: &str =
        "enabled\ninterpreter /usr/bin/qemu-aarch64\nflags: F\noffset 0\nmagic 7f454c4602\nmask ffffffff00\n";

    #[test]
    fn a_format_is_known_by_its_first_bytes_or_by_the_name() {
        let is = |format: &str, name: &str, start: &[u8]| matches(format, Path::new(name), start);
        assert!(is(ARM, "x", b"\x7fELF\x01 and so on"));
        assert!(!is(ARM, "x", b"\x7fELG\x02") && !is(ARM, "x", b"\x7fE"));
        assert!(!is(&ARM.replace("enabled", "disabled"), "x", b"\x7fELF\x02"));
        let by_name = "enabled\ninterpreter /usr/bin/mono\nflags: \nextension .exe\n";
        assert!(is(by_name, "bot.exe", b"MZ") && !is(by_name, "bot", b"MZ"));
        let python = "enabled\ninterpreter /usr/bin/python3.11\nflags: \noffset 2\nmagic 0d0a\n";
        assert!(is(python, "x", b"ab\r\n") && !is(python, "x", b"\r\nab"));
        assert!(!is("enabled\n", "status", b""));
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(forbids_programs(Path::new("/no/such/file")).is_err());
    }
}
