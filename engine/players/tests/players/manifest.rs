//! bot.json with all its tolerances.

use fake_bot::BotFolder;
use players::process::{Launch, LaunchError};
use players::{Manifest, ManifestError, Tools};
use std::path::Path;

fn parse(text: &str) -> Result<Manifest, ManifestError> {
    Manifest::parse(Path::new("/bots/mine"), text)
}

#[test]
fn a_bot_json_of_2017_is_understood() {
    let text = "{\r\n\"Author\":\"John Doe\",\r\n\"Email\":\"\",\"NickName\" :\"John: the 2nd\",\"BotType\": \"CSHARP\",\r\n\
        \"ProjectLocation\" : \"\",\"RunFile\" : \"Reference\\\\bin\\\\De bug\\\\Reference.exe\"\r\n}\r\n";
    let manifest = parse(text).unwrap();
    assert_eq!(manifest.run_path(), Path::new("/bots/mine/Reference/bin/De bug/Reference.exe"));
    assert_eq!(manifest.details.bot_type, "CSharp");
    assert_eq!(manifest.details.email.as_deref(), Some(""));
    assert_eq!(manifest.details.name(), "John: the 2nd");
    assert!(manifest.run_args.is_empty());
}

#[test]
fn bot_types_may_be_numbers_names_in_any_case_and_keys_too() {
    for (given, name) in
        [("5", "Python3"), ("\"pYTHON3\"", "Python3"), ("0", "CSharp"), ("7", "Golang"), ("10", "Scala")]
    {
        let text = format!(r#"{{"bottype": {given}, "projectlocation": "", "RUNFILE": "x", "Other": [1]}}"#);
        assert_eq!(parse(&text).unwrap().details.bot_type, name);
    }
}

#[test]
fn encodings_with_a_byte_order_mark_are_read() {
    let text = r#"{"NickName": "Bé", "BotType": "Rust", "ProjectLocation": "", "RunFile": "x"}"#;
    let utf_8 = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let utf_16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for bytes in [utf_8, utf_16] {
        let folder = BotFolder::with_manifest("", "");
        std::fs::write(folder.path().join("bot.json"), bytes).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap().details.name(), "Bé");
    }
}

#[test]
fn a_file_that_is_meant_is_told_with_the_command_that_renames_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["Bot.json", "bot.json.txt", "BOT.JSON.TXT"] {
        std::fs::write(folder.path().join(name), "{}").unwrap();
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(error.to_string().ends_with(&format!(", but {name}")), "{error}");
        let [from, to] = [name, "bot.json"].map(|name| folder.path().join(name));
        assert_eq!(error.hint(), format!("rename it: mv {} {}", from.display(), to.display()));
        std::fs::rename(from, folder.path().join("readme")).unwrap();
        assert!(matches!(Manifest::read(folder.path()), Err(ManifestError::NoManifest(_))));
    }
}

#[test]
fn a_usual_mistake_in_json_has_a_hint() {
    let hint = |text: &str| parse(text).unwrap_err().hint();
    assert_eq!(hint("{\"BotType\": 5, // Python\n}"), "JSON has no comments: remove them");
    assert_eq!(hint("[]"), "it must be a JSON object with BotType and RunFile");
}

