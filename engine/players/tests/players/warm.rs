//! Warm starts: a run that is a fork of an interpreter is the same as one of a new process.

use arena::folder::MatchFolder;
use arena::{Excess, Interrupt, Limits, RunEnd, RunReport};
use players::process::{Allowance, Launch, PerRound, Sandbox};
use players::{Manifest, Tools, Transport};
use rules::{FolderMessage, Part, Seat};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use walkdir::WalkDir;

/// A bot in Python with these files, `bot.py` among them.
struct Bot(TempDir);

impl Bot {
    fn new(files: &[(&str, &str)]) -> Bot {
        let folder = tempfile::Builder::new().prefix("a bot ").tempdir().unwrap();
        let manifest = r#"{"NickName": "Snake", "BotType": "Python3", "RunFile": "bot.py", "RunArgs": "more"}"#;
        fs::write(folder.path().join("bot.json"), manifest).unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Bot(folder)
    }

    /// The bot in a new match in this folder. None where Python is missing, or a sandbox that holds it.
    fn seated(&self, rounds: &Path, is_warm: bool, sandbox: Option<&Sandbox>, limit: Duration) -> Option<PerRound> {
        test_tools::required("python3")?;
        let manifest = Manifest::read(self.0.path()).unwrap();
        let mut launch = Launch::of(&manifest, &Tools::on_path()).unwrap().with_seed(7);
        if let Some(sandbox) = sandbox {
            launch = launch.confined(sandbox, Some(rounds), &[], Allowance::DEFAULT, None).unwrap();
        }
        if is_warm {
            launch = launch.with_warm_starts();
            if !launch.has_warm_starts() {
                test_tools::not_allowed("namespaces, and so warm starts in a sandbox");
                return None;
            }
        }
        let folder = Arc::new(MatchFolder::create(rounds).unwrap());
        let limits = Some(Limits::exactly(limit, limit));
        Some(PerRound::new(launch, folder, limits, true, Interrupt::new().unwrap()))
    }

