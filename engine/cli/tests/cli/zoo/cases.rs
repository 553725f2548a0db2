//! The table of bad bots.
//!
//! In steps, `{other}` is the opponent's folder, `{home}` that of the user, `{beside}` what contains the folder of the
//! match, `{state}` where the journal is; `{MIB}` is 300 without a sandbox, and no bound in one.

use super::case::{Case, Expected, Program, engine_killed, no_match, nothing, nothing_in, order};

/// The messages of a refused system call and of a path out of reach.
pub const REFUSED: &str = "Operation not permitted";
pub const OUT_OF_REACH: &str = "Permission denied";
/// The end of a fake bot when a step fails.
const FAILED: &str = "crashed: ended with exit status 1";

pub fn all() -> Vec<Case> {
    [endings(), children(), streams(), answers(), writing(), reading(), machine(), programs(), others()]
        .into_iter()
        .flatten()
        .collect()
}

/// All cases, and those that only bots have that stay.
pub fn of_bots_that_stay() -> Vec<Case> {
    all().into_iter().chain(staying()).collect()
}

fn endings() -> Vec<Case> {
    let late = || nothing("No move from bot: timed out");
    vec![
        Case::new("exits at once", &["exit 0"]).both(nothing("neither place.txt nor command.txt is there")),
        Case::new("exits with a status", &["exit 3"]).both(nothing("crashed: ended with exit status 3")),
        Case::new("crashes", &["signal 11"]).both(nothing("crashed: ended by signal 11")),
        Case::new("crashes with an answer", &["fire", "signal 11"]).both(order().said("ended by signal 11")),
        Case::new("never ends", &["hang"]).both(late().said("killed when its time was up")),
        Case::new("never ends and is deaf to signals", &["deafen", "hang"]).both(late()),
        Case::new("stops itself", &["signal 19"]).both(late()),
        Case::new("answers after its time", &["rest 15000", "fire", "exit 0"]).both(late()),
        Case::new("answers in time and never ends", &["fire", "hang"]).both(late()),
    ]
}

fn children() -> Vec<Case> {
    let refused = || order().got(REFUSED);
    let late = || nothing("No move from bot: timed out");
    vec![
        Case::new("forks", &["try child"]).plain(order().got("done")).sandboxed(refused()),
        Case::new("leaves a child that holds its streams", &["say here", "child"]).sandboxed(nothing(FAILED)),
        Case::new("leaves a daemon", &["daemon"]).sandboxed(nothing(FAILED)),
        Case::new("leaves a daemon and never ends", &["try daemon", "hang"])
            .plain(late())
            .sandboxed(late().got(REFUSED)),
        Case::new("fork bomb", &["try bomb"]).plain(order().got("done")).sandboxed(refused()),
        Case::new("fork bomb that never ends", &["try bomb", "hang"]).plain(late()).sandboxed(late().got(REFUSED)),
        Case::new(
            "leaves a child that answers in the next round",
            &["try linger", "rest 1000", "exit 0", "r4: exit 0"],
        )
        .plain(nothing("neither place.txt").also_nothing_in(4, "neither place.txt").got("done"))
        .sandboxed(nothing("neither place.txt").also_nothing_in(4, "neither place.txt").got(REFUSED))
        // The folder of its turns is that of this round, too, in which the child still runs.
        .staying(nothing_in(4, "neither place.txt")),
        Case::new("joins the engine's process group", &["try join"]).plain(order().got("done")).sandboxed(refused()),
        Case::new("joins the engine's process group and never ends", &["try join", "hang"])
            .plain(late().got("done"))
            .sandboxed(late().got(REFUSED)),
        Case::new("joins the engine's process group and leaves children", &["try join", "try bomb"])
            .plain(order().got("done"))
            .sandboxed(refused()),
    ]
}

