# Run by run.sh: linkwork study, its database and its report.
run study
if grep -q 'no SQLite' err
then
  echo "skipped: built without SQLite"
else

# rows FILE: the whole content of a database, in order
rows()
{
  "$linkwork" study report "$1" --table summary --format csv >rows.csv 2>/dev/null &&
    "$linkwork" study report "$1" --table bands --format csv >>rows.csv &&
    "$linkwork" study report "$1" --table tornado --format csv >>rows.csv &&
    "$linkwork" study report "$1" --table histogram --format csv >>rows.csv &&
    cat rows.csv
}

# samples FILE: all samples of a database
samples()
{
  "$linkwork" study report "$1" --table samples --format csv
}

# same_samples A B: two databases have the same samples
same_samples()
{
  samples "$1" >a.csv && samples "$2" >b.csv && [ "$(wc -l <a.csv)" -gt 2 ] && cmp -s a.csv b.csv
}

# same NAME A B: two databases have the same rows
same()
{
  rows "$2" >a.rows && rows "$3" >b.rows && [ "$(wc -l <a.rows)" -gt 10 ] && cmp -s a.rows b.rows
  verdict "$1"
}

cat >arm.study <<END
linkwork: 1
study: an arm in doubt
sampling: {method: sobol, samples: 96, seed: 5}
run:
  inverse: {robot: $robots/puma560.yaml, duration: 4, dt: 0.01, waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}
vary:
  masses: {scale: links.*.mass, normal: [1, 0.1]}
  rub: {scale: joints.*.coulomb, uniform: [0.5, 1.5]}
  elbow: {add: joints.elbow.a, uniform: [-0.01, 0.01]}
measure:
  peak2: {peak: torque2, below: 80}
  rms3: {rms: torque3}
  both: {value: "peak2 + 0*rms3 + masses"}
bands: {columns: [torque2, torque3], steps: 8}
END
run study arm.study --out one.db --threads 1
[ $status -eq 0 ] && grep -q '96 samples in one.db' err && [ ! -s out ]
verdict "a study"
run study arm.study --out two.db --threads 2 --quiet
[ $status -eq 0 ] && [ ! -s err ] && [ ! -s out ]
verdict "silent when piped and --quiet"
same "threads make no difference" one.db two.db
run study arm.study --out one.db
[ $status -eq 3 ] && grep -q 'hint: resume it' err
verdict "an existing database is not overwritten"
run study arm.study --out none.db --resume
[ $status -eq 3 ] && [ ! -e none.db ]
verdict "nothing to resume"
run study arm.study --out one.db --resume
[ $status -eq 0 ] && grep -q '0 of them now' err
verdict "nothing is left to do"
run study arm.study --out one.db --resume --samples 97
[ $status -eq 3 ] && grep -q "these are results of another study: 'points'" err
verdict "another number of samples is another study"
sed 's/0.5, 1.5/0.5, 1.6/' arm.study >other.study
run study other.study --out one.db --resume
[ $status -eq 3 ] && grep -q "these are results of another study: 'fingerprint'" err
verdict "another text is another study"

# every command in the table of worst cases reproduces its sample to the last bit
# worst NAME DATABASE
worst()
{
  "$linkwork" study report "$2" --table worst --format csv | sed 1d >worst.csv
  told=
  while IFS=, read -r measure end value sample command
  do
    sh -c "linkwork() { \"$linkwork\" \"\$@\"; }; $command --format csv" >alone.csv 2>/dev/null </dev/null
    grep -qx "measure,$measure,$value" alone.csv || told="$told $end $measure of sample $sample is not $value;"
  done <worst.csv
  [ -z "$told" ] || echo "$told"
  [ -z "$told" ] && [ "$(wc -l <worst.csv)" -ge 2 ]
  verdict "$1"
}
worst "the commands of worst cases give their values" one.db
mkdir -p "a folder's"
cp arm.study "a folder's/arm.study"
run study "a folder's/arm.study" --out quoted.db --samples 8 --quiet
worst "commands with odd paths can be pasted into a shell" quoted.db
says "how often a criterion is met" '^peak2,96,.*,(0\.[0-9]+|1),' study report one.db --table summary --format csv
json "json" '"measure": "rms3", "count": 96' study report one.db
says "the whole report" 'worst cases' study report one.db --format table
refuses "an unknown table" 2 "no 'median'; expected summary" study report one.db --table median
diagnoses "a file that is not a database" 3 'arm.study: .*(not a database|no database)' study report arm.study

