//! The profile of a bot as a page.

use crate::browser::{Chromium, SavedPage};
use analysis::profile::{Board, GameSheet, Profile, ProfileSums, RandomFleets, ShieldShots, ShipKind, Volley};
use arena::record::Record;
use rules::{FirstRow, GameKind, Grid};
use std::path::Path;
use tournament::{OpponentResults, Pentanomial, WinDrawLoss};
use web::{ProfileAbout, ProfiledBot};

const SIZES: [(u32, u32); 3] = [(390, 844), (800, 600), (1600, 1000)];

fn board() -> Board {
    let ship = |name: &str, cells| ShipKind { name: name.to_owned(), count: 1, cells };
    let ships = vec![ship("destroyer", 2), ship("carrier", 5)];
    Board { game: GameKind::BotsArena, grid: Grid::new(10, 10), first_row: FirstRow::Bottom, ships, has_shields: true }
}

/// The sheet of game `nth`: the destroyer stands in a corner.
fn sheet(nth: usize) -> GameSheet {
    let start = 22 + nth % 4 + 10 * (nth / 4 % 6);
    let volley = |kind, cell| Volley {
        kind,
        cells: vec![cell],
        shots: 1,
        hits: u32::from(cell % 3 == 0),
        wounded: cell % 2 == 0,
        worth: Some([0.2, 0.3, 0.1]),
    };
    GameSheet {
        won: Some(!nth.is_multiple_of(3)),
        against: Vec::new(),
        fleet: vec![(0, vec![0, 1]), (1, (start..start + 5).collect())],
        volleys: (40..60 + nth)
            .map(|cell| volley(if cell % 7 == 0 { "seeker missile" } else { "shot" }, cell))
            .collect(),
        salvos: Vec::new(),
        actions: vec!["radar".to_owned()],
        shields: vec![8],
        caught: 2,
        at_shields: ShieldShots { next: 2, again: 2, by_chance: 0.1 },
        left: vec![(0, 2)],
        too_large: false,
    }
}

fn profiled(name: &str, games: usize) -> ProfiledBot {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../replays/bots-arena.jsonl");
    let random = RandomFleets::of(&Record::read(&record).unwrap(), &board()).unwrap();
    let mut sums = ProfileSums::new(board());
    (0..games).for_each(|nth| sums.add(&sheet(nth)));
    let opponents = (1..5).map(|nth| OpponentResults {
        name: format!("opponent {nth} <b>{}</b>", "with a long name ".repeat(4)),
        games: WinDrawLoss { wins: 5 * nth, draws: 1, losses: 9 },
        pairs: Pentanomial::default(),
    });
    ProfiledBot { profile: Profile::new(name.to_owned(), &sums, &random), opponents: opponents.collect() }
}

fn page(bots: &[ProfiledBot]) -> SavedPage {
    let notes = vec!["records of 24 of 40 games were kept".to_owned()];
    let about = ProfileAbout { board: board(), sources: "night".to_owned(), notes, made: Some("today".to_owned()) };
    SavedPage::new(&web::profile_page(bots, &about))
}

#[test]
fn a_profile_can_be_read_in_all_sizes_and_themes() {
    let name = "<script>alert(1)</script>\u{202e}abcdefghijklmnopqrstuvwxyz".repeat(3);
    for page_file in [page(&[profiled("one", 24)]), page(&[profiled("one", 24), profiled(&name, 1)])] {
        Chromium::run(|chromium| {
            let tab = chromium.open(&page_file.address(""));
            tab.assert_accessible_in_both_themes();
            for (width, height) in SIZES {
                tab.resize(width, height);
                tab.until(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= innerWidth"));
            }
            tab.assert_calm();
        });
    }
}

#[test]
fn a_profile_has_hints_maps_with_numbers_and_two_bots_side_by_side() {
    let page_file = page(&[profiled("one", 24), profiled("two", 12)]);
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        let text =
            |selector: &str| -> String { tab.value(&format!("document.querySelector({selector:?}).textContent")) };
        assert!(text(".hints").contains("Its destroyer stood in a corner in 24 of 24 games"), "{}", text(".hints"));
        let count = |selector: &str| -> usize { tab.value(&format!("document.querySelectorAll({selector:?}).length")) };
        assert_eq!((count(".heat"), count(".heat td[class]")), (4, 400));
        assert_eq!(text(".heat tbody tr:last-child td"), "100", "row 0 is at the bottom");
        assert_eq!(count(".numbers thead th"), 3);
        assert_eq!((count(".spread rect.half"), count(".ratings:not(.spread) .error")), (2, 8));
        // Tables are sorted by their headings.
        tab.click("[aria-labelledby=weapons-0] th:nth-child(3) button");
        tab.until("document.querySelector('[aria-labelledby=weapons-0] tbody th').textContent === 'shot'");
        tab.assert_calm();
    });
}
