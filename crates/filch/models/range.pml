/* Range loops: one owner, NT thieves that take, and one asker.
 *
 * Mirrors, below crates/filch/src:
 *   constructs/loops/shared.rs   `run_all`
 *   constructs/loops/frame.rs    `show`, `attend`, `split`
 *   constructs/loops/indices.rs  `Rest::claim`: where the rest begins
 *   constructs/parts.rs          `Parts`: the list of parts
 *   engine/share/at_return.rs    `attend_parts`
 *   engine/team/latent.rs        `Latent::claim`: what is given of a loop
 *   protocol/ladder/owner.rs     `pop`
 *   protocol/ladder/attend.rs    `attend`
 *   protocol/ladder/take.rs      `take`
 *
 * The frame of a loop on the ladder says what is *left* of the loop, lo..hi, which is never empty. The block that the
 * owner is running is not in it. To claim the next block, the owner pops the frame as the return of a fork does, cuts
 * off the block, and pushes the frame again at the same rung if something is left. A thief takes the upper half of what
 * is left, under L. H moves only if nothing is left then. Otherwise E stays above the rung, so the next pop of the
 * owner attends, and acquires what was written under L.
 *
 * The owner runs a loop of N1 iterations in blocks of 1 or 2, chosen freely. An iteration may fork (WITH_JOIN) or run a
 * loop of N2 iterations (WITH_LOOP). With BELOW the first branch of a fork runs the loop of N2 iterations, and nothing
 * else happens. Each thief makes NA attempts, may refuse any claim, and runs at once what it gets. The asker asks NS
 * times.
 *
 * Not modelled: an owner that stops in the middle of a block because of an ask; the rule that an owner gives half of
 * the loop that it has popped only if plenty is left; frames that are shared on a shelf; the results of parts.
 *
 * Who writes what:
 *   slots, H, E, L, req   as in ladder.pml, but a slot is written and cleared again and again with the same address in
 *                         it
 *   kind[a]               the kind of the frame at address a: the owner, before its first push. Addresses are on the
 *                         native stack, and are used again.
 *   lo[a]                 plain memory: the owner, while the frame is off the ladder. Thieves read it under L.
 *   hi[a]                 plain memory: the holder of L, or the owner while the frame is off the ladder. It stands for
 *                         all that a split writes, such as the list of parts.
 *
 * Memory is as in ladder.pml: the stores of the owner go through a buffer, first-in-first-out (x86), or with PSO in any
 * order that their addresses and releases allow. Thieves need no buffer: hi is read by holders of L, or by an owner
 * that has held L since. Two ghost variables check that this holds, and that there is no data race by the rules of the
 * language. `mine`: the frame belongs to the owner, from its last look at E to its push. `touched`: a thief has read or
 * written the frame since the owner last held L. SILENT turns them off.
 *
 * Properties:
 *   - Every iteration and every second branch runs exactly once.
 *   - No thread reads or writes lo and hi of a loop while another one writes them, or before it has acquired what
 *     another one has written.
 *   - No ask is lost.
 *   - With INVARIANT: whenever L is free, E is H or MAX, or H+1 if the frame at H has been split since the owner last
 *     held L. The frame of a loop is below H exactly if nothing is left of it.
 *
 * Runs (README.md describes the syntax):
 *   @set loop: N1=4
 *   @set join: N1=3 WITH_JOIN
 *   @set below: BELOW N2=3 WITH_LOOP
 *   @set weak: N1=3 WITH_JOIN NA=1 PSO
 *   @mutants loop
 *   @ok N1=5 NS=2 INVARIANT
 *   @ok join INVARIANT
 *   @ok join WITH_LOOP NA=1 INVARIANT
 *   @ok below INVARIANT
 *   @ok loop NA=1 PSO INVARIANT
 *   @ok join NA=1 PSO INVARIANT
 *   @ok below NA=1 PSO INVARIANT
 *   @ok loop PSO INVARIANT POP_RELAXED
 *   @ok join NA=1 INVARIANT GONE_ENDS
 *   @ok join INVARIANT FENCE_ONCE
 *   @ok loop PSO INVARIANT FENCE_ONCE
 *   @ok loop INVARIANT SPECULATE
 *   @ok loop H_MOVES
 *   @ok loop SILENT LOWER_SPLIT
 *   @bug loop SILENT SPECULATE LOWER_SPLIT
 *   @bug loop SILENT SPECULATE LOWER_UNTESTED
 *
 * Mutants, each of which must fail:
 *   NOFENCE          `take` issues no barrier, so a thief splits a frame whose pop it has not seen
 *   FENCE_FIRST      `take` issues the barrier before it raises E, with the same result
 *   FENCE_UNRAISED   `take` issues no barrier if E was above the rung before, even if E was MAX, which an asker sets
 *                    without a barrier
 *   NOFENCE_OWNER    a claim has no compiler fence, so it reads E before it stores null, with the same result
 *   NO_NULL          the owner claims the next block with the frame in its slot, so a thief reads lo while the owner
 *                    writes it
 *   HALF_EARLY       a thief reads lo and hi before the barrier, and the owner may have claimed a block since
 *   HI_EARLY         the owner uses the hi that it has read before the pop, and a thief may have taken the upper half
 *                    since
 *   HI_KEPT          (join) the owner reads hi again only if its claim attends, although it may itself have given a
 *                    part of this loop when it attended for an inner frame
 *   LO_LATE          the owner writes lo after the push, so a thief gets the iterations that the owner is running
 *   BLOCK_SHOWN      the frame on the ladder includes the block that the owner is running, with the same result
 *   EMPTY            the owner pushes a frame with nothing left, so a thief finds nothing to halve
 *   HOLE             (join) in its last block, whose frame is off the ladder, a loop runs inner frames one rung too
 *                    high, so H points at null
 *   ATTEND_LATE      the owner claims a block before it attends, when a thief may be at the frame
 *   WRITE_EARLY      the owner writes to its popped frame before it attends, when a thief may be reading it
 *   SKIP_SPLIT       the owner attends only to asks (E = MAX)
 *   NOLOCK           `attend` does not lock L
 *   NO_RESET_H       (join) `attend` leaves H above the rung, so the next frame there counts as gone
 *   CHECK_BEFORE     `attend` reads the ask before it resets E, so it wipes out the MAX of an ask that comes in between
 *   RAISE_FIRST      the asker raises E before it writes its ask
 *   GIVE_UNLOCKED    (join) `attend` gives half of an outer loop after it has unlocked L, when a thief may be at that
 *                    frame
 *   GIVE_STAYS       (join) `attend` gives all that is left of an outer loop and does not move H, so a thief finds
 *                    nothing to halve
 *   GIVE_LOW         (below) `attend` gives all that is left of an outer frame and leaves E below H, so the owner of
 *                    that frame does not notice
 *   GIVE_OWN_MOVES   (join) `attend` moves H over the popped frame when it gives half of that, so the next frame at the
 *                    rung counts as gone
 *   LOWER_FIRST      `take` lowers E before it writes hi, so the owner does not wait
 *   LOWER_SPLIT      `take` lowers E after a split, so the owner does not wait, and reads hi without having acquired it
 *   LOWER_UNTESTED   a failed `take` tries the exchange h+1 -> h without a check of what fetch_max returned, so it
 *                    lowers an E that an earlier split has left raised
 *   TOUCH_REFUSED    `take` looks into the frame before it refuses and lowers E, so nothing orders that look before the
 *                    owner's next write
 *   UNLOCK_FIRST     `take` writes hi after it has unlocked L
 *   H_STAYS          `take` does not move H when nothing is left, so the next thief finds nothing to halve
 *   PUSH_RELAXED     (weak) `push` is not a release, so a thief sees the frame before its lo
 *   UNLOCK_RELAXED   (weak) the owner's unlock is not a release, so the next thief that locks halves with an old hi
 * With INVARIANT only, because they make loops slow and not wrong:
 *   H_MOVES       (join, INVARIANT) `take` moves H past a frame that has something left, so no worker can get that
 *                 until the owner claims its next block
 *   GIVE_MOVES    (join, INVARIANT) `attend` does the same
 *   RESET_ABOVE   (join, INVARIANT) `attend` leaves E one above its rung, so every claim attends
 * Experiments, which must not fail:
 *   GONE_ENDS     a loop whose rung is below H ends without a look at hi, because nothing was left
 *   SPECULATE     the owner reads hi before it pops, and again only if it attends. So its read of hi may overtake its
 *                 load of E, which need not acquire. This makes the races of LOWER_SPLIT and LOWER_UNTESTED real: with
 *                 SILENT they are harmless as long as reads do not overtake.
 *   FENCE_ONCE    `take` issues no barrier if fetch_max returns h+1: an earlier split has raised E and had its barrier,
 *                 and the owner has not attended since. The sources issue one all the same.
 *   H_MOVES       as above, without INVARIANT
 *   POP_RELAXED   (PSO) the null of a pop is not a release, as in the sources */
