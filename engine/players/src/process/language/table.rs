//! The table of languages, one row each.

use super::steps::{JAR, JAVA_PLAIN, MCS, ONE_THREAD, QUICK_JVM, step};
use super::{Heap, Interpreter, Language, Project, Recipe, Runner, StackSignal, Step, Steps, Tool, When, tiny, tools};

/// A recipe without which a bot cannot run.
const fn recipe(project: Project, alternatives: &'static [Steps]) -> Recipe {
    Recipe { project, alternatives, needed: true }
}

/// A recipe whose missing tools are only reported.
const fn optional(project: Project, alternatives: &'static [Steps]) -> Recipe {
    Recipe { needed: false, ..recipe(project, alternatives) }
}

/// An interpreter of scripts.
const fn scripts(tool: &'static Tool, tiny: &'static super::TinyBot) -> Interpreter {
    Interpreter { tool, arguments: &[], heap: None, whereabouts: None, private: None, warm: None, tiny: Some(tiny) }
}

/// An interpreter of Python.
const fn python(tool: &'static Tool) -> Interpreter {
    Interpreter {
        whereabouts: Some(&["-c", "import sys; print(sys.executable)"]),
        private: Some(VENV_PYTHON),
        ..scripts(tool, &tiny::PYTHON)
    }
}

static JAVA: Interpreter = Interpreter {
    arguments: &["-jar"],
    heap: Some(&Heap { variables: &["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"], flags: java_heap }),
    ..scripts(&tools::JAVA, &tiny::JAVA)
};

/// The size of Java's heap. Without a limit it is that of the original, which set `-Xms512m` alone. Java takes the size of the
/// machine's memory for granted otherwise: under a limit it would be ended by the system, where a bot that has its heap within the
/// limit throws an `OutOfMemoryError` that tells the line. What is not heap takes up to 256 MiB.
fn java_heap(limit: Option<u64>) -> Vec<String> {
    let Some(limit) = limit.map(|limit| limit >> 20) else { return vec!["-Xms512m".to_owned()] };
    let most = (limit / 2).max(limit.saturating_sub(256));
    vec![format!("-Xms{}m", most.min(512)), format!("-Xmx{most}m")]
}
static NODE: Interpreter = scripts(&tools::NODE, &tiny::NODE);
static PYTHON_2: Interpreter = python(&tools::PYTHON_2);
static PYTHON_3: Interpreter = Interpreter { warm: Some(crate::process::warm::PYTHON), ..python(&tools::PYTHON_3) };
static JULIA: Interpreter = scripts(&tools::JULIA, &tiny::JULIA);
static PHP: Interpreter = scripts(&tools::PHP, &tiny::PHP);
static RUBY: Interpreter =
    Interpreter { whereabouts: Some(&["-e", "puts RbConfig.ruby"]), ..scripts(&tools::RUBY, &tiny::RUBY) };
static LUA: Interpreter = scripts(&tools::LUA, &tiny::LUA);
static MONO: Interpreter = scripts(&tools::MONO, &tiny::MONO);
static DOTNET: Interpreter = Interpreter { tiny: None, ..scripts(&tools::DOTNET, &tiny::MONO) };

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
);
const NET_BUILD: Recipe = recipe(
    Project::Files(&["*.sln", "*.csproj", "*.fsproj"]),
    &[
        &[step(&["dotnet"], &["build", "--configuration", "{configuration}", "--nologo", "{file}"])],
        &[step(&["msbuild"], &["/p:Configuration={configuration}", "{file}"])],
        // Where Mono came without reference assemblies, its compiler has to find the standard library by itself.
        &[step(&["xbuild"], &["/p:Configuration={configuration}", "/p:NoCompilerStandardLib=false", "{file}"])],
    ],
);

/// Maven with the plugin that makes one jar of everything. Projects of 2017 often configure it without a phase in which it runs:
/// the original named its goal on the command line.
const MAVEN_ASSEMBLY: Recipe = recipe(
    Project::FileWith("pom.xml", "maven-assembly-plugin"),
    &[&[
        step(&["mvn"], &["-q", "-B", "package"]),
        Step { when: When::NotMade, ..step(&["mvn"], &["-q", "-B", "package", "assembly:single"]) },
    ]],
);
const MAVEN: Recipe = recipe(Project::Files(&["pom.xml"]), &[&[step(&["mvn"], &["-q", "-B", "package"])]]);
/// The library goes into the jar, so that java runs it by itself.
const SCALA_PLAIN: Steps = &[
    Step { folder: "build", ..step(&["jar"], &["--extract", "--file", "{scala_library}"]) },
    step(&["scalac"], &[QUICK_JVM, ONE_THREAD, "-d", "build", "{files}"]),
    JAR,
];
const KOTLIN_PLAIN: Steps =
    &[step(&["kotlinc"], &[QUICK_JVM, ONE_THREAD, "{files}", "-include-runtime", "-d", "{run_file}"])];

