#!/bin/sh
# Installs a build into an empty prefix and uses it from another project: by find_package and pkg-config, shared and static.
# Then checks the exports and dependencies of the shared libraries.
#
# usage: run.sh BUILD_FOLDER LIBDIR COMPILER CONFIG     (CTest gives them; see ../CMakeLists.txt)
set -eu
build=$1 libdir=$2 cc=$3 config=$4
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/linkwork install.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
prefix=$scratch/prefix
lib=$prefix/$libdir
robot=$prefix/share/linkwork/robots/puma560.yaml

fail()
{
  echo "install: $*" >&2
  exit 1
}

# quietly COMMAND... shows the output of a command only if it fails
quietly()
{
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail "failed: $*"
  }
}

# try PROGRAM runs one of the two programs, whose names start with "torques" or "read"
try()
{
  case $(basename "$1") in
    torques*) LD_LIBRARY_PATH=$lib "$1" ;;
    read*) LD_LIBRARY_PATH=$lib "$1" "$robot" ;;
  esac || fail "$1 failed"
}

installs()
{
  quietly cmake --install "$build" --prefix "$prefix" --config "$config"
  for file in bin/linkwork include/linkwork/linkwork.h "$libdir/liblinkwork.a" "$libdir/liblinkwork.so" \
    "$libdir/liblinkwork-core.a" "$libdir/liblinkwork-core.so" "$libdir/pkgconfig/linkwork.pc" \
    "$libdir/pkgconfig/linkwork-core.pc" "$libdir/cmake/linkwork/linkworkConfig.cmake" \
    share/doc/linkwork/README.md share/doc/linkwork/docs/methods.md share/doc/linkwork/examples/ten_lines.c; do
    test -e "$prefix/$file" || fail "$file was not installed"
  done
  if grep -rlF "$build" "$prefix/include" "$lib/pkgconfig" "$lib/cmake"; then
    fail "these files name the build folder"
  fi
  # the changelog, in share/doc, may mention it
  if grep -rIlF --exclude-dir=doc NOTFOUND "$prefix"; then
    fail "these files name a library that CMake did not find"
  fi
  "$prefix/bin/linkwork" help >/dev/null || fail "the installed program does not start"
}

cmake_finds()
{
  quietly cmake -S "$here/consumer" -B "$scratch/consumer" "-DCMAKE_PREFIX_PATH=$prefix" \
    "-DCMAKE_C_COMPILER=$cc" -DCMAKE_BUILD_TYPE=Release
  grep -qF "linkwork_DIR:PATH=$lib/cmake/linkwork" "$scratch/consumer/CMakeCache.txt" ||
    fail "find_package found another linkwork"
  quietly cmake --build "$scratch/consumer"
  for program in torques torques-static read read-static; do
    try "$scratch/consumer/$program"
  done
}

# compile PROGRAM PACKAGE KIND with the flags of pkg-config, which quotes spaces for eval
compile()
{
  case $3 in
    shared) flags=$(pkg-config --cflags --libs "$2") ;;
    static) flags=$(pkg-config --static --cflags --libs "$2" | sed "s/-l$2\\( \\|\$\\)/-l:lib$2.a\\1/") ;;
  esac || fail "pkg-config does not know $2"
  eval "set -- \"\$1\" \"\$2\" \"\$3\" $flags"
  program=$scratch/$1-$3
  source=$here/consumer/$1.c
  kind=$3
  shift 3
  quietly "$cc" -std=c17 -O2 "$source" -o "$program" "$@" -lm
  needed "$program" >"$scratch/needed"
  case $kind in
    shared) grep -q liblinkwork "$scratch/needed" || fail "$program is not linked with the shared library" ;;
    static) ! grep -q liblinkwork "$scratch/needed" || fail "$program is not linked with the static library" ;;
  esac
  try "$program"
}

pkg_config_finds()
{
  PKG_CONFIG_PATH=$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PKG_CONFIG_PATH
  for kind in shared static; do
    compile torques linkwork-core "$kind"
    compile torques linkwork "$kind"
    compile read linkwork "$kind"
  done
}

# needed FILE lists the libraries that a program or library needs
needed()
{
  readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# only NAME... fails if standard input has a line that matches none of the patterns
only()
{
  while read -r line; do
    known=no
    for pattern in "$@"; do
      # shellcheck disable=SC2254 # a pattern is meant
      case $line in $pattern) known=yes ;; esac
    done
    test $known = yes || fail "$what: $line was not expected"
  done
}

libraries_are_closed()
{
  version=$("$prefix/bin/linkwork" --version | sed 's/linkwork //')
  major=${version%%.*}
  for name in linkwork linkwork-core; do
    file=$lib/lib$name.so
    what="exports of lib$name.so"
    nm -D --defined-only "$file" | awk '$2 != "A" { print $NF }' >"$scratch/exports"
    what="versions of the symbols of lib$name.so"
    sed 's/.*@/@/' "$scratch/exports" | only '@LINKWORK_1.*'
    what="exports of lib$name.so"
    sed -i 's/@.*//' "$scratch/exports"
    only 'lw_*' <"$scratch/exports"
    grep -qx lw_inverse_dynamics "$scratch/exports" || fail "$what: no lw_inverse_dynamics"
    readelf -d "$file" | grep -q "(SONAME).*\[lib$name\.so\.$major\]" || fail "lib$name.so: the SONAME is not lib$name.so.$major"
    test "$(basename "$(readlink -f "$file")")" = "lib$name.so.$version" ||
      fail "lib$name.so is not lib$name.so.$version"
  done
  what="what liblinkwork-core.so needs"
  needed "$lib/liblinkwork-core.so" | only 'libc.so*' 'libm.so*' 'ld-linux*'
  what="what liblinkwork.so needs"
  needed "$lib/liblinkwork.so" | only 'libc.so*' 'libm.so*' 'ld-linux*' 'libyaml*' 'libxml2*' 'liblapack*' 'libblas*' 'libsqlite3*' 'libz.so*'
}

# With the whole core archive in one object, all undefined symbols must come from libc or libm.
core_is_closed()
{
  echo 'int main(void) { return 0; }' >"$scratch/empty.c"
  quietly "$cc" "$scratch/empty.c" -o "$scratch/empty" \
    -Wl,--whole-archive "$lib/liblinkwork-core.a" -Wl,--no-whole-archive -lm
  what="what the core archive needs"
  needed "$scratch/empty" | only 'libc.so*' 'libm.so*' 'ld-linux*'
}

installs
cmake_finds
pkg_config_finds
libraries_are_closed
core_is_closed
