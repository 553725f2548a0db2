//! A picture in at most 255 colours, and text on it.

use super::colours::{Rgb, colour, mixed};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster, get_raster_width};
use std::collections::HashMap;

/// The number of the colour that leaves a pixel as it was.
pub(super) const TRANSPARENT: u8 = 255;

/// The square of the distance up to which one colour stands for another.
const NEAR: i32 = 64;

/// The colours that cover areas, which are in every palette as they are.
const AREAS: [&str; 8] = ["paper", "card", "sea", "sea-line", "ship", "hit", "miss", "ink"];

/// The colours of a picture: those of areas, and others as they come.
#[derive(Default)]
struct Palette {
    colours: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl Palette {
    /// The number of a colour, or of one that is near.
    fn index(&mut self, colour: Rgb) -> u8 {
        if let Some(index) = self.known.get(&colour) {
            return *index;
        }
        let distance =
            |other: &Rgb| (0..3).map(|at| (i32::from(other[at]) - i32::from(colour[at])).pow(2)).sum::<i32>();
        let nearest = self.colours.iter().map(distance).enumerate().min_by_key(|(_, distance)| *distance);
        let index = match nearest {
            Some((at, distance)) if distance <= NEAR || self.colours.len() == usize::from(TRANSPARENT) => at,
            _ => {
                self.colours.push(colour);
                self.colours.len() - 1
            }
        };
        self.known.insert(colour, index as u8);
        index as u8
    }
}

/// A size and weight of text. All letters have the same width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Font {
    pub(super) height: RasterHeight,
    pub(super) weight: FontWeight,
}

impl Font {
    /// The height of a line, in pixels.
    pub(super) fn line(self) -> usize {
        self.height.val()
    }

    /// The width of a text, in pixels.
    pub(super) fn width(self, text: &str) -> usize {
        text.chars().count() * get_raster_width(self.weight, self.height)
    }

    /// A letter; a question mark where the font does not have it.
    pub(super) fn letter(self, letter: char) -> RasterizedChar {
        let found = get_raster(letter, self.weight, self.height);
        found.or_else(|| get_raster('?', self.weight, self.height)).expect("the font has a question mark")
    }

    /// The text, cut where it is wider than this.
    pub(super) fn fitting(self, text: &str, width: usize) -> String {
        let most = width / get_raster_width(self.weight, self.height);
        if text.chars().count() <= most {
            return text.to_owned();
        }
        text.chars().take(most.saturating_sub(2)).chain("..".chars()).collect()
    }
}

/// A square piece of a picture.
pub(super) struct Sprite {
    side: usize,
    pixels: Vec<u8>,
}

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: usize,
    pixels: Vec<u8>,
    palette: Palette,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize) -> Canvas {
        let palette = Palette { colours: AREAS.map(colour).into(), ..Palette::default() };
        Canvas { width, pixels: vec![0; width * height], palette }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// The numbers of the colours, row by row.
    pub(super) fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Red, green and blue of all colours, with room for [`TRANSPARENT`].
    pub(super) fn palette(&self) -> Vec<u8> {
        let mut colours = self.palette.colours.concat();
        colours.resize(3 * (usize::from(TRANSPARENT) + 1), 0);
        colours
    }

    /// Fills a rectangle.
    pub(super) fn fill(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), colour: Rgb) {
        let index = self.palette.index(colour);
        for row in y..y + height {
            self.pixels[row * self.width + x..][..width].fill(index);
        }
    }

    /// Writes a line of text on a ground of one colour.
    pub(super) fn text(&mut self, (x, y): (usize, usize), text: &str, font: Font, colour: Rgb, ground: Rgb) {
        for (nth, letter) in text.chars().enumerate() {
            let left = x + nth * get_raster_width(font.weight, font.height);
            for (row, line) in font.letter(letter).rows().enumerate() {
                for (column, share) in line.iter().enumerate().filter(|(_, share)| **share > 0) {
                    let index = self.palette.index(mixed(colour, ground, *share));
                    self.pixels[(y + row) * self.width + left + column] = index;
                }
            }
        }
    }

    /// A square piece from red, green, blue and opacity of its pixels.
    pub(super) fn sprite(&mut self, side: usize, pixels: &[u8]) -> Sprite {
        let colours = pixels.chunks_exact(4).map(|pixel| self.palette.index([pixel[0], pixel[1], pixel[2]]));
        Sprite { side, pixels: colours.collect() }
    }

    /// Puts a square piece on the picture.
    pub(super) fn put(&mut self, (x, y): (usize, usize), sprite: &Sprite) {
        for (row, line) in sprite.pixels.chunks_exact(sprite.side).enumerate() {
            self.pixels[(y + row) * self.width + x..][..sprite.side].copy_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_palette_never_has_more_colours_than_a_gif() {
        let mut palette = Palette::default();
        let colours = (0..=255).flat_map(|red| (0..=255).step_by(5).map(move |blue| [red, 0, blue]));
        let most = colours.map(|colour| palette.index(colour)).max().unwrap_or_default();
        assert!(most < TRANSPARENT && palette.colours.len() > 200, "{most}");
        assert_eq!(palette.index(palette.colours[7]), 7);
    }
}
