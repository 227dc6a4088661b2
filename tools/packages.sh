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
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libopenmpi-dev) command -v mpicc ;;
    openmpi-bin) command -v mpirun ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    clang) command -v clang ;;
    libclang-rt-dev) fuzzer_links ;;
    debootstrap) command -v debootstrap ;;
    gcc-aarch64-linux-gnu) command -v aarch64-linux-gnu-gcc ;;
    qemu-user) command -v qemu-aarch64 ;;
    lib*-dev:arm64) test -e "/usr/lib/aarch64-linux-gnu/pkgconfig/$(pc_module "$1").pc" ;;
    clang-format) command -v clang-format || command -v clang-format-14 ;;
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
    python3-*) /usr/bin/python3 -c "import ${1#python3-}" ;;
    chromium) command -v chromium ;;
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

# apt WORDS... runs apt-get as root without prompts.
apt()
{
  if test "$(id -u)" = 0; then
    DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@"
  elif test -t 0; then
    sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@"
  else
    sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -y -q "$@"
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
