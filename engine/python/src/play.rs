//! Matches between policies in Python and bots.

use crate::games::{self, PythonGame, failed, wrong};
use crate::view::{self, View};
use arena::{ArenaError, Ask, Player, Reply};
use environments::{Action, ActionMatch, Layout, MaskKind, ObservedSeat, Options, Placement, ShipAt};
use players::OverHttp;
use players::http::{AllowedHosts, Client};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rules::{Answer, Fault, Part, Point, Reach, Seat};
use runner::{
    BotOptions, BuiltInSetup, Contestant, Context, GameSetup, MatchOptions, MatchOutput, PlayedMatch, PreparedMatch,
    ProgramSetup, SandboxLevel, ServiceSetup,
};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A failure in a policy: it is the caller's, and goes back to it.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// A message from the thread that plays to the one that called `play`.
enum Message {
    /// A policy is to decide. It does so on the thread of its caller, where Ctrl-C can end it.
    Question { decide: Arc<Py<PyAny>>, view: Py<View>, decided: Sender<PyResult<Py<PyAny>>> },
    /// The match is over.
    Over,
}

/// A policy in Python as a player.
struct Policy<G: PythonGame> {
    /// Given a view, it decides.
    decide: Arc<Py<PyAny>>,
    /// The way to the thread that asks it.
    questions: Sender<Message>,
    settings: G::Settings,
    layout: Arc<Layout>,
    names: Arc<Vec<String>>,
    /// The seed of the seat, for a fleet that is placed at random.
    seed: u64,
    /// The ships that it has placed so far.
    fleet: Vec<ShipAt>,
    /// The kinds and cells of the actions that it has taken in this move, which is not complete.
    aims: Vec<(usize, Point)>,
    raised: Raised,
}

/// The decision of a policy.
enum Decided<O> {
    /// An answer.
    Reply(Answer<O>, Vec<Part>),
    /// The place of the next ship.
    Ship(ShipAt),
    /// The next action of the move.
    Aim(usize, Point),
}

impl<G: PythonGame> Player<G> for Policy<G> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        self.answer(ask).map_err(|error| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = error;
            ArenaError::Interrupted
        })
    }
}

