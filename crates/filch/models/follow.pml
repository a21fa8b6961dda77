/* Helping along the whole chain: a waiting worker follows what its thief waits for, and what that one's thief waits for, and so on.
 * Mirrors the waiting worker (crates/filch/src/worker/wait.rs). A take is one step here: ladder.pml and chain.pml take it apart.
 * The claim to check: a worker that waits for task x takes frames of descendants of x only.
 *
 * N workers, the first and the last with a task of its own each (-DONE_ROOT: the first only), the others idle. A task forks and
 * returns as it likes; an idle worker takes any frame; a worker that comes to a frame that is gone waits for its task x and follows
 * the chain from cur = x:
 *   1. take from cur's cell, if cur is live there; cell and depth are part of an id. Else:
 *   2. read `waits` of that cell;
 *   3. then look whether cur is still live there. If it is, what was read descends from cur, or is over: it is the next cur.
 * What a waiter takes runs on top of its stack, one deeper.
 *
 * Who writes what
 *   live[w,d] the task that worker w runs at depth d: w, before the task's id is known to anybody (under L in a take, before the
 *             release of the id in a give), and when the task ends: after `done`, before anything else.
 *   waits[w]  the task that w waits for: w. Cleared when a task begins, with `live`; written when a wait begins; left alone when
 *             it ends, for what it names is over then; written again when a task that has run on top of the wait has ended, after
 *             its `live` is cleared.
 *   done[x]   its worker, at its end.
 * So while `live` names cur, `waits` is of cur or of something on top of it, that is, of a descendant; or over. The waiter's own
 * `done` shows that for the first step only: the second worker of the chain may be through with cur, and wait for something
 * else, while x goes on. And it does not even show that, if `waits` is kept while helping: see the mutants.
 * -DARGUMENT checks this at each step, not only where it leads: a wrong take for want of it may need a worker more than N.
 *
 * Mutants, each with what it breaks (check.sh demands that each fails):
 *   OWN_DONE          (ARGUMENT; wrong take with N=4, NT=7) 3 looks at done[x], not at live: cur ends, its worker waits elsewhere
 *   HELP_KEEPS_WAITS  `waits` is kept while helping: x runs on top of a wait, and what it is said to wait for is an ancestor of x
 *   RESTORE_EARLY     `waits` is restored before `live` is cleared: the same, at the end of x
 *   LIVE_FIRST        3 before 2: cur ends between, and its worker waits elsewhere
 *   NO_LOOK           no 3
 *   UNRESTRICTED      1 without looking whether cur is live: its worker has gone on
 * Experiments, which must not fail:
 *   FIRST_OWN_DONE    3 looks at done[x] where cur is x, at live after that
 *   IDLE_KEEPS_WAITS  `waits` is not cleared by a task that begins on an idle worker: what it names is over */
#ifndef N
#define N  3         /* workers */
#endif
#ifndef D
#define D  2         /* tasks on a worker's stack */
#endif
#ifndef NT
#define NT 6         /* tasks, the given ones included */
#endif
#define NF 2         /* frames that a task has on the ladder at a time */

byte live[N*D]=0, waits[N]=0; bit done[NT+1]=0;
/* Ladders. All frames on one are of the innermost task of its worker, because what that lies above is gone. */
byte deep[N]=0;                     /* tasks on the stack */
byte task[N*D]=0, awaited[N*D]=0;   /* each of them, and what it waits for */
byte p[N*D]=0, h[N*D]=0;            /* its frames: how many, how many of them taken (the oldest) */
byte child[N*D*NF]=0;               /* and by which tasks */
byte ids=0, where[NT+1]=0;          /* tasks begun; worker*D + depth of each */
byte line[NT+1]=0;                  /* ghost: a bit for the task and each of its ancestors */
#define descends(y,x) ((line[y]>>(x))&1)
#define inner(w)      ((w)*D+deep[w]-1)
#ifdef UNRESTRICTED
#define IS_LIVE       (true)
#else
#define IS_LIVE       (live[where[cur]]==cur)
#endif
#define latent(w)     (deep[w]>0 && p[inner(w)]>h[inner(w)] && ids<NT)

