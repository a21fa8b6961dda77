/* Helping along the chain of thieves: a waiter takes frames of one task only.
 *
 * Mirrors, below crates/filch/src:
 *   engine/share/thief.rs       `Thief::take`: checks the task of the frame under L
 *   engine/frame/task.rs              `Tasks::holder`, `begin`, `end`
 *   engine/wait/join_end.rs     `wait_for_thief`: the waiter that takes
 *   protocol/ladder/take.rs     `take`
 *   protocol/ladder/attend.rs   `attend`
 *
 * W0 waits for a frame whose branch W1 is running as task 1. So W0 may take frames of task 1, which are descendants of
 * what it waits for. W1 ends task 1 and goes on with task 2, which is unrelated, on the same ladder.
 *
 * W0 reads `live` under L, after the load of the slot that has shown it the frame. If the frame belongs to task 2, its
 * push is visible to W0. Then everything that W1 did before the push is visible too, including the change of `live`. So
 * if `live` still names task 1, the frame belongs to task 1.
 *
 * Not modelled: that a frame which W0 takes is there and runs once (ladder.pml); how W0 finds the task to take from
 * (parts.pml). W1 changes `live` from 1 to 2 in one store. In the sources it stores 0 when a task ends, and the number
 * of the next task when that begins.
 *
 * Who writes what:
 *   slots[r]   the frame at rung r, shown as the number of the task that forked it; NIL above the top; WALL, the mark
 *              above the last rung, in slots[K]: W1
 *   live       the task that W1 is running: W1, between the end of a task and the next push
 *   H, L, E    as in ladder.pml. H: under L. E: W0 raises it, and W1 resets it in `attend` under L.
 *
 * Memory: the stores of W1 go through a first-in-first-out buffer. With PSO a store overtakes every older one at
 * another address, unless it is a release (slots, unlock), and read-modify-writes do not wait for the buffer. The
 * barrier of W0 is the condition `bl==0`.
 *
 * Properties:
 *   - W0 never takes a frame of task 2.
 *
 * Runs (README.md describes the syntax):
 *   @mutants -O1
 *   @ok
 *   @ok PSO
 *   @ok PSO POP_RELAXED
 *
 * Mutants, each of which must fail:
 *   EARLY          W0 looks at `live` before its take begins; then task 1 ends, and W0 takes a frame that task 2 has
 *                  pushed
 *   MID            W0 looks at `live` after it has raised E, but before it reads the slot, with the same result
 *   CLEAR_LATE     W1 changes `live` after the first push of task 2, so W0 takes that frame for one of task 1
 *   PUSH_RELAXED   (PSO, -O1) a push is not a release, so the frame becomes visible before the change of `live`
 * Experiments, which must not fail:
 *   POP_RELAXED   (PSO) the null of a pop is not a release, as in the sources */
#define K    2
#define NA   3       /* attempts of W0: one more than there are rungs, so that it reaches the wall */
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
  :: t==0 && forked==2 && task==1 ->                      /* task 1 is done; task 2 begins */
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
     bl==0;                                               /* the barrier */
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
