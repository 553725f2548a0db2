//! Tries out a bot of the Entelect Challenge 2017: it is built, and plays on all maps.

use super::Place;
use super::watched::{Watched, play_watched};
use crate::args::CheckArgs;
use crate::commands::bot_seats::BotSeats;
use crate::commands::contestant::{Program, bot};
use crate::commands::play::{fresh_seed, own_program};
use crate::commands::seclusion::Cells;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, FaultReport, GameReport, Names, Report};
use crate::{settings, signals};
use arena::record::{Archive, Clock, EntelectFolder, FolderStore, Keep, MatchFolder};
use arena::{Interrupt, Player, Players};
use players::process::Calibration;
use players::process::guardian::{Care, Guardian};
use players::{Bot, BuiltIn};
use rules::PlayerInfo;
use rules::entelect_2017::files::{COMMAND_TXT, Files, LOG_TXT, MAP_TXT, PLACE_TXT, STATE_JSON};
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{Game, GameKind, Part, Seat};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

/// Builds the bot, lets it play against the built-in player on all maps, and reports.
pub(super) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let tools = settings::tools()?;
    let (details, program) = bot(&args.bot, args.force_rebuild, &tools)?;
    let interrupt = signals::interrupt()?;
    let _guardian = Guardian::start(&own_program()?, &Care::default())?;
    let place = Place::of(args.log.as_deref())?;
    let before = files_in(&program.folder);
    let files = Files::new([details, PlayerInfo::named("Sparring partner")].into_iter().collect());
    let seed = args.seed.unwrap_or_else(fresh_seed);

    let mut calibration = Calibration::new(question(&files), tools, interrupt.clone());

    let checkup = Checkup { args, files: &files, program: &program, interrupt: &interrupt, seed };
    let games = MapSize::ALL.into_iter().map(|size| {
        let side = size.side();
        checkup.game(size, &place.path().join(format!("{side} x {side}")), &mut calibration)
    });
    let games: Vec<GameReport> = games.collect::<Result<_, Failure>>()?;

    let left: Vec<PathBuf> = files_in(&program.folder).difference(&before).cloned().collect();
    let Program { folder, language, launch, .. } = &program;
    let what = format!("{}, in {}\n  run by {}", language.name, folder.display(), launch.program().display());
    let name = files.name(Seat::A);
    let report =
        Report { name, what, kind: GameKind::Entelect2017, differ_in: "map", games: &games, left: &left, seed };
    let sound = report.is_sound();
    show::print(&report.to_string())?;
    // The reports that were named are to be there.
    place.keep_if(!sound);
    Ok(if sound { Exit::Played } else { Exit::Faulty })
}

/// What tiny bots are given to read.
fn question(files: &Files) -> Vec<Part> {
    let game = Entelect2017::start(&Settings::default(), 2, 0).expect("two players sit down");
    files.player_files(&game.view(Seat::A))
}

/// What all games of a check have in common.
struct Checkup<'a> {
    args: &'a CheckArgs,
    files: &'a Files,
    program: &'a Program,
    interrupt: &'a Interrupt,
    seed: u64,
}

impl Checkup<'_> {
    fn game(&self, size: MapSize, path: &Path, calibration: &mut Calibration) -> Result<GameReport, Failure> {
        let folder = Arc::new(MatchFolder::create(path)?);
        let cells = Cells::of(self.args.sandbox, self.args.memory, vec![folder.path().to_owned()])?;
        let game = Entelect2017::start(&Settings { size }, 2, self.seed).expect("two players sit down");
        let mut seats = BotSeats {
            extra: Some(self.args.calibration),
            calibration,
            cells: cells.as_ref(),
            folder: Arc::clone(&folder),
            leave_files: true,
            interrupt: self.interrupt.clone(),
            seed: self.seed,
        };
        let bot: Box<dyn Player<Entelect2017>> =
            Box::new(Bot::new(self.files.clone(), seats.seat(self.program, Seat::A)?.0));
        let partner = BuiltIn::Random.player(rules::seat_seed(self.seed, Seat::B));
        let mut players: Players<Entelect2017> = [bot, partner].into_iter().collect();

        let mut archive = Archive::new(Box::new(FolderStore::new(Arc::clone(&folder))))
            .with_folder(EntelectFolder::new(self.files.clone(), Clock::Running, 2, Vec::new()))
            .with_bundles(self.files.clone(), Keep::Faults);
        let mut watched = Watched::of(Seat::A);
        let names = Names::new(self.files);
        let outcome = play_watched(game, &mut players, &mut watched, &mut archive, names, self.interrupt);
        let bundles = archive.bundles().iter().map(|bundle| FaultReport {
            turn: bundle.round,
            why: bundle.why.clone().unwrap_or_default(),
            see: folder.path().join(&bundle.folder).join("report.txt"),
        });
        let faults = bundles.collect();
        archive.close()?;
        let side = size.side();
        let left = left_in_rounds(folder.path());
        Ok(GameReport { left, faults, ..watched.report(format!("{side} x {side}"), outcome?) })
    }
}

/// All files in a folder, as paths in it.
fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.filter_map(|file| Some(file.path().strip_prefix(folder).ok()?.to_owned())).collect()
}

/// The names of the files that the bot left in its folders of the rounds, without those of the protocol.
fn left_in_rounds(folder: &Path) -> BTreeSet<PathBuf> {
    let own = [STATE_JSON, MAP_TXT, PLACE_TXT, COMMAND_TXT, LOG_TXT].map(PathBuf::from);
    let rounds = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let rounds =
        rounds.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"Phase ")));
    rounds.flat_map(|round| files_in(&round.join(Seat::A.to_string()))).filter(|file| !own.contains(file)).collect()
}
