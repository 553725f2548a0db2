//! The live page of a Salvo server.

use crate::browser::{Chromium, Tab};
use crate::salvo::server::{ClientProcess, ServerProcess};
use crate::table::signalled;
use std::process::Stdio;

/// The words of the first element of this kind.
fn words(tab: &Tab, selector: &str) -> String {
    tab.value(&format!("document.querySelector({selector:?}).textContent"))
}

#[test]
fn the_page_of_a_match_shows_whose_salvo_it_is_with_its_clock_and_the_salvos_before() {
    Chromium::run(|chromium| {
        let folder = tempfile::tempdir().unwrap();
        let options =
            ["--listen", "127.0.0.1:0", "--players", "2", "--matches", "1", "--turn-seconds", "600", "--live"];
        let mut server = ServerProcess::start(&folder.path().join("salvo"), &options);
        let live = server.live();
        let tab = chromium.open(&format!("http://{live}/"));
        tab.until("document.querySelector('#lobby h2')?.textContent === 'The lobby is open'");
        let random = ClientProcess::ours("Random", &server.url(), &["--with", "random"]);
        // A person whose standard input stays open and empty, so that the match waits.
        let mut person = signalled();
        person.args(["salvo", "join", "Person", "--with", "person", "--broker", &server.url()]);
        let mut person = person.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        server.says("The match begins");

        // The other team has had the first salvo, or has none before the person.
        tab.until("document.querySelector('#turn .whose')?.textContent.includes('Person')");
        tab.until("Number(document.querySelector('.seconds b')?.textContent ?? 600) < 600");
        assert!(words(&tab, ".pips").ends_with(" shots left"), "{}", words(&tab, ".pips"));
        assert_eq!(tab.value::<usize>("document.querySelectorAll('.card').length"), 2);
        assert!(words(&tab, ".words").contains(" begins"));
        assert!(!tab.value::<bool>("document.querySelector('#boards').checkVisibility()"));
        tab.assert_accessible();
        tab.assert_calm();

        // A server that is killed and started again goes on with the match and the page; the salvo has its whole time.
        let words_before = words(&tab, "#table .words");
        let address = server.address.clone();
        server.kill();
        tab.until("!document.querySelector('#connection').hidden");
        let options = ["--listen", &address, "--players", "2", "--matches", "1", "--turn-seconds", "700"];
        let live = format!("--live={live}");
        let mut server = ServerProcess::start(&folder.path().join("salvo"), &[&options[..], &[&live]].concat());
        server.says("The match goes on after");
        tab.until("document.querySelector('#connection').hidden");
        tab.until("Number(document.querySelector('.seconds b')?.textContent ?? 0) > 600");
        assert!(words(&tab, "#turn .whose").contains("Person"));
        assert_eq!(words(&tab, "#table .words"), words_before);
        tab.assert_accessible();
        person.kill().unwrap();
        person.wait().unwrap();
        drop(server);
        drop(random);
    });
}
