//! The colours of pictures: those of the page in its light scheme.

/// A colour: red, green and blue.
pub(super) type Rgb = [u8; 3];

const STYLE: &str = include_str!("../../assets/colours.css");

/// The colour with this name in colours.css, e.g. `sea`. The light scheme comes first in the file.
pub(super) fn colour(name: &str) -> Rgb {
    let start = format!("--{name}: #");
    let found = STYLE.lines().find_map(|line| line.trim_start().strip_prefix(&start));
    rgb(found.expect("the page has all colours of pictures"))
}

/// The colour of a seat. Sixteen seats have eight colours.
pub(super) fn seat_colour(seat: rules::Seat) -> Rgb {
    colour(&format!("seat-{}", seat.index() % 8))
}

/// Reads three or six hexadecimal digits.
fn rgb(text: &str) -> Rgb {
    let digits: Vec<u8> = text.chars().map_while(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    match digits[..] {
        [r, g, b] => [r, g, b].map(|digit| digit * 17),
        _ => [0, 2, 4].map(|at| digits[at] * 16 + digits[at + 1]),
    }
}

/// A colour between two others: `share` is that of `over`, 0 to 255.
pub(super) fn mixed(over: Rgb, under: Rgb, share: u8) -> Rgb {
    let share = u32::from(share);
    let mix = |at: usize| (u32::from(over[at]) * share + u32::from(under[at]) * (255 - share)) / 255;
    [0, 1, 2].map(|at| mix(at) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_the_light_page() {
        assert_eq!((colour("paper"), colour("on-ship")), ([0xf4, 0xf0, 0xe6], [0xff; 3]));
        assert_eq!(seat_colour(rules::Seat::A), colour("seat-0"));
        assert_eq!(mixed([255, 0, 0], [0, 0, 255], 255), [255, 0, 0]);
        assert_eq!(mixed([255, 0, 0], [0, 0, 255], 0), [0, 0, 255]);
    }
}
