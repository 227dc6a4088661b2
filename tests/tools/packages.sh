#!/bin/sh
# Tests tools/packages.sh with an apt-get that only writes down how it was called, and that ./demo builds every program that
# the program `linkwork` runs: packages.sh SOURCE
set -u
source_folder=$(cd "$1" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

# verdict NAME: passes if the previous command succeeded
verdict()
{
  if [ $? -eq 0 ]; then echo "ok $1"; else echo "not ok $1"; failures=$((failures + 1)); fi
}

mkdir bin
cat >bin/apt-get <<END
#!/bin/sh
echo "\$*" >>$work/calls
case "\$*" in *install*) touch $work/installed ;; esac
END
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
sed -i 's/^exec "$@"/test "$1" = -n \&\& shift; exec "$@"/' bin/sudo
chmod +x bin/apt-get bin/sudo
PATH=$work/bin:$PATH
. "$source_folder/tools/packages.sh"

# What is missing until the apt-get above was called.
missing()
{
  test -e "$work/installed" || echo "$1"
}

install_packages log something >out </dev/null
[ $? -eq 0 ] && [ -s calls ] && ! grep -vq -- '-o DPkg::Lock::Timeout=600 ' calls
verdict "every call of apt-get waits for the lock"
! grep -q waiting out
verdict "and says nothing if nobody holds it"
rm calls installed
install_packages log something >out </dev/null && [ "$(grep -c . calls)" -eq 2 ] && grep -q 'update$' calls && grep -q 'install .*something' calls
verdict "lists are updated, the package is installed"

# Somebody else holds a lock for two seconds.
if command -v flock >/dev/null 2>&1 && [ -r /proc/locks ]
then
  touch lock
  package_locks="$work/none $work/lock"
  rm calls installed
  flock lock sleep 2 &
  for tick in 1 2 3 4 5 6 7 8 9 10; do test -n "$(lock_holder)" && break; sleep 0.1; done
  found=$(lock_holder)
  install_packages log something >out </dev/null
  [ $? -eq 0 ] && [ -n "$found" ] && [ "$(grep -c '^waiting for .* (process [0-9]*), which holds the package manager' out)" -eq 1 ] && [ -s calls ]
  verdict "waits for the holder, and says once who it is"
  wait
  lock_seconds=1
  rm calls installed
  flock lock sleep 4 &
  for tick in 1 2 3 4 5 6 7 8 9 10; do test -n "$(lock_holder)" && break; sleep 0.1; done
  install_packages log something >out </dev/null && grep -q 'Lock::Timeout=1 ' calls
  verdict "goes on after the time is over"
  wait
fi

# Programs beside linkwork are those that ./demo builds.
programs=$(grep -rhE "run_program_beside\(\"|define [A-Z_]*PROGRAM " "$source_folder/app" "$source_folder/bench" --include=*.c | grep -oE "linkwork-[a-z]+" | sort -u)
[ -n "$programs" ]
verdict "there are programs beside linkwork"
for program in $programs
do
  grep -q -- "--target .*$(echo "$program" | tr - _)" "$source_folder/demo"
  verdict "./demo builds $program"
done
! grep -rlE '(^|[^-a-z_/])apt(-get)? (-[^ ]* )*(update|install) ' "$source_folder/tools" "$source_folder/check" "$source_folder/demo" "$source_folder/web/build" | grep -v '/packages.sh$'
verdict "packages are installed in one place only"
[ $failures -eq 0 ]
