/* The beat: a clock tells a worker to promote its oldest frame, and no beat is lost.
 *
 * Mirrors, below crates/filch/src:
 *   engine/team/beat.rs               `BeatCell::give`, `take` with and without use, `spend`
 *   engine/schedulers/heartbeat.rs             `live`
 *   engine/share/at_return.rs    `settle`
 *   engine/schedulers/heartbeat.rs  `take_beat`, `may_leave`, `at_return`
 *   engine/wait/join_end.rs      `wait`: the owner takes back what no worker has begun
 *   protocol/ladder/attend.rs    `attend`
 *   protocol/task_pool/shelf.rs  `put`, `get`, `reclaim`
 *
 * The owner forks frames and returns. BEATS beats become due in all, one after the other. The clock gives the beat that
 * is due when the last one has been taken and there seems to be a frame. A fork without an older frame spends the beat
 * that is due, or takes the one that has been given, and promotes its own frame (which is not modelled: it never lies
 * on the ladder). A thief removes promoted frames from the pool and runs them. The thief also raises E now and then
 * without a reason, as a take that fails does, and lowers what it has raised.
 *
 * Not modelled: parts of loops (range.pml), and how the pool is locked. A return that finds E raised locks L, and so
 * sees what was written before E was raised; everything is sequentially consistent.
 *
 * Who writes what:
 *   due         whether a beat is due, that is, whether `last_ns` is a period ago: time sets it; the clock or the
 *               owner clears it, by a compare-exchange
 *   given       whether there is a beat that the owner has not taken: the clock sets it, the owner clears it
 *   E, H, L     as in ladder.pml; the clock raises E as far as it goes
 *   in_pool[f]  the owner puts frame f in; the owner or the thief takes it out
 *
 * Properties:
 *   - While a beat is given, E is raised, or the clock is about to raise it: the next return takes the beat.
 *   - There are at most as many promotions as beats.
 *   - A beat has promoted a frame, or is still there. (One that has found none and the next one count as one.)
 *   - Every frame runs exactly once.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok | NF=4 BEATS=3
 *
 * Mutants, each of which must fail:
 *   RAISE_FIRST    the clock raises E before it writes the beat: the owner attends, finds no beat, and lowers E
 *   TAKE_FIRST     the owner looks for a beat before it lowers E: a beat that comes in between is lost
 *   SPEND_TWICE    the owner spends a beat by a load and a store, and the clock gives the same beat
 *   TWICE          the clock gives a beat although the last one has not been taken, and both count
 *   LOSE_EMPTY     a beat that finds no frame is over: a frame that is pushed at once waits for another beat
 *   NO_RECLAIM     the owner runs a promoted frame without taking it out of the pool */
#ifndef NF
#define NF 3
#endif
#ifndef BEATS
#define BEATS 2
#endif
#define K 2
#define MAX 9
byte H=0, E=0, top=0, beats=0, promotions=0; bit L=0, over=0;
byte given=0; bit due=0;
bit raising=0;                 /* the clock has written the beat and not raised E yet */
bit in_pool[K+2]=0, done[K+2]=0;
byte number[K+2]=0, ran[NF+2]=0;

inline runs(f){ d_step{ assert(number[f]>0); assert(ran[number[f]]==0); ran[number[f]]=1 } }

inline take_beat(){ d_step{ if :: given>0 -> took=given; given=0 :: else fi } }
#ifdef LOSE_EMPTY
inline hand_back(){ took=0 }
#else
inline hand_back(){ d_step{ if :: took>0 && due -> beats=beats-took :: took>0 && !due -> due=1 :: else fi; took=0 } }
#endif

inline attend(){               /* rung t is popped; E was raised */
#ifdef TAKE_FIRST
  take_beat();
#endif
  atomic{ L==0 -> L=1 };
  gone=(H>t); if :: gone -> H=t :: else fi;
  E=H;                                                          /* a swap */
#ifndef TAKE_FIRST
  take_beat();
#endif
  if
  :: took>0 && H<t -> in_pool[H+1]=1; H++; E=(E>H->E:H);
       promotions=promotions+took; took=0
  :: else -> hand_back()
  fi;
  L=0;
  assert(promotions<=beats);
  assert(given==0 || raising || E==MAX)
}

proctype owner(){ byte n=0, t, took=0; bit gone=0, e;
  do
  :: n<NF && top==H ->         /* the fork finds a mark */
       take_beat();
       if
       :: took>0
#ifdef SPEND_TWICE
       :: took==0 && due -> due=0; took=1
#else
       :: atomic{ took==0 && due -> due=0; took=1 }
#endif
       :: took==0
       fi;
       promotions=promotions+took; took=0;
       assert(promotions<=beats)
  :: n<NF && top<K -> d_step{ n++; number[top+1]=n; done[top+1]=0; top++ }
  :: top>0 ->
       atomic{ t=top-1; top=t; e=(E>t) };
       if :: e -> attend() :: else fi;
       if
       :: gone -> gone=0;
            if
#ifdef NO_RECLAIM
            :: in_pool[t+1] -> runs(t+1); in_pool[t+1]=0
#else
            :: atomic{ in_pool[t+1] -> in_pool[t+1]=0 }; runs(t+1)
#endif
            :: !in_pool[t+1] -> done[t+1]
            fi
       :: else -> runs(t+1)
       fi;
       d_step{ number[t+1]=0; t=0; e=0 }
  :: top==0 && n==NF -> break
  od;
  atomic{ over=1; assert(promotions+due+given==beats) };
  d_step{ t=1; do :: t<=n -> assert(ran[t]==1); t++ :: else -> break od }
}
proctype clock(){
  do
  :: over -> break
#ifdef TWICE
  :: beats<BEATS && top>H && !over ->
       beats++; beats--;
       given=given+1; given=given+1; beats++;
       E=MAX
#else
  :: atomic{ beats<BEATS && !due && !over -> due=1; beats++ }
  :: given==0 && top>H && !over ->
#ifdef RAISE_FIRST
       E=MAX;
       atomic{ if :: due -> due=0; given=1 :: else fi }
#else
       atomic{ if :: due -> due=0; given=1; raising=1 :: else fi };
       atomic{ E=MAX; raising=0 }
#endif
#endif
  od
}
proctype thief(){ byte f=0, before;
  do
  :: over -> break
  :: f<K -> f++
  :: f>0 -> f=0
  :: f>0 && !over -> atomic{ if :: in_pool[f] -> in_pool[f]=0 :: else -> goto next fi };
       runs(f); done[f]=1;
next:  skip
  :: atomic{ L==0 && E==H && !over && top>H -> L=1; before=E; E=H+1 };    /* a take that will fail */
       atomic{ if :: E==before+1 -> E=before :: else fi; before=0; L=0 }
  od
}
init{ atomic{ run owner(); run clock(); run thief() } }
