//! The head of a tournament: gives its games to workers, and takes their answers.

use crate::archive::{self, FILES};
use crate::engine::engine;
use crate::known_workers::{SILENT, Workers, watch_workers};
use crate::link::{Link, text};
use crate::messages::{self, BotLimits, GameAnswer, Job, JobAnswer, TournamentMessage, WorkerState};
use crate::sent::{id_of, keep_description, listen, random_name};
use crate::{ClusterError, Server, names};
use arena::{ArenaError, Interrupt};
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures_util::StreamExt;
use players::Manifest;
use runner::{BotOptions, TEMPLATES, TournamentDescription};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tournament::{EndedGame, Fixture, GameLine, GamePool};

/// Options of the head of a tournament.
#[derive(Debug, Clone)]
pub struct HeadOptions {
    /// The NATS server.
    pub server: Server,
    /// The time without a word after which a worker is taken for lost, and its jobs go to others.
    pub lost_after: Duration,
    /// Labels that a worker must have to play games of this tournament.
    pub required: Vec<String>,
}

/// An event of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadReport {
    /// The workers that can play games of this tournament are so many now, and play so many games at the same time.
    Workers {
        /// The number of workers.
        workers: usize,
        /// The number of games at the same time.
        slots: usize,
    },
    /// A worker cannot play these games: its program has another version, or other rules.
    OtherEngine {
        /// The name of the worker.
        worker: String,
        /// Its version and rules.
        theirs: String,
        /// The version and rules of this program.
        ours: String,
    },
    /// The records of some games, which were to be kept, could not be fetched.
    FilesLost(String),
}

/// The time that the games of a job take in all, at most.
const JOB: Duration = Duration::from_secs(10);
/// The most games of a job.
const MOST_GAMES: usize = 1000;
/// The number of jobs that are on their way for each game that is played at the same time.
const AHEAD: usize = 2;

/// The head of a tournament. It takes games while workers can play them, and gives back how they ended.
pub struct Head {
    link: Link,
    tournament: String,
    /// The object with the description of the tournament.
    description: String,
    message: TournamentMessage,
    /// The language that a worker must have for each entrant, if it has an interpreter.
    languages: Vec<Option<String>>,
    required: Vec<String>,
    folder: PathBuf,
    /// Different in every run of the head.
    run: String,
    jobs_sent: u64,
    lost_after: Duration,
    /// The tokens of languages for which there is a consumer.
    consumers: BTreeSet<String>,
    /// Games that are not in a job yet, by the languages that they need.
    batches: BTreeMap<String, Vec<Fixture>>,
    /// The games of each job without an answer.
    jobs: BTreeMap<String, BTreeSet<Fixture>>,
    in_hand: usize,
    ended: VecDeque<(Fixture, EndedGame)>,
    /// Answers whose games have not all been taken by the scheduler, with their number in `ended`.
    answered: VecDeque<(usize, Message)>,
    /// Answers whose games the scheduler has taken.
    taken: Vec<Message>,
    answers: Receiver<Message>,
    workers: Arc<Mutex<Workers>>,
    /// The numbers of workers and slots that were told last.
    told: Option<(usize, usize)>,
    /// The mean duration of a game.
    game: Duration,
    began: Instant,
    /// The time of the last answer.
    heard: Instant,
    is_stopped: bool,
    report: Box<dyn FnMut(HeadReport) + Send>,
}