# --- interrupting and resuming
cat >slow.study <<END
linkwork: 1
study: slow
sampling: {samples: 100}
run:
  inverse: {robot: $robots/puma560.yaml, duration: 4, dt: 1e-4, waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}
vary: {masses: {scale: links.*.mass, normal: [1, 0.1]}}
measure: {peak2: {peak: torque2}}
bands: {columns: [torque2], steps: 4}
END
"$linkwork" study slow.study --out whole.db --threads 1 --quiet
tries=0
while [ $tries -lt "${STUDY_KILLS:-3}" ]
do
  resume=
  [ ! -e killed.db ] || resume=--resume
  "$linkwork" study slow.study --out killed.db --threads 2 --quiet $resume >/dev/null 2>&1 &
  victim=$!
  sleep "0.$((tries % 4 + 1))"
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
  tries=$((tries + 1))
done
rm -f .lw?????? # SIGKILL may come before the new file has its name, and leaves no time to remove it
resume=         # on a slow machine the file may not be there yet
if [ -e killed.db ]
then
  resume=--resume
  ln -s killed.db link.db # the log of what is not in the file yet is beside the file, not beside the link
  rows killed.db >a.rows && rows link.db >b.rows && cmp -s a.rows b.rows
  verdict "a database of a killed study is read through a link"
fi
run study slow.study --out killed.db $resume --quiet
[ $status -eq 0 ]
verdict "resumed after kill -9"
same "killed and resumed, it has the same rows" whole.db killed.db
"$linkwork" study slow.study --out locked.db --threads 1 --quiet >/dev/null 2>&1 &
first=$!
tries=0
kill -STOP $first # it runs for moments only, so that it is still there after the next command
# with a row in it: a study that is stopped before its first row leaves no file
until run study report locked.db --table summary --format csv && grep -q '^peak2,[1-9]' out || [ $tries -ge 600 ]
do
  kill -CONT $first
  sleep 0.05
  kill -STOP $first
  tries=$((tries + 1))
done
[ $status -eq 0 ] && grep -q '^peak2,[1-9]' out
verdict "a database can be read while it grows"
run study slow.study --out locked.db --resume
[ $status -eq 3 ] && grep -q 'locked.db: another process writes these results' err
verdict "two processes refuse each other"
kill -TERM $first
kill -CONT $first
wait $first
[ $? -eq 143 ]
verdict "a signal ends it"
run study slow.study --out locked.db --resume --quiet
same "stopped by a signal and resumed, it has the same rows" whole.db locked.db
# full NAME BLOCKS STUDY OUT: its exit code is in full.status
full()
{
  (
    trap '' XFSZ
    ulimit -f "$1"
    shift
    "$linkwork" "$@" --quiet 2>full.err
    echo $? >full.status
  )
}
full 20 study arm.study --out full.db
[ "$(cat full.status)" -eq 3 ] && grep -q 'full.db: ' full.err && [ ! -e full.db ] && no_temporary
verdict "a disk that is full before the first row leaves no file"
cat >many.study <<END
linkwork: 1
study: many samples
sampling: {samples: 20000, seed: 4}
vary: {a: {uniform: [0, 1]}, b: {uniform: [0, 1]}}
measure: {sum: {value: a + b}}
END
run study many.study --out many.db --threads 1 --quiet
full 300 study many.study --out full.db --threads 1
[ "$(cat full.status)" -eq 3 ] && grep -q 'full.db: ' full.err && [ -e full.db ]
verdict "a full disk is an error"
run study many.study --out full.db --resume --quiet
samples many.db >a.csv && samples full.db >b.csv && [ "$(wc -l <a.csv)" -eq 20001 ] && cmp -s a.csv b.csv
verdict "after a full disk it is resumed"

# --- parts, merged: the same rows as one run, number by number
for part in 1 2 3
do
  run study arm.study --out part$part.db --part $part/3 --quiet
  [ $status -eq 0 ]
  verdict "part $part"
