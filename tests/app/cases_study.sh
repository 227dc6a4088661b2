# Run by run.sh: linkwork study, its database and its report.
run study
if grep -q 'no SQLite' err
then
  echo "skipped: built without SQLite"
else

# rows FILE: everything that a database says, in order
rows()
{
  "$linkwork" study report "$1" --table summary --format csv >rows.csv 2>/dev/null &&
    "$linkwork" study report "$1" --table bands --format csv >>rows.csv &&
    "$linkwork" study report "$1" --table tornado --format csv >>rows.csv &&
    "$linkwork" study report "$1" --table histogram --format csv >>rows.csv &&
    cat rows.csv
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
verdict "a database that is there is not overwritten"
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
[ $status -eq 3 ] && grep -q "these are results of another study: 'print'" err
verdict "another text is another study"

# what one sample is, alone, to the last bit
run study report one.db --table worst --format csv
command=$(sed -n 's/^peak2,largest,[^,]*,[^,]*,linkwork //p' out)
value=$(sed -n 's/^peak2,largest,\([^,]*\),.*/\1/p' out)
# shellcheck disable=SC2086 # the words of the command
run $command --format csv
[ $status -eq 0 ] && grep -qx "measure,peak2,$value" out
verdict "the command of the worst case gives its value"
says "how often a criterion is met" '^peak2,96,.*,(0\.[0-9]+|1),' study report one.db --table summary --format csv
json "json" '"measure": "rms3", "count": 96' study report one.db
says "the whole report" 'worst cases' study report one.db --format table
refuses "an unknown table" 2 "no 'median'; expected summary" study report one.db --table median
diagnoses "a file that is no database" 3 'arm.study: .*(not a database|no database)' study report arm.study

# --- stop and go
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
run study slow.study --out killed.db --resume --quiet
[ $status -eq 0 ]
verdict "resumed after kill -9"
same "killed and resumed, it has the same rows" whole.db killed.db
"$linkwork" study slow.study --out locked.db --threads 1 --quiet >/dev/null 2>&1 &
first=$!
tries=0
until run study report locked.db --table summary --format csv && [ $status -eq 0 ] || [ $tries -ge 100 ]
do
  sleep 0.1
  tries=$((tries + 1))
done
[ $status -eq 0 ] && grep -q '^peak2,' out
verdict "a database can be read while it grows"
run study slow.study --out locked.db --resume
[ $status -eq 3 ] && grep -q 'locked.db: another process writes these results' err
verdict "two processes refuse each other"
kill -TERM $first
wait $first
[ $? -eq 143 ]
verdict "a signal ends it"
run study slow.study --out locked.db --resume --quiet
same "stopped by a signal and resumed, it has the same rows" whole.db locked.db
(
  trap '' XFSZ
  ulimit -f 40
  "$linkwork" study arm.study --out full.db --quiet 2>full.err
  echo $? >full.status
)
[ "$(cat full.status)" -eq 3 ] && grep -q 'full.db: ' full.err
verdict "a full disk is an error"
run study arm.study --out full.db --resume --quiet
same "after a full disk it is resumed" one.db full.db

# --- parts, merged
run study merge one.db one.db --out twice.db
[ $status -eq 3 ] && [ ! -e twice.db ]
verdict "the same samples twice are refused"
run study merge whole.db one.db --out mixed.db
[ $status -eq 3 ] && grep -q 'one.db: these are results of another study' err && [ ! -e mixed.db ]
verdict "databases of two studies are not merged"

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
run study alone.study --out alone.db --quiet
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
run study words.study --out words.db --quiet
[ $status -eq 0 ] && "$linkwork" study report words.db --table summary --format csv | grep -q '^reach,4,'
verdict "the numbers of a command"
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

# --- what is wrong, and where
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
broken "an unknown key" "broken.study:3:.*unknown key 'metod'" 's/method/metod/'
broken "an unknown method" "broken.study:3:.*sobol" 's/method: sobol/method: halton/'
broken "a name that is taken" "broken.study:12:3: error: 'peak2' is" 's/rms3: {/peak2: {/'
broken "corners without ends" "broken.study:7:3: error: 'masses' has no ends" 's/method: sobol/method: corners/'
broken "samples that are none" "broken.study:3:.*'samples' must be a whole number" 's/samples: 96/samples: 1.5/'
refuses "no database" 2 'study: --out FILE' study arm.study
refuses "no such sample" 2 'there is no sample 96' study arm.study --sample 96
refuses "samples that are no number" 2 "samples: 'many' is wrong" study arm.study --samples many --out x.db
fi
