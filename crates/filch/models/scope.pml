/* A scope: tasks in pools, counted; its owner runs them, sleeps, and is woken. Mirrors engine/{group,run_tasks}.rs,
 * engine/task_pool, engine/wait/scope_end.rs and sync/pending.rs under crates/filch/src.
 *
 * The owner's body spawns, then waits: it runs tasks of the scope from all pools, and sleeps, here without a timeout,
 * once there are none. A worker of the pool runs tasks too. With LEAVES it may go away between two tasks, so that
 * nobody but the owner is there to run what is spawned; else it sleeps where nothing is active, and in MEET the body
 * awaits a task of its own, which only the worker can run. Any task may spawn, and one of them (or the body) starts a
 * foreign thread, which spawns, and awaits its end. LEFT spawns in all, beside the FOREIGN ones. Everything is
 * sequentially consistent; locks stand for the order that the code has from them.
 *
 * Who writes what
 *   cnt, aw   one word: tasks spawned and not done, and whether the owner may be asleep. By read-modify-write only.
 *   n[p]      tasks in pool p, under lk[p]: the owner's, the worker's, that of foreign threads.
 *   tok, wtok the tokens of the owner's parker and of the worker's bed.   act: activity, by the first spawn of the
 *                                                                         scope.
 * Properties: the owner leaves when every task has run, once; nobody touches the scope after that; nobody sleeps for
 * ever (deadlock).
 *
 * Runs (README.md says how to read them):
 *   @mutants LEAVES
 *   @ok
 *   @ok LEAVES LEFT=4 FOREIGN=2
 *   @ok MEET
 *
 * Mutants, each with what it breaks (each must fail):
 *   PUSH_FIRST      a task is in a pool before it is counted: done before it was there
 *   NO_CALL         a spawn does not wake the owner
 *   CALL_EARLY      a spawn looks whether the owner sleeps before the task is in a pool
 *   CALL_SILENT     a spawn withdraws the announcement and leaves no token
 *   NO_SECOND_LOOK  the owner does not look into the pools after it has announced that it sleeps
 *   ANNOUNCE_BLIND  the owner does not look at the count as it announces
 *   LAST_BLIND      the last task does not wake the owner
 *   TOUCH_LATE      the last task looks at the announcement after it has been counted out
 *   MOVE_SILENT     who moves tasks from one pool to another does not wake the owner, who may have looked meanwhile
 *   BODY_ONLY       the owner looks into its own pool only
 *   NO_ACTIVATE     (MEET) the first spawn is no activity
 *   ACTIVATE_EARLY  (MEET) the first spawn looks for sleepers before it counts as activity */
#ifndef LEFT
#define LEFT 3
#endif
#ifndef FOREIGN
#define FOREIGN 1
#endif
#define POOLS 3
byte cnt=0, act=0, left=LEFT, spawned=0, ran=0; bit aw=0, alive=1, tok=0, wtok=0, annc=0, activated=0;
byte n[POOLS]=0; bit lk[POOLS]=0; bit fstart=0, fend=0, over=0;

inline lock(p){ atomic{ lk[p]==0 -> lk[p]=1 } }
inline put(p){ lock(p); n[p]++; lk[p]=0 }
inline get(p){ lock(p); if :: n[p]>0 -> n[p]--; got=1 :: else -> got=0 fi; lk[p]=0 }
inline count(){ atomic{ assert(alive); cnt++; spawned++ } }
inline call(){
  assert(alive);
  if :: aw -> atomic{ saw=aw; aw=0 };
#ifndef CALL_SILENT
        if :: saw -> tok=1 :: else fi
#else
        skip
#endif
     :: else fi
}
inline activate(){
#ifdef NO_ACTIVATE
  skip
#else
  if :: atomic{ !activated -> activated=1 };
#ifdef ACTIVATE_EARLY
        if :: annc -> atomic{ annc=0; wtok=1 } :: else fi; act++
#else
        act++; if :: annc -> atomic{ annc=0; wtok=1 } :: else fi
#endif
     :: else fi
#endif
}
inline spawn(p){
#ifdef PUSH_FIRST
  put(p); count();
#else
  count();
#ifdef CALL_EARLY
  call();
#endif
  put(p);
#endif
  activate();
#if !defined(NO_CALL) && !defined(CALL_EARLY)
  call();
#endif
  saw=0 }
/* The worker runs one task and moves another to its own pool. */
inline get_batch(p){ lock(p); if :: n[p]>0 -> n[p]--; got=1 :: else -> got=0 fi;
  if :: n[p]>1 -> n[p]--; more=1 :: else -> more=0 fi; lk[p]=0;
  if :: more -> more=0; put(1);
#ifndef MOVE_SILENT
        call(); saw=0
#else
        skip
#endif
     :: else fi }
inline complete(){
  atomic{ assert(alive); assert(cnt>0); last=(cnt==1); saw=aw; cnt--; ran++ };
#ifdef TOUCH_LATE
  if :: last -> assert(alive); saw=aw :: else fi;
#endif
#ifndef LAST_BLIND
  if :: last && saw -> tok=1 :: else fi;
#endif
  saw=0; last=0 }
inline steps(p){ /* what a task, or the body, does */
  do
  :: atomic{ left>0 -> left-- }; spawn(p)
  :: atomic{ !fstart -> fstart=1 }; fend
  :: break
  od }

active proctype owner(){ bit got=0, saw=0, last=0;
  steps(0);
#ifdef MEET
  spawn(0); ran>0;
#endif
wait:
  do
  :: cnt==0 -> break
  :: else ->
     get(0);
#ifndef BODY_ONLY
     if :: !got -> get(1) :: else fi;
     if :: !got -> get(2) :: else fi;
#endif
     if :: got -> got=0; steps(0); complete(); goto wait :: else fi;
     /* nothing: sleeps */
#ifdef ANNOUNCE_BLIND
     aw=1;
#else
     atomic{ aw=1; if :: cnt==0 -> break :: else fi };
#endif
#ifndef NO_SECOND_LOOK
     get(0);
#ifndef BODY_ONLY
     if :: !got -> get(1) :: else fi;
     if :: !got -> get(2) :: else fi;
#endif
     if :: got -> got=0; steps(0); complete(); goto wait :: else fi;
#endif
     atomic{ tok -> tok=0 }
  od;
  atomic{ assert(ran==spawned); assert(n[0]+n[1]+n[2]==0); alive=0; over=1 };
  if :: activated -> act-- :: else fi
}
active proctype worker(){ bit got=0, more=0, saw=0, last=0;
look:
  get(1); if :: !got -> get_batch(0) :: else fi; if :: !got -> get_batch(2) :: else fi;
  if :: got -> got=0; steps(1); complete();
#ifdef LEAVES
        if :: goto gone :: goto look fi
#else
        goto look
#endif
     :: else fi;
#ifdef LEAVES
  if :: goto gone :: (n[0]+n[1]+n[2]>0 || over) -> if :: over -> goto gone :: else -> goto look fi fi;
#else
  annc=1;
  if
  :: act>0 -> end_timed: (wtok || n[0]+n[1]+n[2]>0 || act==0)   /* the sentinel: it looks again, sooner or later */
  :: act==0 -> end_untimed: wtok
  fi;
  atomic{ annc=0; wtok=0 };
  if :: over -> goto gone :: else -> goto look fi;
#endif
gone: skip
}
active proctype foreign(){ bit saw=0; byte i=0;
end_f:
  fstart;
  do :: i<FOREIGN -> i++; spawn(2) :: else -> break od;
  fend=1
}
