//! Compiles the sandbox helper, a program of its own that is embedded in this library.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A static program without a C library: nothing has to be set up before it runs, once for every run of a bot.
const OPTIONS: [&str; 11] = [
    "--edition=2024",
    "--crate-type=bin",
    "-Cpanic=abort",
    "-Copt-level=s",
    "-Crelocation-model=static",
    "-Cstrip=symbols",
    "-Clink-arg=-nostartfiles",
    "-Clink-arg=-nostdlib",
    "-Clink-arg=-static",
    "-Dwarnings",
    "-Clink-arg=-Wl,--build-id=none",
];

fn main() {
    let source = Path::new("sandbox_helper/main.rs");
    println!("cargo::rerun-if-changed={}", source.parent().unwrap_or(source).display());
    let variable = |name: &str| env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}"));
    let program = PathBuf::from(variable("OUT_DIR")).join("sandbox_helper");
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.args(OPTIONS).arg("--target").arg(variable("TARGET")).arg(source).arg("-o").arg(program);
    // The helper brings the code that musl's targets would add of their own.
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|environment| environment == "musl") {
        rustc.arg("-Clink-self-contained=no");
    }
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("-Clinker=");
        option.push(linker);
        rustc.arg(option);
    }
    let status = rustc.status().unwrap_or_else(|error| panic!("cannot run {rustc:?}: {error}"));
    assert!(status.success(), "the sandbox helper cannot be compiled: {rustc:?}");
}
