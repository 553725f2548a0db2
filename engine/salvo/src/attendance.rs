//! The attendance of the teams in a match: who is asked for a salvo, who is passed over, and who forfeits.
//!
//! A salvo without a shot is lost. The number of salvos that a team has lost in a row comes from the events of the match, so a
//! match that is resumed counts on. The record has the answers: a fault for each lost salvo, and [`rules::Fault::GaveUp`] for a
//! forfeit. So the rules and `verify` need not know why a team was passed over.

use crate::options::Absence;
use crate::teams::{Presence, Teams};
use arena::{ArenaError, MatchEvent, Observer};
use platform::locks::lock;
use rules::salvo::{Event, Salvo};
use rules::{BySeat, Seat};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The attendance of all teams of a match.
pub(crate) struct Attendance {
    absence: Absence,
    names: BySeat<String>,
    /// The connections of the teams; `None` if the broker does not tell them.
    teams: Option<Teams>,
    seats: Mutex<BySeat<Attendee>>,
}

/// The attendance of one team.
#[derive(Debug, Clone, Default)]
struct Attendee {
    is_out: bool,
    /// True if the administrator has removed the team.
    is_kicked: bool,
    /// The number of salvos in a row that the team has lost.
    lost: u32,
    /// The number of salvos that the team had lost in a row after it was asked last, if it lost that one, too.
    lost_when_asked: u32,
    /// True if the team was asked once more before it forfeits.
    is_last_asked: bool,
    /// True if a message of the team has come since it was asked last.
    has_sent: bool,
    /// The number of the team's connections, open and closed, when it was asked last.
    logins: u64,
}

/// The handling of a team's salvo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// The team is asked for its shots.
    Ask,
    /// The salvo is lost at once: the team has lost this many in a row.
    PassOver { lost: u32 },
    /// The team is out: it has lost this many salvos in a row.
    Forfeit { lost: u32 },
    /// The team is out: the administrator has removed it.
    Kicked,
}

impl Attendance {
    pub(crate) fn new(absence: Absence, names: BySeat<String>, teams: Option<Teams>) -> Attendance {
        let seats = Mutex::new(names.map(|_| Attendee::default()));
        Attendance { absence, names, teams, seats }
    }

    /// Decides how the salvo of a team is handled that begins now. As long as no other team is there, a team is asked: a failure
    /// of the network or the broker must not end a match in a moment.
    ///
    /// A passed-over team is asked again when it is back, which a message or a new connection shows. If the broker does not tell
    /// connections, that is tried. A team that loses that salvo, too, has to lose twice as many before the next attempt, so that
    /// one that is always late costs a few turns and not one in each round. A team that is back is asked once more before it
    /// forfeits, however many it would have to lose.
    pub(crate) fn call(&self, seat: Seat) -> Call {
        let mut seats = lock(&self.seats);
        let is_alone = !self.is_another_there(&seats, seat);
        let (presence, logins) = self.presence(seat);
        let Absence { pass_after, forfeit_after, .. } = self.absence;
        let attendee = &mut seats[seat];
        let lost = attendee.lost;
        if attendee.is_kicked {
            return Call::Kicked;
        }
        if !is_alone {
            let may_be_back = match presence {
                Presence::Unknown => true,
                Presence::Connected => attendee.has_sent || logins != attendee.logins,
                Presence::Gone(_) | Presence::NotYet => attendee.has_sent,
            };
            let has_lost = |most: Option<u32>| most.is_some_and(|most| lost >= most);
            let forfeits = has_lost(forfeit_after);
            let is_due =
                if forfeits { !attendee.is_last_asked } else { lost >= attendee.lost_when_asked.saturating_mul(2) };
            if forfeits && !(may_be_back && is_due) {
                return Call::Forfeit { lost };
            }
            if has_lost(pass_after) && !(may_be_back && is_due) {
                return Call::PassOver { lost };
            }
            attendee.is_last_asked = forfeits;
        }
        (attendee.lost_when_asked, attendee.has_sent, attendee.logins) = (lost + 1, false, logins);
        Call::Ask
    }

    /// The deadline of a salvo that began at `begun`: after `limit`, or earlier for a team that has lost its connection.
    pub(crate) fn deadline(&self, seat: Seat, begun: Instant, limit: Duration) -> Instant {
        let latest = begun + limit;
        match self.presence(seat).0 {
            Presence::Gone(since) if self.is_another_there(&lock(&self.seats), seat) => {
                latest.min(since.max(begun) + self.absence.grace)
            }
            _ => latest,
        }
    }

    /// Notes that a message of the team has come.
    pub(crate) fn has_sent(&self, seat: Seat) {
        lock(&self.seats)[seat].has_sent = true;
    }

    /// Lets the team's next salvo be its end.
    pub(crate) fn kick(&self, seat: Seat) {
        lock(&self.seats)[seat].is_kicked = true;
    }

    /// True if the administrator has removed the team.
    pub(crate) fn is_kicked(&self, seat: Seat) -> bool {
        lock(&self.seats)[seat].is_kicked
    }

    fn presence(&self, seat: Seat) -> (Presence, u64) {
        self.teams.as_ref().map_or((Presence::Unknown, 0), |teams| teams.presence(&self.names[seat]))
    }

