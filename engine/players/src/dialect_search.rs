//! Bots over HTTP whose dialect is not known: it is found out by the first question of a match.

use crate::OverHttp;
use crate::bot::exchange;
use crate::http::{BotUrl, Http};
use arena::{ArenaError, Ask, Player, Reply};
use platform::locks::lock;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The dialects in which bots have answered, by their URLs, so that the next match asks in them first.
///
/// ```
/// use players::FoundDialects;
/// use rules::bots_arena::BotsArena;
///
/// let found = FoundDialects::<BotsArena>::default();
/// assert_eq!(found.name_of(&"http://localhost:4000".parse()?), None);
/// # Ok::<(), players::http::UrlError>(())
/// ```
pub struct FoundDialects<G: OverHttp> {
    by_url: Arc<Mutex<HashMap<BotUrl, G::Speech>>>,
}

impl<G: OverHttp> Clone for FoundDialects<G> {
    /// Another handle to the same dialects.
    fn clone(&self) -> FoundDialects<G> {
        FoundDialects { by_url: Arc::clone(&self.by_url) }
    }
}

impl<G: OverHttp> fmt::Debug for FoundDialects<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FoundDialects").field(&self.by_url).finish()
    }
}

impl<G: OverHttp> Default for FoundDialects<G> {
    fn default() -> FoundDialects<G> {
        FoundDialects { by_url: Arc::default() }
    }
}

impl<G: OverHttp> FoundDialects<G> {
    /// The name of the dialect in which the bot at `url` has answered; `None` if it has not.
    pub fn name_of(&self, url: &BotUrl) -> Option<&'static str> {
        self.of(url).and_then(G::name_of)
    }

    fn of(&self, url: &BotUrl) -> Option<G::Speech> {
        lock(&self.by_url).get(url).copied()
    }

    /// Keeps the dialect. True if another or none was known.
    fn keep(&self, url: &BotUrl, speech: G::Speech) -> bool {
        let mut by_url = lock(&self.by_url);
        by_url.insert(url.clone(), speech).and_then(G::name_of) != G::name_of(speech)
    }

    /// `dialects` in the order in which the bot at `url` is asked: the one that it has answered in, then as given.
    pub(crate) fn sort(&self, url: &BotUrl, dialects: &mut [G::Speech]) {
        if let Some(known) = self.of(url) {
            dialects.sort_by_key(|speech| G::name_of(*speech) != G::name_of(known));
        }
    }
}

/// Receives the URL of a bot and the name of its dialect when that is found out.
pub type OnDialectFound = Arc<dyn Fn(&BotUrl, &'static str) + Send + Sync>;

/// A bot over HTTP that is asked the first question of a match in one dialect after the other, until its answer belongs to
/// the dialect. It is asked all other questions in that one.
pub(crate) struct DialectSearch<G: OverHttp> {
    pub(crate) dialects: Vec<(G::Speech, G::HttpDialect)>,
    /// The place of the dialect that was found.
    pub(crate) chosen: Option<usize>,
    pub(crate) http: Http,
    pub(crate) url: BotUrl,
    pub(crate) found: FoundDialects<G>,
    pub(crate) on_found: OnDialectFound,
}

impl<G: OverHttp> Player<G> for DialectSearch<G> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        if let Some(at) = self.chosen {
            return exchange(&self.dialects[at].1, &mut self.http, ask);
        }
        let (at, reply) = self.search(ask)?;
        self.chosen = Some(at);
        let speech = self.dialects[at].0;
        if reply.answer.is_ok()
            && self.found.keep(&self.url, speech)
            && let Some(name) = G::name_of(speech)
        {
            (self.on_found)(&self.url, name);
        }
        Ok(reply)
    }
}

impl<G: OverHttp> DialectSearch<G> {
    /// The first dialect whose own answer the bot gives; else the first to which it answers with an order that the rules
    /// obey; else the first of all. With the reply to it.
    fn search(&mut self, ask: &Ask<'_, G>) -> Result<(usize, Reply<G::Order>), ArenaError> {
        let (mut obeyed, mut first) = (None, None);
        for (at, (speech, dialect)) in self.dialects.iter().enumerate() {
            let reply = exchange(dialect, &mut self.http, ask)?;
            match &reply.answer {
                Ok(_) if G::answers_in(*speech, &reply.given) => return Ok((at, reply)),
                Ok(order) if ask.check(order).is_ok() => drop(obeyed.get_or_insert((at, reply))),
                _ => drop(first.get_or_insert((at, reply))),
            }
        }
        Ok(obeyed.or(first).expect("there is a dialect, and every reply is kept or given up for an earlier one"))
    }
}