inline begin(above){
  ids++; where[ids]=me*D+deep[me]; line[ids]=above|(1<<ids);
#ifdef HELP_KEEPS_WAITS
  if :: deep[me]==0 -> waits[me]=0 :: else fi;
#else
#ifdef IDLE_KEEPS_WAITS
  if :: deep[me]>0 -> waits[me]=0 :: else fi;
#else
  waits[me]=0;
#endif
#endif
  deep[me]++; task[inner(me)]=ids; live[inner(me)]=ids
}
inline take(v){ k=inner(v); child[k*NF+h[k]]=ids+1; h[k]++; begin(line[task[k]]); k=0 }

proctype worker(byte me){ byte k=0, x=0, cur=0, y=0; bit ok=0;
  if :: deep[me]==0 -> goto idle :: else fi;
work: /* the innermost task */
  atomic{ k=inner(me);
    if
    :: p[k]<NF && ids<NT -> p[k]++; k=0; goto work                              /* fork */
    :: p[k]>0 -> p[k]--;                                                       /* return */
         if
         :: h[k]>p[k] -> h[k]=p[k]; awaited[k]=child[k*NF+p[k]]; child[k*NF+p[k]]=0;
              waits[me]=awaited[k]; k=0; goto wait
         :: else -> k=0; goto work
         fi
    :: p[k]==0 -> done[task[k]]=1; k=0                                         /* end */
    fi };
#ifdef RESTORE_EARLY
  atomic{ if :: deep[me]>1 -> waits[me]=awaited[inner(me)-1] :: else fi };
#endif
  atomic{ k=inner(me); live[k]=0; task[k]=0; deep[me]--; k=0;
    if :: deep[me]==0 -> goto idle :: else fi };
  waits[me]=awaited[inner(me)];
wait: /* for what the innermost task waits for */
  atomic{ x=awaited[inner(me)];
    if :: done[x] -> awaited[inner(me)]=0; x=0; goto work :: else -> cur=x fi };
hop:
  atomic{ k=where[cur]/D; /* 1 */
    if
    :: k!=me && deep[me]<D && latent(k) && IS_LIVE -> assert(descends(task[inner(k)],x)); d_step{ y=k; take(y); k=0; x=0; cur=0; y=0 }; goto work
    :: else -> k=0
    fi };
#ifdef LIVE_FIRST
  ok=(live[where[cur]]==cur);
#endif
  y=waits[where[cur]/D]; /* 2 */
  atomic{ /* 3 */
#ifdef LIVE_FIRST
    skip;
#else
#ifdef OWN_DONE
    ok=!done[x];
#else
#ifdef FIRST_OWN_DONE
    ok=(cur==x -> !done[x] : live[where[cur]]==cur);
#else
#ifdef NO_LOOK
    ok=1;
#else
    ok=(live[where[cur]]==cur);
#endif
#endif
#endif
#endif
    if
    :: ok && y!=0 ->
#ifdef ARGUMENT
       assert(descends(y,x) || done[y]);
#endif
       cur=y; y=0; ok=0; goto hop
    :: else -> y=0; ok=0; cur=0; goto wait
    fi };
idle:
end_idle:
  atomic{ if :: latent(0) -> y=0 :: latent(1) -> y=1 :: latent(2) -> y=2
#if N>3
             :: latent(3) -> y=3
#endif
          fi;
          d_step{ take(y); y=0 }; goto work }
}
init{ byte me=N-1;
  atomic{
#ifndef ONE_ROOT
    begin(0);
#endif
    me=0; begin(0);
    do :: me<N -> run worker(me); me++ :: else -> break od
  }
}