fn streams() -> Vec<Case> {
    let late = || nothing("No move from bot: timed out");
    vec![
        Case::new("floods its output without end", &["flood 1000000000000"])
            .both(late().said("more bytes were thrown"))
            .flags(BUSY),
        Case::new("floods its errors and never ends", &["flood-err 100000000", "hang"])
            .both(late().said("more bytes were thrown"))
            .flags(BUSY),
        Case::new("writes 60 MB without a line end", &["flood 60000000", "say"])
            .both(order().said("[59934465 more bytes were thrown away]"))
            .staying(order().said("[59934469 more bytes were thrown away]"))
            .staying_sandboxed(order().said("[59934469 more bytes were thrown away]"))
            .flags(PATIENT),
        // Nobody hears the answer of a bot that stays.
        Case::new("closes its streams and goes on", &["mute", "rest 300"]).staying(late()).staying_sandboxed(late()),
        Case::new(
            "writes what is no text",
            &[r"say \xff\xfe\x00\x1b[2J", r"moan \xc3(", r"write \xff\xfename x", r"mkdir \xff", r"link \xfe\xff \xff"],
        ),
        Case::new("answers with what is no text", &[r"write command.txt \xff\xc3(\x80", "exit 0"])
            .both(nothing("Failed to read move file from bot: command.txt")),
    ]
}

/// Time for bots that have much to do on a machine that has much to do.
const PATIENT: &[&str] = &["--calibration", "50000"];
/// Little time for bots that keep a processor busy until they are killed.
pub const BUSY: &[&str] = &["--calibration", "off"];
/// Much time, and 256 MiB for bots in a sandbox.
const LITTLE_MEMORY: &[&str] = &["--calibration", "50000", "--memory", "256"];