#ifndef N1
#define N1 4         /* iterations of the outer loop */
#endif
#ifndef N2
#define N2 2         /* iterations of the inner loop */
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
#define K    2       /* rungs: enough for a nesting of two */
#define NB   6       /* capacity of the store buffer; `drain` handles no more than this */
#define NIL  0
#define MAX  9
#define NMAX 5       /* the most iterations of a loop */

byte slots[K]=NIL;                /* addresses, 1 and 2: one for each level of the native stack */
byte kind[3], lo[3], hi[3];       /* the frame at an address */
#define RANGE 1
#define JOIN  2
byte H=0, E=0; bit L=0;
bit req=0;
/* ghost variables */
bit mine[3];                      /* the frame belongs to the owner, from its last look at E to its push */
bit touched[3];                   /* a thief has read or written the frame since the owner last held L */
byte ran[3*NMAX];                 /* executions, by address and iteration; iteration 0 of a join: its second branch */
bit raised=0;                     /* the asker whose ask is in req has raised E */
byte over=0;                      /* how many thieves have made all their attempts */
byte q;                           /* for d_steps */

/* ---- the owner's store buffer ---- */
#define kS 1   /* slots: release */
#define kB 2   /* kind: plain */
#define kLo 3  /* plain */
#define kHi 4  /* plain */
#define kH 5   /* H: relaxed */
#define kL 6   /* L=0: release */
byte bk[NB]; byte bi[NB]; byte bv[NB]; byte bl=0;     /* kind, index, value; length */

