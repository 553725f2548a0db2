//! The hunter: `hunter KEY DIR` reads DIR/state.json and writes its answer beside it.

mod json;
mod seed;
mod state_json;

use rules::entelect_2017::files::STATE_JSON;
use rules::entelect_2017::files::wire::StateFile;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match play(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            #[expect(clippy::print_stderr, reason = "the one place where the program speaks to people")]
            {
                eprintln!("hunter: {why}");
            }
            ExitCode::FAILURE
        }
    }
}

fn play(arguments: Vec<OsString>) -> Result<(), Box<dyn Error>> {
    let [key, folder] = <[OsString; 2]>::try_from(arguments).map_err(|_| "usage: hunter KEY DIR")?;
    let folder = PathBuf::from(folder);
    let path = folder.join(STATE_JSON);
    let state = read(&path)?;
    let text = std::env::var(seed::VARIABLE).ok();
    let seed = seed::seed(text.as_deref(), &key.to_string_lossy(), state.round);
    let order = hunter::decide(&state, &mut rules::random(seed)).map_err(|why| cannot("play", &path, &why))?;
    write(&folder, hunter::answer::file(&order))
}

fn read(path: &Path) -> Result<StateFile, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|why| cannot("read", path, &why))?;
    Ok(state_json::read(&text).map_err(|why| format!("cannot understand {}: {why}", path.display()))?)
}

fn write(folder: &Path, (name, text): (&str, String)) -> Result<(), Box<dyn Error>> {
    let path = folder.join(name);
    Ok(std::fs::write(&path, text).map_err(|why| cannot("write", &path, &why))?)
}

fn cannot(what: &str, path: &Path, why: &dyn Error) -> String {
    format!("cannot {what} {}: {why}", path.display())
}
