//! The profile of one bot, or of two side by side, as one HTML page that can be read without its script.

mod heat;
mod rows;

use crate::assets::PageParts;
use analysis::profile::{Board, Hint, Profile, Quartiles};
use askama::Template;
use heat::HeatMap;
pub use rows::PROFILE_ROWS;
use rules::{printable, printable_prefix};
use tournament::OpponentResults;

/// The sentence on a profile of games with boards or fleets that are too large.
pub const TOO_LARGE: &str =
    "Boards or fleets are too large for chances: there is no accuracy, no luck, and no test of fleets";
/// The style beside that of reports.
const STYLE: &str = include_str!("../../assets/profile/profile.css");
/// The longest name that is written out, in characters.
const LONGEST: usize = 100;

/// A bot with its profile and its results.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfiledBot {
    /// The profile.
    pub profile: Profile,
    /// The results against each opponent.
    pub opponents: Vec<OpponentResults>,
}

/// The facts that a profile has beside its numbers. All texts may come from strangers; the page shows them as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileAbout {
    /// The boards and fleets of the games.
    pub board: Board,
    /// The sources of the games, for people.
    pub sources: String,
    /// Notes on the games, e.g. that some are left out.
    pub notes: Vec<String>,
    /// The time when the page was made, for people.
    pub made: Option<String>,
}

/// The profiles of bots as one HTML page that needs nothing else: no server, no network, no other file. Its script only sorts tables.
pub fn profile_page(bots: &[ProfiledBot], about: &ProfileAbout) -> String {
    let PageParts { style, script, policy } = PageParts::like_report(STYLE, true);
    let bots: Vec<PageBot> = bots.iter().enumerate().map(|(nth, bot)| PageBot::new(nth, bot)).collect();
    let title = bots.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>().join(" beside ");
    let page = ProfilePage {
        policy,
        style,
        script,
        title: format!("Profile of {title}"),
        facts: facts(about),
        notes: about.notes.iter().map(|note| printable(note)).collect(),
        fleets: HeatMap::of_all(&bots, &about.board, |profile| (&profile.fleets.cells, profile.fleets.games)),
        first_shots: HeatMap::of_all(&bots, &about.board, |profile| {
            (&profile.first_shots.cells, profile.first_shots.games)
        }),
        first: bots.first().map_or(0, |bot| bot.profile.first_shots.shots),
        rows: shot_rows(&bots),
        spread: Spread::of(&bots),
        bots,
    };
    page.render().expect("writing into a String cannot fail")
}

#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage<'a> {
    policy: String,
    style: String,
    script: String,
    title: String,
    facts: Vec<String>,
    notes: Vec<String>,
    bots: Vec<PageBot<'a>>,
    fleets: Vec<HeatMap>,
    first_shots: Vec<HeatMap>,
    /// The number of first shots.
    first: usize,
    /// The label of each row, and a value for each bot.
    rows: Vec<(&'static str, Vec<String>)>,
    spread: Spread,
}

/// A bot as the page has it.
pub(super) struct PageBot<'a> {
    /// The number, from 0.
    nth: usize,
    name: String,
    profile: &'a Profile,
    opponents: Vec<PageOpponent>,
}

struct PageOpponent {
    name: String,
    results: OpponentResults,
    /// The score and its interval in per cent.
    score: f64,
    interval: [f64; 2],
}

impl<'a> PageBot<'a> {
    fn new(nth: usize, bot: &'a ProfiledBot) -> PageBot<'a> {
        let opponent = |results: &OpponentResults| {
            let (score, interval) = (results.games.mean_score()?, results.interval()?);
            Some(PageOpponent {
                name: printable_prefix(&results.name, LONGEST),
                results: results.clone(),
                score: 100.0 * score,
                interval: interval.map(|end| 100.0 * end),
            })
        };
        PageBot {
            nth,
            name: printable_prefix(&bot.profile.name, LONGEST),
            profile: &bot.profile,
            opponents: bot.opponents.iter().filter_map(opponent).collect(),
        }
    }

    /// The class of the bot's colour.
    fn colour(&self) -> String {
        format!("seat-{}", self.nth)
    }

    /// The letter in its badge.
    fn letter(&self) -> char {
        (b'A' + self.nth as u8 % 26) as char
    }

    /// The sentence that its boards are too large, if they are.
    fn too_large(&self) -> Option<&'static str> {
        self.profile.too_large.then_some(TOO_LARGE)
    }

