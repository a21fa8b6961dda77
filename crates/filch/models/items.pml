/* Spawn loops: the right to iterate moves, and only the loop's beginner waits. Mirrors constructs/items/frame.rs and
 * constructs/items/run.rs under crates/filch/src. The claims to check: one worker at a time is at the iterator; every
 * item is run once; nobody touches a part that has been freed; the beginner hears, in the order of the items, of all
 * that have something to tell, and ends after all parts; there are never more parts than a multiple of the workers,
 * however often the right moves.
 *
 * Who writes what
 *   next[x]   of a part x, or of the beginner (x = 0: the first part): who takes the right from x, under the L of x's
 *             runner; afterwards the beginner (0 only) and who prunes, under M
 *   done[p], told[p]   written when p is claimed, before it is linked; then by its runner, done last
 *   mail[w]   a part that has been given to w and not begun; removed by w, who begins it, or by the beginner, who
 *             reclaims it
 *   awaited   under M: the beginner is at the first part, which stays
 *   shown, gone   of a runner's frame: on the ladder; taken. L is held in one step, or from `take` to `unlock`:
 *                 ladder.pml
 *             takes that apart
 * A beginner that helps while it waits is one more worker here; that it is slower for it makes no difference. Memory is
 * sequentially consistent: the link is a release of the claim, and all else under a lock. That this suffices is loom's
 * business.
 *
 * Runs (README.md says how to read them):
 *   @ok
 *   @ok NW=4 NI=2
 *
 * Mutants, each with what it breaks (each must fail):
 *   KEEP_RIGHT     who has lost the right goes on: two at the iterator
 *   NEXT_LATE      the link is written after L has been released: the victim ends, and the beginner believes it was the
 *                  last
 *   LINK_FIRST     the link is written before the claim: the beginner looks there for somebody to help
 *   NEXT_BY_VICTIM the victim writes its own link, after `done`: as NEXT_LATE
 *   FIRST_ONLY     the beginner waits for the first part only
 *   NO_AWAITED     who prunes frees the part that the beginner waits for
 *   PRUNE_UNDONE   who prunes does not look whether a part is done
 *   PRUNE_TOLD     who prunes does not look whether it has something to tell
 *   BLIND_REMOVE   the beginner removes the first part without M: it reads a link that is being changed
 *   BLIND_PRUNE    two prune at once
 *   BLIND_WALK     the beginner looks for somebody to help without M: it meets a part that is being freed
 *   RECLAIM_BLIND  the beginner takes a given part back without looking whether it is in the mailbox still
 *   NO_PRUNE       (NI=7) parts pile up */
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
/* ghost */
bit lives[NP+1]=0, claimed[NP+1]=0; byte num[NP+1]=0;
byte moves=0, heard=0; byte tells=0, hears=0; byte at=NOBODY, items=NI; bit over=0;

inline touch(p){ assert(lives[p]); assert(claimed[p]) }
inline lockM(){ atomic{ M==0 -> M=1 } }
inline unlockM(){ M=0 }
inline free(p){
  d_step{ assert(lives[p]); lives[p]=0; claimed[p]=0; num[p]=0; next[p]=0; to[p]=0; begun[p]=0; done[p]=1 }
}

/* whoever has the right, with its frame off the ladder; sets has */
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
       /* the take, or the victim's attend on behalf of an ask */
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
  :: !done[p] ->                                                  /* whom to help */
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
