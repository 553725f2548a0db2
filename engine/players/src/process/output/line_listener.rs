//! A listener to what a program writes, line by line, while it runs.

use std::fmt;
use std::sync::Arc;

/// The longest line that is told whole, in bytes. A longer one is told in pieces.
const LONGEST: usize = 4 << 10;

/// A receiver of the lines that a program writes to its standard output and error, as they come and without their ends. It is called
/// from the thread that watches the program, which waits for it.
#[derive(Clone)]
pub struct LineListener(Arc<Hear>);

type Hear = dyn Fn(&[u8]) + Send + Sync;

impl LineListener {
    /// A listener that gives each line to this function.
    pub fn new(hear: impl Fn(&[u8]) + Send + Sync + 'static) -> LineListener {
        LineListener(Arc::new(hear))
    }
}

impl fmt::Debug for LineListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineListener")
    }
}

/// One stream of a program, divided into lines for a listener. A last line without an end is told when this is dropped.
pub(super) struct HeardLines {
    listener: LineListener,
    begun: Vec<u8>,
}

impl HeardLines {
    pub(super) fn new(listener: LineListener) -> HeardLines {
        HeardLines { listener, begun: Vec::new() }
    }

    /// Takes in what the program wrote next.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            for piece in part.chunks(LONGEST) {
                self.begun.extend_from_slice(piece);
                if self.begun.ends_with(b"\n") || self.begun.len() >= LONGEST {
                    self.tell();
                }
            }
        }
    }

    fn tell(&mut self) {
        let line = self.begun.strip_suffix(b"\n").unwrap_or(&self.begun);
        (self.listener.0)(line.strip_suffix(b"\r").unwrap_or(line));
        self.begun.clear();
    }
}

impl Drop for HeardLines {
    fn drop(&mut self) {
        if !self.begun.is_empty() {
            self.tell();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn lines_are_told_whole_and_long_ones_in_pieces() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let line = move |line: &[u8]| heard.lock().unwrap().push(String::from_utf8(line.to_vec()).unwrap());
        let mut lines = HeardLines::new(LineListener::new(line));
        for part in ["a", "b\r\nc\n\nd", "e"] {
            lines.take(part.as_bytes());
        }
        assert_eq!(*told.lock().unwrap(), ["ab", "c", ""]);
        lines.take(&vec![b'x'; 10_000]);
        drop(lines);
        let lengths: Vec<usize> = told.lock().unwrap().iter().skip(3).map(String::len).collect();
        assert_eq!((lengths.len(), lengths.iter().sum::<usize>()), (3, 10_002));
        assert!(lengths.iter().all(|length| *length < 2 * LONGEST), "{lengths:?}");
    }
}