done
run study merge part3.db part1.db part2.db --out parts.db
[ $status -eq 0 ] && [ ! -s err ]
verdict "databases of parts are merged"
samples one.db >a.csv && samples parts.db >b.csv && [ "$(wc -l <a.csv)" -eq 97 ] && cmp -s a.csv b.csv
verdict "merged, every sample has the same numbers"
same "merged, bands and statistics are the same" one.db parts.db
run study arm.study --out part1.db --resume
[ $status -eq 0 ] && grep -q '96 samples in part1.db, 64 of them now' err
verdict "a part is completed"
samples part1.db | cmp -s - a.csv
verdict "completed, it has the same numbers"
run study merge part2.db part3.db --out parts.db
[ $status -eq 3 ] && grep -q 'parts.db: File exists' err
verdict "an existing database is not merged into"
run study merge part2.db none.db --out none-merged.db
[ $status -eq 3 ] && grep -q 'none.db: the file cannot be read' err && [ ! -e none-merged.db ]
verdict "a missing database is not merged"
run study merge part2.db arm.study --out no-merged.db
[ $status -eq 3 ] && [ -s err ] && [ ! -e no-merged.db ]
verdict "a file that is not a database is not merged"
refuses "no such part" 2 "--part: '4/3' is wrong, expected K/N, for example 2/4" study arm.study --out x.db --part 4/3
refuses "an unknown part" 2 "--part: 'half' is wrong" study arm.study --out x.db --part half
run study merge one.db one.db --out twice.db
[ $status -eq 3 ] && [ ! -e twice.db ]
verdict "the same samples twice are refused"
run study merge whole.db one.db --out mixed.db
[ $status -eq 3 ] && grep -q 'one.db: these are results of another study' err && [ ! -e mixed.db ]
verdict "databases of two studies are not merged"
full 300 study merge many.db --out full-merged.db
[ "$(cat full.status)" -eq 3 ] && [ ! -e full-merged.db ] && no_temporary
verdict "a disk that is full leaves no merged database"
for part in 1 2
do
  run study many.study --out many$part.db --part $part/2 --quiet
done
samples many.db >a.csv
left=
for moment in 0.02 0.05 0.1 0.2
do
  "$linkwork" study merge many1.db many2.db --out killed-merge.db 2>/dev/null &
  victim=$!
  sleep $moment
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
  [ ! -e killed-merge.db ] || { samples killed-merge.db | cmp -s - a.csv || left="$left after $moment s;"; }
  rm -f killed-merge.db killed-merge.db-* .lw??????
done
[ -z "$left" ]
verdict "a merge that is killed leaves nothing, or all of it"

# --- files that are not whole, not ours, or of another version: refused, and unchanged
# patch FILE OFFSET BYTES: writes bytes (octal escapes) at an offset
patch()
{
  printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# untouched NAME CODE PATTERN FILE: report, merge and resume refuse the file and leave it as it is
untouched()
{
  cp "$4" before.db
  told=
  for way in report resume merge
  do
    case $way in
      report) run study report "$4" ;;
      resume) run study arm.study --out "$4" --resume ;;
      merge) run study merge "$4" --out not-merged.db ;;
    esac
    { [ $status -eq "$2" ] && grep -Eq -- "$3" err && [ ! -s out ]; } || told="$told $way exits with $status: $(head -n 1 err);"
    { cmp -s "$4" before.db && [ ! -e "$4-wal" ] && [ ! -e "$4-shm" ] && [ ! -e not-merged.db ]; } || told="$told $way changes files;"
  done
  [ -z "$told" ] || echo "$told"
  [ -z "$told" ]
  verdict "$1"
}
cp one.db newer.db
patch newer.db 60 '\000\000\000\011'
untouched "a database of a newer schema" 2 'newer.db: these are results of linkwork [0-9.]+ with schema 9; this version reads schema 2' newer.db
cp one.db older.db
patch older.db 60 '\000\000\000\000'
patch older.db 68 '\000\000\000\000'
untouched "a database of an older schema" 2 'older.db: these are results of linkwork [0-9.]+ with schema 1' older.db
cp one.db foreign.db
patch foreign.db 68 '\001\002\003\004'
untouched "a database of another program" 3 'foreign.db: this is no database with results of a study' foreign.db
head -c 9000 one.db >short.db
untouched "a database that is cut off" 3 'short.db: the results are damaged' short.db
cp one.db zeros.db
dd if=/dev/zero of=zeros.db bs=4096 seek=5 count=1 conv=notrunc 2>/dev/null
untouched "a database with a page of zeros" 3 'zeros.db: the results are damaged' zeros.db
: >empty.db
untouched "an empty file" 3 'empty.db: this is not a database' empty.db
mkfifo pipe.db
diagnoses "a pipe" 3 'pipe.db: this is not a database' study report pipe.db

