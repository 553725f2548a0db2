//! `broadside bridge`: serves a bot in a folder over HTTP.

use super::setup;
use crate::args::{BridgeArgs, HttpFromFlags};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game_flags::games_over_http;
use crate::{show, signals};
use bridge::{Bridge, MatchEvent};
use rules::{counted, printable};
use runner::{GameSetup, LineBots};

/// Serves until a signal stops the program.
///
/// # Errors
/// A bot that cannot be found or started, and an address that is in use.
pub(crate) fn bridge(args: &BridgeArgs) -> Result<Exit, Failure> {
    let refused = || Failure::Usage {
        what: "a bridge is for bots of games over HTTP".to_owned(),
        hint: format!("name the game: {}", games_over_http()),
    };
    runner::for_setup!(args.game.kind(),
        programs _G => Err(refused()),
        services G => serve::<G>(args),
        built_ins _G => Err(refused()),
    )
}

fn serve<G: HttpFromFlags>(args: &BridgeArgs) -> Result<Exit, Failure> {
    let options = args.game.http_options::<G>()?;
    let context = setup::context()?;
    let programs = setup::bot_options(&args.programs, false, args.force_rebuild)?;
    let setup = options.setup(false, programs, context.clone());
    let bot = setup.find(&args.bot.to_string_lossy())?.remove(0);
    let name = printable(bot.info.name().trim());
    // It is built: Ctrl-C ended that at once.
    signals::raise(&context.interrupt)?;
    let bridge = Bridge::open(LineBots::open(&setup, bot)?, args.listen, Box::new(tell))?;
    show::tell(&format!("Serving {name}: http://{}/", bridge.address));
    context.interrupt.wait();
    show::tell("Stopped");
    drop(bridge);
    Ok(Exit::Interrupted)
}

fn tell(event: MatchEvent<'_>) {
    show::tell(&match event {
        MatchEvent::Begun(name) => format!("Match {} begins", printable(name)),
        MatchEvent::Fault(name, why) => format!("Match {}: {}", printable(name), printable(why)),
        MatchEvent::Ended(name, answers) => {
            format!("Match {} ended after {}", printable(name), counted(answers, "answer"))
        }
    });
}
