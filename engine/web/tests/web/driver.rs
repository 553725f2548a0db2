//! The browser in which the other tests open pages.

use crate::browser::{Chromium, SavedPage};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A page with no pictures but those in files, which runs this script before it is ready.
fn saved(script: &str) -> SavedPage {
    SavedPage::new(&format!(
        "<!doctype html><meta http-equiv=Content-Security-Policy content='img-src file:'>\
         <body><script>{script}; document.body.dataset.ready = ''</script>"
    ))
}

fn fails<T>(work: impl FnOnce() -> T) -> bool {
    catch_unwind(AssertUnwindSafe(work)).is_err()
}

#[test]
fn a_page_that_is_not_calm_is_noticed() {
    let deeds = [
        ("console.error('an error')", "an error"),
        ("console.log('a note', 7)", "a note"),
        ("throw new Error('an exception')", "an exception"),
        ("Promise.reject(new Error('a rejection'))", "a rejection"),
        ("new Image().src = 'http://127.0.0.1/picture.png'", "Content Security Policy"),
        ("alert('an alert')", "an alert"),
        ("if (confirm('a question')) alert('agreed')", "a question"),
    ];
    let page_file = saved("");
    Chromium::run(|chromium| {
        let calm = chromium.open(&page_file.address(""));
        for (deed, complaint) in deeds {
            let tab = chromium.open(&page_file.address(""));
            tab.assert_calm();
            tab.value::<()>(&format!("new Promise((done) => {{ setTimeout(() => {{ {deed} }}); setTimeout(done); }})"));
            let complaints = tab.complaints();
            assert!(complaints.len() == 1 && complaints[0].contains(complaint), "{deed}: {complaints:?}");
            assert!(fails(|| tab.assert_calm()));
        }
        calm.assert_calm();
    });
}

#[test]
fn a_request_is_recorded() {
    let page_file =
        saved("new Image().src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='; new Image().src = 'page.html?'");
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address("#part"));
        assert_eq!(tab.requests(), [page_file.address(""), page_file.address("?")]);
    });
}

#[test]
fn a_wrong_expression_and_a_wrong_address_fail() {
    let page_file = saved("");
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        for expression in ["nothing.there", "Promise.reject('no')", "undefined", "'a text'"] {
            assert!(fails(|| tab.value::<u32>(expression)), "{expression}");
        }
        assert!(fails(|| chromium.open(&page_file.address(".not"))));
        tab.assert_calm();
    });
}
