#!/bin/sh
# Tests of the program on the command line: run.sh LINKWORK ROBOTS [PART...]
# PART is the NAME of a cases_NAME.sh; the default is all of them. Every case prints `ok` or `not ok`; the script fails if any case fails.
set -u
LC_ALL=C
export LC_ALL
if [ $# -lt 2 ]
then
  echo "usage: run.sh LINKWORK ROBOTS [PART...]" >&2
  exit 2
fi
linkwork=$(realpath "$1") || exit 2
robots=$(realpath "$2") || exit 2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cp "$here"/*.yaml "$here"/*.urdf .

cases=0
failures=0

# verdict NAME: passes if the previous command succeeded
verdict()
{
  code=$?
  cases=$((cases + 1))
  if [ $code -eq 0 ]
  then
    echo "ok $cases $1"
  else
    failures=$((failures + 1))
    echo "not ok $cases $1"
    echo "  exit $status"
    sed 's/^/  stdout: /' out | head -n 8
    sed 's/^/  stderr: /' err | head -n 8
  fi
}

# run ARGUMENTS: runs the program; exit code in $status, output in the files out and err
run()
{
  "$linkwork" "$@" >out 2>err </dev/null
  status=$?
}

# gives NAME EXPECTED ARGUMENTS: exit 0, nothing on stderr, and exactly this output
gives()
{
  name=$1
  printf '%b' "$2" >expected
  shift 2
  run "$@"
  [ $status -eq 0 ] && [ ! -s err ] && cmp -s out expected
  verdict "$name"
}

# says NAME PATTERN ARGUMENTS: exit 0, and a line of the output matches
says()
{
  name=$1
  pattern=$2
  shift 2
  run "$@"
  [ $status -eq 0 ] && grep -Eq -- "$pattern" out
  verdict "$name"
}

# header NAME LINE ARGUMENTS: exit 0, and this is the first line of the output
header()
{
  name=$1
  line=$2
  shift 2
  run "$@"
  [ $status -eq 0 ] && [ "$(head -n 1 out)" = "$line" ]
  verdict "$name"
}

# json NAME PATTERN ARGUMENTS: exit 0, the output is valid JSON and matches
json()
{
  name=$1
  pattern=$2
  shift 2
  run "$@" --format json
  [ $status -eq 0 ] && ./json_check <out && grep -Eq -- "$pattern" out
  verdict "$name"
}

# refuses NAME CODE PATTERN ARGUMENTS: this exit code, one line on stderr that matches, nothing on stdout
refuses()
{
  name=$1
  code=$2
  pattern=$3
  shift 3
  run "$@"
  [ $status -eq "$code" ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eq -- "$pattern" err && [ ! -s out ]
  verdict "$name"
}

# diagnoses NAME CODE PATTERN ARGUMENTS: this exit code, a line on stderr that matches, nothing on stdout
diagnoses()
{
  name=$1
  code=$2
  pattern=$3
  shift 3
  run "$@"
  [ $status -eq "$code" ] && grep -Eq -- "$pattern" err && [ ! -s out ]
  verdict "$name"
}

# refuses_states NAME PATTERN TEXT: inverse dynamics of the pendulum with this CSV text: exit 3, one line on stderr that matches
refuses_states()
{
  printf '%b' "$3" >states.csv
  run inverse pendulum.yaml --in states.csv
  [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eq -- "$2" err
  verdict "$1"
}

# no_temporary: the working folder has no temporary output files
no_temporary()
{
  [ -z "$(find . -name '.lw??????')" ]
}

# accepts_states NAME EXPECTED TEXT: the same for a correct text: exactly this output
accepts_states()
{
  printf '%b' "$3" >states.csv
  gives "$1" "$2" inverse pendulum.yaml --in states.csv
}

: >out
: >err
status=0
${CC:-cc} -O1 -o json_check "$here/json_check.c"
verdict "json_check builds"

for part in ${*:-$(cd "$here" && ls cases_*.sh | sed 's/cases_\(.*\)\.sh/\1/')}
do
  . "$here/cases_$part.sh"
done

echo "$cases cases, $failures failures"
[ $failures -eq 0 ]
