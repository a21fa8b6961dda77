/* Invitations: which workers take part in a traversal, and when another one is called.
 *
 * Mirrors, below crates/filch/src:
 *   constructs/traverse/invitations.rs   `Invitations::open`, `take_up`, `enter`, `leave`,
 *                                        `leave_to_others`
 *   constructs/traverse/occupancy.rs     `Places::take`
 *   constructs/traverse/traversal.rs     `take_part`, `search`, `offer`, `invite_if`, `invite_for_what_waits`
 *
 * There are THREADS threads and W lanes. Thread 0 begins the traversal. At the end of its scope it takes invitations as
 * the others do. The others come only when they are invited. The visits leave up to LEFT batches in all. A visit may
 * wait until no batch lies in a lane, or until W visits are under way. So a batch in a lane must bring a thread that is
 * away, or such visits wait for ever. A thread that has visited a batch may leave to others: counted out while it is
 * still in its lane. With STOP a visit may stop the traversal.
 *
 * Not modelled: the steps of the lanes, which lanes.pml models. Taking a batch, running dry and beginning the next
 * phase are one step each here. An invitation for later is like any other: it is open, and some thread eventually finds
 * it. The sources may open a second invitation beside one for later; OPEN_TWICE shows that this is harmless. A fence
 * stands for an order of two steps. For each fence, a mutant with the opposite order shows that it is needed, and loom
 * checks the fence in the sources.
 *
 * Who writes what:
 *   shown, nxt       how many batches a lane has for this phase and for the next one: its occupant, thieves, and the
 *                    thread that begins a phase. Other threads read `shown` without a lock.
 *   place            whether a lane is occupied: the thread that takes the lane, and later leaves it
 *   attending        how many threads take part: each for itself, by read-modify-write
 *   is_open          whether an invitation is open: set by the thread that invites, by an exchange; cleared by the
 *                    thread that takes up the invitation
 *   invited, tasks   how many tasks of the scope have not begun, and how many are not done, the body included
 *
 * Properties:
 *   - There is no deadlock. So while a batch lies in a lane, a thread that is away is invited.
 *   - No thread is invited into a scope that is closed.
 *   - When the scope is closed, the end of the traversal was announced or a visit has stopped it, and no thread takes
 *     part. Unless it was stopped, no batch lies in a lane.
 *   - No batch is begun after the end was announced.
 *
 * Runs (README.md describes the syntax):
 *   @ok LEFT=4
 *   @ok STOP
 *   @ok THREADS=3
 *   @ok W=3 LEFT=2
 *   @ok OPEN_TWICE
 *
 * Mutants, each of which must fail:
 *   NO_SECOND_LOOK   a thread that leaves the traversal does not look for batches once more
 *   LANE_LATE (THREADS=3)   a thread that leaves to others looks once more before it frees its lane
 *   LOOK_FIRST       a thread that leaves the traversal looks once more before it counts itself out
 *   STAYS_COUNTED    a thread that leaves the traversal does not count itself out
 *   OFFER_FIRST      a thread that leaves a batch checks whether to invite before the batch is visible
 *   TAKE_UP_LATE     a thread that takes up an invitation looks for batches before it clears `is_open`
 *   NEVER_TAKEN_UP   a thread that takes up an invitation does not clear `is_open`
 *   OPEN_BLIND       a thread that sees that all take part sets `is_open` without an invitation
 *   FOUND_ONLY       a thread that finds a batch invites only if more batches lie in the lane where it was
 *   INVITE_GONE      a thread that leaves the traversal looks once more after its task is counted out
 * An experiment, which must not fail:
 *   OPEN_TWICE   an invitation is opened by a test and a store, so two may be open, and one of them is in vain */
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
/* ghost variables */
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
inline look(){ /* sets depth: how many batches the deepest lane has */
  depth=0; k=0;
  do :: k<W -> atomic{ if :: shown[k]>depth -> depth=shown[k] :: else fi; k++ } :: else -> break od; k=0
}
inline invite_for_what_lies(){
  look();
  if :: depth>0 -> invite_if(depth) :: else fi; depth=0
}
inline get(l){
  atomic{
    if :: !got && !stopped && shown[l]>0 -> assert(!over); shown[l]--; got=1; visits++; depth=shown[l] :: else fi
  }
}
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
  if :: true -> (NOTHING(shown) || visits==W || stopped) :: true fi; /* waits, or does not */
  if :: stopped -> atomic{ visits--; place[lane]=0 }; goto count_out :: else fi;
  atomic{ if :: shown[lane]>0 -> shown[lane]--; depth=shown[lane]; got=1 :: else -> run_dry() fi };
  if
  :: got -> if :: depth>0 -> invite_if(depth) :: else fi; depth=0; goto visit
  :: else ->
       if
       :: goto search
       :: atomic{ attending>1 -> attending-- }; /* poor */
#ifdef LANE_LATE
          if :: !stopped -> invite_for_what_lies() :: else fi; place[lane]=0; goto done
#else
          place[lane]=0; goto second_look
#endif
       fi
  fi;
leave:
  place[lane]=0;
count_out:
#ifdef LOOK_FIRST
  look(); attending--; if :: depth>0 -> invite_if(depth) :: else fi; depth=0;
second_look: skip;
#else
#ifndef STAYS_COUNTED
  attending--;
#endif
second_look: skip;
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
