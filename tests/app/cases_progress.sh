# The bar of runs that take more than a second: on a terminal, and only there.

# feed.sh LAST COMMAND: gives it rows that take more than a second to come
cat >feed.sh <<'END'
#!/bin/sh
last=$1
shift
{
  echo q1
  sleep 1.2
  awk 'BEGIN { for (i = 0; i < 40; ++i) print 0.1 }'
  echo "$last"
} | "$@"
END
chmod +x feed.sh

# on_terminal COMMAND: what is seen on a terminal, in the file seen; the bar is cleared by CR ESC [ K, here <K>
on_terminal()
{
  script -qec "$1" /dev/null </dev/null | tr '\r' '\n' | sed 's/\x1b\[K/<K>/g' >seen
}

./feed.sh 0.2 "$linkwork" inverse pendulum.yaml --in - --out rows.csv 2>err
status=$?
[ $status -eq 0 ] && [ ! -s err ] && [ "$(wc -l <rows.csv)" -eq 42 ]
verdict "progress: silence without a terminal"

if command -v script >/dev/null
then
  on_terminal "./feed.sh 0.2 $linkwork inverse pendulum.yaml --in - --out rows.csv"
  grep -q '^line [0-9]* of standard input<K>$' seen && [ "$(tail -n 1 seen)" = "<K>" ]
  verdict "progress: a line that tells how far it is, and is cleared at the end"
  on_terminal "./feed.sh 0.2 $linkwork inverse pendulum.yaml --in - --out rows.csv --quiet"
  [ ! -s seen ]
  verdict "progress: --quiet shows none"
  on_terminal "./feed.sh wrong $linkwork inverse pendulum.yaml --in - --out rows.csv"
  grep -q "^<K>standard input:42:1: error: 'wrong' is not a finite number" seen
  verdict "progress: the line is cleared before a message"
  on_terminal "./feed.sh 0.2 $linkwork inverse pendulum.yaml --in - --format csv"
  [ "$(grep -c '^-\{0,1\}[0-9.]' seen)" -eq 41 ] && ! grep -q '[^>]tau1' seen
  verdict "progress: the output on the terminal is not mixed with it"
  on_terminal "$linkwork check pendulum.yaml --states 10"
  ! grep -q '<K>' seen
  verdict "progress: none for what is done at once"
  on_terminal "$linkwork simulate $robots/../scenarios/puma_fall.yaml --duration 1e5 --out long.csv & sleep 2.5; kill -TERM \$!; wait \$!"
  grep -q '^\[[#.]*\] t = .* s left<K>$' seen && grep -q '^<K>linkwork: interrupted at t = ' seen
  verdict "progress: a bar for a simulation, cleared before it says that it was interrupted"
else
  echo "# skipped: progress on a terminal needs the program 'script'"
fi
