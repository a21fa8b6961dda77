/* Blocking sections: a thread that blocks leaves its seat to others, and keeps its ladder.
 *
 * Mirrors, below crates/filch/src:
 *   engine/wait/blocking.rs      `Blocked::begin`, `drop`, `leave_seat_of`, `sit_again`, `sleep_without_seat`
 *   engine/wait/join_end.rs      `help_or_pause`
 *   engine/entry/enter.rs        `run_on_seat`, `leave`, `is_seated`
 *   engine/life.rs               `work`, `live_in_reserve`
 *   protocol/reserve.rs          `begin_blocking`, `end_blocking`, `goes_back`
 *
 * A team has SEATS seats. A caller forks b, blocks until task 0 is done, and joins b, which it runs itself if nobody
 * has begun it. b blocks until task 1 is done, and then again, until task 2 is. A task is run by a thread with a seat
 * that may run anything: one of the team, or one of the reserve, which is out for each thread that blocks.
 *
 * Each seat is for a worker, as which its holder works. A thread that blocks puts a spare worker on its seat; when it
 * has a seat again, it puts its own worker there. It may go on without a seat at any time (the patience of a queue,
 * seats.pml), and then gives its worker back at its end. Not modelled: that queue; sleepers (sentinel.pml); ladders.
 *
 * Who writes what:
 *   taken[s]     by compare-exchange
 *   on[s]        the worker that seat s is for: who has the seat
 *   spare[w]     whether worker w is free: under a lock
 *   occupied[w]  whether a thread works as worker w, to find out whether two do
 *   blocked, out, asleep[t]   under the lock of the reserve
 *   task[i], b   who spawns them, and who runs them, by compare-exchange
 *
 * Properties:
 *   - A worker has one occupant, and a seat one holder.
 *   - All that is spawned and forked is done: no thread waits for ever.
 *   - At the end all seats are free, and each worker is on a seat or spare.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok
 *   @ok SEATS=2
 *   @ok RESERVE=2
 *
 * Mutants, each of which must fail:
 *   WAITER_KEEPS     a thread that waits at a join keeps its seat: what the thread it waits for blocks on never runs
 *   SEAT_KEPT        a thread that blocks keeps its seat
 *   NOBODY_OUT       no thread of the reserve is called out
 *   GOES_BACK        a thread of the reserve goes back while it is wanted
 *   UNSEATED_SILENT  a thread without a seat that blocks is not counted
 *   SAME_WORKER      the seat of a thread that blocks is for the same worker as before
 *   SIT_BLIND        a thread takes its old seat again whether it is free or not
 *   LEAVE_TWICE      a thread without a seat leaves one at its end */
#ifndef SEATS
#define SEATS 1
#endif
#ifndef RESERVE
#define RESERVE 1
#endif
#define SPARES 3
#define WORKERS (SEATS+SPARES)
#define NONE 0
#define LATENT 1
#define BEGUN 2
#define DONE 3

bit taken[SEATS]; byte on[SEATS]; bit spare[WORKERS], occupied[WORKERS];
byte blocked=0, out=0; bit asleep[RESERVE];
byte task[3], b=NONE, s0=0; bit over=0;

#define free_seat (!taken[0] || !taken[SEATS-1])
#define has_latent (task[0]==LATENT || task[1]==LATENT || task[2]==LATENT || b==LATENT)

/* Takes a free seat, and works as its worker. */
inline sit(){ atomic{ if :: !taken[0] -> seat=0 :: !taken[SEATS-1] -> seat=SEATS-1 fi; taken[seat]=1 };
  atomic{ me=on[seat]; assert(!occupied[me]); occupied[me]=1 } }

inline give_back(w){ atomic{ assert(!spare[w] && !occupied[w]); spare[w]=1 } }

/* The occupant leaves, and the seat with it, if it is on one. */
inline leave(){ occupied[me]=0;
#ifdef LEAVE_TWICE
  taken[seat]=0
#else
  if :: on[seat]==me -> taken[seat]=0 :: else -> give_back(me) fi
#endif
}

inline call_out(){ atomic{ blocked++;
#ifndef NOBODY_OUT
  if
  :: out<blocked ->
     if
     :: asleep[0] -> asleep[0]=0; out++
     :: !asleep[0] && asleep[RESERVE-1] -> asleep[RESERVE-1]=0; out++
     :: else
     fi
  :: else
  fi
#endif
  } }

