//! Those that are to play on a ladder or in a tournament.

use crate::contests::contest_folder::{version_at, version_path};
use crate::state::bot_address::BotAddress;
use crate::state::contests::contest::Contest;
use crate::state::contests::version::{Progress, Version};

use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use rules::PlayerInfo;
use std::collections::BTreeMap;
use tournament::Entrant;

/// One that is to play.
pub(crate) struct Wanted {
    /// The path of its version, or `builtin:NAME`.
    pub(crate) bot: String,
    pub(crate) name: String,
    pub(crate) info: PlayerInfo,
    pub(crate) content: Option<String>,
    /// The address of a web service.
    pub(crate) url: Option<BotAddress>,
}

impl Wanted {
    pub(crate) fn baseline(name: &str) -> Wanted {
        Wanted { bot: name.to_owned(), name: name.to_owned(), info: PlayerInfo::named(name), content: None, url: None }
    }

    /// A version of the bot of this name, if it was accepted.
    pub(crate) fn version(bot: BotId, name: &str, version: &Version) -> Option<Wanted> {
        let Progress::Accepted(accepted) = &version.progress else { return None };
        let info = PlayerInfo {
            author: accepted.author.clone(),
            bot_type: accepted.language.clone(),
            ..PlayerInfo::named(name)
        };
        Some(Wanted {
            bot: version_path(bot, version.number),
            name: format!("{name} v{}", version.number),
            info,
            content: accepted.content.clone(),
            url: version.source.url().cloned(),
        })
    }

    /// All that play on the ladder of a contest: the baselines, and the active version of each bot that is not parked.
    pub(crate) fn all(contest: &Contest, state: &ServerState) -> Vec<Wanted> {
        let mut all: Vec<Wanted> = contest.settings.baselines.iter().map(|name| Wanted::baseline(name)).collect();
        for (bot, entry) in contest.bots() {
            let version = entry.playing().filter(|version| version.parked.is_none()).zip(state.bot(bot));
            all.extend(version.and_then(|(version, named)| Wanted::version(bot, named.name.as_str(), version)));
        }
        all
    }

    /// The one in a contest with this path; a version whose bot was removed has its path as its name.
    pub(crate) fn at(path: &str, contest: &str, state: &ServerState) -> Wanted {
        let found = version_at(path).and_then(|(bot, number)| {
            let named = state.bot(bot)?;
            let contests = state.contests.iter().find(|(name, _)| name.as_str() == contest);
            Wanted::version(bot, named.name.as_str(), contests?.1.bot(bot)?.version(number)?)
        });
        found.unwrap_or_else(|| Wanted::baseline(path))
    }

    pub(crate) fn entrant(&self, name: String) -> Entrant {
        Entrant { content: self.content.clone(), ..Entrant::new(name, self.bot.clone(), self.info.clone()) }
    }
}

/// The addresses of those that are web services, by the paths of their versions.
pub(crate) fn urls(wanted: &[Wanted]) -> BTreeMap<String, BotAddress> {
    wanted.iter().filter_map(|one| Some((one.bot.clone(), one.url.clone()?))).collect()
}
