/* Speculation: a procedure with one latent child, inlets that change its state, and an abort that children learn.
 *
 * Mirrors, below crates/filch/src:
 *   constructs/speculate/children.rs     `hide`, `show`, `spawn`, `run`, `with`, `are_over`, `sync`
 *   constructs/speculate/frame.rs        `split`, `Divided::run`
 *   constructs/speculate/state.rs        `with`
 *   constructs/speculate/strand.rs       `check`, `join`
 *   engine/team/stop.rs                  `StopWithin::{request, acquire}`, `Stops::look`
 *
 * A procedure spawns NC children. Its thread and W thieves run them: the latent one is on the ladder, or one has been
 * left on a shelf. A child is a number of pieces: branches, items, steps. The last one opens a speculation inside, in
 * which its pieces are. When a child ends, its inlet changes the state; an inlet may abort the children, or panic. A
 * thread from outside may abort them, too, and so may something inside abort the inner speculation.
 *
 * Not modelled: how a frame is popped and taken (ladder.pml), so both are one step here; how the owner waits, and where
 * a shelf is. A panic ends the spawns, as that of a body does. Everything is sequentially consistent.
 *
 * Who writes what:
 *   latent, shown  the owner; a thief that takes the latent child while the frame is shown
 *   shelf          the owner puts a child there; a thief, or the owner at the end, takes it
 *   away           how many children have left and have not been collected: whoever lets one leave; the owner
 *   undone         how many of these are not over: the same; the thief, as its last access
 *   stop, inner    whether the procedure, and the speculation inside, is to end: set once, by any thread
 *   requests       how many requests there have been: any thread, after the request
 *   quiet, iquiet  up to which of them neither the stop nor one around it was set: any thread
 *   lk             the lock of the state
 *
 * Properties:
 *   - One at a time has the state; no inlet begins after one has aborted, and none sees what one that panicked left.
 *   - Children run in the order of their spawns on the owner.
 *   - After an abort each thread begins at most one piece, also where the abort is of the outer speculation.
 *   - The abort of the inner speculation ends nothing else.
 *   - Where the procedure is synched, and at its end, every child is over, or dropped, and every result that counts is
 *     in the state. Nobody touches the state after the end.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok | P=2 | W=2 P=0
 *
 * Mutants, each of which must fail:
 *   NO_LOCK          an inlet beside others runs without the lock
 *   ALONE_SHOWN      the owner runs an inlet without the lock while a thief can take the latent child
 *   ALONE_BESIDE     the owner runs an inlet without the lock though a child has left
 *   TAKEN_TWICE      a pop does not see that the child has been taken
 *   LATENT_LOST      the owner does not run the latent child at the end
 *   SYNCHED_BLIND    a procedure counts as synched while a child is latent
 *   LOOK_EARLY       an inlet looks for an abort before it has the lock
 *   NO_LOOK          an inlet does not look for an abort
 *   STOP_LATE        an inlet that panics releases the lock before it aborts
 *   RUN_LATENT       a child begins after an abort
 *   BLIND            a piece begins without a look
 *   INNERMOST (P=2)  a look sees only the innermost stop
 *   ALL              the abort of the inner speculation aborts the outer one
 *   COUNTED_EARLY    a request is counted before it is made
 *   QUIET_LATE (P=2) a speculation opens with a count that is later than the look at the stops around it
 *   DONE_FIRST       a child is done before its inlet has run
 *   LOST             a child that ends after another one was aborted inside is taken for aborted */
#ifndef NC
#define NC 2         /* children */
#endif
#ifndef W
#define W 1          /* thieves */
#endif
#ifndef P
#define P 1          /* pieces of a child after its first */
#endif
byte latent=0, shelf=0, away=0, undone=0, folded=0, without=0, inside=0, spawned=0, begun_here=0;
byte requests=0, quiet=0, iquiet=0;
bit lk=0, stop=0, inner=0, shown=0, broken=0, alive=1, ended=0;
bit beside=0;        /* the thread from outside aborts */
bit asked=0;         /* an abort of the procedure has begun */
bit aborted=0;       /* the procedure has been aborted, by whomever: set when the abort returns */
bit by_inlet=0;      /* an inlet has aborted it, or has panicked */

inline abort(){
#ifdef COUNTED_EARLY
  requests++; d_step{ assert(alive); stop=1; asked=1 };
#else
  d_step{ assert(alive); stop=1; asked=1 }; requests++;
#endif
  aborted=1
}

/* Whether the procedure is to end. */
inline look_outer(){
  q=requests;
  if
  :: q!=quiet -> r=stop; if :: !r -> quiet=q :: else fi
  :: else -> r=0
  fi
}
inline look(){
  if
  :: nested ->
       iq=requests;
       if
       :: iq!=iquiet ->
            r=inner;
#ifndef INNERMOST
            if :: !r -> look_outer() :: else fi;
#endif
            if :: !r -> iquiet=iq :: else fi
       :: else -> r=0
       fi
  :: else -> look_outer()
  fi
}

/* A piece begins. */
inline begin(){ d_step{ if :: aborted -> late++ :: else fi; assert(late<=1) } }

