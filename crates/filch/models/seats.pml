/* Seats and crossings: who may work for a team when threads enter one team from within another. Mirrors enter, leave
 * (crates/filch/src/protocol/seats and engine/seat/enter.rs) and lend, give back (engine/seat/loans.rs, waiters.rs).
 *
 * A team has n seats (cells). A thread has a stack of seats, possibly of several teams, and works for the team of the
 * topmost. It enters a team anew by (a) a seat of it that it already has and has not lent, (b) a free cell, (c) a
 * request in the team's queue.
 * Who leaves frees the cell, or hands it to the oldest request. A request by a thread with seats elsewhere is a
 * *crossing*: it is in a registry besides, and may be lent a seat by a thread that is blocked. Let `waits for` lead
 *     from a thread at a join to the thread that runs the task, unless that is done;
 *     from a thread with a request that is not granted to all others who have a seat of that team, lent or not;
 *     from a thread that awaits a seat's return to the one it has lent it to.
 * A blocked thread, of any of the three kinds, lends a seat to a crossing that it waits for, over any number of steps;
 * at a join not the one that it waits with, the topmost of the task's team. (That is its latest as a rule. A join can
 * be carried into a run of another team, by a wrapper that claims to be Send: then the latest is lent like the others.)
 * It may go on before the seat is back, and then awaits it where it returns to it, also from such a join. Who helps at
 * a join does so with the seat that it waits with, and returns to that from whatever the task enters. Where only joins
 * lie in between (the crossing ends the *chain of joins* from the lender), the request stems from the task that the
 * lender waits for. A lender that wants a seat of that team again makes a crossing of its own; if its seat comes back
 * first, that answers it. A borrowed seat is lent like an own one. With -DUNSEATED=n, n threads that wait for a seat go
 * on without one, at whatever moment (but no sooner than they have queued): they take their request back, and have one
 * more place in that team, of their own, which they may lend as if it were a seat, and nobody gets when they leave it.
 * Here loans are looked for, by all blocked threads and for every crossing in the registry, whenever a thread becomes
 * blocked (at a join: only if the registry is not empty) and whenever one gives a seat back. In the code each blocked
 * thread looks for itself, when it is called at these moments and every few milliseconds.
 *
 * Properties: no more threads work for a team than it has seats and unseated places; no deadlock while user code (W)
 * does not wait for ever; a seat lent along a chain of joins is back when the join is over; at the end all cells are
 * free, queues and registry empty.
 *
 * Who writes what
 *   cell      FREE -> TAKEN by compare-exchange: anyone; TAKEN -> FREE: who has it, or under qlock when handed over.
 *   waiting   incremented by who is about to queue, before it takes qlock; decremented under qlock. Read without.
 *   q         the queue: under qlock. A request leaves it granted (handed over or lent) or withdrawn by its own thread.
 *             In the registry it stays a little longer: who lends looks whether it is still queued.
 *   granted   under qlock by who has removed the request; then the requester alone.
 *   sp, s_*   the stack of seats: its own thread. Others read that of a blocked thread, under glock.
 *   lent      set under glock while the lender is blocked, cleared under glock by who borrowed it.
 *   st        what the thread is blocked at. Set by itself (a request: under glock; a join: in the open, then `nreg` is
 *             looked at), reset by itself under glock: nobody is lent from once it goes on.
 *   reg,nreg  the registry: under glock; nreg also read without.
 * Locks: qlock inside glock. The search for a lender and the loan are one step here: in the code they are under both
 * locks, and the chain must be confirmed from its end (the request is still queued) up to its beginning (no task of it
 * is done). That a pool thread wakes when there is a task and a seat is sentinel.pml's business. Memory is sequentially
 * consistent: `waiting` against cells, and `st` against `nreg`, are store-then-load pairs and have to be in the code.
 *
 * Scenarios; X{..} is X.run, a and b are the callers, p and q their tasks, `n=` seats other than one
 *   OUT     three callers, A n=2 and its pool thread
 *   CYCLE   a: A{B{}}     b: B{A{}}      c: A{}
 *   CYCLE3  a: A{B{A{}}}  b: B{A{B{}}}   c: A{}
 *   TWO     a: A{B{A{}}}  b: B{A{}}      c: B{}, B n=2: a has lent its seat of A, gets one of B from c, and wants A
 *           again
 *   LATE    a: A{B{}}     b: B{A{}}      c: B{}, B n=2: as TWO, but a comes back to A
 *   TASK    a: A{B{fork p; p begun elsewhere; join p}}  p: A{}  c: A{} A{}, B n=2
 *   CHAIN   as TASK, but p: fork q; q begun elsewhere; join q   q: A{}, B n=3
 *   HELP    as TASK, but p: A{B{fork q; join q}}  q: A{}: a helps with q, while its seat is lent
 *   SWAP    a: A{B{fork p; p begun; join p}} p: C{}   b: C{D{fork q; q begun; join q}} q: A{}, B and D n=2
 *   STALE   as TASK, but p: -   b: p begun; B{fork q; q begun elsewhere; join q}  q: A{}, B n=3: one pool thread runs
 *           p, then q
 *   MIX     a: A{B{fork p; p begun; join p}} p: C{}   b: C{A{}}, B n=2
 *   BORROW  a: A{B{}}  b: B{A{C{}}}  c: D{C{A{}}}  d: C{D{}}
 *   SMUGGLE a: A{fork p; p begun; B{join p}}  p: B{}  c: B{}, A n=2
 *   SMUGGLE_LATE  as SMUGGLE, but p: C{}  b: C{B{}}  c: C{}, C n=2: p gets its seat from c while b has borrowed a's of
 *                 B
 *   SMUGGLE_HELP  as SMUGGLE, but p: fork q; B{join q}  q: C{}  c: -: a helps with q while its seat of B is lent
 * No mutant needs MIX; BORROW takes 90 s for 13 million states, and is `ok`.
 *
 * Runs (README.md says how to read them):
 *   @without MIX BORROW
 *   @ok OUT | CYCLE | CYCLE3 | TWO | LATE | TASK | CHAIN | HELP | STALE | SWAP | SMUGGLE | SMUGGLE_LATE | SMUGGLE_HELP
 *   @ok OUT UNSEATED=2 | CYCLE UNSEATED=2 | CYCLE3 UNSEATED=2 | TWO UNSEATED=2
 *   @ok TASK UNSEATED=2 | SWAP UNSEATED=2 | SMUGGLE UNSEATED=2 | SMUGGLE_HELP UNSEATED=2
 *
 * Mutants, each with what it breaks and where (each must fail):
 *   NO_SECOND_LOOK   (OUT) no look at the cells after queueing: a seat becomes free in between, and nobody is told
 *   NO_LOOK_AFTER    (OUT) leave frees the cell without looking at `waiting` again: the same, from the other side
 *   HAND_AND_FREE    (OUT) a cell that is handed over is freed as well: two threads in one seat
 *   RETAKE_BLIND     (OUT) after freeing, the cell is handed over without being retaken: a newcomer has it already
 *   JOIN_KEEPS       (TASK) a thread at a join lends nothing: deadlock
 *   REQUEST_KEEPS    (CYCLE) a thread with a request or awaiting a return lends nothing: deadlock
 *   CHAIN_SHORT      (CHAIN) a thread at a join is not followed beyond the one that runs its task: deadlock
 *   JOINS_ONLY       (SWAP) a thread at a join lends along chains of joins only: two of them wait crosswise for each
 *                    other's seat
 *   OWN_ONLY         (HELP) a borrowed seat is not lent: two borrowers wait for each other's
 *   JOIN_NO_LOOK     (TASK) a thread that comes to a join does not look at the registry: the request was there first
 *   LEND_ANYONE      (TASK) a thread at a join lends to any request: the seat is out when the join is over
 *   STALE_JOIN       (STALE) the chain goes through a task that is done: its thread's next request is taken for the
 *                    task's
 *   NO_AWAIT         (LATE) the lender goes on without its seat: one thread too many
 *   REENTER_LENT     (TWO) a run nested in the lender uses the seat that is lent: the same
 *   NO_OWN_BACK      (TWO) who has lent its seat of A and queues for A again is not let in when its own is given back
 *   RETURN_TO_QUEUE  (TWO) a borrowed seat goes to the team's queue, or free: the lender waits for ever
 *   LATEST_EXEMPT    (SMUGGLE) a thread at a join keeps its latest seat, whichever it waits with: deadlock
 *   JOIN_NO_AWAIT    (SMUGGLE_LATE) a thread goes on from a join with a seat that is lent: one too many
 *   HELP_LATEST      (SMUGGLE_HELP) who helps awaits its latest seat before it goes on with the task: whoever has that
 *                    waits for the task
 * and of UNSEATED
 *   CANCEL_BLIND     (OUT, UNSEATED=2) the request stays in the queue: a seat is granted to nobody
 *   CANCEL_UNLOCKED  (OUT, UNSEATED=2) it is taken back by who has seen, without qlock, that it was not granted: the
 *                    same
 *   LOAN_BLIND       (CYCLE, UNSEATED=2) a request is lent to that is in the registry, queued or not: the same
 *   UNSEATED_FREES   (OUT, UNSEATED=2) who leaves it hands on or frees a cell: the same */
