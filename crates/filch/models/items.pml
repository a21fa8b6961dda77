/* Spawn loops: the right to iterate moves, and only the beginner of the loop waits.
 *
 * Mirrors, below crates/filch/src:
 *   constructs/items/frame.rs   `split`, `Parts::begin`, `prune`, `first`, `remove_first`
 *   constructs/items/run.rs     `run_whole`, `run_part`, `iterate`, `gather`
 *   engine/wait/join_end.rs     `wait`: the beginner takes back a part, or waits for it
 *
 * Worker 0 begins a loop of NI items. A worker that takes or gets its frame runs a part of the loop. A part may have
 * something to tell the beginner, such as a panic; at most one part does here. A beginner that helps while it waits is
 * modelled as one more worker.
 *
 * Not modelled: the steps of a take (ladder.pml); weak memory. The link is a release of the claim, and everything else
 * is under a lock; loom checks that this suffices. The views of reducers are left out. The beginner of the model walks
 * the list under M to find a worker to help. The sources find that worker by the goal of its task (parts.pml), and walk
 * the list only in `prune`.
 *
 * Who writes what:
 *   next[x]            the part that has taken the right from part x, or from the beginner (x = 0): the taker of the
 *                      right, under the L of the worker that runs x. After that: the beginner (only next[0]) and
 *                      workers that prune, under M.
 *   done[p], told[p]   the worker that claims p, before it links p; then the worker that runs p, done last
 *   mail[w]            a part that has been given to w and has not begun. w removes it to begin it, or the beginner to
 *                      take it back.
 *   awaited            whether the beginner waits for the first part, which then must stay: the beginner, under M
 *   shown, gone        whether the frame of a worker is on its ladder, and whether it has been taken: the worker, in
 *                      one step while L is free; a taker sets `gone` under L
 *
 * Properties:
 *   - Only one worker at a time uses the iterator, and at the end no item is left.
 *   - No worker touches a part that has not been claimed or has been freed.
 *   - The beginner receives what the parts have to tell in the order of the items, and ends after all parts.
 *   - There are never more than NP parts, however often the right moves.
 *   - There is no deadlock.
 *
 * Runs (README.md describes the syntax):
 *   @ok
 *   @ok NW=4 NI=2
 *
 * Mutants, each of which must fail:
 *   KEEP_RIGHT       a worker that has lost the right goes on, so two workers use the iterator
 *   NEXT_LATE        a taker writes the link after it has released L, so the victim may end, and the beginner takes its
 *                    part for the last one
 *   LINK_FIRST       a taker writes the link before the claim, so the beginner may meet a part without a claim when it
 *                    looks for a worker to help
 *   NEXT_BY_VICTIM   the same code as NEXT_LATE: the link may also be written after the `done` of the victim, as if the
 *                    victim wrote it
 *   FIRST_ONLY       the beginner waits only for the first part
 *   NO_AWAITED       a worker that prunes frees the part that the beginner waits for
 *   PRUNE_UNDONE     a worker that prunes frees a part that is not done
 *   PRUNE_TOLD       a worker that prunes frees a part that has something to tell
 *   BLIND_REMOVE     the beginner removes the first part without M, so it may read a link that is being changed
 *   BLIND_PRUNE      workers prune without M, so two may do so at once
 *   BLIND_WALK       the beginner looks for a worker to help without M, so it may meet a part that is being freed
 *   RECLAIM_BLIND    the beginner takes back a part that was given without checking that it is still in the mailbox
 *   NO_PRUNE         (NI=7) no worker prunes, so parts pile up */
#ifndef NW
#define NW 3         /* workers; 0 begins the loop */
#endif
#ifndef NI
#define NI 4         /* items */
#endif
#ifndef NP
#define NP 4         /* memory for parts: running out of it is an error */
#endif
#define NOBODY 15

byte next[NP+1]=0; bit done[NP+1]=1, told[NP+1]=0, begun[NP+1]=0; byte to[NP+1]=0;
byte mail[NW]=0; bit awaited=0, M=0;
bit shown[NW]=0, gone[NW]=0, L[NW]=0; byte place[NW]=0;
/* ghost variables */
bit lives[NP+1]=0, claimed[NP+1]=0; byte num[NP+1]=0;
byte moves=0, heard=0; byte tells=0, hears=0; byte at=NOBODY, items=NI; bit over=0;

inline touch(p){ assert(lives[p]); assert(claimed[p]) }
inline lockM(){ atomic{ M==0 -> M=1 } }
inline unlockM(){ M=0 }
inline free(p){
  d_step{ assert(lives[p]); lives[p]=0; claimed[p]=0; num[p]=0; next[p]=0; to[p]=0; begun[p]=0; done[p]=1 }
}