inline store(k,i,v){ d_step{ bl<NB -> bk[bl]=k; bi[bl]=i; bv[bl]=v; bl++ } }
inline commit(c){ /* entry c becomes visible */
  if :: bk[c]==kS -> slots[bi[c]]=bv[c] :: bk[c]==kB -> kind[bi[c]]=bv[c] :: bk[c]==kLo -> lo[bi[c]]=bv[c]
     :: bk[c]==kHi -> hi[bi[c]]=bv[c] :: bk[c]==kH -> H=bv[c] :: bk[c]==kL -> L=0 fi;
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
#ifdef POP_RELAXED
#define release(c)   ((bk[c]==kS && bv[c]!=NIL) || bk[c]==kL)
#else
#define release(c)   (bk[c]==kS || bk[c]==kL)
#endif
#endif
#endif
#define passes(o,c)  (!same(o,c) && !release(c))      /* the younger store c may become visible before o */
proctype drain(){
end_drain:
  do
  :: d_step{ bl>0 -> commit(0) }
#ifdef PSO
  :: d_step{ bl>1 && passes(0,1) -> commit(1) }
  :: d_step{ bl>2 && passes(0,2) && passes(1,2) -> commit(2) }
  :: d_step{ bl>3 && passes(0,3) && passes(1,3) && passes(2,3) -> commit(3) }
  :: d_step{ bl>4 && passes(0,4) && passes(1,4) && passes(2,4) && passes(3,4) -> commit(4) }
  :: d_step{ bl>5 && passes(0,5) && passes(1,5) && passes(2,5) && passes(3,5) && passes(4,5) -> commit(5) }
#endif
  od
}
inline view(k,i,out){ /* what the owner reads: its youngest store, or else memory (inside a d_step) */
  out=(k==kS -> slots[i] : (k==kB -> kind[i] : (k==kLo -> lo[i] : (k==kHi -> hi[i] : H)))); q=0;
  do :: q<bl -> if :: bk[q]==k && bi[q]==i -> out=bv[q] :: else fi; q++ :: else -> break od; q=0
}
#ifdef PSO
#define DRAINED    (true)
#else
#define DRAINED    (bl==0)        /* every read-modify-write waits for this */
#endif

#define count(a,i) ran[(a)*NMAX+(i)]
inline run_once(a,i){ assert(count(a,i)==0); count(a,i)=1 }
inline run_all(a,from,to){ q=from; do :: q<to -> run_once(a,q); q++ :: else -> break od; q=0 }   /* inside a d_step */
inline forget(a){ q=0; do :: q<NMAX -> count(a,q)=0; q++ :: else -> break od; q=0 }
#ifdef SILENT
#define is_free(a) (true)
#define is_shown(a) (true)
#else
#define is_free(a) (!touched[a])     /* the owner may touch it: all accesses of thieves happened before */
#define is_shown(a) (!mine[a])
#endif

/* ---- the owner ---- */
inline half(){ /* gives the upper half of what is left of frame w; uses l, r and m */
  d_step{ assert(w!=NIL); assert(is_free(w)); view(kLo,w,l); view(kHi,w,r); assert(l<r); m=l+(r-l)/2 };
  store(kHi,w,m);
  d_step{ run_all(w,m,r) }
}
inline attend(){ /* the frame of level d, at rung t, has been popped; sets gone */
#ifndef NOLOCK
  atomic{ L==0 && DRAINED -> L=1; touched[1]=0; touched[2]=0 };
#endif
  d_step{ view(kH,0,h); gone=(h>t); mine[d]=1;
          if :: is[d]==RANGE -> assert(is_free(d)); view(kLo,d,l); view(kHi,d,r);
#ifdef INVARIANT
             /* H is past the frame of a loop exactly if nothing is left of it */
             assert(gone==(l==r))
#endif
             :: else fi };
#ifndef NO_RESET_H
  if :: gone -> store(kH,0,t); h=t :: else fi;
#endif
#ifdef CHECK_BEFORE
  atomic{ if :: req -> req=0; raised=0; asked=1 :: else fi };
#endif
#ifdef RESET_ABOVE
  atomic{ DRAINED -> E=t+1 };
#else
  atomic{ DRAINED -> E=h };                               /* E.swap(min(H,t)) */
#endif
#ifndef CHECK_BEFORE
  atomic{ if :: req -> req=0; raised=0; asked=1 :: else fi };
#endif
#ifdef GIVE_UNLOCKED
  store(kL,0,0);
#endif
  if
  :: asked && h<t ->                                      /* the oldest frame below */
       d_step{ view(kS,h,w); assert(w!=NIL); view(kB,w,v) };
       if :: v==JOIN -> d_step{ run_once(w,0); l=0; m=0 }
          :: v==RANGE -> half() fi;
       if
#ifndef GIVE_STAYS
       :: m==l -> h++; store(kH,0,h);                     /* nothing is left there */
#ifndef GIVE_LOW
                  atomic{ DRAINED -> E=(E>h->E:h) }       /* E.fetch_max(H) */
#endif
#endif
#ifdef GIVE_MOVES
       :: m!=l -> h++; store(kH,0,h); atomic{ DRAINED -> E=(E>h->E:h) }
#endif
       :: else
       fi
  :: asked && h==t && is[d]==RANGE && !gone ->            /* what is left of the loop itself */
       w=d; half();
#ifdef GIVE_OWN_MOVES
       h++; store(kH,0,h); atomic{ DRAINED -> E=(E>h->E:h) }
#endif
  :: else
  fi;
  asked=0;
#ifndef GIVE_UNLOCKED
#ifndef NOLOCK
  store(kL,0,0);                                          /* unlock */
#endif
#endif
  d_step{ h=0; l=0; r=0; m=0; w=0; v=0 }
}
inline begin(what,n){ /* begins a loop of n iterations, or a join, one level up */
  d_step{ t=(d>0 -> rung[d]+on[d] : 0);
#ifdef HOLE
          if :: d>0 -> t=rung[d]+1 :: else fi;
#endif
          d++; assert(is_free(d)); is[d]=what; rung[d]=t; on[d]=0; blk[d]=0; end[d]=0; forget(d); mine[d]=1 };
  store(kB,d,what);
  if
  :: what==RANGE -> store(kLo,d,0); store(kHi,d,n)
  :: else -> atomic{ store(kS,t,d); on[d]=1; mine[d]=0 }
  fi; t=0
}
proctype owner(){
  /* The native stack, whose level d runs now. A loop runs blk..end of its block. The first branch of a join is one
   * iteration. */
  byte d=0, is[3], rung[3], blk[3], end[3]; bit on[3];    /* on: whether the frame is on the ladder, at that rung */
  byte t, e, h, v, w, l, r, m; bit gone=0, asked=0;
#ifdef HI_KEPT
  byte kept[3];
#endif
#ifdef BELOW
  begin(JOIN,0); end[1]=1;
#else
  begin(RANGE,N1);
#endif
  do
  :: d==0 -> break
  :: d>0 && blk[d]<end[d] ->                              /* an iteration */
       d_step{ if :: is[d]==RANGE -> run_once(d,blk[d]) :: else fi; blk[d]=blk[d]+1 };
       if
#ifdef WITH_JOIN
       :: d==1 -> begin(JOIN,0)
#endif
#ifdef WITH_LOOP
       :: d==1 -> begin(RANGE,N2)
#endif
#ifndef BELOW
       :: true
#else
       :: d==2
#endif
       fi
  :: d>0 && blk[d]==end[d] ->                             /* the next block, or the second branch of a join */
#ifdef HI_EARLY
       d_step{ view(kHi,d,r) };
#endif
#ifdef SPECULATE
       d_step{ view(kHi,d,m) };
#endif
       if
       :: on[d] ->
            t=rung[d];
#ifndef NO_NULL
#ifndef NOFENCE_OWNER
            store(kS,t,NIL);
#endif
#endif
            atomic{ e=E; assert(!(req && raised) || e==MAX);           /* no lost ask */
                    if :: e<=t -> mine[d]=1 :: else fi };
#ifdef NOFENCE_OWNER
            store(kS,t,NIL);
#endif
#ifdef WRITE_EARLY
            d_step{ assert(e<=t || is_free(d)) };
#endif
#ifdef ATTEND_LATE
            if :: e>t && is[d]==JOIN -> attend() :: else fi;
#else
#ifdef SKIP_SPLIT
            if :: e>t && (is[d]==JOIN || e==MAX) -> attend() :: e<=t || (is[d]==RANGE && e!=MAX) fi;
#else
            if :: e>t -> attend() :: else fi;
#endif
#endif
#ifdef SPECULATE
            if :: is[d]==RANGE && e<=t -> r=m :: else -> d_step{ view(kHi,d,r) } fi;
#endif
            on[d]=0
       :: else
#ifdef SPECULATE
            r=m
#endif
       fi;
       if
       :: is[d]==JOIN ->
            d_step{ if :: gone -> assert(count(d,0)==1) :: else -> assert(is_free(d)); run_once(d,0) fi;
                    mine[d]=0; rung[d]=0; blk[d]=0; end[d]=0; is[d]=0; d--; gone=0; t=0; e=0; r=0; m=0 }
       :: is[d]==RANGE ->
            d_step{ assert(is_free(d)); view(kLo,d,l);
#ifdef HI_KEPT
                    if :: e<=t && end[d]>0 -> r=kept[d] :: else -> view(kHi,d,r) fi; kept[d]=r;
#else
#ifndef HI_EARLY
#ifndef SPECULATE
                    view(kHi,d,r);
#endif
#endif
#endif
#ifdef GONE_ENDS
                    if :: gone -> r=l :: else fi;
#endif
                    gone=0; w=0 };
            if
            :: l==r ->                                    /* over */
                 d_step{ q=0; do :: q<(d==1 -> N1 : N2) -> assert(count(d,q)==1); q++ :: else -> break od; q=0;
                         mine[d]=0; rung[d]=0; blk[d]=0; end[d]=0; is[d]=0;
#ifdef HI_KEPT
                         kept[d]=0;
#endif
                         d--; l=0; r=0; m=0; t=0; e=0 }
            :: else ->
                 if :: m=l+1 :: r-l>=2 -> m=l+2 fi;       /* the block: l..m */
                 t=rung[d];
#ifdef LO_LATE
                 if :: m<r -> store(kS,t,d); on[d]=1 :: else fi;
                 atomic{ store(kLo,d,m); mine[d]=!on[d] };
#else
#ifdef BLOCK_SHOWN
                 if :: m<r -> atomic{ store(kS,t,d); on[d]=1; mine[d]=0 } :: else -> store(kLo,d,m) fi;
#else
                 store(kLo,d,m);
#ifdef EMPTY
                 atomic{ store(kS,t,d); on[d]=1; mine[d]=0 };
#else
                 if :: m<r -> atomic{ store(kS,t,d); on[d]=1; mine[d]=0 }   /* something is left */
                    :: else fi;
#endif
#endif
#endif
#ifdef ATTEND_LATE
                 if :: e>t -> attend() :: else fi;
#endif
                 d_step{ blk[d]=l; end[d]=m; l=0; r=0; m=0; t=0; e=0 }
            fi
       fi
  od;
  over==NT;
#ifdef INVARIANT
  d_step{ view(kH,0,h); assert(h==0) }
#endif
}

/* ---- a thief ---- */
inline touch(){ /* the thief reads or writes the frame p (inside a d_step) */
#ifndef SILENT
  /* the frame is not the owner's, and all that the owner has written there is visible */
  assert(is_shown(p)); q=0;
  do :: q<bl -> assert(!(bi[q]==p && (bk[q]==kB || bk[q]==kLo || bk[q]==kHi))); q++ :: else -> break od; q=0;
#endif
  touched[p]=1
}
inline lower(){ /* compare-exchange h+1 -> h */
  atomic{ if :: E==h+1 -> E=h :: else fi }
}
proctype thief(){ byte h, old, p, l, r, m, a=0;
  do
  :: a<NA -> a++;
     atomic{ L==0 -> L=1 };
     h=H;
#ifdef INVARIANT
     d_step{ assert(E==h || E==MAX || (E==h+1 && (touched[1] || touched[2])));
             q=0; do :: q<h -> assert(slots[q]==NIL || kind[slots[q]]==JOIN || lo[slots[q]]==hi[slots[q]]); q++
                     :: else -> break od; q=0 };
#endif
#ifdef FENCE_FIRST
     bl==0;
#endif
     atomic{ old=E; E=(E>h+1->E:h+1) };                   /* E.fetch_max(h+1) */
#ifdef HALF_EARLY
     p=(h<K -> slots[h] : NIL);
     d_step{ if :: p!=NIL -> l=lo[p]; r=hi[p] :: else fi };
#endif
#ifndef NOFENCE
#ifndef FENCE_FIRST
#ifdef FENCE_ONCE
     if :: old!=h+1 -> bl==0 :: else fi;
#else
#ifdef FENCE_UNRAISED
     if :: old<h+1 -> bl==0 :: else fi;
#else
     bl==0;                                               /* the barrier */
#endif
#endif
#endif
#endif
     p=(h<K -> slots[h] : NIL);
     if
     :: p!=NIL ->
          d_step{ touch(); m=kind[p] };
          if
          :: m==JOIN -> d_step{ run_once(p,0) }; H=h+1
          :: m==RANGE ->
#ifdef HALF_EARLY
               d_step{ touch(); assert(l<r); m=l+(r-l)/2 };
#else
               d_step{ touch(); l=lo[p]; r=hi[p]; assert(l<r); m=l+(r-l)/2 };
#endif
#ifdef LOWER_FIRST
               if :: m>l && old<h+1 -> lower() :: else fi;
#endif
#ifdef UNLOCK_FIRST
               if :: m==l -> H=h+1 :: else fi;
               L=0;
#endif
               d_step{ touch(); hi[p]=m; run_all(p,m,r) };
               if
#ifndef H_STAYS
#ifdef H_MOVES
               :: true -> H=h+1
#else
#ifndef UNLOCK_FIRST
               :: m==l -> H=h+1                           /* nothing is left */
#endif
#endif
#endif
#ifdef LOWER_SPLIT
               :: m>l && old<h+1 -> lower()
#endif
               :: else                                    /* H stays; E stays raised */
               fi
          fi
     /* nothing is there; or the claim is refused, and p is not touched */
     :: true ->
#ifdef TOUCH_REFUSED
          d_step{ if :: p!=NIL -> touch() :: else fi };
#endif
#ifdef LOWER_UNTESTED
          lower()
#else
          if :: old<h+1 -> lower() :: else fi
#endif
     fi;
#ifdef UNLOCK_FIRST
     if :: m==0 -> L=0 :: else fi;
#else
     L=0;
#endif
     d_step{ h=0; old=0; p=0; l=0; r=0; m=0 }
  :: else -> break
  od;
  over++
}

/* ---- the asker ---- */
proctype asker(){ byte s=0;
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
    run drain(); run owner();
    do :: i<NT -> run thief(); i++ :: else -> break od; i=0;
    if :: NS>0 -> run asker() :: else fi
  }
}
