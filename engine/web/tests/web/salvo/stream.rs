//! The stream of a live table of Salvo: the clock, and nothing that is not for everyone.

use crate::raw::Raw;
use crate::tables::{FOUR, LIMIT, played, stopped, table};
use arena::MatchEvent;
use rules::Seat;
use rules::salvo::{Event, Salvo};
use std::time::{Duration, SystemTime};
use web::wire::{ClockView, Frame, LobbyView};

/// The clocks in the lines of a stream.
fn clocks(lines: &[String]) -> Vec<ClockView> {
    let data =
        |pair: &[String]| (pair[0] == "event: clock").then(|| pair[1].strip_prefix("data: ").unwrap().to_owned());
    lines.windows(2).filter_map(data).map(|text| serde_json::from_str(&text).unwrap()).collect()
}

#[test]
fn a_viewer_gets_the_latest_clock_only_after_all_that_came_before() {
    let mut table = table();
    table.clock(Seat::A, LIMIT);
    stopped(&mut table, &FOUR, 5, 40);
    table.clock(Seat::B, Duration::MAX);
    table.clock(Seat::A, LIMIT);
    table.clock(Seat::B, LIMIT * 2);
    let mut raw = Raw::ask(&table.url(), "/events", "");
    let mut lines = raw.until("event: clock");
    lines.extend(raw.until("data: "));
    assert_eq!(lines.iter().filter(|line| *line == "event: frame").count(), 41);
    let [clock] = clocks(&lines).try_into().unwrap();
    assert_eq!((clock.seat, clock.limit_ms), ('B', 60_000));
    let left = Duration::from_millis(clock.until_ms).saturating_sub(SystemTime::UNIX_EPOCH.elapsed().unwrap());
    assert!(left <= LIMIT * 2 && left > LIMIT, "{clock:?}");
    // A viewer who comes back gets the clock if it has missed it, and no frame again.
    let ids: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("id: ")).collect();
    let mut again = Raw::ask(&table.url(), "/events", &format!("Last-Event-ID: {}\r\n", ids[ids.len() - 2]));
    let lines = again.until(r#"data: {"seat":"B""#);
    assert!(!lines.iter().any(|line| line == "event: frame"), "{lines:?}");
    table.finish();
    assert!(!raw.rest().contains("event: clock"));
}

#[test]
fn a_lobby_has_no_clock() {
    let mut table = table();
    stopped(&mut table, &FOUR, 5, 40);
    table.lobby(&LobbyView { teams: Vec::new(), how: String::new() });
    table.clock(Seat::A, LIMIT);
    let mut raw = Raw::ask(&table.url(), "/events", "");
    raw.until("event: lobby");
    table.finish();
    assert!(!raw.rest().contains("event: clock"));
}

/// Everything that the stream tells during a match is in the events that everyone is told.
#[test]
fn the_stream_of_the_table_holds_public_events_only() {
    let mut table = table();
    let mut raw = Raw::ask(&table.url(), "/events", "");
    let (mut sunk, mut totals) = (Vec::new(), Vec::new());
    let watch = |event: &MatchEvent<'_, Salvo>| {
        let MatchEvent::Advanced { told, .. } = event else { return Ok(()) };
        for told in *told {
            match &told.event {
                Event::Sunk { seat, target, ship } => sunk.push((*seat, *target, ship.letter())),
                Event::SalvoOver { seat, shots, hits } => totals.push((*seat, *shots, *hits)),
                _ => {}
            }
        }
        if totals.len() == 60 { Err(arena::ArenaError::Interrupted) } else { Ok(()) }
    };
    played(&mut table, &FOUR, 5, watch).unwrap_err();
    table.finish();
    let text = raw.rest();
    let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let frames: Vec<Frame> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let told = frames.iter().flat_map(|frame| frame.sinkings.iter().flat_map(|seen| &seen.1));
    assert!(told.map(|one| (one.by, one.target, one.letter)).eq(sunk));
    let told = frames.iter().flat_map(|frame| frame.total.iter().map(|seen| &seen.1));
    assert!(told.map(|one| (one.seat, one.shots, one.hits)).eq(totals));
    let boards = || frames.iter().flat_map(|frame| frame.boards.iter().flatten().map(|seen| &seen.1));
    assert!(boards().all(|board| board.cells.is_empty() && board.fresh.is_empty()));
    assert!(boards().all(|board| !board.deed.as_deref().unwrap_or_default().contains(" at ")));
}
