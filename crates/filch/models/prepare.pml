/* Preparing: a construct runs code of its own, outside of L, before a part of its frame leaves the ladder.
 *
 * Mirrors, below crates/filch/src:
 *   engine/share/prepare.rs            `comes_first`, `own`
 *   engine/frame/ready.rs          `Ready::allows`, `Ready::refuses`, `order`, `take_order`
 *   engine/share/at_return.rs    `attend_parts`, `fill_order`, `settle`, `settle_once`
 *   engine/team/latent.rs        `Latent::accept`
 *   engine/share/thief.rs        `Thief::take`
 *   protocol/ladder/take.rs      `take`, of which `Verdict::Passes`
 *   protocol/ladder/attend.rs    `attend`
 *   constructs/search/run.rs     `run_shared`, `attend`
 *
 * The owner forks frames of two kinds. A plain one may leave at any time, as a whole. One of the other kind stays with
 * its owner while parts leave. Before a part leaves, its construct copies the one workspace for the worker that gets
 * it. Forks and returns change the workspace, and so does the construct itself, which looks at E from time to time. In
 * between, it may be in the middle of something, and refuse. The code that copies may fork itself. One worker asks, and
 * may withdraw its ask; another one takes, also what the code that copies forks.
 *
 * Not modelled: the ladder itself (ladder.pml), so a take is one step; the mailbox and the shelf (reclaim.pml).
 * Everything is sequentially consistent.
 *
 * Who writes what:
 *   kind[f], copy[f]  of the frame on rung f-1: its kind, at the fork; the copy, by the code that prepares
 *   now               the state of the workspace: the owner, at each fork, each return and each look
 *   req               the ask word: CLOSED, OPEN or ASKED
 *   ordered           the thief, under L; the owner clears it
 *   H, E, L           as in ladder.pml
 *
 * Properties:
 *   - Code that prepares does not run under L, not while the construct is in the middle of something, and not while H
 *     is above the top. What it forks is gone for its owner exactly if the thief has it.
 *   - A part leaves with a copy of the workspace as it is at that moment, and only if a worker has asked or ordered.
 *   - If an ask waits for a preparation, the next return or look sees it. It does not wait for a frame that could not
 *     be prepared. If a thief has left an order, the next look of
 *     the frame that it has passed sees it.
 *   - Every ask that is not withdrawn gets one reply, and no plain frame leaves twice.
 *   - A frame that has been passed by is on the ladder again when its construct has looked.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok | NF=2 NL=4
 *
 * Mutants, each of which must fail:
 *   EARLY           the owner prepares before it has brought H back
 *   UNDER_LOCK      the owner prepares the oldest frame after it has locked L
 *   UNPREPARED      the owner gives from the oldest frame although another one has been prepared
 *   STALE           a preparation counts at later returns, too
 *   TAKEN           a thief takes from a frame that must be prepared
 *   FORGOTTEN       the owner leaves an ask in its word and does not raise E again
 *   NESTED          code that prepares forks, and the return of that fork gives from the frame that is being prepared
 *   UNREFUSED       a frame is prepared although its construct is in the middle of something
 *   SILENT          a thief leaves an order and does not move H, and lowers E again
 *   STUCK           the owner does not pass by a frame that could not be prepared */
#ifndef NF
#define NF 3         /* frames forked in total */
#endif
#define K 2          /* rungs for the program */
#define CLOSED 0
#define OPEN   1
#define ASKED  2
#define MAX    9
#define MOST   12
#ifndef NL
#define NL 2         /* looks in total */
#endif

byte H=0, E=0, top=0, now=1; bit L=0, over=0;
byte req=CLOSED;
bit kind[K+2]=0;     /* 1: must be prepared, and stays with its owner */
byte copy[K+2]=0;
bit busy[K+2]=0;     /* its construct is in the middle of something */
bit passed[K+2]=0;   /* a thief has left an order and passed it by */
bit raised=0;        /* the asker has raised E for its ask */
bit owed=0;          /* asked, not yet answered */
bit there[K+2]=0;    /* on the ladder, and has not left */
bit ordered=0;
byte waits=0;        /* returns and looks in a row that an ask has come too late for */
byte holder=0;       /* 1: the owner has L */
byte inner=0;        /* the rung, plus 1, of a frame that code that prepares has forked; else 0 */
bit inner_taken=0;   /* the thief has it */

/* The frame `f`, or a part of it, leaves for a worker that has asked or ordered, or for a thief. */
inline leaves(f,wanted){ d_step{ assert(there[f]);
  if :: kind[f] -> assert(wanted && copy[f]==now) :: else -> there[f]=0 fi } }

inline raise(){ E=MAX }

/* The owner under L. `r` is the rung that it has popped; `p` is the frame that was there if that stays with its owner
 * and may give, else 0. `ready` is the prepared frame, `refused` the one that could not be prepared, or 0. */
inline accept(r,p){
  gone=(H>r); if :: gone -> H=r :: else fi;
  E=H;
#ifdef UNDER_LOCK
  if :: req==ASKED && H<r && kind[H+1] -> assert(!L); copy[H+1]=now :: else fi;
#endif
  if :: H<r -> o=H+1 :: else -> o=p fi;
  if
#ifndef STUCK
  :: H<r && refused==o -> H++; raise()
  :: else ->
#else
  :: true ->
#endif
     if
#ifndef UNPREPARED
     :: o && kind[o] && ready!=o && !(o==p && refused==o) ->
          if
          :: req==ASKED -> waits++; assert(waits<=K+2); assert(!(H<r && refused==o));
#ifndef FORGOTTEN
               raise()
#else
               skip
#endif
          :: else
          fi
     :: else ->
#else
     :: true ->
#endif
          if
          :: atomic{ req==ASKED -> req=OPEN; raised=0; assert(owed); owed=0; waits=0 };
               if
               :: o && !(refused==o) -> leaves(o,1); if :: !kind[o] -> H++; E=(E>H->E:H) :: else fi
               :: else
               fi
          :: else
          fi
     fi
  fi;
  assert(req!=ASKED || !raised || E==MAX);
  o=0
}

