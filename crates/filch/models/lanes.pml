/* Lanes: how the end of a traversal, and of each of its phases, is noticed.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/lanes/mod.rs              `push`, `push_next`, `next_or_run_dry`, `find`, `get_own`, `steal`, `advance`
 *   constructs/traverse/traversal.rs   `take_part`, `end_phase`, `search`
 *
 * Each lane has one participant. A participant looks into all lanes once. With a batch in hand it leaves other batches,
 * for this phase or for the next one, LEFT in all. Some batches for the next phase it leaves late: they are half-filled
 * when it is about to run dry. Then it takes the next batch of its own lane, or runs dry and looks again. A thief may
 * take more than one batch from a lane whose occupant has nothing in hand: it begins one, and takes any number of
 * others in the same step (in the sources half of them). No other worker sees these until they are in its own lane.
 *
 * A participant that has found nothing may leave, and need not come back. Only the first one must come at all. One that
 * comes back later is modelled by one that waits before it looks. The worker that has seen the end of a phase first
 * runs the action, which is user code and may stop the traversal.
 *
 * Not modelled: batches of several items (a batch is one item here); weak memory. What a lane shows without its lock
 * may be out of date in the sources, and loom checks that.
 *
 * Who writes what:
 *   now, nxt, busy, holds   of lane l (in the sources `now`, `next`, `is_busy`, `holds`): under lk[l]. `now` is also
 *                           read without the lock.
 *   cnt                     how many lanes are counted: by read-modify-write. The worker that has lowered it to zero
 *                           (the advancer) stores a new value under all locks.
 *   over, phase, stopped    the advancer
 *
 * Properties:
 *   - When an item begins, no item of an earlier phase lies in a lane or is in hand. No item begins after the end.
 *   - The count is never lowered below zero.
 *   - The action runs once per phase, after the last item of the phase and before the first one of the next phase. No
 *     item begins after the action has stopped the traversal.
 *   - If the traversal is not stopped: when all participants have left, the end was announced, no lane has an item, and
 *     every item has been visited.
 *   - There is no deadlock.
 *
 * Runs (README.md describes the syntax):
 *   @ok
 *   @ok N=2 LEFT=5
 *   @ok LEFT=2 HOLDS_LATE
 *   @ok LEFT=2 MORE_OF_BUSY
 *
 * Mutants, each of which must fail:
 *   STEAL_UNCOUNTED   a thief counts its lane in after it has released the victim's lock
 *   ABANDONED         a thief that has emptied a lane whose occupant has nothing in hand does not take over the count
 *                     of that lane
 *   TAKE_OVER_BUSY    a thief takes over the count of a lane whose occupant has a batch in hand
 *   TAKE_OVER_FULL    a thief takes over the count of a lane that has more batches
 *   MORE_UNSEEN       a thief that takes more batches decides by what was there before whether it has emptied the lane
 *   MORE_LATER        a thief takes more batches later, under the lock again, and does not change the count
 *   MORE_FIRST        a thief puts more batches into its lane before it shows that it has one in hand
 *   MORE_REPLACES     (N=2, LEFT=5) a thief overwrites batches that have come into its lane meanwhile
 *   COUNTED_TWICE     a thief whose lane was counted meanwhile does not lower the count
 *   OWN_COUNTS        a worker that takes a batch from its own lane counts the lane again
 *   OWN_NOT_BUSY      a worker that takes a batch from its own lane does not show that it has one in hand
 *   BUSY_KEPT         a worker that runs dry still shows that it has a batch in hand
 *   UNCOUNT_FIRST     a worker that runs dry lowers the count before it looks into its lane
 *   FLUSH_LATE        a worker that runs dry leaves its half-filled batch for the next phase after it has lowered the
 *                     count
 *   PIECEMEAL         the advancer holds one lock at a time
 *   SHOW_FIRST        the advancer releases the lanes before it has set the count
 *   COUNT_ALL         the advancer counts lanes that have nothing
 *   COUNT_UNMARKED    the advancer does not mark the lanes that it counts
 *   OWN_NEXT_ONLY     the advancer looks only into its own lane for batches of the next phase
 *   ADVANCE_ANY       a worker that runs dry begins the next phase even if other lanes are counted
 *   NO_LAST_LOOK      a worker that has run dry, or has begun the next phase, leaves without a look
 *   PICKY_LOOK        a worker that has run dry leaves a batch where it is if it is the last one of its lane
 *   OWN_LOOK_ONLY     a worker that has run dry looks only into its own lane
 *   ACTION_LATE       the advancer runs the action after it has begun the next phase
 *   ACTION_ANY        every worker that runs dry runs the action
 *   ACTION_EARLY      a worker that runs dry and sees no other lane counted runs the action before it lowers the count
 * Experiments, which must not fail:
 *   MORE_OF_BUSY   a thief also takes more batches from a lane whose occupant has one in hand: the occupant sees for
 *                  itself that nothing is left. In the sources it does not, because that occupant is about to fetch
 *                  them.
 *   HOLDS_LATE     a worker that runs dry lowers the count before it clears `holds` of its lane. Another worker may
 *                  have begun the next phase there by then. But a worker that looks into its own lane afterwards finds
 *                  what was put there, or finds that the count of the lane has been taken over. */
