#!/bin/sh
# usage: run.sh PROGRAM PAPERS NAME
# Regenerates a document with --quick and compares its verdicts with those of PAPERS/NAME/verdicts.csv, and the classes of its
# errata with those of docs/errata.md.
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

# id and class of each row in a table of errata; an erratum on the page may cover less than in the list, but must have the same class
classes()
{
  sed -n 's/^| \([0-4]-[0-9]*\) | .* | \(wrong\|damaged copy\|ambiguous\|inconsistent\|wrong or damaged copy\|wrong or ambiguous\|correct\) | .*/\1 \2/p' "$1" | sort
}
classes "$papers/../docs/errata.md" >"$work/list"
classes "$work/$name/README.md" >"$work/page"
test -s "$work/page" || { echo "$name has no errata with a class" >&2; exit 1; }
comm -13 "$work/list" "$work/page" >"$work/other"
test ! -s "$work/other" || { echo "class of errata other than in docs/errata.md:" >&2; cat "$work/other" >&2; exit 1; }