# --- Sobol' indices of the Ishigami function: S1 = 0.3139, 0.4424, 0; ST = 0.5576, 0.4424, 0.2437
cat >ishigami.study <<END
linkwork: 1
study: Ishigami
sampling: {method: saltelli, samples: 1024, seed: 3}
vary:
  a: {uniform: [-3.141592653589793, 3.141592653589793]}
  b: {uniform: [-3.141592653589793, 3.141592653589793]}
  c: {uniform: [-3.141592653589793, 3.141592653589793]}
measure: {f: {value: "sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"}}
END
run study ishigami.study --out ishigami.db --quiet
run study report ishigami.db --table indices --format csv
awk -F, 'BEGIN { s["a"] = 0.3139; s["b"] = 0.4424; s["c"] = 0; t["a"] = 0.5576; t["b"] = 0.4424; t["c"] = 0.2437 }
  NR > 1 { ++n; if (!($4 <= s[$2] && s[$2] <= $5 && $7 <= t[$2] && t[$2] <= $8)) bad = 1 }
  END { exit bad || n != 3 }' out
verdict "indices of the Ishigami function are within their intervals"

# --- other runs
cat >swing.yaml <<END
linkwork: 1
robot: $robots/planar2r.yaml
initial: {q: [0.3, 0.2]}
duration: 0.5
friction: none
rotors: false
drives: {shoulder: {torque: 2*sin(t)}}
integrator: {method: rk4, step: 0.005}
END
cat >swing.study <<END
linkwork: 1
study: a swing
sampling: {method: latin-hypercube, samples: 40}
run: {simulate: {scenario: swing.yaml, lanes: LANES}}
vary:
  start: {set: scenario.initial.q.1, uniform: [0, 0.5]}
  push: {set: scenario.drives.shoulder.torque, form: \$*sin(t), uniform: [1, 3]}
  mass: {scale: links.*.mass, uniform: [0.8, 1.2]}
measure: {end: {final: q1}, fast: {peak: qd2}}
bands: {columns: [q1], steps: 5}
END
sed 's/LANES/true/' swing.study >lanes.study
sed 's/LANES/false/' swing.study >alone.study
run study lanes.study --out lanes.db --quiet
[ $status -eq 0 ]
verdict "a simulation in lanes"
sed 's/step: 0.005/step: 0.08/; s/duration: 0.5/duration: 5/' swing.yaml >coarse.yaml
for lanes in true false # with steps that are too long, samples fail in both
do
  sed "s/LANES/$lanes/; s/swing.yaml/coarse.yaml/; s/samples: 40/samples: 8/; /^bands/d" swing.study >coarse.study
  rm -f coarse.db
  run study coarse.study --out coarse.db --quiet
  run study report coarse.db --table impossible --format csv
  awk -F, '/^failed,.*not to be trusted: S moved by/ { n += $2 } END { exit n != 8 }' out
  verdict "samples of which the energy is not kept have failed, lanes: $lanes"
done
worst "a worst case in lanes is reproduced alone" lanes.db
sed 's/step: 0.005/step: 0.005, budget: 50/' swing.yaml >spent.yaml
sed 's/LANES/auto/; s/swing.yaml/spent.yaml/; s/samples: 40/samples: 8/; /^bands/d' swing.study >spent.study
run study spent.study --out spent.db --quiet
run study report spent.db --table impossible --format csv
awk -F, '/^failed,.*t = 0.25 s: the budget is used up/ { n += $2 } END { exit n != 8 }' out
verdict "samples end with the budget of steps of their scenario"
run study alone.study --out alone.db --quiet
worst "a worst case of a simulation is reproduced alone" alone.db
"$linkwork" study report lanes.db --table summary --format csv >lanes.csv
"$linkwork" study report alone.db --table summary --format csv >alone.csv
paste -d, lanes.csv alone.csv | awk -F, 'NR > 1 { ++n; for (i = 3; i <= 11; ++i) { d = $i - $(i + 14); if (d * d > 1e-18 * (1 + $i * $i)) bad = 1 } } END { exit bad || n != 2 }'
verdict "lanes and single arms agree to rounding"
cat >words.study <<END
linkwork: 1
study: a command
sampling: {method: corners}
run: {command: {words: [linkwork, pose, "{file}", --q, "{angle},0", --format, csv], file: $robots/planar2r.yaml, columns: [x, z]}}
vary: {angle: {uniform: [0, 1]}, length: {set: file.joints.2.a, uniform: [0.5, 2]}}
measure: {reach: {final: "sqrt(x^2 + z^2)"}}
END
refuses "programs are started only with permission" 2 "words.study: 'run: command' would start the program 'linkwork'.*--allow-commands" \
  study words.study --out words.db
