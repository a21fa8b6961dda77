/* The ladder: one owner, NT thieves that take, one signaller that asks. Mirrors `push` and `pop`
 * (protocol/ladder/rung.rs), `attend` (protocol/ladder/attend.rs) and `take` (protocol/ladder/take.rs) under
 * crates/filch/src. The claim to check: every frame that is ever forked runs exactly once, whoever runs it, and nobody
 * touches a frame that is not there or an ask that is not told.
 *
 * Who writes what
 *   slots[r]  the frame at rung r, NIL (NULL) above the top: the owner alone writes it. There is no variable for the
 *             top: "the ladder reaches above rung h" is "slots[h] holds a frame". slots[K] is a WALL for ever: not NIL,
 *             so that the owner of a full ladder goes cold without comparing with the capacity; not a frame, so that a
 *             take must refuse it.
 *   body[a]   what a frame at address a holds: written by the owner before it stores a into a slot. Every frame has an
 *             address of its own here; with -DREUSE the address goes with the rung, as when a loop forks at one stack
 *             depth.
 *   H         oldest rung not yet given or taken: written under L.   L: the lock.
 *   E         the exception bound: raised by thieves and signallers, lowered under L.   req: the ask word (ask.pml).
 * Whenever L is free, E is H or MAX (checked with -DINVARIANT). Loops, whose frames stay after a take, are in
 * range.pml.
 *
 * Memory. All stores of the owner go through a buffer that `drain` empties at any later time; the owner itself sees its
 * own stores at once (`view`). The heavy fence of a thief is `bl==0`: at some moment during the call the owner's buffer
 * was empty. Without -DPSO the buffer is first-in-first-out and every read-modify-write drains it: x86. With -DPSO a
 * store overtakes every older one at another address, unless it is a release (slots, unlock), and read-modify-writes
 * drain nothing. That is weaker than the code, whose swap and fetch_max are releases too. Thieves need no buffer: all
 * that they write is E, by read-modify-writes, and H, which only holders of L trust.
 *
 * The owner forks and returns as it likes, NF frames on K rungs. A fork comes with a strand, that is, with the rung
 * that the user's token names: the current one, a stale one (from further down), or that of an implicit join, which
 * searches from the bottom. Thieves make NA attempts each and skip the peek, which is only there to save a fence. The
 * signaller asks NS times.
 *
 * Runs (README.md says how to read them):
 *   @set x86: K=2 NF=4 NA=2 NS=1
 *   @set weak: K=2 NF=3 NA=2 NS=1 PSO
 *   @mutants x86 -O1
 *   @ok x86 INVARIANT
 *   @ok x86 INVARIANT REUSE
 *   @ok x86 LOWER_UNTESTED
 *   @ok weak INVARIANT
 *   @ok weak INVARIANT REUSE
 *   @ok weak INVARIANT REUSE SLOT_OVERTAKE
 *
 * Mutants, each with what it breaks (each must fail):
 *   NOFENCE         take without the heavy fence: the NULL of a pop is still in the buffer, both run the frame
 *   FENCE_FIRST     heavy fence before E is raised instead of after: the same
 *   NOFENCE_OWNER   no compiler fence in pop, so E is read before NULL is stored: the same, from the other side
 *   NO_NULL         pop leaves its pointer in the slot: a thief takes a frame that has ended
 *   EARLY_SLOT      take reads the slot before the fence only: what it saw may have been popped since
 *   EARLY_PTR       take tests the slot after the fence, but uses the pointer read before it: a predecessor at that
 *                   rung
 *   REREAD          take tests one load and uses a second one, under L: the owner, on its way to L, has stored NULL
 *                   between
 *   LATE_SLOT       take uses a load made after unlocking: the owner has gone on, the slot holds NULL or another frame
 *   LATE_CLAIM      take writes the frame's state after unlocking: the owner finds its frame gone and reads no state
 *   NO_WALL         take knows NULL only: when all rungs are taken it takes the wall
 *   THIEF_NULLS     take clears the slot: a stale strand then finds a live rung free and forks over it
 *   STALE_KEPT      cold writes the rung that it found into the stale strand: used again after the ladder has shrunk,
 *                   it names a rung above the top, finds NULL there and forks with a hole below, so that rungs are no
 *                   longer in age order
 *   SPLIT_MAX       E raised by a load and a store: MAX in between is lost
 *   PLAIN_RESTORE   failed take lowers E by a store: MAX in between is lost
 *   LOWER_ALWAYS    failed take lowers E from whatever is there: a MAX that was there before is lost
 *   PLAIN_RESET     attend resets E by a store, not by a swap: the request is read before the store is visible
 *   RESET_ZERO      attend resets E to 0, not to H: the owner does not notice that lower rungs are gone
 *   NOLOCK_RESET    attend answers a request without L if the frame looks unstolen: wipes out the raise of a take in
 *                   progress
 *   NO_RESET_H      attend leaves H above the rung: the next frame there counts as stolen
 *   GONE_LATE       attend asks "H > t?" after resetting H: never gone, both run the frame
 *   GIVE_ATTENDED   attend gives the frame that it attends as well (H <= t for H < t): given and run
 *   CHECK_BEFORE    attend reads the request before it resets E: a request in between has its MAX wiped out
 *   KEEP_ASK        attend resets E but leaves the request in its word for later: nothing reminds the owner
 *   RAISE_FIRST     the signaller raises E before it writes its request: the owner attends to nothing
 *   PUSH_RELAXED    (weak, -O1) push stores the slot without release: the thief sees the pointer before the frame
 *   UNLOCK_RELAXED  (weak, -O1) the owner's unlock is no release: a thief that locks next works with an H from before
 * Experiments, which must not fail:
 *   SLOT_OVERTAKE   (PSO) a slot store waits only for the body of the frame it publishes and for older stores to the
 *                   same slot: it overtakes stores to other slots, and the NULL of a pop overtakes everything (it is
 *                   relaxed)
 *   LOWER_UNTESTED  failed take tries the compare-exchange h+1 -> h even if fetch_max returned h+1 or more: as long as
 *                   E is H or MAX whenever L is free, that means MAX, and the exchange fails by itself. With loops it
 *                   may be H+1, left there by a split, and must stay: range.pml */
