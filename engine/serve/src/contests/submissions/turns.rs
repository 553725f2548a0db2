//! The order in which versions get their verdicts: teams take turns.

use crate::state::contests::contest_settings::ContestName;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use std::collections::BTreeMap;

/// A contest, a bot and the number of its version.
pub(crate) type VersionKey = (ContestName, BotId, u32);

/// A version that waits.
#[derive(Debug, Clone, PartialEq)]
struct Waiting {
    /// The time when it was handed in.
    submitted: String,
    key: VersionKey,
}

/// The versions of all contests that wait and are `wanted`, in the order in which they get their verdicts.
pub(crate) fn waiting(state: &ServerState, wanted: impl Fn(&VersionKey) -> bool) -> Vec<VersionKey> {
    let (mut waiting, mut judged): (Vec<Waiting>, BTreeMap<BotId, &str>) = Default::default();
    for (name, contest) in &state.contests {
        let open = contest.open_versions().map(|(bot, version, _)| Waiting {
            submitted: version.submitted.clone(),
            key: (name.clone(), bot, version.number),
        });
        waiting.extend(open.filter(|waiting| wanted(&waiting.key)));
        for (bot, at) in contest.last_judged() {
            let last = judged.entry(bot).or_default();
            *last = at.max(last);
        }
    }
    in_turn(waiting, |bot| judged.get(&bot).copied())
}

/// The order of those that wait: the oldest one of each team in each round, and in a round first the team whose last version was begun
/// the longest time ago, or never. `judged` tells when that was.
fn in_turn<'a>(mut waiting: Vec<Waiting>, judged: impl Fn(BotId) -> Option<&'a str>) -> Vec<VersionKey> {
    waiting.sort_by(|one, other| one.submitted.cmp(&other.submitted).then_with(|| one.key.cmp(&other.key)));
    // Of each team: the number of its versions so far, and the time of the first one.
    let mut teams: BTreeMap<BotId, (usize, String)> = BTreeMap::new();
    let mut turns: Vec<_> = waiting
        .into_iter()
        .map(|Waiting { submitted, key }| {
            let (count, first) = teams.entry(key.1).or_insert((0, submitted));
            *count += 1;
            ((*count, judged(key.1), first.clone()), key)
        })
        .collect();
    turns.sort();
    turns.into_iter().map(|(_, key)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(contest: &str, bot: u32, version: u32, at: &str) -> Waiting {
        let contest = ContestName::try_from(contest.to_owned()).unwrap();
        Waiting { submitted: at.to_owned(), key: (contest, BotId(bot), version) }
    }

    fn order(waiting: &[Waiting], judged: &[(u32, &'static str)]) -> Vec<(u32, u32)> {
        let judged = |bot: BotId| judged.iter().find(|(team, _)| BotId(*team) == bot).map(|(_, at)| *at);
        in_turn(waiting.to_vec(), judged).into_iter().map(|(_, bot, version)| (bot.0, version)).collect()
    }

    #[test]
    fn many_versions_of_one_team_hold_up_no_other_team() {
        let flood = ["a", "b"].map(|contest| [1, 2, 3].map(|version| waits(contest, 1, version, "10:00")));
        let mut waiting = flood.concat();
        waiting.extend([waits("b", 2, 1, "10:05"), waits("a", 3, 7, "10:04"), waits("a", 2, 1, "10:06")]);
        let first = order(&waiting, &[]);
        assert_eq!(first[..5], [(1, 1), (3, 7), (2, 1), (1, 2), (2, 1)], "{first:?}");
        assert_eq!(first[5..], [(1, 3), (1, 1), (1, 2), (1, 3)]);
    }

    #[test]
    fn the_team_is_next_that_was_judged_the_longest_time_ago() {
        let waiting = [waits("a", 1, 2, "09:00"), waits("a", 2, 4, "10:00"), waits("b", 3, 1, "11:00")];
        assert_eq!(order(&waiting, &[(1, "08:30"), (2, "08:20")]), [(3, 1), (2, 4), (1, 2)]);
        assert_eq!(order(&waiting, &[(1, "08:30"), (2, "08:30"), (3, "08:31")]), [(1, 2), (2, 4), (3, 1)]);
        assert_eq!(order(&[], &[(1, "08:30")]), []);
    }
}
