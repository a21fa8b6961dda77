/* Thieves that share a barrier. Mirrors shared_barrier and heavy in crates/filch/src/sync (barrier.rs, fence.rs), and
 * of the ladder as much as needs one: a frame at one rung of each of V victims, and a thief for each. The ladder itself
 * is ladder.pml.
 *
 * An owner pops its frame without a fence: its store of null lies in its buffer (TSO) while it reads E. A thief raises
 * E, fences, and has a barrier done for it, which empties the buffers of all owners, one after the other; then it reads
 * the slot. A barrier serves whoever had raised E before the barrier began, so a thief that comes while one is under
 * way waits, and may share the next. With -DREFUSES the system may refuse a barrier: that one has a number, is not
 * completed, and its thief takes nothing.
 *
 * Who writes what
 *   slot[v]     the owner, through buf[v]: emptied by itself some time, or by a barrier
 *   E[v]        its thief, under L, before the barrier; its owner under L
 *   begun       number of the last barrier that has begun: under C; read without, after the fence
 *   completed   number of the last one that has completed: under C. C is held all through a barrier
 * Properties: a frame that its owner has kept is not taken, nor the other way round; no deadlock.
 *
 * Runs (README.md says how to read them):
 *   @ok V=3 POPS=1
 *   @ok POPS=3
 *   @ok REFUSES
 *   @ok NO_BARRIER FLUSH
 *
 * Mutants, each with what it breaks (each must fail):
 *   NO_BARRIER       the thief has none done
 *   NO_FENCE         `begun` is read before the raise of E can be seen: a barrier that began in between is shared
 *   SHARE_CURRENT    the barrier that is under way is shared, though it began before the raise of E
 *   BEGUN_LATE       a barrier is counted as begun when it is over: one that was under way is taken for a later one
 *   REFUSED_COUNTS   (REFUSES) one that was refused counts as completed: the sharer goes on without any
 *   TAKES_REFUSED    (REFUSES) its thief goes on, too
 *   LOCK_SHORT       a barrier counts as completed, and C is free, before it is: the sharer goes on too soon
 * An experiment, which must not fail:
 *   FLUSH            no store stays in a buffer: then nothing goes wrong without a barrier, with NO_BARRIER */
#ifndef V
#define V 2
#endif
#ifndef POPS
#define POPS 2       /* of each owner */
#endif
#ifdef REFUSES
byte refusals=2;                                  /* of the system, at most */
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
proctype buffer(byte v) {                                                  /* what is in it can be seen some time */
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
