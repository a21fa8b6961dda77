/* Invitations: which workers take part in a traversal, and which are called. Mirrors `take_part`, `search` and `offer`
 * (crates/filch/src/constructs/traverse/traversal.rs), and invitations.rs and occupancy.rs beside it.
 *
 * THREADS threads, W lanes. Thread 0 begins the traversal, and at the end of the scope takes invitations as others do.
 * The others come only when they are invited. What lanes.pml searches is one step here: to take a batch, to run dry, to
 * begin the next phase. A visit leaves batches, up to LEFT in all visits together. It may wait until no lane has a
 * batch or all W workers are in visits. So whatever lies in a lane must bring the workers that are away. An invitation
 * for later is like any other here: it is open, and some thread finds it at some time. Where much waits, a second
 * invitation is opened beside it; OPEN_TWICE shows that this does no harm. STOP: a visit may stop the traversal. Fences
 * are orders of steps here. For each of them a mutant with the other order shows that it is needed; loom checks the
 * fences in the sources.
 *
 * Who writes what
 *   shown, nxt     of a lane: its occupant, thieves, and the worker that begins a phase; read without a lock
 *   place          of a lane: the worker that takes it, and leaves it
 *   attending      how many take part: read-modify-write
 *   is_open        set by a worker that invites, by exchange; cleared by the thread that takes the invitation up
 *   invited        spawned tasks of the scope that have not begun
 *   tasks          tasks of the scope that are not done, including its body
 * Properties: no deadlock, so a worker that is away is invited as long as something lies in a lane; no worker is
 * invited into a scope that is closed; when the scope is closed, the end was announced, or a visit has stopped the
 * traversal; nothing is begun after that, no worker takes part, and nothing lies in any lane.
 *
 * Mutants, each with what it breaks (check.sh demands that each fails):
 *   NO_SECOND_LOOK   a worker that leaves does not look for batches once more
 *   LOOK_FIRST       a worker that leaves looks once more, and then counts itself out
 *   STAYS_COUNTED    a worker that leaves does not count itself out
 *   OFFER_FIRST      a worker that leaves a batch decides whether to invite before the batch is visible
 *   TAKE_UP_LATE     a thread that takes an invitation up looks for batches before it says so
 *   NEVER_TAKEN_UP   a thread that takes an invitation up does not say so
 *   OPEN_BLIND       a worker that sees that all take part leaves an invitation open that no thread gets
 *   FOUND_ONLY       a worker that has found a batch looks for more to invite for only where it was
 *   INVITE_GONE      a worker that leaves looks once more after its task is done
 * An experiment, which must not fail:
 *   OPEN_TWICE       invitations are opened by a test and a store: then there may be more than one, and one is in vain
 *                    */
#ifndef W
#define W 2
#endif
#ifndef THREADS
#define THREADS W
#endif
#ifndef LEFT
#define LEFT 3
#endif
#if W==2
#define NOTHING(a) (a[0]==0 && a[1]==0)
#else
#define NOTHING(a) (a[0]==0 && a[1]==0 && a[2]==0)
#endif
byte shown[W]=0, nxt[W]=0, attending=0, invited=0, tasks=1, left=LEFT; bit place[W]=0, is_open=0, over=0, stopped=0;
/* ghost */
byte visits=0; bit closed=0;

inline invite_if(depth){
  if
  :: attending<W ->
       if
       :: !is_open ->
#ifdef OPEN_TWICE
            is_open=1; atomic{ assert(!closed); invited++; tasks++ }
#else
            atomic{ if :: !is_open -> is_open=1; assert(!closed); invited++; tasks++ :: else fi }
#endif
       :: else
       fi
#ifdef OPEN_BLIND
  :: else -> is_open=1
#else
  :: else
#endif
  fi
}
inline look(){ /* the deepest lane */
  depth=0; k=0;
  do :: k<W -> atomic{ if :: shown[k]>depth -> depth=shown[k] :: else fi; k++ } :: else -> break od; k=0
}
inline invite_for_what_lies(){
  look();
  if :: depth>0 -> invite_if(depth) :: else fi; depth=0
}
inline get(l){ atomic{ if :: !got && !stopped && shown[l]>0 -> assert(!over); shown[l]--; got=1; visits++; depth=shown[l] :: else fi } }
inline run_dry(){ /* inside an atomic */
  visits--;
  if
  :: visits>0 || !NOTHING(shown)
  :: else -> if :: NOTHING(nxt) -> over=1
                :: else -> do :: k<W -> shown[k]=nxt[k]; nxt[k]=0; k++ :: else -> break od; k=0 fi
  fi
}

