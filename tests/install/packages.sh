#!/bin/sh
# Installs the Debian packages of a folder on this machine and uses them as people would: the program, its manual and completion, C by
# pkg-config and find_package, Python. For a machine that has nothing else: PACKAGES=build/debian/packages tools/fresh tests/install/packages.sh
# usage: packages.sh [FOLDER]      by default /root/packages; needs root
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=${1-/root/packages}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
export DEBIAN_FRONTEND=noninteractive
tried=0

# try WHAT COMMAND... shows what it said if it fails
try()
{
  what=$1
  shift
  "$@" >"$scratch/out" 2>&1 || { echo "packages: $what: failed: $*" >&2; tail -n 20 "$scratch/out" >&2; exit 1; }
  tried=$((tried + 1))
}

says()
{
  grep -q -- "$1" "$scratch/out" || { echo "packages: $what: no '$1' in" >&2; cat "$scratch/out" >&2; exit 1; }
}

try "lists of packages" apt-get update
try "the program alone" apt-get install -y --no-install-recommends "$folder"/linkwork_*.deb "$folder"/liblinkwork1_*.deb
cd "$scratch"
for package in gcc cmake pkg-config python3; do
  if command -v $package >/dev/null; then echo "packages: $package is here already, so the machine is not bare"; fi
done
try version linkwork --version
try examples linkwork examples puma560
try doctor linkwork doctor
try inverse linkwork inverse robots/puma560.yaml --q 0,0.1,0,0,0,0
says tau
try "a picture" linkwork draw robots/puma560.yaml --q 0,0.1,0,0,0,0 --out puma.svg
try simulate linkwork simulate /usr/share/linkwork/scenarios/puma_pd.yaml --out run.csv
try proof linkwork prove robots/puma560.yaml
du -shc $(dpkg -L linkwork liblinkwork1 | while read -r file; do test -d "$file" || echo "$file"; done) | tail -n 1 | sed 's/total/for the program and its library/'
test "$(ls /usr/share/man/man1/linkwork*.1.gz | wc -l)" -gt 20 || { echo "packages: no man pages" >&2; exit 1; }
try "a man page" sh -c 'zcat /usr/share/man/man1/linkwork-inverse.1.gz'
says "^.TH"

try "all packages, and compilers" apt-get install -y --no-install-recommends "$folder"/*.deb gcc libc6-dev cmake make pkg-config bash-completion man-db
# A minimal system leaves man pages of packages out only if dpkg is told so
try "man" man -w linkwork
try completion bash -c '. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/linkwork
  COMP_WORDS=(linkwork inv) COMP_CWORD=1 COMP_LINE="linkwork inv" COMP_POINT=12; $(complete -p linkwork | sed "s/.*-F \([^ ]*\).*/\1/") linkwork inv linkwork; echo "${COMPREPLY[@]}"'
says inverse
try "ten lines of C, by pkg-config" sh -c 'cc /usr/share/doc/linkwork/examples/ten_lines.c -o ten $(pkg-config --cflags --libs linkwork)'
(cd /usr/share/linkwork && try "ten lines of C" "$scratch/ten") && tried=$((tried + 1))
mkdir project
cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(other LANGUAGES C)
find_package(linkwork 1.0 REQUIRED)
add_executable(torques "$here/consumer/torques.c")
target_link_libraries(torques PRIVATE linkwork::core m)
add_executable(read "$here/consumer/read.c")
target_link_libraries(read PRIVATE linkwork::linkwork m)
END
try "another project, by find_package" sh -c "cmake -S project -B consumer && cmake --build consumer"
try "what it computes" consumer/torques
try "what it reads" consumer/read robots/puma560.yaml
try Python python3 -c '
import linkwork as lw
arm = lw.load("robots/puma560.yaml")
print(lw.__version__, arm.inverse([0, 0.1, 0, 0, 0, 0], [0] * 6, [1, 0, 0, 0, 0, 0]))'
says "3.19"
echo "packages: $tried things tried"
