/* Watching a ladder: how the next fork calls a thread that sleeps, although a fork does not look for sleepers.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/ladder/watch.rs   `Ladder::watch`, `take_mark`
 *   engine/share/at_fork.rs    `recover`: a fork that finds its slot marked
 *   engine/share/at_return.rs  `settle`: an owner that attends
 *   engine/share/thief.rs      `Thief::take`, `run_claimed`: a taker
 *   engine/team/calls.rs            `Team::watch`, `watch_again`, `call_for`
 *   protocol/sleep/mod.rs      `begin_watch`, `is_watched`, `sleep`: a sentinel that watches
 *   engine/wait/join_end.rs    `watch`: a waiter that watches
 *
 * While a thread watches, every ladder is prepared so that its worker calls when the ladder gets another oldest frame:
 *   E > H      by a little, so the return to that rung attends
 *   slots[H]   is marked if it is null, so a fork there takes the cold path, removes the mark and calls
 * The watcher prepares the ladder before it sleeps. A worker that lowers E or moves H prepares it again: the owner in
 * `attend`, a taker after its take. A taker then calls for the frame that it has uncovered.
 *
 * The owner forks and returns in any order. Its frames are MINE or OTHER to the watcher, which takes the oldest frame
 * if it is MINE. A thief takes the frames that are OTHER. A leaf may last until the frame below it is taken. An asker
 * raises E now and then.
 *
 * Not modelled: the steps of takes and returns, which are one step each here (ladder.pml). The owner's look at its slot
 * and its push are one step, too. With WINDOW they are two, and a mark that comes in between is lost; then the watcher
 * needs a timeout (BACKSTOP). Marks above the top stay there, as in the sources. A fork that finds one calls without
 * need.
 *
 * Who writes what:
 *   slots[r]      the owner; any thread puts a mark in place of null, by compare-exchange
 *   H, E          as in ladder.pml. E is 2H at rest, 2H+1 if the ladder is watched, and more if a thread wants
 *                 something.
 *   watched       how many threads watch: each for itself, before it prepares the ladder
 *   asleep, tok   whether the watcher is asleep: the watcher. Whether it has been called: the caller.
 *
 * Properties:
 *   - The watcher does not sleep for ever while the oldest frame is MINE (`p`, under weak fairness).
 *
 * Runs (README.md describes the syntax):
 *   @claim p
 *   @ok
 *   @ok WINDOW BACKSTOP
 *
 * Mutants, each of which must fail:
 *   WINDOW           without BACKSTOP: a mark that comes between the owner's look and its push is lost
 *   LOOK_FIRST       the watcher takes its last look before it prepares the ladder
 *   FLAG_LATE        the watcher raises `watched` after it has prepared the ladder, so a worker that moves H in between
 *                    does not prepare it again
 *   MARK_ONLY        `watch` does not raise E, so it does nothing to a ladder that has a frame
 *   MARK_FIRST       `watch` raises E after it has seen a frame in the slot, and the owner may have returned in between
 *   ATTEND_FORGETS   the owner lowers E and H, and does not prepare the ladder again
 *   TAKE_FORGETS     a taker moves H, and does not prepare the ladder again
 *   TAKE_SILENT      a taker does not call for the frame that it has uncovered
 *   CALL_EARLY       a taker calls before it prepares the ladder, so a frame may be pushed in between
 *   CALL_FIRST       a fork calls before it removes the mark, so a watcher that comes in between relies on that mark
 *   CALL_ONCE        a fork does not look at its slot again after the call, so a watcher that was called may be asleep
 *                    again before the frame is there */
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
  :: top>0 && slots[top-1]==MINE -> H>=top                /* a long leaf, which ends when the frame is gone */
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