#ifndef N
#define N 3          /* lanes */
#endif
#ifndef LEFT
#define LEFT 3       /* batches left, not counting the first */
#endif
#define PHASES (LEFT+1)
byte now[N]=0, nxt[N]=0, cnt=1, phase=0, left=LEFT, gone=0; bit busy[N]=0, holds[N]=0, lk[N]=0, over=0;
/* ghost variables */
byte tag[N]=0;        /* the phase of the batches in now */
byte open[PHASES]=0; /* how many items of each phase are not done */
byte ended=0;        /* how many phases have had their action */
bit in_action=0, stopped=0;
byte i;              /* for d_steps */

inline lock(l){ lk[l]==0; lk[l]=1 }
inline begin(p){ /* inside an atomic: an item of phase p begins */
  assert(!over); assert(!stopped); assert(!in_action); assert(p==phase);
  i=0; do :: i<p -> assert(open[i]==0); i++ :: else -> break od; i=0
}
inline get_own(){ /* sets got */
  if
  :: now[me]>0 ->
       atomic{ lock(me);
         if :: now[me]>0 -> now[me]--; got=1; begin(tag[me]);
#ifndef OWN_NOT_BUSY
               busy[me]=1;
#endif
#ifdef OWN_COUNTS
               cnt++;
#endif
            :: else fi; lk[me]=0 }
  :: else
  fi
}
#ifdef MORE_OF_BUSY
#define MORE_OF(v) true
#else
#define MORE_OF(v) (!busy[v])
#endif
#ifdef MORE_UNSEEN
#define EMPTIED(v) was_last
#else
#define EMPTIED(v) (now[v]==0)
#endif
inline take_more(v){ /* inside an atomic, under the victim's lock */
  do :: now[v]>0 -> now[v]--; more++ :: break od;
  if :: more>0 -> p=tag[v] :: else fi
}
inline put_more(){ /* inside an atomic, under my lock */
#ifdef MORE_REPLACES
  if :: more>0 -> now[me]=0 :: else fi;
#endif
  if :: more>0 -> assert(now[me]==0 || tag[me]==p); now[me]=now[me]+more; tag[me]=p; more=0; p=0 :: else fi
}
inline steal(v){ /* sets got */
  if
  :: now[v]>0 ->
       atomic{ lock(v);
         if
         :: now[v]>0 -> now[v]--; got=1; begin(tag[v]); was_last=(now[v]==0);
#ifndef MORE_LATER
              if :: MORE_OF(v) -> take_more(v) :: else fi
#endif
         :: else -> lk[v]=0
         fi };
       if
       :: got ->
            if
#ifndef ABANDONED
#ifdef TAKE_OVER_BUSY
            :: EMPTIED(v) -> atomic{ holds[v]=0; lk[v]=0 }
#else
#ifdef TAKE_OVER_FULL
            :: !busy[v] -> atomic{ holds[v]=0; lk[v]=0 }
#else
            :: EMPTIED(v) && !busy[v] -> atomic{ holds[v]=0; lk[v]=0 }
#endif
#endif
#endif
            :: else ->
#ifdef STEAL_UNCOUNTED
                 lk[v]=0; cnt++
#else
                 atomic{ cnt++; lk[v]=0 }
#endif
            fi;
            was_last=0;
#ifdef MORE_LATER
            if :: atomic{ MORE_OF(v) && !lk[v] && now[v]>0 -> take_more(v) } :: true fi;
#endif
#ifdef MORE_FIRST
            atomic{ lock(me); put_more(); lk[me]=0 };
#endif
            atomic{ lock(me); busy[me]=1; twice=holds[me]; holds[me]=1; put_more(); lk[me]=0 };
#ifndef COUNTED_TWICE
            if :: twice -> atomic{ assert(cnt>1); cnt--; twice=0 } :: else fi
#else
            twice=0
#endif
       :: else
       fi
  :: else
  fi
}
inline put_next(){ atomic{ !lk[me] -> nxt[me]++ } }
inline lower(){ atomic{ assert(cnt>0); cnt--; last=(cnt==0) } }
inline begin_phase(l){ /* inside a d_step: the advancer holds the lock of lane l */
  if :: nxt[l]>0 -> now[l]=nxt[l]; nxt[l]=0; tag[l]=phase;
#ifndef COUNT_UNMARKED
        holds[l]=1
#endif
     :: else fi
}
#ifdef COUNT_ALL
#define counts(l) 1
#else
#define counts(l) (nxt[l]>0)
#endif
inline advance(){
#ifdef PIECEMEAL
  k=0; do :: k<N -> atomic{ lock(k); n=n+counts(k); lk[k]=0; k++ } :: else -> break od; k=0;
  if
  :: n==0 -> over=1
  :: else -> atomic{ phase++; cnt=n; n=0 };
       do :: k<N -> atomic{ lock(k); begin_phase(k); lk[k]=0; k++ } :: else -> break od; k=0
  fi
#else
  do :: k<N -> atomic{ lock(k); k++ } :: else -> break od; k=0;
  d_step{ n=0;
#ifdef OWN_NEXT_ONLY
    if :: nxt[me]>0 -> n=1 :: else fi;
#else
    do :: k<N -> if :: nxt[k]>0 -> n=1 :: else fi; k++ :: else -> break od; k=0;
#endif
    if
    :: n==0 -> over=1; do :: k<N -> lk[k]=0; k++ :: else -> break od; k=0
    :: else -> n=0; phase++;
         do :: k<N -> n=n+counts(k); begin_phase(k); k++ :: else -> break od; k=0;
#ifndef SHOW_FIRST
         cnt=n; n=0;
#endif
         do :: k<N -> lk[k]=0; k++ :: else -> break od; k=0
    fi };
#ifdef SHOW_FIRST
  if :: n>0 -> atomic{ cnt=n; n=0 } :: else fi
#endif
#endif
}
inline end_phase(){ /* the action at the end of a phase: user code, which may stop the traversal */
  atomic{ assert(!in_action && ended==phase && !stopped); in_action=1; i=0;
    do :: i<=phase -> assert(open[i]==0); i++ :: else -> break od; i=0 };
  atomic{ in_action=0; ended++; if :: true :: true -> stopped=1 fi }
}
inline end_and_advance(){
#ifdef ACTION_LATE
  advance(); end_phase()
#else
  end_phase(); if :: !stopped -> advance() :: else fi
#endif
}
inline run_dry(){ /* Runs dry, or takes the next batch of its own lane: sets got. */
#ifndef FLUSH_LATE
  do :: fresh>0 -> put_next(); fresh-- :: else -> break od;
#endif
#ifdef UNCOUNT_FIRST
  lower();
  atomic{ lock(me);
    if :: now[me]>0 -> now[me]--; got=1; cnt++; begin(tag[me]) :: else -> busy[me]=0; holds[me]=0 fi; lk[me]=0 };
  if :: !got && last -> last=0; end_and_advance() :: else -> last=0 fi;
#else
  atomic{ lock(me);
    if :: now[me]>0 -> now[me]--; got=1; begin(tag[me])
       :: else ->
#ifndef BUSY_KEPT
            busy[me]=0;
#endif
#ifndef HOLDS_LATE
            holds[me]=0
#endif
    fi; lk[me]=0 };
  if
  :: got
  :: else ->
#ifdef ACTION_ANY
       if :: !stopped -> end_phase() :: else fi; lower(); if :: last && !stopped -> last=0; advance() :: else fi;
#else
#ifdef ACTION_EARLY
       if :: cnt<=1 -> end_phase() :: else fi; lower(); if :: last && !stopped -> last=0; advance() :: else fi;
#else
       lower();
#ifdef HOLDS_LATE
       atomic{ lock(me); holds[me]=0; lk[me]=0 };
#endif
#ifdef ADVANCE_ANY
       last=1;
#endif
       if :: last -> last=0; end_and_advance() :: else fi
#endif
#endif
  fi;
#endif
#ifdef FLUSH_LATE
  do :: fresh>0 -> put_next(); fresh-- :: else -> break od
#endif
}

