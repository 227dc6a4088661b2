#!/bin/sh
# wrong_kernels.sh LINKWORK WRONG ROBOT LOOPED: runs `prove` and `check` with the program, and with one that has a wrong sign in Kane's
# equations, the regressor, the Coriolis matrix, the centroidal momentum, the rate of the Jacobian, poses and accelerations of links, wrenches on links, control,
# Gibbs' function of links fixed to the base, and the forces in the cuts of loops (tests/CMakeLists.txt).
# The second must say no for each of them, and for nothing else.
set -eu
LC_ALL=C LINKWORK_ISA=baseline # the wrong kernels are those of the baseline
export LC_ALL LINKWORK_ISA
right=$1 wrong=$2 robot=$3 looped=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
  echo "wrong_kernels.sh: $*" >&2
  head -n 60 "$work"/out "$work"/err >&2
  exit 1
}

# says EXIT PROGRAM ARGUMENTS: output goes to the files out and err
says()
{
  expected=$1 program=$2 status=0
  shift 2
  "$program" "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status -eq "$expected" ] || fail "$(basename "$program") $*: exit $status, expected $expected"
}

has()
{
  grep -Eq -- "$2" "$work/$1" || fail "nothing in $1 matches: $2"
}

# only QUESTION...: rows that say no are about these, all of them
only()
{
  for question; do has out "(^|,)$question,.*,no(,|\$)"; done
  pattern=$(echo "$*" | tr ' ' '|')
  ! grep -E ',no(,|$)' "$work/out" | grep -Ev "(^|,)($pattern)," || fail "something else is wrong"
}

says 0 "$right" prove "$robot"
has out '^inverse,kane,newton-euler,.*,yes,'
says 1 "$wrong" prove "$robot"
has out '^inverse,kane,newton-euler,[0-9]+,[0-9]+,[0-9.]+e-[0-9]+,no,1,[0-9]+,[0-9]+$'
[ "$(grep -c '^inverse,.*,no,' "$work/out")" -eq 1 ] || fail "one identity of inverse dynamics is wrong, no more"
only inverse wrench regressor coriolis-matrix centroidal jacobian-rate control poses velocities accelerations
has err 'inverse: kane is not newton-euler: seed 1, point [0-9]+, entry [0-9]+ of 6'

says 1 "$wrong" prove "$robot" --format json
has out '"left": "kane", .*"holds": false, "structure": 1, "witness": [0-9]+, "entry": [0-9]+'

# Random structures: the message names the structure, too
says 1 "$wrong" prove --random 4 --seed 2
has err 'inverse: kane is not newton-euler: seed 2, point [0-9]+'
has err 'structure [1-4]: '

says 0 "$right" check "$robot" --states 10
says 1 "$wrong" check "$robot" --states 10
has out '^agreement,inverse,kane,.*,no$'
only inverse energy regressor coriolis-matrix centroidal jacobian-rate control poses accelerations
has out "^power of wrenches,energy,.*,no\$"

says 0 "$right" check "$looped" --states 10
says 1 "$wrong" check "$looped" --states 10
has out '^forces in the cuts,inverse,newton-euler,.*,no$'
! grep -Eq '^(equation of motion|d row/dt|loops closed),.*,no$' "$work/out" || fail "closing and forward dynamics are right"

# a robot with a link that is fixed to the base
post=$(dirname "$0")/post.yaml
says 0 "$right" prove "$post"
says 1 "$wrong" prove "$post"
has out '^gibbs,2 G at rest,m g.g,.*,no,'
says 0 "$right" check "$post" --states 10
says 1 "$wrong" check "$post" --states 10
has out ',gibbs,.*,no$'
echo "prove and check say no, and where"
