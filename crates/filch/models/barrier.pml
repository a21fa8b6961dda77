/* The shared barrier: of several thieves that need a barrier, one issues it and others share it.
 *
 * Mirrors, below crates/filch/src:
 *   sync/barrier.rs            `SharedBarrier::pass`
 *   sync/fence.rs              `light`, `heavy`, `shared_barrier`
 *   protocol/ladder/owner.rs   `pop`, as far as it needs a barrier
 *   protocol/ladder/take.rs    `take`, as far as it needs a barrier
 *
 * There are V victims. Each has one rung, and one thief that tries to take the frame there. An owner pops its frame
 * without a fence, so its store of null may still be in its store buffer when it reads E. A thief raises E, executes a
 * fence, and issues or shares a barrier. Then it reads the slot. A barrier empties the buffers of all owners, one after
 * the other.
 *
 * A barrier serves the threads that raised E before it began. A thief that arrives while a barrier is under way waits
 * for C, the lock of `completed`, and may share the next barrier. With REFUSES the system may refuse a barrier. A
 * refused barrier keeps its number and is not completed, and its thief takes nothing.
 *
 * Not modelled: the rest of the ladder (ladder.pml). The store buffer holds one store, as only pops matter here (TSO).
 *
 * Who writes what:
 *   slot[v]     the owner, through buf[v], which empties eventually by itself, or by a barrier
 *   E[v]        the thief of v, under L, before the barrier; the owner, under L
 *   begun       the number of the last barrier that has begun: the issuer, under C. Thieves read it without C, after
 *               their fence.
 *   completed   the number of the last barrier that has completed: the issuer, under C, which it holds until the
 *               barrier has ended
 *
 * Properties:
 *   - No frame is both kept by its owner and taken.
 *   - There is no deadlock.
 *
 * Runs (README.md describes the syntax):
 *   @ok V=3 POPS=1
 *   @ok POPS=3
 *   @ok REFUSES
 *   @ok NO_BARRIER FLUSH
 *
 * Mutants, each of which must fail:
 *   NO_BARRIER       a thief issues no barrier
 *   NO_FENCE         a thief reads `begun` before its raise of E is visible, so it shares a barrier that began in
 *                    between
 *   SHARE_CURRENT    a thief shares the barrier that was under way when it came, which began before the raise of E
 *   BEGUN_LATE       a barrier is counted as begun when it has ended, so a thief takes one that was under way for a
 *                    later one
 *   REFUSED_COUNTS   (REFUSES) a refused barrier counts as completed, so a thief that shares it goes on without a
 *                    barrier
 *   TAKES_REFUSED    (REFUSES) the thief whose barrier was refused takes the frame
 *   LOCK_SHORT       a barrier counts as completed, and C is free, before the barrier has ended, so a thief that shares
 *                    it goes on too early
 * An experiment, which must not fail:
 *   FLUSH   no store stays in a buffer: then no barrier is needed (NO_BARRIER) */
#ifndef V
#define V 2
#endif
#ifndef POPS
#define POPS 2       /* pops of each owner */
#endif
#ifdef REFUSES
byte refusals=2;                                  /* the system refuses no more barriers than this */
#define refuse atomic{ refusals>0 -> refusals--; is_refused=1 }
#else
#define refuse false
#endif
#define owner_keeps(v)  d_step{ assert(!taken[v]); kept[v]=1 }
bit slot[V]=0, buf[V]=0, E[V]=0, L[V]=0, C=0, over[V]=0; byte begun=0, completed=0;
bit taken[V]=0, kept[V]=0;                        /* ghosts */

inline drain(v) { d_step{ if :: buf[v] -> buf[v]=0; slot[v]=0 :: else fi } }

proctype owner(byte v) { byte k=0;
  do
  :: k<POPS ->
     atomic{ !buf[v] -> k++; kept[v]=0; taken[v]=0; slot[v]=1 };           /* push */
#ifdef FLUSH
     slot[v]=0;
#else
     buf[v]=1;                                                             /* pop */
#endif
     if
     :: atomic{ E[v]==0 -> owner_keeps(v) }
     :: atomic{ E[v]==1 && !L[v] -> L[v]=1 };                              /* attend: the lock is a fence */
        drain(v);
        E[v]=0;
        if :: taken[v] :: else -> owner_keeps(v) fi;
        L[v]=0
     fi
  :: else -> break
  od;
  over[v]=1
}
proctype buffer(byte v) {                                                  /* the store eventually becomes visible */
end: do :: atomic{ buf[v] -> drain(v) } od
}

inline sweep() { j=0; do :: j<V -> drain(j); j++ :: else -> break od; j=0 }
#ifdef SHARE_CURRENT
#define shares (completed>=seen && seen>0)
#else
#define shares (completed>seen)
#endif
inline barrier() {
  atomic{ !C -> C=1 };
  if
  :: shares -> C=0
  :: else ->
#ifdef BEGUN_LATE
     sweep(); begun=completed+1; completed++; C=0
#elif defined(LOCK_SHORT)
     begun=completed+1; completed++; C=0; sweep()
#else
     number=begun+1; begun=number;
     if
     :: sweep(); completed=number
#ifdef REFUSED_COUNTS
     :: refuse -> completed=number
#else
     :: refuse
#endif
     fi;
     C=0
#endif
  fi
}

proctype thief(byte v) { byte seen=0, j=0, number=0; bit is_refused=0;
  do
  :: over[v] -> break
  :: atomic{ slot[v] && !L[v] -> L[v]=1 };
#ifdef NO_FENCE
     seen=begun; E[v]=1;
#else
     E[v]=1; seen=begun;
#endif
#ifndef NO_BARRIER
     barrier();
#endif
#ifdef TAKES_REFUSED
     is_refused=0;
#endif
     atomic{ seen=0; number=0;
       if :: slot[v] && !taken[v] && !is_refused -> assert(!kept[v]); taken[v]=1 :: else -> E[v]=0 fi; is_refused=0 };
     L[v]=0;
     atomic{ !E[v] || over[v] -> skip }
  od
}

init { byte v=0; atomic{ do :: v<V -> run buffer(v); run owner(v); run thief(v); v++ :: else -> break od } }
