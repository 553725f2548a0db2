//! Perfect matchings: everybody is in a pair with somebody they may meet. Edmonds' blossom algorithm takes time
//! proportional to at most the cube of their number.

use std::collections::VecDeque;

/// The first way to pair all of `count`, an even number: the first is paired with the first possible partner, then
/// the first of those who are left, and so on. `None` if there is no way. `may_meet` is symmetric.
pub(crate) fn first_pairs(count: usize, may_meet: &dyn Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
    let mut matching = Matching { may_meet, partner: vec![None; count], settled: vec![false; count] };
    // Find any matching first, which tells that there is one.
    for one in 0..count {
        if matching.partner[one].is_none() && !matching.find_partner(one) {
            return None;
        }
    }
    let mut pairs = Vec::new();
    for one in 0..count {
        if !matching.settled[one] {
            let other = (one + 1..count).find(|&other| matching.settle(one, other));
            pairs.push((one, other.expect("the present partner is one of them")));
        }
    }
    Some(pairs)
}

struct Matching<'a> {
    may_meet: &'a dyn Fn(usize, usize) -> bool,
    partner: Vec<Option<usize>>,
    /// Those whose partner stays.
    settled: Vec<bool>,
}

impl Matching<'_> {
    /// Fixes these two as a pair, if all others can still be paired.
    fn settle(&mut self, one: usize, other: usize) -> bool {
        if self.settled[other] || !(self.may_meet)(one, other) {
            return false;
        }
        let before = self.partner.clone();
        (self.settled[one], self.settled[other]) = (true, true);
        if before[one] != Some(other) {
            let [left, right] = [one, other].map(|at| before[at].expect("everybody has a partner"));
            (self.partner[left], self.partner[right]) = (None, None);
            (self.partner[one], self.partner[other]) = (Some(other), Some(one));
            if !self.find_partner(left) {
                (self.settled[one], self.settled[other]) = (false, false);
                self.partner = before;
                return false;
            }
        }
        true
    }

    /// Finds a partner for `root`, who has none, while others change theirs.
    fn find_partner(&mut self, root: usize) -> bool {
        let mut tree = Tree::new(self.partner.len(), root);
        while let Some(one) = tree.queue.pop_front() {
            for other in 0..self.partner.len() {
                let known = tree.base[one] == tree.base[other] || self.partner[one] == Some(other);
                if known || self.settled[other] || !(self.may_meet)(one, other) {
                    continue;
                }
                match self.partner[other] {
                    _ if tree.outer[other] => tree.contract(one, other, &self.partner),
                    _ if tree.parent[other].is_some() => {}
                    // The tree grows to `other`, and to its partner.
                    Some(next) => {
                        tree.parent[other] = Some(one);
                        tree.reach(next);
                    }
                    None => {
                        tree.parent[other] = Some(one);
                        self.flip(&tree, other);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Changes partners along the way from `end` to the root.
    fn flip(&mut self, tree: &Tree, end: usize) {
        let mut left_alone = Some(end);
        while let Some(one) = left_alone {
            let other = tree.parent[one].expect("the way leads to the root");
            left_alone = self.partner[other].replace(one);
            self.partner[one] = Some(other);
        }
    }
}

/// The search tree from one without a partner, by alternating possible and present pairs.
struct Tree {
    root: usize,
    /// The predecessors by a possible pair.
    parent: Vec<Option<usize>>,
    /// The representative of each: an odd circle (a blossom) counts as one.
    base: Vec<usize>,
    /// Those who can be without a partner if others change theirs; their pairs are searched.
    outer: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Tree {
    fn new(count: usize, root: usize) -> Tree {
        let mut tree = Tree {
            root,
            parent: vec![None; count],
            base: (0..count).collect(),
            outer: vec![false; count],
            queue: VecDeque::new(),
        };
        tree.reach(root);
        tree
    }

    fn reach(&mut self, one: usize) {
        if !self.outer[one] {
            self.outer[one] = true;
            self.queue.push_back(one);
        }
    }

    /// Contracts the odd circle that `one` and `other` close.
    fn contract(&mut self, one: usize, other: usize, partner: &[Option<usize>]) {
        let base = self.common_base(one, other, partner);
        let mut inside = vec![false; self.base.len()];
        self.mark(one, other, base, partner, &mut inside);
        self.mark(other, one, base, partner, &mut inside);
        for at in 0..self.base.len() {
            if inside[self.base[at]] {
                self.base[at] = base;
                self.reach(at);
            }
        }
    }

    /// The first common node of the ways from both to the root.
    fn common_base(&self, one: usize, other: usize, partner: &[Option<usize>]) -> usize {
        let mut passed = vec![false; self.base.len()];
        let up = |at: usize| partner[at].and_then(|inner| self.parent[inner]).map(|at| self.base[at]);
        let way =
            |from: usize| std::iter::successors(Some(self.base[from]), |&at| (at != self.root).then(|| up(at))?);
        way(one).for_each(|at| passed[at] = true);
        way(other).find(|&at| passed[at]).expect("both ways lead to the root")
    }

    /// Marks the part of a circle between `from` and its base, and its predecessors in the other direction.
    fn mark(&mut self, from: usize, across: usize, base: usize, partner: &[Option<usize>], inside: &mut [bool]) {
        let (mut at, mut child) = (from, across);
        while self.base[at] != base {
            let inner = partner[at].expect("only the root has no partner");
            (inside[self.base[at]], inside[self.base[inner]]) = (true, true);
            self.parent[at] = Some(child);
            child = inner;
            at = self.parent[inner].expect("it was reached from somewhere");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// The same by trying all ways in their order.
    fn tried(left: &[usize], may_meet: &dyn Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
        let Some((&one, rest)) = left.split_first() else { return Some(Vec::new()) };
        rest.iter().filter(|other| may_meet(one, **other)).find_map(|&other| {
            let left: Vec<usize> = rest.iter().copied().filter(|at| *at != other).collect();
            let mut pairs = tried(&left, may_meet)?;
            pairs.insert(0, (one, other));
            Some(pairs)
        })
    }

    #[test]
    fn the_first_way_is_found_that_trying_all_ways_finds() {
        let mut random = rules::random(1);
        let mut found = 0;
        for round in 0..5000 {
            let count = 2 * random.random_range(0..6);
            let share = f64::from(round % 10) / 10.0;
            let graph: Vec<bool> = (0..count * count).map(|_| random.random_bool(share)).collect();
            let may_meet = |one: usize, other: usize| graph[one.min(other) * count + one.max(other)];
            let all: Vec<usize> = (0..count).collect();
            let first = first_pairs(count, &may_meet);
            assert_eq!(first, tried(&all, &may_meet), "{count}, {graph:?}");
            found += u32::from(first.is_some());
        }
        assert!((500..4500).contains(&found), "{found}");
    }

    #[test]
    fn that_there_is_no_way_is_found_out_soon() {
        // Two halves of odd number that may not meet.
        let may_meet = |one: usize, other: usize| (one < 99) == (other < 99);
        assert_eq!(first_pairs(200, &may_meet), None);
        assert_eq!(first_pairs(200, &|_, _| true).unwrap()[..2], [(0, 1), (2, 3)]);
    }
}
