#!/usr/bin/env bash
# Checks the protocol models in this folder, and that they can fail. Needs spin and gcc. Usage: ./check.sh [name-prefix]
#
# Each .pml file models one protocol. Its header says what it models, which Rust functions it mirrors, and what each
# mutant breaks. A model must come out `ok`: all states searched, no assertion violated, no deadlock, temporal claims
# kept. So must an experiment, a variant that is meant to change nothing. A mutant, the model with one deliberate
# mistake, must come out `bug`. The script prints a line for each, with the number of states that the search visited.
# UNEXPECTED marks those that came out otherwise; then the script exits with 1.
#   ladder    the ladder: push, pop, attend, take; -reuse: frames at one stack address; -weak: a store order weaker than
#             x86
#   barrier   thieves that share a barrier
#   range     loops on the ladder: claim, split; -join: with forks inside; -nest: also with loops inside; -below: in a
#             fork
#   chain     helping along the chain of thieves: a take restricted to one task
#   parts     helping: whose frame is a part of what a worker waits for, and that such frames are found
#   ask       the ask handshake
#   reclaim   a frame in a mailbox, which its owner may get back
#   items     spawn loops: the right to iterate, and the list of parts
#   sentinel  the rule for idle threads: one of them always looks again
#   watch     sleeping for long: a ladder that gets another oldest frame calls
#   scope     the tasks of a scope, in pools, and the owner that waits for them
#   aside     helping at the end of a scope above an older frame
#   lanes     traversals: how the end of a phase, and of the whole, is detected
#   invitations  traversals: which workers are called, so that no batch waits while a worker that could come is not
#                called
#   seats     which threads work for a team when threads enter one team from within another; -SCENARIO-MUTANT
set -u
here=$(cd "$(dirname "$0")" && pwd); work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; only=${1:-}; ran=0; bad=0
optimise=-O1   # -O0 for models whose bug is found so soon that the compiler takes longer than the search
run() { # expected(ok|bug) name model ltl-or-"-" flags...
  local want=$1 name=$2 model=$3 ltl=$4; shift 4
  [[ $name == "$only"* ]] || return 0
  ran=$((ran + 1))
  local d=$work/$name; mkdir -p "$d"; cp "$here/$model.pml" "$d"; cd "$d" || exit 1
  spin "$@" -a "$model.pml" >spin.out 2>&1 || { echo "UNEXPECTED $name: spin failed"; bad=1; return; }
  local safety=-DSAFETY; [ "$ltl" = - ] || safety=-DNFAIR=3
  gcc $optimise $safety -DCOLLAPSE -DMEMLIM=9000 -DVECTORSZ=2048 -o pan pan.c 2>/dev/null || { echo "UNEXPECTED $name: gcc failed"; bad=1; return; }
  if [ "$ltl" = - ]; then timeout 300 ./pan -m100000 >pan.out 2>&1; else timeout 300 ./pan -a -f -N "$ltl" -m8000000 >pan.out 2>&1; fi
  local errors; errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.out | tail -1)
  local got=bug
  case ${errors:-none} in
    none) got=unfinished ;;                                             # killed by the time limit
    0) got=ok; ! grep -qE 'max search depth too small|Search not completed' pan.out || got=unfinished ;;
  esac
  local states; states=$(sed -n 's/ *\([0-9.e+]*\) states, stored.*/\1/p' pan.out | head -1)
  [ "$got" = "$want" ] || { bad=1; echo -n "UNEXPECTED "; }
  echo "$name: $got (${states:-?} states)"
}
x86=(-DK=2 -DNF=4 -DNA=2 -DNS=1); weak=(-DK=2 -DNF=3 -DNA=2 -DNS=1 -DPSO)
run ok  ladder                    ladder   - "${x86[@]}" -DINVARIANT
run ok  ladder-reuse              ladder   - "${x86[@]}" -DINVARIANT -DREUSE
run ok  ladder-LOWER_UNTESTED     ladder   - "${x86[@]}" -DLOWER_UNTESTED
for m in NOFENCE FENCE_FIRST NOFENCE_OWNER NO_NULL EARLY_SLOT EARLY_PTR REREAD LATE_SLOT LATE_CLAIM NO_WALL THIEF_NULLS STALE_KEPT \
  SPLIT_MAX PLAIN_RESTORE LOWER_ALWAYS PLAIN_RESET RESET_ZERO NOLOCK_RESET NO_RESET_H GONE_LATE GIVE_ATTENDED CHECK_BEFORE KEEP_ASK \
  RAISE_FIRST; do run bug "ladder-$m" ladder - "${x86[@]}" -D$m; done
