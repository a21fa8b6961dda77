/* The ladder: an owner that forks and returns, NT thieves that take, and one asker.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/ladder/occupied.rs `push`, `Occupied::top`
 *   protocol/ladder/owner.rs    `pop`
 *   protocol/ladder/attend.rs   `attend`, `raise`
 *   protocol/ladder/take.rs     `take`
 *   engine/share/at_fork.rs     `recover`: the cold path of a fork
 *   engine/team/latent.rs       `Latent::accept`: the ask that `attend` answers
 *
 * The owner forks and returns in any order, NF frames in all on K rungs. A fork comes with the rung of a strand: the
 * current one, or a stale one from further down. An implicit join has no strand, and searches the top from the bottom
 * here; in the sources it starts from a hint. Each thief makes NA attempts. It leaves out the look at the slot before a
 * take (`has_frame`), which only saves a barrier. The asker (`signaller`) asks NS times.
 *
 * Not modelled: the ask word, which is one bit here (ask.pml); the frames of loops, which stay after a take
 * (range.pml); the marks other than the one above the last rung (watch.pml).
 *
 * Who writes what:
 *   slots[r]   the frame at rung r, or NIL (null) above the top: the owner. There is no variable for the top: "the
 *              ladder reaches above rung h" means "slots[h] holds a frame". slots[K] always holds WALL, the mark above
 *              the last rung. It is not NIL, so the owner of a full ladder takes the cold path without a comparison
 *              with the capacity. It is not a frame, so a take must refuse it.
 *   body[a]    the content of the frame at address a: the owner, before it stores a into a slot. Every frame has an
 *              address of its own here. With REUSE the address belongs to the rung, as when a loop forks at one depth
 *              of the stack.
 *   H          the oldest rung that has not been given or taken: under L, the lock
 *   E          the bound: raised by thieves and the asker, lowered under L
 *   req        whether there is an ask: the asker sets it, the owner clears it
 *
 * Memory: all stores of the owner go through a buffer, which `drain` empties at any later time. The owner sees its own
 * stores at once (`view`). The barrier of a thief is the condition `bl==0`: at some moment during the call the buffer
 * of the owner was empty. Without PSO the buffer is first-in-first-out, and every read-modify-write of the owner waits
 * until it is empty, as on x86. With PSO a store overtakes every older one at another address, unless it is a release
 * (slots, unlock), and read-modify-writes do not wait. That is weaker than the sources, whose `swap` and `fetch_max`
 * are releases too. Thieves need no buffer. They write only E, by read-modify-writes, and H, which only holders of L
 * rely on.
 *
 * Properties:
 *   - Every frame that is forked runs exactly once.
 *   - A thief reads only frames that are there.
 *   - No ask is lost: when the asker has raised E, every return finds E = MAX until the ask is answered.
 *   - With INVARIANT: whenever L is free, E is H or MAX.
 *
 * Runs (README.md describes the syntax):
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
 * Mutants, each of which must fail:
 *   NOFENCE          `take` issues no barrier, so the null of a pop may still be in the buffer, and both run the frame
 *   FENCE_FIRST      `take` issues the barrier before it raises E, with the same result
 *   NOFENCE_OWNER    `pop` has no compiler fence, so it reads E before it stores null, with the same result
 *   NO_NULL          `pop` leaves its pointer in the slot, so a thief takes a frame that has ended
 *   EARLY_SLOT       `take` reads the slot only before the barrier, so the frame may have been popped since
 *   EARLY_PTR        `take` tests the slot after the barrier but uses the pointer that it has read before, which may be
 *                    that of an earlier frame at the rung
 *   REREAD           `take` tests one load and uses a second one under L, and the owner may store null in between, on
 *                    its way to L
 *   LATE_SLOT        `take` uses a load that it makes after the unlock, when the slot may hold null or another frame
 *   LATE_CLAIM       `take` writes the claim after the unlock, so the owner may find its frame gone and read no claim
 *   NO_WALL          `take` tests only for null, so it takes the wall when all rungs are taken
 *   THIEF_NULLS      `take` clears the slot, so a stale strand finds a rung free that is in use, and forks over it
 *   STALE_KEPT       the cold path writes the rung that it has found into the stale strand, so a fork after the ladder
 *                    has shrunk uses a rung above the top and leaves a hole below it, and the rungs are no longer in
 *                    the order of age
 *   SPLIT_MAX        `take` raises E by a load and a store, so it loses a MAX that comes in between
 *   PLAIN_RESTORE    a failed `take` lowers E by a store, so it loses a MAX that comes in between
 *   LOWER_ALWAYS     a failed `take` lowers E from any value, so it loses a MAX that was there before
 *   PLAIN_RESET      `attend` resets E by a store instead of a swap, so it reads the ask before the store is visible
 *   RESET_ZERO       `attend` resets E to 0 instead of H, so the owner does not notice that lower rungs are gone
 *   NOLOCK_RESET     `attend` answers an ask without L if its frame seems to be there, so it undoes the raise of a take
 *                    that is under way
 *   NO_RESET_H       `attend` leaves H above the rung, so the next frame there counts as gone
 *   GONE_LATE        `attend` compares H with its rung after it has reset H, so the frame never counts as gone, and
 *                    both run it
 *   GIVE_ATTENDED    `attend` also gives the frame that has just been popped (H <= t instead of H < t), so both run it
 *   CHECK_BEFORE     `attend` reads the ask before it resets E, so it wipes out the MAX of an ask that comes in between
 *   KEEP_ASK         `attend` resets E but leaves the ask for later, so nothing reminds the owner of it
 *   RAISE_FIRST      the asker raises E before it writes its ask, so the owner attends in vain and later misses the ask
 *   PUSH_RELAXED     (weak, -O1) `push` is not a release, so a thief sees the pointer before the content of the frame
 *   UNLOCK_RELAXED   (weak, -O1) the owner's unlock is not a release, so the next thief that locks works with an old H
 * Experiments, which must not fail:
 *   SLOT_OVERTAKE    (PSO) a store to a slot waits only for the body of the frame that it publishes, and for older
 *                    stores to the same slot. So it overtakes stores to other slots, and the null of a pop, which is
 *                    relaxed, overtakes everything.
 *   LOWER_UNTESTED   a failed `take` tries the compare-exchange h+1 -> h even if fetch_max returned h+1 or more.
 *                    Whenever L is free, E is H or MAX, so that value was MAX, and the exchange fails. With loops it
 *                    may be H+1, left there by a split, and must stay (range.pml). */
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
#define NS 1         /* asks */
#endif
#ifndef NT
#define NT 2         /* thieves */
#endif
#define NB   5       /* capacity of the store buffer; `drain` handles no more than this */
#define NIL  0
#define WALL 8
#define MAX  9

