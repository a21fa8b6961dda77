/* The end of a traversal on three ranks: two waves that find the same.
 *
 * Mirrors crates/filch-cluster/src/traverse:
 *   quiescence.rs  `begin`, `hear`, `judge`
 *   mod.rs         `Driver::run`, `Driver::judge`
 *
 * A rank has work, each piece of which may send a batch to another rank and ends at some time; at most BATCHES are
 * sent in all. A batch makes a piece of work where it arrives. Messages between two ranks keep their order, and take
 * any time. Rank 0 asks all for reports, and they answer at once, whatever they do. Not modelled: pauses between waves;
 * that rank 0 begins none while it has work, which only saves messages.
 *
 * Who writes what: each rank its own entries of `sent`, `received`, `at_work`; rank 0 the sums of the waves.
 *
 * Properties: when rank 0 says that it is over, no rank has work and no batch is under way; and no deadlock: then all
 * ranks leave.
 *
 * Runs (README.md of crates/filch/models describes the syntax):
 *   @ok
 *
 * Mutants, each of which must fail:
 *   ONE_WAVE        one wave is believed that finds as many batches received as sent, and nothing active
 *   NO_ACTIVE       what is active is not counted
 *   EARLY_RECEIPT   a batch counts as received before its items count as active
 *   NO_COUNTS       (BATCHES=2) what is active is counted, but batches are not */
#define N 3
#ifndef BATCHES
#define BATCHES 3
#endif
#define CH(from,to) channel[(from)*N+(to)]

mtype = { Batch, Wave, Report, Over };
/* The message; what a report counts: sent, received, at_work. */
chan channel[N*N] = [6] of { mtype, byte, byte, byte };

byte sent[N], received[N], at_work[N], arrived[N];
byte batches=0;
bit out[N];

inline report(r){
  CH(r,0)!Report,sent[r],received[r],at_work[r]
}

/* What has come from rank q. */
inline receive(r, q){
  CH(q,r)?m,a,b,c;
  if
  :: m==Batch ->
     received[r]++;
#ifdef EARLY_RECEIPT
     arrived[r]++
#else
     at_work[r]++
#endif
  :: m==Wave -> report(r)
  :: m==Report -> missing--; sum_sent=sum_sent+a; sum_received=sum_received+b; sum_work=sum_work+c
  :: m==Over -> out[r]=1
  fi;
  m=Batch; a=0; b=0; c=0
}

#ifdef NO_ACTIVE
#define IS_IDLE 1
#else
#define IS_IDLE (sum_work==0)
#endif
#ifdef NO_COUNTS
#define IS_EVEN 1
#else
#define IS_EVEN (sum_sent==sum_received)
#endif
#ifdef ONE_WAVE
#define IS_SAME 1
#else
#define IS_SAME (has_before && sum_sent==sent_before && sum_received==received_before && sum_work==work_before)
#endif

proctype Rank(byte r){
  mtype m=Batch; byte a=0, b=0, c=0, q=0;
  /* At rank 0. */
  byte missing=0, sum_sent=0, sum_received=0, sum_work=0, sent_before=0, received_before=0, work_before=0;
  bit has_before=0, has_begun=0;
  do
  :: out[r] -> break
  :: atomic{ !out[r] && nempty(CH(0,r)) -> receive(r, 0) }
  :: atomic{ !out[r] && nempty(CH(1,r)) -> receive(r, 1) }
  :: atomic{ !out[r] && nempty(CH(2,r)) -> receive(r, 2) }

  /* The items of a batch begin to count. */
#ifdef EARLY_RECEIPT
  :: atomic{ arrived[r]>0 -> arrived[r]--; at_work[r]++ }
#endif

  /* A piece of work sends a batch, or ends. */
  :: atomic{ at_work[r]>0 && batches<BATCHES -> if :: q=(r+1)%N :: q=(r+2)%N fi;
       batches++; sent[r]++; CH(r,q)!Batch,0,0,0; q=0 }
  :: atomic{ at_work[r]>0 -> at_work[r]-- }

  /* A wave is complete: it is over, or the next one begins. */
  :: atomic{ r==0 && !out[0] && missing==0 ->
       if
       :: has_begun && IS_EVEN && IS_IDLE && IS_SAME ->
          assert(at_work[0]+at_work[1]+at_work[2]+arrived[0]+arrived[1]+arrived[2]==0);
          assert(sent[0]+sent[1]+sent[2]==received[0]+received[1]+received[2]);
          CH(0,1)!Over,0,0,0; CH(0,2)!Over,0,0,0; out[0]=1
       :: else ->
          /* Waves have no numbers here, so that there are finitely many states. */
          has_before=has_begun; has_begun=1;
          sent_before=sum_sent; received_before=sum_received; work_before=sum_work;
          sum_sent=sent[0]; sum_received=received[0]; sum_work=at_work[0]; missing=N-1;
          CH(0,1)!Wave,0,0,0; CH(0,2)!Wave,0,0,0
       fi }
  od
}

init {
  atomic {
    /* Any ranks have work in the beginning. */
    if :: at_work[0]=1 :: skip fi;
    if :: at_work[1]=1 :: skip fi;
    run Rank(0); run Rank(1); run Rank(2)
  }
  ;
  (out[0] && out[1] && out[2]);
  byte i=0;
  do
  :: i<N*N -> assert(empty(channel[i])); i++
  :: else -> break
  od
}
