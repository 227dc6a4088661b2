#!/bin/sh
# Every public header compiles alone, without a warning, in all supported versions of C and C++, and
# everything in it is documented. Enumerators carry the name of their type.
#
# usage: run.sh INCLUDE_FOLDER COMPILER     (CTest gives them; see ../CMakeLists.txt)
set -eu
include=$1 cc=$2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/linkwork headers.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0 compiled=0

# compiles LANGUAGE STANDARD COMPILER
compiles()
{
  for header in "$include"/linkwork/*.h; do
    name=$(basename "$header")
    echo "#include <linkwork/$name>" >"$scratch/header"
    compiled=$((compiled + 1))
    "$3" -x "$1" "-std=$2" -Wall -Wextra -Wpedantic -Werror -I "$include" -fsyntax-only "$scratch/header" || {
      echo "headers: linkwork/$name does not compile as $2 by $3" >&2
      failed=1
    }
  done
}

for standard in c11 c17 c2x; do
  compiles c $standard "$cc"
done

found=no
for cxx in g++ clang++; do
  command -v $cxx >/dev/null 2>&1 || continue
  found=yes
  for standard in c++11 c++17; do
    compiles c++ $standard $cxx
  done
done
test $found = yes || echo "headers: C++ skipped, neither g++ nor clang++ is installed"

# As MSVC's own compilers would: clang takes their extensions and macros; a stand-in for the one header of its C library
if command -v clang >/dev/null 2>&1; then
  mkdir "$scratch/msvc"
  echo "typedef int sig_atomic_t;" >"$scratch/msvc/signal.h"
  printf '#!/bin/sh\nexec clang --target=x86_64-pc-windows-msvc -fms-compatibility -ffreestanding -isystem "%s" "$@"\n' "$scratch/msvc" >"$scratch/cl"
  chmod +x "$scratch/cl"
  compiles c c17 "$scratch/cl"
  compiles c++ c++17 "$scratch/cl"
else
  echo "headers: MSVC skipped, clang is not installed"
fi

# Enumerators carry the name of their type: lwNoteKind has LW_NOTE_.. or LW_NOTE_KIND_..
awk '
  # LW_, the words of the type in upper case, and _; a last word Kind or Type may be left out.
  function prefix_of(name) {
    sub(/^lw/, "", name)
    gsub(/[A-Z]/, "_&", name)
    return "LW" toupper(name) "_"
  }
  /^typedef enum lw[A-Za-z]+/ {
    type = $3
    prefix = short = prefix_of(type)
    sub(/_(KIND|TYPE)_$/, "_", short)
    next
  }
  type != "" && /^}/ { type = ""; next }
  type != "" && /^  [A-Z][A-Z0-9_]*/ {
    name = $1
    sub(/[,=].*/, "", name)
    ++seen
    if (index(name, prefix) == 1 || index(name, short) == 1) next
    printf "%s: %s is an enumerator of %s, expected a name that begins with %s\n", FILENAME, name, type, short
    bad = 1
  }
  END {
    if (seen == 0) print "headers: no enumerators found"
    exit bad || seen == 0
  }' "$include"/linkwork/*.h >&2 || failed=1

# Every field, enumerator and function has a comment that doxygen shows
if command -v doxygen >/dev/null 2>&1; then
  (
    cd "$include/.."
    sed -e "s|@PROJECT_BINARY_DIR@|$scratch|; s|@PROJECT_[A-Z]*@|linkwork|" \
      -e 's/^\(WARN_AS_ERROR .*=\).*/\1 NO/' docs/Doxyfile >"$scratch/Doxyfile"
    mkdir "$scratch/docs"
    doxygen "$scratch/Doxyfile" 2>"$scratch/warnings" >/dev/null || echo "doxygen failed" >>"$scratch/warnings"
  )
  test ! -s "$scratch/warnings" || {
    cat "$scratch/warnings" >&2
    failed=1
  }
else
  echo "headers: comments skipped, doxygen is not installed"
fi

test $compiled -gt 0 && test $failed = 0 && echo "headers: $compiled compilations without a warning"
