/* Giving a frame through a mailbox, and getting it back while nobody has begun it. Mirrors the mailbox
 * (protocol/ask/mailbox.rs), the giver (`attend`, engine/share/victim.rs), the asker (engine/share/thief.rs) and the
 * waiting owner (engine/wait/join_end.rs) under crates/filch/src. The claims to check: every frame runs exactly once,
 * whoever runs it; an asker never touches a frame that has died; every ask that is not withdrawn gets exactly one
 * reply; nobody waits for ever; all mailboxes are empty in the end.
 *
 * Who writes what
 *   mail[a]   EMPTY, PENDING, NOTHING or a frame. Asker a: PENDING before it posts its ask; EMPTY when it collects (a
 *             swap), and when it has withdrawn. The victim that took the ask out of its word: the reply, once. The
 *             owner of a frame: NOTHING in place of its own frame, by compare-exchange. Whoever removes the pointer
 *             runs the frame.
 *   req       the ask word: CLOSED, OPEN or an ask; more in ask.pml.
 *   box, done  of a frame: uninitialised at fork. The giver writes both when it claims the frame, before H moves, and a
 *             taker does (NOBODY: what is taken lies in no mailbox). An asker that has collected the frame runs it and
 *             writes done: its last access. The owner of a frame that was given tries once to get it back, before it
 *             waits.
 *   body      what the frame holds: the owner at fork.
 *   H, E, L   as in ladder.pml. A forced take (by an asker that has withdrawn) is one step here: ladder.pml takes it
 *             apart.
 * The owner comes back to a rung that is gone, closes its word, and waits. It cannot find its frame not yet in the
 * mailbox: it was itself the giver, and had to finish the reply before it could come back, also when it unwound.
 * A frame's address goes with its rung, so the same address is given again and again, also to the same asker. No step
 * compares a pointer from an earlier life: the compare-exchange is the owner's own, for the frame that it waits for.
 * A shelf (protocol/ask/shelf.rs), where a worker leaves frames unasked, follows the same rule: whoever removes the
 * pointer runs the frame, claimed before it was left, and its owner tries once to remove it before it waits. There a
 * lock stands for the swaps, and many frames lie side by side; that none is got twice or lost is loom's business.
 * A giver may unwind between claim and reply, because code of users runs there; a guard completes the reply. From then
 * on it forks nothing, and "runs" reads "drops" where it is the owner. Helping while it waits is left out: chain.pml,
 * parts.pml.
 *
 * Memory: the owner's stores to frames and mailboxes go through a buffer in which a store overtakes every older one at
 * another address, unless it is a release (the reply), and read-modify-writes wait for stores to the same address only:
 * see ladder.pml, -DPSO. The asker's stores are not weakened: that `done` is a release after the result is loom's
 * business.
 *
 * Runs (README.md says how to read them):
 *   @mutants NA=1
 *   @ok
 *
 * Mutants, each with what it breaks (each must fail):
 *   FLAG            the owner reclaims by a flag in the frame: the pointer stays behind, the asker looks into a dead
 *                   frame
 *   PLAIN_RECLAIM   the owner reclaims by load and store: the asker has swapped the pointer out between, both run the
 *                   frame
 *   ASSUME          the owner reclaims what has not begun without looking into the mailbox: the asker has collected it
 *   LOAD_STORE      the asker collects by load and store: the owner has reclaimed between, both run the frame
 *   TOUCH_DONE      the asker touches the frame after `done`
 *   REPLY_FIRST     the reply is stored before the claim is written: it wipes out what the asker has written
 *   REPLY_LOCKLESS  the reply is stored before H moves, and L not held: a taker takes the same frame
 *   REPLY_RELAXED   the reply is no release: the asker sees the pointer before the claim
 *   KEEP_DONE       the claim leaves `done` as it was: the owner takes what its predecessor at this address left for
 *                   the result
 *   TAKE_LATE       a taker writes box and done after it has unlocked: the same
 *   NO_COLLECT      an asker whose withdrawal fails goes on without collecting
 *   UNWIND_SILENT   a giver that unwinds sends no reply: the asker waits for ever, and so does the owner for its frame
 *   UNWIND_NOTHING  a giver that unwinds replies NOTHING: nobody has the frame that it claimed
 *   UNWIND_TWICE    the guard is still armed when the reply has been sent */
#ifndef NF
#define NF 3         /* frames forked in total */
#endif
#ifndef NA
#define NA 2         /* askers */
#endif
#define K  2         /* rungs */
#define NB 5         /* store buffer capacity */
#define EMPTY   0    /* mail: a frame is 1 to K */
#define PENDING 8
#define NOTHING 9
#define CLOSED  8    /* req: an ask is 0 to NA-1 */
#define OPEN    9
#define MAX     9
#define NOBODY  0    /* box: asker a's is a+1 */

