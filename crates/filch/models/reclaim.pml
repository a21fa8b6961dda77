/* Mailboxes: how a frame is given, and how its owner takes it back while no worker has begun it.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/ask/mailbox.rs     `Mailbox::expect_reply`, `expect_nothing`, `put`, `refuse`, `get`, `reclaim`
 *   protocol/ladder/attend.rs   `attend`
 *   engine/share/at_return.rs   `settle`; engine/team/latent.rs: `accept`, `give`, `send`: the giver
 *   engine/share/thief.rs       `Thief::ask`, `take`: the asker
 *   engine/wait/join_end.rs     `wait`: the owner that waits
 *   engine/frame/mod.rs             `Claim::new`, `Claim::place`, `set_claim`
 *
 * One owner forks NF frames in all on K rungs, and NA askers ask it. An owner that returns to a rung whose frame is
 * gone closes its word, tries once to take the frame back, and waits. (In the sources it closes its word after that
 * try.) At that time the frame is in the mailbox, or a worker has removed it from there. It cannot be on its way to the
 * mailbox: the owner was itself the giver, and had sent the reply before it returned.
 *
 * The address of a frame belongs to its rung, so the same address is given again and again, also to the same asker. No
 * step compares a pointer that was read in the life of an earlier frame: the compare-exchange is the owner's own, for
 * the frame that it waits for.
 *
 * A giver of the model may unwind between the claim and the reply. A guard then sends the reply, and the owner forks
 * nothing more ("runs" stands for "drops" then). In the sources no user code runs there, and unwinding aborts the
 * process.
 *
 * A shelf (protocol/task_pool/shelf.rs), on which a worker leaves frames without being asked, has the same rule: the
 * worker that removes the pointer runs the frame. The frame is claimed before it is left, and its owner tries once to
 * remove it before it waits. A lock stands for the exchanges there, and many frames lie side by side. Loom checks that
 * none is lost or removed twice.
 *
 * Not modelled: helping while the owner waits (chain.pml, parts.pml); the steps of a take, by an asker that has
 * withdrawn, which is one step here (ladder.pml).
 *
 * Who writes what:
 *   mail[a]     EMPTY, PENDING, NOTHING or a frame. Asker a: PENDING before it posts its ask, and EMPTY when it
 *               collects (a compare-exchange in the sources, one step here) or has withdrawn. The victim that has taken
 *               the ask out of its word: the reply, once. The owner of a frame: NOTHING in place of its own frame, by
 *               compare-exchange. The worker that removes the pointer runs the frame.
 *   req         the ask word: CLOSED, OPEN or an ask (ask.pml)
 *   box, done   of a frame: uninitialised at the fork. `box` is the mailbox in which the frame may lie, or NOBODY for a
 *               frame that was taken (`Claim::place`). The giver or taker writes both when it claims the frame, before
 *               H moves. The asker that has collected the frame runs it and writes done, which is its last access.
 *   body        the content of a frame: the owner, at the fork
 *   H, E, L     as in ladder.pml
 *
 * Memory: the stores of the owner to frames and mailboxes go through a buffer. A store overtakes every older one at
 * another address, unless it is a release (the reply). A read-modify-write waits only for stores to the same address
 * (ladder.pml, PSO). The stores of the askers are not weakened. Loom checks that `done` is a release after the result.
 *
 * Properties:
 *   - Every frame runs exactly once.
 *   - An asker never touches a frame that has ended.
 *   - Every ask that is not withdrawn gets exactly one reply.
 *   - No worker waits for ever (deadlock).
 *   - At the end all mailboxes are empty.
 *
 * Runs (README.md describes the syntax):
 *   @mutants NA=1
 *   @ok
 *
 * Mutants, each of which must fail:
 *   FLAG             the owner takes a frame back by a flag in the frame, so the pointer stays in the mailbox, and the
 *                    asker looks into a frame that has ended
 *   PLAIN_RECLAIM    the owner takes a frame back by a load and a store, so the asker may collect the frame in between,
 *                    and both run it
 *   ASSUME           the owner takes back a frame that is not done without a look into the mailbox, although the asker
 *                    may have collected it
 *   LOAD_STORE       the asker collects by a load and a store, so the owner may take the frame back in between, and
 *                    both run it
 *   TOUCH_DONE       the asker touches the frame after `done`
 *   REPLY_FIRST      the giver replies before it writes the claim, so it overwrites what the asker has written
 *   REPLY_LOCKLESS   the giver replies before H moves, and without L, so a taker takes the same frame
 *   REPLY_RELAXED    the reply is not a release, so the asker sees the pointer before the claim
 *   KEEP_DONE        the claim does not write `done`, so the owner finds the `done` of an earlier frame at this address
 *   TAKE_LATE        a taker writes box and done after the unlock, with the same result
 *   NO_COLLECT       an asker whose withdrawal fails goes on and does not collect the reply
 *   UNWIND_SILENT    a giver that unwinds sends no reply, so the asker waits for ever, and the owner for its frame
 *   UNWIND_NOTHING   a giver that unwinds replies NOTHING, so no worker has the frame that was claimed
 *   UNWIND_TWICE     the guard sends a second reply after the first has been sent */
#ifndef NF
#define NF 3         /* frames forked in total */
#endif
#ifndef NA
#define NA 2         /* askers */
#endif
#define K  2         /* rungs */
#define NB 5         /* capacity of the store buffer */
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
/* ghost variables */
byte lives[K+1]=0;          /* the number of the frame that lives at this address, or 0 */
byte sent[NA]=0;            /* the number of the frame in the mailbox */
bit  owed[NA]=0;            /* has asked and has no answer yet */
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
/* what the owner reads: its youngest store, or else memory */
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
inline attend(){ /* rung t has been popped; sets gone */
  atomic{ L==0 -> L=1 };
  gone=(H>t); if :: gone -> H=t :: else fi;
  E=H;
  atomic{ w=req; req=OPEN };                              /* a swap: the ask leaves the word before it is answered */
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
inline wait(){ /* waits for the frame at address f, number[t] */
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
  if :: won -> runs(number[t]); won=0 :: else fi;         /* the frame is the owner's again */
  req=OPEN;                                               /* a store: no other worker writes a CLOSED word */
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
       :: atomic{ if :: req==me -> req=OPEN; owed[me]=0; won=1 :: else fi };      /* the patience is over: withdraws */
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
       d_step{ v=mail[me]; s=sent[me]; mail[me]=EMPTY };  /* collects, in one step */
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