fn answers() -> Vec<Case> {
    let unreadable = |why| nothing(why);
    vec![
        Case::new("answers with 1 GiB", &["try huge command.txt 1024", "exit 0"])
            .plain(unreadable("command.txt is larger than 64 KiB"))
            .sandboxed(unreadable("crashed: ended by signal 25"))
            // Python ignores that signal, and so does what it becomes.
            .warm(unreadable("Failed to read move file from bot: command.txt").got("File too large")),
        Case::new("answers with 32 MiB", &["fill command.txt 32", "exit 0"])
            .both(unreadable("command.txt is larger than 64 KiB").said("Your bot left 32 MiB")),
        Case::new("answers with a folder", &["mkdir command.txt"]).both(unreadable("command.txt is a folder")),
        Case::new("answers with a pipe", &["fifo command.txt", "exit 0"]).both(unreadable("command.txt is a pipe")),
        Case::new(
            "answers with a link to the opponent's answer",
            &[r#"link command.txt ../../Phase 2 - Round 2/B/command.txt"#, "exit 0"],
        )
        .both(unreadable("command.txt is a symbolic link")),
        Case::new("answers with a link to what never ends", &["link command.txt /dev/zero", "exit 0"])
            .both(unreadable("command.txt is a symbolic link")),
        Case::new("a child replaces the answer again and again", &["try juggle-child", "exit 0"])
            .plain(order().got("done"))
            .sandboxed(nothing("neither place.txt").got(REFUSED)),
        Case::new("a thread replaces the answer again and again", &["juggle", "spin 50", "exit 0"]),
        Case::new("puts a link in the place of log.txt", &["link log.txt {home}/canary"]),
        Case::new("puts a folder in the place of log.txt", &["mkdir log.txt"]),
        Case::new("deletes its round folder", &["try vanish", "exit 0"])
            .plain(nothing("neither place.txt").got("done"))
            .sandboxed(nothing("neither place.txt").got(OUT_OF_REACH)),
        Case::new("puts a link in the place of its round folder", &["try vanish", r#"link "" {home}"#, "exit 0"])
            .plain(nothing("neither place.txt"))
            .sandboxed(nothing(FAILED).got(OUT_OF_REACH)),
    ]
}

/// A bot that tries to write somewhere: done without a sandbox, out of reach in one.
fn writes(name: &'static str, steps: &'static [&'static str], spoilt: &'static str) -> Case {
    Case::new(name, steps).plain(order().got("done").spoils(spoilt)).sandboxed(order().got(OUT_OF_REACH))
}

fn writing() -> Vec<Case> {
    vec![
        // Without a sandbox its opponent runs after it, and finds its own folder cleared.
        Case::new("writes into the opponent's round folder", &["try mkdir ../B", "try write ../B/command.txt 1,6,6"])
            .plain(order().got("done"))
            .sandboxed(order().got(OUT_OF_REACH))
            .staying(order().got("done").spoils("out/turn")),
        writes(
            "writes into an earlier round of the opponent",
            &[r#"try write "../../Phase 2 - Round 2/B/command.txt" 1,6,6"#],
            "out/Phase 2 - Round 2/B/command.txt",
        ),
        Case::new("writes into an earlier round of its own", &[r#"try write "../../Phase 2 - Round 2/A/notes" x"#])
            .both(order().got("done").spoils("out/Phase 2 - Round 2/A/notes"))
            .staying_sandboxed(order().got(OUT_OF_REACH)),
        writes("writes beside its round folder", &["try write ../notes x"], "out/Phase 2 - Round 3/notes")
            .staying(order().got("done").spoils("out/turn").spoils("out/turn/notes")),
        writes("writes into the folder of the match", &["try write ../../notes x"], "out/notes"),
        writes("writes beside the folder of the match", &["try write \"{beside}/canary\" x"], "canary"),
        writes("writes into the user's home", &["try write \"{home}/canary\" x"], "home/canary"),
        writes("writes into the opponent's folder", &["try write \"{other}/notes\" x"], "other/notes"),
        Case::new("takes away the rights to a file of the opponent", &["try close {other}/bot.json"])
            .plain(order().got("done").spoils("other/bot.json"))
            .sandboxed(order().got(REFUSED)),
        Case::new("makes a setuid file", &["try setuid junk"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("leaves 20 MiB", &["fill junk 20"]).both(order().said("Your bot left 20 MiB in its folder")),
        Case::new("leaves folders too deep to look into", &["litter deep 3000"])
            .both(order().said("Your bot left"))
            .flags(PATIENT),
        Case::new("fills the disk", &["fill junk 1000"])
            .both(nothing(FAILED).said("No space left").said("MiB in its folder of the round, which were removed"))
            .on_a_small_disk(),
        Case::new("fills the disk from a folder", &["mkdir deep", "try fill deep/junk 1000", "exit 0"])
            .both(nothing("neither place.txt").got("No space left").said("which were removed"))
            .on_a_small_disk(),
    ]
}

/// A bot that tries to read something: done without a sandbox, out of reach in one.
fn reads(name: &'static str, steps: &'static [&'static str]) -> Case {
    Case::new(name, steps).plain(order().got("done")).sandboxed(order().got(OUT_OF_REACH))
}

fn reading() -> Vec<Case> {
    vec![
        // Whether that works without a sandbox depends on who runs the engine.
        Case::new("reads /etc/shadow", &["try read /etc/shadow"]).sandboxed(order().got(OUT_OF_REACH)),
        reads("reads /etc/hosts by way of /proc", &["try read /proc/self/root/etc/hosts"]),
        reads("reads the opponent's folder", &["try read {other}"]),
        reads("reads the opponent's script", &["try read {other}/script"]),
        reads("reads the opponent's round folder", &["try read ../../Phase 2 - Round 2/B/map.txt"]),
        Case::new("reads an earlier round of its own", &["try read ../../Phase 2 - Round 2/A/map.txt"])
            .both(order().got("done"))
            .staying_sandboxed(order().got(OUT_OF_REACH)),
        reads("reads the folder of the match", &["try read ../../Phase 2 - Round 2"]),
        reads("reads the journal", &["try read {state}/broadside"]).flags(&["--tournamentMode"]),
        reads("reads a file in the user's home", &["try read {home}/canary"]),
        reads("follows a link to the user's home", &["link way {home}", "try read way/canary"]),
        reads("reads the engine's environment", &["try snoop"]),
        // Nor does it cover what can be known of a file without opening it.
        Case::new("looks whether the opponent has a file", &["try look {other}/script"])
            .plain(order().got("done"))
            .sandboxed(order().got("No such file"))
            .filtered(order().got("done")),
        Case::new("wants to be told what is done in a folder", &["try call fcntl 0 1026 1"])
            .plain(order())
            .sandboxed(order().got(REFUSED)),
        Case::new("leases a file", &["try call fcntl 0 1024 0"]).plain(order()).sandboxed(order().got(REFUSED)),
        Case::new("leaves files that are nothing but holes", &["huge one 60", "huge two 60", "huge three 60"])
            .both(order()),
        Case::new("reads random numbers of the system", &["try read /dev/urandom"]).both(order().got("done")),
        reads("reads the connections of the machine", &["try read /proc/self/net/tcp"]),
        reads("reads the mounts of the machine", &["try read /proc/self/mountinfo"]),
        reads("reads the connections by way of a thread", &["try read /proc/thread-self/net/tcp"]),
        Case::new("looks for the engine's secrets in its own environment", &["try variable ZOO_SECRET"])
            .plain(order().got("it is not set"))
            .sandboxed(order().got("it is not set")),
    ]
}

fn machine() -> Vec<Case> {
    let late = || nothing("No move from bot: timed out");
    vec![
        Case::new("allocates without end", &["allocate {MIB}"])
            .sandboxed(nothing(FAILED).said("Cannot allocate memory"))
            .flags(LITTLE_MEMORY),
        Case::new("shares memory without end", &["try share {MIB}"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED))
            .flags(LITTLE_MEMORY),
        Case::new("hoards shared memory out of sight", &["try hoard 300", "rest 300"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED))
            .flags(LITTLE_MEMORY),
        Case::new("3000 threads", &["try threads 3000", "rest 1000"])
            .flags(PATIENT)
            .sandboxed(nothing("crashed: killed when it used too many threads")),
        Case::new("hoards memory that grows by itself", &["try grow 300", "rest 300"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED))
            .flags(LITTLE_MEMORY),
        Case::new("holds memory after its first thread has ended", &["behind map 32"])
            .plain(late())
            .sandboxed(nothing("crashed: killed when it used too much memory"))
            .flags(&["--calibration", "8000", "--memory", "16"]),
        Case::new("fills the buffers of many sockets", &["sockets 250", "rest 2000"])
            .sandboxed(nothing("crashed: killed when it used too much memory"))
            .flags(&["--calibration", "50000", "--memory", "64"]),
        // Without a sandbox the user's own limit holds, whatever it is.
        Case::new("10,000 open files", &["try open 10000"]).sandboxed(order().got("Too many open files")),
        // A copy of the table of open files has a limit of its own.
        Case::new("takes a table of open files of its own", &["try call unshare 1024"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("takes another table of open files of its own", &["try call close_range 1000 1001 2"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        // Flags of threads, but for those that share the files.
        Case::new("starts a thread with open files of its own", &["try call clone 69632"])
            .plain(order().got("Invalid argument"))
            .sandboxed(order().got(REFUSED)),
        Case::new("wants to outlive the engine", &["try call prctl 1 0"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("hides its open files", &["try call prctl 4 0"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("sends open files away", &["try call sendmsg 0 0 0"]).plain(order()).sandboxed(order().got(REFUSED)),
        Case::new("takes what tells of changes of files", &["try call inotify_init1 0"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("looks at the semaphores of others", &["try call semctl 0 0 18"])
            .plain(order().got("Invalid argument"))
            .sandboxed(order().got(REFUSED)),
        Case::new("waits for the semaphores of others", &["try call semtimedop 0 0 0 0"])
            .plain(order().got("Invalid argument"))
            .sandboxed(order().got(REFUSED)),
        Case::new("looks at the messages of others", &["try call msgctl 0 11 0"])
            .plain(order().got("Invalid argument"))
            .sandboxed(order().got(REFUSED)),
        Case::new("removes the queues of others", &["try call mq_unlink 0"])
            .plain(order().got("Bad address"))
            .sandboxed(order().got(REFUSED)),
        Case::new("listens to what is done with files", &["try call fanotify_init 512 0"])
            .sandboxed(order().got(REFUSED)),
        // FS_IOC_SETFLAGS, by its number of x86-64 and ARM64.
        Case::new("changes the flags of a file", &["try call ioctl 0 1074292226 0"])
            .sandboxed(order().got("Inappropriate ioctl")),
        // file_setattr, which is younger than most kernels.
        Case::new("uses a system call of tomorrow", &["try call 469 0 0 0 0 0"])
            .sandboxed(order().got("Function not implemented")),
        Case::new("uses the processor without end", &["spin 1000000"]).both(late()).flags(BUSY),
        Case::new("listens and connects on the loopback", &["try tcp"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
        Case::new("listens and connects in the file system", &["try unix socket"])
            .plain(order().got("done"))
            .sandboxed(order().got(REFUSED)),
    ]
}

fn programs() -> Vec<Case> {
    vec![
        Case::new("its program may not be executed", &[])
            .program(Program::NotExecutable)
            .both(no_match("may not be executed")),
        Case::new("its program is for another machine", &[])
            .program(Program::ForeignMachine)
            .both(no_match("it is a program for another processor")),
        Case::new("its program has no interpreter", &[])
            .program(Program::NoInterpreter)
            .both(no_match("its first line names /no/such/interpreter, which is missing")),
    ]
}

fn others() -> Vec<Case> {
    let at_once = &["--together"];
    // It runs long enough to be found.
    let slow = &["rest 1500"];
    let killed: fn() -> Expected = || order().got("done").harms_round(3);
    vec![
        Case::new("kills the engine", &["daemon", "kill-engine", "hang"])
            .plain(engine_killed())
            .staying(engine_killed().spoils("out/turn"))
            .sandboxed(nothing(FAILED)),
        Case::new("tries to kill the engine", &["try kill-engine"])
            .plain(engine_killed())
            .staying(engine_killed().spoils("out/turn"))
            .sandboxed(order().got(REFUSED)),
        Case::new("kills the other bot", &["try kill-other"])
            .opponent(slow)
            .flags(at_once)
            .plain(killed())
            .sandboxed(order().got(OUT_OF_REACH)),
        Case::new("traces the other bot", &["try trace-other"])
            .opponent(slow)
            .flags(at_once)
            .plain(order().got("done"))
            .sandboxed(order().got(OUT_OF_REACH)),
    ]
}

/// They answer by a line, and have no turn before it or after it.
fn staying() -> Vec<Case> {
    let late = || nothing("No move from bot: timed out");
    let late_in_4 = || nothing_in(4, "No move from bot: timed out");
    let slow = &["rest 900"];
    vec![
        Case::new("answers before it is asked", &["say 2 4", "r4: fire", "r4: hang"]).both(late_in_4()),
        Case::new("says that it has answered before it has", &["say 2 3", "rest 300"])
            .both(nothing("neither place.txt nor command.txt is there")),
        Case::new("answers twice", &["fire", "say 2 3"]),
        Case::new("answers with the lines of other turns", &["fire", "say 2 2", "say 2 4", "say 1 3", "hang"])
            .both(late().said("2 4")),
        Case::new("answers in the middle of a line", &["fire", "flood 3", "say 2 3", "hang"]).both(late()),
        Case::new("writes 3 MB after its answer", &["fire", "say 2 3", "flood 3000000"]),
        Case::new("floods its output after its answer", &["fire", "say 2 3", "flood 1000000000000"])
            .both(late_in_4().said("more bytes were thrown"))
            .flags(BUSY),
        Case::new("leaves children for its next turn", &["try bomb", "try daemon", "r4: exit 3"])
            .both(nothing_in(4, "ended with exit status 3")),
        Case::new("wakes itself up to think", &["wake 300", "fire", "say 2 3", "spin 1000000"])
            .opponent(slow)
            .both(nothing_in(4, "killed because it did not rest between its turns")),
        Case::new("its child wakes itself up to think", &["try restless"])
            .opponent(slow)
            .plain(nothing_in(4, "killed because it did not rest between its turns"))
            .sandboxed(order().got(REFUSED)),
        Case::new("is deaf to signals between its turns", &["deafen"]),
        Case::new("closes its standard input", &["call close_range 0 0 0", "fire", "say 2 3", "rest 300", "exit 0"])
            .both(nothing_in(4, "neither place.txt")),
    ]
}
