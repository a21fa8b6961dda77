//! What a rank does now, of its own accord.

use super::{Action, Core, Phase, Team, Values};
use crate::message::{Bytes, Message};
use filch_policy::cluster::Ask;

/// What has as many bytes as this, or more, is given without further parts. Others may be asked for them meanwhile.
const GIVE_BYTES: usize = 1 << 20;

impl<V: Values> Core<'_, V> {
    /// Time has passed.
    pub(crate) fn tick(&mut self, Team { active, busy, lacking }: Team, now_ns: u64) {
        self.busy = busy;
        if !self.is_searching() {
            self.answer_at_end(active);
            return;
        }
        let mut begun = 0;
        while begun < lacking
            && let Some((id, part)) = self.parts.start()
        {
            self.actions.push_back(Action::Start(id, part));
            begun += 1;
        }
        while let Some((ask, count)) = self.asked.next(self.parts.stock(), busy, now_ns) {
            let (mut parts, mut bytes) = (Vec::new(), 0);
            while parts.len() < count
                && bytes < GIVE_BYTES
                && let Some((id, part)) = self.parts.give(ask.rank)
            {
                bytes += part.len();
                parts.push((id, Bytes(part)));
            }
            self.counters.gives += 1;
            self.counters.parts += parts.len() as u64;
            self.send(ask.rank, Message::Give { seq: ask.seq, parts });
        }
        for ask in self.asked.refused(active + begun > 0, now_ns) {
            self.refuse(ask);
        }
        // Of what has just begun, the other workers may get something.
        if begun == 0 && lacking > 0 {
            for Ask { rank, seq, parks, lacks, .. } in self.asking.ask(active == 0, lacking, now_ns) {
                self.counters.asks += 1;
                self.send(rank, Message::Ask { seq, parks, lacks: lacks as u32 });
            }
        }
    }

    fn answer_at_end(&mut self, active: usize) {
        for ask in self.asked.all() {
            self.refuse(ask);
        }
        if matches!(self.phase, Phase::Ended(_)) && active == 0 && self.asking.is_quiet() {
            for (to, message) in self.ending.quiet(&self.is_lost) {
                self.send(to, message);
            }
        }
    }
}