proctype thread(byte id){ byte lane=0, depth=0, k=0; bit got=0;
  if :: id==0 -> goto take_part :: else fi;
idle:
  if
  :: atomic{ invited>0 -> invited-- }
  :: id>0 && closed -> goto gone
  :: atomic{ id==0 && tasks==0 -> closed=1; goto gone }
  fi;
#ifndef NEVER_TAKEN_UP
#ifndef TAKE_UP_LATE
  is_open=0;
#endif
#endif
take_part:
  if :: over || stopped -> goto done :: else fi;
  atomic{ lane=id%W;
    do :: k<W && place[lane] -> lane=(lane+1)%W; k++ :: else -> break od;
    if :: k<W -> k=0; place[lane]=1 :: else -> k=0; lane=0; goto done fi };
  attending++;
search:
  get(lane); k=0;
  do :: !got && k<W -> get(k); k++ :: else -> break od; k=0;
#ifdef TAKE_UP_LATE
  if :: id>0 -> is_open=0 :: else fi;
#endif
  if
  :: got
  :: else -> depth=0; if :: goto leave :: !NOTHING(shown) -> goto search fi
  fi;
#ifdef FOUND_ONLY
  if :: depth>0 -> invite_if(depth) :: else fi; depth=0;
#else
  invite_for_what_lies();
#endif
visit:
  got=0;
  do
#ifdef OFFER_FIRST
  :: atomic{ left>0 -> left--; depth=1 }; invite_if(depth); shown[lane]++; depth=0
#else
  :: atomic{ left>0 -> left--; shown[lane]++; depth=shown[lane] }; invite_if(depth); depth=0
#endif
  :: atomic{ left>0 -> left--; nxt[lane]++ }
#ifdef STOP
  :: stopped=1; break
#endif
  :: break
  od;
  if :: true -> (NOTHING(shown) || visits==W || stopped) :: true fi; /* waits, or not */
  if :: stopped -> atomic{ visits--; place[lane]=0 }; goto count_out :: else fi;
  atomic{ if :: shown[lane]>0 -> shown[lane]--; depth=shown[lane]; got=1 :: else -> run_dry() fi };
  if
  :: got -> if :: depth>0 -> invite_if(depth) :: else fi; depth=0; goto visit
  :: else -> goto search
  fi;
leave:
  place[lane]=0;
count_out:
#ifdef LOOK_FIRST
  look(); attending--; if :: depth>0 -> invite_if(depth) :: else fi; depth=0;
#else
#ifndef STAYS_COUNTED
  attending--;
#endif
#ifdef INVITE_GONE
  tasks--; invite_for_what_lies(); tasks++;
#else
#ifndef NO_SECOND_LOOK
  if :: !stopped -> invite_for_what_lies() :: else fi;
#endif
#endif
#endif
done:
  atomic{ tasks--; lane=0 };
  goto idle;
gone:
  skip
}

init{ byte j=0;
  atomic{ shown[0]=1; do :: j<THREADS -> run thread(j); j++ :: else -> break od; j=0 };
  _nr_pr==1;
  d_step{ assert(over || stopped); assert(attending==0 && visits==0 && invited==0 && tasks==0);
    assert(stopped || (NOTHING(shown) && NOTHING(nxt) && left<=LEFT));
    do :: j<W -> assert(!place[j]); j++ :: else -> break od }
}
