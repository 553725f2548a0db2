//! The programs that build and run bots, and the Debian packages that have them.

use super::Tool;
use super::steps::{ONE_THREAD, QUICK_JVM};

/// A tool of Debian.
const fn tool(programs: &'static [&'static str], title: &'static str, packages: &'static [&'static str]) -> Tool {
    Tool { programs, title, packages, version: &["--version"], trial: None }
}

impl Tool {
    /// A tool that tells its version by other arguments.
    const fn telling(self, version: &'static [&'static str]) -> Tool {
        Tool { version, ..self }
    }

    /// A compiler that works if it makes a program of this file.
    const fn that_makes(self, file: &'static str, source: &'static str) -> Tool {
        Tool { trial: Some((file, source)), ..self }
    }
}

/// With a header and the library behind it, which are in packages of their own.
const TINY_C: &str = "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n";
const TINY_CPP: &str =
    "#include <new>\n#include <cstdio>\nint main() { delete new int; return std::puts(\"\") < 0; }\n";

/// For compilers that are programs of the Java virtual machine. It takes them up to 3 s of processor time without the first.
const JVM_VERSION: &[&str] = &[QUICK_JVM, ONE_THREAD, "-version"];

pub(super) static BUNDLE: Tool = tool(&["bundle"], "Bundler", &["ruby-bundler"]);
pub(super) static CARGO: Tool = tool(&["cargo"], "Rust, from https://rustup.rs", &[]);
pub(super) static CC: Tool =
    tool(&["cc", "gcc", "clang"], "a C compiler", &["gcc", "libc6-dev"]).that_makes("tiny.c", TINY_C);
pub(super) static CMAKE: Tool = tool(&["cmake"], "CMake", &["cmake"]);
pub(super) static COMPOSER: Tool = tool(&["composer"], "Composer", &["composer"]);
pub(super) static CPP: Tool =
    tool(&["c++", "g++", "clang++"], "a C++ compiler", &["g++"]).that_makes("tiny.cpp", TINY_CPP);
pub(super) static DOTNET: Tool = tool(&["dotnet"], "the .NET SDK, from https://dotnet.microsoft.com", &[]);
pub(super) static FSHARPC: Tool = tool(&["fsharpc"], "F#, from https://fsharp.org", &[]).telling(&["--help"]);
pub(super) static GO: Tool = tool(&["go"], "Go", &["golang-go"]).telling(&["version"]);
pub(super) static JAR: Tool = tool(&["jar"], "a Java development kit", &["default-jdk-headless"]);
pub(super) static JAVA: Tool = tool(&["java"], "a Java runtime", &["default-jre-headless"]).telling(&["-version"]);
pub(super) static JAVAC: Tool =
    tool(&["javac"], "a Java development kit", &["default-jdk-headless"]).telling(JVM_VERSION);
pub(super) static JULIA: Tool = tool(&["julia"], "Julia, from https://julialang.org", &[]);
pub(super) static KOTLINC: Tool = tool(&["kotlinc"], "Kotlin's compiler", &["kotlin"]).telling(JVM_VERSION);
/// The C compiler by which rustc links programs. It looks for no other name.
pub(super) static LINKER: Tool = Tool { programs: &["cc"], title: "a C compiler, by which Rust links", ..CC };
pub(super) static LUA: Tool = tool(&["lua5.4", "lua5.3", "lua", "luajit"], "Lua", &["lua5.4"]).telling(&["-v"]);
pub(super) static MAKE: Tool = tool(&["make"], "make", &["make"]);
pub(super) static MCS: Tool = tool(&["mcs"], "Mono's C# compiler", &["mono-mcs"]);
pub(super) static MONO: Tool = tool(&["mono"], "Mono", &["mono-runtime"]);
pub(super) static MSBUILD: Tool = tool(&["msbuild"], "MSBuild, from https://www.mono-project.com", &[]);
pub(super) static MVN: Tool = tool(&["mvn"], "Maven", &["maven"]);
pub(super) static NODE: Tool = tool(&["node", "nodejs"], "Node.js", &["nodejs"]);
pub(super) static NPM: Tool = tool(&["npm"], "npm", &["npm"]);
pub(super) static NUGET: Tool = tool(&["nuget"], "NuGet", &["nuget"]);
pub(super) static PHP: Tool = tool(&["php"], "PHP", &["php-cli"]);
/// Its makers gave it up in 2020, and Debian 12 does not have it.
pub(super) static PYTHON_2: Tool = tool(
    &["python2", "python2.7"],
    "Python 2, which ended in 2020, or port it (2to3 helps) and set BotType to Python3",
    &[],
);
pub(super) static PYTHON_3: Tool = tool(&["python3", "python"], "Python 3", &["python3", "python3-venv"]);
pub(super) static RUBY: Tool = tool(&["ruby"], "Ruby", &["ruby"]);
pub(super) static SCALAC: Tool = tool(&["scalac"], "Scala's compiler", &["scala"]).telling(JVM_VERSION);
pub(super) static TSC: Tool = tool(&["tsc"], "TypeScript's compiler", &["node-typescript"]);
pub(super) static XBUILD: Tool = tool(&["xbuild"], "Mono's build tool", &["mono-xbuild", "mono-mcs"]);

/// All tools, each once.
pub(super) static ALL: [&Tool; 31] = [
    &BUNDLE, &CARGO, &CC, &CMAKE, &COMPOSER, &CPP, &DOTNET, &FSHARPC, &GO, &JAR, &JAVA, &JAVAC, &JULIA, &KOTLINC, &LUA,
    &MAKE, &MCS, &MONO, &MSBUILD, &MVN, &NODE, &NPM, &NUGET, &PHP, &PYTHON_2, &PYTHON_3, &RUBY, &SCALAC, &TSC, &XBUILD,
    &LINKER,
];