const NPM_PACKAGES: &[Recipe] = &[
    recipe(Project::Dependencies { locked: true }, &[&[step(&["npm"], &["ci"])]]),
    recipe(Project::Dependencies { locked: false }, &[&[step(&["npm"], &["install"])]]),
];

const CMAKE: Recipe = recipe(
    Project::Files(&["CMakeLists.txt"]),
    &[&[
        step(&["cmake"], &["-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"]),
        step(&["cmake"], &["--build", "build"]),
    ]],
);
const MAKE: Recipe = recipe(Project::Files(&["GNUmakefile", "Makefile", "makefile"]), &[&[step(&["make"], &[])]]);

/// A language in which bots need neither packages nor a build.
const fn language(
    name: &'static str,
    number: Option<u64>,
    aliases: &'static [&'static str],
    runner: Runner,
    needs: &'static [&'static [&'static Tool]],
) -> Language {
    Language { name, number, aliases, packages: &[], builds: &[], runner, stack: None, needs }
}

impl Language {
    const fn with_packages(self, packages: &'static [Recipe]) -> Language {
        Language { packages, ..self }
    }

    const fn with_builds(self, builds: &'static [Recipe]) -> Language {
        Language { builds, ..self }
    }

    const fn with_stack(self, stack: StackSignal) -> Language {
        Language { stack: Some(stack), ..self }
    }
}

/// Virtual machines, and programs of Go, tell the stacks of all threads (SIGQUIT); a program of Go ends then.
const ON_QUIT: StackSignal = StackSignal { signal: 3, variable: None };
/// Interpreters throw an exception, which most bots do not catch (SIGINT).
const ON_INTERRUPT: StackSignal = StackSignal { signal: 2, variable: None };
/// Python writes the stacks of all threads and ends (SIGABRT), if its module faulthandler is to.
const ON_ABORT: StackSignal = StackSignal { signal: 6, variable: Some(("PYTHONFAULTHANDLER", "1")) };

