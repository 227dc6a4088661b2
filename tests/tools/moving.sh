#!/bin/sh
# The moving picture of the README is what tools/moving makes now, and is well-formed.  usage: moving.sh LINKWORK PROJECT
set -eu
program=$(realpath "$1")
cd "$2"
command -v python3 >/dev/null 2>&1 || { echo "skipped: no python3"; exit 77; }
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
"$program" plan robots/ur5.yaml --cycle examples/cycles/ur5_pick_and_place.yaml --out "$scratch/cycle.csv" >/dev/null 2>&1
tools/moving "$program" robots/ur5.yaml "$scratch/cycle.csv" "$scratch/moving.svg"
python3 -c 'import sys, xml.dom.minidom; assert len(xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("animate")) > 10' "$scratch/moving.svg"
# Another instruction set rounds otherwise, so numbers may differ by 2 pixels
python3 - "$scratch/moving.svg" docs/gallery/moving.svg <<'END' || { echo "moving: docs/gallery/moving.svg is another picture; see tools/moving"; exit 1; }
import re, sys
now, was = (open(name).read() for name in sys.argv[1:])
number = r"-?\d+(?:\.\d+)?"
pairs = list(zip(re.findall(number, now), re.findall(number, was)))
sys.exit(re.sub(number, "#", now) != re.sub(number, "#", was) or any(abs(float(a) - float(b)) > 2 for a, b in pairs))
END
