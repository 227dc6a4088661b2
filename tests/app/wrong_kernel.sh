#!/bin/sh
# wrong_kernel.sh LINKWORK WRONG ROBOT: runs `prove` with the program, and with one whose Kane's equations have a wrong sign.
# The second must fail, with a witness, for those equations only.
set -eu
LC_ALL=C
export LC_ALL
right=$1 wrong=$2 robot=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
  echo "wrong_kernel.sh: $*" >&2
  head -n 40 "$work"/out "$work"/err >&2
  exit 1
}

# proves PROGRAM EXIT ARGUMENTS: output goes to the files out and err
proves()
{
  program=$1 expected=$2 status=0
  shift 2
  "$program" prove "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status -eq "$expected" ] || fail "$(basename "$program") prove $*: exit $status, expected $expected"
}

has()
{
  grep -Eq -- "$2" "$work/$1" || fail "nothing in $1 matches: $2"
}

proves "$right" 0 "$robot"
has out '^inverse,kane,newton-euler,.*,yes,'
! grep -q ',no,' "$work/out" || fail "an identity does not hold"

proves "$wrong" 1 "$robot"
has out '^inverse,kane,newton-euler,[0-9]+,[0-9]+,[0-9.]+e-[0-9]+,no,1,[0-9]+,[0-9]+$'
[ "$(grep -c ',no,' "$work/out")" -eq 1 ] || fail "one identity is wrong, no more"
has err 'inverse: kane is not newton-euler: seed 1, point [0-9]+, entry [0-9]+ of 6'

proves "$wrong" 1 "$robot" --format json
has out '"left": "kane", .*"holds": false, "structure": 1, "witness": [0-9]+, "entry": [0-9]+'

# Random structures: the message names the structure, too
proves "$wrong" 1 --random 4 --seed 2
has err 'inverse: kane is not newton-euler: seed 2, point [0-9]+'
has err 'structure [1-4]: '
echo "prove says no, and where"
