#!/bin/sh
# docs/cheat.pdf is what tools/cheat makes now.  usage: cheat.sh LINKWORK PROJECT
set -eu
program=$(realpath "$1")
cd "$2"
command -v python3 >/dev/null 2>&1 || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
tools/cheat "$program" "$scratch/cheat.pdf"
cmp "$scratch/cheat.pdf" docs/cheat.pdf || { echo "cheat: make it anew: tools/cheat build/release/bin/linkwork docs/cheat.pdf"; exit 1; }
