#!/bin/sh
# usage: run.sh PROGRAM PAPERS NAME
# Regenerates a document with --quick and compares its verdicts with those of PAPERS/NAME/verdicts.csv.
set -eu
program=$1 papers=$2 name=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdicts()
{
  cut -d , -f 1-3 "$1" | uniq
}

"$program" paper "$name" --quick --out "$work" >"$work/list.csv"
verdicts "$papers/$name/verdicts.csv" >"$work/committed"
verdicts "$work/$name/verdicts.csv" >"$work/measured"
test "$(wc -l <"$work/committed")" -gt 1 || { echo "$papers/$name/verdicts.csv has no verdicts" >&2; exit 1; }
cut -d , -f 2-4 "$work/list.csv" | diff "$work/measured" -
diff "$work/committed" "$work/measured"
