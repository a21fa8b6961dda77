/* Claims: workers that grow a spanning tree claim vertices by a load, a store and a fence.
 *
 * Mirrors, below crates:
 *   filch-papers/src/trees/claim.rs         `ByFence`, `ByExchange`
 *   filch-graph/src/forest/worklist.rs      `BATCH`: one fence for a batch, before it is visited
 *
 * The graph is any graph of N vertices, and vertex 0 is the root. The edges of a vertex that has been claimed wait. A
 * worker takes some that wait, and reads the parent of the other end of each. If that has none, it gets one, and its
 * edges wait. Two workers may claim the same vertex; the last store decides its parent.
 *
 * Not modelled: how edges move to another worker, which happens after the claim has left the store buffer; and weaker
 * orders than that of x86, where stores leave the buffer in order and loads are done in order.
 *
 * Who writes what:
 *   parent[v]     any worker, by way of its buffer
 *   to[], by[]    the stores in the buffer of a worker, vertex and parent: the worker, and what empties the buffer
 *   own[w]        the edges that wait and that only `w` can see, since the claim is in its buffer: the same
 *   shared        the other edges that wait: what empties buffers, and who takes them
 *
 * Properties, when nothing more can happen:
 *   - From each vertex that has a parent, parents lead to the root along edges: there is no cycle.
 *   - Exactly those vertices have a parent that have a path to the root.
 *   - With EXCHANGE, each vertex has been claimed at most once.
 *
 * Runs (README.md describes the syntax). Under sequential consistency, SC, no fence is needed (Bader and Cong 2005):
 *   @mutants
 *   @ok | BATCH | EXCHANGE | UNFENCED SC | W=3
 *   @bug BATCH UNFENCED
 *
 * Mutants, each of which must fail:
 *   UNFENCED     no fence between a claim and the next load
 *   EARLY        the fence comes before the claim
 *   TORN         (EXCHANGE) the exchange does not compare */
#ifndef N
#define N 3
#endif
#ifndef W
#define W 2          /* workers */
#endif
#define NONE N
#define AT(a,i) ((a)*N+(i))
#define BIT(e) (1<<(e))
/* The edges of the vertex `v`, of which `AT(v,n)` goes to `n`. */
#define ROW(v) (edges&(((1<<N)-1)<<((v)*N)))

int edges=0, shared=0, own[W]=0;
byte parent[N]=NONE, claims[N]=0;
byte to[W*N]=0, by[W*N]=0, held[W]=0;
byte i, j, v;        /* of init */

/* What the worker reads: its own latest store, or else memory. */
inline load(x,found){ d_step{
  found=parent[x]; k=0;
  do :: k<held[me] -> if :: to[AT(me,k)]==x -> found=by[AT(me,k)] :: else fi; k++ :: else -> break od; k=0 } }

inline store(x,y){ d_step{
#ifdef SC
  parent[x]=y; shared=shared|ROW(x)
#else
  own[me]=own[me]|ROW(x); to[AT(me,held[me])]=x; by[AT(me,held[me])]=y; held[me]++
#endif
  } }

inline fence(){ held[me]==0 }

proctype worker(byte me){
  int all=0, batch=0; byte e=0, n=0, p=0, k=0; bit b=0;
end:
  do
  :: atomic{                                              /* takes edges that wait: one, or a batch of them */
       (shared|own[me]) -> all=shared|own[me]; e=0;
       do
       :: all&BIT(e) -> batch=batch|BIT(e);
#ifdef BATCH
            if :: all>>(e+1) -> e++ :: break fi
#else
            break
#endif
       :: all>>(e+1) -> e++
       od;
       own[me]=own[me]&~batch; shared=shared&~batch; all=0; e=0 };
#if defined(BATCH) && !defined(UNFENCED)
     fence();
#endif
     do
     :: batch>>e && !(batch&BIT(e)) -> e++
     :: batch&BIT(e) -> n=e%N;
          load(n,p);
          if
#ifdef EXCHANGE
          :: p==NONE ->
               fence();
               atomic{
#ifdef TORN
                 b=1;
#else
                 b=(parent[n]==NONE);
#endif
                 if :: b -> parent[n]=e/N; claims[n]++; shared=shared|ROW(n) :: else fi; b=0 }
#else
          :: p==NONE ->
#ifdef EARLY
               fence();
#endif
               store(n,e/N);
#if !defined(UNFENCED) && !defined(EARLY) && !defined(BATCH)
               fence()
#else
               skip
#endif
#endif
          :: else
          fi;
          atomic{ batch=batch&~BIT(e); n=0; p=0 }
     :: batch==0 -> break
     od;
     e=0
  od
}

/* Stores leave the buffer in order. */
proctype buffer(byte me){
  byte k=0, b=0;
end:
  do
  :: atomic{ held[me]>0 -> parent[to[AT(me,0)]]=by[AT(me,0)];
       b=to[AT(me,0)]; shared=shared|(own[me]&ROW(b)); own[me]=own[me]&~ROW(b); b=0;
       do :: k+1<held[me] -> to[AT(me,k)]=to[AT(me,k+1)]; by[AT(me,k)]=by[AT(me,k+1)]; k++ :: else -> break od;
       to[AT(me,k)]=0; by[AT(me,k)]=0; k=0; held[me]-- }
  od
}

init{
  bit is_reached[N]=0;
  atomic{
    i=0;
    do
    :: i<N -> j=i+1;
         do :: j<N -> if :: edges=edges|BIT(AT(i,j))|BIT(AT(j,i)) :: skip fi; j++ :: else -> break od;
         i++
    :: else -> break
    od;
    parent[0]=0; shared=ROW(0); i=0; j=0;
    do :: i<W -> run worker(i); run buffer(i); i++ :: else -> break od; i=0
  };
  timeout;
  d_step{
    is_reached[0]=1; i=0;
    do
    :: i<N*N*N -> j=(i/N)%N; v=i%N;
         if :: is_reached[j] && (edges&BIT(AT(j,v))) -> is_reached[v]=1 :: else fi; i++
    :: else -> break
    od;
    i=0;
    do
    :: i<N ->
         assert((parent[i]!=NONE)==is_reached[i]);
#ifdef EXCHANGE
         assert(claims[i]<=1);
#endif
         if
         :: parent[i]!=NONE -> v=i; j=0;
              do :: j<N && v!=0 -> assert(edges&BIT(AT(v,parent[v]))); v=parent[v]; j++ :: else -> break od;
              assert(v==0)
         :: else
         fi;
         i++
    :: else -> break
    od;
    i=0
  }
}
