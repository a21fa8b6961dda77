/* Helping at the end of a scope with an older frame on the ladder. Mirrors
 * crates/filch/src/engine/wait/spare_ladder.rs, and the wait that calls it (engine/wait/scope_end.rs). A take is
 * one step here: ladder.pml and chain.pml take it apart.
 *
 * W0 runs task X: a join, whose second branch is F0, and in its first a scope with one task T, which W1 runs. T forks
 * H; W0, at the end of the scope, takes that. H forks D, and its first branch blocks until D has begun. So somebody who
 * waits has to find D:
 *   without THIRD   W1, which waits for H: T's first branch returns when H has begun;
 *   with THIRD      W2, which waits for X: T's first branch returns when D has begun, so T waits for nobody.
 * F0 may be gone before W0 looks whether it is there, or at any moment after (IDLE: to a thread without work).
 *
 * Who writes what
 *   fr[l*2+r]  the frame at rung r of ladder l, NIL above the top: who works there. Ladders: W0's own, W0's spare one,
 *              W1's.
 *   h[l]       H: who takes, under L; lowered by who works there.
 *   live[x], parent[x]  whether x runs, on ladder at[x] from rung base[x] up, and the task that waits for it: who runs
 *                       it.
 * Properties: a waiter takes parts of what it waits for only; everybody comes to an end (p, under weak fairness).
 *
 * Runs (README.md says how to read them):
 *   @claim p
 *   @ok
 *   @ok THIRD
 *   @ok IDLE
 *   @ok THIRD IDLE
 *
 * Mutants, each with what it breaks (each must fail):
 *   OWN_LADDER   W0 helps on its own ladder, F0 or not: F0 hides D
 *   UNCOMPARED   (OWN_LADDER) who takes for a waiter does not compare the rung with the task's: W1 takes F0
 *   ORPHAN       (THIRD) what begins on the spare ladder is a part of nothing: nobody finds D */
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
/* The innermost task that works on ladder l from the oldest frame's rung or below, and whether it is a part of what x
 * waits for. */
#define holder(l)   (works(HT,l) -> HT : (works(T,l) -> T : (works(X,l) -> X : 0)))
#define inside(t,x) (t!=0 && (t==x || parent[t]==x || parent[parent[t]]==x))

/* One turn of somebody who waits for x: takes a part of it, whoever has one. FH is for W0. */
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
  atomic{                                                 /* the end of the scope: where to help */
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
     fr[l*2+base[HT]]=FD; hbegun=1;                       /* fork D; the first branch */
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
