//! Pictures of a match: one moment as a PNG file, the whole match as a GIF file.

mod board;
mod canvas;
mod cell;
mod colours;
mod layout;

use crate::About;
use arena::MatchHistory;
use canvas::{Canvas, TRANSPARENT};
use gif::{DisposalMethod, Frame, Repeat};
use layout::{Drawing, Moments};
use rules::Eye;

/// The time between two turns of an animation, in hundredths of a second; less in a match that would take longer than
/// [`LONGEST`].
const TURN: usize = 25;
/// The shortest time that all programs show as it is.
const SHORTEST: usize = 4;
/// The time for all turns together.
const LONGEST: usize = 60_00;
/// The times for which the first and the last moment are shown.
const FIRST: usize = 100;
const LAST: usize = 400;

/// A picture of one moment, as a PNG file. Moment 0 is the one before the first turn, moment n + 1 the one after turn n.
///
/// # Panics
/// If `at` is not below [`MatchHistory::scenes`].
pub fn picture(history: &dyn MatchHistory, about: &About, at: usize, eye: Eye) -> Vec<u8> {
    const WRITTEN: &str = "a picture of this size can be written into a vector";
    let mut drawing = Drawing::new(history, about, eye, Moments::One(at));
    drawing.draw(at);
    let canvas = drawing.canvas();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, canvas.width() as u32, canvas.height() as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(canvas.palette());
    let mut writer = encoder.write_header().expect(WRITTEN);
    writer.write_image_data(canvas.pixels()).expect(WRITTEN);
    writer.finish().expect(WRITTEN);
    file
}

/// The whole match as an animated GIF file, four turns a second.
pub fn animation(history: &dyn MatchHistory, about: &About, eye: Eye) -> Vec<u8> {
    const WRITTEN: &str = "a picture of this size can be written into a vector";
    let last = history.scenes() - 1;
    let turn = (LONGEST / history.scenes()).clamp(SHORTEST, TURN);
    let mut drawing = Drawing::new(history, about, eye, Moments::All);
    let mut before: Option<Vec<u8>> = None;
    let mut frames = Vec::new();
    for at in 0..=last {
        drawing.draw(at);
        let mut frame = change(before.as_deref(), drawing.canvas());
        frame.delay = if at == last {
            LAST
        } else if at == 0 {
            FIRST
        } else {
            turn
        } as u16;
        // All frames are kept until the colours are known.
        frame.make_lzw_pre_encoded();
        frames.push(frame);
        before = Some(drawing.canvas().pixels().to_vec());
    }
    let canvas = drawing.canvas();
    let mut file = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut file, canvas.width() as u16, canvas.height() as u16, &canvas.palette()).expect(WRITTEN);
    encoder.set_repeat(Repeat::Infinite).expect(WRITTEN);
    frames.iter().for_each(|frame| encoder.write_lzw_pre_encoded_frame(frame).expect(WRITTEN));
    drop(encoder);
    file
}

/// The smallest rectangle that has all pixels that differ from those before. Pixels in it that do not differ are
/// transparent, which makes the file small.
fn change(before: Option<&[u8]>, canvas: &Canvas) -> Frame<'static> {
    let (width, height, pixels) = (canvas.width(), canvas.height(), canvas.pixels());
    let Some(before) = before else {
        return frame((0, 0), (width, height), pixels.to_vec());
    };
    let row = |pixels: &[u8], y: usize| pixels[y * width..][..width].to_vec();
    let changed: Vec<usize> = (0..height).filter(|y| row(before, *y) != row(pixels, *y)).collect();
    let (Some(top), Some(bottom)) = (changed.first(), changed.last()) else {
        return frame((0, 0), (1, 1), vec![TRANSPARENT]);
    };
    let is_changed = |x: usize, y: usize| before[y * width + x] != pixels[y * width + x];
    let columns = |y: &usize| (0..width).filter(|x| is_changed(*x, *y)).collect::<Vec<_>>();
    let columns: Vec<usize> = changed.iter().flat_map(columns).collect();
    let left = columns.iter().copied().min().unwrap_or_default();
    let right = columns.iter().copied().max().unwrap_or_default();
    let pixel = |x, y| if is_changed(x, y) { pixels[y * width + x] } else { TRANSPARENT };
    let part = (*top..=*bottom).flat_map(|y| (left..=right).map(move |x| (x, y))).map(|(x, y)| pixel(x, y));
    frame((left, *top), (right - left + 1, bottom - top + 1), part.collect())
}

fn frame(place: (usize, usize), size: (usize, usize), pixels: Vec<u8>) -> Frame<'static> {
    Frame {
        dispose: DisposalMethod::Keep,
        transparent: Some(TRANSPARENT),
        left: place.0 as u16,
        top: place.1 as u16,
        width: size.0 as u16,
        height: size.1 as u16,
        buffer: pixels.into(),
        ..Frame::default()
    }
}