#define FREE 0
#define TAKEN 1
#define MAXC 3       /* cells of a team, at most */
#define D    5       /* depth of a stack of seats */
/* teams */
#define A 0
#define B 1
#define C 2
#define DD 3
/* what a program is made of */
#define ENTER(t) (16+(t))
#define LEAVE    32
#define FORK(x)  (48+(x))
#define BEGUN(x) (64+(x))      /* user code waits until another thread has begun x */
#define JOIN(x)  (80+(x))
#define END      0
#define LEN      12
/* NC callers (threads 0..), NP pool threads (then) */
#ifdef OUT
#define NC 3
#define NP 1
#define LOOKS 1
#define NTM 1
#endif
#if defined(CYCLE) || defined(CYCLE3) || defined(TWO) || defined(LATE)
#define NC 3
#define NP 0
#define NTM 2
#endif
#if defined(TASK) || defined(HELP) || defined(STALE)
#define NC 2
#define NP 1
#define NTM 2
#endif
#ifdef CHAIN
#define NC 2
#define NP 2
#define NTM 2
#endif
#ifdef SWAP
#define NC 2
#define NP 2
#define NTM 4
#endif
#if defined(SMUGGLE) || defined(SMUGGLE_HELP)
#define NC 2
#define NP 1
#define NTM 3
#endif
#ifdef SMUGGLE_LATE
#define NC 3
#define NP 1
#define NTM 3
#endif
#ifdef MIX
#define NC 2
#define NP 1
#define NTM 3
#endif
#ifdef BORROW
#define NC 4
#define NP 0
#define NTM 4
#endif
#ifndef LOOKS
#define LOOKS 0
#endif
#define NT (NC+NP)
#define NX 2                                     /* tasks */

