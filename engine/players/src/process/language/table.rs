//! The table of languages, one row each.

use super::{Interpreter, Language, Project, Recipe, Runner, Step, Steps, tiny};

const JDK: &str = "a Java development kit, e.g. the package default-jdk-headless";
const DOT_NET: &str = "the .NET SDK, or Mono, e.g. the packages mono-mcs and mono-xbuild";

/// A step that runs in the project's folder.
const fn step(programs: &'static [&'static str], arguments: &'static [&'static str]) -> Step {
    Step { programs, arguments, folder: "" }
}

/// A recipe without which a bot cannot run.
const fn recipe(project: Project, alternatives: &'static [Steps], install: &'static str) -> Recipe {
    Recipe { project, alternatives, install, needed: true }
}

/// An interpreter of scripts.
const fn scripts(
    programs: &'static [&'static str],
    install: &'static str,
    tiny: &'static super::TinyBot,
) -> Interpreter {
    Interpreter { programs, arguments: &[], install, whereabouts: None, private: None, tiny: Some(tiny) }
}

static JAVA: Interpreter = Interpreter {
    // The same memory that the original gave it.
    arguments: &["-Xms512m", "-jar"],
    ..scripts(&["java"], "a Java runtime, e.g. the package default-jre-headless", &tiny::JAVA)
};
static NODE: Interpreter = scripts(&["node", "nodejs"], "Node.js, e.g. the package nodejs", &tiny::NODE);
static PYTHON_2: Interpreter = Interpreter {
    whereabouts: Some(PYTHON_PATH),
    private: Some(VENV_PYTHON),
    ..scripts(&["python2", "python2.7"], "Python 2, or change BotType to Python3", &tiny::PYTHON)
};
static PYTHON_3: Interpreter = Interpreter {
    whereabouts: Some(PYTHON_PATH),
    private: Some(VENV_PYTHON),
    ..scripts(&["python3", "python"], "Python 3, e.g. the package python3", &tiny::PYTHON)
};
static JULIA: Interpreter = scripts(&["julia"], "Julia, from https://julialang.org", &tiny::JULIA);
static PHP: Interpreter = scripts(&["php"], "PHP, e.g. the package php-cli", &tiny::PHP);
static RUBY: Interpreter = Interpreter {
    whereabouts: Some(&["-e", "puts RbConfig.ruby"]),
    ..scripts(&["ruby"], "Ruby, e.g. the package ruby", &tiny::RUBY)
};
static LUA: Interpreter = scripts(&["lua5.4", "lua5.3", "lua", "luajit"], "Lua, e.g. the package lua5.4", &tiny::LUA);
static MONO: Interpreter = scripts(&["mono"], "Mono, e.g. the package mono-runtime", &tiny::MONO);
static DOTNET: Interpreter = Interpreter { tiny: None, ..scripts(&["dotnet"], "the .NET runtime", &tiny::MONO) };

const NET_RUNNER: Runner = Runner::ByExtension(&[("exe", &MONO), ("dll", &DOTNET)]);

const PYTHON_PATH: &[&str] = &["-c", "import sys; print(sys.executable)"];
const VENV_PYTHON: &str = ".broadside-venv/bin/python";
const PIP_INSTALL: Step =
    step(&[VENV_PYTHON], &["-m", "pip", "install", "--disable-pip-version-check", "-r", "{file}"]);

/// NuGet, whose program may come with the project (published text, "Your Bot").
const NUGET: Recipe = recipe(
    Project::FilesBelow(&["packages.config"]),
    &[
        &[step(&["nuget"], &["restore", "{each}", "-SolutionDirectory", "."])],
        &[step(&["mono"], &["nuget.exe", "restore", "{each}", "-SolutionDirectory", "."])],
    ],
    "NuGet, e.g. the package nuget",
);
const NET_BUILD: Recipe = recipe(
    Project::Files(&["*.sln", "*.csproj", "*.fsproj"]),
    &[
        &[step(&["dotnet"], &["build", "--configuration", "{configuration}", "--nologo", "{file}"])],
        &[step(&["msbuild"], &["/p:Configuration={configuration}", "{file}"])],
        // Where Mono came without reference assemblies, its compiler has to find the standard library by itself.
        &[step(&["xbuild"], &["/p:Configuration={configuration}", "/p:NoCompilerStandardLib=false", "{file}"])],
    ],
    DOT_NET,
);
/// Sources without a project.
pub(super) const MCS: Steps = &[step(&["mcs"], &["-optimize", "-out:{run_file}", "{files}"])];

