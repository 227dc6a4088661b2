# The progress bar of runs that take more than a second: on a terminal only.

# feed.sh LAST COMMAND: feeds rows to the command for more than a second
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

# on_terminal COMMAND: writes what a terminal shows to the file seen; CR ESC [ K, which clears the bar, becomes <K>
on_terminal()
{
  script -qec "$1" /dev/null </dev/null | tr '\r' '\n' | sed 's/\x1b\[K/<K>/g' >seen
}

./feed.sh 0.2 "$linkwork" inverse pendulum.yaml --in - --out rows.csv 2>err
status=$?
[ $status -eq 0 ] && [ ! -s err ] && [ "$(wc -l <rows.csv)" -eq 42 ]
verdict "progress: silence without a terminal"

if script -qec true /dev/null </dev/null >/dev/null 2>&1  # script is installed, and terminals are available
then
  on_terminal "./feed.sh 0.2 $linkwork inverse pendulum.yaml --in - --out rows.csv"
  grep -q '^line [0-9]* of standard input<K>$' seen && [ "$(tail -n 1 seen)" = "<K>" ]
  verdict "progress: shows a line, and clears it at the end"
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
  verdict "progress: none for quick commands"
  on_terminal "$linkwork simulate $robots/../scenarios/puma_fall.yaml --duration 1e5 --out long.csv & sleep 2.5; kill -TERM \$!; wait \$!"
  grep -q '^\[[#.]*\] t = .* s left<K>$' seen && grep -q '^<K>linkwork: interrupted at t = ' seen
  verdict "progress: a bar for a simulation, cleared before the message that it was interrupted"
  on_terminal "$linkwork accuracy pendulum.yaml --states 1e7 --out long.csv & sleep 2; kill -TERM \$!; wait \$!"
  grep -q '^1e7 states of robot 1 of 1, 1 s<K>$' seen || grep -q '^10000000 states of robot 1 of 1, 1 s<K>$' seen
  verdict "progress: accuracy shows its current task"
  if command -v gnuplot >/dev/null
  then
    mkdir -p slow
    printf '#!/bin/sh\n[ -e slow/began ] || { : >slow/began; sleep 1.4; }\nexec %s "$@"\n' "$(command -v gnuplot)" >slow/gnuplot
    chmod +x slow/gnuplot
    printf 't,q1\n0,0\n1,1\n' >line.csv
    on_terminal "PATH=$work/slow:\$PATH $linkwork plot line.csv --out line.svg"
    grep -q '^drawing line.svg, 1 s<K>$' seen && [ "$(tail -n 1 seen)" = "<K>" ] && [ -s line.svg ]
    verdict "progress: a line while gnuplot draws"
    rm slow/began
    on_terminal "PATH=$work/slow:\$PATH $linkwork paper silver1981 --quick --out papers --format csv"
    grep -q '^silver1981: [a-z ]*, [12] s<K>$' seen && [ -s papers/silver1981/README.md ]
    verdict "progress: a line while a paper runs"
  fi
else
  echo "# skipped: progress on a terminal needs the program 'script'"
fi
