#!/bin/sh
# tools/abi lets additions pass and nothing else: it is tried with headers that are changed in one place each.
# usage: abi.sh PROJECT     (CTest gives it); exit code 77: abidiff is not installed
set -eu
command -v abidiff >/dev/null 2>&1 || { echo "skipped: abigail-tools is not installed"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src"
cp -r "$1/tools" "$1/include" "$scratch"
cp -r "$1/src/exports" "$scratch/src"
header=$scratch/include/linkwork/base.h
failed=0

# try PROJECT WHAT EXIT_CODE SED_EXPRESSION
try()
{
  cp "$1/include/linkwork/base.h" "$header"
  sed -i "$4" "$header"
  test "$2" = "as it is" || ! cmp -s "$1/include/linkwork/base.h" "$header" || { echo "abi: '$2' changes nothing"; failed=1; }
  status=0
  "$scratch/tools/abi" >"$scratch/out" 2>&1 || status=$?
  test $status = "$3" || { echo "abi: $2: exit code $status, expected $3"; cat "$scratch/out"; failed=1; }
}

try "$1" "as it is" 0 ''
try "$1" "an enumerator between others" 1 's/^  LW_SEVERITY_WARNING$/  LW_SEVERITY_NOTE,\n  LW_SEVERITY_WARNING/'
try "$1" "an enumerator after the last" 0 's/^  LW_SEVERITY_WARNING$/  LW_SEVERITY_WARNING,\n  LW_SEVERITY_NOTE/'
try "$1" "a wider field" 1 's/^  int line;$/  long line;/'
try "$1" "one more argument" 1 's/^LW_API int lw_diag_size(const lwDiag\* diag);/LW_API int lw_diag_size(const lwDiag* diag, int more);/'
try "$1" "a function that the list lacks" 1 '/^LW_API const char\* lw_version(void);/a LW_API int lw_added(int x);'
echo "lw_added 1.1" >>"$scratch/src/exports/linkwork.txt"
try "$1" "a further function" 0 '/^LW_API const char\* lw_version(void);/a LW_API int lw_added(int x);'
grep -q "lw_added" "$scratch/out" || { echo "abi: the further function is not named"; failed=1; }
exit $failed
