/* Watching a ladder: who sleeps for long is called by the first fork that it may be interested in, though a fork looks
 * at no sleepers. Mirrors `Ladder::watch` (crates/filch/src/protocol/ladder/watch.rs), `recover` and `settle_by`
 * (engine/share/way.rs), the taker (engine/share/thief.rs) and the sleeper (protocol/sleep/mod.rs,
 * engine/wait/rest.rs). Takes and returns are one step here: ladder.pml takes them apart.
 *
 * An owner forks and returns as it likes; its frames are MINE or OTHER to the watcher, which may take the oldest one if
 * it is MINE. A thief takes the others'. A leaf may last until the watcher has taken the frame below it. Somebody
 * raises E now and then, as an asker does. The watcher looks, and if there is nothing for it, sleeps until it is
 * called. The claim to check (p): it does not sleep for ever while the oldest frame is MINE.
 *
 * While somebody watches, every ladder is kept so that it tells when it comes to have another oldest frame:
 *   E > H     by a little: the return to that rung attends.
 *   slots[H]  is never null but marked: the fork there finds it, takes the mark away, and calls.
 * The watcher sees to that before it sleeps; who lowers E or moves H sees to it again: the owner in `attend`, a taker
 * after its take, which also calls for what it has uncovered.
 *
 * Who writes what
 *   slots[r]  the owner; marks in place of null, by compare-exchange, anybody.
 *   H, E      as in ladder.pml. E is 2H at rest, 2H+1 if watched, 2H+2 and more if somebody wants something.
 *   watched   how many watch: before they see to a ladder.   asleep, tok  the watcher's bed.
 * The owner's look at its slot and its push are one step here. A mark that comes between them is lost: -DWINDOW takes
 * them apart, and then the watcher has to wake up by itself now and then (BACKSTOP).
 *
 * Runs (README.md says how to read them):
 *   @claim p
 *   @ok
 *   @ok WINDOW BACKSTOP
 *
 * Mutants, each with what it breaks (each must fail):
 *   WINDOW          without BACKSTOP, see above
 *   LOOK_FIRST      the watcher looks for the last time before it sees to the ladder
 *   FLAG_LATE       it says that it watches after that: who moves H meanwhile sees to nothing
 *   MARK_ONLY       it does nothing about a ladder that has a frame
 *   MARK_FIRST      it raises E after it has seen a frame: the owner has returned meanwhile
 *   ATTEND_FORGETS  the owner lowers E, and H, and leaves it at that
 *   TAKE_FORGETS    a taker moves H and leaves it at that
 *   TAKE_SILENT     a taker does not call for the frame that it has uncovered
 *   CALL_EARLY      it calls first, and sees to the ladder then: there is a frame meanwhile
 *   CALL_FIRST      the fork calls before it takes the mark away, and a watcher that comes meanwhile relies on it
 *   CALL_ONCE       it does not look again after the call: who has been called is back asleep before the frame is there
 * Experiments, which must not fail:
 *   STALE           marks above the top are left where they are (they are: a fork that finds one calls for nothing) */
#ifndef NF
#define NF 3        /* forks */
#endif
#define K  2        /* rungs */
#define MINE  1
#define OTHER 2
#define MARK  3
byte slots[K+1]=0; byte H=0, E=0; byte watched=0; bit asleep=0, tok=0, busy=0; byte top=0;
#define oldest  (slots[H])
#define raise(x) E=(E>(x) -> E : (x))
ltl p { [] ((asleep && oldest==MINE) -> <> !(asleep && oldest==MINE)) }

inline watch(){
  if :: watched>0 ->
    h=H;
#ifdef MARK_FIRST
    atomic{ if :: slots[h]==0 -> slots[h]=MARK :: else fi };
#endif
#ifndef MARK_ONLY
    raise(2*h+1);
#endif
#ifndef MARK_FIRST
    atomic{ if :: slots[h]==0 -> slots[h]=MARK :: else fi };              /* compare-exchange */
#endif
    h=0
  :: else fi
}
inline call(kind){ atomic{ if :: asleep && kind==MINE -> tok=1 :: else fi } }

active proctype owner(){ byte n=0, k=0, h=0; bit e=0;
  do
  :: n<NF && top<K ->                                     /* fork */
     n++; if :: k=MINE :: k=OTHER fi;
again:
#ifdef WINDOW
     if :: slots[top]!=MARK -> skip
#else
     if :: atomic{ slots[top]!=MARK -> slots[top]=k; top++; k=0 }
#endif
        :: slots[top]==MARK ->
#ifdef CALL_FIRST
           call(k); slots[top]=0;
#else
           slots[top]=0; call(k);
#endif
#ifdef CALL_ONCE
           atomic{ slots[top]=k; top++; k=0 }
#else
           goto again
#endif
     fi;
#ifdef WINDOW
     slots[top]=k; top++; k=0
#endif
  :: top>0 && slots[top-1]==MINE -> H>=top                /* a long leaf, to the end only when the frame is gone */
  :: top>0 ->                                             /* return */
     atomic{ top--; slots[top]=0; e=(E>2*top) };
     if :: e -> e=0;                                      /* attend, under L */
          atomic{ if :: H>top -> H=top :: else fi; E=2*H };
#ifndef ATTEND_FORGETS
          watch();
#endif
     :: else fi
  :: n==NF && top==0 -> break
  od
}
active proctype thief(){ byte h=0;
end_thief:
  do :: atomic{ H<top && oldest==OTHER -> H++; raise(2*H) };
#ifdef CALL_EARLY
        call(oldest);
#endif
#ifndef TAKE_FORGETS
        watch();
#endif
#if !defined(TAKE_SILENT) && !defined(CALL_EARLY)
        call(oldest)
#endif
  od
}
active proctype asker(){ byte n=0;
  do :: n<2 -> E=9; n++ :: break od
}
active proctype watcher(){ byte h=0;
look:
  if
  :: atomic{ H<top && oldest==MINE -> H++; raise(2*H) }; goto look
  :: atomic{ !(H<top && oldest==MINE) -> skip }
  fi;
#ifndef FLAG_LATE
  watched++;
#endif
  asleep=1;
#ifdef LOOK_FIRST
  if :: H<top && oldest==MINE -> goto awake :: else fi;
#endif
  watch();
#ifdef FLAG_LATE
  h=H; raise(2*h+1); atomic{ if :: slots[h]==0 -> slots[h]=MARK :: else fi }; h=0;
  watched++;
#endif
#ifndef LOOK_FIRST
  if :: H<top && oldest==MINE -> goto awake :: else fi;
#endif
end_asleep:
  if :: tok
#ifdef BACKSTOP
     :: true
#endif
  fi;
awake:
  atomic{ asleep=0; tok=0 }; watched--; goto look
}
