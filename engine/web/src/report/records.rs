//! Links to the records that were kept.

use super::course::Course;
use super::text::{inside, name};
use crate::Escaped;
use std::fmt::Write as _;
use tournament::Standing;

pub(super) fn write(out: &mut String, course: &Course, bots: &[Standing<'_>]) {
    let (records, more) = course.records();
    let mut records = records.peekable();
    if records.peek().is_none() {
        return;
    }
    out.push_str(
        "<section aria-labelledby=\"records\"><h2 id=\"records\">Records</h2>\n<p class=\"hint\">Games that can be watched: \
         <code>broadside replay RECORD</code>. The links work where this page lies in the folder of the tournament.",
    );
    if more > 0 {
        let _ = write!(out, " There are {more} more in it.");
    }
    out.push_str(
        "</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"records\"><table>\n<caption class=\"unseen\">Records, of games with faults first</caption>\n<thead><tr><th scope=\"col\" class=\"text\">record</th><th scope=\"col\" class=\"text\">seat \
         A</th><th scope=\"col\" class=\"text\">seat B</th><th scope=\"col\">game</th><th scope=\"col\" \
         class=\"text\">winner</th><th scope=\"col\" class=\"text\">faults</th></tr></thead>\n<tbody>\n",
    );
    let name = |number: usize| bots.iter().find(|bot| bot.number == number).map(name).unwrap_or_default();
    for game in records {
        let file = Escaped(&game.record);
        let _ = match inside(&game.record) {
            Some(address) => {
                write!(out, "<tr><th scope=\"row\" class=\"text\"><a href=\"./{address}\">{file}</a></th>")
            }
            None => write!(out, "<tr><th scope=\"row\" class=\"text\">{file}</th>"),
        };
        for entrant in game.fixture.seated() {
            let _ = write!(out, "<td class=\"text\">{}</td>", name(entrant));
        }
        let winner = game.winner.map_or_else(|| "draw".to_owned(), name);
        let _ = write!(out, "<td>{}</td><td class=\"text\">{winner}</td><td class=\"text\">", game.fixture.number + 1);
        for (nth, (entrant, kind, count)) in game.faults.iter().enumerate() {
            let comma = if nth > 0 { ", " } else { "" };
            let _ = write!(out, "{comma}{}: {count} {}", name(*entrant), Escaped(kind));
        }
        if let Some(why) = &game.suspect {
            let _ = write!(out, " <span class=\"doubt\" title=\"{}\">suspect</span>", Escaped(why));
        }
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody></table></div></section>\n");
}