impl Head {
    /// Connects to the server, and makes everything ready there for games of this tournament: descriptions, bots, jobs of an
    /// earlier run are forgotten.
    ///
    /// # Errors
    /// There is no connection, or an entrant is nothing that can be sent.
    pub fn open(
        options: &HeadOptions,
        tournament: TournamentDescription<'_>,
        bots: &BotOptions,
        interrupt: &Interrupt,
        report: impl FnMut(HeadReport) + Send + 'static,
    ) -> Result<Head, ClusterError> {
        let link = Link::connect(&options.server, "broadside head", interrupt)?;
        let id = id_of(tournament.folder)?;
        let mut languages = Vec::new();
        let mut archives = Vec::new();
        for (number, entrant) in tournament.entrants.iter().enumerate() {
            let refused = |why: &str| ClusterError::Entrant { entrant: entrant.name.clone(), why: why.to_owned() };
            if entrant.bot.starts_with(players::BuiltIn::PREFIX) {
                languages.push(None);
                archives.push(None);
                continue;
            }
            let template = tournament.folder.join(TEMPLATES).join(number.to_string());
            if !template.is_dir() {
                return Err(refused("its folder could not be copied, or it has none"));
            }
            let manifest = Manifest::read(&template).map_err(|e| refused(&e.to_string()))?;
            let (file, hash) = archive::pack(&template)?;
            link.keep(&names::bot(&hash), &file)?;
            languages.push(names::language(manifest.language));
            archives.push(Some(hash));
        }
        let message = TournamentMessage {
            engine: engine().to_owned(),
            header: tournament.header.clone(),
            entrants: tournament.entrants.to_vec(),
            archives,
            is_together: tournament.sequence == arena::Sequence::Together,
            keep: tournament.keep.into(),
            limits: BotLimits::of(bots),
        };
        let description = keep_description(&link, &message)?;
        let stream = link.stream(names::JOBS)?;
        link.wait("forget old jobs", async || {
            stream.purge().filter(names::jobs_of_tournament(&id)).await.map_err(text).map(drop)
        })?;
        let answers = listen(&link, &id)?;
        let workers = Arc::new(Mutex::new(Workers::default()));
        watch_workers(&link, &workers)?;
        Ok(Head {
            link,
            tournament: id,
            description,
            message,
            languages,
            required: options.required.clone(),
            folder: tournament.folder.to_owned(),
            run: random_name(),
            jobs_sent: 0,
            lost_after: options.lost_after,
            consumers: BTreeSet::new(),
            batches: BTreeMap::new(),
            jobs: BTreeMap::new(),
            in_hand: 0,
            ended: VecDeque::new(),
            answered: VecDeque::new(),
            taken: Vec::new(),
            answers,
            workers,
            told: None,
            game: Duration::from_millis(200),
            began: Instant::now(),
            heard: Instant::now(),
            is_stopped: false,
            report: Box::new(report),
        })
    }

    /// The number of games of a job: few at first, so that results come soon.
    fn games_of_job(&self) -> usize {
        let time = JOB.min(self.began.elapsed() / 4).max(Duration::from_millis(500));
        let games = time.as_secs_f64() / self.game.as_secs_f64().max(1e-5);
        (games as usize / 2 * 2).clamp(2, MOST_GAMES)
    }

    /// The number of games that workers play at the same time.
    fn slots(&self) -> (usize, usize) {
        let workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let can_play = |state: &WorkerState| {
            let has = |label: &String| state.labels.contains(label);
            state.engine == self.message.engine && !state.is_draining && self.required.iter().all(has)
        };
        let fresh = workers.states.values().filter(|(state, at)| at.elapsed() < SILENT && can_play(state));
        fresh.fold((0, 0), |(workers, slots), (state, _)| (workers + 1, slots + state.slots))
    }

    /// Tells how many workers there are, if that has changed, and which cannot play.
    fn tell_workers(&mut self) {
        // Workers need a moment to answer.
        const MOMENT: Duration = Duration::from_secs(3);
        let now = self.slots();
        if self.told != Some(now) && (now.0 > 0 || self.began.elapsed() >= MOMENT) {
            self.told = Some(now);
            (self.report)(HeadReport::Workers { workers: now.0, slots: now.1 });
        }
        let others: Vec<(String, String)> = {
            let mut workers = self.workers.lock().unwrap_or_else(PoisonError::into_inner);
            let Workers { states, told_other } = &mut *workers;
            let other = states.values().filter(|(state, _)| state.engine != self.message.engine);
            let new = other.filter(|(state, _)| told_other.insert(state.name.clone()));
            new.map(|(state, _)| (state.name.clone(), state.engine.clone())).collect()
        };
        for (worker, theirs) in others {
            (self.report)(HeadReport::OtherEngine { worker, theirs, ours: self.message.engine.clone() });
        }
    }

    /// Makes a job of these games.
    fn send(&mut self, needs: &str, games: Vec<Fixture>, is_alone: bool) -> Result<(), ClusterError> {
        self.make_consumer(needs)?;
        self.jobs_sent += 1;
        let id = format!("{}-{}-{}", self.tournament, self.run, self.jobs_sent);
        let (tournament, description) = (self.tournament.clone(), self.description.clone());
        let job = Job { id: id.clone(), tournament, description, games, is_alone };
        let subject = names::job(&self.message.engine, needs, &self.tournament);
        self.link.publish(&subject, &id, messages::write(&job))?;
        self.jobs.insert(id, job.games.into_iter().collect());
        Ok(())
    }