hidden byte prog[(NT+NX)*LEN];                   /* of callers, and of tasks (from NT on); constant */
hidden byte seats[NTM];                          /* constant */
hidden byte xteam[NX]; hidden byte xpar[NX];     /* a task's team; the task that forked it + 1; constant */
hidden byte home[NT];                            /* a pool thread's team; constant */

bit cell[NTM*MAXC]; byte waiting[NTM]; bit qlock[NTM]; chan q[NTM] = [NT] of { byte };
byte granted[NT];                                /* 0 | 1+cell | 64+slot of the lender | 128+own slot */
byte sp[NT];
#define OWN 0
#define BORROWED 1
#define AGAIN 2                                  /* (a): no admission, the seat is at a lower slot */
#define HELPS 3                                  /* the same, for a task that it helps with */
#define ALONE 4                                  /* without a seat */
byte s_team[NT*D], s_kind[NT*D], s_ref[NT*D];    /* s_ref: cell | slot of the lender | slot of the seat */
/* thread+1; ghost, along a chain of joins: task+1 that the lender waits for */
byte lent[NT*D], lentfor[NT*D];
#define RUNNING 0
#define REQUEST 1
#define AWAIT 2
#define ATJOIN 3
byte st[NT], what[NT];                           /* what: the team | - | the task */
bit reg[NT]; byte nreg; bit glock;
#define NONE 0
#define OPEN 1
#define BEGUN_ 2
#define DONE 3
byte task[NX], by[NX];                           /* its state; the thread that runs it */
#ifdef UNSEATED
byte cancels=UNSEATED;
#endif
byte works[NTM], extra[NTM]; byte finished, asleep;          /* ghosts */

#define slot(t,l)  ((t)*D+(l))
#define base(s)    (s_kind[s]==AGAIN || s_kind[s]==HELPS -> s_ref[s] : (s))
#define is_seat(s) (s_kind[s]==OWN || s_kind[s]==BORROWED || s_kind[s]==ALONE)
#define top        slot(me,sp[me]-1)
#ifdef HELP_LATEST
#define awaited(t) base(slot(t,s_kind[slot(t,sp[t]-1)]==HELPS -> sp[t]-2 : sp[t]-1))
#else
#define awaited(t) base(slot(t,sp[t]-1))         /* the seat that it goes on with */
#endif
#define stuck(t)   (st[t]!=RUNNING && !(st[t]==REQUEST && granted[t]))
inline on()   { works[s_team[top]]++; assert(works[s_team[top]]<=seats[s_team[top]]+extra[s_team[top]]) }
inline off()  { if :: sp[me]>0 -> works[s_team[top]]-- :: else fi }
inline push(t,k,r) { s_team[slot(me,sp[me])]=t; s_kind[slot(me,sp[me])]=k; s_ref[slot(me,sp[me])]=r; sp[me]++; on() }
inline pop()  { sp[me]--; assert(!lent[slot(me,sp[me])]);
  s_team[slot(me,sp[me])]=0; s_kind[slot(me,sp[me])]=0; s_ref[slot(me,sp[me])]=0 }