run ok  ladder-weak               ladder   - "${weak[@]}" -DINVARIANT
run ok  ladder-weak-reuse         ladder   - "${weak[@]}" -DINVARIANT -DREUSE
run ok  ladder-weak-SLOT_OVERTAKE ladder   - "${weak[@]}" -DINVARIANT -DREUSE -DSLOT_OVERTAKE
for m in PUSH_RELAXED UNLOCK_RELAXED; do run bug "ladder-weak-$m" ladder - "${weak[@]}" -D$m; done
run ok  barrier                   barrier  - -DV=3 -DPOPS=1
run ok  barrier-2                 barrier  - -DPOPS=3
run ok  barrier-REFUSES           barrier  - -DREFUSES
run ok  barrier-FLUSH             barrier  - -DNO_BARRIER -DFLUSH
optimise=-O0
for m in NO_BARRIER NO_FENCE SHARE_CURRENT BEGUN_LATE LOCK_SHORT; do run bug "barrier-$m" barrier - -D$m; done
for m in REFUSED_COUNTS TAKES_REFUSED; do run bug "barrier-REFUSES-$m" barrier - -DREFUSES -D$m; done
optimise=-O1
loop=(-DN1=4); join=(-DN1=3 -DWITH_JOIN); below=(-DBELOW -DN2=3 -DWITH_LOOP)
run ok  range                     range    - -DN1=5 -DNS=2 -DINVARIANT
run ok  range-join                range    - "${join[@]}" -DINVARIANT
run ok  range-nest                range    - "${join[@]}" -DWITH_LOOP -DNA=1 -DINVARIANT
run ok  range-below               range    - "${below[@]}" -DINVARIANT
run ok  range-weak                range    - "${loop[@]}" -DNA=1 -DPSO -DINVARIANT
run ok  range-weak-join           range    - "${join[@]}" -DNA=1 -DPSO -DINVARIANT
run ok  range-weak-below          range    - "${below[@]}" -DNA=1 -DPSO -DINVARIANT
run ok  range-weak-POP_RELAXED    range    - "${loop[@]}" -DPSO -DINVARIANT -DPOP_RELAXED
run ok  range-join-GONE_ENDS      range    - "${join[@]}" -DNA=1 -DINVARIANT -DGONE_ENDS
run ok  range-join-FENCE_ONCE     range    - "${join[@]}" -DINVARIANT -DFENCE_ONCE
run ok  range-weak-FENCE_ONCE     range    - "${loop[@]}" -DPSO -DINVARIANT -DFENCE_ONCE
optimise=-O0
run ok  range-SPECULATE           range    - "${loop[@]}" -DINVARIANT -DSPECULATE
run ok  range-H_MOVES-safe        range    - "${loop[@]}" -DH_MOVES
run ok  range-LOWER_SPLIT-silent  range    - "${loop[@]}" -DSILENT -DLOWER_SPLIT
for m in LOWER_SPLIT LOWER_UNTESTED; do run bug "range-SPECULATE-$m" range - "${loop[@]}" -DSILENT -DSPECULATE -D$m; done
for m in NOFENCE FENCE_FIRST FENCE_UNRAISED NOFENCE_OWNER NO_NULL HALF_EARLY HI_EARLY LO_LATE BLOCK_SHOWN EMPTY ATTEND_LATE WRITE_EARLY \
  SKIP_SPLIT NOLOCK CHECK_BEFORE RAISE_FIRST LOWER_FIRST LOWER_SPLIT LOWER_UNTESTED TOUCH_REFUSED UNLOCK_FIRST H_STAYS