refuses "nor for one sample" 2 "--allow-commands" study words.study --sample 1
[ ! -e words.db ]
verdict "a refused study leaves no file"
run study words.study --allow-commands --out words.db --quiet
[ $status -eq 0 ] && "$linkwork" study report words.db --table summary --format csv | grep -q '^reach,4,'
verdict "the numbers of a command"
worst "the command of a worst case has the permission" words.db
ln "$linkwork" other-name 2>/dev/null || cp "$linkwork" other-name
PATH=/usr/bin:/bin ./other-name study words.study --allow-commands --out renamed.db --quiet >out 2>err
status=$?
[ $status -eq 0 ] && same_samples words.db renamed.db
verdict "a command finds linkwork whatever the program's file is called"
cat >where.study <<END
linkwork: 1
study: where files of samples are
sampling: {samples: 2}
run:
  command:
    words: [sh, -c, 'echo inside,files; case {file} in "$PWD/scratch/"*) printf 1,;; *) printf 0,;; esac; ls /proc/self/fd | wc -l']
    file: $robots/planar2r.yaml
    columns: [inside, files]
vary: {a: {set: file.joints.2.a, uniform: [1, 2]}}
measure: {placed: {final: inside}, open: {final: files}}
END
mkdir -p scratch
# 0, 1, 2 and the folder that ls reads; not what this script has open
TMPDIR=$PWD/scratch "$linkwork" study where.study --allow-commands --out where.db --quiet 7<where.study 8>spare >out 2>err
"$linkwork" study report where.db --table samples --format csv >out
awk -F, 'NR > 1 { ++n; if ($3 != 1 || $4 != 4) bad = 1 } END { exit bad || n != 2 }' out && [ -z "$(ls scratch)" ]
verdict "a command has its file in TMPDIR, and no descriptors of the study"
cat >sleeper <<END
#!/bin/sh
sleep 1234 &
echo \$\$ \$! >>$PWD/sleepers
wait
END
chmod +x sleeper
cat >sleep.study <<END
linkwork: 1
study: a command that takes long
sampling: {samples: 8}
run: {command: {words: [$PWD/sleeper, "{a}"], columns: [x]}}
vary: {a: {uniform: [0, 1]}}
measure: {reach: {final: x}}
END
# sleepers_end SIGNAL: the study ends by the signal, and with it both programs that it started on each thread
sleepers_end()
{
  rm -f sleepers
  "$linkwork" study sleep.study --allow-commands --out sleep.db --threads 2 >out 2>err &
  studying=$!
  tries=0
  until [ "$(wc -l 2>/dev/null <sleepers)" = 2 ] || [ $tries -ge 100 ]
  do
    sleep 0.1
    tries=$((tries + 1))
  done
  kill -"$1" $studying
  wait $studying
  status=$?
  tries=0
  while alive && [ $tries -lt 30 ]
  do
    sleep 0.1
    tries=$((tries + 1))
  done
}
# alive: whether one of the programs is still there; what is dead and not yet waited for does not count
alive()
{
  for number in $(cut -d' ' -f"${fields:-1,2}" sleepers)
  do
    grep -q '^State:[[:space:]]*[^Z]' /proc/"$number"/status 2>/dev/null && return 0
  done
  return 1
}
sleepers_end TERM
[ $status -eq 143 ] && [ "$(wc -l <sleepers)" = 2 ] && ! alive && [ ! -e sleep.db ]
verdict "what a study started is ended with it"
fields=1 # the program itself; SIGKILL leaves no time for what it started in turn
sleepers_end KILL
[ $status -eq 137 ] && [ "$(wc -l <sleepers)" = 2 ] && ! alive
verdict "a command does not outlive a study that is killed"
for number in $(cut -d' ' -f2 sleepers); do kill "$number" 2>/dev/null; done
rm -f sleep.db sleep.db-*
cat >flyer.csv <<END
t,q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13
0,0,0,0,0,0,0,1,0,0,0,0,0,0
1,0.5,0,0,0.6,0,0,0.8,0.1,0.2,0.3,0,0,0
END
cat >flyer.study <<END
linkwork: 1
study: a trajectory with a quaternion
sampling: {samples: 2}
run: {inverse: {robot: $robots/free_flyer.yaml, trajectory: flyer.csv}}
vary: {m: {scale: links.gripper.mass, uniform: [0.9, 1.1]}}
measure: {w: {final: q7}, x: {final: q1}, force: {peak: tau1}}
END
run study flyer.study --sample 1 --format csv
[ $status -eq 0 ] && awk -F, '{ v[$2] = $3 } END { exit !(v["w"] > 0.79 && v["w"] < 0.81 && v["x"] > 0.49) }' out
verdict "a trajectory with a quaternion"
# With loops the joints that are not driven follow in every sample; the torque at the end is that of 'inverse'. Of what rolls, too.
"$linkwork" plan "$robots/four_bar.yaml" --from crank=1 --to crank=2 --duration 1 --dt 0.1 --names 2>/dev/null |
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ /^t$|crank/) keep[++n] = i } { for (k = 1; k <= n; ++k) printf "%s%s", (k > 1 ? "," : ""), $keep[k]; print "" }' >crank.csv
cat >crank.study <<END
linkwork: 1
study: a four-bar
sampling: {samples: 2}
run: {inverse: {robot: $robots/four_bar.yaml, trajectory: crank.csv}}
vary: {m: {scale: links.rocker.mass, uniform: [0.9, 1.1]}}
measure: {last: {final: tau1}, follows: {final: q2}, none: {peak: tau2}, first: {row: tau1, at: 1}, weight: {value: m}}
END
run study crank.study --sample 1 --format csv
cp out sample.csv
sed "s/mass: 1.57$/mass: $(awk -F, '$2 == "weight" { printf "%.17g", 1.57 * $3 }' sample.csv)/" "$robots/four_bar.yaml" >heavier.yaml
sed -n '2p' crank.csv | { IFS=, read -r t q qd qdd; "$linkwork" inverse heavier.yaml --q "crank=$q" --qd "crank=$qd" --qdd "crank=$qdd" --format csv; } >one.csv
awk -F, 'NR == FNR { v[$2] = $3; next } FNR == 2 { e = $1 - v["first"]; good = e * e < 1e-20 && v["first"] != 0 && v["none"] == 0 && v["follows"] < 0 }
  END { exit !good }' sample.csv one.csv
