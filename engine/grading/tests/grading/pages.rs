//! The pages for the teacher and for students, as texts and in a real browser.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::sample::{HIDDEN, NAMES, alike, class};
use grading::{Judgement, Marks, overview_page, student_page};

const SIZES: [(u32, u32); 3] = [(1400, 900), (820, 1100), (375, 800)];

fn texts(tab: &Tab<'_>, selector: &str) -> Vec<String> {
    tab.value(&format!("[...document.querySelectorAll({selector:?})].map((e) => e.textContent.trim())"))
}

/// Checks the width of the page in all sizes, the rules of accessibility in both themes, and that it needs no other file.
fn assert_fits(tab: &Tab<'_>, address: &str) {
    for (width, height) in SIZES {
        tab.resize(width, height);
        tab.until(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= innerWidth"));
    }
    tab.assert_accessible_in_both_themes();
    tab.assert_calm();
    assert_eq!(tab.requests(), [address]);
}

#[test]
fn a_page_for_a_student_names_no_student_and_nothing_hidden() {
    let marks = class(60);
    for student in &marks.students {
        let page = student_page(&marks, student);
        for other in
            marks.students.iter().map(|one| one.student.as_str()).chain([HIDDEN, "hidden bot", "Somebody Else"])
        {
            assert!(other == "Ann" || !page.contains(other), "{other}");
        }
        assert!(!page.contains("Ann<") && !page.contains(">Ann") && !page.contains("Weißenbühler"), "{page}");
        assert!(page.contains("Without hidden tests: given out later.") && page.contains(&student.pseudonym));
        let others = marks.students.iter().filter(|one| one.pseudonym != student.pseudonym);
        assert!(others.into_iter().all(|one| !page.contains(&one.pseudonym)));
        assert!(!page.contains("<script"), "it needs none");
    }
}

#[test]
fn foreign_texts_are_texts_on_all_pages() {
    let mut marks = class(9);
    marks.title = "</title><script>alert(1)</script>\u{202e}".to_owned();
    let wrong = "<img src=x onerror=alert(1)>\u{1b}\u{202e}\"'";
    for student in &mut marks.students {
        student.bot = wrong.to_owned();
        student.submitted = Some(wrong.to_owned());
        student.faults.insert(wrong.to_owned(), 1);
        student.marks[1].reason = wrong.to_owned();
        student.marks[1].command = Some(wrong.to_owned());
        student.marks[1].lost = Some("javascript:alert(1)".into());
        student.marks[2].lost = Some("../../up".into());
    }
    marks.criteria[0].name = wrong.to_owned();
    let pages = [overview_page(&marks, &alike()), student_page(&marks, &marks.students[4])];
    for page in pages {
        assert!(!page.contains("<img") && !page.contains("<script>alert"), "{page}");
        assert!(
            !page.contains(['\u{202e}', '\u{1b}']) && !page.contains("href=\"javascript:") && !page.contains("/up")
        );
        assert!(page.contains("javascript%3Aalert%281%29"));
    }
}

#[test]
fn the_page_for_the_teacher_has_broken_bots_first_and_all_students_in_a_table() {
    let marks = class(200);
    let page_file = SavedPage::new(&overview_page(&marks, &alike()));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        assert_eq!(
            texts(&tab, "main > section > h2"),
            ["Summary", "Bots that do not play", "Near a line", "Students", "Look at these", "One by one"]
        );
        let broken = marks.students.iter().filter(|one| one.failing.is_some()).count();
        assert_eq!(texts(&tab, "section[aria-labelledby=broken] .log").len(), broken);
        let near = marks.students.iter().flat_map(|one| &one.marks).filter(|mark| mark.judgement.is_near()).count();
        assert_eq!(texts(&tab, "section[aria-labelledby=near] tbody tr").len(), near);
        let students = "section[aria-labelledby=students]";
        assert_eq!(texts(&tab, &format!("{students} tbody tr")).len(), 200);
        let drawn: usize = texts(&tab, ".histogram svg text").iter().map(|count| count.parse::<usize>().unwrap()).sum();
        assert_eq!(drawn, 200);
        assert!(texts(&tab, "section[aria-labelledby=alike] .hint")[0].contains("not a verdict"));

        // The head stays where it is, and the points sort the table.
        let head = format!("document.querySelector('{students} thead th').getBoundingClientRect().top");
        let top: f64 = tab.value(&head);
        let _: f64 = tab.value(&format!("document.querySelector('{students} .scroll').scrollTop = 3000"));
        assert!((tab.value::<f64>(&head) - top).abs() < 2.0);
        tab.click(&format!("{students} thead th:nth-child(2) button"));
        let points = texts(&tab, &format!("{students} tbody td:nth-child(2)"));
        let points: Vec<f64> = points.iter().map(|text| text.parse().unwrap()).collect();
        assert!(points.is_sorted_by(|one, next| one >= next) && points[0] > points[199], "{points:?}");

        // A name leads to all that is known.
        tab.visit(&format!("#{}", marks.students[7].pseudonym));
        tab.until("[...document.querySelectorAll('details')].map((one) => one.open).indexOf(true) === 7");
    });
}

#[test]
fn pages_fit_all_screens_and_can_be_read_by_all() {
    let mut marks = class(24);
    let words = "a reason of many words ".repeat(27);
    marks.students[1].marks[1].reason = words[..600].to_owned();
    marks.students[1].bot = "B".repeat(120);
    let page = |page: &str| SavedPage::new(page);
    let files = [
        page(&overview_page(&marks, &alike())),
        page(&student_page(&marks, &marks.students[1])),
        page(&student_page(&marks, &marks.students[4])),
    ];
    Chromium::run(|chromium| {
        for file in &files {
            let tab = chromium.open(&file.address(""));
            let _: bool =
                tab.value("(document.querySelectorAll('details').forEach((one) => { one.open = true; }), true)");
            assert_fits(&tab, &file.address(""));
            // On a large screen only the part below the head scrolls.
            tab.resize(1400, 900);
            tab.until("document.documentElement.scrollHeight === 900");
        }
    });
}

#[test]
fn the_signs_tell_the_judgements_without_colours() {
    let marks = class(40);
    let page_file = SavedPage::new(&overview_page(&marks, &alike()));
    Chromium::run(|chromium| {
        let tab = chromium.open(&page_file.address(""));
        let signs = texts(&tab, "section[aria-labelledby=students] td .sign");
        let judged = marks.students.iter().flat_map(|one| &one.marks).map(|mark| match mark.judgement {
            Judgement::Met => "✓",
            Judgement::NotMet => "✗",
            Judgement::NearlyMet | Judgement::NearlyNotMet => "≈",
            Judgement::Open => "–",
        });
        assert_eq!(signs, judged.collect::<Vec<_>>());
        assert!(texts(&tab, "section[aria-labelledby=alike]")[0].starts_with("Look at these\n"));
    });
}

#[test]
fn a_class_without_students_and_a_plan_without_criteria_have_pages() {
    let nobody = Marks { students: Vec::new(), ..class(0) };
    let page = overview_page(&nobody, &alike());
    assert!(page.contains("Students") && !page.contains("median"));
    let mut marks = class(2);
    marks.criteria.clear();
    marks.students.iter_mut().for_each(|one| one.marks.clear());
    assert!(overview_page(&marks, &alike()).contains(NAMES[1]));
    assert!(!student_page(&marks, &marks.students[0]).contains("hidden tests"));
}
