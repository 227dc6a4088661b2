#!/bin/sh
# usage: tests/hashes/machines.sh [--all] [NAME...]
# Builds `hashes` by other compilers, for other processors, C libraries and systems, in build/hashes/NAME, and compares what it
# prints with the committed hashes (run.sh). NAME: clang, musl, aarch64 (run by qemu), windows (run by wine); all when none is
# named. What this machine has no compiler for, or cannot run, is skipped with the reason. Exit code 1: hashes differ.
set -eu
cd -- "$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)"
option=
if test "${1-}" = --all; then
  option=--all
  shift
fi
failed=0

# build_and_compare NAME COMPILER RUNNER CMAKE_OPTION...: RUNNER is a command before the program, or empty
build_and_compare()
{
  name=$1 compiler=$2 runner=$3
  shift 3
  for tool in $compiler $runner; do
    command -v "$tool" >/dev/null || { echo "$name: skipped, $tool is missing"; return; }
  done
  folder=build/hashes/$name
  mkdir -p "$folder"
  cmake -S tests/hashes/other -B "$folder" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$compiler" "$@" >"$folder/log" 2>&1 &&
    cmake --build "$folder" --parallel "$(nproc)" --target hashes >>"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log"
    failed=1
    return
  }
  program=$folder/hashes
  test -z "$runner" || {
    program=$folder/run
    printf '#!/bin/sh\n%s "%s"* "$@" | tr -d "\\r"\n' "$runner" "$PWD/$folder/hashes" >"$program"
    chmod +x "$program"
  }
  printf '%s, ' "$name"
  # shellcheck disable=SC2086 # without an option there is no argument
  sh tests/hashes/run.sh $option "$PWD/$program" || failed=1
}

for machine in "${@:-clang musl aarch64 windows}"; do
  for name in $machine; do
    case $name in
      clang) build_and_compare clang clang '' ;;
      musl) build_and_compare musl musl-gcc '' ;;
      aarch64) build_and_compare aarch64 aarch64-linux-gnu-gcc qemu-aarch64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 ;;
      windows) build_and_compare windows x86_64-w64-mingw32-gcc wine -DCMAKE_SYSTEM_NAME=Windows ;;
      *) echo "machines: no machine '$name'; expected clang, musl, aarch64 or windows" >&2; exit 2 ;;
    esac
  done
done
exit $failed