proctype participant(byte me){ byte k=0, n=0, fresh=0, p=0; bit got=0, twice=0, last=0; byte more=0; bit was_last=0;
  if :: me>0 -> goto leave :: true fi;
look:
  get_own();
  k=1;
#ifdef PICKY_LOOK
#define MAY (now[(me+k)%N]!=1)
#else
#define MAY true
#endif
  do :: !got && k<N -> if :: MAY -> steal((me+k)%N) :: !(MAY) fi; k++ :: else -> break od;
  k=0;
  if :: !got -> if :: goto leave :: !over && !stopped -> goto look fi :: else fi;
visit:
  atomic{ got=0; p=phase };
  do
  :: atomic{ left>0 && !lk[me] -> left--; open[p]++; now[me]++; tag[me]=p }
  :: atomic{ left>0 && !lk[me] -> left--; open[p+1]++; nxt[me]++ }
  :: atomic{ left>0 -> left--; open[p+1]++; fresh++ }
  :: break
  od;
  atomic{ assert(open[p]>0); open[p]--; p=0 };
  run_dry();
  if :: got -> goto visit :: else fi;
#ifdef OWN_LOOK_ONLY
  get_own(); if :: got -> goto visit :: else -> goto leave fi;
#endif
#ifndef NO_LAST_LOOK
  goto look;
#endif
leave:
  gone++
}

init{ byte j=0;
  atomic{ now[0]=1; holds[0]=1; open[0]=1; do :: j<N -> run participant(j); j++ :: else -> break od };
  gone==N;
  d_step{ assert(over || stopped); assert(cnt==0); assert(ended==phase+1); j=0;
    do :: j<N -> assert(now[j]==0 && (stopped || nxt[j]==0) && !busy[j] && !holds[j]); j++ :: else -> break od; j=0;
    do :: j<PHASES -> assert(stopped || open[j]==0); j++ :: else -> break od }
}
