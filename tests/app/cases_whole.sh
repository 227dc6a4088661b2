# Output files appear completely or not at all, under the requested name.
scenarios=$robots/../scenarios
rm -rf whole
mkdir whole

ln -s target.csv whole/dangling.csv
run info pendulum.yaml --out whole/dangling.csv
[ $status -eq 0 ] && [ -L whole/dangling.csv ] && [ -s whole/target.csv ] && no_temporary
verdict "--out: a dangling link is written through"
ln -s ../whole/second.csv whole/first.csv
ln -s first.csv whole/chain.csv
run info pendulum.yaml --out whole/chain.csv
[ $status -eq 0 ] && [ -L whole/chain.csv ] && [ -L whole/first.csv ] && [ -s whole/second.csv ]
verdict "--out: links to links are followed"
ln -s loop.csv whole/loop.csv
refuses "--out: a link to itself" 3 'cannot write whole/loop.csv: .*symbolic links' info pendulum.yaml \
  --out whole/loop.csv

long=$(printf '%0251d' 0)
run info pendulum.yaml --out "whole/$long.csv"
[ $status -eq 0 ] && [ -s "whole/$long.csv" ] && no_temporary
verdict "--out: the longest name that the file system allows"
refuses "--out: a longer one" 3 'cannot write .*name too long' info pendulum.yaml --out "whole/x$long.csv"

# A file size limit simulates a full disk: writes fail, but gnuplot does not notice.
echo old >whole/run.csv
(
  ulimit -f 8
  exec "$linkwork" simulate "$scenarios/puma_pd.yaml" --out whole/run.csv
) >out 2>err
status=$?
[ $status -eq 3 ] && grep -q 'cannot write whole/run.csv: File too large' err && [ "$(cat whole/run.csv)" = old ] &&
  no_temporary
verdict "a file that cannot be written to its end leaves the old one"
if command -v gnuplot >/dev/null 2>&1
then
  run simulate "$scenarios/puma_pd.yaml" --out whole/run.csv
  for picture in run.svg run.png run.pdf
  do
    echo old >whole/$picture
    (
      ulimit -f 4
      exec "$linkwork" plot whole/run.csv --out whole/$picture
    ) >out 2>err
    status=$?
    [ $status -eq 3 ] && grep -q "cannot draw whole/$picture" err && [ "$(cat whole/$picture)" = old ] && no_temporary
    verdict "a picture that cannot be written to its end leaves the old one: $picture"
  done
fi

# A full disk of 64 KB, mounted in a separate namespace if possible
cat >full.sh <<'END'
mount -t tmpfs -o size=64k tmpfs "$1" || exit 100
echo old >"$1/run.csv"
"$2" simulate "$3/puma_pd.yaml" --out "$1/run.csv"
echo "exit $?: $(cat "$1/run.csv") in $(ls -A "$1")"
END
if unshare -rm sh -c 'mount -t tmpfs -o size=64k tmpfs whole' 2>/dev/null
then
  unshare -rm sh full.sh "$PWD/whole" "$linkwork" "$scenarios" >out 2>err
  status=$?
  [ $status -eq 0 ] && [ "$(cat out)" = 'exit 3: old in run.csv' ] && grep -q 'run.csv: No space left on device' err
  verdict "a full disk leaves the old file, and no temporary one"
else
  echo "# skipped: a full disk; mounting is not allowed here"
fi
rm -rf whole