    /// What it does in two turns. Its own folder is as before afterwards.
    fn play(&self, is_warm: bool, sandbox: Option<&Sandbox>) -> Option<Vec<Turn>> {
        let own: Vec<_> = files(self.0.path()).into_iter().collect();
        let folder = std::env::temp_dir().join(format!("match of {}", self.0.path().file_name()?.display()));
        let mut transport = self.seated(&folder, is_warm, sandbox, Duration::from_secs(60))?;
        let turns = (1..=2).map(|round| {
            let run = ask(&mut transport, round);
            let place = folder.join(format!("Phase 2 - Round {round}/A"));
            let text = |bytes: &[u8]| without_own_calls(&String::from_utf8_lossy(bytes));
            (format!("{:?}", run.end), text(&run.stdout.bytes), text(&run.stderr.bytes), files(&place))
        });
        let turns = turns.collect();
        drop(transport);
        fs::remove_dir_all(folder).unwrap();
        for entry in fs::read_dir(self.0.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        for (name, text) in own {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Some(turns)
    }
}

/// A text of a bot; if Python reports a crash by a signal, without the address of the thread, and without the calls of the program of
/// warm starts, which are on the stack (docs/protocols/entelect-2017.md).
fn without_own_calls(text: &str) -> String {
    if !text.starts_with("Fatal Python error") {
        return text.to_owned();
    }
    let lines = text.lines().filter(|line| !line.contains("File \"<string>\""));
    lines.map(|line| if line.starts_with("Current thread") { "Current thread" } else { line }).collect()
}

/// The end of a run, both streams, and the files that are there then.
type Turn = (String, String, String, BTreeMap<String, String>);

fn files(of: &Path) -> BTreeMap<String, String> {
    let entries = WalkDir::new(of).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    // What is compiled to bytes has times in it.
    let entries = entries.filter(|entry| entry.path().extension().is_none_or(|extension| extension != "pyc"));
    let named = entries.map(|entry| {
        let name = entry.path().strip_prefix(of).unwrap().display().to_string();
        (name, String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned())
    });
    named.collect()
}

fn ask(transport: &mut PerRound, round: u32) -> RunReport {
    let files = vec![Part { name: "state.json", bytes: format!("{round}").into_bytes() }];
    let folder = format!("Phase 2 - Round {round}/A");
    let message = FolderMessage { folder, line: format!("2 {round}"), files, answers: &["command.txt"] };
    transport.exchange(Seat::A, &message).unwrap().run.unwrap()
}

/// Bots, each by its files: what does not come out the same by a fork would be a different bot.
const BOTS: &[&[(&str, &str)]] = &[
    // A file that nobody closes, and output without a line end.
    &[("bot.py", "import sys\nf = open(sys.argv[2] + '/command.txt', 'w')\nf.write('1,2,3')\nprint('on', end='')\n")],
    // All that a program sees of itself.
    &[(
        "bot.py",
        "import os, resource, signal, sys\n\
         env = {k: v for k, v in os.environ.items() if k != 'BROADSIDE_RUN'}\n\
         print(sys.argv, sys.orig_argv, sys.path, os.getcwd(), sorted(env.items()), sys.flags, __name__, __file__)\n\
         print(sorted(globals()), __spec__, __doc__, __package__, type(__loader__), repr(sys.stdin.read()), os.umask(0))\n\
         print([resource.getrlimit(n) for n in range(16) if n != resource.RLIMIT_CPU and n != 10])\n\
         print([str(signal.getsignal(n)) for n in (1, 2, 11, 13, 15, 17)], sys.stdout.encoding, sys.stdin.isatty())\n\
         print(sys.getrecursionlimit(), sys.dont_write_bytecode, sys.warnoptions)\n",
    )],
    &[("bot.py", "import sys\nsys.exit(3)\n")],
    &[("bot.py", "import sys\nprint('x', file=sys.stderr)\nsys.exit('why')\n")],
    &[("bot.py", "raise SystemExit\n")],
    &[("bot.py", "raise SystemExit(-1)\n")],
    &[("bot.py", "import sys\nsys.exit(True)\n")],
    &[("bot.py", "exit(256 + 5)\n")],
    &[("bot.py", "import os\nprint('lost')\nos._exit(7)\n")],
    &[("bot.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")],
    &[("bot.py", "import os\nos.abort()\n")],
    &[("bot.py", "import sys\nsys.stdout.close()\n")],
    // Faults, with their tracebacks.
    &[("bot.py", "def f():\n    1 / 0\nprint('before')\nf()\n")],
    &[("bot.py", "import json\ntry:\n    json.loads('{')\nexcept ValueError as e:\n    raise KeyError(1) from e\n")],
    &[("bot.py", "x = \n")],
    &[("bot.py", "print('\\d' 'x' is 'y')\n")],
    &[("bot.py", "import nothing_of_that_name\n")],
    &[("bot.py", "import sys\nsys.excepthook = lambda *a: print('hook', a[0])\n1 / 0\n")],
    &[(
        "bot.py",
        "import threading\ndef f():\n    1 / 0\nt = threading.Thread(target=f, name='T')\nt.start()\nt.join()\n",
    )],
    &[("bot.py", "import warnings\nwarnings.warn('old', DeprecationWarning)\nimport asyncore\n")],
    // Ends in all ways.
    &[(
        "bot.py",
        "import atexit, threading, time\n\
         atexit.register(print, 'at the end')\n\
         def slow():\n    time.sleep(0.05)\n    print('a thread')\n\
         threading.Thread(target=slow).start()\n\
         threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nprint('the script')\n",
    )],
    &[(
        "bot.py",
        "import atexit\nclass F:\n    def __call__(self): 1 / 0\n    def __repr__(self): return 'F'\natexit.register(F())\n",
    )],
    &[("bot.py", "class A:\n    def __del__(self):\n        print('gone', flush=True)\na = A()\nb = A()\nb.b = b\n")],
    &[(
        "bot.py",
        "import logging, sys\nlogging.basicConfig(filename=sys.argv[2] + '/notes.log', level=10)\nlogging.info('a note')\n",
    )],
    &[(
        "bot.py",
        "import json, os, sys\nclass Brain:\n    def __init__(self):\n        \
         self.f = os.open(sys.argv[2] + '/brain', os.O_CREAT | os.O_WRONLY)\n    \
         def __del__(self):\n        os.write(self.f, json.dumps([1]).encode())\nbrain = Brain()\n",
    )],
    &[("bot.py", "import os\nprint(os.path.exists(__file__))\nos.remove(__file__)\n")],
    &[("bot.py", "print('a')\nraise KeyboardInterrupt\n")],
    &[("bot.py", "import sys\nsys.exit(2 ** 100)\n")],
    &[("bot.py", "# -*- coding: latin-1 -*-\nprint('\u{e9}'.encode())\n")],
    &[("bot.py", "import threading, time\nprint(threading.current_thread().name, threading.main_thread().name)\n")],
    &[(
        "bot.py",
        "import threading\nstop = threading.Event()\ndef wait():\n    while True: stop.wait(0.001)\n\
         for i in range(3): threading.Thread(target=wait, daemon=True).start()\nstop.wait(0.01)\nprint('over')\n",
    )],
    // Other files of its own, also in the place of modules of the library.
    &[
        ("bot.py", "import helper, package.deep\nfrom helper import note\nnote()\nprint(package.deep.name)\n"),
        (
            "helper.py",
            "import sys, random\nf = open(sys.argv[2] + '/notes', 'w')\ndef note():\n    f.write('a note')\n",
        ),
        ("package/__init__.py", "import json\n"),
        ("package/deep.py", "import decimal\nname = __name__\n"),
    ],
    &[
        ("bot.py", "import random, tempfile\nprint(random.mine, tempfile.random.mine)\n"),
        ("random.py", "from _random import Random\nmine = True\n"),
    ],
    &[(
        "bot.py",
        "import colorsys\nopen('colorsys.py', 'w').write('mine = True\\n')\nprint(hasattr(colorsys, 'mine'))\n",
    )],
    &[("bot.py", "print('I')\nopen(__file__, 'a').write('\\nprint(\"more\")\\n')\n")],
    // Streams that the bot has replaced: what was printed before is not lost, and what knows less than a file does.
    &[(
        "bot.py",
        "import io, sys\nprint('kept')\nclass Tee:\n    def write(self, text): sys.__stdout__.write(text)\n    \
         def flush(self): pass\nsys.stdout = Tee()\nprint('more')\nsys.stderr = io.StringIO()\n",
    )],
    &[("bot.py", "import sys\nprint('kept')\nsys.stdout = open(sys.argv[2] + '/out', 'w')\nprint('there')\n")],
    &[("bot.py", "import sys\nprint('kept')\nsys.stdout = None\n")],
    &[(
        "bot.py",
        "import sys\nclass Loud:\n    def __del__(self): print('gone')\nloud = Loud()\nfile = open(sys.argv[2] + '/f', 'w')\n\
         file.write('x')\ndel sys.stdout\n",
    )],
    &[("bot.py", "import sys\ndef hook(*told): raise ValueError(sys.exc_info())\nsys.excepthook = hook\n1 / 0\n")],
    &[("bot.py", "import sys\nsys.excepthook = lambda *told: sys.exit(5)\n1 / 0\n")],
    &[("bot.py", "import linecache\nprint(linecache.cache)\nexec('1 / 0')\n")],
    // Modules of the library that print, or run what their arguments name.
    &[("bot.py", "import this\nfrom this import s\n")],
    &[
        (
            "bot.json",
            r#"{"NickName": "Sly", "BotType": "Python3", "RunFile": "bot.py", "RunArgs": "pydoc._adjust_cli_sys_path"}"#,
        ),
        (
            "bot.py",
            "import os\nif False: import unittest.__main__\nif False: import unittest.__main__\n\
             if __name__ == '__main__': print(os.path.exists('imported'))\nelse: open('imported', 'w').close()\n",
        ),
    ],
    // Child processes, which there are none of in a sandbox.
    &[(
        "bot.py",
        "import subprocess\ntry:\n    print(subprocess.run(['true']).returncode)\nexcept OSError as e:\n    print(e)\n",
    )],
    &[(
        "bot.py",
        "import os, sys\ntry:\n    pid = os.fork()\nexcept OSError as e:\n    print(e)\n    sys.exit(4)\n\
         if pid:\n    print(os.waitpid(pid, 0)[1])\nelse:\n    os._exit(5)\n",
    )],
];

#[test]
fn a_fork_does_what_a_new_process_does() {
    for bot in BOTS {
        let bot = Bot::new(bot);
        let Some(turns) = bot.play(true, None) else { return };
        assert_eq!(Some(turns), bot.play(false, None), "{:?}", files(bot.0.path()));
    }
}

#[test]
fn a_fork_in_a_sandbox_does_what_a_new_process_does_there() {
    let sandbox = Sandbox::start().unwrap();
    for bot in BOTS {
        let bot = Bot::new(bot);
        let Some(turns) = bot.play(true, Some(&sandbox)) else { return };
        assert_eq!(Some(turns), bot.play(false, Some(&sandbox)), "{:?}", files(bot.0.path()));
    }
}

/// A transport to a bot with this script, in the folder beside it.
fn seated(script: &str, sandbox: Option<&Sandbox>, limit: Duration) -> Option<(Bot, TempDir, PerRound)> {
    let bot = Bot::new(&[("bot.py", script)]);
    let rounds = tempfile::Builder::new().prefix("match folder ").tempdir().unwrap();
    let transport = bot.seated(rounds.path(), true, sandbox, limit)?;
    Some((bot, rounds, transport))
}

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

fn stdout(run: &RunReport) -> String {
    String::from_utf8(run.stdout.bytes.clone()).unwrap()
}

#[test]
fn the_interpreter_is_started_once_and_its_forks_share_no_chance() {
    let script = "import os, random\nprint(os.getppid())\nprint(random.random())\n";
    let Some((_bot, _rounds, mut transport)) = seated(script, None, MINUTE) else { return };
    let said: Vec<Vec<String>> =
        (1..=3).map(|round| stdout(&ask(&mut transport, round)).lines().map(str::to_owned).collect()).collect();
    assert!(said.iter().all(|lines| lines[0] == said[0][0] && lines[0] != std::process::id().to_string()), "{said:?}");
    assert!(said[0][1] != said[1][1] && said[1][1] != said[2][1], "{said:?}");
}

#[test]
fn who_ends_its_interpreter_ends_itself_and_plays_on_and_in_a_sandbox_nobody_can() {
    // The first line is for the case that it is the engine after all.
    let script = "import os, sys\nif 'python' not in open(f'/proc/{os.getppid()}/stat').read(): sys.exit(9)\n\
                  if sys.argv[2].endswith('2/A'): os.kill(os.getppid(), 9)\nelse: print('here')\n";
    let tried = |sandbox: Option<&Sandbox>, end: RunEnd| {
        let Some((_bot, _rounds, mut transport)) = seated(script, sandbox, MINUTE) else { return };
        let ends: Vec<RunEnd> = (1..=3).map(|round| ask(&mut transport, round).end).collect();
        assert_eq!(ends, [RunEnd::Exited(0), end, RunEnd::Exited(0)]);
    };
    tried(None, RunEnd::Signalled(9));
    tried(Some(&Sandbox::start().unwrap()), RunEnd::Exited(1));
}

/// It could fill the folder of the match, so that the engine has no room for the next question.
#[test]
fn who_is_in_a_sandbox_writes_to_folders_of_its_own_turns_only() {
    let script = "import os, sys\nfor place in ('../../made', '../../Phase 2 - Round 9', 'mine'):\n    try:\n        \
                  os.mkdir(os.path.join(sys.argv[2], place))\n        print(place)\n    except OSError as e: print(e.errno)\n\
                  print(open(os.path.join(sys.argv[2], '../../Phase 2 - Round 1/A/note'), 'a').write('x'))\n";
    let sandbox = Sandbox::start().unwrap();
    let Some((_bot, _rounds, mut transport)) = seated(script, Some(&sandbox), MINUTE) else { return };
    for round in 1..=2 {
        let run = ask(&mut transport, round);
        assert_eq!(stdout(&run), "13\n13\nmine\n1\n", "{run:?}");
    }
}

#[test]
fn threads_are_counted_in_a_sandbox() {
    let script = "import threading, time\nthreading.stack_size(65536)\nstop = threading.Event()\n\
                  for i in range(1600): threading.Thread(target=stop.wait).start()\ntime.sleep(20)\nstop.set()\n";
    let sandbox = Sandbox::start().unwrap();
    let Some((_bot, _rounds, mut transport)) = seated(script, Some(&sandbox), MINUTE) else { return };
    assert_eq!(ask(&mut transport, 1).end, RunEnd::Excessive(Excess::Threads));
}

#[test]
fn who_is_late_is_killed_and_has_an_interpreter_in_the_next_turn() {
    for sandbox in [None, Some(Sandbox::start().unwrap())] {
        let script = "import os, sys, time\nif sys.argv[2].endswith('2/A'):\n    while time.process_time() < 0.2: pass\n    \
                      time.sleep(600)\nprint(os.getppid())\n";
        let Some((_bot, _rounds, mut transport)) = seated(script, sandbox.as_ref(), 5 * SECOND) else { return };
        ask(&mut transport, 1);
        let late = ask(&mut transport, 2);
        assert_eq!(late.end, RunEnd::Killed);
        assert!(late.cpu >= Duration::from_millis(100), "{late:?}");
        let next = ask(&mut transport, 3);
        assert_eq!(next.end, RunEnd::Exited(0), "{next:?}");
        assert_ne!(stdout(&next), std::process::id().to_string());
    }
}

#[test]
fn what_a_run_leaves_behind_is_ended_with_it() {
    // A process in a session of its own, whose parent is gone.
    let script = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        \
                  open('pid', 'w').write(str(os.getpid()))\n        time.sleep(600)\n    os._exit(0)\nos.wait()\n\
                  while not os.path.exists('pid') or not open('pid').read(): pass\n";
    let Some((bot, _rounds, mut transport)) = seated(script, None, MINUTE) else { return };
    assert_eq!(ask(&mut transport, 1).end, RunEnd::Exited(0));
    let left = fs::read_to_string(bot.0.path().join("pid")).unwrap();
    assert!(!Path::new("/proc").join(left).exists());
}

/// What the interpreter may do before a fork, the bot may not, also not by files that are loaded when an interpreter starts.
#[test]
fn no_code_of_the_bot_can_fork_in_a_sandbox() {
    let tries = "import ctypes, os\ndef tried():\n    said = []\n    try:\n        if os.fork() == 0: os._exit(0)\n        \
                 said.append('a fork')\n    except OSError as e: said.append(e.errno)\n    said.append(ctypes.CDLL(None).syscall(56 if os.uname().machine == 'x86_64' else 220, 17, 0, 0, 0, 0))\n    return said\n";
    let script = format!(
        "{tries}\nimport site, sys\nprint(tried())\nhome = site.getusersitepackages()\nos.makedirs(home, exist_ok=True)\n\
         open(home + '/sly.py', 'w').write({tries:?} + 'open({{0!r}} + \"/sly\", \"a\").write(str(tried()))'.format(os.getcwd()))\n\
         open(home + '/sly.pth', 'w').write('import sly\\n')\n\
         open('sitecustomize.py', 'w').write('import sly\\n')\n\
         while sys.argv[2].endswith('1/A'): pass\n\
         print(open('sly').read() if os.path.exists('sly') else 'nothing')\n"
    );
    let sandbox = Sandbox::start().unwrap();
    let Some((_bot, _rounds, mut transport)) = seated(&script, Some(&sandbox), 4 * SECOND) else { return };
    assert_eq!(ask(&mut transport, 1).end, RunEnd::Killed);
    let run = ask(&mut transport, 2);
    let refused = "[1, -1]";
    // In an ordinary process of the bot, which the next turns are.
    assert_eq!(stdout(&run), format!("{refused}\n{refused}\n"), "{run:?}");
}
