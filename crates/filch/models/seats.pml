/* Seats and loans: which threads may work for a team, when threads enter one team from within another.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/seats/mod.rs       `Seats::try_sit`, `sit_or_queue`, `is_wanted`, `leave`, `hand_over`, `cancel`, `place`
 *   protocol/seats/request.rs   `Request::grant`, `granted`, `Receipt::give_back`, `is_returned`
 *   engine/entry/enter.rs        `run_from_outside`, `run_again`, `run_on_spare`, `await_seat`, `leave_seat`
 *   engine/entry/loans.rs        `lend`, `lend_to`, `await_seat`, `give_back`, `go_on`, `await_return`
 *   engine/entry/waiters.rs      `Registered`, `needed_requests`, `depends_on`, `call_all`
 *   engine/seats/held_seats.rs        `for_each_lendable`, `latest_if_lent`, `seat_in`, `waiting_on`
 *
 * A team has n seats (cells). A thread has a stack of seats, possibly of several teams, and works for the team of the
 * topmost one. It enters a team
 *   (a) with a seat of that team that it has and has not lent;
 *   (b) with a free cell; or
 *   (c) with a request in the team's queue.
 * A thread that leaves frees the cell, or hands it to the oldest request.
 *
 * A request of a thread that has seats elsewhere is a *crossing*. It is also in a registry, and a blocked thread may
 * lend it a seat. A blocked thread *waits for*
 *   at a join        the thread that runs the task, unless the task is done
 *   with a request   all other threads that have a seat of that team, lent or not, until the request is granted
 *   for a return     the thread to which it has lent the seat that it awaits
 * A blocked thread of any of these kinds lends a seat to a crossing that it waits for, directly or over several steps.
 * At a join it does not lend the seat that it waits with, which is the topmost one of the team of the task. As a rule
 * this is its latest seat. But a wrapper that claims to be Send can carry a join into a run of another team; then the
 * latest seat is lent like the others. A borrowed seat is lent like an own one.
 *
 * A lender may go on before its seat is back. It awaits the seat when it returns to the work that it holds the seat
 * for, also from a join in a run of another team. A thread that helps at a join does so with the seat that it waits
 * with, and returns to that seat from any team that the task enters. A lender that wants a seat of the same team again
 * makes a crossing of its own. If its own seat comes back first, that answers the crossing.
 *
 * A *chain of joins* goes from a thread at a join to the thread that runs the task, if that is at a join too, from
 * there to the next one, and so on. If the thread of a crossing ends the chain that begins at a lender, its request
 * stems from the task that the lender waits for.
 *
 * With UNSEATED=n, up to n threads that wait for a seat go on without one, at any time after they have queued. Such a
 * thread withdraws its request. It has one more place in the team, which it may lend like a seat, and which no thread
 * gets when it leaves.
 *
 * Not modelled: ladders; scopes, whose owners wait as threads at joins do; that a pool thread wakes up when there is a
 * task and a seat (sentinel.pml).
 *
 * In the model, a thread that becomes blocked looks for loans, for all blocked threads and all crossings (at a join
 * only if the registry is not empty), and so does a thread that gives a seat back. In the sources each blocked thread
 * looks for itself, when it is called at these moments and every few milliseconds. The search for a lender and the loan
 * are one step here. In the sources, the lock of the registry is held during both, and the request leaves its queue
 * under the lock of that queue.
 *
 * Memory is sequentially consistent. Two pairs of a store and a later load need this in the sources: `waiting` and the
 * cells, and `st` and `nreg`.
 *
 * Who writes what:
 *   cell        FREE -> TAKEN: any thread, by compare-exchange. TAKEN -> FREE: the thread that has the cell.
 *   waiting     how many requests a queue has, or more: raised by a thread that is about to queue, before it locks
 *               qlock; lowered under qlock. It is read without qlock.
 *   q           the queue: under qlock. A request leaves it when it is granted (by a cell or a loan) or withdrawn by
 *               its own thread. It stays in the registry a little longer, so a lender checks whether it is still
 *               queued.
 *   granted     the thread that has removed the request, under qlock; then the thread of the request
 *   sp, s_*     the stack of seats: its own thread. Other threads read the stack of a blocked thread, under glock.
 *   lent        set under glock while the lender is blocked; cleared under glock by the borrower
 *   st          what a thread is blocked at: set by itself (for a request under glock; at a join without it, before a
 *               look at `nreg`), reset by itself under glock, so that no seat of a thread is lent after it has gone on
 *   reg, nreg   the registry and its length: under glock. `nreg` is also read without it.
 * qlock is locked inside glock.
 *
 * Properties:
 *   - No more threads work for a team than it has seats and unseated places.
 *   - There is no deadlock, unless user code waits for ever (BEGUN).
 *   - A seat that is lent along a chain of joins is back when the join is over.
 *   - At the end all cells are free, and the queues and the registry are empty.
 *
 * Scenarios. X{..} is X.run. a, b, c and d are callers; p and q are tasks. A team has one seat unless n= says
 * otherwise. "p begun": user code waits until another thread has begun p. "-": does nothing.
 *   OUT           three callers, A n=2 and its pool thread
 *   CYCLE         a: A{B{}}     b: B{A{}}      c: A{}
 *   CYCLE3        a: A{B{A{}}}  b: B{A{B{}}}   c: A{}
 *   TWO           a: A{B{A{}}}  b: B{A{}}      c: B{}, B n=2: a has lent its seat of A, gets one of B from c, and wants
 *                 A again
 *   LATE          a: A{B{}}     b: B{A{}}      c: B{}, B n=2: as TWO, but a returns to A
 *   TASK          a: A{B{fork p; p begun; join p}}  p: A{}  c: A{} A{}, B n=2
 *   CHAIN         as TASK, but p: fork q; q begun; join q   q: A{}, B n=3
 *   HELP          as TASK, but p: A{B{fork q; join q}}  q: A{}: a helps with q while its seat is lent
 *   SWAP          a: A{B{fork p; p begun; join p}} p: C{}   b: C{D{fork q; q begun; join q}} q: A{}, B and D n=2
 *   STALE         as TASK, but p: -   b: p begun; B{fork q; q begun; join q}  q: A{}, B n=3: one pool thread runs p and
 *                 then q
 *   MIX           a: A{B{fork p; p begun; join p}} p: C{}   b: C{A{}}, B n=2
 *   BORROW        a: A{B{}}  b: B{A{C{}}}  c: D{C{A{}}}  d: C{D{}}
 *   SMUGGLE       a: A{fork p; p begun; B{join p}}  p: B{}  c: B{}, A n=2
 *   SMUGGLE_LATE  as SMUGGLE, but p: C{}  b: C{B{}}  c: C{}, C n=2: p gets its seat from c while b has borrowed
 *                 the seat of B from a
 *   SMUGGLE_HELP  as SMUGGLE, but p: fork q; B{join q}  q: C{}  c: -: a helps with q while its seat of B is lent
 * No run has MIX, because no mutant needs it, nor BORROW, which comes out `ok` after 90 s and 13 million states.
 *
 * Runs (README.md describes the syntax):
 *   @without MIX BORROW
 *   @ok OUT | CYCLE | CYCLE3 | TWO | LATE | TASK | CHAIN | HELP | STALE | SWAP | SMUGGLE | SMUGGLE_LATE | SMUGGLE_HELP
 *   @ok OUT UNSEATED=2 | CYCLE UNSEATED=2 | CYCLE3 UNSEATED=2 | TWO UNSEATED=2
 *   @ok TASK UNSEATED=2 | SWAP UNSEATED=2 | SMUGGLE UNSEATED=2 | SMUGGLE_HELP UNSEATED=2
 *
 * Mutants, each of which must fail:
 *   NO_SECOND_LOOK    (OUT) a thread that has queued does not look at the cells again, so it misses a seat that becomes
 *                     free in between
 *   NO_LOOK_AFTER     (OUT) a thread that has freed its cell does not look at `waiting` again, with the same result
 *   HAND_AND_FREE     (OUT) a cell that is handed over is freed as well, so two threads have one seat
 *   RETAKE_BLIND      (OUT) a cell that has been freed is handed over without being taken again, although another
 *                     thread may have it
 *   JOIN_KEEPS        (TASK) a thread at a join lends nothing: deadlock
 *   REQUEST_KEEPS     (CYCLE) a thread that waits with a request or for a return lends nothing: deadlock
 *   CHAIN_SHORT       (CHAIN) a thread at a join is followed only to the thread that runs its task: deadlock
 *   JOINS_ONLY        (SWAP) a thread at a join lends along chains of joins only, so two of them wait for each other's
 *                     seat
 *   OWN_ONLY          (HELP) a borrowed seat is not lent, so two borrowers wait for each other
 *   JOIN_NO_LOOK      (TASK) a thread that comes to a join does not look at the registry, where the request already is
 *   LEND_ANYONE       (TASK) a thread at a join lends to any request, so its seat is not back when the join is over
 *   STALE_JOIN        (STALE) the chain goes through a task that is done, so a later request of its thread is taken for
 *                     one of the task
 *   NO_AWAIT          (LATE) the lender goes on without its seat: one thread too many
 *   REENTER_LENT      (TWO) a nested run of the lender uses the seat that is lent: one thread too many
 *   NO_OWN_BACK       (TWO) a thread that has lent its seat of A and queues for A is not let in when its own seat comes
 *                     back
 *   RETURN_TO_QUEUE   (TWO) a borrowed seat goes to the team's queue or becomes free, so the lender waits for ever
 *   LATEST_EXEMPT     (SMUGGLE) a thread at a join keeps its latest seat instead of the one that it waits with:
 *                     deadlock
 *   JOIN_NO_AWAIT     (SMUGGLE_LATE) a thread goes on from a join with a seat that is lent: one thread too many
 *   HELP_LATEST       (SMUGGLE_HELP) a thread that helps awaits its latest seat before it goes on with the task, and
 *                     the borrower of that seat waits for the task
 * With UNSEATED:
 *   CANCEL_BLIND      (OUT, UNSEATED=2) the request stays in the queue, so a seat is granted to a thread that has gone
 *                     on
 *   CANCEL_UNLOCKED   (OUT, UNSEATED=2) a thread checks without qlock that its request is not granted, and then
 *                     withdraws it, with the same result
 *   LOAN_BLIND        (CYCLE, UNSEATED=2) a seat is lent to a request in the registry that may have left the queue,
 *                     with the same result
 *   UNSEATED_FREES    (OUT, UNSEATED=2) a thread that leaves an unseated place hands over or frees a cell: one thread
 *                     too many */
