/* Helping: a waiting worker takes frames from any worker, if they are parts of what it waits for.
 *
 * Mirrors, below crates/filch/src:
 *   engine/team/lineage.rs        `Team::is_part`, `lineage`
 *   engine/frame/task.rs           `Tasks::begin`, `end`, `holder`, `origin`
 *   engine/share/visits.rs   `Thief::visit_shared`
 *   engine/share/execute.rs        `execute`: when a task begins, is done and ends
 *
 * There are N workers. The first and the last begin with a task of their own (with ONE_ROOT only the first), and the
 * others are idle. A task forks and returns in any order. With LIVE a task may also block until the frame that it has
 * just forked is taken. An idle worker takes any frame. A worker that returns to a frame that is gone waits for that
 * frame. It looks at one worker after the other, and
 *   1. guesses the task u that the oldest frame of some worker belongs to;
 *   2. walks up from u, from task to task, until it meets a task whose goal is the frame that it waits for;
 *   3. takes the oldest frame, if this frame belongs to u now.
 * What a waiter takes runs on top of its stack, one level deeper.
 *
 * Not modelled: the steps of a take, which is one step here (ladder.pml, chain.pml); asks; scopes; sleep.
 *
 * Who writes what:
 *   live[w,d]                the task that worker w runs at depth d: w, when the task begins, and when it ends, as the
 *                            first thing after `done`
 *   parent[w,d], goal[w,d]   the task that forked the frame of that task, and the place of the frame: w, before `live`.
 *                            Places are used again, by the same task and by others.
 *   done                     whether a task is done: its worker, at the end. Then the worker that waits for it may go
 *                            on, while `live` still names the task.
 *
 * Properties:
 *   - A worker that waits for a frame takes only parts of that frame.
 *   - With LIVE, under weak fairness: no worker blocks for ever while another one waits that may take its oldest frame
 *     (`p0`, `p1`, `p2`: one for each worker that blocks).
 *
 * Runs (README.md describes the syntax):
 *   @mutants -O1
 *   @ok
 *   @ok ONE_ROOT
 *   @ok ONE_ROOT DONE_LAST
 *   @ok LIVE ltl=p0
 *   @ok LIVE ltl=p1
 *   @ok LIVE ltl=p2
 *
 * Mutants, each of which must fail:
 *   LOOK_EARLY   step 3 checks that u is live before it takes, so u may end in between, and the frame is another task's
 *   ANY_HOLDER   step 3 does not check which task the frame belongs to
 *   LIVE_FIRST   (NT=6, -O1) a worker writes `live` before `parent` and `goal`, so the walk reads those of an earlier
 *                task
 *   ONE_STEP     (LIVE, ltl=p1, -O1) step 2 looks only at the goal of u itself, so frames forked inside a part are not
 *                found
 *   THIEF_ONLY   (LIVE, ltl=p1, -O1) step 1 looks only at the worker that has taken the frame waited for, which may
 *                itself wait
 * Experiments, which must not fail:
 *   DONE_LAST   a worker clears `live` before it sets `done` */
#define N  3         /* workers */
#define D  2         /* tasks on a worker's stack */
#ifndef NT
#define NT 5         /* tasks in all, including those that workers begin with */
#endif
#define NF 2         /* frames that a task may have on the ladder at a time */

byte live[N*D]=0, parent[N*D]=0, goal[N*D]=0; bit done[NT+1]=0;
/* Ladders. All frames of a ladder belong to its worker's innermost task, because the frames below that are gone. */
byte deep[N]=0;                     /* tasks on the stack */
byte task[N*D]=0, awaited[N*D]=0;   /* each of them, and the task that it waits for */
byte p[N*D]=0, h[N*D]=0;            /* its frames: how many, and how many (the oldest) are taken */
byte child[N*D*NF]=0;               /* ghost: the tasks that have taken them */
byte ids=0, where[NT+1]=0;          /* tasks begun; for each, worker*D + depth, a part of its name */
byte line[NT+1]=0;                  /* ghost: a bit for the task and each of its ancestors */
bit blocks[N]=0;                    /* whether a worker blocks until its latest frame is taken */
#define descends(y,x) ((line[y]>>(x))&1)
#define inner(w)      ((w)*D+deep[w]-1)
#define latent(w)     (deep[w]>0 && p[inner(w)]>h[inner(w)] && ids<NT)
#define oldest(w)     (inner(w)*NF+h[inner(w)]+1)      /* its place */
/* Whether w waits, has room, and may take the oldest frame of v. */
#define may(w,v)      (deep[w]>0 && deep[w]<D && awaited[inner(w)]!=0 && !done[awaited[inner(w)]] && \
                       descends(task[inner(v)],awaited[inner(w)]))
