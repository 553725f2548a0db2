//! The table of languages, one row each.

use super::steps::{JAR, JAVA_PLAIN, MCS, ONE_THREAD, QUICK_JVM, step};
use super::{Interpreter, Language, Project, Recipe, Runner, Step, Steps, When, tiny};

const JDK: &str = "a Java development kit, e.g. the package default-jdk-headless";
const DOT_NET: &str = "the .NET SDK, or Mono, e.g. the packages mono-mcs and mono-xbuild";

/// A recipe without which a bot cannot run.
const fn recipe(project: Project, alternatives: &'static [Steps], install: &'static str) -> Recipe {
    Recipe { project, alternatives, install, needed: true }
}

/// A recipe whose missing tools are only reported.
const fn optional(project: Project, alternatives: &'static [Steps], install: &'static str) -> Recipe {
    Recipe { needed: false, ..recipe(project, alternatives, install) }
}

/// An interpreter of scripts.
const fn scripts(
    programs: &'static [&'static str],
    install: &'static str,
    tiny: &'static super::TinyBot,
) -> Interpreter {
    Interpreter { programs, arguments: &[], install, whereabouts: None, private: None, warm: None, tiny: Some(tiny) }
}

/// An interpreter of Python.
const fn python(programs: &'static [&'static str], install: &'static str) -> Interpreter {
    Interpreter {
        whereabouts: Some(&["-c", "import sys; print(sys.executable)"]),
        private: Some(VENV_PYTHON),
        ..scripts(programs, install, &tiny::PYTHON)
    }
}