#define FREE 0
#define TAKEN 1
#define MAXC 3       /* the most cells of a team */
#define D    5       /* the most seats on a stack */
/* teams */
#define A 0
#define B 1
#define C 2
#define DD 3
/* the steps of a program */
#define ENTER(t) (16+(t))
#define LEAVE    32
#define FORK(x)  (48+(x))
#define BEGUN(x) (64+(x))      /* user code waits until another thread has begun x */
#define JOIN(x)  (80+(x))
#define END      0
#define LEN      12
/* NC callers, which are the first threads, then NP pool threads */
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

hidden byte prog[(NT+NX)*LEN];                   /* of callers, then of tasks (from NT on); constant */
hidden byte seats[NTM];                          /* constant */
hidden byte xteam[NX]; hidden byte xpar[NX];     /* the team of a task, and its parent task + 1; constant */
hidden byte home[NT];                            /* the team of a pool thread; constant */

bit cell[NTM*MAXC]; byte waiting[NTM]; bit qlock[NTM]; chan q[NTM] = [NT] of { byte };
byte granted[NT];                                /* 0, or 1+cell, or 64+slot of the lender, or 128+own slot */
byte sp[NT];
#define OWN 0
#define BORROWED 1
#define AGAIN 2                                  /* (a): the seat is at a lower slot */
#define HELPS 3                                  /* the same, for a task that the thread helps with */
#define ALONE 4                                  /* without a seat */
byte s_team[NT*D], s_kind[NT*D], s_ref[NT*D];    /* s_ref: the cell, or the slot of the lender or of the seat */
/* lent: the borrower+1. lentfor (ghost), for a loan along a chain of joins: the task that the lender waits for, +1. */
byte lent[NT*D], lentfor[NT*D];
#define RUNNING 0
#define REQUEST 1
#define AWAIT 2
#define ATJOIN 3
byte st[NT], what[NT];                           /* what: the team, or nothing, or the task */
bit reg[NT]; byte nreg; bit glock;
#define NONE 0
#define OPEN 1
#define BEGUN_ 2
#define DONE 3
byte task[NX], by[NX];                           /* the state of a task; the thread that runs it */
#ifdef UNSEATED
byte cancels=UNSEATED;
#endif
byte works[NTM], extra[NTM]; byte finished, asleep;          /* ghost variables */

