//! What teams do: join, say where their bot is, and prove that it is theirs.

use super::ledger::Entry;
use super::line::{BotId, Line, now};
use super::wire::BotView;
use super::{BotName, BotUrl, Refusal, Venue};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The most bots that take part; a round robin of them has half a million matches.
const MOST: usize = 1000;

impl Venue {
    /// A new bot joins.
    pub(super) async fn register(
        self: &Arc<Venue>,
        name: &str,
        password: String,
        again: &str,
    ) -> Result<BotView, Refusal> {
        let name = BotName::new(name).map_err(|e| Refusal::bad(e.to_string()))?;
        if password != again {
            return Err(Refusal::bad("the passwords are not the same"));
        }
        self.books.look(|ledger| may_join(ledger.named(&name), ledger.bots().count()))?;
        let password = self.passwords.hash(password).await?;
        let line = self.enter(move |ledger| {
            may_join(ledger.named(&name), ledger.bots().count())?;
            Ok(Line::Registered { bot: ledger.next_bot(), name, password, at: now() })
        });
        let Line::Registered { bot, .. } = line.await? else { unreachable!("it was just made") };
        self.tell_bots();
        self.tell_leaderboard();
        self.view_of(bot)
    }

    /// The bot can be reached there from now on.
    pub(super) async fn set_url(
        self: &Arc<Venue>,
        name: &str,
        password: String,
        url: &str,
    ) -> Result<BotView, Refusal> {
        let url = BotUrl::new(url).map_err(|e| Refusal::bad(e.to_string()))?;
        let bot = self.authenticate(name, password).await?.id;
        let entered = self.enter(move |ledger| {
            ledger.bot(bot).ok_or_else(|| Refusal::missing("the bot was removed"))?;
            Ok(Line::UrlSet { bot, url, at: now() })
        });
        entered.await?;
        self.conditions().forget(bot);
        self.tell_bots();
        self.floor.wake();
        self.view_of(bot)
    }

    /// The bot that is called so, if this is its password.
    pub(super) async fn authenticate(&self, name: &str, password: String) -> Result<Entry, Refusal> {
        let unknown = || Refusal::missing("there is no bot of this name");
        let name = BotName::new(name).map_err(|_| unknown())?;
        let entry = self.books.look(|ledger| ledger.named(&name).cloned()).ok_or_else(unknown)?;
        if self.passwords.is_right(password, entry.password.clone()).await? {
            Ok(entry)
        } else {
            Err(Refusal::forbidden("the password is wrong"))
        }
    }

    /// Enters a line on a thread that may wait for the disk.
    pub(super) async fn enter(
        self: &Arc<Venue>,
        make: impl FnOnce(&super::ledger::Ledger) -> Result<Line, Refusal> + Send + 'static,
    ) -> Result<Line, Refusal> {
        let venue = Arc::clone(self);
        spawn_blocking(move || venue.books.enter(make)).await.map_err(Refusal::internal)?
    }

    fn view_of(&self, bot: BotId) -> Result<BotView, Refusal> {
        let entry = self.books.look(|ledger| ledger.bot(bot).cloned());
        entry.map(|entry| self.own(&entry)).ok_or_else(|| Refusal::missing("the bot was removed"))
    }
}

fn may_join(namesake: Option<&Entry>, bots: usize) -> Result<(), Refusal> {
    match namesake {
        Some(entry) => Err(Refusal::conflict(format!("there is a bot called {} already", entry.name))),
        None if bots >= MOST => Err(Refusal::conflict(format!("there are {MOST} bots, and no room for more"))),
        None => Ok(()),
    }
}
