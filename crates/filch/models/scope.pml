/* Scopes: tasks lie in pools and are counted; the owner of a scope runs them, sleeps, and is woken.
 *
 * Mirrors, below crates/filch/src:
 *   engine/scopes/group.rs            `make_known`, `tell_sentinel`, `call_owner`
 *   engine/share/spawn.rs      `spawn`
 *   engine/share/run_tasks.rs        `run_tasks`, `perform_all`, `count_out`
 *   engine/spawned/queue.rs    `put`, `get_of`, `get_batch`, `has_of`; for its lock, see biased.pml
 *   engine/share/visits.rs     `find_other_of`, `find_batch`
 *   engine/wait/scope_end.rs   `finish`, `run_out`, `wait_on`
 *   sync/pending.rs            `add`, `add_own`, `call`, `announce`, `complete`, `complete_own`, `is_zero`
 *
 * The body of the scope spawns. Then the owner waits: it runs tasks of the scope from all pools, and sleeps when there
 * are none, here without a timeout. One worker of the team runs tasks too. With LEAVES it may go away between two
 * tasks, so that only the owner can run what is spawned. Otherwise it sleeps when nothing is active. With MEET the body
 * awaits a task that it has spawned, which only the worker can run. Any task may spawn. A task or the body starts a
 * foreign thread, which spawns, and awaits its end. There are LEFT spawns in all, and FOREIGN ones of the foreign
 * thread.
 *
 * Not modelled: helping with tasks that have begun (parts.pml); waiters of other goals; tasks for later; panics.
 * Everything is sequentially consistent. A lock stands for the order that the sources get from it.
 *
 * Who writes what:
 *   cnt, aw     one word: how many tasks are spawned and not done, but for those in `own`, and whether the owner has
 *               announced that it sleeps. By read-modify-write only.
 *   own         how many tasks the owner has spawned itself, less those that it has run, since it slept: the owner
 *   n[p]        how many tasks are in pool p, under lk[p]. The pools are those of the owner, of the worker and of
 *               foreign threads.
 *   tok, wtok   the token of the owner's parker, and that of the worker's bed: set by the thread that wakes the
 *               sleeper, cleared by the sleeper
 *   annc        whether the worker has announced that it sleeps: the worker; cleared by the thread that wakes it
 *   act         how many runs and scopes are active: the first spawn of the scope; the owner at the end
 *
 * Properties:
 *   - The owner leaves when every task has run exactly once.
 *   - No thread touches the scope after that.
 *   - No thread sleeps for ever (deadlock).
 *
 * Runs (README.md describes the syntax):
 *   @mutants LEAVES
 *   @ok
 *   @ok LEAVES LEFT=4 FOREIGN=2
 *   @ok MEET
 *
 * Mutants, each of which must fail:
 *   PUSH_FIRST       a task is put into a pool before it is counted in, so it may be done and counted out before
 *   NO_CALL          a spawn does not wake the owner
 *   CALL_EARLY       a spawn checks whether the owner sleeps before the task is in a pool
 *   CALL_SILENT      a spawn withdraws the announcement and leaves no token
 *   NO_SECOND_LOOK   the owner does not look into the pools after it has announced that it sleeps
 *   ANNOUNCE_BLIND   the owner does not look at the count when it announces that it sleeps
 *   APART            the owner does not add its count to the word before it sleeps
 *   ADD_LATE         the owner adds its count to the word after it has announced that it sleeps
 *   LAST_BLIND       the last task does not wake the owner
 *   TOUCH_LATE       the last task reads the announcement after it has been counted out
 *   MOVE_SILENT      a worker that moves tasks from one pool to another does not wake the owner, which may have looked
 *                    in between
 *   BODY_ONLY        the owner looks only into its own pool
 *   NO_ACTIVATE      (MEET) the first spawn does not count as activity
 *   ACTIVATE_EARLY   (MEET) the first spawn looks for sleepers before it counts as activity */
#ifndef LEFT
#define LEFT 3
#endif
#ifndef FOREIGN
#define FOREIGN 1
#endif
#define POOLS 3
short cnt=0, own=0; byte act=0, left=LEFT, spawned=0, ran=0; bit aw=0, alive=1, tok=0, wtok=0, annc=0, activated=0;
byte n[POOLS]=0; bit lk[POOLS]=0; bit fstart=0, fend=0, over=0;

inline lock(p){ atomic{ lk[p]==0 -> lk[p]=1 } }
inline put(p){ lock(p); n[p]++; lk[p]=0 }
inline get(p){ lock(p); if :: n[p]>0 -> n[p]--; got=1 :: else -> got=0 fi; lk[p]=0 }
inline count(p){ atomic{ assert(alive); if :: p==0 -> own++ :: else -> cnt++ fi; spawned++ } }
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
  put(p); count(p);
#else
  count(p);
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
/* The worker gets one task to run, and moves another one to its own pool. */
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
  atomic{ assert(alive); assert(cnt+own>0); last=(cnt==1); saw=aw; cnt--; ran++ };
#ifdef TOUCH_LATE
  if :: last -> assert(alive); saw=aw :: else fi;
#endif
#ifndef LAST_BLIND
  if :: last && saw -> tok=1 :: else fi;
#endif
  saw=0; last=0 }
inline complete_own(){ atomic{ assert(cnt+own>0); own--; ran++ } }
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
  :: cnt+own==0 -> break
  :: else ->
     get(0);
#ifndef BODY_ONLY
     if :: !got -> get(1) :: else fi;
     if :: !got -> get(2) :: else fi;
#endif
     if :: got -> got=0; steps(0); complete_own(); goto wait :: else fi;
     /* There is no task: sleeps. */
#if !defined(APART) && !defined(ADD_LATE)
     atomic{ cnt=cnt+own; own=0 };
#endif
#ifdef ANNOUNCE_BLIND
     aw=1;
#else
     atomic{ aw=1; if :: cnt==0 -> break :: else fi };
#endif
#ifdef ADD_LATE
     atomic{ cnt=cnt+own; own=0 };
#endif
#ifndef NO_SECOND_LOOK
     get(0);
#ifndef BODY_ONLY
     if :: !got -> get(1) :: else fi;
     if :: !got -> get(2) :: else fi;
#endif
     if :: got -> got=0; steps(0); complete_own(); goto wait :: else fi;
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
  :: act>0 -> end_timed: (wtok || n[0]+n[1]+n[2]>0 || act==0)   /* the sentinel, which eventually looks again */
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
