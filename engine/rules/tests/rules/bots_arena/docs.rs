//! The page for authors of bots shows what is really sent and read.

use super::requests::sample;

const PAGE: &str = include_str!("../../../../../docs/protocols/bots-arena.md");

#[test]
fn the_examples_on_the_page_are_the_samples() {
    let flat = |text: &str| text.split_whitespace().collect::<String>();
    let page = flat(PAGE);
    for sample in [
        sample!("form/init.form"),
        sample!("form/init.answer"),
        sample!("form/fight-3.form"),
        sample!("form/fight-3.txt"),
        sample!("form/fight.answer"),
        sample!("json/init.json"),
        sample!("json/init.answer"),
        sample!("json/play-turn-3.json"),
        sample!("json/play-turn.answer"),
    ] {
        assert!(page.contains(&flat(sample)), "the page lacks {sample}");
    }
}