do run bug "range-$m" range - "${loop[@]}" -D$m; done
for m in HI_KEPT HOLE NO_RESET_H GIVE_UNLOCKED GIVE_STAYS GIVE_OWN_MOVES; do run bug "range-join-$m" range - "${join[@]}" -D$m; done
run bug range-below-GIVE_LOW      range    - "${below[@]}" -DGIVE_LOW
for m in H_MOVES GIVE_MOVES RESET_ABOVE; do run bug "range-join-$m" range - "${join[@]}" -DINVARIANT -D$m; done
for m in PUSH_RELAXED UNLOCK_RELAXED; do run bug "range-weak-join-$m" range - "${join[@]}" -DNA=1 -DPSO -D$m; done
optimise=-O1
run ok  chain                     chain    -
for m in EARLY MID CLEAR_LATE; do run bug "chain-$m" chain - -D$m; done
run ok  chain-weak                chain    - -DPSO
run ok  chain-weak-POP_RELAXED    chain    - -DPSO -DPOP_RELAXED
run bug chain-weak-PUSH_RELAXED   chain    - -DPSO -DPUSH_RELAXED
run ok  parts                     parts    -
run ok  parts-ONE_ROOT            parts    - -DONE_ROOT
run ok  parts-DONE_LAST           parts    - -DONE_ROOT -DDONE_LAST
for p in p0 p1 p2; do run ok "parts-LIVE-$p" parts $p -DLIVE; done
for m in LOOK_EARLY ANY_HOLDER; do run bug "parts-$m" parts - -D$m; done
run bug parts-LIVE_FIRST          parts    - -DNT=6 -DLIVE_FIRST
for m in ONE_STEP THIEF_ONLY; do run bug "parts-LIVE-$m" parts p1 -DLIVE -D$m; done
run ok  ask                       ask      -
run ok  ask-NO_SEQ                ask      - -DNO_SEQ
run ok  ask-NOWITHDRAW            ask      - -DNOWITHDRAW
optimise=-O0
for m in CLOSE_STORE WITHDRAW_STORE REPLY_BEFORE_CLAIM PARK_PENDING RETURN_PENDING EXIT_PENDING NO_LIVE WANT_LATE ASK_EARLY; do
  run bug "ask-$m" ask - -D$m; done
run bug ask-WAIT_OPEN             ask      - -DNOWITHDRAW -DWAIT_OPEN
optimise=-O1; three=(-DN=3 -DEXTRA=0 -DNO_SEQ)
run ok  ask-3                     ask      - "${three[@]}" -DFORKS=1
run ok  ask-3-NOWITHDRAW          ask      - "${three[@]}" -DNOWITHDRAW
run bug ask-3-VICTIM_BLIND        ask      - "${three[@]}" -DNOWITHDRAW -DVICTIM_BLIND
run ok  reclaim                   reclaim  -
optimise=-O0
for m in FLAG PLAIN_RECLAIM ASSUME LOAD_STORE TOUCH_DONE REPLY_FIRST REPLY_LOCKLESS REPLY_RELAXED KEEP_DONE TAKE_LATE NO_COLLECT \
  UNWIND_SILENT UNWIND_NOTHING UNWIND_TWICE; do run bug "reclaim-$m" reclaim - -DNA=1 -D$m; done
optimise=-O1
run ok  items                     items    -
run ok  items-4                   items    - -DNW=4 -DNI=2
optimise=-O0
for m in KEEP_RIGHT NEXT_LATE LINK_FIRST NEXT_BY_VICTIM FIRST_ONLY NO_AWAITED PRUNE_UNDONE PRUNE_TOLD BLIND_REMOVE BLIND_PRUNE BLIND_WALK \
  RECLAIM_BLIND; do run bug "items-$m" items - -D$m; done
run bug items-NO_PRUNE            items    - -DNI=7 -DNO_PRUNE
optimise=-O1
run ok  sentinel                  sentinel p -DSENT
run ok  sentinel-idle             sentinel q -DSENT -DVISITS=0 -DONCE
run ok  sentinel-LEAVE_NOWAKE     sentinel p -DSENT -DLEAVE_NOWAKE
optimise=-O0
run bug sentinel-none             sentinel p
for m in CAS_THEN_ANNOUNCE ENTRY_NOWAKE NO_HANDOVER DROP_NO_RECHECK STALE_ANNOUNCE WATCH_LOOK_FIRST MARK_SILENT TRUST_ROLE; do
  run bug "sentinel-$m" sentinel p -DSENT -D$m; done
run bug sentinel-idle-LINGER_FOREVER sentinel q -DSENT -DVISITS=0 -DONCE -DLINGER_FOREVER
optimise=-O1
run ok  watch                     watch    p
run ok  watch-WINDOW-BACKSTOP     watch    p -DWINDOW -DBACKSTOP
optimise=-O0
for m in WINDOW LOOK_FIRST FLAG_LATE MARK_ONLY MARK_FIRST ATTEND_FORGETS TAKE_FORGETS TAKE_SILENT CALL_EARLY CALL_FIRST CALL_ONCE; do
  run bug "watch-$m" watch p -D$m; done
