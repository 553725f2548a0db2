//! The state of a cluster.

use crate::show::text::names::padded;
use cluster::{Survey, WorkerState};
use unicode_width::UnicodeWidthStr;

/// The workers in columns, and the games of each head.
pub(crate) fn text(survey: &Survey) -> String {
    let mut text = String::new();
    if survey.workers.is_empty() {
        text.push_str("No worker answers: start `broadside worker` with the same address on a machine\n");
    } else {
        let heading = ["worker", "games/s", "jobs", "slots", "processors", "speed", "lag", "played"].map(str::to_owned);
        let rows: Vec<[String; 8]> = std::iter::once(heading).chain(survey.workers.iter().map(row)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
        for row in &rows {
            let cells: Vec<String> = row.iter().enumerate().map(|(at, cell)| padded(cell, width(at))).collect();
            text.push_str(&format!("{}\n", cells.join("  ").trim_end()));
        }
        for worker in &survey.workers {
            let name = &worker.name;
            text.push_str(&format!("{name}: {}\n", worker.labels.join(", ")));
            if worker.engine != survey.engine {
                let (theirs, ours) = (&worker.engine, &survey.engine);
                text.push_str(&format!("{name}: version and rules {theirs}, and this program has {ours}\n"));
            }
            if let Some(fault) = &worker.last_fault {
                text.push_str(&format!("{name}: last fault: {fault}\n"));
            }
        }
    }
    for queue in survey.queues.iter().filter(|queue| queue.waiting + queue.running > 0) {
        let needs = if queue.needs.is_empty() { "any worker".to_owned() } else { queue.needs.join(", ") };
        text.push_str(&format!(
            "Games of {} for {needs}: {} waiting, {} given out, {} of all again\n",
            queue.tournament, queue.waiting, queue.running, queue.again
        ));
    }
    text
}

fn row(worker: &WorkerState) -> [String; 8] {
    let machine = worker.machine;
    let name = worker.name.clone();
    [
        if worker.is_draining { format!("{name} (ends)") } else { name },
        format!("{:.1}", worker.games_per_second),
        worker.running.len().to_string(),
        worker.slots.to_string(),
        machine.processors.to_string(),
        format!("{:.0}", machine.speed),
        format!("{:.0} ms", machine.lag_ms),
        worker.games.to_string(),
    ]
}

/// The state as JSON.
pub(crate) fn json(survey: &Survey) -> String {
    format!("{}\n", serde_json::to_string_pretty(survey).expect("a survey has keys that are text"))
}
