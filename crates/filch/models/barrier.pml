/* Thieves that share a barrier. Mirrors `pass` (crates/filch/src/sync/barrier.rs), and `shared_barrier` and `heavy`
 * (crates/filch/src/sync/fence.rs). Of the ladder it has as much as needs a barrier: a frame at one rung of each of V
 * victims, and a thief for each. The ladder itself is in ladder.pml.
 *
 * An owner pops its frame without a fence: its store of null lies in its buffer (TSO) while it reads E. A thief raises
 * E, executes a fence, and has a barrier issued for it, which empties the buffers of all owners, one after the other.
 * Then it reads the slot. A barrier serves every thief that has raised E before the barrier began. So a thief that
 * comes while one is under way waits, and may share the next. With -DREFUSES the system may refuse a barrier. That
 * barrier has a number but is not completed, and its thief takes nothing.
 *
 * Who writes what
 *   slot[v]     the owner, through buf[v], which empties by itself at some time, or by a barrier
 *   E[v]        its thief, under L, before the barrier; its owner under L
 *   begun       the number of the last barrier that has begun: written under C; read without C, after the fence
 *   completed   the number of the last barrier that has completed: under C. C is held throughout a barrier
 * Properties: a frame that its owner has kept is not taken, and the other way round; no deadlock.
 *
 * Mutants, each with what it breaks (check.sh demands that each fails):
 *   NO_BARRIER       the thief has no barrier issued
 *   NO_FENCE         `begun` is read before the raise of E is visible: a barrier that began in between is shared
 *   SHARE_CURRENT    the barrier that is under way is shared, although it began before the raise of E
 *   BEGUN_LATE       a barrier counts as begun when it is over: one that was under way is taken for a later one
 *   REFUSED_COUNTS   (REFUSES) a barrier that was refused counts as completed: the sharer goes on without a barrier
 *   TAKES_REFUSED    (REFUSES) the thief of a refused barrier goes on, too
 *   LOCK_SHORT       a barrier counts as completed, and C is free, before it is over: the sharer goes on too soon
 * An experiment, which must not fail:
 *   FLUSH            no store stays in a buffer: then nothing goes wrong without a barrier, with NO_BARRIER */
#ifndef V
#define V 2
#endif
#ifndef POPS
#define POPS 2       /* pops of each owner */
#endif
#ifdef REFUSES
byte refusals=2;                                  /* the most that the system refuses */
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
proctype buffer(byte v) {                                                  /* a store becomes visible at some time */
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
