use super::*;
use platform::files::make_executable;
use std::fs;

/// An ELF file of 64 bits and this order of bytes, for a processor, with the path of a loader.
fn elf_file(is_little: bool, kind: u16, processor: u16, loader: Option<&str>) -> Vec<u8> {
    let number = |value: u64, length: usize| {
        let bytes = value.to_le_bytes()[..length].to_vec();
        if is_little { bytes } else { bytes.into_iter().rev().collect() }
    };
    let mut file = elf::MAGIC.to_vec();
    file.extend([2, if is_little { 1 } else { 2 }, 1]);
    file.resize(16, 0);
    file.extend([number(kind.into(), 2), number(processor.into(), 2)].concat());
    file.resize(32, 0);
    file.extend(number(64, 8));
    file.resize(54, 0);
    file.extend([number(56, 2), number(loader.is_some().into(), 2)].concat());
    file.resize(64, 0);
    if let Some(loader) = loader {
        file.extend(number(3, 4));
        file.resize(64 + 8, 0);
        file.extend(number(64 + 56, 8));
        file.resize(64 + 32, 0);
        file.extend(number(loader.len() as u64 + 1, 8));
        file.resize(64 + 56, 0);
        file.extend(loader.bytes().chain([0]));
    }
    file
}

/// The words about a program with these bytes; empty if Linux runs it.
fn said(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("run");
    fs::write(&program, bytes).unwrap();
    make_executable(&program).unwrap();
    let refusal = needed_files(&program, folder.path()).err();
    refusal.map(|refusal| format!("{}\n{}", refusal.reason, refusal.hint())).unwrap_or_default()
}

fn own_processor() -> u16 {
    let own = own_header().unwrap();
    u16::from_ne_bytes([own[18], own[19]])
}

#[test]
fn scripts_that_linux_runs_are_not_refused() {
    let long = format!("#!/bin/sh{}\nexit\n", " ".repeat(300));
    let longest = format!("#!/bin/sh {}\nexit\n", "x".repeat(255 - 10));
    let lines =
        ["#!/bin/sh\n", "#! /bin/sh -e\nexit\r\n", "#!/bin/sh", "#!/usr/bin/env sh\n", "#!\t/usr/bin/env\tsh \n"];
    for text in lines.into_iter().chain(["#!/usr/bin/env -S A=1 sh -e\n", "#!/usr/bin/env A=1\n", &long, &longest]) {
        assert_eq!(said(text.as_bytes()), "", "{text}");
    }
    let own = fs::read(env::current_exe().unwrap()).unwrap();
    assert_eq!(said(&own), "");
}

