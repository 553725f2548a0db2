//! Tests of the state of a contest.

use crate::state::contests::contest::*;
use serde_json::json;
use submissions::{Acceptance, JudgeStep, Rejection};

fn contest() -> Contest {
    let settings = json!({"title": "Autumn", "game": "entelect-2017", "baselines": ["builtin:random"]});
    Contest::new(serde_json::from_value(settings).unwrap())
}

fn submitted(bot: u32, version: u32) -> ContestLine {
    let source = VersionSource::Archive { archive: format!("{bot}{version}"), bytes: 9 };
    ContestLine::Submitted { bot: BotId(bot), version, source, activates: version == 1 }
}

fn judged(bot: u32, version: u32) -> ContestLine {
    ContestLine::Judged { bot: BotId(bot), version }
}

fn accepted(bot: u32, version: u32) -> ContestLine {
    let (language, folder_bytes) = ("Python".to_owned(), Some(9));
    let acceptance = Acceptance { language, author: None, content: None, folder_bytes, slowest: None };
    ContestLine::Accepted { bot: BotId(bot), version, acceptance }
}

fn rejected(bot: u32, version: u32) -> ContestLine {
    let rejection = Rejection { step: JudgeStep::Building, reason: "make failed".to_owned(), lacks_tool: false };
    ContestLine::Rejected { bot: BotId(bot), version, rejection }
}

fn activated(bot: u32, version: u32) -> ContestLine {
    ContestLine::Activated { bot: BotId(bot), version }
}

fn take(contest: &mut Contest, lines: &[ContestLine]) {
    for line in lines {
        // As the journal has it.
        let line: ContestLine = serde_json::from_str(&serde_json::to_string(line).unwrap()).unwrap();
        contest.check(&line).unwrap();
        contest.take(&line, "2026-11-27T12:00:00.000Z");
    }
}

#[test]
fn versions_wait_in_a_queue_for_their_verdict() {
    let mut contest = contest();
    take(&mut contest, &[submitted(1, 1), submitted(2, 1), submitted(1, 2), judged(1, 1), judged(1, 1)]);
    assert_eq!(contest.queue(), [(BotId(1), 1), (BotId(2), 1), (BotId(1), 2)]);
    let (bot, version, attempts) = contest.open_versions().next().unwrap();
    assert_eq!((bot, version.number, attempts), (BotId(1), 1, 2));
    let queued = ContestLine::Queued { bot: BotId(1), version: 1 };
    take(&mut contest, &[queued, judged(1, 1)]);
    assert_eq!(contest.open_versions().next().unwrap().2, 1, "what was interrupted was not begun");
    let active = |contest: &Contest| contest.bot(BotId(1)).unwrap().active;
    assert_eq!(active(&contest), None);
    take(&mut contest, &[accepted(1, 1), judged(2, 1), rejected(2, 1)]);
    assert_eq!((contest.queue(), active(&contest)), (&[(BotId(1), 2)][..], Some(1)));
    take(&mut contest, &[accepted(1, 2)]);
    assert_eq!(active(&contest), Some(1), "until it is activated");
    take(&mut contest, &[activated(1, 2)]);
    assert_eq!(active(&contest), Some(2));
    let playing = |contest: &Contest| contest.bot(BotId(1)).unwrap().playing().map(|version| version.number);
    let retired = ContestLine::Retired { bot: BotId(1), on: true };
    take(&mut contest, &[retired.clone(), submitted(1, 3), accepted(1, 3)]);
    assert_eq!((playing(&contest), active(&contest)), (None, Some(2)));
    take(&mut contest, &[activated(1, 2)]);
    assert_eq!(playing(&contest), Some(2), "until a version is activated");
    take(&mut contest, &[ContestLine::Hidden { bot: BotId(1), on: true }]);
    assert_eq!(contest.hidden(), [BotId(1)].into());
    contest.remove(BotId(1));
    assert!(contest.check(&retired).is_err());
    assert_eq!((contest.bots().count(), contest.queue().len()), (1, 0));
}

#[test]
fn what_is_removed_from_the_disk_never_plays_again() {
    let mut contest = contest();
    let removed = |version| ContestLine::Removed { bot: BotId(1), version, why: "there was no room".to_owned() };
    take(&mut contest, &[submitted(1, 1), accepted(1, 1), submitted(1, 2)]);
    assert_eq!(contest.check(&removed(1)).unwrap_err(), "version 1 of bot 1 plays");
    assert_eq!(contest.check(&removed(2)).unwrap_err(), "version 2 of bot 1 was not accepted");
    take(&mut contest, &[accepted(1, 2), activated(1, 2), removed(1)]);
    let refused = contest.check(&activated(1, 1)).unwrap_err();
    assert_eq!(refused, "version 1 of bot 1 was removed from the disk: there was no room");
    let [first, second] = ["11", "12"].map(|archive| VersionSource::Archive { archive: archive.to_owned(), bytes: 9 });
    assert!(!contest.needs_archive(&first) && contest.needs_archive(&second));
}

#[test]
fn lines_that_cannot_follow_are_refused() {
    let mut contest = contest();
    take(&mut contest, &[submitted(1, 1), submitted(2, 1), rejected(2, 1)]);
    let refused = |line: ContestLine| contest.check(&line).unwrap_err();
    assert_eq!(refused(submitted(1, 1)), "version 1 of bot 1 follows, and 2 was to");
    assert_eq!(refused(judged(2, 1)), "version 1 of bot 2 has its verdict");
    assert_eq!(refused(accepted(3, 1)), "there is no version 1 of bot 3");
    assert_eq!(refused(activated(1, 0)), "there is no version 0 of bot 1");
    assert_eq!(refused(activated(1, 1)), "version 1 of bot 1 was not accepted");
    assert_eq!(refused(activated(2, 1)), "version 1 of bot 2 was not accepted");
    let mut settings = contest.settings.clone();
    settings.game = rules::GameKind::SeaBattle;
    assert_eq!(
        refused(ContestLine::Settings { settings }),
        "the game of a contest and its settings never change: begin another contest"
    );
}
