//! The workers that a head knows, and the games that none of them can play.

use super::{Head, HeadReport, LOOK, MOMENT, MOST_TOLD};
use crate::head::known_workers::Workers;
use crate::wire::names;
use crate::wire::result_check::shown;
use platform::locks::lock;
use std::collections::BTreeMap;
use std::time::Instant;

impl Head {
    /// The numbers of workers that can play games with these needs, and of games that they play at the same time.
    fn workers_with(&self, workers: &Workers, needs: &str) -> (usize, usize) {
        let able = workers.able(&self.message.engine, needs);
        able.fold((0, 0), |(workers, slots), (_, state)| (workers + 1, slots + state.slots.max(1)))
    }

    /// Tells how many workers there are, if that has changed, and what they cannot play.
    pub(crate) fn tell_workers(&mut self) {
        if self.looked.elapsed() < LOOK && self.told.is_some_and(|(workers, _)| workers > 0) {
            return;
        }
        self.looked = Instant::now();
        let required = names::needs(self.required.iter().map(|label| names::label_token(label)));
        let (now, slots) = {
            let workers = lock(&self.workers);
            let slots = |needs: &String| (needs.clone(), self.workers_with(&workers, needs).1);
            (self.workers_with(&workers, &required), self.in_hand.keys().map(slots).collect())
        };
        lock(&self.state).queues = self.jobs.counts();
        // Without any worker nothing is known of those that may come.
        self.slots = if now.0 > 0 { slots } else { BTreeMap::new() };
        if self.told != Some(now) && (now.0 > 0 || self.began.elapsed() >= MOMENT) {
            self.told = Some(now);
            (self.report)(HeadReport::Workers { workers: now.0, slots: now.1 });
        }
        let others: Vec<_> = {
            let mut workers = lock(&self.workers);
            let Workers { states, told_other, .. } = &mut *workers;
            let other = states.values().filter(|(state, _)| state.engine != self.message.engine);
            let new = other.filter(|(state, _)| told_other.len() < MOST_TOLD && told_other.insert(state.id.clone()));
            new.map(|(state, _)| (state.name.clone(), state.engine.clone())).collect()
        };
        for (worker, theirs) in others {
            (self.report)(HeadReport::OtherEngine { worker, theirs, ours: self.message.engine.clone() });
        }
        let unlisted: Vec<_> = {
            let unlisted = &mut lock(&self.workers).unlisted;
            let new = unlisted.iter_mut().filter(|(_, (_, is_told))| !*is_told);
            new.map(|(key, (name, is_told))| {
                *is_told = true;
                (name.clone(), *key)
            })
            .collect()
        };
        unlisted.into_iter().for_each(|(name, key)| (self.report)(HeadReport::Unlisted(shown(&name), key)));
        // Without any worker that is told already.
        if now.0 == 0 || self.began.elapsed() < MOMENT {
            return;
        }
        for (needs, _) in self.slots.iter().filter(|(_, slots)| **slots == 0) {
            if self.told_needs.insert(needs.clone()) {
                (self.report)(HeadReport::NobodyHas(names::texts_of_needs(needs)));
            }
        }
    }
}