const MAVEN: Recipe = recipe(
    Project::Files(&["pom.xml"]),
    &[&[step(&["mvn"], &["-q", "-B", "package"])]],
    "Maven, e.g. the package maven",
);
const JAR: Step =
    step(&["jar"], &["--create", "--file", "{run_file}", "--main-class", "{main_class}", "-C", "build", "."]);
/// Sources without a project.
pub(super) const JAVA_PLAIN: Steps = &[step(&["javac"], &["-encoding", "UTF-8", "-d", "build", "{files}"]), JAR];
/// The library goes into the jar, so that java runs it by itself.
const SCALA_PLAIN: Steps = &[
    Step { folder: "build", ..step(&["jar"], &["--extract", "--file", "{scala_library}"]) },
    step(&["scalac"], &["-d", "build", "{files}"]),
    JAR,
];
const KOTLIN_PLAIN: Steps = &[step(&["kotlinc"], &["{files}", "-include-runtime", "-d", "{run_file}"])];

const NPM: &str = "npm, e.g. the package npm";
const NPM_PACKAGES: &[Recipe] = &[
    recipe(Project::Dependencies { locked: true }, &[&[step(&["npm"], &["ci"])]], NPM),
    recipe(Project::Dependencies { locked: false }, &[&[step(&["npm"], &["install"])]], NPM),
];
const TSC: &str = "TypeScript, e.g. the package node-typescript, or npm install -g typescript";

const CMAKE: Recipe = recipe(
    Project::Files(&["CMakeLists.txt"]),
    &[&[
        step(&["cmake"], &["-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"]),
        step(&["cmake"], &["--build", "build"]),
    ]],
    "CMake, e.g. the package cmake",
);
const MAKE: Recipe = recipe(
    Project::Files(&["GNUmakefile", "Makefile", "makefile"]),
    &[&[step(&["make"], &[])]],
    "make, e.g. the package make",
);

