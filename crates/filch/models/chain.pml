/* Helping along the chain of thieves: a take that is restricted to one task. Mirrors the liveness check of `take`
 * (crates/filch/src/protocol/ladder/take.rs), as the waiting worker uses it (crates/filch/src/engine/wait/join_end.rs).
 *
 * W0 waits for a frame whose rest W1 is running as task 1, and may take frames of task 1 only: descendants of what it
 * waits for. W1 finishes task 1 and goes on with task 2, which has nothing to do with it, on the same ladder. The claim
 * to check: W0 never takes a frame of task 2. (That a frame which it does take is there, and runs once, is ladder.pml's
 * business; which task to take to take for is parts.pml's.)
 *
 * Who writes what
 *   slots[r]  the frame at rung r, here the number of the task that forked it; NIL above the top; slots[K] a WALL: W1
 *             alone.
 *   live      the task that W1 is running (`live[depth] = seq`): W1 alone, when a task ends and before the next push.
 *   H, L, E   as in ladder.pml: H under L; E raised by W0, reset by W1's `attend` under L.
 * W0 reads `live` under L, after the load of the slot that showed it the frame. So if the frame is task 2's, its push
 * is visible, and with it everything that W1 did before, the change of `live` included; if `live` still names task 1,
 * the frame is task 1's.
 *
 * Memory: W1's stores go through a buffer, first-in-first-out; with -DPSO a store overtakes every older one at another
 * address unless it is a release (slots, unlock), and read-modify-writes drain nothing. `bl==0` is W0's heavy fence.
 *
 * Runs (README.md says how to read them):
 *   @mutants -O1
 *   @ok
 *   @ok PSO
 *   @ok PSO POP_RELAXED
 *
 * Mutants, each with what it breaks (each must fail):
 *   EARLY         liveness looked at before the take begins: task 1 ends, task 2 pushes, W0 takes what it pushed
 *   MID           liveness looked at after E is raised and after the fence, but before the slot is read: the same
 *   CLEAR_LATE    W1 changes `live` after its first push of the next task: in between the frame passes for task 1's
 *   PUSH_RELAXED  (PSO, -O1) the push is no release: the frame is visible before the change of `live`
 * Experiments, which must not fail:
 *   POP_RELAXED   (PSO) the pop's NULL is stored without release, as in the code */
#define K    2
#define NA   3       /* attempts: one more than there are rungs, so that W0 gets to the wall */
#define NB   5       /* store buffer capacity */
#define NIL  0
#define WALL 8

byte slots[K+1]=NIL; byte live=1;
byte H=0, E=0; bit L=0;

/* ---- W1's store buffer: as in ladder.pml ---- */
#define kS 1   /* slots: release */
#define kV 2   /* live: relaxed */
#define kH 3   /* H: relaxed */
#define kL 4   /* L=0: release */
byte bk[NB]; byte bi[NB]; byte bv[NB]; byte bl=0;

inline store(k,i,v){ d_step{ bl<NB -> bk[bl]=k; bi[bl]=i; bv[bl]=v; bl++ } }
inline commit(c){
  if :: bk[c]==kS -> slots[bi[c]]=bv[c] :: bk[c]==kV -> live=bv[c] :: bk[c]==kH -> H=bv[c] :: bk[c]==kL -> L=0 fi;
  q=c;
  do :: q+1<bl -> bk[q]=bk[q+1]; bi[q]=bi[q+1]; bv[q]=bv[q+1]; q++ :: else -> break od;
  bl--; bk[bl]=0; bi[bl]=0; bv[bl]=0; q=0
}
#ifdef PUSH_RELAXED
#define release(c)  ((bk[c]==kS && bv[c]==NIL) || bk[c]==kL)
#else
#ifdef POP_RELAXED
#define release(c)  ((bk[c]==kS && bv[c]!=NIL) || bk[c]==kL)
#else
#define release(c)  (bk[c]==kS || bk[c]==kL)
#endif
#endif
#define passes(o,c) (!(bk[o]==bk[c] && bi[o]==bi[c]) && !release(c))
#ifdef PSO
#define DRAINED     (true)
#else
#define DRAINED     (bl==0)
#endif
proctype drain(){ byte q;
end_drain:
  do
  :: d_step{ bl>0 -> commit(0) }
#ifdef PSO
  :: d_step{ bl>1 && passes(0,1) -> commit(1) }
  :: d_step{ bl>2 && passes(0,2) && passes(1,2) -> commit(2) }
  :: d_step{ bl>3 && passes(0,3) && passes(1,3) && passes(2,3) -> commit(3) }
  :: d_step{ bl>4 && passes(0,4) && passes(1,4) && passes(2,4) && passes(3,4) -> commit(4) }
#endif
  od
}

proctype W1(){
  byte task=1, t=0, forked=0, h;
  do
  :: forked<2 && t<K ->                                   /* fork */
       store(kS,t,task); t++; forked++;
#ifdef CLEAR_LATE
       if :: task==2 && forked==1 -> store(kV,0,task) :: else fi
#endif
  :: t>0 ->                                               /* return */
       t--;
       store(kS,t,NIL);
       if
       :: E>t ->                                          /* attend */
            atomic{ L==0 && DRAINED -> L=1 };
            h=H;
            if :: h>t -> store(kH,0,t); h=t :: else fi;
            atomic{ DRAINED -> E=h };
            store(kL,0,0); h=0
       :: else
       fi
  :: t==0 && forked==2 && task==1 ->                      /* task 1 is done; the next one begins */
       task=2; forked=0;
#ifndef CLEAR_LATE
       store(kV,0,task)
#endif
  :: t==0 && forked==2 && task==2 -> break
  od
}

proctype W0(){
  byte h, old, p, a=0; bit alive;
  do
  :: a<NA -> a++;
#ifdef EARLY
     alive=(live==1);
#endif
     atomic{ L==0 -> L=1 };
     h=H;
     atomic{ old=E; E=(E>h+1->E:h+1) };
     bl==0;                                               /* the heavy fence */
#ifdef MID
     alive=(live==1);
#endif
     p=slots[h];
#if !defined(EARLY) && !defined(MID)
     if :: p!=NIL && p!=WALL -> alive=(live==1) :: else fi;
#endif
     if
     :: p!=NIL && p!=WALL && alive -> assert(p==1); H=h+1
     :: else -> if :: old<h+1 -> atomic{ if :: E==h+1 -> E=h :: else fi } :: else fi
     fi;
     L=0;
     h=0; old=0; p=0; alive=0
  :: else -> break
  od
}

init{ atomic{ slots[K]=WALL; run drain(); run W1(); run W0() } }
