/* Handles: a task that lies in a queue and has a handle is run once, and its holder is woken.
 *
 * Mirrors, below crates/filch/src:
 *   sync/promise.rs              `claim`, `complete`, `leave_waiter`, `leave`
 *   constructs/handle/mod.rs     `join`, `poll`, `drop`
 *   constructs/handle/submitted.rs  `run`
 *
 * A worker finds the task in a queue. The holder does one of three things: it joins, where it claims the task itself if
 * it can, and otherwise leaves a waiter and sleeps; it polls up to WAITERS times, each time with another waiter, also
 * when it has learnt that the task is done, and then sleeps on the last one if that was left; or it drops the handle.
 * Either may claim the task. An atomic block is one read-modify-write.
 *
 * Not modelled: what a holder does instead of sleeping (parts.pml). Everything is sequentially consistent.
 *
 * Who writes what:
 *   begun, done, awaited, left   one word, by read-modify-write only; see sync/promise.rs
 *   cell         the waiter, from 1 on: the holder while `awaited` is 0, the runner when it has set `done` and seen it
 *   user         which of the two is in the cell now, to find out whether both are
 *   result       whether there is a result: the runner, before `done`; whoever fetches or disposes of it
 *   tok[w]       whether waiter w has been woken: the runner
 *
 * Properties:
 *   - The task runs once.
 *   - The result is fetched by the holder, or disposed of by the runner or by the holder that leaves, once.
 *   - Only one thread at a time is in the cell.
 *   - The holder does not sleep for ever (deadlock).
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok
 *   @ok WAITERS=3
 *
 * Mutants, each of which must fail:
 *   CLAIM_BLIND      the claim is a look and a write
 *   DONE_FIRST       the task is marked as done before the result is there
 *   NO_FIRST_LOOK    (WAITERS=3) the holder does not look for `done` before it withdraws its announcement or goes
 *                    into the cell
 *   NO_SECOND_LOOK   the holder does not look for `done` when it has announced its waiter
 *   NO_WITHDRAWAL    the holder replaces its waiter without withdrawing the announcement
 *   BLIND_WITHDRAWAL the holder does not look for `done` when it withdraws the announcement
 *   WAKE_FIRST       the runner looks for a waiter before it sets `done`
 *   LEFT_LATE        the runner looks whether the handle has been dropped after it has set `done` */
#ifndef WAITERS
#define WAITERS 2
#endif
bit begun=0, done=0, awaited=0, left=0, result=0; byte cell=0, runs=0, ended=0; bit tok[WAITERS+1]=0;
byte inside=0, over=0;

inline enter(){ inside++; assert(inside==1) }
inline exit(){ inside-- }
inline claim(){
#ifdef CLAIM_BLIND
  if :: begun -> mine=0 :: else -> begun=1; mine=1 fi
#else
  atomic{ if :: begun -> mine=0 :: else -> begun=1; mine=1 fi }
#endif
}
inline fetch(){ atomic{ assert(result); result=0; ended++ } }
inline work(){ atomic{ runs++; assert(runs==1) } }

active proctype runner(){ bit mine=0, saw=0, is_left=0; byte w=0;
  claim();
  if
  :: mine ->
     work();
#ifdef DONE_FIRST
     atomic{ done=1; saw=awaited; is_left=left }; result=1;
#else
     result=1;
#ifdef WAKE_FIRST
     saw=awaited; atomic{ done=1; is_left=left };
#else
#ifdef LEFT_LATE
     atomic{ done=1; saw=awaited }; is_left=left;
#else
     atomic{ done=1; saw=awaited; is_left=left };
#endif
#endif
#endif
     if :: saw -> enter(); w=cell; cell=0; exit(); if :: w>0 -> tok[w]=1 :: else fi :: else fi;
     if :: is_left -> fetch() :: else fi
  :: else
  fi;
  over++ }

active proctype holder(){ bit mine=0, saw=0, left_one=0; byte w=0;
  if
  :: claim();
     if :: mine -> work(); ended++; goto gone :: else -> goto wait fi
  :: goto wait
  :: atomic{ left=1; saw=done }; if :: saw -> fetch() :: else fi; goto gone
  fi;
wait:
  do
  :: w<WAITERS ->
     w++;
#ifndef NO_FIRST_LOOK
     if :: done -> goto next :: else fi;
#endif
     if
     :: awaited ->
#ifdef NO_WITHDRAWAL
        skip
#else
        atomic{ awaited=0; saw=done };
#ifndef BLIND_WITHDRAWAL
        if :: saw -> goto next :: else fi
#else
        skip
#endif
#endif
     :: else
     fi;
     enter(); cell=w; exit();
     atomic{ awaited=1; saw=done };
     left_one=1;
#ifndef NO_SECOND_LOOK
     if :: saw -> left_one=0 :: else fi;
#endif
     goto after;
next: left_one=0;
after: skip
  :: w>0 -> if :: left_one -> tok[w] :: else fi; break
  od;
  assert(done);
  fetch();
gone: over++ }

active proctype end(){ (over==2) -> assert(runs==1 && ended==1 && !result) }