#[test]
fn the_project_is_the_bots_folder_unless_another_is_named() {
    let project = |text: &str| Manifest::parse(Path::new("/bots/mine"), text).unwrap().project_path();
    assert_eq!(project(r#"{"BotType": "Rust", "RunFile": "x"}"#), Path::new("/bots/mine"));
    assert_eq!(project(r#"{"BotType": "Rust", "RunFile": "x", "ProjectLocation": null}"#), Path::new("/bots/mine"));
    assert_eq!(project(r#"{"BotType": "Rust", "RunFile": "x", "ProjectLocation": "in"}"#), Path::new("/bots/mine/in"));
}

#[test]
fn what_is_wrong_is_said() {
    let say = |text: &str| parse(text).unwrap_err().to_string();
    assert!(say("{").contains("bot.json is broken"));
    assert!(say("[]").contains("broken"));
    assert!(say(r#"{"BotType": "Rust", "ProjectLocation": ""}"#).contains("RunFile is missing"));
    assert!(say(r#"{"BotType": "Rust", "ProjectLocation": "", "RunFile": ""}"#).contains("RunFile is empty"));
    assert!(say(r#"{"RunFile": "x", "ProjectLocation": ""}"#).contains("BotType is missing"));
    assert!(
        say(r#"{"BotType": "Cobol", "ProjectLocation": "", "RunFile": "x"}"#).contains("unknown BotType \"Cobol\"")
    );
    assert!(say(r#"{"BotType": 99, "ProjectLocation": "", "RunFile": "x"}"#).contains("unknown BotType 99"));
    assert!(say(r#"{"BotType": "Rust", "ProjectLocation": "", "RunFile": "x", "RunArgs": "'a"}"#).contains("quote"));
    assert!(say(r#"{"BotType": "Rust", "ProjectLocation": "", "RunFile": 3}"#).contains("RunFile must be a text"));
    let long = "ß".repeat(1001);
    for name in ["NickName", "Author", "Email"] {
        let text = format!(r#"{{"{name}": "{long}", "BotType": "Rust", "ProjectLocation": "", "RunFile": "x"}}"#);
        assert!(say(&text).ends_with(&format!("{name} has more than 1000 characters")));
        let hint = parse(&text).unwrap_err().hint();
        assert_eq!(hint, format!("shorten {name}: it is written in every file of a match"));
        assert!(parse(&text.replacen('ß', "", 1)).is_ok());
    }
    assert!(
        parse(r#"{"BotType": "Cobol", "ProjectLocation": "", "RunFile": "x"}"#).unwrap_err().hint().contains("Python3")
    );
}

#[test]
fn each_mistake_has_a_hint_of_its_own() {
    let hint = |text: &str| parse(text).unwrap_err().hint();
    let with = |member: &str| hint(&format!(r#"{{{member}, "BotType": "Rust", "RunFile": "x"}}"#));
    for text in ["{", "7", "[]", "null", r#"["a"]"#, r#"{"BotType": "Rust"}"#, r#"{"RunFile": "x"}"#] {
        assert_eq!(hint(text), "it must be a JSON object with BotType and RunFile", "{text}");
        let told = parse(text).unwrap_err().to_string();
        assert!(!told.contains("a map") && !told.contains("sequence"), "{told}");
    }
    let long = format!(r#""RunArgs": "{}""#, "a".repeat(32_768));
    let hints = [
        (r#""NickName": 7"#, "write it between quotation marks"),
        (r#""Stay": "yes""#, "write true or false without quotation marks"),
        (r#""RunArgs": "'a""#, r"close it, or write a backslash before it (two in JSON: \\)"),
        (r#""ProjectLocation": "\u0000""#, r"remove the \u0000 from RunFile, RunArgs and ProjectLocation"),
        (&long, "put it into a file in the bot's folder, and let the bot read that"),
    ];
    for (member, wanted) in hints {
        assert_eq!(with(member), wanted, "{member}");
    }
    assert_eq!(hint(r#"{"BotType": "Rust", "RunFile": ""}"#), "name the program or script that is run");
}

#[test]
fn arguments_that_no_program_can_be_started_with_are_refused() {
    let with = |bytes: usize| {
        let text = format!(r#"{{"BotType": "Rust", "RunFile": "x", "RunArgs": "{}"}}"#, "a".repeat(bytes));
        parse(&text).map_err(|error| error.to_string())
    };
    let starts = |argument: &str| std::process::Command::new("true").arg(argument).status().is_ok();
    for long in [32_768, 400_000] {
        assert!(with(long).unwrap_err().contains(&format!("RunArgs has {long} bytes, and may have 32767")));
    }
    assert!(starts(&with(32_767).unwrap().run_args[0]));
    // The limit of exec, without the zero byte at the end.
    assert!(starts(&"a".repeat(131_071)) && !starts(&"a".repeat(400_000)));
}

#[test]
fn a_bot_that_cannot_be_started_is_found_out_before_the_match() {
    let folder = BotFolder::with_manifest(r#"{"BotType": "CPlusPlus", "ProjectLocation": "", "RunFile": "mine"}"#, "");
    let launch = || Launch::of(&Manifest::read(folder.path()).unwrap(), &Tools::on_path());
    assert!(matches!(launch(), Err(LaunchError::NoRunFile(_))));
    std::fs::write(folder.path().join("mine"), "#!/bin/sh\n").unwrap();
    let error = launch().unwrap_err();
    assert!(matches!(error, LaunchError::NotExecutable(_)));
    assert!(error.hint().contains("chmod +x"));
    let julia = r#"{"BotType": "Julia", "ProjectLocation": "", "RunFile": "mine"}"#;
    std::fs::write(folder.path().join("bot.json"), julia).unwrap();
    let error = Launch::of(&Manifest::read(folder.path()).unwrap(), &Tools::in_folders([])).unwrap_err();
    assert!(matches!(error, LaunchError::NoInterpreter { language: "Julia", .. }));
}

#[test]
fn each_language_runs_its_kind_of_file() {
    let start = |bot_type: &str, run_file: &str| {
        let manifest = serde_json::json!({ "BotType": bot_type, "ProjectLocation": "", "RunFile": run_file });
        let folder = BotFolder::with_manifest(&manifest.to_string(), "");
        std::fs::copy(fake_bot::program(), folder.path().join(run_file)).unwrap();
        match Launch::of(&Manifest::read(folder.path()).unwrap(), &Tools::on_path()) {
            Ok(launch) => launch.program().file_name().unwrap().to_str().unwrap().to_owned(),
            Err(LaunchError::NoInterpreter { programs, .. }) => programs[0].to_owned(),
            Err(error) => panic!("{bot_type}: {error}"),
        }
    };
    for direct in ["CPlusPlus", "Rust", "Golang", "CSharp", "FSharp"] {
        assert_eq!(start(direct, "native"), "native", "{direct}");
    }
    for net in ["CSharp", "FSharp"] {
        assert_eq!([start(net, "Bot.exe"), start(net, "Bot.EXE"), start(net, "Bot.dll")], ["mono", "mono", "dotnet"]);
    }
    let others = [("Java", "b.jar", "java"), ("Scala", "b.jar", "java"), ("JavaScript", "b.js", "node")];
    for (bot_type, run_file, program) in others.into_iter().chain([
        ("Python2", "b.py", "python2"),
        ("Python3", "b.py", "python3"),
        ("Julia", "b.jl", "julia"),
    ]) {
        assert_eq!(start(bot_type, run_file), program);
    }
}
