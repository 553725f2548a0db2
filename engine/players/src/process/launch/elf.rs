//! The header of a program in the ELF format (System V ABI, chapters 4 and 5), as far as Linux looks at it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// The first bytes of an ELF file.
pub(super) const MAGIC: [u8; 4] = *b"\x7fELF";
/// The type of a program at a fixed place, and that of one that may be anywhere.
const PROGRAMS: [u16; 2] = [2, 3];
/// The type of a segment that names the loader.
const PT_INTERP: u32 = 3;
/// The longest path of a loader.
const MOST_OF_PATH: u64 = 4096;
/// Processors, by their numbers, with the numbers of older ones whose programs they run.
const PROCESSORS: [(u16, &str, Option<u16>); 8] = [
    (3, "x86 of 32 bits", None),
    (8, "MIPS", None),
    (20, "PowerPC of 32 bits", None),
    (21, "PowerPC of 64 bits", Some(20)),
    (40, "ARM of 32 bits", None),
    (62, "x86-64", Some(3)),
    (183, "ARM of 64 bits", Some(40)),
    (243, "RISC-V", None),
];

/// A program that this machine can load.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Elf {
    /// The path of the program that loads its libraries; `None` if it has none.
    pub(super) loader: Option<PathBuf>,
}

/// An ELF file that Linux does not load.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// The file ends within its header.
    #[error("it is damaged: its header is cut off or wrong")]
    Damaged,
    /// The file is not a program, but an object file or a core dump.
    #[error("it is not a program but what a compiler makes on the way to one (an object file)")]
    NoProgram,
    /// The program is for another processor.
    #[error("it is a program for another processor: {program}, and this machine has {machine}")]
    OtherProcessor {
        /// The processor of the program.
        program: String,
        /// The processor of this machine.
        machine: String,
    },
}

/// The fields of a header, whose order of bytes it tells itself.
struct Header<'a> {
    bytes: &'a [u8],
    is_wide: bool,
    is_little: bool,
}

impl Header<'_> {
    fn of(bytes: &[u8]) -> Option<Header<'_>> {
        let (class, order) = (bytes.get(4)?, bytes.get(5)?);
        let is_known = [1, 2].contains(class) && [1, 2].contains(order);
        is_known.then_some(Header { bytes, is_wide: *class == 2, is_little: *order == 1 })
    }

    fn number(&self, at: usize, length: usize) -> Option<u64> {
        number(self.bytes.get(at..at + length)?, self.is_little)
    }

    fn kind(&self) -> Option<u16> {
        self.number(16, 2).map(|kind| kind as u16)
    }

    fn processor(&self) -> Option<u16> {
        self.number(18, 2).map(|processor| processor as u16)
    }

    /// The place, the size and the count of the headers of segments.
    fn segments(&self) -> Option<(u64, u64, u64)> {
        let (place, size) = if self.is_wide { ((32, 8), 54) } else { ((28, 4), 42) };
        Some((self.number(place.0, place.1)?, self.number(size, 2)?, self.number(size + 2, 2)?))
    }
}

fn number(bytes: &[u8], is_little: bool) -> Option<u64> {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    Some(if is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
}

/// Reads the header of a program that begins with `start`. `own` is the beginning of a program of this machine; without it every
/// processor is taken for that of this machine.
///
/// # Errors
/// Linux does not load the file.
pub(super) fn read(file: &File, start: &[u8], own: Option<Vec<u8>>) -> Result<Elf, ElfError> {
    let header = Header::of(start).ok_or(ElfError::Damaged)?;
    let (kind, processor) = (header.kind().ok_or(ElfError::Damaged)?, header.processor().ok_or(ElfError::Damaged)?);
    let own = own.as_deref().and_then(Header::of).and_then(|own| own.processor());
    if let Some(machine) = own.filter(|machine| !runs(*machine, processor)) {
        return Err(ElfError::OtherProcessor { program: name(processor), machine: name(machine) });
    }
    if !PROGRAMS.contains(&kind) {
        return Err(ElfError::NoProgram);
    }
    let (place, size, count) = header.segments().ok_or(ElfError::Damaged)?;
    let table = bytes_at(file, place, size * count).ok_or(ElfError::Damaged)?;
    let (offset, length, width) = if header.is_wide { (8, 32, 8) } else { (4, 16, 4) };
    for segment in table.chunks_exact((size as usize).max(1)) {
        let field = |at: usize, length: usize| number(segment.get(at..at + length)?, header.is_little);
        if field(0, 4) != Some(u64::from(PT_INTERP)) {
            continue;
        }
        let place = field(offset, width).zip(field(length, width)).filter(|(_, length)| *length <= MOST_OF_PATH);
        let path = place.and_then(|(offset, length)| bytes_at(file, offset, length)).ok_or(ElfError::Damaged)?;
        let path = path.split(|byte| *byte == 0).next().unwrap_or_default();
        let path = String::from_utf8(path.to_owned()).map_err(|_| ElfError::Damaged)?;
        return Ok(Elf { loader: Some(OsString::from(path).into()) });
    }
    Ok(Elf { loader: None })
}

fn bytes_at(mut file: &File, place: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place)).ok()?;
    file.take(length).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == length).then_some(bytes)
}

/// True if a machine with the one processor runs programs for the other.
fn runs(machine: u16, program: u16) -> bool {
    let older = PROCESSORS.iter().find(|(number, ..)| *number == machine).and_then(|(_, _, older)| *older);
    machine == program || older == Some(program)
}

fn name(processor: u16) -> String {
    let known = PROCESSORS.iter().find(|(number, ..)| *number == processor);
    known.map_or_else(|| format!("the one with the number {processor}"), |(_, name, _)| (*name).to_owned())
}
