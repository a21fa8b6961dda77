/* A search on three ranks: asks, parts that move, results that return, losses, the end.
 *
 * Mirrors crates/filch-policy/src/cluster/asks.rs (`Asking`, `Asked`) and, below crates/filch-cluster/src/protocol:
 *   parts.rs   `give`, `settle`, `returned`, `lose`
 *   ending.rs  `quiet`, `is_over`
 *   mod.rs     `hear`
 *   turn.rs    `tick`
 *
 * The work is a number of leaves. Rank 0 has the whole of it, part 0. A rank counts the leaves of the parts that it
 * has, and gives half of one to a rank that asks: one part for an ask, since of several each has its own result.
 * Messages between two ranks keep their order. Not modelled: back-off, times, parked asks (an ask may wait at a rank
 * that works for as long as it works). FINDS: a solution may end the search at any time.
 *
 * Who writes what: each rank its own entries; of a part, the rank that has it. `sent` and `got` count what is not
 * answered, and are told in Done and Leave.
 *
 * Properties: rank 0 counts each leaf once; an answer answers an ask; a bound never gets worse; all ranks leave (no
 * deadlock), and then nothing is under way.
 *
 * Runs (README.md of crates/filch/models describes the syntax):
 *   @ok ASKS=2 | MAY_LOSE LEAVES=3 | WITH_BOUND LEAVES=2 | FINDS
 *
 * Mutants, each of which must fail:
 *   LOSE_REPLY     a rank without work does not answer
 *   TWO_REPLIES    a rank refuses after it has given
 *   DONE_EARLY     a rank is done before its ask has been answered
 *   COUNT_TWICE    (MAY_LOSE LEAVES=3) the result of a part that is done again counts, too
 *   FORGET_LOST    (MAY_LOSE LEAVES=3) what a lost rank had is not done again
 *   LEAVE_BLIND    (FINDS) a rank leaves before it has all that it was sent
 *   BOUND_BACK     (WITH_BOUND LEAVES=2) a rank takes a bound that is worse than its own */
#define N 3
#ifndef LEAVES
#define LEAVES 4
#endif
#ifndef ASKS
#define ASKS 1
#endif
#define PARTS 5
#define NONE 9
#define CH(from,to) channel[(from)*N+(to)]
#define COMES(r) (nempty(CH(0,r)) || nempty(CH(1,r)) || nempty(CH(2,r)))
#define WAIT(r) (waits[r*N] || waits[r*N+1] || waits[r*N+2])
#define IS_AWAY(rank) (done[rank] || (lost==rank && noticed[0]))

mtype = { Ask, Give, Refuse, Result, Better, Bound, End, Done, Leave };
/* The message; the part or bound; the value. */
chan channel[N*N] = [5] of { mtype, byte, byte };

/* Parts: who has it, who gave it, of what it is a piece, how many leaves it had, are left, have been counted; how many
 * of its pieces are under way; whether its result is wanted. */
byte holder[PARTS]=NONE, giver[PARTS]=NONE, parent[PARTS], size[PARTS], left[PARTS], value[PARTS], away[PARTS];
bit wanted[PARTS]; byte parts=0;
/* To whom it was given. */
byte holder_of[PARTS]=NONE;

bit over[N], out[N], done[N], said_done[N], asking[N], waits[N*N];
byte to[N], asks[N], sent[N*N], got[N*N], bound[N]=2;
/* Which rank is lost, and who has noticed. */
byte lost=NONE; bit noticed[N]; bit may_leave[N];

/* Whether what comes from a rank that is known to be lost, and the result of a part that is done again, is ignored. */
#ifdef COUNT_TWICE
#define IGNORES_LOST 0
#else
#define IGNORES_LOST 1
#endif
#ifdef DONE_EARLY
#define IS_QUIET(r) 1
#else
#define IS_QUIET(r) (!asking[r])
#endif

inline send(from, rank, message, a, b){
  CH(from,rank)!message,a,b
}

inline told(from, rank, message, a, b){
  sent[(from)*N+(rank)]++; send(from, rank, message, a, b)
}

inline has_work(r){
  works=0; i=0;
  do :: i<PARTS -> if :: holder[i]==r && left[i]>0 -> works=1 :: else fi; i++ :: else -> break od
}

