#!/bin/sh
# Runs the examples in the documentation: examples.sh LINKWORK TEN_LINES ROOT
# In fenced blocks, lines `$ COMMAND` that mention linkwork are run, page by page and in order, in a scratch folder with
# robots/, scenarios/, parts/ and examples/. They must exit with 0, or with the N of a comment `# exit N` after them. The text below
# `$ cat FILE` becomes that file. A line before the block changes this:
#   <!-- compare -->            the command must print what the page shows, except for spaces
#   <!-- not run: REASON -->    the block is skipped
# A line `linkwork COMMAND` without a dollar must be in a skipped block, or have a placeholder in capitals, such as ROBOT.
# YAML blocks that start with `linkwork: 1` are read by the command for their kind.
set -u
LC_ALL=C
export LC_ALL
test $# -eq 3 || { echo "usage: examples.sh LINKWORK TEN_LINES ROOT" >&2; exit 2; }
program=$(realpath "$1") && ten_lines=$(realpath "$2") && root=$(realpath "$3") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failures=0
examples=0

# fail PAGE WHAT: reports a failure, with the output of the command
fail()
{
  failures=$((failures + 1))
  echo "not ok $1: $2"
  head -n 10 "$work/out" "$work/err" 2>/dev/null
}

# Extracts the blocks of a page: each command to N.sh, the text below it to N.shown, N.compare if they must be the same; writes
# files shown by `cat`; YAML blocks to N.yaml
extract()
{
  awk -v to="$2" '
    function finish() { if (name != "") close(name); name = "" }
    /^<!-- not run: / { skip = 1; next }
    /^<!-- compare -->$/ { compare = 1; next }
    /^```/ && !code { code = 1; yaml = ($0 == "```yaml"); first = 1; next }
    /^```/ { finish(); code = 0; yaml = 0; skip = 0; compare = 0; more = 0; next }
    !code || skip { next }
    yaml { if (first) { first = 0; yaml = ($0 ~ /^linkwork: 1/); if (yaml) name = sprintf("%s/%03d.yaml", to, ++n) }
           if (yaml) print >name; next }
    more { sub(/^> /, ""); print >name; more = ($0 ~ /[\\|]$/); if (!more) { finish(); name = shown }; next }
    /^\$ cat [^ |<>]+$/ { finish(); name = to "/" $3; printf "" >name; next }
    /^\$ / && /linkwork / { finish(); name = sprintf("%s/%03d.sh", to, ++n); shown = sprintf("%s/%03d.shown", to, n)
      print substr($0, 3) >name; more = ($0 ~ /[\\|]$/); if (!more) { finish(); name = shown }
      if (compare) { print "" >sprintf("%s/%03d.compare", to, n) }; next }
    /^\$ / { finish(); next }
    name != "" { print >name }' "$1"
}

# forgotten PAGE: commands in its blocks that are not run and give no reason
forgotten()
{
  awk '
    /^<!-- not run: / { skip = 1; next }
    /^```/ { code = !code; if (!code) skip = 0; dollar = 0; next }
    /^\$ / { dollar = 1 }
    code && !skip && !dollar && /^linkwork [a-z]/ && !/ [A-Z][A-Z]+/ { print FNR ": " $0 }' "$1"
}

# words FILE: its text with single spaces
words()
{
  tr -s ' ' <"$1" | sed 's/ $//; s/^ //'
}

# commands PAGE: runs its extracted commands, in the page's folder
commands()
{
  for script in [0-9][0-9][0-9].sh
  do
    test -e "$script" || continue
    grep -qE "$without_page" "$script" && continue
    if ! command -v gnuplot >/dev/null # without plots: later commands still need the other output
    then
      grep -q 'linkwork plot' "$script" && continue
      sed 's/ --plot [^ ]*//' "$script" >"$work/plain" && cat "$work/plain" >"$script"
    fi
    expected=$(sed -n 's/.*# exit \([0-9]\)$/\1/p' "$script")
    examples=$((examples + 1))
    sh "$script" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    test $status -eq "${expected:-0}" || fail "$1" "exit $status of: $(cat "$script")"
    name=${script%.sh}
    if [ -e "$name.compare" ]
    then
      words "$work/out" >"$work/is"
      words "$name.shown" >"$work/shown"
      cmp -s "$work/is" "$work/shown" || fail "$1" "another output of: $(cat "$script")"
    fi
  done
}