/// All languages. The numbers are those of the original.
pub(super) static LANGUAGES: [Language; 18] = [
    Language {
        name: "CSharp",
        number: Some(0),
        aliases: &["C#", "cs"],
        packages: &[NUGET],
        builds: &[NET_BUILD, recipe(Project::FilesBelow(&["*.cs"]), &[MCS], "Mono, e.g. the package mono-mcs")],
        runner: NET_RUNNER,
    },
    Language {
        name: "Java",
        number: Some(1),
        aliases: &[],
        packages: &[],
        builds: &[MAVEN, recipe(Project::FilesBelow(&["*.java"]), &[JAVA_PLAIN], JDK)],
        runner: Runner::By(&JAVA),
    },
    Language {
        name: "JavaScript",
        number: Some(2),
        aliases: &["js", "node", "nodejs", "Node.js"],
        packages: NPM_PACKAGES,
        builds: &[],
        runner: Runner::By(&NODE),
    },
    Language {
        name: "CPlusPlus",
        number: Some(3),
        aliases: &["C++", "cpp", "cxx"],
        packages: &[],
        builds: &[
            CMAKE,
            MAKE,
            recipe(
                Project::Files(&["*.cpp", "*.cc", "*.cxx"]),
                &[&[step(&["c++", "g++", "clang++"], &["-O2", "-o", "{run_file}", "{files}"])]],
                "a C++ compiler, e.g. the package g++",
            ),
        ],
        runner: Runner::Direct,
    },
    Language {
        name: "Python2",
        number: Some(4),
        aliases: &["Python 2", "py2"],
        packages: &[recipe(
            Project::Files(&["requirements.txt"]),
            &[&[step(&["python2", "python2.7"], &["-m", "virtualenv", ".broadside-venv"]), PIP_INSTALL]],
            "Python 2 with virtualenv",
        )],
        builds: &[],
        runner: Runner::By(&PYTHON_2),
    },
    Language {
        name: "Python3",
        number: Some(5),
        aliases: &["Python", "Python 3", "py", "py3"],
        packages: &[recipe(
            Project::Files(&["requirements.txt"]),
            &[&[step(&["python3", "python"], &["-m", "venv", ".broadside-venv"]), PIP_INSTALL]],
            "Python 3 with venv, e.g. the package python3-venv",
        )],
        builds: &[],
        runner: Runner::By(&PYTHON_3),
    },
    Language {
        name: "FSharp",
        number: Some(6),
        aliases: &["F#", "fs"],
        packages: &[NUGET],
        builds: &[
            NET_BUILD,
            recipe(
                Project::Files(&["*.fs", "*.fsx"]),
                &[&[step(&["fsharpc"], &["-O", "--out:{run_file}", "{files}"])]],
                "an F# compiler, e.g. the package fsharp",
            ),
        ],
        runner: NET_RUNNER,
    },
    Language {
        name: "Golang",
        number: Some(7),
        aliases: &["Go"],
        packages: &[],
        builds: &[
            recipe(Project::Files(&["go.mod"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "."])]], GO),
            recipe(Project::Files(&["*.go"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "{files}"])]], GO),
        ],
        runner: Runner::Direct,
    },
    Language {
        name: "Rust",
        number: Some(8),
        aliases: &["rs"],
        packages: &[],
        builds: &[recipe(
            Project::Files(&["Cargo.toml"]),
            &[&[step(&["cargo"], &["build", "--release"])]],
            "Rust, from https://rustup.rs",
        )],
        runner: Runner::Direct,
    },
    Language {
        name: "Julia",
        number: Some(9),
        aliases: &["jl"],
        packages: &[],
        builds: &[],
        runner: Runner::By(&JULIA),
    },
    Language {
        name: "Scala",
        number: Some(10),
        aliases: &[],
        packages: &[],
        builds: &[
            MAVEN,
            recipe(
                Project::FilesBelow(&["*.scala"]),
                &[SCALA_PLAIN],
                "Scala and a Java development kit, e.g. the packages scala and default-jdk-headless",
            ),
        ],
        runner: Runner::By(&JAVA),
    },
    Language {
        name: "Kotlin",
        number: None,
        aliases: &["kt"],
        packages: &[],
        builds: &[
            MAVEN,
            recipe(Project::FilesBelow(&["*.kt"]), &[KOTLIN_PLAIN], "Kotlin, from https://kotlinlang.org"),
        ],
        runner: Runner::By(&JAVA),
    },
    Language {
        name: "TypeScript",
        number: None,
        aliases: &["ts"],
        packages: NPM_PACKAGES,
        builds: &[
            recipe(Project::Script("build"), &[&[step(&["npm"], &["run", "build"])], &[step(&["tsc"], &[])]], TSC),
            recipe(Project::Files(&["tsconfig.json"]), &[&[step(&["tsc"], &[])]], TSC),
            recipe(
                Project::Files(&["*.ts"]),
                &[&[step(
                    &["tsc"],
                    &["--target", "es2020", "--module", "commonjs", "--outDir", "{run_folder}", "{files}"],
                )]],
                TSC,
            ),
        ],
        runner: Runner::By(&NODE),
    },
    Language {
        name: "C",
        number: None,
        aliases: &[],
        packages: &[],
        builds: &[
            CMAKE,
            MAKE,
            recipe(
                Project::Files(&["*.c"]),
                &[&[step(&["cc", "gcc", "clang"], &["-O2", "-o", "{run_file}", "{files}", "-lm"])]],
                "a C compiler, e.g. the packages gcc and libc6-dev",
            ),
        ],
        runner: Runner::Direct,
    },
    Language {
        name: "PHP",
        number: None,
        aliases: &[],
        packages: &[Recipe {
            needed: false,
            ..recipe(
                Project::Files(&["composer.json"]),
                &[&[step(&["composer"], &["install", "--no-interaction"])]],
                "Composer, e.g. the package composer",
            )
        }],
        builds: &[],
        runner: Runner::By(&PHP),
    },
    Language {
        name: "Ruby",
        number: None,
        aliases: &["rb"],
        packages: &[Recipe {
            needed: false,
            ..recipe(
                Project::Files(&["Gemfile"]),
                &[&[
                    step(&["bundle"], &["config", "set", "--local", "path", "vendor"]),
                    step(&["bundle"], &["install"]),
                ]],
                "Bundler, e.g. the package ruby-bundler",
            )
        }],
        builds: &[],
        runner: Runner::By(&RUBY),
    },
    Language { name: "Lua", number: None, aliases: &[], packages: &[], builds: &[], runner: Runner::By(&LUA) },
    Language {
        name: "Executable",
        number: None,
        aliases: &["binary", "native", "program"],
        packages: &[],
        builds: &[],
        runner: Runner::Direct,
    },
];

const GO: &str = "Go, e.g. the package golang-go";