verdict "a trajectory of a robot with loops, of driven joints alone"
cat >row.study <<END
linkwork: 1
study: rows and quantiles
sampling: {samples: 2}
run: {inverse: {robot: $robots/planar2r.yaml, duration: 2, dt: 0.01, waypoints: [[0, 0], [1, 2]]}}
vary: {a: {uniform: [1, 2]}}
measure:
  row: {row: q1, at: 61}
  third: {quantile: q1, at: 0.3}
  high: {quantile: -a*q1, at: 0.7}
  between: {quantile: q2, at: 0.9975}
  ends: {value: high + a*row}
  other: {row: q2, at: 200}
  last: {final: q2}
  middle: {value: between - 0.5*(other + last)}
END
run study row.study --sample 1 --format csv
awk -F, '{ v[$2] = $3 }
  END { e = v["middle"]; f = v["ends"]; exit !(v["row"] == v["third"] && f * f < 1e-28 && e * e < 1e-28 && v["row"] > 0.1) }' out
verdict "quantiles over time are the records of that rank"
sed 's/at: 61/at: 6100/' row.study >beyond.study
run study beyond.study --sample 1 --format csv
[ $status -eq 4 ] && grep -q "'row' is not a finite number" err
verdict "a missing row"
cat >fails.study <<END
linkwork: 1
study: a command that fails
sampling: {samples: 3}
run: {command: {words: [linkwork, pose, $robots/planar2r.yaml, --q, "{a}"], columns: [x]}}
vary: {a: {uniform: [0, 1]}}
measure: {reach: {final: x}}
END
run study fails.study --allow-commands --out fails.db
[ $status -eq 0 ] && grep -q 'warning: 3 of 3 samples have no results' err
verdict "samples without results are reported"
says "what a command says about its failure" "^failed,[123],0,.*'linkwork' ended with 2: linkwork: error:" \
  study report fails.db --table impossible --format csv
