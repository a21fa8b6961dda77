/* The ends of pools: who waits for whom when a thread drops the last handle of a pool.
 *
 * Mirrors, below crates/filch/src:
 *   pool/mod.rs       `Drop for Pool`, `await_end`
 *   pool/thread.rs    `PoolThread::start`, `PoolThread::work`
 *   engine/scopes/bound.rs   `be_of_a_pool`, `is_of_a_pool`
 *   engine/seats/held_seats.rs  `is_in_a_run`
 *   engine/life.rs    `live`: a thread leaves when its team is over
 *
 * There are POOLS pools with one thread each, and a thread of the user's, which has a handle of each pool and drops
 * them. Each pool has a detached task, which has a handle of any pool. It drops that itself, or shuts that pool down
 * if it has the last handle and the pool has a lower number; or it forks, a branch that drops the handle is run by
 * the thread of another pool, and the task waits for the branch. At its end a thread drops a handle of a pool with a
 * higher number, from a handler, or from the destructor of a thread-local value. (If pools were kept by each other's
 * threads in a ring, none of them would end. That is a leak, as with any counted reference.) With RING each task has
 * a handle of the next pool, and no thread has one at its end.
 *
 * Not modelled: how a thread learns that its team is over (loom, `protocol/end.rs`); other waits than those for
 * branches and ends. Everything is sequentially consistent.
 *
 * Who writes what:
 *   handles[p]     how many handles pool p has: whoever drops one
 *   dismissed[p]   whether the last one has been dropped: the thread that has dropped it
 *   done[p]        whether the task of p is done: its thread
 *   idle[p]        whether the thread of p looks for work: the thread; cleared by a task that has a branch for it
 *   branch[p]      the pool whose handle the branch drops that p has: the task, and the thread of p when it is over
 *   ended[p]       whether the thread of p has ended: the thread
 *
 * Properties:
 *   - All threads end (deadlock).
 *   - When the user's thread has dropped a last handle, the threads of that pool have ended.
 *
 * Runs (README.md describes the syntax):
 *   @mutants POOLS=2
 *   @ok POOLS=2
 *   @ok POOLS=3 RING
 *
 * Mutants, each of which must fail:
 *   OWN_ONLY        a thread waits unless it works for that pool
 *   NO_DESTRUCTORS  a thread that works for no pool any more waits, as one of the user's does
 *   NEVER           no thread waits, not even the user's */
#ifndef POOLS
#define POOLS 2
#endif
#define NONE POOLS
byte handles[POOLS], branch[POOLS]=NONE;
bit dismissed[POOLS], done[POOLS], idle[POOLS], ended[POOLS];

/* What a thread is doing that drops a handle. */
#define USERS 0
#define RUNS 1
#define LEAVES 2

#if defined(NEVER)
#define waits(p, me, does) 0
#elif defined(OWN_ONLY)
#define waits(p, me, does) (p!=me)
#elif defined(NO_DESTRUCTORS)
#define waits(p, me, does) (does!=RUNS && p!=me)
#else
#define waits(p, me, does) (does==USERS)
#endif

inline release(p, me, does, shuts){
  if
  :: p!=NONE ->
     atomic{ handles[p]--; last=(handles[p]==0); if :: last -> dismissed[p]=1 :: else fi };
     if :: last && (shuts || waits(p, me, does)) -> ended[p] :: else fi;
     assert(!last || does!=USERS || ended[p])
  :: else
  fi;
  last=0
}

proctype Thread(byte me, theirs, to, exits){
  bit last=0, shuts=0;
  if
  :: to!=me ->
     if
     /* It has an idle thread take the branch; or runs it itself, if there is none. */
     :: atomic{ idle[to] -> idle[to]=0; branch[to]=theirs };
        theirs=NONE;
        branch[to]==NONE
     :: theirs!=NONE
     fi
  :: else
  fi;
  if :: theirs<me -> shuts=1 :: shuts=0 fi;
  release(theirs, me, RUNS, shuts);
  done[me]=1; idle[me]=1;
  do
  :: branch[me]!=NONE -> release(branch[me], me, RUNS, 0); atomic{ branch[me]=NONE; idle[me]=1 }
  :: atomic{ idle[me] && dismissed[me] && done[me] -> idle[me]=0; break }
  od;
  release(exits, me, LEAVES, 0);
  ended[me]=1
}

inline choose(x, low){ x=low; do :: x<NONE -> x++ :: break od }

init{
  byte p=0, theirs, to, exits; bit last=0;
  atomic{
    do
    :: p<POOLS -> handles[p]++; p++
    :: else -> break
    od;
    p=0;
    do
    :: p<POOLS ->
#ifdef RING
       theirs=(p+1)%POOLS; choose(to, 0); exits=NONE;
#else
       choose(theirs, 0); choose(to, 0); choose(exits, p+1);
#endif
       if :: to==NONE || theirs==NONE -> to=p :: else fi;
       if :: theirs!=NONE -> handles[theirs]++ :: else fi;
       if :: exits!=NONE -> handles[exits]++ :: else fi;
       run Thread(p, theirs, to, exits);
       p++
    :: else -> break
    od;
    p=0; theirs=0; to=0; exits=0
  };
  do
  :: p<POOLS -> release(p, NONE, USERS, 0); p++
  :: else -> break
  od
}
