#!/bin/sh
# usage: run.sh PROGRAM PAPERS NAME
# Regenerates a document with --quick and compares its verdicts with those of PAPERS/NAME/verdicts.csv, and classes and measured
# numbers of its errata with docs/errata.md.
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

# What the run measured about each erratum must stand in its row of docs/errata.md, word by word; and every decimal number of a row
# is one of these facts, or typed in from the document in printed.yaml.
sed -n 's/^\([0-4]-[0-9]*\),\(.*\)$/\1 \2/p' "$work/$name/facts.csv" | sed 's/ "\(.*\)"$/ \1/; s/""/"/g' >"$work/facts"
test -s "$work/facts" || { echo "$name has no facts about its errata" >&2; exit 1; }
first=$(sed -n '1s/-.*//p' "$work/facts")
awk -v first="$first" -v name="$name" -v facts="$work/facts" -v printed="$papers/$name/printed.yaml" '
  BEGIN {
    while ((getline line < facts) > 0) { id = line; sub(/ .*/, "", id); sub(/^[^ ]* /, "", line); ++count[id]; fact[id, count[id]] = line }
    while ((getline line < printed) > 0) text = text "\n" line
  }
  $0 ~ "^\\| " first "-[0-9]+ \\|" {
    id = $2; seen[id] = 1; rest = $0
    for (k = 1; k <= count[id]; ++k)
    {
      at = index(rest, fact[id, k])
      if (!at) { print "docs/errata.md, " id ": the run says \"" fact[id, k] "\""; bad = 1; continue }
      rest = substr(rest, 1, at - 1) substr(rest, at + length(fact[id, k]))
    }
    while (match(rest, /[0-9]+\.[0-9]+(e-?[0-9]+)?|[0-9]e-?[0-9]+/))
    {
      number = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
      if (!index(text, number)) { print "docs/errata.md, " id ": " number " is made by no command"; bad = 1 }
    }
  }
  END { for (id in count) if (!(id in seen)) { print "docs/errata.md has no row " id; bad = 1 }; exit bad }' "$papers/../docs/errata.md" >"$work/stale" ||
  { cat "$work/stale" >&2; exit 1; }