#define slot(t,l)  ((t)*D+(l))
#define base(s)    (s_kind[s]==AGAIN || s_kind[s]==HELPS -> s_ref[s] : (s))
#define is_seat(s) (s_kind[s]==OWN || s_kind[s]==BORROWED || s_kind[s]==ALONE)
#define top        slot(me,sp[me]-1)
#ifdef HELP_LATEST
#define awaited(t) base(slot(t,s_kind[slot(t,sp[t]-1)]==HELPS -> sp[t]-2 : sp[t]-1))
#else
#define awaited(t) base(slot(t,sp[t]-1))         /* the seat that t goes on with */
#endif
#define stuck(t)   (st[t]!=RUNNING && !(st[t]==REQUEST && granted[t]))
inline on()   { works[s_team[top]]++; assert(works[s_team[top]]<=seats[s_team[top]]+extra[s_team[top]]) }
inline off()  { if :: sp[me]>0 -> works[s_team[top]]-- :: else fi }
inline push(t,k,r) { s_team[slot(me,sp[me])]=t; s_kind[slot(me,sp[me])]=k; s_ref[slot(me,sp[me])]=r; sp[me]++; on() }
inline pop()  { sp[me]--; assert(!lent[slot(me,sp[me])]);
  s_team[slot(me,sp[me])]=0; s_kind[slot(me,sp[me])]=0; s_ref[slot(me,sp[me])]=0 }