#ifndef K
#define K 2          /* rungs */
#endif
#ifndef NF
#define NF 4         /* frames forked in total */
#endif
#ifndef NA
#define NA 2         /* attempts per thief */
#endif
#ifndef NS
#define NS 1         /* signals */
#endif
#ifndef NT
#define NT 2         /* thieves */
#endif
#define NB   5       /* store buffer capacity; `drain` looks at no more than this */
#define NIL  0
#define WALL 8
#define MAX  9

#ifdef REUSE
#define ADDRESS(rung,id) (rung+1)
#else
#define ADDRESS(rung,id) (id)
#endif

byte slots[K+1]=NIL;              /* addresses; init builds the wall */
byte body[NF+K+1]=0;              /* by address: the frame's number, 1 to NF; 0: never written */
byte H=0, E=0; bit L=0;
bit req=0;
/* ghost */
byte ran[NF+1];                   /* executions, by frame number */
bit raised=0;                     /* the signaller whose bit is in req has finished raising E */
byte over=0;                      /* thieves that have made all their attempts */

/* ---- the owner's store buffer ---- */
#define kS 1   /* slots: release */
#define kB 2   /* body: plain */
#define kH 3   /* H: relaxed */
#define kL 4   /* L=0: release */
#define kE 5   /* E, in mutants: relaxed */
byte bk[NB]; byte bi[NB]; byte bv[NB]; byte bl=0;     /* kind, index, value; length */