byte mail[NA]=EMPTY; byte req=CLOSED;
byte box[K+1]=NOBODY, body[K+1]=0; bit done[K+1]=0;              /* by address */
byte top=0, H=0, E=0; bit L=0, over=0;
#ifdef FLAG
bit back[K+1]=0;
#endif
/* ghost */
byte lives[K+1]=0;          /* number of the frame that lives at this address, 0: none */
byte sent[NA]=0;            /* number of the frame in the mailbox */
bit  owed[NA]=0;            /* asked, not yet answered */
byte ran[NF+1]=0;

/* ---- the owner's store buffer: as in ladder.pml ---- */
#define kM 1   /* mail: release */
#define kX 2   /* box */
#define kD 4   /* done */
#define kB 5   /* body */
byte bk[NB]; byte bi[NB]; byte bv[NB]; byte bl=0;
inline store(k,i,v){ d_step{ bl<NB -> bk[bl]=k; bi[bl]=i; bv[bl]=v; bl++ } }
inline commit(c){
  if :: bk[c]==kM -> assert(mail[bi[c]]==PENDING); mail[bi[c]]=bv[c];
          if :: bv[c]!=NOTHING -> sent[bi[c]]=lives[bv[c]] :: else fi
     :: bk[c]==kX -> box[bi[c]]=bv[c] :: bk[c]==kD -> done[bi[c]]=bv[c]
     :: bk[c]==kB -> body[bi[c]]=bv[c] fi;
  q=c;
  do :: q+1<bl -> bk[q]=bk[q+1]; bi[q]=bi[q+1]; bv[q]=bv[q+1]; q++ :: else -> break od;
  bl--; bk[bl]=0; bi[bl]=0; bv[bl]=0; q=0
}
#ifdef REPLY_RELAXED
#define release(c)  (false)
#else
#define release(c)  (bk[c]==kM)
#endif
#define passes(o,c) (!(bk[o]==bk[c] && bi[o]==bi[c]) && !release(c))
proctype drain(){ byte q;
end_drain:
  do
  :: d_step{ bl>0 -> commit(0) }
  :: d_step{ bl>1 && passes(0,1) -> commit(1) }
  :: d_step{ bl>2 && passes(0,2) && passes(1,2) -> commit(2) }
  :: d_step{ bl>3 && passes(0,3) && passes(1,3) && passes(2,3) -> commit(3) }
  :: d_step{ bl>4 && passes(0,4) && passes(1,4) && passes(2,4) && passes(3,4) -> commit(4) }
  od
}
#define has(j,k,i)  (bl>j && bk[j]==k && bi[j]==i)
#define own(j,k,i,rest) (has(j,k,i) -> bv[j] : rest)
/* what the owner itself reads: its youngest store, else memory */
#define view(k,i,memory) own(4,k,i,own(3,k,i,own(2,k,i,own(1,k,i,own(0,k,i,memory)))))
#define settled(k,i) (!has(0,k,i) && !has(1,k,i) && !has(2,k,i) && !has(3,k,i) && !has(4,k,i))

inline runs(n){ d_step{ assert(n>0); assert(ran[n]==0); ran[n]=ran[n]+1 } }

