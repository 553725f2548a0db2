//! The attendance of the teams in a match: who is asked for a salvo, who is passed over, and who forfeits.
//!
//! A salvo without a shot is lost. The number of salvos that a team has lost in a row, and the time that ran out in its salvos, come
//! from the events of the match, so a match that is resumed counts on. The record has the answers: a fault for each lost salvo, and [`rules::Fault::GaveUp`] for a
//! forfeit. So the rules and `verify` need not know why a team was passed over.

use crate::options::Absence;
use crate::teams::{Presence, Teams};
use arena::{ArenaError, MatchEvent, Observer, Reply};
use platform::locks::lock;
use rules::salvo::{Event, Order, Salvo};
use rules::{BySeat, Fault, Seat};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The part of the time limit that a team has for each shot of a salvo at least: a fifth, as the first salvo has five shots.
const SHARE: u32 = 5;

/// The attendance of all teams of a match.
pub(crate) struct Attendance {
    absence: Absence,
    /// The time limit of a salvo.
    turn: Duration,
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
    /// The time that the team has taken for its present salvo.
    spent: Duration,
    /// True if the time of its latest shot ran out.
    is_late: bool,
    /// The time of salvos that ran out before the team had fired all shots, without what it has won back.
    overdue: Duration,
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
    /// The attendance of teams that have the time `turn` for a salvo.
    pub(crate) fn new(absence: Absence, turn: Duration, names: BySeat<String>, teams: Option<Teams>) -> Attendance {
        let seats = Mutex::new(names.map(|_| Attendee::default()));
        Attendance { absence, turn, names, teams, seats }
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

    /// The deadline of a shot that is awaited since `asked`, in a salvo that began at `begun`, and the fault of a team that misses
    /// it. It is the end of the salvo's time, or earlier for a team that has lost its connection or whose salvos have run out too
    /// often.
    pub(crate) fn deadline(&self, seat: Seat, begun: Instant, asked: Instant) -> (Instant, Fault) {
        let late = |limit| Fault::timed_out(limit, limit);
        let latest = (begun + self.turn, late(self.turn));
        let seats = lock(&self.seats);
        if !self.is_another_there(&seats, seat) {
            return latest;
        }
        let limit = self.limit_of_shot(&seats[seat]);
        let earlier = |one: (Instant, Fault), other: (Instant, Fault)| if other.0 < one.0 { other } else { one };
        let deadline = earlier(latest, (asked + limit, late(limit)));
        match self.presence(seat).0 {
            Presence::Gone(since) => {
                let back_by = since.max(begun) + self.absence.grace;
                earlier(deadline, (back_by, Fault::unreachable("it has no connection")))
            }
            _ => deadline,
        }
    }

    /// The time of all salvos together that may run out before a team has less for a shot: that of as many as it may lose in a
    /// row. `None` for no end.
    fn most_overdue(&self) -> Option<Duration> {
        self.absence.pass_after.map(|salvos| self.turn.saturating_mul(salvos))
    }

    /// The longest wait for a shot of a team: what is left of the time that may run out, but never less than its share of a salvo.
    fn limit_of_shot(&self, attendee: &Attendee) -> Duration {
        let left = self.most_overdue().map_or(self.turn, |most| most.saturating_sub(attendee.overdue));
        left.clamp(self.turn / SHARE, self.turn)
    }

    /// Counts the time of a reply.
    fn note_reply(&self, attendee: &mut Attendee, reply: &Reply<Order>) {
        attendee.spent += reply.time.map_or(Duration::ZERO, |time| time.wall);
        attendee.is_late = matches!(reply.answer, Err(Fault::TimedOut { .. } | Fault::Unreachable { .. }));
    }

    /// Counts the time of a salvo that is over. A salvo in which the team has fired all of its shots wins back one share.
    fn end_salvo(&self, attendee: &mut Attendee, shots: u8) {
        let spent = std::mem::take(&mut attendee.spent);
        attendee.overdue = if attendee.is_late {
            self.most_overdue().map_or(Duration::ZERO, |most| most.min(attendee.overdue + spent))
        } else {
            attendee.overdue.saturating_sub(self.turn / SHARE)
        };
        if shots == 0 {
            attendee.lost += 1;
        } else {
            (attendee.lost, attendee.lost_when_asked, attendee.is_last_asked) = (0, 0, false);
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

    /// True if the team is out of the match.
    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        lock(&self.seats)[seat].is_out
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
        let mut seats = lock(&self.seats);
        match event {
            MatchEvent::Answered { replies, .. } => {
                replies.iter().for_each(|(seat, reply)| self.note_reply(&mut seats[*seat], reply));
            }
            MatchEvent::Advanced { told, .. } => {
                for told in *told {
                    match &told.event {
                        Event::SalvoOver { seat, shots, .. } => self.end_salvo(&mut seats[*seat], *shots),
                        Event::Removed { seat, .. } | Event::Defeated { seat } => seats[*seat].is_out = true,
                        _ => {}
                    }
                }
            }
            MatchEvent::Opened { .. } | MatchEvent::Finished { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teams::Credentials;
    use arena::TimeUsed;

    const A: Seat = Seat::A;
    const B: Seat = Seat::B;
    const TURN: Duration = Duration::from_secs(30);

    fn attendance(absence: Absence, teams: Option<Teams>) -> Attendance {
        Attendance::new(absence, TURN, ["A", "B"].map(str::to_owned).into_iter().collect(), teams)
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
        let (now, limit) = (Instant::now(), TURN);
        let ends = |seat: Seat| attendance.deadline(seat, now, now).0.duration_since(now);
        connect(&teams, "B");
        assert_eq!(ends(A), limit, "the server has just been started, and its clients come again");
        connect(&teams, "A");
        assert_eq!(ends(A), limit);
        teams.disconnected("A", Some("A"));
        assert!(ends(A) < limit);
        teams.disconnected("B", Some("B"));
        assert_eq!(ends(A), limit, "nobody is there");
    }

    /// A team's salvo that takes so many seconds, of which it fires the first shot, and the others as well if it is `whole`.
    fn fires(attendance: &Attendance, whole: bool, seconds: u64) {
        let time = Some(TimeUsed { wall: Duration::from_secs(seconds), cpu: None });
        let order = Order::Fire { target: B, at: rules::Point::new(0, 0) };
        let answer = if whole { Ok(order) } else { Err(Fault::timed_out(TURN, TURN)) };
        let reply = Reply { answer, given: Vec::new(), time, run: None, notes: None };
        let mut seats = lock(&attendance.seats);
        attendance.note_reply(&mut seats[A], &reply);
        attendance.end_salvo(&mut seats[A], if whole { 5 } else { 1 });
    }

    #[test]
    fn whose_salvos_run_out_has_less_time_for_a_shot_until_it_fires_whole_ones() {
        let attendance = attendance(Absence::default(), None);
        let now = Instant::now();
        let limit = || attendance.deadline(A, now, now).0.duration_since(now).as_secs();
        fires(&attendance, true, 29);
        fires(&attendance, false, 30);
        assert_eq!(limit(), 30, "as much may run out as of two lost salvos");
        fires(&attendance, false, 20);
        assert_eq!(limit(), 10);
        (0..3).for_each(|_| fires(&attendance, false, 10));
        assert_eq!(limit(), 6, "a shot has a fifth at least");
        let (begun, asked) = (now, now + Duration::from_secs(26));
        assert_eq!(attendance.deadline(A, begun, asked).0, begun + TURN, "but never more than the salvo");
        let limits = [(); 6].map(|()| {
            fires(&attendance, true, 25);
            limit()
        });
        assert_eq!(limits, [6, 12, 18, 24, 30, 30]);
        let never = super::tests::attendance(Absence { pass_after: None, ..Absence::default() }, None);
        (0..100).for_each(|_| fires(&never, false, 30));
        assert_eq!(never.deadline(A, now, now).0, now + TURN);
    }
}