cat >limit.study <<END
linkwork: 1
study: a command that answers no
sampling: {samples: 2}
run: {command: {words: [linkwork, drives, "{file}", --in, $PWD/fast.csv], file: $robots/puma560.yaml, columns: [torque_peak]}}
vary: {m: {scale: file.joints.1.link.mass, uniform: [1, 2]}}
measure: {first: {row: torque_peak, at: 1}, second: {row: torque_peak, at: 2}}
END
{
  echo t,q1,q2,q3,q4,q5,q6,qd1,qd2,qd3,qd4,qd5,qd6,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6
  echo 0,0,0,0,0,0,0,0,0,0,0,0,0,1e3,0,0,0,0,0
  echo 1,1,0,0,0,0,0,1e3,0,0,0,0,0,1e3,0,0,0,0,0
} >fast.csv
run study limit.study --allow-commands --out limit.db --quiet
"$linkwork" study report limit.db --table summary --format csv | grep -q '^first,2,'
verdict "numbers of a command that exits with 1"

# --- comparing choices
cat >motor.study <<END
linkwork: 1
study: a motor
sampling: {method: sobol, samples: 1024, seed: 1}
run: {inverse: {robot: $robots/puma560.yaml, duration: 4, dt: 0.1, waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}}
vary:
  motor:
    choice:
      small: {joints.shoulder.effort: 30}
      large: {joints.shoulder.effort: 500, joints.shoulder.gear: 100}
    weights: [1, 3]
  masses: {scale: links.*.mass, normal: [1, 0.1]}
measure:
  room: {min: headroom2, above: 0}
  peak: {peak: torque2}
END
run study motor.study --out motor.db --quiet
run study report motor.db --table holds --format csv
awk -F, 'NR > 1 { ++n; holds[$2] = holds[$2] " " $9; count[$2] = $4 }
  END { exit !(n == 4 && holds["small"] == " no no" && holds["large"] == " yes yes" && count["small"] == 256 && count["large"] == 768) }' out
verdict "which motor holds in 99 % of the cases"
"$linkwork" study report motor.db --table samples --format csv | awk -F, 'NR > 1 && $2 == 1 { d = $4 - (1 - $5 / 30); if (d * d > 1e-24) bad = 1; ++n } END { exit bad || n != 256 }'
verdict "headroom is what is left of the limit"
says "another level" '^motor,small,all,256,[^,]*,[^,]*,[^,]*,0.5,' study report motor.db --table holds --level 0.5 --format csv
refuses "an invalid level" 2 "--level: '99' is wrong" study report motor.db --level 99
diagnoses "no indices without their design" 3 "motor.db: Sobol' indices need sampling: .method: saltelli." \
  study report motor.db --table indices
diagnoses "no bands without columns" 3 'motor.db: the study has no bands' study report motor.db --table bands
cat >wrongs.study <<END
linkwork: 1
study: a motor that is none
run: {inverse: {robot: $robots/puma560.yaml, duration: 4, dt: 0.1, waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}}
vary:
  motor: {choice: {small: {joints.shoulder.strength: 50}}, uniform: [1, 2]}
measure: {peak: {peak: torque2}}
END
diagnoses "a choice with another distribution" 3 "wrongs.study:5:10: error: parameter 'motor': 'choice' is a distribution" \
  study wrongs.study --out x.db
sed 's/, uniform: .1, 2.//' wrongs.study >wrong.study
diagnoses "a choice of an unknown number" 3 "wrong.study:5:28: error: 'joints.shoulder.strength': a robot has no such number" \
  study wrong.study --out x.db

# --- a page
run study report one.db --page one.html --table summary
[ $status -eq 0 ] && grep -q '<h1>an arm in doubt</h1>' one.html && grep -q 'histogram of peak2' one.html &&
  [ "$(grep -c '<svg' one.html)" -eq 8 ] && [ "$(grep -c '</svg>' one.html)" -eq 8 ] && ! grep -q 'src=\|href=' one.html
verdict "a page with tables and pictures"

# --- sensors, and a controller with a different robot model
cat >sensors.yaml <<END
linkwork: 1
robot: $robots/planar2r.yaml
gravity: [0, 0, 0]
initial: {q: [0.5, 0.3]}
duration: 6
record: 0.1
friction: none
rotors: false
controller: {kind: pd-gravity, kp: 80, kd: 40}
sensors: {offset: [0.01, 0], scale: 1}
END
cat >sensors.study <<END
linkwork: 1
study: an encoder
sampling: {method: latin-hypercube, samples: 16, seed: 4}
run: {simulate: {scenario: sensors.yaml}}
vary: {offset: {set: scenario.sensors.offset.1, normal: [0, 0.01]}}
measure:
  end: {final: q1}
  off: {value: "1e3*(end - 0.5 + offset)"}