/* ---- the owner ---- */
inline reply(to,what){ d_step{ assert(owed[to]); owed[to]=0 }; store(kM,to,what) }
inline claim(){ store(kX,f,w+1);
#ifndef KEEP_DONE
  store(kD,f,0)
#endif
}
inline attend(){ /* rung t, already popped; sets gone */
  atomic{ L==0 -> L=1 };
  gone=(H>t); if :: gone -> H=t :: else fi;
  E=H;
  atomic{ w=req; req=OPEN };                              /* swap: first out of the word, then answer */
  if
  :: w==OPEN || w==CLOSED -> L=0
  :: else ->
       if
       :: H<t -> f=H+1;
#ifdef REPLY_FIRST
            reply(w,f); claim();
#else
#ifdef REPLY_LOCKLESS
            claim(); L=0; reply(w,f); atomic{ L==0 -> L=1 };
#else
            claim();
#endif
#endif
            H++; E=(E>H->E:H);
            L=0;
#if !defined(REPLY_FIRST) && !defined(REPLY_LOCKLESS)
            if
            :: reply(w,f)
            :: unwinds=1;                                 /* the guard */
#ifdef UNWIND_NOTHING
               reply(w,NOTHING)
#else
#ifdef UNWIND_TWICE
               reply(w,f); reply(w,f)
#else
#ifndef UNWIND_SILENT
               reply(w,f)
#endif
#endif
#endif
            fi;
#endif
            f=0
       :: else -> L=0; reply(w,NOTHING)
       fi
  fi; w=0
}
inline wait(){ /* for the frame at address f, number[t] */
  atomic{ w=req; req=CLOSED };
  if :: w!=OPEN && w!=CLOSED -> reply(w,NOTHING) :: else fi;
  if
  :: view(kX,f,box[f])!=NOBODY ->
#ifdef FLAG
       if :: view(kD,f,done[f])==0 -> back[f]=1; won=1 :: else fi
#else
#ifdef ASSUME
       if :: view(kD,f,done[f])==0 -> won=1 :: else fi
#else
       w=view(kX,f,box[f])-1;
#ifdef PLAIN_RECLAIM
       if :: view(kM,w,mail[w])==f -> atomic{ settled(kM,w) -> mail[w]=NOTHING; won=1 } :: else fi
#else
       atomic{ settled(kM,w) -> if :: mail[w]==f -> mail[w]=NOTHING; won=1 :: else fi }       /* compare-exchange */
#endif
#endif
#endif
  :: else
  fi;
  if :: !won -> view(kD,f,done[f])!=0; assert(ran[number[t]]==1) :: else fi;
  if :: won -> runs(number[t]); won=0 :: else fi;         /* its own again */
  req=OPEN;                                               /* nobody writes a CLOSED word */
  w=0
}
proctype owner(){
  byte n=0, number[K], t, f, w; bit e, gone=0, won=0, unwinds=0;
  do
  :: n<NF && top<K && !unwinds ->                         /* fork */
       d_step{ n++; number[top]=n; lives[top+1]=n };
#ifdef FLAG
       back[top+1]=0;
#endif
       store(kB,top+1,n);
       top++
  :: top>0 ->                                             /* return */
       atomic{ t=top-1; top=t; e=(E>t) };
       if :: e -> attend() :: else fi;
       if
       :: gone -> gone=0; f=t+1; wait(); f=0
       :: else -> runs(number[t])
       fi;
       d_step{ lives[t+1]=0; number[t]=0; t=0; e=0 }
  :: top==0 && (n==NF || unwinds) -> break
  od;
  atomic{ w=req; req=CLOSED };
  if :: w!=OPEN && w!=CLOSED -> reply(w,NOTHING) :: else fi;
  over=1;
  d_step{ t=1; do :: t<=n -> assert(ran[t]==1); t++ :: else -> break od }
}

/* ---- an asker ---- */
inline touch(){ assert(s>0 && lives[v]==s) }
proctype asker(byte me){ byte v=0, s=0; bit won=0;
  do
  :: over -> break
  :: req==OPEN && !over ->
       mail[me]=PENDING;
       atomic{ if :: req==OPEN -> req=me; owed[me]=1; won=1 :: else fi };
       if :: !won -> mail[me]=EMPTY; goto next :: else -> won=0 fi;
       E=MAX;                                             /* fetch_max */
       if
       :: mail[me]!=PENDING
       :: atomic{ if :: req==me -> req=OPEN; owed[me]=0; won=1 :: else fi };      /* patience has run out: withdraw */
            if
            :: won -> won=0; mail[me]=EMPTY;
                 atomic{ if :: L==0 && bl==0 && top>H -> v=H+1; s=lives[v]; H=v; E=(E>H->E:H);
#ifndef TAKE_LATE
                                box[v]=NOBODY; done[v]=0
#endif
                            :: else -> goto next fi };    /* take */
#ifdef TAKE_LATE
                 box[v]=NOBODY; done[v]=0;
#endif
                 goto begun
            :: else ->
#ifdef NO_COLLECT
                 goto next
#else
                 mail[me]!=PENDING                        /* the reply is on its way */
#endif
            fi
       fi;
#ifdef LOAD_STORE
       d_step{ v=mail[me]; s=sent[me]; }; mail[me]=EMPTY;
#else
       d_step{ v=mail[me]; s=sent[me]; mail[me]=EMPTY };  /* collect: a swap */
#endif
       sent[me]=0;
       if :: v==NOTHING -> goto next :: else fi;
#ifdef FLAG
       touch(); if :: back[v] -> goto next :: else fi;
#endif
begun: touch(); assert(body[v]==s); runs(s);
       touch(); done[v]=1;
#ifdef TOUCH_DONE
       touch();
#endif
next:  v=0; s=0
  od;
  assert(mail[me]==EMPTY && !owed[me])
}

init{ byte i=0;
  atomic{ req=OPEN; run drain(); run owner(); do :: i<NA -> run asker(i); i++ :: else -> break od }
}