/* Outside of L: prepares the frame `h`. Sets ready or refused. */
inline prepare(r,p){
  if
#ifndef UNREFUSED
  :: busy[h] -> refused=h
  :: !busy[h] ->
#else
  :: true ->
#endif
       assert(!busy[h]); assert(!L || holder!=1);
#ifndef EARLY
       assert(H<=r);
#endif
       if
       :: copy[h]=now
       :: /* this code forks on rung r, and returns */
          d_step{ inner=r+1; inner_taken=0; top=r+1 };
          d_step{ if :: !inner_taken -> inner=0 :: else fi; top=r; e=(E>r) };
          if
          :: e -> atomic{ L==0 -> L=1; holder=1 };
#ifdef NESTED
               ready=h; accept(r,p); ready=0;
#else
               accept(r,0);
#endif
               L=0; holder=0; assert(gone==inner_taken)
          :: else -> assert(!inner_taken)
          fi;
          d_step{ inner=0; inner_taken=0; gone=0; e=0 };
          copy[h]=now
       fi;
       ready=h
  fi
}

/* A pop of rung `r` has found E raised. Brings H back and answers, or prepares what is wanted and answers then. */
inline settle(r,p){
#ifndef STALE
  ready=0;
#endif
  refused=0;
#ifdef EARLY
  if
  :: req==ASKED ->
       if :: H<r -> h=H+1 :: else -> h=p fi;
       if :: h && kind[h] -> prepare(r,p) :: else fi; h=0
  :: else
  fi;
#endif
  atomic{ L==0 -> L=1; holder=1 };
  if
#ifndef UNDER_LOCK
  :: req==ASKED && !ready && !refused && (H<r -> kind[H+1] : (p && kind[p])) ->
       was=(H>r); if :: was -> H=r :: else fi;
       E=H;
       h=(H<r -> H+1 : p);
       L=0; holder=0;
       prepare(r,p); h=0;
       atomic{ L==0 -> L=1; holder=1 };
       accept(r,p);
       gone=was; was=0
  :: else -> accept(r,p)
#else
  :: true -> accept(r,p)
#endif
  fi;
  L=0; holder=0
}

proctype owner(){
  byte n=0, looks=0, t, h=0, o=0, ready=0, refused=0; bit gone=0, was=0, e=0;
  do
  :: n<NF && top<K ->                                     /* fork */
       d_step{ n++; there[top+1]=1; copy[top+1]=0; passed[top+1]=0; busy[top+1]=0;
         if :: top>0 && kind[top] -> busy[top]=1 :: else fi;   /* code of the construct below forks */
         if :: now<MOST -> now++ :: else fi };
       if :: kind[top+1]=1 :: kind[top+1]=0 fi;
       top++
  :: top>0 && kind[top] && looks<NL ->                    /* a look */
       atomic{ looks++; t=top-1; busy[top]=0; now++; e=(E>t); assert(!passed[top] || e) };
       if
       :: e -> top=t; settle(t,t+1);
            gone=0; assert(H<=t); passed[t+1]=0;
            if :: ordered -> ordered=0; copy[t+1]=now; leaves(t+1,1) :: else fi;
            top=t+1
       :: else
       fi; t=0; e=0
  :: top>0 ->                                             /* return */
       atomic{ t=top-1; top=t; e=(E>t); if :: now<MOST -> now++ :: else fi };
       if
       :: e -> settle(t,0)
       :: else
       fi;
       if :: gone && !kind[t+1] -> assert(!there[t+1]); gone=0
          :: else -> assert(there[t+1]); there[t+1]=0; gone=0 fi;
       d_step{ kind[t+1]=0; passed[t+1]=0; t=0; e=0 }
  :: top==0 && n==NF -> break
  od;
  assert(H==0);
  atomic{ if :: req==ASKED -> assert(owed); owed=0 :: else fi; req=CLOSED; raised=0; over=1 }
}
proctype asker(){
  do
  :: over -> break
  :: atomic{ req==OPEN && !owed -> req=ASKED; owed=1 };
       atomic{ if :: req==ASKED -> raised=1 :: else fi; E=MAX };
       if
       :: !owed
       :: atomic{ req==ASKED -> req=OPEN; raised=0; owed=0; waits=0 }  /* withdrawn: what has been prepared may stay */
       fi
  od
}
proctype thief(){ byte h, b;
  do
  :: over -> break
  :: atomic{ L==0 && top>H -> h=H+1;                      /* raises E, the barrier, and reads the slot */
       b=E;
       if
       :: inner==h -> inner_taken=1; H=h; E=(E>H->E:H)
#ifdef TAKEN
       :: inner!=h && there[h] -> leaves(h,0); H=h; E=(E>H->E:H)
#else
       :: inner!=h && there[h] && !kind[h] -> leaves(h,0); H=h; E=(E>H->E:H)
       :: inner!=h && there[h] && kind[h] -> ordered=1; passed[h]=1;
#ifndef SILENT
            H=h; E=(E>H->E:H)
#endif
#endif
       :: else
       fi;
       h=0; b=0 }
  od
}
init{ atomic{ req=OPEN; run owner(); run asker(); run thief() } }