/* ---- loans, under glock ---- */
/* used within one d_step only */
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
/* seen = the threads that h waits for, directly or over several steps */
inline reach() {
  seen=0; before=1<<h;                           /* before: the threads to follow next, h first */
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
/* Lends r, whose request is queued, a seat if a thread can. Of several lenders, it is the first or the last one. */
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
        keeps=255;                               /* at a join: the seat that h waits with */
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
/* If k has a request for team x, and a seat of x that it has lent is back: grants that seat. Under glock and qlock. */
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
inline lend_to_all() {                           /* in one of two orders, as in find_loan */
  if :: down=1 :: true fi;
  do
  :: k<NT ->
     atomic{ (!reg[of_k] || !qlock[what[of_k]]) ->
       d_step{ r=of_k; if :: reg[r] && !granted[r] && queued(r) -> find_loan() :: else fi; k++ } }
  :: else -> break
  od;
  atomic{ k=0; down=0 }
}

/* grants cell j to the oldest request; under qlock */
inline hand_over(t) { q[t]?k; waiting[t]--; granted[k]=1+j; k=0 }

/* withdraws the request of this thread for team x, unless it is granted */
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
  /* helps: whether the thread helps with the task at that depth; back: whether it returns from such a task to a join */
  bit helps[2], back;
  bit down; byte then;                           /* then: where to go on after the search for loans */
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
  :: atomic{ x==0 && xpar[1]==1 && task[1]==OPEN && xteam[1]==xteam[0] && !glock ->                /* helps */
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
give_back:                                       /* returns the seat to slot j */
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
