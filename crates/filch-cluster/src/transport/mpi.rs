//! Ranks that MPI has started. Only the thread that has initialized MPI calls it (`MPI_THREAD_FUNNELED`).
//!
//! A message is one send of bytes. While a large one waits for its receiver, this rank receives what comes, so two
//! ranks that send to each other do not wait for ever. MPI keeps the order of messages between two ranks (MPI 4.0,
//! section 3.5). It does not tell which ranks are lost: it ends all processes, unless it has been told otherwise.

use super::Transport;
use crate::error::ClusterError;
use crate::started::Started;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::MatchedReceiveVec;
use mpi::request::scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use std::collections::VecDeque;
use std::time::Duration;

/// Between two looks whether a send is complete. The receiver looks about once in a millisecond.
const SEND_PAUSE: Duration = Duration::from_micros(20);

pub(crate) struct Mpi {
    /// `None` if a search has failed. Its end waits for all ranks.
    universe: Option<Universe>,
    world: SimpleCommunicator,
    rings: Vec<Vec<usize>>,
    /// What has come during sends.
    inbox: VecDeque<(usize, Vec<u8>)>,
}

impl Mpi {
    pub(crate) fn start(Started { ranks, .. }: Started) -> Result<Self, ClusterError> {
        let fault = |text: &str| ClusterError::Transport(text.into());
        let started = mpi::initialize_with_threading(Threading::Funneled);
        let (universe, threading) = started.ok_or_else(|| fault("it has been initialized before"))?;
        if threading < Threading::Funneled {
            return Err(fault("expected MPI_THREAD_FUNNELED, found MPI_THREAD_SINGLE: it was built without threads"));
        }
        let world = universe.world();
        if world.size() == 1 && ranks > 1 {
            let text = format!("expected {ranks} ranks, found 1: was the program built with the MPI of this mpirun?");
            return Err(ClusterError::Transport(text));
        }
        let rings = rings(&world);
        Ok(Mpi { universe: Some(universe), world, rings, inbox: VecDeque::new() })
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        let (bytes, status) = self.world.any_process().immediate_matched_probe()?.matched_receive_vec::<u8>();
        Some((status.source_rank() as usize, bytes))
    }
}

/// The other ranks: first those that share memory with this one, then the rest.
fn rings(world: &SimpleCommunicator) -> Vec<Vec<usize>> {
    let me = world.rank();
    let node = world.split_shared(me);
    let mut near = vec![0; node.size() as usize];
    node.all_gather_into(&me, &mut near[..]);
    let (near, far) = (0..world.size()).filter(|&rank| rank != me).partition::<Vec<_>, _>(|rank| near.contains(rank));
    let ranks = |ring: Vec<i32>| ring.into_iter().map(|rank| rank as usize).collect::<Vec<_>>();
    [near, far].into_iter().filter(|ring| !ring.is_empty()).map(ranks).collect()
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn send(&mut self, to: usize, bytes: &[u8]) {
        scope(|scope| {
            let mut request = self.world.process_at_rank(to as i32).immediate_send(scope, bytes);
            while let Err(pending) = request.test() {
                request = pending;
                match self.receive() {
                    Some(message) => self.inbox.push_back(message),
                    None => std::thread::sleep(SEND_PAUSE),
                }
            }
        });
    }

    fn try_receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.inbox.pop_front().or_else(|| self.receive())
    }

    fn rings(&self) -> Vec<Vec<usize>> {
        self.rings.clone()
    }

    fn abandon(&mut self) {
        // Without MPI_Finalize, a process that ends by an error has the starter end the others.
        if let Some(universe) = self.universe.take() {
            std::mem::forget(universe);
        }
    }
}