#define needed(v)     (blocks[v] && latent(v) && (may(0,v) || may(1,v) || may(2,v)))
#ifdef LIVE
ltl p0 { []<> !(needed(0)) }
ltl p1 { []<> !(needed(1)) }
ltl p2 { []<> !(needed(2)) }
#endif

inline take(v){
  k=inner(v); ids++; child[k*NF+h[k]]=ids; where[ids]=me*D+deep[me]; line[ids]=line[task[k]]|(1<<ids);
  task[me*D+deep[me]]=ids; deep[me]++; up=task[k]; from=k*NF+h[k]+1; h[k]++; k=0
}

proctype worker(byte me){ byte k=0, v=0, cur=0, u=0, up=0, from=0; bit found=0;
  if :: deep[me]==0 -> goto idle :: else -> goto work fi;
begin: /* begins a task that has been taken */
#ifdef LIVE_FIRST
  live[inner(me)]=task[inner(me)]; parent[inner(me)]=up; goal[inner(me)]=from;
#else
  parent[inner(me)]=up; goal[inner(me)]=from; live[inner(me)]=task[inner(me)];
#endif
  atomic{ up=0; from=0 };
work: /* runs the innermost task */
  atomic{ k=inner(me);
    if
    :: p[k]<NF && ids<NT -> p[k]++; k=0;                                         /* fork */
         if :: goto work
#ifdef LIVE
            :: blocks[me]=1; goto block
#endif
         fi
    :: p[k]>0 -> p[k]--;                                                       /* return */
         if
         :: h[k]>p[k] -> h[k]=p[k]; awaited[k]=child[k*NF+p[k]]; child[k*NF+p[k]]=0; k=0; goto wait
         :: else -> k=0; goto work
         fi
    :: p[k]==0 ->                                                            /* end */
#ifndef DONE_LAST
         done[task[k]]=1;
#endif
         k=0
    fi };
  atomic{ k=inner(me); live[k]=0; u=task[k]; task[k]=0; deep[me]--; k=0 };
#ifdef DONE_LAST
  done[u]=1;
#endif
  atomic{ u=0; if :: deep[me]==0 -> goto idle :: else -> goto wait fi };
block:
end_block:
  atomic{ h[inner(me)]==p[inner(me)] -> blocks[me]=0; goto work };
wait: /* waits for the frame that was at place inner*NF + p */
  atomic{ k=inner(me);
    if
    :: done[awaited[k]] -> awaited[k]=0; k=0; v=0; goto work
    :: else -> k=0;
#ifdef LIVE
         v=(v+1)%N;                                                      /* step 1 */
#else
         if :: v=0 :: v=1 :: v=2
         fi;
#endif
         if
#ifdef THIEF_ONLY
         :: v!=where[awaited[inner(me)]]/D -> skip
#endif
         :: v!=me && deep[v]>0 && deep[me]<D -> u=live[inner(v)]
         :: else -> skip
         fi;
         cur=u;
#ifndef LIVE
         v=0
#else
         skip
#endif
    fi };
walk: /* step 2 */
  do
  :: cur!=0 -> found=(goal[where[cur]]==inner(me)*NF+p[inner(me)]+1);
#ifdef ONE_STEP
       break
#else
       if :: found -> break :: else -> cur=parent[where[cur]] fi
#endif
  :: cur==0 -> break
  od;
  cur=0;
  if :: !found -> u=0; goto wait :: else -> found=0 fi;
#ifdef LOOK_EARLY
  if :: live[where[u]]!=u -> u=0; goto wait :: else fi;
#endif
  atomic{ k=where[u]/D; /* step 3 */
    if
#if defined(ANY_HOLDER) || defined(LOOK_EARLY)
    :: latent(k) ->
#else
    :: latent(k) && live[inner(k)]==u ->
#endif
         assert(descends(task[inner(k)],awaited[inner(me)]));
         u=0; v=0; d_step{ cur=k; take(cur); cur=0 }; goto begin
    :: else -> k=0; u=0; goto wait
    fi };
idle:
end_idle:
  atomic{ if :: latent(0) -> u=0 :: latent(1) -> u=1 :: latent(2) -> u=2 fi;
          d_step{ take(u); u=0 }; goto begin }
}
init{ byte me=0;
  atomic{
    ids++; where[ids]=0; line[ids]=2; task[0]=1; live[0]=1; deep[0]=1;
#ifndef ONE_ROOT
    ids++; where[ids]=(N-1)*D; line[ids]=4; task[(N-1)*D]=2; live[(N-1)*D]=2; deep[N-1]=1;
#endif
    do :: me<N -> run worker(me); me++ :: else -> break od
  }
}