inline begin_blocking(){
  if
  :: on[seat]==me ->
     has_left=1;
#ifdef SEAT_KEPT
     has_left=0; call_out()
#else
#ifdef SAME_WORKER
     call_out(); taken[seat]=0
#else
     atomic{ other=0; do :: spare[other] -> spare[other]=0; break :: !spare[other] -> other++ od };
     on[seat]=other;
     call_out();
     taken[seat]=0
#endif
#endif
  :: else ->
     has_left=0;
#ifndef UNSEATED_SILENT
     call_out()
#endif
  fi }

inline end_blocking(){
#ifdef UNSEATED_SILENT
  if :: has_left -> blocked-- :: else fi;
#else
  blocked--;
#endif
  /* A thread that was without a seat before takes one, too. */
#ifdef SIT_BLIND
  taken[seat]=1; other=on[seat]; on[seat]=me; give_back(other)
#else
#ifdef SEAT_KEPT
  skip
#else
  if
  :: atomic{ free_seat -> if :: !taken[0] -> seat=0 :: !taken[SEATS-1] -> seat=SEATS-1 fi; taken[seat]=1 };
     other=on[seat]; on[seat]=me; give_back(other)
  :: !free_seat /* its patience ends */
  fi
#endif
#endif
  }

inline block_until_done(i){ begin_blocking(); task[i]==DONE; end_blocking() }

inline run_b(){ task[1]=LATENT; block_until_done(1); task[2]=LATENT; block_until_done(2); b=DONE }

/* With a seat: runs one thing, if there is one. */
inline search(){
  if
  :: atomic{ task[0]==LATENT -> task[0]=BEGUN }; task[0]=DONE
  :: atomic{ task[1]==LATENT -> task[1]=BEGUN }; task[1]=DONE
  :: atomic{ task[2]==LATENT -> task[2]=BEGUN }; task[2]=DONE
  :: atomic{ b==LATENT -> b=BEGUN }; run_b()
  :: !has_latent
  fi }

proctype caller(){ byte me=0, seat=0, other=0; bit has_left=0;
  sit();
  b=LATENT;
  task[0]=LATENT;
  block_until_done(0);
  if :: atomic{ b==LATENT -> b=BEGUN }; run_b() :: b!=LATENT fi;
  do
  :: b==DONE -> break
#ifndef WAITER_KEEPS
  :: b!=DONE && blocked>0 && has_latent && !free_seat && on[seat]==me ->
     begin_blocking();
     /* It sleeps for so long that another thread has had the seat. */
     (b==DONE || !has_latent || taken[seat]);
     end_blocking()
#endif
  od;
  leave();
  over=1 }

proctype thread(){ byte me=0, seat=0, other=0; bit has_left=0;
  do
  :: over -> break
  :: !over && has_latent && free_seat ->
     if :: atomic{ free_seat -> sit() }; search(); leave() :: !free_seat fi
  od }

proctype reserve(byte number){ byte me=0, seat=0, other=0; bit has_left=0, goes_back=0;
  do
  :: over -> break
  :: !over && !asleep[number] ->
     do
     :: has_latent && free_seat ->
        if :: atomic{ free_seat -> sit() }; search(); leave() :: !free_seat fi
     :: over -> break
     :: !has_latent || !free_seat ->
#ifdef GOES_BACK
        atomic{ goes_back=1; out--; asleep[number]=1 };
#else
        atomic{ goes_back=(out>blocked); if :: goes_back -> out--; asleep[number]=1 :: else fi };
#endif
        if :: goes_back -> break :: else -> (over || out>blocked || (has_latent && free_seat)) fi
     od
  od }

init{ byte i;
  atomic{
    i=0; do :: i<SEATS -> on[i]=i; i++ :: else -> break od;
    i=SEATS; do :: i<WORKERS -> spare[i]=1; i++ :: else -> break od;
    i=0; do :: i<RESERVE -> asleep[i]=1; run reserve(i); i++ :: else -> break od;
    run caller(); run thread() };
  (_nr_pr==1) ->
  assert(!taken[0] && !taken[SEATS-1] && blocked==0 && b==DONE);
  i=0;
  do
  :: i<WORKERS -> assert(!occupied[i]); assert(spare[i] || on[0]==i || on[SEATS-1]==i); i++
  :: else -> break
  od }
