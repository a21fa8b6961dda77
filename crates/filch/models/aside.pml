/* Helping aside: an owner at the end of a scope helps another worker while its own ladder still holds an older frame.
 *
 * Mirrors, below crates/filch/src:
 *   engine/wait/spare_ladder.rs   `work_aside`: chooses the ladder on which the owner helps
 *   engine/wait/scope_end.rs      `Group::wait`, `wait_on`: the wait that calls it
 *   engine/share/visits.rs        `Thief::visit_shared`: a waiter takes only parts of what it waits for
 *   engine/frame/task.rs                `Tasks::holder`: the task that a frame belongs to
 *
 * The program: W0 runs task X, which is a join. The second branch of the join is frame F0. Its first branch is a scope
 * with one task, T, which W1 runs. T forks frame FH. W0 reaches the end of the scope, takes FH and runs it as task HT.
 * HT forks frame FD, and its first branch blocks until FD has begun. So a waiter must be able to take FD:
 *   without THIRD   W1, which waits for FH. The first branch of T returns when FH has begun.
 *   with THIRD      W2, which waits for X. The first branch of T returns when FD has begun, so W1 does not wait before
 *                   that.
 * With IDLE, a thread without work takes F0 at any time: before W0 looks for older frames, or later.
 *
 * Not modelled: the steps of a take, which is one step here (ladder.pml, chain.pml); asks; sleep. There is always a
 * spare ladder.
 *
 * Who writes what:
 *   fr[l*2+r]        the frame at rung r of ladder l, NIL above the top: the worker that works on l. Ladder 0 is W0's
 *                    own ladder, 1 its spare ladder, 2 the ladder of W1.
 *   h[l]             H of ladder l: takers, under L. The worker that works on l lowers it.
 *   live[x]          whether task x runs: the worker that runs it
 *   at[x], base[x]   the ladder on which x works, and its lowest rung there: the worker that runs x
 *   parent[x]        the task that waits for x: the worker that runs x
 *
 * Properties:
 *   - A waiter takes only parts of what it waits for (assertions in `look`).
 *   - X and T end (`p`, under weak fairness).
 *
 * Runs (README.md describes the syntax):
 *   @claim p
 *   @ok
 *   @ok THIRD
 *   @ok IDLE
 *   @ok THIRD IDLE
 *
 * Mutants, each of which must fail:
 *   OWN_LADDER   W0 always helps on its own ladder, where F0 hides FD
 *   UNCOMPARED   (OWN_LADDER) a taker for a waiter does not compare the rung of the frame with the lowest rung of the
 *                task, so W1 takes F0
 *   ORPHAN       (THIRD) a task that begins on the spare ladder is a part of nothing, so no waiter finds FD */
#define NIL 0
ltl p { <> (xdone && tdone) }
#define F0  1
#define FH  2
#define FD  3
#define X   1
#define T   2
#define HT  3
byte fr[6]=NIL, h[3]=0, live[4]=0, at[4]=0, base[4]=0, parent[4]=0;
bit spawned=0, tbegun=0, tdone=0, hbegun=0, hdone=0, dbegun=0, ddone=0, fdone=0, xdone=0;
#define part(f,x)   (x==X || (x==T && f!=F0) || (x==HT && f==FD))
#define oldest(l)   (h[l]<2 -> fr[l*2+h[l]] : NIL)
#ifdef UNCOMPARED
#define works(t,l)  (live[t] && at[t]==l)
#else
#define works(t,l)  (live[t] && at[t]==l && h[l]>=base[t])
#endif
/* holder: the innermost task that works on ladder l from the rung of its oldest frame or below.
 * inside: whether task t is x or descends from x. */
#define holder(l)   (works(HT,l) -> HT : (works(T,l) -> T : (works(X,l) -> X : 0)))
#define inside(t,x) (t!=0 && (t==x || parent[t]==x || parent[parent[t]]==x))

/* One turn of a worker that waits for x: it takes a part of x from any ladder. Only W0 takes FH. */
inline look(x){
  atomic{
    if
    :: oldest(0)!=NIL && inside(holder(0),x) -> got=oldest(0); assert(part(got,x)); h[0]=h[0]+1
    :: oldest(1)!=NIL && inside(holder(1),x) -> got=oldest(1); assert(part(got,x)); h[1]=h[1]+1
    :: oldest(2)!=NIL && oldest(2)!=FH && inside(holder(2),x) -> got=oldest(2); assert(part(got,x)); h[2]=h[2]+1
    :: else
    fi };
  if :: got==FD -> dbegun=1; ddone=1 :: got==F0 -> fdone=1 :: else fi;
  got=0
}

active proctype W0(){ byte l=0;
  atomic{ live[X]=1; fr[0]=F0 };                          /* fork */
  spawned=1; tbegun;
  atomic{                                                 /* the end of the scope: chooses a ladder */
#ifndef OWN_LADDER
    if :: h[0]<1 -> l=1 :: else -> l=0 fi
#else
    l=0
#endif
  };
  do
  :: tdone -> break
  :: atomic{ oldest(2)==FH -> h[2]=1; at[HT]=l; base[HT]=(l==0 -> 1 : 0); live[HT]=1;
#ifdef ORPHAN
       parent[HT]=(l==1 -> 0 : T)
#else
       parent[HT]=T
#endif
     };
     fr[l*2+base[HT]]=FD; hbegun=1;                       /* forks FD; its first branch */
     dbegun;
     atomic{ fr[l*2+base[HT]]=NIL; assert(h[l]>base[HT]); h[l]=base[HT] };
     ddone; hdone=1; live[HT]=0
  od;
  atomic{ fr[0]=NIL; if :: h[0]>0 -> h[0]=0 :: else -> fdone=1 fi };
  fdone; live[X]=0; xdone=1
}
active proctype W1(){ byte got=0;
  spawned; atomic{ parent[T]=X; live[T]=1; at[T]=2 }; tbegun=1;
  fr[4]=FH;
#ifdef THIRD
  dbegun;
#else
  hbegun;
#endif
  atomic{ fr[4]=NIL; assert(h[2]==1); h[2]=0 };
  do :: hdone -> break :: !hdone -> look(HT) od;
  live[T]=0; tdone=1
}
#ifdef THIRD
active proctype W2(){ byte got=0;
  hbegun;
  do :: xdone -> break :: !xdone -> look(X) od
}
#endif
#ifdef IDLE
active proctype idle(){
end_idle:
  atomic{ oldest(0)==F0 -> h[0]=1 }; fdone=1
}
#endif
