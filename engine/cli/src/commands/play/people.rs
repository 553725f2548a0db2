//! People at the console as contestants of a match.

use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::show::{self, Names};
use arena::Interrupt;
use players::{Console, Keyboard};
use runner::{Contestant, Contestants, ProgramSetup};
use std::io::{self, IsTerminal};

/// The number of people who play; two if no player was named, as in 2017.
pub(super) fn count(args: &MatchArgs) -> Result<usize, Failure> {
    let (bots, people) = (args.named().count(), usize::from(args.console));
    match bots + people {
        2 => Ok(people),
        0 if io::stdin().is_terminal() => Ok(2),
        0 => Err(usage("no players were named")),
        _ => {
            let people = match people {
                0 => String::new(),
                1 => " and 1 person".to_owned(),
                more => format!(" and {more} people"),
            };
            let bots = rules::counted(bots as u32, "bot");
            Err(usage(&format!("a match is for two players, not for {bots}{people}")))
        }
    }
}

fn usage(what: &str) -> Failure {
    Failure::Usage {
        what: what.to_owned(),
        hint: "broadside -b BOT BOT, or broadside -c 1 -b BOT; see broadside --help".to_owned(),
    }
}

/// The contestants, followed by this many people.
pub(super) fn seated(
    mut contestants: Contestants<ProgramSetup>,
    people: usize,
    interrupt: &Interrupt,
) -> Result<Contestants<ProgramSetup>, Failure> {
    if people == 0 {
        return Ok(contestants);
    }
    let keyboard = Keyboard::stdin(interrupt.clone())?;
    let own: Vec<String> = (1..=people).map(|number| format!("Player {number}")).collect();
    let bots = contestants.iter().map(|contestant| contestant.info.name());
    let names = Names::of_players(bots.chain(own.iter().map(String::as_str)));
    for name in &own {
        let (names, keyboard) = (names.clone(), keyboard.clone());
        contestants.push(Contestant::own(name, move |seat, seed| {
            let name = names.of(seat).to_owned();
            let names = names.clone();
            let draw = move |scene: &rules::Scene| show::board::for_person(scene, &names);
            Box::new(Console::new(name, people > 1, seed, keyboard.clone(), draw, io::stdout()))
        }));
    }
    Ok(contestants)
}
