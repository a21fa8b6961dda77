/* Biased locks: an owner enters without the lock, others ask it to stay out, and then issue a barrier.
 *
 * Mirrors, below crates/filch/src:
 *   protocol/biased_lock/mod.rs    `enter`, `enter_shared`, `share`, `visit`, `revoke`, `owner_comes`
 *
 * The owner enters ENTRIES times. Others visit, VISITS times in all. The owner's stores without the lock lie in a store
 * buffer until it is drained: by a heavy barrier, by the lock, or at any time. So its look at `biased` may come before
 * others see that it is inside. After the lock has been biased, an entry that took the lock biases it again, or not
 * yet. In the end the owner leaves, and makes the lock shared. With REFUSED, the system may refuse a barrier.
 *
 * Not modelled: waits with a limit: whether the owner comes in time is left open.
 *
 * Who writes what:
 *   biased      the owner sets it, and a visitor resets it, both under the lock
 *   inside      the owner, through its store buffer: `bin` is what it has written last
 *   shared      the owner, when it finds the lock unbiased, and when it biases it, under the lock; a visitor, under the
 *               lock, after its barrier
 *   lk          the lock
 *   users       how many threads touch the value: the same threads
 *
 * Properties:
 *   - No two threads touch the value at the same time.
 *   - Once the owner has left, all visitors get in.
 *   - Nobody waits for ever.
 *
 * Runs (README.md describes the syntax):
 *   @mutants
 *   @ok
 *   @ok ENTRIES=3 VISITS=3
 *   @ok ENTRIES=3 VISITS=3 REFUSED
 *
 * Mutants, each of which must fail:
 *   NO_BARRIER       a visitor issues no barrier
 *   NO_WAIT          a visitor does not wait until the owner is outside
 *   LATE             a visitor asks only after its barrier
 *   STAYS_SHARED     the owner biases the lock and leaves it shared
 *   BLIND            the owner enters without a look
 *   UNLOCKED         an owner that finds the lock unbiased does not take it
 *   LEAVES_BIASED    (REFUSED) the owner leaves the lock as it is
 *   LEAVES_ASKED     (REFUSED VISITS=3) the owner makes the lock shared only if nobody has asked it to stay out
 *   REFUSED_SHARED   (REFUSED VISITS=3) a visitor whose barrier is refused leaves the lock shared */
#ifndef ENTRIES
#define ENTRIES 2
#endif
#ifndef VISITS
#define VISITS 2
#endif
bit biased=1, inside=0, bin=0, shared=0, lk=0, gone=0; byte users=0, visits=VISITS;

inline lock(){ atomic{ lk==0 -> lk=1 } }
inline touch(){ users++; assert(users==1); users-- }

active proctype owner(){ byte n=0;
  do
  :: n==ENTRIES ->
#ifndef LEAVES_BIASED
#ifdef LEAVES_ASKED
     if :: biased -> biased=0; shared=1 :: else fi;
#else
     if :: !shared -> biased=0; shared=1 :: else fi;
#endif
#endif
     gone=1;
     break
  :: else -> n++;
     bin=1;                          /* the store waits in the buffer */
     if
#ifdef BLIND
     :: true ->
#else
     :: biased ->
#endif
        touch();
        atomic{ inside=0; bin=0 }    /* released: nothing before it is left in the buffer */
     :: !biased ->
        atomic{ inside=0; bin=0 };
        shared=1;
#ifndef UNLOCKED
        lock();
#endif
        touch();
        if
        ::
#ifndef STAYS_SHARED
           shared=0;
#endif
           biased=1
        :: skip
        fi;
#ifndef UNLOCKED
        lk=0
#endif
     fi
  od
}
/* The buffer of the owner drains at any time. */
active proctype buffer(){
end_b:
  do :: atomic{ inside!=bin -> inside=bin } od
}
active [2] proctype visitor(){ bit was_gone=0;
  do
  :: atomic{ visits>0 -> visits-- };
     lock();
     was_gone=gone;
     if
     :: shared
     :: else ->
#ifndef LATE
        biased=0;
#endif
        if
        :: shared                    /* the owner has come */
#ifdef REFUSED
        :: true ->                   /* it has not come in time, and there is no barrier */
           assert(!was_gone);
#ifdef REFUSED_SHARED
           shared=1;
#endif
           lk=0; goto next
#endif
        :: true ->                   /* it has not come in time */
#ifndef NO_BARRIER
           inside=bin;
#endif
#ifdef LATE
           biased=0;
#endif
#ifndef NO_WAIT
           !inside;
#endif
           shared=1
        fi
     fi;
     touch();
     lk=0;
next: skip
  :: visits==0 -> break
  od
}
