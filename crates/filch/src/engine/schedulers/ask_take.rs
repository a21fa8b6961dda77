//! Ask, then take: a frame leaves when another worker asks for it, or takes it; and at a fork while some worker is
//! idle, if the rules say so (Yasugi, Hiraishi, Umatani and Yuasa 2012, section 2.2; Frigo, Leiserson and Randall 1998,
//! section 5).

use crate::engine::team::Sharing;
use crate::engine::team::Worker;
use crate::engine::team::{Latent, Leaving};
use filch_policy as policy;

pub(super) struct AskTake;

impl Sharing for AskTake {
    fn leaves(&self, worker: &Worker) -> bool {
        let is_anybody_idle = worker.team().sleepers.is_anybody_idle();
        worker.record.leaves(worker.rules(), is_anybody_idle)
    }

    fn may_leave(&self, worker: &Worker) -> bool {
        self.leaves(worker) && worker.may_give_again()
    }

    fn at_return(&self, latent: Latent<'_>) -> Leaving {
        let (worker, asker) = (latent.worker(), latent.accept());
        let answer = asker.map(|asker| {
            // What is on this worker's shelf is older than what is on the ladder. The asker will find it there.
            if policy::leaves_alone(asker.wants, !worker.shelf.is_empty()) || !worker.may_give_again() {
                asker.refuse()
            } else {
                latent.give(asker)
            }
        });
        Leaving { answer, ..Leaving::default() }
    }
}