/// All languages. The numbers are those of the original.
pub(super) static LANGUAGES: [Language; 18] = [
    language("CSharp", Some(0), &["C#", "cs"], NET_RUNNER, &[&[&tools::MONO, &tools::MCS], &[&tools::DOTNET]])
        .with_packages(&[NUGET])
        .with_builds(&[NET_BUILD, recipe(Project::FilesBelow(&["*.cs"]), &[MCS])])
        .with_stack(ON_QUIT),
    language("Java", Some(1), &[], Runner::By(&JAVA), &[&[&tools::JAVA, &tools::JAVAC, &tools::JAR]])
        .with_builds(&[MAVEN_ASSEMBLY, MAVEN, recipe(Project::FilesBelow(&["*.java"]), &[JAVA_PLAIN])])
        .with_stack(ON_QUIT),
    language("JavaScript", Some(2), &["js", "node", "nodejs", "Node.js"], Runner::By(&NODE), &[&[&tools::NODE]])
        .with_packages(NPM_PACKAGES),
    language("CPlusPlus", Some(3), &["C++", "cpp", "cxx"], Runner::Direct, &[&[&tools::CPP, &tools::MAKE]])
        .with_builds(&[
            CMAKE,
            MAKE,
            recipe(
                Project::Files(&["*.cpp", "*.cc", "*.cxx"]),
                &[&[step(&["c++", "g++", "clang++"], &["-O2", "-o", "{run_file}", "{files}"])]],
            ),
        ]),
    language("Python2", Some(4), &["Python 2", "py2"], Runner::By(&PYTHON_2), &[&[&tools::PYTHON_2]]).with_packages(&[
        recipe(
            Project::Files(&["requirements.txt"]),
            &[&[step(&["python2", "python2.7"], &["-m", "virtualenv", ".broadside-venv"]), PIP_INSTALL]],
        ),
    ]),
    language("Python3", Some(5), &["Python", "Python 3", "py", "py3"], Runner::By(&PYTHON_3), &[&[&tools::PYTHON_3]])
        .with_packages(&[recipe(
            Project::Files(&["requirements.txt"]),
            &[&[step(&["python3", "python"], &["-m", "venv", ".broadside-venv"]), PIP_INSTALL]],
        )])
        .with_stack(ON_ABORT),
    language("FSharp", Some(6), &["F#", "fs"], NET_RUNNER, &[&[&tools::MONO, &tools::FSHARPC], &[&tools::DOTNET]])
        .with_packages(&[NUGET])
        .with_builds(&[
            NET_BUILD,
            recipe(
                Project::Files(&["*.fs", "*.fsx"]),
                &[&[step(&["fsharpc"], &["-O", "--out:{run_file}", "{files}"])]],
            ),
        ])
        .with_stack(ON_QUIT),
    language("Golang", Some(7), &["Go"], Runner::Direct, &[&[&tools::GO]])
        .with_builds(&[
            recipe(Project::Files(&["go.mod"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "."])]]),
            recipe(Project::GoWorkspace, &[&[GO_IN_WORKSPACE]]),
            recipe(Project::Files(&["*.go"]), &[&[step(&["go"], &["build", "-o", "{run_file}", "{files}"])]]),
        ])
        .with_stack(ON_QUIT),
    language("Rust", Some(8), &["rs"], Runner::Direct, &[&[&tools::CARGO, &tools::LINKER]])
        .with_builds(&[recipe(Project::Files(&["Cargo.toml"]), &[&[step(&["cargo"], &["build", "--release"])]])]),
    language("Julia", Some(9), &["jl"], Runner::By(&JULIA), &[&[&tools::JULIA]]),
    language("Scala", Some(10), &[], Runner::By(&JAVA), &[&[&tools::JAVA, &tools::SCALAC, &tools::JAR]])
        .with_builds(&[MAVEN_ASSEMBLY, MAVEN, recipe(Project::FilesBelow(&["*.scala"]), &[SCALA_PLAIN])])
        .with_stack(ON_QUIT),
    language("Kotlin", None, &["kt"], Runner::By(&JAVA), &[&[&tools::JAVA, &tools::KOTLINC]])
        .with_builds(&[MAVEN_ASSEMBLY, MAVEN, recipe(Project::FilesBelow(&["*.kt"]), &[KOTLIN_PLAIN])])
        .with_stack(ON_QUIT),
    language("TypeScript", None, &["ts"], Runner::By(&NODE), &[&[&tools::NODE, &tools::TSC, &tools::NPM]])
        .with_packages(NPM_PACKAGES)
        .with_builds(&[
            recipe(Project::Script("build"), &[&[step(&["npm"], &["run", "build"])], &[step(&["tsc"], &[])]]),
            recipe(Project::Files(&["tsconfig.json"]), &[&[step(&["tsc"], &[])]]),
            recipe(
                Project::Files(&["*.ts"]),
                &[&[step(
                    &["tsc"],
                    &["--target", "es2020", "--module", "commonjs", "--outDir", "{run_folder}", "{files}"],
                )]],
            ),
        ]),
    language("C", None, &[], Runner::Direct, &[&[&tools::CC, &tools::MAKE]]).with_builds(&[
        CMAKE,
        MAKE,
        recipe(
            Project::Files(&["*.c"]),
            &[&[step(&["cc", "gcc", "clang"], &["-O2", "-o", "{run_file}", "{files}", "-lm"])]],
        ),
    ]),
    language("PHP", None, &[], Runner::By(&PHP), &[&[&tools::PHP]]).with_packages(&[optional(
        Project::Files(&["composer.json"]),
        &[&[step(&["composer"], &["install", "--no-interaction"])]],
    )]),
    language("Ruby", None, &["rb"], Runner::By(&RUBY), &[&[&tools::RUBY]])
        .with_packages(&[optional(
            Project::Files(&["Gemfile"]),
            &[&[step(&["bundle"], &["config", "set", "--local", "path", "vendor"]), step(&["bundle"], &["install"])]],
        )])
        .with_stack(ON_INTERRUPT),
    language("Lua", None, &[], Runner::By(&LUA), &[&[&tools::LUA]]).with_stack(ON_INTERRUPT),
    language("Executable", None, &["binary", "native", "program"], Runner::Direct, &[&[]]),
];

/// As the original built it.
const GO_IN_WORKSPACE: Step = Step {
    folder: "{bot}",
    variables: &[("GOPATH", "{bot}"), ("GO111MODULE", "off")],
    ..step(&["go"], &["build", "-o", "{run_file}", "{file}"])
};
