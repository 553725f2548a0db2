//! Matches of people against the bots of a contest, if its organiser allows them.

use crate::contests::contest_folder::{ContestFolder, version_at};
use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::ladder::is_hidden;
use crate::contests::ladders::planned_games::service;
use crate::contests::ladders::wanted::Wanted;
use crate::matches::house_match::{self, HouseMatches};
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::request_error::{RequestError, RequestResult};
use players::PersonGame;
use rules::{Game, PlayerInfo};
use runner::{ContestantOf, Context, GameSetup, MatchOptions, ProgramSetup, Silent, for_setup, with_causes};
use std::sync::Arc;

/// All against whom a person may play: the baselines, and the versions that play on the ladder, but for those of hidden bots, and for
/// web services, whose addresses are nobody's affair.
///
/// # Errors
/// There is no such contest, or it has no matches against people.
pub(crate) fn opponents(contests: &ContestHost, name: &ContestName) -> RequestResult<Vec<Wanted>> {
    contests.host.store.look(|state| {
        let contest = state.contests.get(name).filter(|contest| contest.settings.people);
        let contest = contest.ok_or_else(|| RequestError::missing("this contest has no matches against people"))?;
        let (all, hidden) = (Wanted::all(contest, state), contest.hidden());
        Ok(all.into_iter().filter(|one| one.url.is_none() && !is_hidden(&one.bot, &hidden)).collect())
    })
}

/// Begins a match of a person against the opponent with this name. Returns the token of the person's page.
///
/// # Errors
/// There is no such opponent, too many people are playing, or the system fails.
pub(crate) fn begin(
    contests: &ContestHost,
    house: &Arc<HouseMatches>,
    name: &ContestName,
    against: &str,
) -> RequestResult<String> {
    let opponent = opponents(contests, name)?.into_iter().find(|opponent| opponent.name == against);
    let opponent =
        opponent.ok_or_else(|| RequestError::missing("this bot does not play any more; choose another one"))?;
    let settings = contests.look(name, |contest| contest.settings.clone())?;
    let context = Context { interrupt: contests.host.ending.clone(), reporter: Arc::new(Silent) };
    let options = settings.bot_options(contests.sandbox);
    let person = PersonMatch { contests, house, settings: &settings, folder: contests.folder(name), opponent };
    for_setup!(settings.game,
        programs G => {
            let rules = settings.rules::<G>().map_err(RequestError::internal)?;
            person.begin(ProgramSetup::new(rules, options, context))
        },
        services G => {
            let rules = settings.rules::<G>().map_err(RequestError::internal)?;
            person.begin(service::<G>(&rules, &options, &contests.host.client, &context))
        },
        built_ins _G => Err(RequestError::missing("there are no contests of this game")),
    )
}

struct PersonMatch<'a> {
    contests: &'a ContestHost,
    house: &'a Arc<HouseMatches>,
    settings: &'a ContestSettings,
    folder: ContestFolder,
    opponent: Wanted,
}

impl PersonMatch<'_> {
    fn begin<S>(self, setup: S) -> RequestResult<String>
    where
        S: GameSetup<Game: PersonGame> + Send + 'static,
        ContestantOf<S>: Send,
        <S::Game as Game>::Settings: Send + Sync,
    {
        let PersonMatch { contests, house, settings, folder: versions, opponent } = self;
        // The name has the version.
        let opponent = Wanted { info: PlayerInfo::named(&opponent.name), ..opponent };
        let folder = version_at(&opponent.bot).map(|(bot, number)| versions.version(bot, number).bot());
        let found = setup.entered(&opponent.entrant(opponent.name.clone()), folder.as_deref());
        let found = found.map_err(|error| RequestError::internal(with_causes(&error)))?;
        // Bots cannot read what others have handed in.
        let server = contests.host.folder.canonicalize().map_err(RequestError::internal)?;
        let options = MatchOptions { closed: vec![server], copies: true, ..MatchOptions::default() };
        house_match::begin(&contests.host, house, &house.contest_permits, setup, found, options, |_| {
            settings.title.clone()
        })
    }
}