/* Runs items. The worker has the right, and its frame is off the ladder. Sets has: whether it still has the right. */
inline iterate(x){
  has=1;
  do
  :: has ->
     d_step{ assert(at==NOBODY); at=w };
     if :: items>0 -> items--; at=NOBODY
        :: else -> at=NOBODY; break fi;
     d_step{ place[w]=x; gone[w]=0; shown[w]=1 };        /* push; the body */
     atomic{ L[w]==0 -> shown[w]=0;                         /* pop, attend */
#ifndef KEEP_RIGHT
       has=!gone[w]
#endif
     }
  :: else -> break
  od
}

inline prune(me){
#ifdef NO_PRUNE
  skip
#else
#ifndef BLIND_PRUNE
  lockM();
#endif
  link=0;
#ifdef NO_AWAITED
  keeps=0;
#else
  keeps=awaited;
#endif
  do
  :: p=next[link];
     if :: p==me -> break :: else fi;
     assert(p!=0); touch(p);
     if
#ifdef PRUNE_UNDONE
     :: !keeps && !told[p] ->
#else
#ifdef PRUNE_TOLD
     :: !keeps && done[p] ->
#else
     :: !keeps && done[p] && !told[p] ->
#endif
#endif
          q=next[p]; next[link]=q; free(p)
     :: else -> link=p
     fi;
     keeps=0
  od;
#ifndef BLIND_PRUNE
  unlockM();
#endif
  p=0; q=0; link=0; keeps=0
#endif
}

inline alloc(p){ d_step{ p=1; do :: p<=NP && lives[p] -> p++ :: else -> break od; assert(p<=NP);
  lives[p]=1; moves++; num[p]=moves } }
inline claim(p,who,b){ d_step{ done[p]=0; told[p]=0; to[p]=who; begun[p]=b; claimed[p]=1 } }

#define has_frame(x) (x!=w && shown[x] && !gone[x] && !L[x])
proctype worker(byte w){ byte me=0, v=0, p=0, q=0, link=0; bit keeps=0, has=0, given=0;
  do
  :: over -> break
  :: atomic{ mail[w]!=0 -> me=mail[w]; mail[w]=0 }; touch(me); begun[me]=1; goto begin
  :: atomic{ has_frame(0) || has_frame(1) || has_frame(2) || has_frame(NW-1) ->
       if :: has_frame(0) -> v=0 :: has_frame(1) -> v=1 :: has_frame(2) -> v=2 :: has_frame(NW-1) -> v=NW-1 fi;
       /* the take, or the attend of a victim that was asked */
       L[v]=1 };
     alloc(me);
     if :: given=1 :: given=0 fi;
#ifdef LINK_FIRST
     next[place[v]]=me; claim(me,w,!given);
#else
     claim(me,w,!given);
#if !defined(NEXT_LATE) && !defined(NEXT_BY_VICTIM)
     next[place[v]]=me;
#endif
#endif
     gone[v]=1;
     L[v]=0;
#if defined(NEXT_LATE) || defined(NEXT_BY_VICTIM)
     next[place[v]]=me;
#endif
     v=0;
     if :: given -> mail[w]=me; me=0; given=0; goto idle :: else fi;
begin:
     prune(me);
     iterate(me);
     if :: atomic{ tells==0 -> told[me]=1; tells=1 } :: skip fi;
     touch(me);
     done[me]=1;
     me=0; has=0;
idle: skip
  od
}

proctype beginner(){ byte w=0, p=0, q=0; bit has=0, sees=0;
again:
  iterate(0);
  if :: has -> goto end :: else fi;
gather:
  lockM(); p=next[0]; awaited=(p!=0); unlockM();
  if :: p==0 -> goto end :: else fi;
wait:
  touch(p);
  if
  :: done[p] ->
       d_step{ assert(num[p]>heard); heard=num[p]; hears=hears+told[p] }
  :: !done[p] && !begun[p] ->
#ifdef RECLAIM_BLIND
       begun[p]=1; has=1
#else
       atomic{ if :: mail[to[p]]==p -> mail[to[p]]=0; has=1 :: else -> skip fi };
       if :: !has -> goto wait :: else fi
#endif
  :: !done[p] ->                                                  /* looks for a worker to help */
#ifdef BLIND_WALK
       q=next[0];
#else
       lockM(); q=next[0];
#endif
       do :: q!=0 -> touch(q); q=next[q] :: else -> break od;
#ifndef BLIND_WALK
       unlockM();
#endif
       if :: done[p] || !begun[p] || next[p]!=0 -> goto wait fi
  fi;
#ifdef BLIND_REMOVE
  awaited=0; q=next[p]; next[0]=q;
#else
  lockM(); awaited=0; q=next[p]; next[0]=q; unlockM();
#endif
  free(p); p=0; q=0;
  if :: has -> goto again :: else fi;
#ifdef FIRST_ONLY
  goto end;
#endif
  goto gather;
end:
  assert(items==0); assert(hears==tells);
  d_step{ p=1; do :: p<=NP -> assert(!lives[p]); p++ :: else -> break od; p=0 };
  over=1
}

init { byte n=1; atomic{ run beginner(); do :: n<NW -> run worker(n); n++ :: else -> break od } }