    fn hints(&self) -> Vec<(String, f64)> {
        let hint = |hint: &Hint| (printable(&hint.words), hint.probability);
        self.profile.hints.iter().map(hint).collect()
    }

    /// The weapons with their names, games, uses, hits and expected hits; none if there are only plain shots.
    fn weapons(&self) -> Vec<(String, u32, u64, String, String)> {
        let weapons = self.profile.weapons.iter().filter(|_| self.profile.weapons.len() > 1);
        let row = |of: &analysis::profile::WeaponUse| {
            let hits = if of.is_action { String::new() } else { of.hits.to_string() };
            let expected = of.expected.map(|expected| format!("{expected:.1}")).unwrap_or_default();
            (printable(&of.name), of.games, of.uses, hits, expected)
        };
        weapons.map(row).collect()
    }

    /// The ships that opponents had left: name, cells of the ship, games, games in which it was alone, cells that were left on average.
    fn left(&self) -> Vec<(String, usize, u64, u64, String)> {
        let left = self.profile.losses.ships.iter().filter(|left| left.games > 0);
        let row = |left: &analysis::profile::ShipLeft| {
            let cells = format!("{:.1}", left.cells as f64 / left.games as f64);
            (printable(&left.ship.name), left.ship.cells, left.games, left.alone, cells)
        };
        left.map(row).collect()
    }
}

/// The values of all rows that any bot has.
fn shot_rows(bots: &[PageBot<'_>]) -> Vec<(&'static str, Vec<String>)> {
    let rows = PROFILE_ROWS.iter().map(|(label, of)| {
        let values: Vec<Option<String>> = bots.iter().map(|bot| of(bot.profile)).collect();
        (*label, values)
    });
    let rows = rows.filter(|(_, values)| values.iter().any(Option::is_some));
    rows.map(|(label, values)| (label, values.into_iter().map(Option::unwrap_or_default).collect())).collect()
}

/// The quartiles of the shots to win, drawn on one scale.
#[derive(Default)]
struct Spread {
    /// The number of the bot, a text, and five places in per cent of the width: least, quartiles, most.
    rows: Vec<(usize, String, [f64; 5])>,
    /// Shots and their places in per cent of the width.
    ticks: Vec<(u32, f64)>,
}

impl Spread {
    fn of(bots: &[PageBot<'_>]) -> Spread {
        let of = || bots.iter().filter_map(|bot| Some((bot.nth, bot.profile.shots_to_win?)));
        let Some(least) = of().map(|(_, of)| of.least).min() else { return Spread::default() };
        let most = of().map(|(_, of)| of.most).max().unwrap_or(least).max(least + 10);
        let at = |shots: f64| 2.0 + 96.0 * (shots - f64::from(least)) / f64::from(most - least);
        let row = |(nth, Quartiles { least, lower, median, upper, most, games })| {
            let text = format!(
                "{median:.0} at the median of {games} won games, half of them {lower:.0} to {upper:.0}, all {least} to {most}"
            );
            (nth, text, [f64::from(least), lower, median, upper, f64::from(most)].map(at))
        };
        let step = (most - least).div_ceil(5).next_multiple_of(5);
        let first = least.next_multiple_of(step);
        let ticks = (first..=most).step_by(step as usize).map(|shots| (shots, at(f64::from(shots)))).collect();
        Spread { rows: of().map(row).collect(), ticks }
    }
}

/// The facts below the title.
fn facts(about: &ProfileAbout) -> Vec<String> {
    let grid = about.board.grid;
    let mut facts = vec![about.board.game.title().to_owned(), format!("{} x {} cells", grid.width(), grid.height())];
    facts.push(about.sources.clone());
    facts.extend(about.made.as_ref().map(|made| format!("made {made}")));
    facts.push(arena::ENGINE.to_owned());
    facts.iter().map(|fact| printable(fact)).collect()
}