END
run study sensors.study --out sensors.db --quiet
"$linkwork" study report sensors.db --table summary --format csv |
  awk -F, '/^off/ { found = $5 > -0.5 && $11 < 0.5 } END { exit !found }'
verdict "an arm rests where its sensors read the target"
worst "a sample with sensors is reproduced alone" sensors.db
cat >blind.yaml <<END
linkwork: 1
robot: $robots/planar2r.yaml
sensors: {offset: 0.1}
END
diagnoses "sensors without a controller" 3 'blind.yaml:3:10: error: sensors tell a controller' simulate blind.yaml
sed 's/scale: 1/noise: 0.1/' sensors.yaml >noisy.yaml
diagnoses "noise without samples" 3 'noisy.yaml:10:37: error: resolution and noise need' simulate noisy.yaml
sed "s#kd: 40#kd: 40, robot: $robots/puma560.yaml#" sensors.yaml >stranger.yaml
diagnoses "a controller of another robot" 3 'stranger.yaml:9:.*has 6 moving joints, expected the 2' simulate stranger.yaml
cat >heavy.study <<END
linkwork: 1
study: impossible
sampling: {method: factorial}
run: {inverse: {robot: $robots/planar2r.yaml, duration: 2, dt: 0.1, waypoints: [[0, 0], [1, 1]]}}
vary: {mass: {set: links.upper_rod.mass, uniform: [-1, 1], levels: 5}}
measure: {peak: {peak: torque1}}
END
run study heavy.study --out heavy.db --quiet
says "impossible robots are counted and named" '^impossible,[12],0,.*mass' study report heavy.db --table impossible --format csv

# --- errors and their places
broken()
{
  sed "$3" arm.study >broken.study
  diagnoses "$1" 3 "$2" study broken.study --out broken.db
}
broken "an unknown link" "broken.study:7:.*: error: 'links.hand.mass': the robot has no such link" 's/links.\*.mass/links.hand.mass/'
broken "an unknown number" "broken.study:7:.*: error: 'links.\*.weight': a robot has no such number" 's/links.\*.mass/links.*.weight/'
broken "an unknown column" "broken.study:11:17: error: unknown name 'torque9'" 's/peak: torque2/peak: torque9/'
broken "a distribution without numbers" "broken.study:7:.*'normal' must be \[mean, deviation\], found 1" 's/normal: .1, 0.1./normal: [1]/'
broken "no distribution" "broken.study:7:.*'masses' has 0 distributions" 's/, normal: .1, 0.1.//'
# the limits of each distribution: what is just allowed, and what is not
spread()
{
  sed "s/normal: .1, 0.1./$2/" arm.study >spread.study
  if [ "$1" = yes ]
  then says "may be $2" '^0 errors' lint spread.study
  else diagnoses "may not be $2" 3 "spread.study:7:[0-9]*: error: .*$3" study spread.study --out broken.db
  fi
}
spread yes 'uniform: [2, 2]'
spread no 'uniform: [2, 1]' 'low must not be above high'
spread no 'normal: [1, 0]' 'the deviation must be above 0'
spread yes 'log-normal: [1e-9, 1e-9]'
spread no 'log-normal: [0, 1]' 'median and sigma must be above 0'
spread no 'log-normal: [1, 0]' 'median and sigma must be above 0'
spread yes 'triangular: [1, 1, 2]'
spread yes 'triangular: [1, 2, 2]'
spread no 'triangular: [1, 1, 1]' 'expected low <= mode <= high'
spread no 'triangular: [2, 1, 3]' 'expected low <= mode <= high'
spread no 'triangular: [1, 4, 3]' 'expected low <= mode <= high'
broken "an unknown key" "broken.study:3:.*unknown key 'metod'" 's/method/metod/'
broken "an unknown method" "broken.study:3:.*sobol" 's/method: sobol/method: halton/'
broken "a name that is taken" "broken.study:12:3: error: 'peak2' is" 's/rms3: {/peak2: {/'
broken "corners without ends" "broken.study:7:3: error: 'masses' has no ends" 's/method: sobol/method: corners/'
broken "samples that are none" "broken.study:3:.*'samples' must be a whole number" 's/samples: 96/samples: 1.5/'
refuses "no database" 2 'study: --out FILE' study arm.study
refuses "no such sample" 2 'there is no sample 96' study arm.study --sample 96
refuses "samples is not a number" 2 "samples: 'many' is wrong" study arm.study --samples many --out x.db
fi
