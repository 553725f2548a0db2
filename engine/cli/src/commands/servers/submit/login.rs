//! The token of a bot: kept from before, from the environment, or for a password.

use super::TOKEN;
use super::kept_tokens::{KeptTokens, Token};
use super::questions::Questions;
use super::server_api::Server;
use crate::failure::Failure;
use crate::show;
use std::collections::VecDeque;

/// The tokens of a bot that the server may take, one after the other.
pub(super) struct Login<'a> {
    server: &'a Server,
    kept: KeptTokens,
    bot: String,
    untried: VecDeque<Token>,
    /// The person who knows the password, until it was asked for.
    questions: Option<&'a Questions>,
}

impl<'a> Login<'a> {
    /// A login for this bot. A person is asked for its name if there is none. `variable` is a token from the environment.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there is no name, or a token with characters that no token has.
    pub(super) fn new(
        server: &'a Server,
        kept: KeptTokens,
        bot: Option<String>,
        variable: Option<String>,
        questions: Option<&'a Questions>,
    ) -> Result<Login<'a>, Failure> {
        let bot = match (bot, questions) {
            (Some(bot), _) => bot,
            (None, Some(questions)) => {
                questions.line(&format!("Name of the bot on {}:", server.url()))?.trim().to_owned()
            }
            (None, None) => String::new(),
        };
        if bot.is_empty() {
            return Err(Failure::Usage {
                what: format!("no bot of {} is named", server.url()),
                hint: "name it with --bot, as it was registered on the server".to_owned(),
            });
        }
        let variable = variable.filter(|text| !text.is_empty()).map(|text| {
            Token::of(&text).ok_or_else(|| Failure::Usage {
                what: format!("{TOKEN} has characters that no token has"),
                hint: "set it to the token alone, in one line".to_owned(),
            })
        });
        let untried = kept.token(server.url(), &bot).into_iter().chain(variable.transpose()?).collect();
        Ok(Login { server, kept, bot, untried, questions })
    }

    /// The bot.
    pub(super) fn bot(&self) -> &str {
        &self.bot
    }

    /// True if there is a token left, or somebody who can be asked for the password.
    pub(super) fn has_another(&self) -> bool {
        !self.untried.is_empty() || self.questions.is_some()
    }

    /// The next token.
    ///
    /// # Errors
    /// There is none and nobody to ask, or the server does not take the password.
    pub(super) fn token(&mut self) -> Result<Token, Failure> {
        if let Some(token) = self.untried.pop_front() {
            return Ok(token);
        }
        let Some(questions) = self.questions.take() else {
            return Err(Failure::Usage {
                what: format!("there is no token of {} on {}", self.bot, self.server.url()),
                hint: format!(
                    "run the command once on a terminal, where it asks for the password, or set {TOKEN} to a token"
                ),
            });
        };
        let password = questions.password(&format!("Password of {}:", self.bot))?;
        let token = self.server.log_in(&self.bot, &password)?;
        if let Err(error) = self.kept.keep(self.server.url(), &self.bot, &token) {
            show::say(&format!("The next time the password is asked for again: {}", show::with_causes(&error)));
        }
        Ok(token)
    }
}
