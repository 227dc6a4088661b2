# Sourced by ./demo, ./check and tools: finds missing packages and installs them if apt-get is available.
# shellcheck shell=sh

# Packages that web/build needs to make the page.
# shellcheck disable=SC2034 # used by the scripts that source this file
page_needs="nodejs npm clang lld wasi-libc libclang-rt-dev-wasm32"

# Packages that tools/python needs besides the compiler, all from the distribution.
# shellcheck disable=SC2034
python_needs="python3-dev python3-venv python3-pip python3-setuptools python3-wheel python3-numpy python3-pytest python3-matplotlib"

# missing PACKAGE prints the Debian package if what it provides is not installed.
missing()
{
  case $1 in
    gcc) command -v "${CC:-cc}" ;;
    cmake) cmake_is_new ;;
    make) command -v make || command -v ninja ;;
    pkg-config) command -v pkg-config ;;
    g++) command -v "${CXX:-c++}" ;;
    libmujoco-dev) test -e /usr/include/mujoco/mujoco.h ;;
    liborocos-kdl-dev) pkg-config --exists orocos-kdl || test -e /usr/include/kdl/kdl.hpp ;;
    libyaml-dev) pkg-config --exists yaml-0.1 ;;
    libxml2-dev) pkg-config --exists libxml-2.0 ;;
    libedit-dev) pkg-config --exists libedit ;;
    libmicrohttpd-dev) pkg-config --exists libmicrohttpd ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libopenmpi-dev) command -v mpicc ;;
    openmpi-bin) command -v mpirun ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    clang) command -v clang ;;
    libclang-rt-dev) fuzzer_links ;;
    debootstrap) command -v debootstrap ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    qemu-user) command -v qemu-aarch64 ;;
    musl-tools) command -v musl-gcc ;;
    gcc-mingw-w64-x86-64) command -v x86_64-w64-mingw32-gcc ;;
    frama-c-base) command -v frama-c ;;
    abigail-tools) command -v abidiff ;;
    lintian) command -v lintian ;;
    dpkg-dev) command -v dpkg-shlibdeps ;;
    lib*-dev:arm64) test -e "/usr/lib/aarch64-linux-gnu/pkgconfig/$(pc_module "$1").pc" ;;
    clang-format) command -v clang-format || command -v clang-format-14 ;;
    gfortran) command -v gfortran ;;
    tcl) command -v tclsh ;;
    p7zip-full) command -v 7z ;;
    dpkg-dev) command -v dpkg-source ;;
    clang-tidy) command -v clang-tidy ;;
    valgrind) command -v valgrind ;;
    liblapack-dev) pkg-config --exists lapack ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    nodejs) command -v node ;;
    npm) command -v npm ;;
    lld) command -v wasm-ld ;;
    wasi-libc) test -e /usr/lib/wasm32-wasi/libc.a ;;
    libclang-rt-dev-wasm32) ls /usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a ;;
    python3-dev) ls "$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ;;
    python3-venv) /usr/bin/python3 -c 'import ensurepip, venv' ;;
    python3-myst-parser) /usr/bin/python3 -c 'import myst_parser' ;;
    furo) /usr/bin/python3 -c 'import furo' ;;
    python3-*) /usr/bin/python3 -c "import ${1#python3-}" ;;
    chromium) command -v chromium ;;
    doxygen) command -v doxygen ;;
  esac >/dev/null 2>&1 || echo "$1"
}

# pc_module PACKAGE prints the pkg-config module of a development package for another processor.
pc_module()
{
  case $1 in
    libyaml-dev*) echo yaml-0.1 ;;
    libxml2-dev*) echo libxml-2.0 ;;
    libcmocka-dev*) echo cmocka ;;
  esac
}

cmake_is_new()
{
  cmake --version | awk '
    NR == 1 { split($3, v, "."); new = v[1] > 3 || (v[1] == 3 && v[2] >= 22) }
    END { exit !new }'
}

# links COMPILER FLAG compiles and links the C program on standard input.
links()
{
  probe=$(mktemp -d) || return 1
  cat >"$probe/f.c"
  "$1" "$2" "$probe/f.c" -o "$probe/f"
  linked=$?
  rm -rf "$probe"
  return $linked
}

# clang's runtime libraries are separate packages on some systems and part of clang on others.
fuzzer_links()
{
  links clang -fsanitize=fuzzer,address,undefined <<'END'
int LLVMFuzzerTestOneInput(const char* d, unsigned long n) { return d && n > 1u << 30; }
END
}

# all_missing PACKAGE... prints those that are missing, on one line
all_missing()
{
  list=
  for package in "$@"; do
    absent=$(missing "$package")
    list=$list${absent:+ $absent}
  done
  echo "${list# }"
}

# A machine that has just started may be upgrading itself: wait so many seconds for the package manager's locks.
lock_seconds=600
package_locks="/var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock /var/cache/apt/archives/lock"

# lock_holder prints "NAME (process N)" of a process that holds one of these locks, by the kernel's list: its fifth field is
# the process, the sixth ends with the inode of the file.
lock_holder()
{
  for lock in $package_locks; do
    inode=$(stat -c %i "$lock" 2>/dev/null) || continue
    holder=$(awk -v inode="$inode" '$2 != "->" { split($6, of, ":"); if (of[3] == inode) { print $5; exit } }' /proc/locks 2>/dev/null)
    test -z "$holder" || { echo "$(cat "/proc/$holder/comm" 2>/dev/null || echo "another program") (process $holder)"; return; }
  done
}

# wait_for_locks waits until no other program holds the locks, and says for whom. apt-get's own timeout is for one of them.
wait_for_locks()
{
  waited=0 said=
  while holder=$(lock_holder) && test -n "$holder" && test $waited -lt "$lock_seconds"; do
    test "$holder" = "$said" || echo "waiting for $holder, which holds the package manager's lock, up to $((lock_seconds / 60)) minutes"
    said=$holder
    sleep 1
    waited=$((waited + 1))
  done
}

# apt WORDS... runs apt-get as root without prompts.
apt()
{
  wait_for_locks
  set -- env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout="$lock_seconds" -y -q "$@"
  if test "$(id -u)" = 0; then
    "$@"
  elif test -t 0; then
    sudo "$@"
  else
    sudo -n "$@"
  fi >>"$packages_log" 2>&1
}

# foreign_architecture NAME lets apt-get install packages for another architecture as well.
foreign_architecture()
{
  command -v dpkg >/dev/null 2>&1 || return 0
  if test "$(id -u)" = 0; then dpkg --add-architecture "$1"; else sudo -n dpkg --add-architecture "$1"; fi 2>/dev/null || true
}

# install_packages LOG PACKAGE... installs those packages that are missing. Fails if any is still missing afterwards.
install_packages()
{
  packages_log=$1
  shift
  wanted=$(all_missing "$@")
  test -n "$wanted" || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing, and there is no apt-get to install it: $wanted"
    return 1
  fi
  if test "$(id -u)" != 0 && ! command -v sudo >/dev/null 2>&1; then
    echo "missing, and only root can install it: apt-get install $wanted"
    return 1
  fi
  echo "installing $wanted"
  : >"$packages_log"
  apt update || echo "apt-get update failed; trying with the existing package lists"
  # shellcheck disable=SC2086 # several packages
  apt install --no-install-recommends $wanted libc6-dev || for package in $wanted; do
    apt install --no-install-recommends "$package" || true
  done
  wanted=$(all_missing "$@")
  test -n "$wanted" || return 0
  echo "could not be installed: $wanted; $packages_log says why"
  return 1
}