#[test]
fn a_first_line_that_linux_does_not_understand_is_told() {
    let is = |text: &str, words: [&str; 2]| {
        let said = said(text.as_bytes());
        for word in words {
            assert!(said.contains(word), "{text:?}: {said}");
        }
    };
    let windows = "ends with a carriage return (a file with Windows line ends)";
    is("#!/bin/sh\r\nexit\r\n", [windows, r#"no program "/bin/sh\r" is found"#]);
    is("#!/usr/bin/env perl\r\n", [r#"no program "perl\r" is found"#, "Unix line ends: sed -i 's/\\r$//' /"]);
    is("#!/bin/sh -e\r\n", [windows, "-e"]);
    is("\u{feff}#!/bin/sh\n", ["a byte order mark stands before the #!", "save it as UTF-8 without a byte order mark"]);
    is("echo 1\n", ["it is a text without a first line that names its interpreter", "#!/usr/bin/env python3"]);
    is("#!\nexit\n", ["names no program after #!", "let its first line be"]);
    is("#! \t\n", ["names no program after #!", "let its first line be"]);
    is(
        &format!("#!/bin/sh {}\n", "x".repeat(246)),
        ["its first line has 256 bytes, of which Linux reads 255", "shorten"],
    );
    is(
        "#!/no/such/program -x\n",
        ["its first line names /no/such/program, which is missing", "install it, or correct"],
    );
    is("#!/usr/bin/env no-such-program\n", ["no-such-program, which is in no folder of the PATH", "install it"]);
    is("#!/usr/bin/env python3 -u\n", ["one program with the name \"python3 -u\"", "#!/usr/bin/env -S python3 -u"]);
    is("#!/etc/passwd\n", ["/etc/passwd, which may not be executed", "correct the line"]);
    is("", ["it is empty", "build it for Linux"]);
}

#[test]
fn a_file_that_is_no_program_is_told() {
    assert!(said(b"\xFF\xFE#\0!\0/\0").contains("it is saved as UTF-16"));
    assert!(said(b"MZ\x90\0\x03").starts_with("it is a program for Windows\n"));
    assert!(said(b"\xCF\xFA\xED\xFE\x07").starts_with("it is a program for macOS\n"));
    assert!(said(b"\0\x01\x02").starts_with("it is neither a program of Linux nor a script"));
}

#[test]
fn a_program_that_this_machine_does_not_load_is_told() {
    let own = own_processor();
    let is_little = cfg!(target_endian = "little");
    let file = |kind: u16, loader: Option<&str>| said(&elf_file(is_little, kind, own, loader));
    assert_eq!(file(2, None), "");
    assert_eq!(file(3, Some("/bin/sh")), "");
    let said_of_loader = file(3, Some("/lib/ld-of-another-system.so.1"));
    assert!(
        said_of_loader.starts_with("its loader /lib/ld-of-another-system.so.1 is missing\nbuild it on this machine")
    );
    assert!(file(1, None).contains("an object file"));
    let risc_v = said(&elf_file(true, 2, 243, None));
    assert!(
        own == 243 || risc_v.contains("it is a program for another processor: RISC-V, and this machine has"),
        "{risc_v}"
    );
    let big = said(&elf_file(false, 2, 9999, None));
    assert!(big.contains("the one with the number 9999"), "{big}");
    let whole = elf_file(is_little, 2, own, Some("/bin/sh"));
    for length in [5, 17, 40, 70, whole.len() - 3] {
        assert!(said(&whole[..length]).contains("its header is cut off or wrong"), "{length}");
    }
}

#[test]
fn scripts_that_run_each_other_are_followed_to_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, interpreter: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!{interpreter}\n")).unwrap();
        make_executable(&path).unwrap();
        path
    };
    script("one", "two");
    script("two", "/usr/bin/env sh");
    let needed = needed_files(&script("run", "one"), folder.path()).unwrap();
    assert_eq!(needed[..3], [folder.path().join("one"), folder.path().join("two"), "/usr/bin/env".into()]);
    script("two", "/no/such");
    let refusal = needed_files(&folder.path().join("run"), folder.path()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        format!("{}: its first line names /no/such, which is missing", folder.path().join("two").display())
    );
    script("two", "one");
    let refusal = needed_files(&folder.path().join("run"), folder.path()).unwrap_err();
    assert_eq!(refusal.reason, ProgramFault::Loop);
}

/// Where a disk is mounted with noexec, as /dev/shm is in many containers.
#[test]
fn a_disk_that_refuses_programs_is_told() {
    let Some(disk) = ["/dev/shm", "/run", "/run/lock"]
        .into_iter()
        .find(|disk| forbids_programs(Path::new(disk)).unwrap_or(false) && tempfile::tempdir_in(disk).is_ok())
    else {
        return;
    };
    let folder = tempfile::tempdir_in(disk).unwrap();
    let program = folder.path().join("run");
    fs::write(&program, "#!/bin/sh\n").unwrap();
    make_executable(&program).unwrap();
    let refusal = needed_files(&program, folder.path()).unwrap_err();
    assert_eq!(refusal.reason, ProgramFault::NoExec);
    assert!(refusal.to_string().ends_with("mounted with noexec: no program there may be run"));
}