impl<G: PythonGame> Policy<G> {
    /// The reply to a question. The error is what the policy has raised, or nothing if the caller has stopped the match.
    fn answer(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, Option<PyErr>> {
        let view = ask.view();
        let is_placing = G::view_is_placing(&view);
        self.aims.clear();
        if is_placing {
            self.fleet.clear();
        }
        let reply = |answer, given| Reply { answer, given, time: None, run: None, notes: None };
        if is_placing && !self.layout.agents_place {
            let order = G::placing_at_random(&self.settings, &mut rules::random(self.seed));
            let given = G::write(&order);
            self.remember(Ok(&order));
            return Ok(reply(Ok(order), given));
        }
        loop {
            let shown = Python::attach(|py| self.shown(py, ask, &view, is_placing))?;
            let (decided, decision) = channel();
            let question = Message::Question { decide: Arc::clone(&self.decide), view: shown, decided };
            self.questions.send(question).map_err(|_| None)?;
            let decision = decision.recv().map_err(|_| None)??;
            match Python::attach(|py| self.read(decision.bind(py), is_placing, ask))? {
                Decided::Reply(answer, given) => {
                    if is_placing {
                        self.remember(answer.as_ref());
                    }
                    return Ok(reply(answer, given));
                }
                Decided::Ship(ship) => self.fleet.push(ship),
                Decided::Aim(kind, cell) => {
                    self.aims.push((kind, cell));
                    if G::is_whole(&view, &self.aims)
                        && let Some(order) = self.order_of_aims(ask.seat)
                    {
                        let given = G::write(&order);
                        return Ok(reply(Ok(order), given));
                    }
                }
            }
            if is_placing && self.fleet.len() == self.layout.ships.len() {
                let given = G::write(&G::placing(&self.settings, &self.fleet));
                return Ok(reply(ask.read(&given), given));
            }
        }
    }

    fn shown(&self, py: Python<'_>, ask: &Ask<'_, G>, view: &G::View, is_placing: bool) -> PyResult<Py<View>> {
        let (layout, fleet, aims) = (&*self.layout, self.fleet.as_slice(), self.aims.as_slice());
        let seat = ObservedSeat { layout, fleet, is_placing, acts: true, mask_kind: MaskKind::Useful, aims };
        let arrays = view::arrays(py, layout, |planes, scalars, mask| {
            seat.write(planes, scalars, mask, |sight| G::encode(view, fleet, sight));
        })?;
        let shown = View {
            game: G::KIND.name(),
            seat: ask.seat.index(),
            turn: ask.turn,
            arrays: arrays.unbind(),
            message: G::told_of(view, ask.seat, &self.names),
            text: environments::text(&ask.scene(), G::KIND),
            answer_parts: G::ANSWER_PARTS,
        };
        Py::new(py, shown)
    }

    /// Remembers the fleet that an order places: views of some games do not show it again.
    fn remember(&mut self, answer: Result<&G::Order, &Fault>) {
        self.fleet = answer.ok().and_then(|order| G::placed(&self.settings, order)).unwrap_or_default();
    }

    /// Reads what a policy has returned: the number of an action, the text of an answer, its parts, or nothing.
    fn read(&self, decided: &Bound<'_, PyAny>, is_placing: bool, ask: &Ask<'_, G>) -> PyResult<Decided<G::Order>> {
        if decided.is_none() {
            return Ok(Decided::Reply(Err(Fault::NothingWritten), Vec::new()));
        }
        let parts = if let Ok(parts) = decided.cast::<PyDict>() {
            parts.iter().map(|(name, value)| Ok((name.extract()?, bytes(&value)?))).collect::<PyResult<Vec<_>>>()?
        } else if let Ok(text) = decided.cast::<PyString>() {
            let name = G::part_now(is_placing).ok_or_else(|| {
                let all = G::ANSWER_PARTS.join(", ");
                wrong(format!("an answer of {} is a dict of parts, which are {all}", G::KIND.name()))
            })?;
            vec![(name.to_owned(), text.to_str()?.as_bytes().to_vec())]
        } else {
            return self.action(decided.call_method0("__index__")?.extract()?, ask);
        };
        let parts = games::parts::<G>(parts)?;
        Ok(Decided::Reply(ask.read(&parts), parts))
    }

    /// The order of the actions of this move; `None` if there are none.
    fn order_of_aims(&self, seat: Seat) -> Option<G::Order> {
        let order =
            |(kind, cell): &(usize, Point)| G::order(&self.settings, self.names.len() as u8, seat, *kind, *cell);
        G::joined(self.aims.iter().map(order).collect())
    }

    fn action(&self, number: usize, ask: &Ask<'_, G>) -> PyResult<Decided<G::Order>> {
        let actions = self.layout.actions();
        let action = self.layout.action(number);
        let action =
            action.ok_or_else(|| wrong(format!("there is no action {number}; they go from 0 to {}", actions - 1)))?;
        Ok(match action {
            Action::Nothing => match self.order_of_aims(ask.seat) {
                Some(order) => Decided::Reply(Ok(order.clone()), G::write(&order)),
                None => Decided::Reply(Err(Fault::NothingWritten), Vec::new()),
            },
            Action::Place(ship) if G::view_is_placing(&ask.view()) => Decided::Ship(ship),
            Action::Place(ship) => {
                let given = G::write(&G::placing(&self.settings, &[ship]));
                Decided::Reply(ask.read(&given), given)
            }
            Action::Order { kind, cell } => Decided::Aim(kind, cell),
        })
    }
}

/// The bytes of a text or of bytes.
fn bytes(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match value.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => Ok(value.extract::<String>()?.into_bytes()),
    }
}