/* ---- loans: all of it under glock ---- */
/* of one d_step: never live between steps */
hidden byte r, h, l, u, i, g, found, chained, keeps; hidden int seen, before;

#ifdef STALE_JOIN
#define joins(t) (st[t]==ATJOIN)
#else
#define joins(t) (st[t]==ATJOIN && task[what[t]]!=DONE)
#endif
/* chained = 1 if the chain of joins from h ends at r */
inline chain() {
  chained=0;
  if
  :: joins(h) ->
     u=by[what[h]];
     do :: joins(u) -> u=by[what[u]] :: else -> break od;
     if :: u==r -> chained=1 :: else fi
  :: else
  fi
}
/* seen = the threads that h waits for, over any number of steps */
inline reach() {
  seen=0; before=1<<h;                           /* before: still to be looked at, from h on */
  do
  :: before==0 -> break
  :: else ->
     u=0; do :: (before>>u)&1 -> break :: else -> u++ od;
     before=before & ~(1<<u);
     if
#ifdef CHAIN_SHORT
     :: joins(u) && u!=h -> skip
     :: joins(u) && u==h ->
#else
     :: joins(u) ->
#endif
        i=by[what[u]]; if :: !((seen>>i)&1) -> seen=seen|(1<<i); before=before|(1<<i) :: else fi
     :: st[u]==AWAIT && lent[awaited(u)] ->
        i=lent[awaited(u)]-1; if :: !((seen>>i)&1) -> seen=seen|(1<<i); before=before|(1<<i) :: else fi
     :: st[u]==REQUEST && !granted[u] ->
        i=0;
        do
        :: i<NT*D ->
           if
           :: i%D<sp[i/D] && s_team[i]==what[u] && is_seat(i) && !((seen>>(i/D))&1) ->
                seen=seen|(1<<(i/D)); before=before|(1<<(i/D))
           :: else
           fi; i++
        :: else -> break
        od
     :: else
     fi
  od
}
#ifdef OWN_ONLY
#define LENDABLE(s) (s_kind[s]==OWN)
#else
#define LENDABLE(s) is_seat(s)
#endif
#ifdef LOAN_BLIND
#define queued(r)   (true)
#else
#define queued(r)   (q[what[r]]??[eval(r)])
#endif
/* lends r, whose request is queued, a seat if there is one. Of several lenders, either end of the row may be the one */
#define of_g (down -> NT-1-g : g)
inline find_loan() {
  found=255; g=0;
  do
  :: g<NT && found==255 ->
     h=of_g;
     if
     :: h!=r && stuck(h) ->
        reach(); chain();
#ifdef LEND_ANYONE
        if :: joins(h) -> seen=seen|(1<<r); chained=1 :: else fi;
#endif
#ifdef JOIN_KEEPS
        if :: st[h]==ATJOIN -> seen=0 :: else fi;
#endif
#ifdef REQUEST_KEEPS
        if :: st[h]!=ATJOIN -> seen=0 :: else fi;
#endif
#ifdef JOINS_ONLY
        if :: st[h]==ATJOIN && !chained -> seen=0 :: else fi;
#endif
        keeps=255;                               /* at a join: the seat that it waits with */
        if
        :: st[h]==ATJOIN ->
           l=sp[h]-1;
#ifndef LATEST_EXEMPT
           do :: s_team[slot(h,l)]!=xteam[what[h]] -> l-- :: else -> break od;
#endif
           keeps=base(slot(h,l))
        :: else
        fi;
        l=0;
        do
        :: l<sp[h] && found==255 ->
           if
           :: (seen>>r)&1 && s_team[slot(h,l)]==what[r] && !lent[slot(h,l)] && LENDABLE(slot(h,l)) &&
              keeps!=slot(h,l) ->
              found=slot(h,l); lent[found]=r+1; if :: chained -> lentfor[found]=what[h]+1 :: else fi
           :: else
           fi; l++
        :: else -> break
        od
     :: else
     fi; g++
  :: else -> break
  od;
  if
  :: found!=255 ->
     granted[r]=64+found;
     if :: q[what[r]]??[eval(r)] -> q[what[r]]??eval(r); waiting[what[r]]-- :: else fi
  :: else
  fi
}
/* k has a request for team x, and a seat of it that it had lent is back: that is its seat. Under glock and qlock */
inline own_is_back() { d_step{
  if
  :: reg[k] && what[k]==x && !granted[k] && q[x]??[eval(k)] ->
     l=0;
     do
     :: l<sp[k] && s_team[slot(k,l)]==x && is_seat(slot(k,l)) && !lent[slot(k,l)] ->
          q[x]??eval(k); waiting[x]--; granted[k]=128+slot(k,l); break
     :: l<sp[k] && !(s_team[slot(k,l)]==x && is_seat(slot(k,l)) && !lent[slot(k,l)]) -> l++
     :: l>=sp[k] -> break
     od
  :: else
  fi } }
