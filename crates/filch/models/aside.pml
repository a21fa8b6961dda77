/* Helping at the end of a scope with an older frame on the ladder. Mirrors crates/filch/src/worker/scope/aside.rs, and the wait
 * that calls it (scope/finish.rs). A take is one step here: ladder.pml and chain.pml take it apart.
 *
 * W0 runs task X: a join, whose second branch is F0, and in its first a scope with one task T, which W1 runs. T forks H; W0, at the
 * end of the scope, takes that. H forks D, and its first branch blocks until D has begun. So somebody who waits has to find D:
 *   without THIRD   W1, which waits for H: T's first branch returns when H has begun;
 *   with THIRD      W2, which waits for X: T's first branch returns when D has begun, so T waits for nobody.
 * F0 may be gone before W0 looks whether it is there, or at any moment after (IDLE: to a thread without work).
 *
 * Who writes what
 *   fr[l*2+r]  the frame at rung r of ladder l, NIL above the top: who works there. Ladders: W0's own, W0's spare one, W1's.
 *   h[l]       H: who takes, under L; lowered by who works there.
 *   live[x]    whether x runs, on ladder at[x] from rung base[x] up: who runs it.   waits[l]: what who works there waits for.
 * Properties: a waiter takes parts of what it waits for only; everybody comes to an end (p, under weak fairness).
 *
 * Mutants, each with what it breaks (check.sh demands that each fails):
 *   OWN_LADDER   W0 helps on its own ladder, F0 or not: F0 hides D
 *   UNCOMPARED   (OWN_LADDER) who takes for a waiter does not compare the rung with the task's: W1 takes F0
 *   NOT_LED      (THIRD) W0's own worker goes on saying that it waits for T, which waits for nobody
 *   OPEN_WAIT    (THIRD) W0's own worker says that it waits for nothing while it helps, as one does that helps on its own ladder */
#define NIL 0
ltl p { <> (xdone && tdone) }
#define F0  1
#define FH  2
#define FD  3
#define X   1
#define T   2
#define HT  3
byte fr[6]=NIL, h[3]=0, live[4]=0, at[4]=0, base[4]=0, waits[3]=0;
bit spawned=0, tbegun=0, tdone=0, hbegun=0, hdone=0, dbegun=0, ddone=0, fdone=0, xdone=0;
#define part(f,x)   (x==X || (x==T && f!=F0) || (x==HT && f==FD))
#define oldest(l)   (h[l]<2 -> fr[l*2+h[l]] : NIL)
#ifdef UNCOMPARED
#define owns(x)     (live[x])
#else
#define owns(x)     (live[x] && h[at[x]]>=base[x])
#endif

/* One turn of somebody who waits for x: takes a part of it, somewhere along the chain. */
inline follow(x){
  cur=x;
  do
  :: atomic{ cur!=0 && oldest(at[cur])!=NIL && oldest(at[cur])!=FH && owns(cur) ->
       got=oldest(at[cur]); assert(part(got,x)); h[at[cur]]=h[at[cur]]+1; cur=0 };
     if :: got==FD -> dbegun=1; ddone=1 :: got==F0 -> fdone=1 fi;
     got=0; break
  :: atomic{ cur!=0 && !(oldest(at[cur])!=NIL && oldest(at[cur])!=FH && owns(cur)) -> next=waits[at[cur]] };
     if :: live[cur] -> cur=next :: else -> cur=0 fi; next=0
  :: cur==0 -> break
  od;
  cur=0
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
  waits[0]=T;
  do
  :: tdone -> break
  :: atomic{ oldest(2)==FH -> h[2]=1; at[HT]=l; base[HT]=(l==0 -> 1 : 0); waits[l]=0; live[HT]=1 };
#ifndef NOT_LED
#ifdef OPEN_WAIT
     waits[0]=0;
#else
     if :: l==1 -> waits[0]=HT :: else fi;
#endif
#endif
     fr[l*2+base[HT]]=FD; hbegun=1;                       /* fork D; the first branch */
     dbegun;
     atomic{ fr[l*2+base[HT]]=NIL; assert(h[l]>base[HT]); h[l]=base[HT] };
     ddone; hdone=1; live[HT]=0; waits[0]=T
  od;
  waits[0]=0;
  atomic{ fr[0]=NIL; if :: h[0]>0 -> h[0]=0 :: else -> fdone=1 fi };
  fdone; live[X]=0; xdone=1
}
active proctype W1(){ byte cur=0, next=0, got=0;
  spawned; atomic{ live[T]=1; at[T]=2 }; tbegun=1;
  fr[4]=FH;
#ifdef THIRD
  dbegun;
#else
  hbegun;
#endif
  atomic{ fr[4]=NIL; assert(h[2]==1); h[2]=0 };
  waits[2]=HT;
  do :: hdone -> break :: !hdone -> follow(HT) od;
  waits[2]=0; live[T]=0; tdone=1
}
#ifdef THIRD
active proctype W2(){ byte cur=0, next=0, got=0;
  hbegun;
  do :: xdone -> break :: !xdone -> follow(X) od
}
#endif
#ifdef IDLE
active proctype idle(){
end_idle:
  atomic{ oldest(0)==F0 -> h[0]=1 }; fdone=1
}
#endif