/// The arguments of `play`.
struct Wanted {
    settings: String,
    players: Vec<(String, Option<Py<PyAny>>)>,
    placement: Placement,
    options: MatchOptions,
    bots: BotOptions,
    hosts: AllowedHosts,
}

/// Plays a match between bots, built-in players and policies, and tells how it ended.
///
/// `players` are pairs of a name and a function from a view to a decision; without a function the name is that of a bot or a built-in
/// player.
#[pyfunction]
#[pyo3(signature = (game, players, *, settings="{}", seed=None, placement="agents", folder=None, rounds=false, sandbox="on", time_limit=true, hosts="private"))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn play<'py>(
    py: Python<'py>,
    game: &str,
    players: Vec<(String, Option<Py<PyAny>>)>,
    settings: &str,
    seed: Option<u64>,
    placement: &str,
    folder: Option<PathBuf>,
    rounds: bool,
    sandbox: &str,
    time_limit: bool,
    hosts: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let output = match (&folder, rounds) {
        (None, _) => MatchOutput::Nothing,
        (Some(_), false) => MatchOutput::Record,
        (Some(_), true) => MatchOutput::Folder,
    };
    let levels = [("on", SandboxLevel::On), ("off", SandboxLevel::Off), ("strict", SandboxLevel::Strict)];
    let mut bots = BotOptions { sandbox: games::choice("sandbox", sandbox, levels)?, ..BotOptions::default() };
    if !time_limit {
        bots.time = runner::TimeLimit::Unlimited;
    }
    let wanted = Wanted {
        settings: settings.to_owned(),
        players,
        placement: games::options(placement, "useful", "outcome")?.placement,
        options: MatchOptions { seed, output, folder, ..MatchOptions::default() },
        bots,
        hosts: hosts.parse().map_err(wrong)?,
    };
    let context = Context::silent().map_err(failed)?;
    runner::for_setup!(
        games::kind(game)?,
        programs G => {
            let settings = games::settings::<G>(&wanted.settings)?;
            let setup = ProgramSetup::new(settings, wanted.bots.clone(), context.clone());
            play_with(py, setup, &context, wanted)
        },
        services G => over_http::<G>(py, context, wanted),
        built_ins G => {
            let settings = games::settings::<G>(&wanted.settings)?;
            play_with(py, BuiltInSetup::<G> { settings, context: context.clone() }, &context, wanted)
        },
    )
}

fn over_http<'py, G: OverHttp + PythonGame>(
    py: Python<'py>,
    context: Context,
    wanted: Wanted,
) -> PyResult<Bound<'py, PyDict>> {
    debug_assert_eq!(G::REACH, Reach::Http);
    let settings = games::settings::<G>(&wanted.settings)?;
    let limit = (!matches!(wanted.bots.time, runner::TimeLimit::Unlimited)).then(|| G::usual_limit(&settings));
    let client = Client::new(wanted.hosts.clone());
    let setup = ServiceSetup::<G>::new(settings, G::Speech::default(), limit, client, context.clone());
    play_with(py, setup.with_programs(wanted.bots.clone()), &context, wanted)
}

fn play_with<'py, S>(py: Python<'py>, setup: S, context: &Context, wanted: Wanted) -> PyResult<Bound<'py, PyDict>>
where
    S: GameSetup + Send + 'static,
    S::Game: PythonGame,
    S::Bot: Send,
{
    let raised = Raised::default();
    let (sender, questions) = channel();
    let policies = Policies { questions: sender.clone(), raised: Arc::clone(&raised) };
    let work = move || prepared(setup, policies, wanted)?.play(&mut ()).map_err(failed);
    let played = watched(py, context, sender, questions, work)?;
    if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    report(py, played?)
}

/// The links between the policies of a match and the thread that called `play`.
struct Policies {
    questions: Sender<Message>,
    raised: Raised,
}

/// A player that was named: a bot or a built-in player, or a policy that is yet to be seated.
enum Found<S: GameSetup> {
    Contestant(Contestant<S::Game, S::Bot>),
    Policy(String, Arc<Py<PyAny>>),
}

