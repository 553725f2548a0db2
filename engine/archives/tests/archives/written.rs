//! Archives as other programs write them.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::io::Write;
use tar::EntryType;

/// An entry: its name, its content, and its mode with the kind of file.
pub(crate) type Entry<'a> = (&'a [u8], &'a [u8], u32);

/// A file that nobody may run.
pub(crate) const FILE: u32 = 0o100_644;
/// A symbolic link, whose content is its target.
pub(crate) const LINK: u32 = 0o120_777;

/// A zip with these entries; a name that ends with a slash is a folder.
pub(crate) fn zip(entries: &[Entry<'_>]) -> Vec<u8> {
    zip_with(entries, CompressionMethod::DEFLATE, false)
}

/// A zip whose entries say that they are compressed so, and encrypted or not.
pub(crate) fn zip_with(entries: &[Entry<'_>], method: CompressionMethod, is_encrypted: bool) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, content, mode) in entries {
        let path = EntryPath::verbatim(*name);
        if name.ends_with(b"/") {
            archive.new_dir(path).unix_permissions(*mode).create().unwrap();
            continue;
        }
        let file = archive.new_file(path).compression_method(method).encrypted(is_encrypted);
        let (mut entry, config) = file.unix_permissions(*mode).start().unwrap();
        let descriptor = if method == CompressionMethod::DEFLATE {
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// A tar.gz with an entry of each of these kinds, names, contents and targets.
pub(crate) fn tar_gz(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (kind, name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        // `Header::set_path` refuses what a hostile program writes.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        if is_link {
            header.as_old_mut().linkname[..content.len()].copy_from_slice(content);
        }
        let content = if is_link { &[] } else { *content };
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, content).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}
