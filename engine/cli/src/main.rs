//! The program `broadside`.

use std::process::ExitCode;

fn main() -> ExitCode {
    broadside::main()
}