/* A new part of `p` with k leaves. */
inline make(p, k, whose, by){
  new=parts; parts++;
  size[new]=k; left[new]=k; parent[new]=p; giver[new]=by; holder[new]=whose; wanted[new]=1
}

inline to_all(r, message, a, b){
  i=0;
  do :: i<N -> if :: i!=r && !(lost==i && noticed[r]) -> send(r, i, message, a, b) :: else fi; i++ :: else -> break od
}

/* What has come from rank q. */
inline receive(r, q){
  CH(q,r)?m,a,b;
  if
  :: lost==q && noticed[r] && IGNORES_LOST -> skip
  :: else ->
    if
    :: m==Ask -> waits[r*N+q]=1
    :: m==Give ->
       assert(asking[r] && to[r]==q); asking[r]=0;
       if :: !over[r] -> holder[a]=r :: else fi
    :: m==Refuse -> assert(asking[r] && to[r]==q); asking[r]=0
    :: m==Result ->
       got[r*N+q]++;
       if
       :: !over[r] && (wanted[a] || !IGNORES_LOST) && holder[parent[a]]==r ->
          value[parent[a]]=value[parent[a]]+b;
          if :: wanted[a] -> away[parent[a]]-- :: else fi;
          wanted[a]=0
       :: else
       fi
    :: m==Better -> got[r*N+q]++; if :: !over[r] && a<bound[r] -> bound[r]=a; raise(r) :: else fi
    :: m==Bound -> got[r*N+q]++;
#ifdef BOUND_BACK
       assert(a<=bound[r]); bound[r]=a
#else
       if :: a<bound[r] -> bound[r]=a :: else fi
#endif
    :: m==End -> over[r]=1
    :: m==Done -> done[q]=1
    :: m==Leave -> may_leave[r]=1
    fi
  fi;
  m=Ask; a=0; b=0
}

/* Rank 0 tells the others of a better bound. */
inline raise(r){
  i=1;
  do :: i<N -> told(r, i, Bound, bound[r], 0); i++ :: else -> break od
}

/* The other ranks have been told to leave, and what they were sent. Rank r has it all. */
inline has_all(r){
  all=1; i=0;
  do :: i<N -> if :: i!=lost && got[r*N+i]<sent[i*N+r] -> all=0 :: else fi; i++ :: else -> break od
}

