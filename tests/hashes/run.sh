#!/bin/sh
# usage: tests/hashes/run.sh [--all] PROGRAM [SET...]
# Runs `hashes` with the kernels of each instruction set and compares what it prints with the committed hashes: those of the
# small set in small.txt, or of the large one in all.txt. PROGRAM.wasm is run by node. A set that the machine lacks is
# skipped. The first lines that differ name what differs.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
option='' wanted=$here/small.txt
if test "${1-}" = --all; then
  option=--all wanted=$here/all.txt
  shift
fi
program=$1
shift
made=$(mktemp) || exit 1
trap 'rm -f "$made"' EXIT
failed=0
for set in "${@:-baseline}"; do
  case $program in
    # shellcheck disable=SC2086 # without an option there is no argument
    *.wasm) node --no-warnings "$here/wasm.mjs" "$program" $option >"$made" ;;
    # shellcheck disable=SC2086
    *) LINKWORK_ISA=$set "$program" $option >"$made" 2>"$made.err" ;;
  esac
  status=$?
  if test $status = 2; then
    echo "$set: skipped, this machine lacks it"
  elif test $status = 0 && cmp -s "$made" "$wanted"; then
    echo "$set: the same $(wc -l <"$wanted") hashes"
  else
    echo "$set: hashes differ (<: committed)"
    diff "$wanted" "$made" | head -n 20
    failed=1
  fi
  rm -f "$made.err"
done
exit $failed