#define of_k (down -> NT-1-k : k)
inline lend_to_all() {                           /* in either order: of several who could, any end may be the lender */
  if :: down=1 :: true fi;
  do
  :: k<NT ->
     atomic{ (!reg[of_k] || !qlock[what[of_k]]) ->
       d_step{ r=of_k; if :: reg[r] && !granted[r] && queued(r) -> find_loan() :: else fi; k++ } }
  :: else -> break
  od;
  atomic{ k=0; down=0 }
}

/* the oldest request gets cell j; under qlock */
inline hand_over(t) { q[t]?k; waiting[t]--; granted[k]=1+j; k=0 }

/* a thread with a request for team x takes it back, unless it is granted */
inline cancel() {
#if !defined(UNSEATED)
  false
#elif defined(CANCEL_BLIND)
  atomic{ cancels>0 && !granted[me] -> cancels-- }
#elif defined(CANCEL_UNLOCKED)
  atomic{ cancels>0 && !granted[me] -> cancels-- };
  atomic{ !qlock[x] -> if :: q[x]??[eval(me)] -> q[x]??eval(me); waiting[x]-- :: else fi }
#else
  atomic{ cancels>0 && !granted[me] && !qlock[x] -> cancels--; q[x]??eval(me); waiting[x]-- }
#endif
}

