/* Invitations: who takes part in a traversal, and who is called. Mirrors
 * crates/filch/src/constructs/traverse/invitations.rs, occupancy.rs and traversal.rs (take_part, search, offer).
 *
 * THREADS threads, W lanes. Thread 0 begins the traversal, and at the end of the scope takes invitations as others do;
 * the others come when they are invited only. What lanes.pml searches is one step here: taking a batch, running dry,
 * beginning the next phase. A visit leaves up to LEFT batches, all visits together, and may wait until nothing lies in
 * any lane or all W are in visits: so whatever lies there must bring whoever is away. An invitation for later is one
 * like any other here: it is open, and somebody finds it at some time. That a second one is opened beside it, where
 * much waits, is what OPEN_TWICE shows to be harmless. STOP: a visit may stop the traversal. Fences are orders of steps
 * here; that each of them is needed, a mutant shows by the other order, and loom with the sources.
 *
 * Who writes what
 *   shown, nxt     of a lane: its occupant, thieves, who begins a phase; looked at without a lock
 *   place          of a lane: who takes it, and leaves it
 *   attending      who takes part: read-modify-write
 *   is_open        set by who invites, by exchange; cleared by who takes the invitation up
 *   invited, tasks the scope: spawned and not begun; and not done, its body counted
 * Properties: no deadlock, so whoever is away is invited as long as something lies in a lane; nobody is invited into a
 * scope that is closed; when it is, the end was announced, or somebody has stopped it, nothing is begun after that,
 * nobody takes part, and nothing lies in any lane.
 *
 * Runs (README.md says how to read them):
 *   @ok LEFT=4
 *   @ok STOP
 *   @ok THREADS=3
 *   @ok W=3 LEFT=2
 *   @ok OPEN_TWICE
 *
 * Mutants, each with what it breaks (each must fail):
 *   NO_SECOND_LOOK   who leaves does not look for batches once more
 *   LOOK_FIRST       who leaves looks once more, and then counts itself out
 *   STAYS_COUNTED    who leaves does not count itself out
 *   OFFER_FIRST      who leaves a batch looks whom to invite before the batch can be seen
 *   TAKE_UP_LATE     who takes an invitation up looks for batches before it says so
 *   NEVER_TAKEN_UP   it does not say so
 *   OPEN_BLIND       who sees that nobody is away leaves an invitation open that nobody gets
 *   FOUND_ONLY       who finds a batch looks for more to invite for only where it was
 *   INVITE_GONE      who leaves looks once more after its task is done
 * An experiment, which must not fail:
 *   OPEN_TWICE       invitations are opened by a test and a store: there may be more than one then, and one is in
 *                    vain */
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
