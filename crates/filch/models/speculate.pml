/* Speculation: inlets that change one state, and an abort that children learn.
 *
 * Mirrors, below crates/filch/src:
 *   constructs/speculate/state.rs        `with`
 *   constructs/speculate/speculation.rs  `with`, `fold`, `abort`, `spawn_each`, `Child::run`, `AbortOnPanic`
 *   constructs/speculate/strand.rs       `check`, `join`
 *   engine/team/stop.rs                       `Stops::acquire`
 *   engine/scopes/group.rs                      `note_panic`
 *   engine/share/run_tasks.rs                  `perform_all`, `count_out`
 *
 * A procedure has spawned NC children, which W workers run. A child is a number of pieces: branches, items, steps. One
 * child opens a speculation inside, in which its pieces are. When a child ends, its inlet changes the state; an inlet
 * may abort the children, or panic. A thread from outside may abort them, too, and so may something inside abort the
 * inner speculation.
 *
 * Not modelled: where children lie and how the owner sleeps (scope.pml); how branches move (ladder.pml). Everything is
 * sequentially consistent. A stop is one word that is only ever set, and the state has a lock.
 *
 * Who writes what:
 *   stop, inner   whether the procedure, and the speculation inside, is to end: set once, by any thread
 *   lk            the lock of the state
 *   pending       how many children are not over: the worker that ran one counts it out
 *
 * Properties:
 *   - One inlet at a time; none begins after an inlet has aborted; none sees what one that panicked has left.
 *   - After an abort each worker begins at most one piece, also where the abort is of the outer speculation.
 *   - The abort of the inner speculation ends nothing else.
 *   - The owner leaves when every child is over, or dropped, and every result that counts is in the state. Nobody
 *     touches the state after that.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok | NC=4 P=1 | W=3 NC=3 P=1
 *
 * Mutants, each of which must fail:
 *   NO_LOCK        an inlet runs without the lock
 *   LOOK_EARLY     an inlet looks for an abort before it has the lock
 *   NO_LOOK        an inlet does not look for an abort
 *   STOP_LATE      an inlet that panics releases the lock before it aborts
 *   RUN_LATENT     a child begins after an abort
 *   BLIND          a piece begins without a look
 *   INNERMOST      a look sees only the innermost stop
 *   ALL            the abort of the inner speculation aborts the outer one
 *   COUNT_FIRST    a child is counted out before its inlet has run
 *   LOST           a child that ends after another one was aborted inside is taken for aborted */
#ifndef NC
#define NC 3         /* children */
#endif
#ifndef W
#define W 2          /* workers */
#endif
#ifndef P
#define P 2          /* pieces of a child after its first */
#endif
byte left=NC, pending=NC, folded=0, without=0, inside=0;
bit lk=0, stop=0, inner=0, broken=0, alive=1;
bit aborted=0;       /* the procedure has been aborted, by whomever: set with the stop */
bit by_inlet=0;      /* an inlet has aborted it, or has panicked */

inline abort(){ d_step{ assert(alive); stop=1; aborted=1 } }

/* Looks outwards, one stop after the other. */
inline look(){
  r=0;
  if :: nested -> r=inner :: else fi;
#ifndef INNERMOST
  if :: !r -> r=stop :: else fi
#else
  if :: !r && !nested -> r=stop :: else fi
#endif
}

/* A piece begins. */
inline begin(){ d_step{ if :: aborted -> late++ :: else fi; assert(late<=1) } }

inline inlet(){
#ifdef LOOK_EARLY
  r=stop;
#endif
#ifndef NO_LOCK
  atomic{ lk==0 -> lk=1 };
#endif
#if !defined(LOOK_EARLY) && !defined(NO_LOOK)
  r=stop;
#endif
  if
  :: r -> d_step{ assert(alive); without++ }
  :: else ->
       d_step{ assert(alive); assert(!by_inlet); assert(!broken); inside++; assert(inside==1); broken=1 };
       if
       :: d_step{ broken=0; folded++; inside-- }
       :: d_step{ broken=0; folded++ };                             /* aborts */
            atomic{ abort(); by_inlet=1 }; inside--
       :: inside--;                                                 /* panics */
#ifdef STOP_LATE
          lk=0; abort(); lk==0 -> lk=1;
#else
          abort();
#endif
          d_step{ by_inlet=1; without++ }
       fi
  fi;
#ifndef NO_LOCK
  lk=0;
#endif
  r=0
}

inline count_out(){ atomic{ assert(pending>0); pending-- } }

proctype worker(){
  byte n=0, late=0; bit r=0, nested=0;
  do
  :: atomic{ left>0 -> left--; nested=(left==0) };
#ifndef RUN_LATENT
       r=stop;
#endif
       if
       :: r -> without++                                            /* dropped */
       :: else ->
            begin();
            do
            :: n<P ->
#ifndef BLIND
                 look();
#endif
                 if :: r -> break :: else -> begin(); n++ fi
            :: n==P -> break
            od;
#ifndef LOST
            /* The speculation inside is over. What aborted it does not concern this child. */
            if :: nested -> r=stop :: else fi;
#endif
            nested=0;
            if
            :: r -> without++
            :: else ->
#ifdef COUNT_FIRST
                 count_out();
#endif
                 inlet()
            fi
       fi;
#ifdef COUNT_FIRST
       if :: r -> count_out() :: else fi;
#else
       count_out();
#endif
       n=0; r=0; nested=0
  :: left==0 -> break
  od
}
active proctype outside(){
  if :: atomic{ alive -> abort() } :: skip fi
}
active proctype within(){
#ifdef ALL
  if :: atomic{ alive -> inner=1; stop=1 } :: skip fi
#else
  if :: inner=1 :: skip fi
#endif
}
active proctype owner(){
  pending==0;
  d_step{ assert(folded+without==NC); assert(aborted || folded==NC); assert(inside==0); alive=0 }
}
init{ byte i=0; atomic{ do :: i<W -> run worker(); i++ :: else -> break od; i=0 } }
