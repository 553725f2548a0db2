//! The server of contests. In tournaments of Sea Battle teams register bots that are called over HTTP; the bots play tournaments
//! without end, and a big screen shows the matches. In contests teams hand bots in as archives; the server builds and tries them,
//! and they play on a ladder.
//!
//! The [journal](ServerJournalLine) comes first: a change takes effect once its line is in `arena.jsonl`. The server
//! state in memory and the index, an SQLite database, follow from the journal, and can be made again from it. The
//! scheduler decides which bots meet next; each match has a thread of its own; one thread serves the pages, the API and
//! the event stream. `wire` documents the JSON of the API and of the events.
//!
//! A server on any free port of this machine, in a temporary folder:
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use players::http::{AllowedHosts, Client};
//! use serve::{ServeOptions, SettingsChange, TournamentServer};
//!
//! let folder = tempfile::tempdir()?;
//! let server = TournamentServer::start(ServeOptions {
//!     address: "127.0.0.1:0".parse()?,
//!     folder: folder.path().to_owned(),
//!     password: Some("open sesame".to_owned()),
//!     join_code: None,
//!     settings: SettingsChange::default(),
//!     start: false,
//!     engine: "my program 1.0".to_owned(),
//!     client: Client::new(AllowedHosts::private()),
//!     test_hosts: None,
//!     contests: Vec::new(),
//!     builds: 1,
//!     sandbox: runner::SandboxLevel::Strict,
//!     others: None,
//!     public_hosts: Vec::new(),
//!     connections_per_address: 128,
//!     request_time: std::time::Duration::from_secs(10),
//! })?;
//! println!("http://{}/", server.address);
//! server.finish();
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//!
//! The source has six layers, each of which uses those below it only (a test holds it):
//!
//! - `pages/`: the pages for people: `team_pages.rs` (lobby, bots, matches that are over), `admin.rs`, `admin_contests.rs`, `screen.rs` (the
//!   big screen and the overlay), `final_page.rs`, `play.rs`; of contests `contest_pages.rs` (with `rating_chart.rs`), `contest_games.rs`, `contest_marks.rs`, `contest_profile.rs`,
//!   `contest_screen.rs` and `contest_tournament_pages.rs`. `forms.rs` handles their forms, which `filled_form.rs` reads, `response.rs` has
//!   notices, cookies and refusals, `join_address.rs` the address for teams with its QR code, `text.rs` words and links, `assets.rs` the
//!   files. Beside them lie `templates/` and `assets/`.
//! - `http/`: `api.rs`, `admin_api.rs`, `admin_moderators_api.rs`; of contests `contest_api.rs`, `contest_watch_api.rs`,
//!   `contest_tournament_api.rs`, `contest_final_api.rs`, `contest_export_api.rs`, `contest_marks_api.rs`, `contest_bots_api.rs` and `contest_admin_api.rs`; all described by `openapi.rs`. `admin_commands.rs` has the
//!   commands of administrators. `guard.rs` checks every request and adds headers to every response, `errors.rs` writes errors; `metrics.rs`
//!   has figures for Prometheus; `app.rs` has the parts that the handlers get, `reach.rs` the names of the server.
//! - `contests/`: `contest_host.rs` has the contests, `views.rs` and `wire.rs` what others see of them, `hidden_bots.rs` retires and hides
//!   bots, `person_match.rs` has matches against people, `export.rs` makes tables, `profiles.rs` says how bots play. Below it:
//!   - `submissions/`: `submission.rs` has the commands of teams, `judge_queue.rs` gives versions their verdicts (`verdict.rs`) in the order of
//!     `turns.rs`; `build_log.rs` and `faults.rs` tell teams why, `disk_budget.rs` removes old versions.
//!   - `ladders/`: `ladder_thread.rs` enters versions (`wanted.rs`) and has games played (`planned_games.rs`, on a cluster by
//!     `other_machines.rs`); `ladder.rs` is what others see of it, `game_records.rs` has the games that are over, `failures.rs`
//!     says who is parked, `void_set.rs` and `void_games.rs` take games out.
//!   - `tournaments/`: `tournament_begin.rs` says who plays in one, `tournament_runs.rs` has tournaments played, and games that teams ask
//!     for; `tournament_commands.rs`, `tournament_views.rs` and `tournament_wire.rs`.
//!   - `marking/`: `contest_marks.rs` says which versions count, `marking_thread.rs` has the games of the plan played; `views.rs`, `wire.rs`
//!     and `export.rs`.
//!   - `finals/`: `broadcast.rs` has the times at which screens show the games of a final, `screen_clock.rs` their clock,
//!     `final_thread.rs` shows them; `final_commands.rs` and `final_views.rs`.
//! - `teams/`: log-ins and commands: `access.rs` (passwords, log-ins and rate limits, from `password.rs`, `session.rs`,
//!   `throttle.rs`, `csrf.rs`), `api_token.rs`, `registration.rs`, `team.rs` (the team of a request), `actor.rs` (the administrator or moderator of a request), `moderation.rs`, `bot_test.rs` (tests that teams ask for),
//!   `administration.rs`.
//! - `matches/`: `scheduler.rs` decides which bots meet next (`next` is a function of values and is tested as one), and
//!   `upcoming.rs` foretells what it will decide; `match_run.rs` plays a match by the runner, `match_feed.rs` makes turns of its events,
//!   `match_thread.rs` is the thread of one, `running_matches.rs` has those that are being played, `records.rs` reads those that are over. `health.rs` knows how bots are doing, `outage.rs` pauses tournaments
//!   when the network fails, `health_check.rs` probes parked bots, `probe.rs` plays test matches, `house_match.rs` those against people. `finals/` has the steps of a final; `screens.rs` shows its games.
//!   `publish.rs` puts the `views.rs` of all that into the log of events, whose first event is made by `event_state.rs`;
//!   `match_streams.rs` has the streams of matches for screens. `host.rs` is the state that they share.
//! - `state/`: `journal_line.rs` (the lines of the journal), `server_state.rs` (the state that follows from them; that of finals
//!   in `finals/`), `store.rs` (both, with the index, under one lock), `index.rs` (SQLite),
//!   `leaderboard.rs`, `round_robin.rs`, `settings.rs`, `name.rs`, `bot_address.rs`, `wire.rs` (the JSON of the API and of the
//!   events, with their table), `activity.rs` (lines for the operator's terminal), `request_error.rs` and `serve_error.rs`,
//!   `random.rs` (tokens and seeds), `moderators.rs` (what each role may do, and the last actions), `contests/` (contests, their settings,
//!   and the versions of bots).
//!
//! `server.rs` makes all parts, the threads and the routes.
//!
//! Decisions:
//!
//! - **The journal comes first.** A change takes effect once its line is synced to `arena.jsonl`. `ServerState::check` says
//!   whether a line can follow, both when it is entered and when the journal is read: a second result of one pairing is an
//!   error, not a double count. A match that was being played when the server died has no line, and is played again. A record
//!   is written before its line, so each line has its record; a record without a line is removed at the next start.
//! - **The index is only an index.** It stores which journal it was made from, and up to which byte, in the same transaction
//!   as the rows, and adds the rest at the start; if it is missing, damaged or of another journal, it is made again. One
//!   thread does all its work in order, so a query sees all lines that were entered before it. What cannot be written, e.g. to a
//!   full disk, is tried again at the next line or query; until then no record is removed.
//! - **The health of bots is not stored.** After a restart no bot is parked.
//! - **A bot is parked** after three matches in a row in which it failed when it was asked for its fleet: it could not be
//!   reached, was late, answered 500 or nonsense, or placed its ships against the rules. It loses those. Then it is asked for
//!   a fleet after 5, 10, 20 … 300 seconds, and comes back when it places one as it should; a new URL or a trial that goes
//!   well brings it back at once. Its matches are put off to the end of the tournament and left out if it is still away.
//! - **Events** are published in a log (`web::EventLog`): formatted once and shared. A listener that
//!   falls behind gets the event `state` (`matches/event_state.rs`). A client that reads nothing for 30 s is disconnected by the
//!   kernel (`TCP_USER_TIMEOUT`). Publishing never waits. Streams have headers and comments for proxies
//!   (`EventLog::response`, the same for all streams of the program).
//! - **One eye decides what is public while a match is being played** (`ServerSettings::public_eye`): events, frames and answers
//!   tell what it sees. It sees what both bots know; ships, and what a radar has seen, follow with the end. With the setting
//!   `revealFleets` it sees everything, and so does a bot that listens.
//! - **URLs of bots are told to their owner and the administrator only:** who knows one can call the bot, and it may have a
//!   key in its query.
//! - **The ladder of a contest is a tournament** of the format ladder in `contests/NAME`: its games are in `games.jsonl`, and all that
//!   reads tournaments reads it. `arena.jsonl` has what teams and the administrator want: versions, verdicts, which version plays, sets
//!   of void games. The thread of the ladder makes the one follow from the other, so a kill in between loses nothing.
//! - **Tournaments of a contest are played by the thread of its ladder:** some games of one, some of the next, some of the ladder. So no
//!   more games are played at the same time than the contest allows, and nobody waits for the end of another. Each is a tournament in a
//!   folder of its own, `tournaments/NUMBER`.
//! - **A final of a contest is a tournament of it,** of the format final, and comes before all other games. It is played ahead of the
//!   screens; when they show a game is a function of its journal and of the time. What is told of it goes through `Broadcast::table`. So a
//!   kill changes nothing, and after a long absence the games that would have been shown are told.
//! - **Marks are made by `grading`** in `contests/NAME/marks`, by a thread for each contest, from the versions that count. Teams have their
//!   numbers there, so another name changes nothing. What is shown follows from that journal, the versions and the plan alone.
//! - **A version is a folder that never changes.** Each game is played with copies of the folders of its two versions, and no other
//!   version is looked at: what the server has in memory does not grow with them.
//! - **A verdict is begun by a line** (`judged`). A version that was begun twice without an end is rejected: it may have brought the
//!   server down. If the server is ended in order, the version waits again (`queued`).
//! - **Screens know no game.** A match reaches `/view`, `/overlay` and `/final` as it reaches a live page: as setup, frames and end, in
//!   a stream of its own (`/matches/ID/events`, `matches/match_streams.rs`), of a match that is being played as of one that is over. A
//!   screen with a place for it shows the analysis (`screen/outlook.js`), which comes by the same stream. A
//!   screen also follows `/api/events` without turns, which tells it which matches there are. `screen/stage.js` draws a match,
//!   `screen/playlist.js` has the matches: they do not wait for the screen, so it shows one at its own pace and then continues with the
//!   newest one. By then most are over, and both fleets are known. A screen keeps two connections, of six that a browser has.
//!   That of a contest is the same page and script (`screen/source.js` knows the addresses): it follows `/c/NAME/events`, and shows games
//!   of every game from their records once they are over, because they last seconds and nobody could follow all of them.
//! - **A final is broadcast.** A game is played out of sight, as fast as its bots answer, and entered in the journal. Then its thread
//!   publishes `match-begun`, one turn after the other at the pace of the screens, `match-over` and the topic `final`, from the
//!   record (`finals/screens.rs`). It waits by the monotonic clock, so a clock that is set does no harm. The next game begins some
//!   seconds later. All screens show what comes, so all show the same; the page (`assets/final/main.js`) also holds back results until it
//!   has drawn the last turn. `final-match` in the journal has the time when all of it will have been shown (`shown`), so a server that is
//!   started again shows the rest.
//! - **A final needs version 2 of the journal.** New journals have version 1; the first final changes the digit in the first
//!   line (`Journal::raise_version`), so an older program says at once that the journal is newer, and reads all journals
//!   without a final.
//! - **Pages keep themselves up to date** by loading themselves again (`pages/refresh.js`) and replacing the marked parts:
//!   the server's template is the only code that makes them.
//! - **Pages and the report are askama templates.** They escape all text and are checked when the program is built. Text of
//!   bots, teams and files passes `rules::printable` before.
//! - **Forms** carry a CSRF token that follows from a cookie and a secret of the server; requests that change something are
//!   refused if `Sec-Fetch-Site` or `Origin` tell of another site than the host of the request and the names of proxies; the API takes JSON only with its content type, which no
//!   form of another site can send. All cookies are `HttpOnly` and `SameSite=Strict`.
//! - **Teams log in once;** the log-ins are in memory, as digests of their tokens, and end with the server, which pages tell.
//!   A log-in is that of a bot's number, which is never used again, so it is worth nothing to a later bot of the same name.
//! - **The operator's terminal is never waited for:** lines go through a queue to a thread of their own, and are lost if it
//!   is full.
//! - **Wrong passwords of the administrator** are slowed down: after ten from one network, each further one is answered after three
//!   seconds. The right one is compared first and counts at once, however often others guess, from the same network as well.
//! - **Rights are one table** (`AdminAction::needs`). Each command of an administrator or a moderator goes through
//!   `http/admin_commands.rs::act`, which checks the right, and enters an `audit` line once it is done.
//! - **Hashes of passwords** are computed two at a time, of which networks that have sent wrong ones lately share one; a network has at
//!   most two in the queue of all. So teams elsewhere log in while others guess.
//! - **The tournament server and the live view use one `http_server.rs`** for connections, 10 s for the head of the first request,
//!   150 s between two (proxies use connections again for up to two minutes; idle ones give way to others),
//!   and headers on every response. The tournament server limits the body of a request to 10 s, a whole request to 15 s, and
//!   a test match to 40 s.
//! - **Addresses are those of the connections.** The addresses in a header such as `X-Forwarded-For` are not used, because
//!   any client can send it; that there is one says only that a proxy stands between, whose own machine no team may test. So
//!   all clients behind a reverse proxy are one address, and the proxy has to limit them.

mod contests;
mod http;
mod matches;
mod pages;
mod server;
mod state;
mod teams;

pub use contests::ladders::other_machines::OtherMachines;
pub use http::openapi::openapi;
pub use server::{ServeOptions, TournamentServer};
pub use state::bot_address::{BotAddress, BotAddressError};
pub use state::contests::contest_line::{ContestLine, VoidSet};
pub use state::contests::contest_settings::{ContestName, ContestSettings};
pub use state::contests::registration::Registration;
pub use state::journal_line::{
    ARENA_JSONL, FinalGameLine, FinalMatchLine, MatchLine, ServerJournalLine, TournamentMode,
};
pub use state::moderators::{AdminAction, AuditEntry};
pub use state::name::{BotId, BotName, NameError};
pub use state::serve_error::ServeError;
pub use state::settings::{ServerSettings, SettingsChange};
pub use submissions::{Acceptance, JudgeStep, Rejection};