inline store(k,i,v){ d_step{ bl<NB -> bk[bl]=k; bi[bl]=i; bv[bl]=v; bl++ } }
inline commit(c){ /* entry c becomes visible */
  if :: bk[c]==kS -> slots[bi[c]]=bv[c] :: bk[c]==kB -> body[bi[c]]=bv[c] :: bk[c]==kH -> H=bv[c]
     :: bk[c]==kL -> L=0 :: bk[c]==kE -> E=bv[c] fi;
  q=c;
  do :: q+1<bl -> bk[q]=bk[q+1]; bi[q]=bi[q+1]; bv[q]=bv[q+1]; q++ :: else -> break od;
  bl--; bk[bl]=0; bi[bl]=0; bv[bl]=0; q=0
}
#define same(o,c)    (bk[o]==bk[c] && bi[o]==bi[c])
#ifdef PUSH_RELAXED
#define release(c)   ((bk[c]==kS && bv[c]==NIL) || bk[c]==kL)
#else
#ifdef UNLOCK_RELAXED
#define release(c)   (bk[c]==kS)
#else
#define release(c)   (bk[c]==kS || bk[c]==kL)
#endif
#endif
#ifdef SLOT_OVERTAKE
#define passes(o,c)  (!same(o,c) && (!release(c) || (bk[c]==kS && !(bk[o]==kB && bi[o]==bv[c]))))
#else
#define passes(o,c)  (!same(o,c) && !release(c))      /* the younger store c may become visible before o */
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
inline view(k,i,out){ /* what the owner itself reads: its youngest store, else memory (inside a d_step) */
  out=(k==kS -> slots[i] : (k==kB -> body[i] : H)); q=0;
  do :: q<bl -> if :: bk[q]==k && bi[q]==i -> out=bv[q] :: else fi; q++ :: else -> break od; q=0
}
#ifdef PSO
#define DRAINED    (true)
#else
#define DRAINED    (bl==0)        /* every read-modify-write waits for this */
#endif

inline runs(f){ d_step{ assert(f>0); assert(ran[f]==0); ran[f]=ran[f]+1 } }

/* ---- the owner ---- */
inline attend(){ /* rung t, already popped; sets gone */
#ifdef NOLOCK_RESET
  h=H;
  if :: req && h<=t -> atomic{ DRAINED -> E=h };
        atomic{ if :: req -> req=0; raised=0 :: else fi }; gone=0; goto attended
     :: else fi;
#endif
  atomic{ L==0 && DRAINED -> L=1 };
  d_step{ view(kH,0,h) };
#ifdef GONE_LATE
  if :: h>t -> store(kH,0,t); h=t :: else fi;
  gone=(h>t);
#else
  gone=(h>t);
#ifndef NO_RESET_H
  if :: h>t -> store(kH,0,t); h=t :: else fi;
#endif
#endif
#ifdef CHECK_BEFORE
  atomic{ if :: req -> req=0; raised=0; asked=1 :: else fi };
#endif
#ifdef PLAIN_RESET
  store(kE,0,h);
#else
#ifdef RESET_ZERO
  atomic{ DRAINED -> E=0 };
#else
  atomic{ DRAINED -> E=h };                               /* E.swap(H) */
#endif
#endif
#ifndef CHECK_BEFORE
  atomic{
    if :: req -> req=0; raised=0; asked=1                 /* swap of the ask word */
#ifdef KEEP_ASK
       :: req -> skip
#endif
       :: else fi };
#endif
  /* give the oldest frame, if there is one, to the asker */
#ifdef GIVE_ATTENDED
  if :: asked && h<=t && !gone -> runs(number[depth]);
#else
  if :: asked && h<t -> d_step{ view(kS,h,v); view(kB,v,w) }; runs(w); v=0; w=0;
#endif
        h++; store(kH,0,h); atomic{ DRAINED -> E=(E>h->E:h) }
     :: else fi;
  asked=0;
  store(kL,0,0);                                          /* unlock */
#ifdef NOLOCK_RESET
attended:
#endif
  skip
}
proctype owner(){
  byte n=0;                                               /* frames forked so far */
  byte depth=0, rung[NF], number[NF];                     /* the native stack: the frames it holds, oldest first */
  byte stale=0;                                           /* a strand made at the bottom, at large for the whole run */
  byte t, e, h, v, w, q; bit gone=0, asked=0;
  do
  :: n<NF ->                                              /* fork */
       if :: t=(depth>0 -> rung[depth-1]+1 : 0)           /* through the current strand */
          :: t=stale                                      /* through a stale one */
#ifdef STALE_KEPT
          :: t=0                                          /* through none; the same as `stale` where that stays 0 */
#endif
       fi;
       n++;
       /* current, and room? else cold: search the top from here up */
       d_step{ view(kS,t,v);
         do :: v!=NIL && v!=WALL -> t++; view(kS,t,v);
#ifdef STALE_KEPT
               stale=t
#endif
            :: else -> break od };
       if
       :: v==WALL -> runs(n)                              /* full: no frame, both branches run here */
       :: v==NIL ->
            d_step{ rung[depth]=t; number[depth]=n; depth++ };
            store(kB,ADDRESS(t,n),n);
            store(kS,t,ADDRESS(t,n))
       fi; t=0; v=0
  :: depth>0 ->                                           /* return */
       d_step{ depth--; t=rung[depth] };
#ifndef NO_NULL
#ifndef NOFENCE_OWNER
       store(kS,t,NIL);
#endif
#endif
       atomic{ e=E; assert(!(req && raised) || e==MAX) }; /* no lost signal */
#ifdef NOFENCE_OWNER
       store(kS,t,NIL);
#endif
       if :: e>t -> attend() :: else fi;
       if
       :: gone ->                                         /* given or taken: somebody runs it, and has said so */
#ifndef LATE_SLOT
            assert(ran[number[depth]]==1);
#endif
            gone=0
       :: else -> runs(number[depth])
       fi;
       d_step{ rung[depth]=0; number[depth]=0; t=0; e=0; h=0 }
  :: depth==0 && n==NF -> break
  od;
  over==NT; v=1;
  d_step{ do :: v<=NF -> assert(ran[v]==1); v++ :: else -> break od }
}

