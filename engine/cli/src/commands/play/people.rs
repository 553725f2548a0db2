//! People at the console as contestants of a match.

use crate::args::MatchArgs;
use crate::failure::{Failure, command_like, did_you_mean};
use crate::show::{self, Names};
use players::{Console, ConsoleGame, ConsoleOptions, Keyboard};
use rules::{Game, GameKind, Reach};
use runner::{Contestant, Contestants, GameSetup};
use std::io::{self, IsTerminal};

/// The number of people who play; two if no player was named, as in 2017.
pub(super) fn count<G: Game>(args: &MatchArgs, settings: &G::Settings) -> Result<usize, Failure> {
    let (game, seats) = (G::KIND, G::seats(settings));
    let (bots, people) = (args.named().count(), usize::from(args.console));
    match bots + people {
        2 => Ok(people),
        all if people > 0 && u8::try_from(all).is_ok_and(|all| seats.contains(&all)) => Ok(people),
        // The runner checks the number of bots; those that are programs were built by then.
        _ if people == 0 && game.reach() != Reach::Program => Ok(0),
        0 if io::stdin().is_terminal() => Ok(2),
        0 => Err(usage("no players were named", game)),
        _ => {
            let people = match people {
                0 => String::new(),
                1 => " and 1 person".to_owned(),
                more => format!(" and {more} people"),
            };
            let mut like =
                args.named().filter(|named| !named.exists()).filter_map(|named| Some((named, command_like(named)?)));
            if let Some((named, command)) = like.next().filter(|_| bots == 1) {
                let what = format!("there is no command and no folder {}", named.display());
                return Err(Failure::Usage { what, hint: did_you_mean(&command) });
            }
            let bots = rules::counted(bots as u32, "bot");
            let wanted = match seats.into_inner() {
                (2, 2) => "two".to_owned(),
                (least, most) => format!("{least} to {most}"),
            };
            Err(usage(&format!("a match is for {wanted} players, not for {bots}{people}"), game))
        }
    }
}

fn usage(what: &str, game: GameKind) -> Failure {
    let hint = match game.reach() {
        Reach::Program => "broadside -b BOT BOT, or broadside -c 1 -b BOT; see broadside --help".to_owned(),
        _ => format!("broadside play --game {} -c 1; see broadside play --help", game.name()),
    };
    Failure::Usage { what: what.to_owned(), hint }
}

/// Seats this many people behind the other contestants.
pub(super) fn seat<S: GameSetup<Game: ConsoleGame>>(
    setup: &S,
    contestants: &mut Contestants<S>,
    people: usize,
) -> Result<(), Failure> {
    if people == 0 {
        return Ok(());
    }
    let keyboard = Keyboard::stdin(setup.context().interrupt.clone())?;
    let options = ConsoleOptions { is_shared: people > 1, clear: show::clear_text() };
    let own: Vec<String> = (1..=people).map(|number| format!("Player {number}")).collect();
    let bots = contestants.iter().map(|contestant| contestant.info.name());
    let names = Names::of_players(bots.chain(own.iter().map(String::as_str)));
    for name in &own {
        let (names, keyboard, options) = (names.clone(), keyboard.clone(), options.clone());
        let settings = setup.settings().clone();
        contestants.push(Contestant::own(name, move |seat, seed| {
            let (name, names) = (names.of(seat).to_owned(), names.clone());
            let draw = move |scene: &rules::Scene| show::board::for_person(scene, seat, &names);
            let (settings, options, keyboard) = (settings.clone(), options.clone(), keyboard.clone());
            Box::new(Console::new(name, settings, options, seed, keyboard, draw, io::stdout()))
        }));
    }
    Ok(())
}