/* The inlet of a child, with the lock or alone. */
inline inlet(locks){
#ifdef LOOK_EARLY
  look_outer();
#endif
#ifndef NO_LOCK
  if :: locks -> atomic{ lk==0 -> lk=1 } :: else fi;
#endif
#if !defined(LOOK_EARLY) && !defined(NO_LOOK)
  look_outer();
#endif
  if
  :: r -> d_step{ assert(alive); without++ }
  :: else ->
       d_step{ assert(alive); assert(!by_inlet); assert(!broken); inside++; assert(inside==1); broken=1 };
       if
       :: d_step{ broken=0; folded++; inside-- }
       :: d_step{ broken=0; folded++ };                             /* aborts */
            abort(); d_step{ by_inlet=1; inside-- }
       :: inside--;                                                 /* panics */
#ifdef STOP_LATE
          if :: locks -> lk=0 :: else fi;
          abort();
          if :: locks -> atomic{ lk==0 -> lk=1 } :: else fi;
#else
          abort();
#endif
          d_step{ by_inlet=1; without++ }; if :: here -> ended=1 :: else fi
       fi
  fi;
#ifndef NO_LOCK
  if :: locks -> lk=0 :: else fi;
#endif
  r=0
}

/* Runs child c up to its inlet. */
inline run_child(){
  nested=(c==NC);
#ifdef RUN_LATENT
  r=0;
#else
  look_outer();
#endif
  if
  :: r -> without++; nested=0                                       /* dropped */
  :: else ->
       begin();
       if
       :: nested ->                                                 /* opens the speculation inside */
#ifdef QUIET_LATE
            look_outer(); iquiet=requests
#else
            iq=requests; look_outer(); iquiet=iq
#endif
       :: else
       fi;
       do
       :: n<P && !r ->
#ifndef BLIND
            look();
#endif
            if :: r -> break :: else -> begin(); n++ fi
       :: n==P || r -> break
       od;
#ifndef LOST
       /* The speculation inside is over. What aborted it does not concern this child. */
       if :: nested -> look_outer() :: else fi;
#endif
       n=0; nested=0;
       if
       :: r -> without++
       :: else -> has_result=1
       fi
  fi;
  r=0
}

proctype thief(){
  byte n=0, late=0, c=0, q=0, iq=0; bit r=0, nested=0, has_result=0, here=0;
  do
  :: if
     :: atomic{ shown && latent -> c=latent; latent=0; away++; undone++ }
     :: atomic{ shelf -> c=shelf; shelf=0 }
     :: goto end
     fi;
     run_child();
#ifdef DONE_FIRST
     undone--;
#endif
     if :: has_result -> inlet(1) :: else fi;
     has_result=0;
#ifndef DONE_FIRST
     undone--;
#endif
     c=0
  od;
end: skip
}

/* What has left is collected once it is over, while the frame is hidden. */
inline collect(){ d_step{ assert(!shown); away=undone } }

inline hide(){ shown=0 }

/* Runs child c here, and its inlet. */
inline run_here(){
  d_step{ assert(c>begun_here || c==0); begun_here=c };
  run_child();
  if
  :: has_result ->
#ifndef ALONE_SHOWN
       hide();
#endif
#ifdef ALONE_BESIDE
       inlet(0); shown=(latent!=0)
#else
       if
       :: away==0 -> inlet(0); shown=(latent!=0)
       :: else -> shown=(latent!=0); inlet(1)
       fi
#endif
  :: else
  fi;
  d_step{ has_result=0; c=0 }
}

inline run_latent(){
  hide();
#ifndef TAKEN_TWICE
  d_step{ c=latent; latent=0 };
#else
  d_step{ c=spawned; latent=0 };
#endif
  if :: c -> run_here() :: else fi
}

active proctype owner(){
  byte n=0, late=0, c=0, q=0, iq=0; bit r=0, nested=0, has_result=0, here=1;
  do
  :: spawned<NC && !ended ->
       hide();
       d_step{ c=latent; latent=0; if :: !c -> away=undone :: else fi; spawned++ };
       if
       :: latent=spawned; shown=1
       :: d_step{ !shelf -> shelf=spawned; away++; undone++ }      /* left to an idle worker */
       fi;
       if :: c -> run_here() :: else fi
  :: spawned<NC && !ended ->                                       /* synched? */
#ifndef SYNCHED_BLIND
       run_latent();
#endif
       hide(); collect();
       if :: away==0 -> d_step{ assert(folded+without==spawned) } :: else -> shown=(latent!=0) fi
  :: spawned==NC || ended -> break
  od;
#ifndef LATENT_LOST
  if
  :: !ended -> run_latent()
  :: else -> hide(); d_step{ if :: latent -> latent=0; without++ :: else fi }
  fi;
#endif
  do
  :: atomic{ shelf -> c=shelf; shelf=0; undone--; away-- };         /* taken back */
       begun_here=0;
       if :: !ended -> run_here() :: else -> d_step{ without++; c=0 } fi
  :: !shelf -> break
  od;
  atomic{
    undone==0 && !beside;
    assert(folded+without==spawned); assert(asked || folded==NC); assert(inside==0); alive=0
  }
}
active proctype outside(){
  /* What has a reference to the speculation ends before the procedure does. */
  if :: atomic{ alive -> beside=1 }; abort(); beside=0 :: skip fi
}
active proctype within(){
#ifdef ALL
  if :: atomic{ alive -> inner=1; stop=1; requests++ } :: skip fi
#else
  if :: inner=1; requests++ :: skip fi
#endif
}
init{ byte i=0; atomic{ do :: i<W -> run thief(); i++ :: else -> break od; i=0 } }