/* ---- a thief ---- */
#ifdef NO_WALL
#define is_frame(p) (p!=NIL)
#else
#define is_frame(p) (p!=NIL && p!=WALL)
#endif
/* writes the frame's state, hence reads that it is one */
inline claim(){ assert(p!=NIL && p!=WALL); f=body[p]; runs(f) }

proctype thief(){ byte h, old, p, f, a=0;
#ifdef EARLY_PTR
  byte early;
#endif
  do
  :: a<NA -> a++;
     atomic{ L==0 -> L=1 };
     h=H;
#ifdef INVARIANT
     d_step{ assert(E==h || E==MAX) };
#endif
#ifdef FENCE_FIRST
     bl==0;
#endif
#ifdef SPLIT_MAX
     old=E; if :: old<h+1 -> E=h+1 :: else fi;
#else
     atomic{ old=E; E=(E>h+1->E:h+1) };                   /* E.fetch_max(h+1) */
#endif
#ifdef EARLY_SLOT
     p=slots[h];
#endif
#ifdef EARLY_PTR
     early=slots[h];
#endif
#ifndef NOFENCE
#ifndef FENCE_FIRST
     bl==0;                                               /* the heavy fence */
#endif
#endif
#ifndef EARLY_SLOT
     p=slots[h];                                          /* the one load: test and pointer */
#endif
     if
     :: is_frame(p) ->
#ifdef EARLY_PTR
          if :: is_frame(early) -> p=early :: else fi; early=0;
#endif
#ifdef REREAD
          p=slots[h];
#endif
#ifdef LATE_SLOT
          H=h+1; L=0; p=slots[h]; claim()
#else
#ifdef LATE_CLAIM
          H=h+1; L=0; claim()
#else
          claim();
#ifdef THIEF_NULLS
          slots[h]=NIL;
#endif
          H=h+1;
          L=0
#endif
#endif
     :: else ->
#ifdef PLAIN_RESTORE
          if :: old<h+1 -> E=h :: else fi;
#else
#ifdef LOWER_ALWAYS
          atomic{ if :: E==(old>h+1->old:h+1) -> E=h :: else fi };
#else
#ifdef LOWER_UNTESTED
          atomic{ if :: E==h+1 -> E=h :: else fi };
#else
          if :: old<h+1 -> atomic{ if :: E==h+1 -> E=h :: else fi }       /* compare-exchange h+1 -> h */
             :: else fi;
#endif
#endif
#endif
          L=0
     fi;
     h=0; old=0; p=0; f=0
  :: else -> break
  od;
  over++
}

/* ---- somebody with a request ---- */
proctype signaller(){ byte s=0;
  do
  :: s<NS -> s++;
#ifdef RAISE_FIRST
     atomic{ E=MAX }; atomic{ req=1; raised=1 }
#else
     atomic{ req=1; raised=0 };
     atomic{ E=MAX; raised=1 }
#endif
  :: else -> break
  od
}

init{ byte i=0;
  atomic{
    slots[K]=WALL;
    run drain(); run owner();
    do :: i<NT -> run thief(); i++ :: else -> break od; i=0;
    if :: NS>0 -> run signaller() :: else fi
  }
}