#ifdef REENTER_LENT
#define USABLE(s) (true)
#else
#define USABLE(s) (!lent[s])
#endif
proctype thread(byte me) {
  byte p=me, pc=0, o, j, k, x; byte ret_p[2], ret_pc[2], depth=0; byte looks=LOOKS;
  /* the task at this depth is helped with; from one of these to the join */
  bit helps[2], back;
  bit down; byte then;                           /* then: where to go on after looking for loans */
  if :: me>=NC -> goto sleep :: else fi;
next:
  atomic{ o=prog[p*LEN+pc];
    if
    :: o==END -> if :: depth>0 -> goto task_over :: else -> finished++; goto over fi
    :: (o&240)==16 -> x=o&15; pc++; goto enter
    :: o==LEAVE -> pc++; goto leave
    :: (o&240)==48 -> task[o&15]=OPEN; pc++; goto next
    :: (o&240)==64 -> x=o&15; o=0; goto user
    :: (o&240)==80 -> x=o&15; o=0; goto join
    fi };
user:
  atomic{ task[x]>=BEGUN_ && by[x]!=me -> x=0; pc++; goto next };

task_over:
  atomic{ task[p-NT]=DONE; depth--; p=ret_p[depth]; pc=ret_pc[depth]; ret_p[depth]=0; ret_pc[depth]=0; o=0;
    if :: helps[depth] -> helps[depth]=0; back=1; off(); pop() :: else fi;
    if :: depth==0 && me>=NC -> goto look :: else -> goto next fi };

join:
  atomic{
    if
    :: task[x]==OPEN -> task[x]=BEGUN_; by[x]=me; goto run_it
    :: task[x]==DONE && !back -> x=0; pc++; goto next
    :: else -> if :: back -> back=0 :: else -> off() fi; st[me]=ATJOIN; what[me]=x
    fi };
#ifndef JOIN_NO_LOOK
  if
  :: nreg>0 -> atomic{ !glock -> glock=1; then=0; goto lend }
  :: else
  fi;
#endif
at_join:
  if
  :: atomic{ task[x]==DONE && !glock ->
       j=0; do :: j<sp[me] -> assert(lentfor[slot(me,j)]!=x+1); j++ :: else -> break od; j=0;   /* the join is over */
       st[me]=RUNNING; what[me]=0; x=0; pc++;
#ifndef JOIN_NO_AWAIT
       if :: lent[awaited(me)] -> goto below :: else fi;
#endif
       on() }; goto next
  :: atomic{ x==0 && xpar[1]==1 && task[1]==OPEN && xteam[1]==xteam[0] && !glock ->                /* help */
       st[me]=RUNNING; what[me]=0; task[1]=BEGUN_; by[1]=me; j=sp[me]-1;
       do :: s_team[slot(me,j)]!=xteam[0] -> j-- :: else -> break od;
       j=base(slot(me,j)); push(xteam[0],HELPS,j); helps[depth]=1; x=1; j=0 }; goto run_it
  fi;
run_it:
  atomic{ ret_p[depth]=p; ret_pc[depth]=pc; depth++; p=NT+x; pc=0; x=0; goto next };

enter:                                           /* team x */
  atomic{ o=0; j=0;
    do
    :: j<sp[me] ->
       if
       :: s_team[slot(me,j)]==x && is_seat(slot(me,j)) && USABLE(slot(me,j)) ->
            off(); push(x,AGAIN,slot(me,j)); j=0; x=0; goto next
       :: else -> j++
       fi
    :: else -> j=0; break
    od };
  do
  :: j<seats[x] ->
     atomic{ if :: cell[x*MAXC+j]==FREE -> cell[x*MAXC+j]=TAKEN; off(); push(x,OWN,j); j=0; x=0; goto next
                :: else -> j++ fi }
  :: else -> break
  od;
  atomic{ j=0; waiting[x]++ };
  atomic{ !qlock[x] -> qlock[x]=1; q[x]!me };
#ifndef NO_SECOND_LOOK
  do
  :: j<seats[x] ->
     atomic{ if
       :: cell[x*MAXC+j]==FREE -> cell[x*MAXC+j]=TAKEN; q[x]??eval(me); waiting[x]--; qlock[x]=0; off();
          push(x,OWN,j); j=0; x=0; goto next
       :: else -> j++ fi }
  :: else -> break
  od;
#endif
  atomic{ j=0; qlock[x]=0 };
  if
#ifdef LEND_ANYONE
  :: true ->
#else
  :: sp[me]>0 ->
#endif
     atomic{ !glock -> glock=1; off(); st[me]=REQUEST; what[me]=x; reg[me]=1; nreg++ };
#ifndef NO_OWN_BACK
     atomic{ !qlock[x] -> k=me; own_is_back(); k=0 };
#endif
     atomic{ then=1; goto lend };
in_queue:
     if
     :: atomic{ granted[me] && !glock -> reg[me]=0; nreg--; st[me]=RUNNING; what[me]=0 }
     :: cancel(); goto alone
     fi
  :: else ->
     if
     :: granted[me]
     :: cancel(); goto alone
     fi
  fi;
  atomic{
    if
    :: granted[me]>=128 -> push(x,AGAIN,granted[me]-128)
    :: granted[me]>=64 && granted[me]<128 -> push(x,BORROWED,granted[me]-64)
    :: else -> push(x,OWN,granted[me]-1)
    fi;
    granted[me]=0; x=0; goto next };

alone:                                           /* in team x, without a seat */
  if
  :: reg[me] -> atomic{ !glock -> reg[me]=0; nreg--; st[me]=RUNNING; what[me]=0 }
  :: else
  fi;
  atomic{ extra[x]++; push(x,ALONE,0); x=0; goto next };

leave:
  atomic{ o=s_kind[top]; x=s_team[top]; j=s_ref[top];
#ifdef RETURN_TO_QUEUE
    if :: o==BORROWED -> do :: s_kind[j]==BORROWED -> j=s_ref[j] :: else -> break od; o=OWN; j=s_ref[j] :: else fi;
#endif
    off(); pop();
    if :: o==ALONE -> extra[x]-- :: else fi;
#ifdef UNSEATED_FREES
    if :: o==ALONE -> o=OWN :: else fi;
#endif
    if :: o==OWN -> o=0; goto give_up :: o==BORROWED -> o=0; goto give_back :: else -> o=0; j=0; x=0; goto below fi };
give_up:                                         /* cell j of team x */
  if
  :: waiting[x]==0 ->
     cell[x*MAXC+j]=FREE;
#ifndef NO_LOOK_AFTER
     if
     :: waiting[x]>0 ->
        atomic{ !qlock[x] -> qlock[x]=1 };
        if
        :: nempty(q[x]) ->
#ifdef RETAKE_BLIND
           atomic{ cell[x*MAXC+j]=TAKEN; hand_over(x) }
#else
           atomic{ if :: cell[x*MAXC+j]==FREE -> cell[x*MAXC+j]=TAKEN; hand_over(x) :: else fi }
#endif
        :: empty(q[x])
        fi;
        qlock[x]=0
     :: else
     fi
#endif
  :: else ->
     atomic{ !qlock[x] -> qlock[x]=1 };
     atomic{
       if
       :: nempty(q[x]) -> hand_over(x);
#ifdef HAND_AND_FREE
          cell[x*MAXC+j]=FREE
#endif
       :: empty(q[x]) -> cell[x*MAXC+j]=FREE
       fi };
     qlock[x]=0
  fi;
  atomic{ j=0; x=0; goto below };
give_back:                                       /* to the seat at slot j */
  atomic{ !glock -> glock=1; assert(lent[j]==me+1); lent[j]=0; lentfor[j]=0; k=j/D; j=0 };
#ifndef NO_OWN_BACK
  atomic{ !qlock[x] -> own_is_back() };
#endif
  atomic{ k=0; x=0 };
  atomic{ then=2; goto lend };
below:
  atomic{ if :: sp[me]==0 -> if :: me>=NC -> goto sleep :: else -> goto next fi :: else fi };
#ifndef NO_AWAIT
  atomic{ !glock -> if :: lent[awaited(me)] -> glock=1; st[me]=AWAIT :: else -> on(); goto next fi };
  atomic{ then=3; goto lend };
await:
  atomic{ !lent[awaited(me)] && !glock -> st[me]=RUNNING }
#endif
  ;
  atomic{ on(); goto next };
lend:                                            /* glock is held */
  lend_to_all();
  atomic{ glock=0;
    if
    :: then==0 -> goto at_join
    :: then==1 -> then=0; goto in_queue
    :: then==2 -> then=0; goto below
#ifndef NO_AWAIT
    :: then==3 -> then=0; goto await
#endif
    fi };

sleep:                                           /* a pool thread */
  asleep++;
end_sleep:
  atomic{
    if
    :: task[0]==OPEN && xteam[0]==home[me] || task[1]==OPEN && xteam[1]==home[me] ->
         (cell[home[me]*MAXC]==FREE || (seats[home[me]]>1 && cell[home[me]*MAXC+1]==FREE) ||
          (seats[home[me]]>2 && cell[home[me]*MAXC+2]==FREE))
    :: looks>0 -> looks--
    fi;
    asleep--; x=home[me] };
  do
  :: j<seats[x] ->
     atomic{ if :: cell[x*MAXC+j]==FREE -> cell[x*MAXC+j]=TAKEN; push(x,OWN,j); j=0; x=0; goto look :: else -> j++ fi }
  :: else -> break
  od;
  atomic{ j=0; x=0; goto sleep };
look:
  atomic{
    if
    :: waiting[home[me]]==0 && task[0]==OPEN && xteam[0]==home[me] -> x=0; task[0]=BEGUN_; by[0]=me; goto run_it
    :: waiting[home[me]]==0 && task[1]==OPEN && xteam[1]==home[me] -> x=1; task[1]=BEGUN_; by[1]=me; goto run_it
    :: else -> goto leave
    fi };
over: skip
}
inline say(n,a0,a1,a2,a3,a4,a5,a6,a7) { prog[(n)*LEN]=a0; prog[(n)*LEN+1]=a1; prog[(n)*LEN+2]=a2; prog[(n)*LEN+3]=a3;
  prog[(n)*LEN+4]=a4; prog[(n)*LEN+5]=a5; prog[(n)*LEN+6]=a6; prog[(n)*LEN+7]=a7 }