static JAVA: Interpreter = Interpreter {
    // The same memory that the original gave it.
    arguments: &["-Xms512m", "-jar"],
    ..scripts(&["java"], "a Java runtime, e.g. the package default-jre-headless", &tiny::JAVA)
};
static NODE: Interpreter = scripts(&["node", "nodejs"], "Node.js, e.g. the package nodejs", &tiny::NODE);
/// Its makers gave it up in 2020, and Debian 12 does not have it.
const PYTHON_2_IS_GONE: &str = "Python 2, which ended in 2020, or port it (2to3 helps) and set BotType to Python3";
static PYTHON_2: Interpreter = python(&["python2", "python2.7"], PYTHON_2_IS_GONE);
static PYTHON_3: Interpreter = Interpreter {
    warm: Some(crate::process::warm::PYTHON),
    ..python(&["python3", "python"], "Python 3, e.g. the package python3")
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

const VENV_PYTHON: &str = ".broadside-venv/bin/python";
const PIP_INSTALL: Step =
    step(&[VENV_PYTHON], &["-m", "pip", "install", "--disable-pip-version-check", "-r", "{file}"]);

/// NuGet, whose program may come with the project (published text, "Your Bot"). The original went on without it.
const NUGET: Recipe = optional(
    Project::FilesBelow(&["packages.config"]),
    &[
        &[step(&["nuget"], &["restore", "{each}", "-SolutionDirectory", "."])],
        &[Step {
            when: When::Has("nuget.exe"),
            ..step(&["mono"], &["nuget.exe", "restore", "{each}", "-SolutionDirectory", "."])
        }],
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

/// Maven with the plugin that makes one jar of everything. Projects of 2017 often configure it without a phase in which it runs:
/// the original named its goal on the command line.
const MAVEN_ASSEMBLY: Recipe = recipe(
    Project::FileWith("pom.xml", "maven-assembly-plugin"),
    &[&[
        step(&["mvn"], &["-q", "-B", "package"]),
        Step { when: When::NotMade, ..step(&["mvn"], &["-q", "-B", "package", "assembly:single"]) },
    ]],
    "Maven, e.g. the package maven",
);
const MAVEN: Recipe = recipe(
    Project::Files(&["pom.xml"]),
    &[&[step(&["mvn"], &["-q", "-B", "package"])]],
    "Maven, e.g. the package maven",
);
/// The library goes into the jar, so that java runs it by itself.
const SCALA_PLAIN: Steps = &[
    Step { folder: "build", ..step(&["jar"], &["--extract", "--file", "{scala_library}"]) },
    step(&["scalac"], &[QUICK_JVM, ONE_THREAD, "-d", "build", "{files}"]),
    JAR,
];
const KOTLIN_PLAIN: Steps =
    &[step(&["kotlinc"], &[QUICK_JVM, ONE_THREAD, "{files}", "-include-runtime", "-d", "{run_file}"])];

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

/// A language in which bots need neither packages nor a build.
const fn language(
    name: &'static str,
    number: Option<u64>,
    aliases: &'static [&'static str],
    runner: Runner,
) -> Language {
    Language { name, number, aliases, packages: &[], builds: &[], runner }
}

impl Language {
    const fn with_packages(self, packages: &'static [Recipe]) -> Language {
        Language { packages, ..self }
    }

    const fn with_builds(self, builds: &'static [Recipe]) -> Language {
        Language { builds, ..self }
    }
}

/// All languages. The numbers are those of the original.
pub(super) static LANGUAGES: [Language; 18] = [
    language("CSharp", Some(0), &["C#", "cs"], NET_RUNNER)
        .with_packages(&[NUGET])
        .with_builds(&[NET_BUILD, recipe(Project::FilesBelow(&["*.cs"]), &[MCS], "Mono, e.g. the package mono-mcs")]),
    language("Java", Some(1), &[], Runner::By(&JAVA)).with_builds(&[
        MAVEN_ASSEMBLY,
        MAVEN,
        recipe(Project::FilesBelow(&["*.java"]), &[JAVA_PLAIN], JDK),
    ]),
    language("JavaScript", Some(2), &["js", "node", "nodejs", "Node.js"], Runner::By(&NODE))
        .with_packages(NPM_PACKAGES),
    language("CPlusPlus", Some(3), &["C++", "cpp", "cxx"], Runner::Direct).with_builds(&[
        CMAKE,
        MAKE,
        recipe(
            Project::Files(&["*.cpp", "*.cc", "*.cxx"]),
            &[&[step(&["c++", "g++", "clang++"], &["-O2", "-o", "{run_file}", "{files}"])]],
            "a C++ compiler, e.g. the package g++",
        ),
    ]),
    language("Python2", Some(4), &["Python 2", "py2"], Runner::By(&PYTHON_2)).with_packages(&[recipe(
        Project::Files(&["requirements.txt"]),
        &[&[step(&["python2", "python2.7"], &["-m", "virtualenv", ".broadside-venv"]), PIP_INSTALL]],
        PYTHON_2_IS_GONE,
    )]),
    language("Python3", Some(5), &["Python", "Python 3", "py", "py3"], Runner::By(&PYTHON_3)).with_packages(&[recipe(
        Project::Files(&["requirements.txt"]),
        &[&[step(&["python3", "python"], &["-m", "venv", ".broadside-venv"]), PIP_INSTALL]],
        "Python 3 with venv, e.g. the package python3-venv",
    )]),
    language("FSharp", Some(6), &["F#", "fs"], NET_RUNNER).with_packages(&[NUGET]).with_builds(&[
        NET_BUILD,
        recipe(
            Project::Files(&["*.fs", "*.fsx"]),
            &[&[step(&["fsharpc"], &["-O", "--out:{run_file}", "{files}"])]],
            "F#, from https://fsharp.org",
        ),
    ]),
    language("Golang", Some(7), &["Go"], Runner::Direct).with_builds(&[
        recipe(Project::Files(&["go.mod"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "."])]], GO),
        recipe(Project::GoWorkspace, &[&[GO_IN_WORKSPACE]], GO),
        recipe(Project::Files(&["*.go"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "{files}"])]], GO),
    ]),
    language("Rust", Some(8), &["rs"], Runner::Direct).with_builds(&[recipe(
        Project::Files(&["Cargo.toml"]),
        &[&[step(&["cargo"], &["build", "--release"])]],
        "Rust, from https://rustup.rs",
    )]),
    language("Julia", Some(9), &["jl"], Runner::By(&JULIA)),
    language("Scala", Some(10), &[], Runner::By(&JAVA)).with_builds(&[
        MAVEN_ASSEMBLY,
        MAVEN,
        recipe(
            Project::FilesBelow(&["*.scala"]),
            &[SCALA_PLAIN],
            "Scala and a Java development kit, e.g. the packages scala and default-jdk-headless",
        ),
    ]),
    language("Kotlin", None, &["kt"], Runner::By(&JAVA)).with_builds(&[
        MAVEN_ASSEMBLY,
        MAVEN,
        recipe(Project::FilesBelow(&["*.kt"]), &[KOTLIN_PLAIN], "Kotlin, from https://kotlinlang.org"),
    ]),
    language("TypeScript", None, &["ts"], Runner::By(&NODE)).with_packages(NPM_PACKAGES).with_builds(&[
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
    ]),
    language("C", None, &[], Runner::Direct).with_builds(&[
        CMAKE,
        MAKE,
        recipe(
            Project::Files(&["*.c"]),
            &[&[step(&["cc", "gcc", "clang"], &["-O2", "-o", "{run_file}", "{files}", "-lm"])]],
            "a C compiler, e.g. the packages gcc and libc6-dev",
        ),
    ]),
    language("PHP", None, &[], Runner::By(&PHP)).with_packages(&[optional(
        Project::Files(&["composer.json"]),
        &[&[step(&["composer"], &["install", "--no-interaction"])]],
        "Composer, e.g. the package composer",
    )]),
    language("Ruby", None, &["rb"], Runner::By(&RUBY)).with_packages(&[optional(
        Project::Files(&["Gemfile"]),
        &[&[step(&["bundle"], &["config", "set", "--local", "path", "vendor"]), step(&["bundle"], &["install"])]],
        "Bundler, e.g. the package ruby-bundler",
    )]),
    language("Lua", None, &[], Runner::By(&LUA)),
    language("Executable", None, &["binary", "native", "program"], Runner::Direct),
];

const GO: &str = "Go, e.g. the package golang-go";
/// As the original built it.
const GO_IN_WORKSPACE: Step = Step {
    folder: "{bot}",
    variables: &[("GOPATH", "{bot}"), ("GO111MODULE", "off")],
    ..step(&["go"], &["build", "-o", "{run_file}", "{file}"])
};
