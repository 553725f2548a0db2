//! The report of `broadside dev` after the games of a version.

use super::result::ending;
use super::{Names, board, mean_points, printable};
use crate::show::text::colours::Colours;
use crate::show::text::names::{cut, padded};
use crate::show::text::output::printable_output;
use arena::MatchHistory;
use platform::terminal;
use rules::Eye;
use std::fmt::{self, Write};
use std::fs;
use std::io;
use std::path::Path;
use tournament::{GameLine, ScoreTable, WinDrawLoss};
use unicode_width::UnicodeWidthStr;

/// The score of the bot, which is entrant 0 of the table, against one opponent.
pub(crate) struct OpponentScore {
    /// The games against it.
    pub(crate) games: WinDrawLoss,
    /// The points in these games, the bot's and the opponent's.
    pub(crate) points: [u64; 2],
    /// The same games of the version before, and their points; `None` if there is none, or for the version before itself.
    pub(crate) before: Option<(WinDrawLoss, [u64; 2])>,
}

/// The games of one version of a bot.
pub(crate) struct DevReport<'a> {
    /// The number of the version, counted from 1.
    pub(crate) version: u32,
    /// The bot, its opponents and their games.
    pub(crate) table: &'a ScoreTable,
    /// The scores by opponent.
    pub(crate) scores: Vec<OpponentScore>,
    /// The folder of the bot's first fault bundle, if there is one.
    pub(crate) fault: Option<&'a Path>,
    /// True if not all games were played, because the bot lost every turn of one.
    pub(crate) ended_early: bool,
    /// The record of the first game that the bot lost.
    pub(crate) lost: Option<&'a Path>,
    /// The last game and its course.
    pub(crate) last: Option<(&'a GameLine, Box<dyn MatchHistory>)>,
}

/// The most columns of an opponent's name.
const WIDEST: usize = 30;
/// The most lines of standard error that are quoted. A SyntaxError of Python needs four: the first names the file and line.
const QUOTED: usize = 4;

impl DevReport<'_> {
    fn name(&self, at: usize) -> String {
        cut(&printable(&self.table.entrants()[at].name), WIDEST)
    }

    fn scores_told(&self, f: &mut String) -> fmt::Result {
        let names: Vec<String> = (1..=self.scores.len()).map(|at| self.name(at)).collect();
        let width = names.iter().map(|name| name.width()).max().unwrap_or_default().max("against".len());
        writeln!(f, "  {}   won  drawn  lost   score  before", padded("against", width))?;
        for (name, score) in names.iter().zip(&self.scores) {
            let games = &score.games;
            let points = points(games);
            let before = score.before.as_ref().map(|(before, _)| {
                let earlier = self::points(before);
                format!("  {earlier:>6.1}  {:+.1}", points - earlier)
            });
            writeln!(
                f,
                "  {}  {:>4}  {:>5}  {:>4}  {points:>6.1}{}",
                padded(name, width),
                games.wins,
                games.draws,
                games.losses,
                before.unwrap_or_default()
            )?;
            if let Some(mean) = mean_points(games, score.points, self.table.scoring()) {
                let before = score.before.as_ref().map(|(games, points)| {
                    let [own, others] = points.map(|sum| sum as f64 / games.games().max(1) as f64);
                    format!(", before {own:.0} to {others:.0}")
                });
                writeln!(f, "    {mean}{}", before.unwrap_or_default())?;
            }
        }
        let Some(lost) = self.lost else { return Ok(()) };
        writeln!(f, "  to watch a lost game:\n  broadside replay {}", printable(&players::shell_word(lost)))
    }

    fn faults_told(&self, f: &mut String) -> fmt::Result {
        let faults = &self.table.rows()[0].faults;
        let lost: u64 = faults.values().sum();
        if lost == 0 {
            return Ok(());
        }
        let kinds: Vec<String> = faults.iter().map(|(kind, count)| format!("{count} {}", printable(kind))).collect();
        let turns = if lost == 1 { "1 turn was".to_owned() } else { format!("{lost} turns were") };
        writeln!(f, "  {turns} lost: {}", kinds.join(", "))?;
        if self.ended_early {
            writeln!(f, "  every turn of a game was lost, so no further games were played")?;
        }
        self.fault.map_or(Ok(()), |bundle| writeln!(f, "{}", FirstFault(bundle)))
    }

    /// The board of the last game in at most so many rows.
    fn last_told(&self, rows: usize) -> Vec<String> {
        let Some((line, history)) = &self.last else { return Vec::new() };
        let names = line.fixture.seated().map(|at| self.name(at));
        let names = Names::of_players(names.iter().map(String::as_str));
        let scene = history.scene(history.scenes().saturating_sub(1), Eye::Referee);
        let columns = terminal::size().map_or(80, |size| size.columns);
        let colours = Colours::for_stream(&io::stdout());
        let mut lines = board::lines_within(&scene, &names, colours, columns, rows.saturating_sub(1));
        if let Some(title) = lines.first_mut() {
            *title = format!("The last game: {title}");
        }
        lines.push(ending(Some(&line.outcome), &names));
        lines
    }

    fn told(&self, f: &mut String) -> fmt::Result {
        let row = &self.table.rows()[0];
        let time = row.times.quantile(0.5).zip(row.times.quantile(1.0));
        let time = time.map(|(middle, most)| format!(", {middle:.0} ms per turn (most {most:.0})"));
        writeln!(f, "{}, version {}{}", self.name(0), self.version, time.unwrap_or_default())?;
        self.scores_told(f)?;
        self.faults_told(f)
    }
}

/// The end of what a bot said in the turn of a fault bundle, and the path of its report.
pub(crate) struct FirstFault<'a>(pub(crate) &'a Path);

impl fmt::Display for FirstFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = fs::read(self.0.join("stderr.txt")).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        for line in &lines[lines.len().saturating_sub(QUOTED)..] {
            writeln!(f, "    | {}", printable_output(line))?;
        }
        write!(f, "    see {}", printable(&self.0.join("report.txt").display().to_string()))
    }
}

/// The board comes first: what is at the top of a small terminal may be pushed out.
impl fmt::Display for DevReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = String::new();
        self.told(&mut told)?;
        // The last two rows are for what is being done, and for the cursor.
        let rows = terminal::size().map_or(usize::MAX, |size| size.rows.saturating_sub(told.lines().count() + 3));
        self.last_told(rows).iter().try_for_each(|line| writeln!(f, "{line}"))?;
        writeln!(f, "\n{}", told.trim_end())
    }
}

/// The points of the games: one for each that was won, half a point for a draw.
fn points(games: &WinDrawLoss) -> f64 {
    games.wins as f64 + games.draws as f64 / 2.0
}