init {
  byte n=0;
  d_step{
    do :: n<NTM -> seats[n]=1; n++ :: else -> n=0; break od;
    xteam[0]=99; xteam[1]=99;
#ifdef OUT
    seats[A]=2; home[3]=A;
    do :: n<NC -> say(n, ENTER(A),LEAVE,ENTER(A),LEAVE,END,END,END,END); n++ :: else -> break od;
    say(1, ENTER(A),LEAVE,END,END,END,END,END,END); say(2, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef CYCLE
    say(0, ENTER(A),ENTER(B),LEAVE,LEAVE,END,END,END,END);
    say(1, ENTER(B),ENTER(A),LEAVE,LEAVE,END,END,END,END);
    say(2, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef CYCLE3
    say(0, ENTER(A),ENTER(B),ENTER(A),LEAVE,LEAVE,LEAVE,END,END);
    say(1, ENTER(B),ENTER(A),ENTER(B),LEAVE,LEAVE,LEAVE,END,END);
    say(2, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef TWO
    seats[B]=2;
    say(0, ENTER(A),ENTER(B),ENTER(A),LEAVE,LEAVE,LEAVE,END,END);
    say(1, ENTER(B),ENTER(A),LEAVE,LEAVE,END,END,END,END);
    say(2, ENTER(B),LEAVE,END,END,END,END,END,END);
#endif
#ifdef LATE
    seats[B]=2;
    say(0, ENTER(A),ENTER(B),LEAVE,LEAVE,END,END,END,END);
    say(1, ENTER(B),ENTER(A),LEAVE,LEAVE,END,END,END,END);
    say(2, ENTER(B),LEAVE,END,END,END,END,END,END);
#endif
#if defined(TASK) || defined(CHAIN) || defined(HELP)
    seats[B]=2; xteam[0]=B; home[2]=B;
    say(0, ENTER(A),ENTER(B),FORK(0),BEGUN(0),JOIN(0),LEAVE,LEAVE,END);
    say(1, ENTER(A),LEAVE,ENTER(A),LEAVE,END,END,END,END);
    say(NT, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef CHAIN
    seats[B]=3; xteam[1]=B; xpar[1]=1; home[3]=B;
    say(NT, FORK(1),BEGUN(1),JOIN(1),END,END,END,END,END);
    say(NT+1, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef HELP
    xteam[1]=B; xpar[1]=1;
    say(NT, ENTER(A),ENTER(B),FORK(1),JOIN(1),LEAVE,LEAVE,END,END);
    say(NT+1, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef STALE
    seats[B]=3; xteam[0]=B; xteam[1]=B; home[2]=B;
    say(0, ENTER(A),ENTER(B),FORK(0),BEGUN(0),JOIN(0),LEAVE,LEAVE,END);
    say(1, BEGUN(0),ENTER(B),FORK(1),BEGUN(1),JOIN(1),LEAVE,END,END);
    say(NT, END,END,END,END,END,END,END,END);
    say(NT+1, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#ifdef SWAP
    seats[B]=2; seats[DD]=2; xteam[0]=B; xteam[1]=DD; home[2]=B; home[3]=DD;
    say(0, ENTER(A),ENTER(B),FORK(0),BEGUN(0),JOIN(0),LEAVE,LEAVE,END);
    say(1, ENTER(C),ENTER(DD),FORK(1),BEGUN(1),JOIN(1),LEAVE,LEAVE,END);
    say(NT, ENTER(C),LEAVE,END,END,END,END,END,END);
    say(NT+1, ENTER(A),LEAVE,END,END,END,END,END,END);
#endif
#if defined(SMUGGLE) || defined(SMUGGLE_LATE) || defined(SMUGGLE_HELP)
    seats[A]=2; xteam[0]=A; home[NC]=A;
    say(0, ENTER(A),FORK(0),BEGUN(0),ENTER(B),JOIN(0),LEAVE,LEAVE,END);
    say(1, ENTER(B),LEAVE,END,END,END,END,END,END);
    say(NT, ENTER(B),LEAVE,END,END,END,END,END,END);
#endif
#ifdef SMUGGLE_LATE
    seats[C]=2;
    say(1, ENTER(C),ENTER(B),LEAVE,LEAVE,END,END,END,END);
    say(2, ENTER(C),LEAVE,END,END,END,END,END,END);
    say(NT, ENTER(C),LEAVE,END,END,END,END,END,END);
#endif
#ifdef SMUGGLE_HELP
    xteam[1]=A; xpar[1]=1;
    say(1, END,END,END,END,END,END,END,END);
    say(NT, FORK(1),ENTER(B),JOIN(1),LEAVE,END,END,END,END);
    say(NT+1, ENTER(C),LEAVE,END,END,END,END,END,END);
#endif
#ifdef MIX
    seats[B]=2; xteam[0]=B; home[2]=B;
    say(0, ENTER(A),ENTER(B),FORK(0),BEGUN(0),JOIN(0),LEAVE,LEAVE,END);
    say(1, ENTER(C),ENTER(A),LEAVE,LEAVE,END,END,END,END);
    say(NT, ENTER(C),LEAVE,END,END,END,END,END,END);
#endif
#ifdef BORROW
    say(0, ENTER(A),ENTER(B),LEAVE,LEAVE,END,END,END,END);
    say(1, ENTER(B),ENTER(A),ENTER(C),LEAVE,LEAVE,LEAVE,END,END);
    say(2, ENTER(DD),ENTER(C),ENTER(A),LEAVE,LEAVE,LEAVE,END,END);
    say(3, ENTER(C),ENTER(DD),LEAVE,LEAVE,END,END,END,END);
#endif
    n=0 };
  atomic{ do :: n<NT -> run thread(n); n++ :: else -> n=0; break od };
  atomic{ finished==NC && asleep==NP ->
    do
    :: n<NTM -> assert(!cell[n*MAXC] && !cell[n*MAXC+1] && !cell[n*MAXC+2]);
                assert(waiting[n]==0 && works[n]==0 && extra[n]==0);
       assert(empty(q[n]) && !qlock[n]); n++
    :: else -> break
    od;
    assert(nreg==0 && !glock) }
}
