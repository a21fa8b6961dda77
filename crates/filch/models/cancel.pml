/* Cancelling: whatever runs inside of a token learns that it has been cancelled.
 *
 * Mirrors, below crates/filch/src:
 *   engine/cancel/token.rs     `cancel_this`
 *   engine/cancel/region.rs    `call_while`
 *   engine/wait/region.rs      `run`, `as_task`
 *   engine/share/execute.rs    `begin_part`, `end_part`
 *   engine/share/at_return.rs  `settle_once`, and the look after it
 *
 * Worker 0 begins a region, forks, and returns from forks for ever: its only way out is a look at the flag. A return
 * looks only if E is raised. Once or never, it runs something in between that is in no region, and that may attend.
 * Worker 1 may attend for something else, takes the fork, on a ladder that it makes known now, and then does the same.
 * A third thread cancels once. A read of the list and the calls hold a lock, and who is in the list does not leave
 * meanwhile.
 *
 * A full fence between a write and a look is modelled by their order; a mutant without it has the other order.
 *
 * Who writes what:
 *   flag        the canceller
 *   listed      whether the region's team is called: worker 0, before it looks
 *   made        whether the ladder of worker 1 is known: worker 1, before it looks
 *   e[w]        whether E is raised: the canceller, and whoever asks; worker w lowers it when it attends
 *   frame       0 none, 1 latent, 2 taken
 *
 * Property: nobody returns for ever (deadlock: a worker that waits for E stands for one that returns without a look).
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok
 *
 * Mutants, each of which must fail:
 *   CALL_FIRST      the canceller calls before it sets the flag
 *   LIST_LATE       the region is in the list only after it has looked at the flag
 *   BEGIN_BLIND     a worker that begins a part does not look
 *   NO_FENCE        a worker looks at the flag before its ladder is known
 *   LOWER_LATE      a worker that attends lowers E after it has looked
 *   NOT_RAISED      what is in no region ends, and E is not raised again */
bit flag=0, listed=0, made=0, part_over=0, over=0; bit e[2]=0; byte frame=0;

inline call(){
  if :: listed -> e[0]=1; if :: made -> e[1]=1 :: else fi :: else fi
}
/* Attends at a return: leaves the loop around if it has been cancelled. */
inline attend(w){
#ifdef LOWER_LATE
  ends=flag; e[w]=0
#else
  e[w]=0; ends=flag
#endif
}

active proctype Canceller(){
#ifdef CALL_FIRST
  call(); flag=1
#else
  flag=1; call()
#endif
}

/* Somebody may want work. */
active proctype Asker(){ if :: e[0]=1 :: skip fi; if :: e[1]=1 :: skip fi }

active proctype Owner(){ bit ends=0, was_apart=0;
  if :: was_apart=1 :: skip fi;
#ifdef LIST_LATE
  ends=flag; listed=1;
#else
  listed=1; ends=flag;
#endif
  if :: ends -> goto out :: else fi;
  frame=1;
  do
  :: e[0] -> attend(0); if :: ends -> break :: else fi
  :: !was_apart -> was_apart=1;
     if :: e[0] -> e[0]=0 :: skip fi;
#ifndef NOT_RAISED
     if :: flag -> e[0]=1 :: else fi
#endif
  od;
  /* It takes the fork back, or waits for it. */
  atomic{ if :: frame==1 -> frame=0 :: else fi };
  (frame==0 || part_over);
out:
  over=1
}

active proctype Thief(){ bit ends=0;
  if :: e[1] -> e[1]=0 :: skip fi;
  if
  :: atomic{ frame==1 -> frame=2 }
  :: over -> goto out
  fi;
#ifdef NO_FENCE
  ends=flag; made=1;
#else
  made=1; ends=flag;
#endif
#ifdef BEGIN_BLIND
  ends=0;
#endif
  do
  :: ends -> break
  :: !ends && e[1] -> attend(1)
  od;
  part_over=1;
out:
  skip
}