#ifdef REUSE
#define ADDRESS(rung,id) (rung+1)
#else
#define ADDRESS(rung,id) (id)
#endif

byte slots[K+1]=NIL;              /* addresses; init writes the wall */
byte body[NF+K+1]=0;              /* by address: the number of the frame, 1 to NF; 0 if never written */
byte H=0, E=0; bit L=0;
bit req=0;
/* ghost variables */
byte ran[NF+1];                   /* how often each frame has run, by its number */
bit raised=0;                     /* the asker whose ask is in req has raised E */
byte over=0;                      /* how many thieves have made all their attempts */

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
inline view(k,i,out){ /* what the owner reads: its youngest store, or else memory (inside a d_step) */
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
inline attend(){ /* rung t has been popped; sets gone */
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
  /* gives the oldest frame to the asker, if there is one */
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
  byte stale=0;                                           /* the rung of a strand that was made at the bottom */
  byte t, e, h, v, w, q; bit gone=0, asked=0;
  do
  :: n<NF ->                                              /* fork */
       if :: t=(depth>0 -> rung[depth-1]+1 : 0)           /* with the current strand */
          :: t=stale                                      /* with a stale strand */
#ifdef STALE_KEPT
          :: t=0                                          /* without a strand; the same as `stale` while that is 0 */
#endif
       fi;
       n++;
       /* If the strand is not current, or there is no room: the cold path, which searches the top from here up. */
       d_step{ view(kS,t,v);
         do :: v!=NIL && v!=WALL -> t++; view(kS,t,v);
#ifdef STALE_KEPT
               stale=t
#endif
            :: else -> break od };
       if
       :: v==WALL -> runs(n)                              /* full: both branches run here, without a frame */
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
       atomic{ e=E; assert(!(req && raised) || e==MAX) }; /* no lost ask */
#ifdef NOFENCE_OWNER
       store(kS,t,NIL);
#endif
       if :: e>t -> attend() :: else fi;
       if
       :: gone ->                                         /* given or taken, and so claimed by another worker */
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
/* writes the claim, so what it writes to must be a frame */
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
     bl==0;                                               /* the barrier */
#endif
#endif
#ifndef EARLY_SLOT
     p=slots[h];                                          /* the one load, which gives the test and the pointer */
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

/* ---- the asker ---- */
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
