#!/usr/bin/env bash
# Checks the protocol models in this folder, and that they can fail. Needs spin and gcc. Usage: ./check.sh [name-prefix]
#
# Each .pml file models one protocol; its header says what, which Rust functions it mirrors, and what each mutant breaks. A model,
# or an experiment that is meant to change nothing, must come out `ok`: all states searched, no assertion violated, no deadlock,
# temporal claim kept. A mutant, the model with one deliberate mistake, must come out `bug`. Prints a line for each, with the
# states that the search visited; UNEXPECTED marks the ones that came out otherwise, and the script then exits 1.
#   ladder    the ladder: push, pop, attend, take; -reuse: frames at one stack address; -weak: not x86 but weaker store order
#   chain     helping along the chain of thieves: a take restricted to one task
#   ask       the ask handshake
#   sentinel  the idle rule: somebody always looks again
set -u
here=$(cd "$(dirname "$0")" && pwd); work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; only=${1:-}; ran=0; bad=0
run() { # expected(ok|bug) name model ltl-or-"-" flags...
  local want=$1 name=$2 model=$3 ltl=$4; shift 4
  [[ $name == "$only"* ]] || return 0
  ran=$((ran + 1))
  local d=$work/$name; mkdir -p "$d"; cp "$here/$model.pml" "$d"; cd "$d" || exit 1
  spin "$@" -a "$model.pml" >spin.out 2>&1 || { echo "UNEXPECTED $name: spin failed"; bad=1; return; }
  local safety=-DSAFETY; [ "$ltl" = - ] || safety=-DNFAIR=3
  gcc -O1 $safety -DCOLLAPSE -DMEMLIM=9000 -DVECTORSZ=2048 -o pan pan.c 2>/dev/null || { echo "UNEXPECTED $name: gcc failed"; bad=1; return; }
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
run ok  chain                     chain    -
for m in EARLY MID CLEAR_LATE; do run bug "chain-$m" chain - -D$m; done
run ok  chain-weak                chain    - -DPSO
run bug chain-weak-PUSH_RELAXED   chain    - -DPSO -DPUSH_RELAXED
run ok  ask                       ask      - -DN=2 -DNTASK=4
for m in CLOSE_STORE WITHDRAW_STORE REPLY_BEFORE_CLAIM PARK_PENDING EXIT_PENDING; do run bug "ask-$m" ask - -DN=2 -DNTASK=4 -D$m; done
run ok  sentinel                  sentinel p -DSENT
run ok  sentinel-idle             sentinel q -DSENT
run bug sentinel-none             sentinel p
for m in CAS_THEN_ANNOUNCE ENTRY_NOWAKE NO_HANDOVER DROP_NO_RECHECK STALE_ANNOUNCE; do run bug "sentinel-$m" sentinel p -DSENT -D$m; done
[ "$ran" -gt 0 ] || { echo "no model's name begins with '$only'"; bad=1; }
exit $bad
