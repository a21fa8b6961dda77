/* Squads: at most one inter-socket task of a squad runs that the squad has got from a pool, and none is left behind.
 *
 * Mirrors, below crates/filch/src:
 *   engine/team/squads.rs           `begin`, `end`, `get`, `may_begin`
 *   engine/share/across.rs     `visit_across`, `begin_across`, `end_across`, `while_waiting`
 *   engine/share/descent.rs    `share`, `leave_across`
 *   engine/wait/join_end.rs    `wait`
 *
 * Two squads of two workers. Worker 0 runs the root. A task above the boundary level puts one child into the pool of
 * its squad, and runs the other one in place. Then it takes the first child back, or waits for it. An idle worker gets
 * a task from a pool if its squad is not busy. Which worker is the head is a hint in the sources, so here each worker
 * takes itself for it. A worker that waits does not help; other models are about that.
 *
 * Not modelled: intra-socket work; how a pool is locked; sleep (sentinel.pml), so idle workers look again and again.
 * Everything is sequentially consistent.
 *
 * Who writes what:
 *   busy[s]     whether squad s has got a task: the worker that gets it sets it by compare-exchange, and clears it
 *   has[w]      whether worker w has made its squad busy: worker w
 *   where[t]    in which pool task t is: any worker, in one step
 *
 * Properties:
 *   - A squad runs at most one task that it has got and that does not wait.
 *   - Every task runs exactly once, and the root ends.
 *   - In the end no squad is busy.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok
 *
 * Mutants, each of which must fail:
 *   LOOK_THEN_SET  a worker looks whether its squad is busy, and makes it busy in another step
 *   TWICE          a task is removed from a pool in two steps
 *   NO_END         a squad stays busy when its task is done
 *   NO_RELEASE     a worker that finds no task leaves its squad busy */
#define W 4
#define LEAVES 4     /* tasks: 1 is the root, the children of t are 2t and 2t+1, and those from LEAVES on are leaves */
bit busy[2]=0, has[W]=0, done[8]=0, over=0;
byte where[8]=0;     /* in the pool of squad where[t]-1; 0: in no pool */
byte ran[8]=0, running[2]=0, left=0;

inline counts(n){ if :: has[me] -> running[s]=running[s]+n; assert(running[s]<=1) :: else fi }

/* Task t on worker `me`. */
proctype task(byte t; byte me){ bit mine=0, had=0; byte s=me/2;
  d_step{ assert(ran[t]==0); ran[t]=1 };
  if
  :: t<LEAVES ->
       where[2*t]=s+1;
       run task(2*t+1, me);
       done[2*t+1];
       atomic{ if :: where[2*t]>0 -> where[2*t]=0; mine=1 :: else fi };
       if
       :: mine -> run task(2*t, me); done[2*t]
       :: else ->
            d_step{ had=has[me]; counts(-1); if :: has[me] -> has[me]=0; busy[s]=0 :: else fi };
            done[2*t];
            atomic{ if :: had && !busy[s] -> busy[s]=1; has[me]=1; counts(1) :: else fi }
       fi
  :: else
  fi;
  done[t]=1
}

inline pick(){
  f=0; t=2;
  do
  :: t<8 -> if :: where[t]>0 && (f==0 || where[t]==s+1) -> f=t :: else fi; t++
  :: else -> break
  od;
  if :: f>0 -> where[f]=0 :: else fi; t=0
}

proctype worker(byte me){ byte s=me/2, f=0, t=0; bit mine=0;
  if :: me==0 -> run task(1, 0); done[1]; over=1 :: else fi;
  do
  :: over -> break
  :: !over ->                                                   /* takes itself for the head */
#ifdef LOOK_THEN_SET
       mine=!busy[s];
       if :: mine -> busy[s]=1; has[me]=1 :: else fi;
#else
       atomic{ mine=!busy[s]; if :: mine -> busy[s]=1; has[me]=1 :: else fi };
#endif
       if
       :: mine ->
#ifdef TWICE
            pick();
#else
            d_step{ pick() };
#endif
            if
            :: f>0 -> counts(1); run task(f, me); done[f]; counts(-1);
                 d_step{ if :: has[me] -> has[me]=0;
#ifndef NO_END
                               busy[s]=0
#endif
                         :: else fi };
                 f=0
            :: else ->
#ifndef NO_RELEASE
                 d_step{ has[me]=0; busy[s]=0 }
#else
                 has[me]=0
#endif
            fi;
            mine=0
       :: else
       fi
  od;
  assert(!has[me]);
  left++; left==W; assert(!busy[s])
}
init{ atomic{ run worker(0); run worker(1); run worker(2); run worker(3) } }