    fn make_consumer(&mut self, needs: &str) -> Result<(), ClusterError> {
        if self.consumers.contains(needs) {
            return Ok(());
        }
        let engine = &self.message.engine;
        let name = names::consumer_of_jobs(engine, needs);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: names::jobs_of(engine, needs),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lost_after,
            // A worker that gets a job too often says so.
            max_deliver: -1,
            max_ack_pending: 100_000,
            ..pull::Config::default()
        };
        let stream = self.link.stream(names::JOBS)?;
        self.link
            .wait("hand out jobs", async || stream.create_consumer(config.clone()).await.map_err(text).map(drop))?;
        self.consumers.insert(needs.to_owned());
        Ok(())
    }

    /// Makes jobs of the games that wait for more, if they are enough, or in any case.
    fn send_batches(&mut self, in_any_case: bool) -> Result<(), ClusterError> {
        let most = self.games_of_job();
        let is_ready = |games: &Vec<Fixture>| {
            // The second game of a pair goes with the first.
            let is_whole = games.last().is_some_and(|last| last.number % 2 == 1);
            !games.is_empty() && (in_any_case || games.len() >= most && is_whole || games.len() >= MOST_GAMES)
        };
        let all = std::mem::take(&mut self.batches);
        let (ready, rest): (BTreeMap<_, _>, BTreeMap<_, _>) = all.into_iter().partition(|(_, games)| is_ready(games));
        self.batches = rest;
        ready.into_iter().try_for_each(|(needs, games)| self.send(&needs, games, false))
    }

    /// The languages and labels that a worker must have to play this game.
    fn needs_of(&self, fixture: Fixture) -> String {
        let languages =
            [fixture.first, fixture.second].into_iter().filter_map(|entrant| self.languages[entrant].clone());
        names::needs(languages.chain(self.required.iter().map(|label| names::token(label))))
    }

    /// Takes an answer: its games have ended.
    fn take(&mut self, message: Message) -> Result<(), ClusterError> {
        let answer: JobAnswer = match messages::read("answer", &message.payload) {
            Ok(answer) => answer,
            Err(error) => {
                let id = message.headers.as_ref().and_then(|headers| headers.get("Nats-Msg-Id"));
                let games = id.and_then(|id| self.jobs.remove(id.as_str())).unwrap_or_default();
                self.fail(games, &error.to_string());
                self.taken.push(message);
                return Ok(());
            }
        };
        // Of an earlier run, or a second answer of a worker that was taken for lost.
        let Some(mut games) = self.jobs.remove(&answer.job) else {
            if let Some(files) = &answer.files {
                self.link.forget(files)?;
            }
            self.taken.push(message);
            return Ok(());
        };
        let records = answer.files.as_ref().map(|files| self.fetch_files(files, &games));
        let has_files = match records {
            None => false,
            Some(Ok(())) => true,
            Some(Err(error)) => {
                (self.report)(HeadReport::FilesLost(error.to_string()));
                false
            }
        };
        let mut split = Vec::new();
        let is_one = games.len() <= 2;
        for game in answer.games {
            let fixture = game.fixture();
            if !games.remove(&fixture) {
                continue;
            }
            let end = match game {
                GameAnswer::Played(line) => match self.checked(*line, &answer.worker, has_files) {
                    Ok(line) => {
                        let took = Duration::from_millis(line.took_ms).max(Duration::from_micros(100));
                        self.game = (self.game * 15 + took) / 16;
                        EndedGame::Played(Box::new(line))
                    }
                    Err(why) => failed(why, false),
                },
                GameAnswer::Failed { error, .. } => {
                    failed(rules::printable(&format!("{}: {error}", answer.worker)), false)
                }
                // One of them does the harm.
                GameAnswer::SetAside { .. } if !is_one => {
                    split.push(fixture);
                    continue;
                }
                GameAnswer::SetAside { deliveries, .. } => {
                    failed(format!("{deliveries} workers that played it died, or fell silent; it is set aside"), true)
                }
            };
            self.ended.push_back((fixture, end));
        }
        self.fail(games, &rules::printable(&format!("{} gave no result of it", answer.worker)));
        let mut pairs: BTreeMap<(usize, usize, u32), Vec<Fixture>> = BTreeMap::new();
        for fixture in split {
            pairs.entry((fixture.first, fixture.second, fixture.pair())).or_default().push(fixture);
        }
        for games in pairs.into_values() {
            let needs = self.needs_of(games[0]);
            self.send(&needs, games, false)?;
        }
        match self.ended.len() {
            0 => self.taken.push(message),
            left => self.answered.push_back((left, message)),
        }
        Ok(())
    }

    /// Gives games back that nobody has played.
    fn fail(&mut self, games: BTreeSet<Fixture>, why: &str) {
        self.ended.extend(games.into_iter().map(|fixture| (fixture, failed(why.to_owned(), false))));
    }

    /// Gives the games of jobs back that are lost: the server has neither these jobs nor answers to them any more.
    fn look_for_lost_jobs(&mut self) -> Result<(), ClusterError> {
        if self.jobs.is_empty() || self.heard.elapsed() < self.lost_after {
            return Ok(());
        }
        self.heard = Instant::now();
        let streams = [
            (names::JOBS, names::jobs_of_tournament(&self.tournament)),
            (names::ANSWERS, names::answers(&self.tournament)),
        ];
        for (stream, subjects) in streams {
            let stream = self.link.stream(stream)?;
            let is_there = self.link.wait("count jobs", async || {
                let mut counts = stream.info_with_subjects(&subjects).await.map_err(text)?;
                Ok(counts.next().await.is_some())
            })?;
            if is_there {
                return Ok(());
            }
        }
        let jobs = std::mem::take(&mut self.jobs);
        jobs.into_values().for_each(|games| self.fail(games, "its worker took it and gave no answer"));
        Ok(())
    }

    /// The line of a game as the head writes it: what another machine says of it must be possible.
    fn checked(&self, line: GameLine, worker: &str, has_files: bool) -> Result<GameLine, String> {
        let worker = rules::printable(worker);
        let names = [line.fixture.first, line.fixture.second].map(|at| self.message.entrants[at].name.as_str());
        let seed = line.fixture.seed(self.message.header.base_seed(), names).to_string();
        let outcome = &line.outcome;
        let seats = outcome.winner.iter().chain(&outcome.ranking);
        if line.seed != seed
            || line.players.len() != 2
            || outcome.points.len() != 2
            || seats.into_iter().any(|seat| seat.index() >= 2)
        {
            return Err(format!("{worker} played another game"));
        }
        let faults = line.players.iter().flat_map(|(_, player)| player.faults.keys());
        if let Some(unknown) = faults.into_iter().find(|kind| !is_fault(kind)) {
            return Err(format!("{worker} tells of a fault that there is not: {}", rules::printable(unknown)));
        }
        let record = runner::record_path(line.fixture);
        let record = Some(record).filter(|record| has_files && self.folder.join(record).is_file());
        let [suspect, ended] = [line.suspect, Some(line.ended)].map(|text| text.map(|text| rules::printable(&text)));
        Ok(GameLine {
            record: record.filter(|_| line.record.is_some()),
            machine: Some(worker),
            suspect,
            ended: ended.unwrap_or_default(),
            ..line
        })
    }

    /// Puts the files of a job's games into the folder of the tournament.
    fn fetch_files(&self, name: &str, games: &BTreeSet<Fixture>) -> Result<(), ClusterError> {
        let scratch = tempfile::tempdir().map_err(|e| ClusterError::disk("make", &std::env::temp_dir(), e))?;
        let path = scratch.path().join("files");
        self.link.fetch(name, &path)?;
        let archive = File::open(&path).map_err(|e| ClusterError::disk("read", &path, e))?;
        let allowed: BTreeSet<PathBuf> = games.iter().map(|game| runner::record_path(*game).into()).collect();
        let faults: BTreeSet<String> = games.iter().map(|game| runner::game_name(*game)).collect();
        archive::unpack(FILES, archive, &self.folder, |path| {
            let mut parts = path.iter().map(|part| part.to_string_lossy());
            match (parts.next().as_deref(), parts.next()) {
                (Some("records"), None) | (Some("faults"), None) => true,
                (Some("records"), Some(_)) => allowed.contains(path),
                (Some("faults"), Some(game)) => faults.contains(&*game),
                _ => false,
            }
        })?;
        self.link.forget(name)
    }

    fn next_ended(&mut self) -> Option<(Fixture, EndedGame)> {
        let next = self.ended.pop_front()?;
        self.in_hand -= 1;
        for (left, _) in &mut self.answered {
            *left -= 1;
        }
        while self.answered.front().is_some_and(|(left, _)| *left == 0) {
            self.taken.extend(self.answered.pop_front().map(|(_, message)| message));
        }
        Some(next)
    }

    fn try_ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ClusterError> {
        if let Some(next) = self.next_ended() {
            return Ok(Some(next));
        }
        // The scheduler has given all that it has for now.
        let has_no_more = self.takes(false);
        self.send_batches(has_no_more)?;
        self.tell_workers();
        match self.answers.recv_timeout(wait) {
            Ok(message) => {
                self.heard = Instant::now();
                self.take(message)?;
            }
            Err(RecvTimeoutError::Timeout) => self.look_for_lost_jobs()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(ClusterError::server("give answers", "the connection is closed"));
            }
        }
        Ok(self.next_ended())
    }

    /// Gives all games back that have not ended.
    fn give_back(&mut self) {
        let open = self.batches.values().flatten().chain(self.jobs.values().flatten());
        let open: Vec<_> = open.map(|fixture| (*fixture, EndedGame::NotPlayed)).collect();
        self.ended.extend(open);
        self.batches.clear();
        self.jobs.clear();
    }

    /// Forgets the jobs and lets workers stop. Whatever of it fails is forgotten by the next run.
    fn clear(&self) {
        const MOST: Duration = Duration::from_secs(5);
        let (context, client) = (&self.link.context, &self.link.client);
        let cleared = async {
            if let Ok(jobs) = context.get_stream(names::JOBS).await {
                let _ = jobs.purge().filter(names::jobs_of_tournament(&self.tournament)).await;
            }
            let _ = client.publish(names::STOP, self.tournament.clone().into()).await;
            if let Ok(answers) = context.get_stream(names::ANSWERS).await {
                let _ = answers.purge().filter(names::answers(&self.tournament)).await;
                let _ = answers.delete_consumer(&self.tournament).await;
            }
            if let Ok(objects) = context.get_object_store(names::OBJECTS).await {
                let _ = objects.delete(&self.description).await;
            }
            let _ = client.flush().await;
        };
        // Also after an interrupt.
        let _ = self.link.block_on(async { tokio::time::timeout(MOST, cleared).await });
    }
}