    /// True if a team in another seat is in the game, is not passed over, and may be connected.
    fn is_another_there(&self, seats: &BySeat<Attendee>, seat: Seat) -> bool {
        let is_there = |(other, attendee): (Seat, &Attendee)| {
            let is_passed_over = self.absence.pass_after.is_some_and(|most| attendee.lost >= most);
            let may_be_connected = || matches!(self.presence(other).0, Presence::Unknown | Presence::Connected);
            other != seat && !attendee.is_out && !is_passed_over && may_be_connected()
        };
        seats.iter().any(is_there)
    }
}

impl Observer<Salvo> for &Attendance {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        let MatchEvent::Advanced { told, .. } = event else { return Ok(()) };
        let mut seats = lock(&self.seats);
        for told in *told {
            match &told.event {
                Event::SalvoOver { seat, shots: 0, .. } => seats[*seat].lost += 1,
                Event::SalvoOver { seat, .. } => {
                    let attendee = &mut seats[*seat];
                    (attendee.lost, attendee.lost_when_asked, attendee.is_last_asked) = (0, 0, false);
                }
                Event::Removed { seat, .. } | Event::Defeated { seat } => seats[*seat].is_out = true,
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teams::Credentials;

    const A: Seat = Seat::A;
    const B: Seat = Seat::B;

    fn attendance(absence: Absence, teams: Option<Teams>) -> Attendance {
        Attendance::new(absence, ["A", "B"].map(str::to_owned).into_iter().collect(), teams)
    }

    /// The calls for so many salvos of A, all of which it loses. B loses none.
    fn calls(attendance: &Attendance, salvos: usize) -> Vec<Call> {
        let lose = |_| {
            let call = attendance.call(A);
            lock(&attendance.seats)[A].lost += 1;
            call
        };
        (0..salvos).map(lose).collect()
    }

    fn connect(teams: &Teams, name: &str) {
        let team = Credentials::new(name, "x").unwrap();
        teams.join(&team).unwrap();
        teams.authenticate(name, true, Some(&team)).unwrap();
        teams.connected(name, Some(name));
    }

    #[test]
    fn a_silent_team_is_passed_over_and_forfeits() {
        let teams = Teams::default();
        ["A", "B"].iter().for_each(|name| connect(&teams, name));
        let few = Absence { pass_after: Some(2), forfeit_after: Some(4), ..Absence::default() };
        let passed = |lost| Call::PassOver { lost };
        let expected = [Call::Ask, Call::Ask, passed(2), passed(3), Call::Forfeit { lost: 4 }];
        assert_eq!(calls(&attendance(few, Some(teams.clone())), 5), expected);
        let never = Absence { pass_after: None, forfeit_after: None, ..few };
        assert_eq!(calls(&attendance(never, Some(teams)), 200), [Call::Ask; 200]);
    }

    #[test]
    fn who_is_always_late_is_asked_less_and_less_often() {
        // The broker does not tell who is back, so it is tried.
        let attendance = attendance(Absence { forfeit_after: None, ..Absence::default() }, None);
        let calls = calls(&attendance, 100);
        let asked: Vec<usize> = (0..100).filter(|at| calls[*at] == Call::Ask).collect();
        assert_eq!(asked, [0, 1, 4, 10, 22, 46, 94]);
    }

    #[test]
    fn who_is_back_is_asked_again() {
        let teams = Teams::default();
        ["A", "B"].iter().for_each(|name| connect(&teams, name));
        let attendance = attendance(Absence::default(), Some(teams.clone()));
        assert_eq!(calls(&attendance, 5)[4], Call::PassOver { lost: 4 });
        attendance.has_sent(A);
        assert_eq!(calls(&attendance, 2), [Call::Ask, Call::PassOver { lost: 6 }]);
        calls(&attendance, 5);
        teams.disconnected("A", Some("A"));
        connect(&teams, "A");
        assert_eq!(calls(&attendance, 2), [Call::Ask, Call::PassOver { lost: 13 }]);
    }

    #[test]
    fn nobody_is_passed_over_while_nobody_else_is_there() {
        let teams = Teams::default();
        ["A", "B"].iter().for_each(|name| connect(&teams, name));
        let attendance = attendance(Absence::default(), Some(teams.clone()));
        teams.disconnected("B", Some("B"));
        assert_eq!(calls(&attendance, 200), [Call::Ask; 200]);
        connect(&teams, "B");
        lock(&attendance.seats)[B].lost = 2;
        assert_eq!(calls(&attendance, 1), [Call::Ask], "B is passed over itself");
        lock(&attendance.seats)[B].lost = 0;
        assert_eq!(calls(&attendance, 1), [Call::Forfeit { lost: 201 }]);
    }

    #[test]
    fn a_team_without_a_connection_has_a_short_time() {
        let teams = Teams::default();
        for name in ["A", "B"] {
            teams.restore(&Credentials::new(name, "x").unwrap()).unwrap();
        }
        let attendance = attendance(Absence::default(), Some(teams.clone()));
        let (now, limit) = (Instant::now(), Duration::from_secs(30));
        let ends = |seat: Seat| attendance.deadline(seat, now, limit).duration_since(now);
        connect(&teams, "B");
        assert_eq!(ends(A), limit, "the server has just been started, and its clients come again");
        connect(&teams, "A");
        assert_eq!(ends(A), limit);
        teams.disconnected("A", Some("A"));
        assert!(ends(A) < limit);
        teams.disconnected("B", Some("B"));
        assert_eq!(ends(A), limit, "nobody is there");
    }
}