# read_yaml PAGE FILE: reads it with the command for its kind
read_yaml()
{
  examples=$((examples + 1))
  if grep -q '^joints:' "$2"; then set -- "$1" "$2" info "$2"
  elif grep -q '^study:' "$2"; then set -- "$1" "$2" study "$2" --sample 0
  elif grep -q '^snake:' "$2"; then set -- "$1" "$2" snake simulate "$2" --duration 0.01 --out x.csv
  elif grep -q '^robot:' "$2"; then set -- "$1" "$2" simulate "$2" --duration 0.01 --out x.csv
  elif grep -q '^links:' "$2"; then set -- "$1" "$2" parts "$2"
  else fail "$1" "no command for the YAML block $2"; return
  fi
  page=$1
  shift 2
  linkwork "$@" >"$work/out" 2>"$work/err" </dev/null || fail "$page" "linkwork $*"
}

mkdir "$work/bin" || exit 2
ln -s "$program" "$work/bin/linkwork" && ln -s "$(dirname "$program")/linkwork-paper" "$work/bin/linkwork-paper" || exit 2
PATH=$work/bin:$PATH
# what a program that was built without the page cannot do
without_page='^$'
linkwork doctor --format csv | grep -q '^page,no,' && without_page='linkwork (page|view) '
cd "$root" || exit 2
pages=$(ls README.md CONTRIBUTING.md docs/*.md bench/README.md robots/README.md scenarios/README.md studies/README.md)
for page in $pages
do
  folder=$work/$(echo "$page" | tr '/.' '__')/page
  mkdir -p "$folder" && cp -r "$root/robots" "$root/scenarios" "$root/studies" "$root/parts" "$root/examples" "$folder/.." || exit 2
  mkdir "$folder/gallery" || exit 2
  (cd "$folder" && ln -s ../robots ../scenarios ../studies ../parts ../examples .) || exit 2
  extract "$root/$page" "$folder"
  cd "$folder" || exit 2
  case $page in
    docs/commands.md) ;; # generated from the table of commands, whose examples tests/app runs
    *) forgotten "$root/$page" >"$work/out" && test ! -s "$work/out" || fail "$page" "commands that are not run" ;;
  esac
  # faces as near as each other are painted in the order of their last bits, which are the same with this set everywhere
  case $page in docs/gallery.md) LINKWORK_ISA=baseline && export LINKWORK_ISA ;; esac
  commands "$page"
  unset LINKWORK_ISA
  for file in [0-9][0-9][0-9].yaml; do test ! -e "$file" || read_yaml "$page" "$file"; done
  for picture in gallery/*.svg
  do
    grep -q 'gnuplot' "$picture" 2>/dev/null && continue # as the installed version draws it
    test ! -e "$picture" || cmp "$picture" "$root/docs/$picture" >"$work/out" 2>&1 || fail "$page" "$picture is drawn differently"
  done
done

# The examples that the help shows, but for those that read files of the user's, wait for input or measure for long
folder=$work/help
mkdir "$folder" && cp -r "$root/robots" "$root/scenarios" "$root/studies" "$root/parts" "$root/examples" "$folder" && cd "$folder" || exit 2
sed -n 's/^Example: `\(.*\)`$/\1/p' "$root/docs/commands.md" |
  grep -vE '^linkwork (shell|sim|view|bench|snake bench|paper|study|prove|accuracy|plot)|--(in|data|png|trajectory) [^ ]' >examples.txt
while read -r example
do
  case $example in *cycle.yaml* | *found.yaml*) continue ;; esac
  echo "$example" | grep -qE "$without_page" && continue
  examples=$((examples + 1))
  sh -c "$example" >"$work/out" 2>"$work/err" </dev/null || fail help "exit $? of: $example"
done <examples.txt

# The ten lines of the README equal the example; they print torques or an error
awk '/^```c$/ { code = 1; next } /^```/ { code = 0 } code' "$root/README.md" >"$work/lines"
sed 1,2d "$root/examples/ten_lines.c" | cmp -s - "$work/lines" || fail README.md "its ten lines of C are not examples/ten_lines.c"
cd "$root" && "$ten_lines" >"$work/out" 2>"$work/err" && grep -q 'N m$' "$work/out" || fail ten_lines "no torques"
mkdir "$work/empty" && cd "$work/empty" || exit 2
"$ten_lines" >"$work/out" 2>"$work/err" && fail ten_lines "takes a robot that is not there"
grep -q 'planar2r.yaml: .*cannot be opened' "$work/err" || fail ten_lines "does not say that the file is missing"

echo "$examples examples, $failures failures"
test "$examples" -ge 20 && test $failures -eq 0