/// Finds and builds the bots, and makes players of policies.
fn prepared<S>(setup: S, policies: Policies, wanted: Wanted) -> PyResult<PreparedMatch<S>>
where
    S: GameSetup,
    S::Game: PythonGame,
{
    let mut found = Vec::new();
    for (name, policy) in wanted.players {
        match policy {
            Some(policy) => found.push(Found::Policy(name, Arc::new(policy))),
            None => found.extend(setup.find(&name).map_err(wrong)?.into_iter().map(Found::Contestant)),
        }
    }
    let names = found.iter().map(|one| match one {
        Found::Contestant(contestant) => contestant.info.name().to_owned(),
        Found::Policy(name, _) => name.clone(),
    });
    let names: Arc<Vec<String>> = Arc::new(names.collect());
    let seats = u8::try_from(names.len()).map_err(wrong)?;
    let settings = setup.settings().clone();
    let options = Options { placement: wanted.placement, ..Options::default() };
    let action_match = ActionMatch::<S::Game>::new(settings.clone(), seats, options).map_err(wrong)?;
    let seated = |one: Found<S>| {
        let (name, policy) = match one {
            Found::Contestant(contestant) => return contestant,
            Found::Policy(name, policy) => (name, policy),
        };
        let (settings, layout, names) = (settings.clone(), Arc::clone(action_match.layout()), Arc::clone(&names));
        let (questions, raised) = (policies.questions.clone(), Arc::clone(&policies.raised));
        Contestant::own(&name, move |_, seed| {
            Box::new(Policy::<S::Game> {
                decide: Arc::clone(&policy),
                questions: questions.clone(),
                settings: settings.clone(),
                layout: Arc::clone(&layout),
                names: Arc::clone(&names),
                seed,
                fleet: Vec::new(),
                aims: Vec::new(),
                raised: Arc::clone(&raised),
            })
        })
    };
    let contestants = found.into_iter().map(seated).collect();
    PreparedMatch::new(setup, contestants, wanted.options).map_err(wrong)
}

/// Does work in another thread, answers its questions here, and stops it when the interpreter is told to stop.
fn watched<T: Send>(
    py: Python<'_>,
    context: &Context,
    over: Sender<Message>,
    questions: Receiver<Message>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    const OFTEN: Duration = Duration::from_millis(50);
    let (value, stopped) = py.detach(move || {
        std::thread::scope(move |scope| {
            let worker = scope.spawn(move || {
                let value = work();
                // The other side waits for it.
                let _ = over.send(Message::Over);
                value
            });
            let mut stopped = Ok(());
            loop {
                match questions.recv_timeout(OFTEN) {
                    Ok(Message::Over) | Err(RecvTimeoutError::Disconnected) => break,
                    Ok(Message::Question { decide, view, decided }) if stopped.is_ok() => {
                        // Without a receiver the match has been stopped.
                        let _ = decided.send(Python::attach(|py| decide.call1(py, (view,))));
                    }
                    // The policy hears that nobody will answer.
                    Ok(Message::Question { .. }) => {}
                    Err(RecvTimeoutError::Timeout) if stopped.is_ok() => {
                        stopped = Python::attach(|py| py.check_signals());
                        if stopped.is_err() {
                            context.interrupt.raise();
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
            (worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), stopped)
        })
    });
    stopped.map(|()| value)
}

fn report(py: Python<'_>, played: PlayedMatch) -> PyResult<Bound<'_, PyDict>> {
    let PlayedMatch { names, seed, result, closed, folder, lost, .. } = played;
    let outcome = result.map_err(failed)?;
    closed.map_err(failed)?;
    let dict = games::outcome(py, &outcome)?;
    dict.set_item("names", names.into_iter().collect::<Vec<_>>())?;
    dict.set_item("seed", seed)?;
    dict.set_item("without_order", lost.into_iter().collect::<Vec<_>>())?;
    dict.set_item("folder", folder.map(|folder| folder.path().to_owned()))?;
    Ok(dict)
}