impl GamePool for Head {
    fn takes(&self, _: bool) -> bool {
        let slots = self.told.map_or(1, |(_, slots)| slots.max(1));
        !self.is_stopped && self.in_hand < slots * AHEAD * self.games_of_job()
    }

    fn begin(&mut self, fixture: Fixture, alone: bool) {
        self.in_hand += 1;
        let needs = self.needs_of(fixture);
        if !alone {
            self.batches.entry(needs).or_default().push(fixture);
            return;
        }
        if let Err(error) = self.send(&needs, vec![fixture], true) {
            self.ended.push_back((fixture, failed(error.to_string(), false)));
        }
    }

    fn ended(&mut self, wait: Duration) -> Result<Option<(Fixture, EndedGame)>, ArenaError> {
        self.try_ended(wait).map_err(|error| match error {
            ClusterError::Interrupted => ArenaError::Interrupted,
            error => ArenaError::Elsewhere(runner::with_causes(&error)),
        })
    }

    fn kept(&mut self) {
        for message in self.taken.drain(..) {
            // If the server does not hear it, the answer comes again, and is known.
            let _ = self.link.block_on(message.ack());
        }
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        self.give_back();
    }
}

impl Drop for Head {
    fn drop(&mut self) {
        self.kept();
        self.clear();
    }
}

impl GameAnswer {
    fn fixture(&self) -> Fixture {
        match self {
            GameAnswer::Played(line) => line.fixture,
            GameAnswer::Failed { fixture, .. } | GameAnswer::SetAside { fixture, .. } => *fixture,
        }
    }
}

/// True for a word that can be a kind of fault, as journals have it.
fn is_fault(kind: &str) -> bool {
    kind.len() <= 30 && kind.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

fn failed(why: String, for_good: bool) -> EndedGame {
    EndedGame::Failed { error: ArenaError::Elsewhere(why), for_good }
}
