//! Pictures of moments and of whole matches, read again.

use crate::matches::{Brain, Painted, about, match_history, sea_battle};
use arena::MatchHistory;
use rules::entelect_2017::MapSize;
use rules::{Eye, Grid, Seat, Seats};
use std::io::Cursor;
use web::{About, animation, picture};

/// Width, height and colour numbers of a PNG file, after a check of its colours.
fn read_png(file: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Indexed);
    (info.width, info.height, pixels)
}

/// The frames of a GIF file, each as a whole picture of colour numbers, and their times in hundredths of a second.
fn read_gif(file: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut reader = gif::DecodeOptions::new().read_info(file).unwrap();
    let (width, height) = (usize::from(reader.width()), usize::from(reader.height()));
    let mut shown = vec![0; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = reader.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (row, line) in frame.buffer.chunks_exact(usize::from(frame.width)).enumerate() {
            for (column, pixel) in line.iter().enumerate().filter(|(_, pixel)| Some(**pixel) != frame.transparent) {
                shown[(top + row) * width + left + column] = *pixel;
            }
        }
        frames.push((shown.clone(), frame.delay));
    }
    frames
}

#[test]
fn a_picture_shows_a_moment_as_an_eye_sees_it() {
    let history = match_history(MapSize::Medium, [Brain::Hunter, Brain::Wild], 3);
    let about = about(["one", "two"]);
    let last = history.scenes() - 1;
    let pictures = [(1, Eye::Referee), (1, Eye::Seat(Seat::A)), (9, Eye::Referee), (last, Eye::Referee)];
    let files = pictures.map(|(at, eye)| picture(&history, &about, at, eye));
    let sizes = files.each_ref().map(|file| (read_png(file).0, read_png(file).1));
    assert_eq!(sizes[..3], [sizes[0]; 3]);
    assert!(sizes[3].1 > sizes[0].1, "the last has a line for the outcome");
    assert!(sizes[0].0 > 1000 && files.iter().all(|file| file.len() < 60_000), "{sizes:?}");
    let pixels = files.each_ref().map(|file| read_png(file).2);
    for (nth, one) in pixels.iter().enumerate() {
        assert!(pixels[..nth].iter().all(|other| other != one));
    }
    assert_eq!(picture(&history, &about, 9, Eye::Referee), files[2], "the same moment is the same file");
}

#[test]
fn an_animation_of_a_hundred_rounds_is_small_and_has_every_moment() {
    let history = match_history(MapSize::Medium, [Brain::Wild; 2], 1);
    let about = about(["one", "two"]);
    let file = animation(&history, &about, Eye::Referee);
    println!("{} rounds: {} bytes", history.scenes() - 1, file.len());
    assert!(history.scenes() > 100 && file.len() < 2_000_000 * (history.scenes() - 1) / 100, "{}", file.len());
    let frames = read_gif(&file);
    assert_eq!(frames.len(), history.scenes());
    assert!(frames.windows(2).all(|pair| pair[0].0 != pair[1].0), "each moment differs from the one before");
    assert_eq!((frames[1].1, frames[frames.len() - 1].1), (25, 400));
}

#[test]
fn every_game_and_any_names_have_pictures() {
    let wild = ["\u{202e}<b>\u{1f6a2} Łódź", &"a very long name ".repeat(20)];
    let sailors = sea_battle(1);
    assert!(!picture(&sailors, &about(wild), 40, Eye::Seat(Seat::B)).is_empty());
    assert!(sailors.scenes() > 100 && animation(&sailors, &about(wild), Eye::Referee).len() < 4_000_000);
    for (seats, grid) in [(2, Grid::new(1, 1)), (3, Grid::new(20, 3)), (6, Grid::new(3, 60)), (16, Grid::new(10, 10))] {
        let history = Painted::new(seats, grid, 4, 1);
        let names = Seats::first(seats).iter().map(|seat| format!("seat {seat}")).collect();
        let about = About { names, ..about([]) };
        assert!(!picture(&history, &about, 3, Eye::Referee).is_empty());
        assert_eq!(read_gif(&animation(&history, &about, Eye::Referee)).len(), 4);
    }
}