proctype Rank(byte r){
  byte i=0, p=0, q=0, a=0, b=0, new=0; bit works=0, all=0; mtype m=Ask;
  do
  :: out[r] || lost==r -> break

  :: atomic{ !out[r] && lost!=r && nempty(CH(0,r)) -> receive(r, 0) }
  :: atomic{ !out[r] && lost!=r && nempty(CH(1,r)) -> receive(r, 1) }
  :: atomic{ !out[r] && lost!=r && nempty(CH(2,r)) -> receive(r, 2) }

  /* Counts a leaf. */
  :: atomic{ !over[r] && lost!=r -> has_work(r);
       if :: works -> p=0;
             do :: holder[p]==r && left[p]>0 -> break :: else -> p++ od;
             left[p]--; value[p]++; p=0
#ifdef WITH_BOUND
             ; if
             :: bound[r]>r && r<2 -> bound[r]=(r==0 -> 1 : 0);
                if :: r==0 -> raise(r) :: else -> told(r, 0, Better, bound[r], 0) fi
             :: skip
             fi
#endif
          :: else -> 
             /* Nothing is left of a part: its result goes up. */
             p=0;
             do :: p<PARTS && !(holder[p]==r && left[p]==0 && away[p]==0) -> p++ :: else -> break od;
             if
             :: p==PARTS -> p=0; works=0;
                /* Without work it asks. */
                if
                :: !asking[r] && asks[r]<ASKS ->
                   if :: q=(r+1)%N :: q=(r+2)%N fi;
                   if
                   :: noticed[r] && lost==q -> skip
                   :: else -> asking[r]=1; to[r]=q; asks[r]++; send(r, q, Ask, 0, 0)
                   fi;
                   q=0
                :: else -> (over[r] || lost==r || COMES(r) || WAIT(r) || (lost!=NONE && !noticed[r]))
                fi
             :: p==0 -> assert(value[0]==LEAVES); over[0]=1; holder[0]=NONE; to_all(r, End, 0, 0)
             :: else ->
                holder[p]=NONE; 
                if
                :: giver[p]==r -> value[parent[p]]=value[parent[p]]+value[p]; away[parent[p]]--; wanted[p]=0
                :: giver[p]!=r && !(lost==giver[p] && noticed[r]) -> told(r, giver[p], Result, p, value[p])
                :: else
                fi;
                p=0
             fi
       fi; works=0; i=0 }

  /* Answers an ask. */
  :: atomic{ lost!=r && !out[r] && WAIT(r) ->
       q=0; do :: waits[r*N+q] -> break :: else -> q++ od;
       if
       :: noticed[r] && lost==q -> waits[r*N+q]=0
       :: else ->
          p=0; 
          do :: p<PARTS && !(holder[p]==r && left[p]>1) -> p++ :: else -> break od;
          if
          :: !over[r] && p<PARTS && parts<PARTS ->
             make(p, left[p]/2, NONE, r); left[p]=left[p]-left[new]; away[p]++;
             waits[r*N+q]=0; holder_of[new]=q; send(r, q, Give, new, 0);
#ifdef TWO_REPLIES
             send(r, q, Refuse, 0, 0);
#endif
             new=0
          :: else -> 
             waits[r*N+q]=0;
#ifdef LOSE_REPLY
             if :: over[r] -> send(r, q, Refuse, 0, 0) :: !over[r] fi
#else
             send(r, q, Refuse, 0, 0)
#endif
          fi
       fi; p=0; q=0 }

  /* The end. */
  :: atomic{ over[r] && lost!=r && !out[r] && !said_done[r] && IS_QUIET(r) &&
       (r!=0 || (IS_AWAY(1) && IS_AWAY(2))) ->
       said_done[r]=1;
       if
       :: r==0 -> may_leave[0]=1; to_all(r, Leave, 0, 0)
       :: else -> send(r, 0, Done, 0, 0)
       fi; i=0 }
  :: atomic{ may_leave[r] && !out[r] && lost!=r ->
#ifdef LEAVE_BLIND
       all=1;
#else
       has_all(r);
#endif
       if :: all -> out[r]=1 :: else -> (COMES(r) || lost==r) fi; all=0; i=0 }

#ifdef FINDS
  :: atomic{ r==0 && !over[0] -> over[0]=1; holder[0]=NONE; to_all(0, End, 0, 0); i=0 }
#endif

#ifdef MAY_LOSE
  /* It learns that a rank is lost. */
  :: atomic{ lost!=NONE && lost!=r && !noticed[r] && !out[r] ->
       noticed[r]=1; waits[r*N+lost]=0;
       if :: asking[r] && to[r]==lost -> asking[r]=0 :: else fi;
       if
       :: over[r]
       :: else ->
          p=0;
          do
          :: p<parts ->
             if
             /* A part that this rank has given to it, and whose result has not come. */
             :: giver[p]==r && holder_of[p]==lost && wanted[p] ->
                wanted[p]=0;
#ifndef FORGET_LOST
                make(parent[p], size[p], r, r)
#else
                away[parent[p]]--
#endif
             /* One that it gave to this rank. */
             :: else ->
                if
                :: p>0 && giver[p]==lost && holder[p]==r ->
                   holder[p]=NONE; left[p]=0
                :: else
                fi
             fi; p++
          :: else -> break
          od;
          p=0; new=0
       fi }
#endif
  od
}

init {
  atomic {
    parts=1; holder[0]=0; size[0]=LEAVES; left[0]=LEAVES; wanted[0]=1;
    run Rank(0); run Rank(1); run Rank(2)
  }
#ifdef MAY_LOSE
  ;
  /* One of the others may be lost at any time. */
  if
  :: lost=1
  :: lost=2
  :: skip
  fi
#endif
  ;
  ((out[0] || lost==0) && (out[1] || lost==1) && (out[2] || lost==2));
  byte c=0;
  do
  :: c<N*N -> assert(empty(channel[c]) || c/N==lost || c%N==lost); c++
  :: else -> break
  od
}
