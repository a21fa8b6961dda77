/* Lanes: how the end of a traversal, and of each phase of it, is noticed. Mirrors protocol/lanes and how
 * constructs/traverse/traversal.rs uses it.
 *
 * One participant per lane, which comes and goes. It looks once into all lanes; with a batch in hand it leaves others,
 * for this phase or for the next one (LEFT in all), some of the latter late: half-filled, when it is about to run dry.
 * Then it takes the next of its own, or runs dry and looks again. Of a lane that nobody works in, it takes more with
 * the one that it begins, any number of them (the sources: half), in the same step; nobody sees these until they are in
 * its own lane. Who has found nothing anywhere may leave, and need not come back; only the first must come at all. Who
 * comes back later is one that waits before it looks. Who has seen the end of a phase runs the action first, user code
 * that may stop the traversal. Everything is sequentially consistent: what a lane shows without its lock may be older
 * in the sources, and loom has that.
 *
 * Who writes what
 *   now, nxt, busy, holds   of lane l, under lk[l]; now is peeked at without.
 *   cnt                     lanes that are counted: read-modify-write; stored by who has lowered it to zero, under all
 *                           locks.
 *   over, phase, stopped    who has lowered it to zero.
 * Properties: an item is begun when none of an earlier phase lies anywhere or is in hand; none after the end; the count
 * is never lowered below zero; the action runs once per phase, while no item of it is left or in hand, and before one
 * of the next can be had; nothing is begun once it has stopped the traversal; if it does not, then when all have left,
 * the end was announced, nothing lies in a lane, and every item was visited; no deadlock.
 *
 * Runs (README.md says how to read them):
 *   @ok
 *   @ok N=2 LEFT=5
 *   @ok LEFT=2 HOLDS_LATE
 *   @ok LEFT=2 MORE_OF_BUSY
 *
 * Mutants, each with what it breaks (each must fail):
 *   STEAL_UNCOUNTED  a thief counts its lane in after it has let go of the victim's lock
 *   ABANDONED        a thief that has emptied a lane that nobody is in leaves that lane's count behind
 *   TAKE_OVER_BUSY   a thief takes over the count of a lane whose occupant has something in hand
 *   TAKE_OVER_FULL   a thief takes over the count of a lane that has more
 *   MORE_UNSEEN      a thief that takes more decides by what was there before whether it has emptied the lane
 *   MORE_LATER       a thief takes more under a second lock, and leaves what that does to the count alone
 *   MORE_FIRST       a thief puts what it has taken into its lane before it shows that it is there
 *   MORE_REPLACES    (N=2, LEFT=5) a thief leaves what has been put into its lane meanwhile to nobody
 *   COUNTED_TWICE    a thief whose lane was counted meanwhile gives nothing back
 *   OWN_COUNTS       who finds something in its own lane counts that again
 *   OWN_NOT_BUSY     who takes from its own lane does not show that it has something in hand
 *   BUSY_KEPT        who runs dry still shows that it has something in hand
 *   UNCOUNT_FIRST    who runs dry lowers the count before it looks into its lane
 *   FLUSH_LATE       who runs dry leaves its half-filled batch for the next phase after that
 *   PIECEMEAL        who advances the phase does so under one lock at a time
 *   SHOW_FIRST       who advances the phase lets go of the lanes before it has set the count
 *   COUNT_ALL        who advances the phase counts lanes that have nothing
 *   COUNT_UNMARKED   who advances the phase does not mark the lanes that it counts
 *   OWN_NEXT_ONLY    who advances the phase looks for a next one in its own lane only
 *   ADVANCE_ANY      who runs dry begins the next phase whoever else has something
 *   NO_LAST_LOOK     who has run dry, or begun the next phase, leaves
 *   PICKY_LOOK       who has run dry leaves a batch alone that is the last of its lane
 *   OWN_LOOK_ONLY    who has run dry looks into its own lane only
 *   ACTION_LATE      who has lowered the count to zero begins the next phase, and then runs the action
 *   ACTION_ANY       whoever runs dry runs the action
 *   ACTION_EARLY     who runs dry and sees no other lane counted runs the action, and then lowers the count
 * Experiments, which must not fail:
 *   MORE_OF_BUSY     a thief takes more of a lane that somebody works in, too: its occupant sees for itself that
 *                    nothing is left. The sources leave them there because their occupant is about to fetch them
 *   HOLDS_LATE       who runs dry lowers the count before its lane shows that: another may have begun the next phase
 *                    there by then, but whoever looks into its own lane afterwards finds what was put there, or that
 *                    lane's count taken over */
#ifndef N
#define N 3          /* lanes */
#endif
#ifndef LEFT
#define LEFT 3       /* batches left, beside the first */
#endif
#define PHASES (LEFT+1)
byte now[N]=0, nxt[N]=0, cnt=1, phase=0, left=LEFT, gone=0; bit busy[N]=0, holds[N]=0, lk[N]=0, over=0;
/* ghost */
byte tag[N]=0;        /* the phase of what is in now */
byte open[PHASES]=0; /* items of a phase that are not done */
byte ended=0;        /* phases that have had their action */
bit in_action=0, stopped=0;
byte i;              /* for d_steps */

inline lock(l){ lk[l]==0; lk[l]=1 }
inline begin(p){ /* inside an atomic: an item of phase p is in hand */
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
inline take_more(v){ /* inside an atomic, under its lock */
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
inline begin_phase(l){ /* inside a d_step: lane l has the lock of who advances */
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
inline run_dry(){ /* or takes the next of its own: sets got */
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