optimise=-O1
run ok  lanes                     lanes    -
run ok  lanes-2                   lanes    - -DN=2 -DLEFT=5
run ok  lanes-HOLDS_LATE          lanes    - -DLEFT=2 -DHOLDS_LATE
run ok  lanes-MORE_OF_BUSY        lanes    - -DLEFT=2 -DMORE_OF_BUSY
optimise=-O0
for m in STEAL_UNCOUNTED ABANDONED TAKE_OVER_BUSY TAKE_OVER_FULL COUNTED_TWICE OWN_COUNTS OWN_NOT_BUSY BUSY_KEPT UNCOUNT_FIRST \
  FLUSH_LATE PIECEMEAL SHOW_FIRST COUNT_ALL COUNT_UNMARKED OWN_NEXT_ONLY ADVANCE_ANY NO_LAST_LOOK PICKY_LOOK OWN_LOOK_ONLY \
  MORE_UNSEEN MORE_LATER MORE_FIRST ACTION_LATE ACTION_ANY ACTION_EARLY
do run bug "lanes-$m" lanes - -D$m; done
run bug lanes-2-MORE_REPLACES     lanes    - -DN=2 -DLEFT=5 -DMORE_REPLACES
optimise=-O1
run ok  invitations               invitations - -DLEFT=4
run ok  invitations-STOP          invitations - -DSTOP
run ok  invitations-nested        invitations - -DTHREADS=3
run ok  invitations-3             invitations - -DW=3 -DLEFT=2
run ok  invitations-OPEN_TWICE    invitations - -DOPEN_TWICE
optimise=-O0
for m in NO_SECOND_LOOK LOOK_FIRST STAYS_COUNTED OFFER_FIRST TAKE_UP_LATE NEVER_TAKEN_UP OPEN_BLIND FOUND_ONLY INVITE_GONE
do run bug "invitations-$m" invitations - -D$m; done
optimise=-O1
for s in OUT CYCLE CYCLE3 TWO LATE TASK CHAIN HELP STALE SWAP SMUGGLE SMUGGLE_LATE SMUGGLE_HELP; do run ok "seats-$s" seats - "-D$s"; done
for s in OUT CYCLE CYCLE3 TWO TASK SWAP SMUGGLE SMUGGLE_HELP; do run ok "seats-$s-UNSEATED" seats - "-D$s" -DUNSEATED=2; done
for sm in OUT-{CANCEL_BLIND,CANCEL_UNLOCKED,UNSEATED_FREES} CYCLE-LOAN_BLIND
do run bug "seats-$sm" seats - "-D${sm%%-*}" "-D${sm#*-}" -DUNSEATED=2; done
for sm in SMUGGLE-LATEST_EXEMPT SMUGGLE_LATE-JOIN_NO_AWAIT SMUGGLE_HELP-HELP_LATEST OUT-{NO_SECOND_LOOK,NO_LOOK_AFTER,HAND_AND_FREE,RETAKE_BLIND} TASK-{JOIN_KEEPS,JOIN_NO_LOOK,LEND_ANYONE} CYCLE-REQUEST_KEEPS \
  CHAIN-CHAIN_SHORT SWAP-JOINS_ONLY HELP-OWN_ONLY STALE-STALE_JOIN LATE-NO_AWAIT TWO-{REENTER_LENT,NO_OWN_BACK,RETURN_TO_QUEUE}
do run bug "seats-$sm" seats - "-D${sm%%-*}" "-D${sm#*-}"; done
run ok  scope                     scope    -
run ok  scope-leaves              scope    - -DLEAVES -DLEFT=4 -DFOREIGN=2
run ok  scope-meet                scope    - -DMEET
optimise=-O0
for m in PUSH_FIRST NO_CALL CALL_EARLY CALL_SILENT NO_SECOND_LOOK ANNOUNCE_BLIND LAST_BLIND TOUCH_LATE MOVE_SILENT BODY_ONLY; do
  run bug "scope-leaves-$m" scope - -DLEAVES -D$m; done
for m in NO_ACTIVATE ACTIVATE_EARLY; do run bug "scope-meet-$m" scope - -DMEET -D$m; done
optimise=-O1
for f in "" -IDLE; do run ok "aside$f" aside p ${f/-/-D}; run ok "aside-THIRD$f" aside p -DTHIRD ${f/-/-D}; done
optimise=-O0
run bug aside-OWN_LADDER          aside    p -DOWN_LADDER
run bug aside-UNCOMPARED          aside    p -DOWN_LADDER -DUNCOMPARED
run bug aside-THIRD-ORPHAN        aside    p -DTHIRD -DORPHAN
[ "$ran" -gt 0 ] || { echo "no model's name begins with '$only'"; bad=1; }
exit $bad
