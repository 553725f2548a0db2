//! The languages bots are written in: how each is run and built.

/// One language.
#[derive(Debug)]
pub struct Language {
    /// The name in bot.json and in roundInfo.json.
    pub name: &'static str,
    /// The number that may stand for it in bot.json.
    pub number: Option<u64>,
    /// How a bot is started.
    pub runner: Runner,
    /// What builds one, if anything does.
    pub build: Option<BuildRule>,
}

/// How a bot is started. In each case its key, its folder for the round and its RunArgs follow.
#[derive(Debug)]
pub enum Runner {
    /// The run file itself.
    Direct,
    /// The first of these programs that is found, with these arguments, then the run file.
    Interpreter {
        /// Names to look for on the PATH.
        programs: &'static [&'static str],
        /// What stands before the run file.
        arguments: &'static [&'static str],
        /// What to install where none is found.
        install: &'static str,
        /// What stands there instead to run the tiny bot that shows how long the language takes to start; key and
        /// folder follow. Empty where there is none.
        calibration: &'static [&'static str],
    },
    /// `.exe` by mono, `.dll` by dotnet, anything else itself.
    DotNet,
}

/// How a bot is built, in its project folder.
#[derive(Debug)]
pub struct BuildRule {
    /// The program that does it.
    pub program: &'static str,
    /// With these arguments; `{run_file}` stands for the absolute path of the run file.
    pub arguments: &'static [&'static str],
    /// The file that must be in the project folder.
    pub project_file: &'static str,
    /// What to install where the program is not found.
    pub install: &'static str,
}

const JAVA: Runner = Runner::Interpreter {
    programs: &["java"],
    arguments: &["-Xms512m", "-jar"],
    install: "a Java runtime, e.g. the package default-jre-headless",
    calibration: &[],
};

/// Python of both kinds: reads what bots read, writes what bots write.
const PYTHON_CALIBRATION: &[&str] = &[
    "-c",
    "import json, os, sys\nf = sys.argv[2]\njson.load(open(os.path.join(f, 'state.json')))\n\
     open(os.path.join(f, 'command.txt'), 'w').write('0,0,0')",
];
const NODE_CALIBRATION: &[&str] = &[
    "-e",
    "const fs = require('fs'), f = process.argv[2]; JSON.parse(fs.readFileSync(f + '/state.json')); \
     fs.writeFileSync(f + '/command.txt', '0,0,0')",
];
const JULIA_CALIBRATION: &[&str] =
    &["-e", "f = ARGS[2]; read(f * \"/state.json\", String); write(f * \"/command.txt\", \"0,0,0\")"];

/// All languages. The numbers are those of the original.
static LANGUAGES: [Language; 11] = [
    Language { name: "CSharp", number: Some(0), runner: Runner::DotNet, build: None },
    Language { name: "Java", number: Some(1), runner: JAVA, build: None },
    Language {
        name: "JavaScript",
        number: Some(2),
        runner: Runner::Interpreter {
            programs: &["node", "nodejs"],
            arguments: &[],
            install: "Node.js, e.g. the package nodejs",
            calibration: NODE_CALIBRATION,
        },
        build: None,
    },
    Language { name: "CPlusPlus", number: Some(3), runner: Runner::Direct, build: None },
    Language {
        name: "Python2",
        number: Some(4),
        runner: Runner::Interpreter {
            programs: &["python2", "python2.7"],
            arguments: &[],
            install: "Python 2, or change BotType to Python3",
            calibration: PYTHON_CALIBRATION,
        },
        build: None,
    },
    Language {
        name: "Python3",
        number: Some(5),
        runner: Runner::Interpreter {
            programs: &["python3", "python"],
            arguments: &[],
            install: "Python 3, e.g. the package python3",
            calibration: PYTHON_CALIBRATION,
        },
        build: None,
    },
    Language { name: "FSharp", number: Some(6), runner: Runner::DotNet, build: None },
    Language {
        name: "Golang",
        number: Some(7),
        runner: Runner::Direct,
        build: Some(BuildRule {
            program: "go",
            arguments: &["build", "-o", "{run_file}", "."],
            project_file: "go.mod",
            install: "Go, e.g. the package golang",
        }),
    },
    Language {
        name: "Rust",
        number: Some(8),
        runner: Runner::Direct,
        build: Some(BuildRule {
            program: "cargo",
            arguments: &["build", "--release"],
            project_file: "Cargo.toml",
            install: "Rust, from https://rustup.rs",
        }),
    },
    Language {
        name: "Julia",
        number: Some(9),
        runner: Runner::Interpreter {
            programs: &["julia"],
            arguments: &[],
            install: "Julia",
            calibration: JULIA_CALIBRATION,
        },
        build: None,
    },
    Language { name: "Scala", number: Some(10), runner: JAVA, build: None },
];

impl Language {
    /// The names of all languages.
    pub fn names() -> Vec<&'static str> {
        LANGUAGES.iter().map(|language| language.name).collect()
    }

    /// The language with this name in any letter case.
    pub fn from_name(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.name.eq_ignore_ascii_case(name.trim()))
    }

    /// The language with this number.
    pub fn from_number(number: u64) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.number == Some(number))
    }
}
