//! bot.json of any bytes: it can be read, what is read can be run, and, written in the plain form, it reads as the same.
#![no_main]

use players::process::Language;
use players::{Manifest, ManifestError};
use rules::entelect_2017::files::decode;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match parse(&decode(bytes)) {
        Ok(manifest) => {
            assert!(Language::names().contains(&manifest.language.name));
            assert!(manifest.run_path().is_absolute() && !manifest.run_file.as_os_str().is_empty());
            let arguments = manifest.run_args.iter().map(String::as_str).chain(manifest.run_file.to_str());
            assert!(!arguments.into_iter().any(|text| text.contains('\0')));
            let again = parse(&written(&manifest)).expect("the plain form can be read");
            // A Manifest is compared by all that it says.
            assert_eq!(format!("{again:?}"), format!("{manifest:?}"));
        }
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
});

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::parse(Path::new("/bots/mine"), text)
}

fn written(manifest: &Manifest) -> String {
    let arguments = shlex::try_join(manifest.run_args.iter().map(String::as_str)).expect("there is no NUL in them");
    serde_json::json!({
        "Author": manifest.details.author,
        "NickName": manifest.details.nick_name,
        "Email": manifest.details.email,
        "BotType": manifest.details.bot_type,
        "ProjectLocation": manifest.project,
        "RunFile": manifest.run_file,
        "RunArgs": arguments,
    })
    .to_string()
}
