//! The contest and the bot that are meant, where the command line does not say so.

use super::server_api::Contest;
use crate::failure::Failure;

/// The contest of this name, or the only one.
///
/// # Errors
/// [`Failure::Usage`] that lists the contests.
pub(super) fn chosen_contest(contests: Vec<Contest>, named: Option<&str>, url: &str) -> Result<Contest, Failure> {
    let listed = contests.iter().map(Contest::title_and_name).collect::<Vec<_>>().join(", ");
    let count = contests.len();
    let mut fitting = contests.into_iter().filter(|contest| named.is_none_or(|name| contest.name == name));
    let what = match (named, fitting.next()) {
        (Some(_), Some(contest)) => return Ok(contest),
        (None, Some(contest)) if count == 1 => return Ok(contest),
        (_, None) if count == 0 => {
            return Err(Failure::Usage {
                what: format!("there is no contest on {url}"),
                hint: "ask who runs the server when a contest begins".to_owned(),
            });
        }
        (Some(name), None) => format!("there is no contest {name} on {url}"),
        (None, _) => format!("there are {count} contests on {url}"),
    };
    Err(Failure::Usage { what, hint: format!("name one with --contest: {listed}") })
}

/// The bot of this name, or the only one whose token is kept; `None` if there is none.
///
/// # Errors
/// [`Failure::Usage`] that lists the bots whose tokens are kept.
pub(super) fn chosen_bot(named: Option<&str>, kept: &[&str], url: &str) -> Result<Option<String>, Failure> {
    match (named, kept) {
        (Some(name), _) => Ok(Some(name.to_owned())),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some((*only).to_owned())),
        (None, several) => Err(Failure::Usage {
            what: format!("{} bots on {url} were handed in from here", several.len()),
            hint: format!("name one with --bot: {}", several.join(", ")),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://localhost:3000";

    fn contests(names: &[&str]) -> Vec<Contest> {
        names.iter().map(|name| Contest { name: (*name).to_owned(), title: format!("The {name} contest") }).collect()
    }

    #[test]
    fn a_contest_is_the_only_one_or_the_one_that_is_named() {
        let chosen = |names: &[&str], named| match chosen_contest(contests(names), named, URL) {
            Ok(contest) => contest.name,
            Err(failure) => format!("{failure}; {}", failure.hint().unwrap_or_default()),
        };
        assert_eq!(chosen(&["autumn"], None), "autumn");
        assert_eq!(chosen(&["autumn", "winter"], Some("winter")), "winter");
        assert_eq!(
            chosen(&["autumn", "winter"], None),
            "there are 2 contests on http://localhost:3000; name one with --contest: The autumn contest (autumn), The winter \
             contest (winter)"
        );
        assert_eq!(
            chosen(&["autumn"], Some("winter")),
            "there is no contest winter on http://localhost:3000; name one with --contest: The autumn contest (autumn)"
        );
        assert!(chosen(&[], Some("winter")).starts_with("there is no contest on http://localhost:3000; "));
        assert!(chosen(&[], None).starts_with("there is no contest on http://localhost:3000; "));
    }

    #[test]
    fn a_bot_is_the_one_that_is_named_or_the_only_one_with_a_token() {
        let chosen = |named, kept: &[&str]| chosen_bot(named, kept, URL);
        assert_eq!(chosen(Some("Kraken"), &["Deep Water"]).unwrap().as_deref(), Some("Kraken"));
        assert_eq!(chosen(None, &["Deep Water"]).unwrap().as_deref(), Some("Deep Water"));
        assert_eq!(chosen(None, &[]).unwrap(), None);
        let refused = chosen(None, &["Deep Water", "Kraken"]).unwrap_err();
        assert_eq!(refused.hint().as_deref(), Some("name one with --bot: Deep Water, Kraken"));
    }
}
