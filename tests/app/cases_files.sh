# Output files are written completely or not at all.
awk 'BEGIN { print "q1,q2"; for (i = 0; i < 20000; ++i) printf "%.6f,%.6f\n", sin(i), cos(i) }' >many.csv

# leftovers: temporary files in the working folder
leftovers()
{
  find . -name '.lw??????'
}

rm -f got.csv
gives "--out prints nothing" '' gravity pendulum.yaml --q 0 --out got.csv
[ "$(cat got.csv)" = "$(printf 'g1\n-9.81')" ] && [ -z "$(leftovers)" ]
verdict "--out writes csv"
gives "--out with a format" '' gravity pendulum.yaml --q 0 --out got.csv --format json
./json_check <got.csv
verdict "--out replaces the file"
chmod 640 got.csv
run gravity pendulum.yaml --q 0 --out got.csv
[ "$(ls -l got.csv | cut -c1-10)" = "-rw-r-----" ]
verdict "--out keeps the mode of the file"
ln -sf got.csv link.csv
run methods --out link.csv
[ -L link.csv ] && grep -q newton-euler got.csv
verdict "--out writes through a symbolic link"
cp got.csv before.csv
run gravity pendulum.yaml --in half.csv --out got.csv
[ $status -eq 3 ] && cmp -s got.csv before.csv && [ -z "$(leftovers)" ]
verdict "a failure leaves the old file unchanged"
refuses "missing folder" 3 'cannot write nowhere/x.csv: No such file' \
  gravity pendulum.yaml --q 0 --out nowhere/x.csv
refuses "a folder as --out" 3 'cannot write .: Is a directory' gravity pendulum.yaml --q 0 --out .
run lint wrong.yaml --out lint.txt
[ $status -eq 3 ] && tail -n 1 lint.txt | grep -q errors
verdict "lint --out is written despite errors"

if [ -e /dev/full ]
then
  refuses "full disk, --out" 3 'cannot write /dev/full: No space left' \
    gravity pendulum.yaml --q 0 --out /dev/full
  [ -c /dev/full ]
  verdict "a device stays a device"
  for arguments in "gravity pendulum.yaml --q 0" "methods" "--version" "--help" "info crane.yaml"
  do
    "$linkwork" $arguments >/dev/full 2>err
    status=$?
    [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'cannot write standard output' err
    verdict "full disk: $arguments"
  done
  "$linkwork" inverse crane.yaml --in many.csv >/dev/full 2>err
  status=$?
  [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ]
  verdict "full disk: many states"
fi
"$linkwork" methods >&- 2>err
status=$?
[ $status -eq 3 ] && grep -q 'cannot write standard output' err
verdict "standard output is closed"

# --- a reader that closes the pipe: no message, exit 0
{
  "$linkwork" inverse crane.yaml --in many.csv 2>err
  echo $? >code
} | head -n 1 >out
status=$(cat code)
[ "$status" -eq 0 ] && [ ! -s err ] && [ "$(cat out)" = "tau1,tau2" ]
verdict "closed pipe"

# --- a signal removes the temporary file
for signal in TERM HUP ALRM USR1 XCPU XFSZ
do
  rm -f slow.csv slow.csv.* states.pipe
  mkfifo states.pipe
  "$linkwork" gravity pendulum.yaml --in states.pipe --out slow.csv 2>err &
  pid=$!
  exec 3>states.pipe
  printf 'q1\n0\n' >&3
  tries=0
  while [ -z "$(leftovers)" ] && [ $tries -lt 50 ]
  do
    sleep 0.1
    tries=$((tries + 1))
  done
  started=$(leftovers)
  kill -s $signal $pid
  wait $pid 2>/dev/null
  status=$?
  exec 3>&-
  [ -n "$started" ] && [ $status -gt 128 ] && [ ! -e slow.csv ] && [ -z "$(leftovers)" ]
  verdict "SIG$signal leaves nothing half-written"
done
