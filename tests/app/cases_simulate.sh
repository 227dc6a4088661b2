# linkwork simulate and linkwork plot.
scenarios=$robots/../scenarios

cat >block.yaml <<'END'
linkwork: 1
name: block
joints:
  - name: slide
    type: prismatic
    axis: [1, 0, 0]
    limits: {lower: -1, upper: 1}
    friction: {coulomb: 2}
    motor: {resistance: 2, torque_constant: 0.5, inductance: 0.01}
    link: {mass: 2, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
END

# scenario LINES...: a scenario of the block
scenario()
{
  printf 'linkwork: 1\nrobot: block.yaml\n' >scenario.yaml
  printf '%b\n' "$@" >>scenario.yaml
}

# field NAME: the values of this column of run.csv, one per line
field()
{
  awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) f = k; next } { print $f }' run.csv
}

# ends NAME COLUMN VALUE TOLERANCE: this column of the last line of run.csv has this value
ends()
{
  [ $status -eq 0 ] && field "$2" | tail -n 1 | awk -v v="$3" -v tol="$4" '
    { d = $1 - v; if (d < 0) d = -d; if (!(d <= tol)) { print $1 " is not " v; exit 1 } }' >>err
  verdict "$1"
}

# --- a state that was saved: the parts are the whole to the last bit
for saved in puma_voltage hydraulic_valve four_bar_fall; do
  source=$robots/../scenarios/$saved.yaml
  run simulate -q "$source" --out whole.csv
  run simulate -q "$source" --duration 0.77 --save state.bin --out first.csv
  run simulate -q "$source" --from state.bin --out second.csv
  sed 1d second.csv >rest.csv
  [ $status -eq 0 ] && [ -s rest.csv ] && tail -n "$(wc -l <rest.csv)" whole.csv | cmp -s - rest.csv
  verdict "simulate --save, --from: $saved goes on as if there had been no break"
done
head -c 3000 state.bin >short.bin
refuses "simulate --from: half a state" 3 'short.bin: this is no state of such a run' \
  simulate "$source" --from short.bin
refuses "simulate --from: of another run" 3 'state.bin: this is no state of such a run' \
  simulate "$robots/../scenarios/puma_swing.yaml" --from state.bin
refuses "simulate --from: nothing is left" 2 'the state is at t = 0.77 s, expected a duration beyond it' \
  simulate "$source" --from state.bin --duration 0.5

# --- a run beside a recorded one
run simulate -q "$source" --duration 0.5 --trace run.trace --out run.csv
[ $status -eq 0 ] && grep -q '^file four_bar_fall.yaml [0-9a-f]*$' run.trace && grep -q '^end 11$' run.trace &&
  ! grep -q / run.trace
verdict "simulate --trace"
run simulate "$source" --duration 0.5 --replay run.trace --out again.csv
[ $status -eq 0 ] && grep -q 'the same in all of its 11 records' err && cmp -s run.csv again.csv
verdict "simulate --replay: the same run"
awk '/^columns/ { for (i = 2; i <= NF; ++i) if ($i == "qd2") at = i - 1 } /^0\.2 / { $at = "00000000" } { print }' \
  run.trace >wrong.trace
refuses "simulate --replay: the first record and column that differ" 1 \
  'wrong.trace: record 5, t = 0.2 s: qd2 differs first: it is .*and was 00000000' \
  simulate "$source" --duration 0.5 --replay wrong.trace --quiet --out wrong.csv
refuses "simulate --replay: other options" 1 "the run is another one: it was 'option --duration 0.5', now it is" \
  simulate "$source" --duration 0.4 --replay run.trace
sed 's/^file \([^ ]*\) .*/file \1 0123456789abcdef/' run.trace >other.trace
refuses "simulate --replay: another file" 1 'the run is another one: .*four_bar_fall.yaml 0123456789abcdef' \
  simulate "$source" --duration 0.5 --replay other.trace
head -n 9 run.trace >short.trace
refuses "simulate --replay: half a file" 3 'short.trace: .*it ends too early' \
  simulate "$source" --duration 0.5 --replay short.trace --quiet --out short.csv
printf 'linkwork replay 1\0' >zero.trace
refuses "simulate --replay: bytes" 3 'zero.trace: .*it is not a text' simulate "$source" --replay zero.trace
refuses "simulate --replay: another kind of file" 3 "run.csv: .*expected 'linkwork replay 1'" \
  simulate "$source" --replay run.csv
snake=$robots/snakes/table2_n3.yaml
run snake simulate -q "$snake" --torque-law "sin(t)" --duration 1 --trace snake.trace
run snake simulate "$snake" --torque-law "sin(t)" --duration 1 --replay snake.trace
[ $status -eq 0 ] && grep -q 'the same in all of its 101 records' err
verdict "snake simulate --replay"
refuses "snake simulate --replay: another law" 1 "now it is 'option --torque-law cos.t.'" \
  snake simulate "$snake" --torque-law "cos(t)" --duration 1 --replay snake.trace

# --- loops released without drives: through singular positions where the motion is determined, else they end (dop853 at
# 1e-9 made steps of 1e-13 for ever). The platform's legs come into line with the first axes of their joints, where
# rounding decides how they spin.
for released in palletizer delta; do
  printf 'linkwork: 1\nrobot: %s/%s.yaml\nduration: 2\n' "$robots" $released >released.yaml
  run simulate -q released.yaml --integrator dop853:1e-9 --budget 2000 --audit audit.json --out run.csv
  [ $status -eq 0 ] && [ ! -s err ] && grep -q '"trusted": true' audit.json && [ "$(field t | tail -n 1)" = 2 ]
  verdict "simulate: $released passes its singular positions"
done
printf 'linkwork: 1\nrobot: %s/stewart.yaml\nduration: 0.5\n' "$robots" >released.yaml
run simulate -q released.yaml --integrator dop853:1e-9 --budget 2000 --out run.csv
[ $status -eq 4 ] && grep -q "the budget is used up after t = 0.42.* row '.' of loop 'foot.' is near a singular position" err &&
  [ -e run.csv.partial ]
verdict "simulate: where the motion is not determined, the loop and its row are named"
refuses "simulate: a wrong budget" 2 "--budget: '5m': expected a positive number of steps, or of seconds as 60s" \
  simulate released.yaml --budget 5m
printf 'integrator: {method: dop853, rtol: 1e-9, budget: 20}\n' >>released.yaml
run simulate -q released.yaml --out run.csv
[ $status -eq 4 ] && grep -q "the budget is used up after" err
verdict "simulate: the budget of a scenario"

# --- steps beyond the stability of rk4, with stops that keep the motion finite: written, not trusted
scenario 'duration: 1' 'limits: hold' 'friction: none' 'initial: {q: {slide: 0.5}}' \
  'integrator: {method: rk4, step: 0.005}' 'drives: {slide: {spring: {stiffness: 1e6, rest: 0}}}'
run simulate -q scenario.yaml --out run.csv --audit audit.json
[ $status -eq 4 ] && grep -q "steps of .* beyond the stability limit of rk4 .* joint 'slide'" err &&
  grep -q 'warning: S moved by .*, beyond its bound of ' err && grep -q '"trusted": false' audit.json &&
  [ "$(field t | tail -n 1)" = 1 ] && ./json_check <audit.json
verdict "simulate: a run that diverged between its stops is not trusted"
sed -i 's/step: 0.005/step: 0.0001/' scenario.yaml
run simulate -q scenario.yaml --out run.csv --audit audit.json
[ $status -eq 0 ] && [ ! -s err ] && grep -q '"trusted": true' audit.json
verdict "simulate: the same with steps that are short enough"

# --- the files in scenarios/, shortened: they run, and energy balances
for name in puma_fall puma_voltage puma_pd puma_computed_torque puma_line hydraulic_cylinders hydraulic_valve
do
  rm -f run.csv
  run simulate "$scenarios/$name.yaml" --duration 1.2 --record 0.1 --out run.csv --audit audit.json
  [ $status -eq 0 ] && [ "$(wc -l <run.csv)" -eq 14 ] && grep -q '^run: complete; 1.2 s in ' err &&
    grep -q '^energy: S at most ' err && ./json_check <audit.json && grep -q '"partial": false' audit.json
  verdict "simulate $name"
  awk -F, 'NR > 1 { S = $NF < 0 ? -$NF : $NF; if ($(NF - 3) > peak) peak = $(NF - 3); if (S > worst) worst = S }
    END { exit !(peak > 0 && worst <= 1e-4 * peak) }' run.csv
  verdict "simulate $name: energy"
done
head -n 1 run.csv | grep -q '^t,q1,q2,q3,q4,q5,qd1,.*,qdd5,tau1,.*,tau5,.*x,y,z,roll,pitch,yaw,kinetic,potential,work,S$'
verdict "simulate: columns"
grep -q 'closing of the valves happened' err && grep -q '"what": "event", "who": "closing of the valves"' audit.json
verdict "simulate: events are named"
run simulate "$scenarios/puma_voltage.yaml" --duration 0.3 --record 0.1
head -n 1 out | grep -q ',tau6,v1,v2,v3,v4,v5,v6,x,y,z,roll,pitch,yaw,kinetic,'
verdict "simulate: voltages are recorded"

# --- closed valves: a link on a cylinder swings with the oil stiffness that the command cylinders prints
cat >piston.yaml <<'END'
linkwork: 1
gravity: [0, 0, 0]
joints:
  - {name: link, type: revolute, limits: {lower: -1, upper: 1}, link: {mass: 10, com: [0, 0, 0], inertia: [40, 40, 50, 0, 0, 0]}}
cylinders:
  - {name: piston, from: {at: [0.5, -0.5, 0]}, to: {link: link, at: [0.5, 0.2, 0]}, bore: 0.1, rod: 0.06, stroke: 0.4,
     closed_length: 0.5, hose_volume: 4.0e-4}
END
run cylinders piston.yaml
stiffness=$(tail -n 1 out | cut -d, -f13)
period=$(awk -v k="$stiffness" 'BEGIN { printf "%.12g", 2 * atan2(0, -1) / sqrt(k / 50) }')
printf 'linkwork: 1\nrobot: piston.yaml\ninitial: {qd: [0.01]}\nduration: %s\nrecord: %s\nevents: [{at: 0, valves: close}]\nintegrator: {method: dop853, rtol: 1e-11}\n' \
  "$period" "$(awk -v p="$period" 'BEGIN { printf "%.12g", p / 4 }')" >valves.yaml
run simulate valves.yaml --out run.csv
ends "closed valves: back after a period" q1 0 1e-7
ends "closed valves: with the same speed" qd1 0.01 1e-5
awk -F, -v p="$period" 'NR == 3 { a = 0.01 * p / (2 * atan2(0, -1)); d = $2 - a; if (d * d > 1e-4 * a * a) exit 1 }' run.csv
verdict "closed valves: amplitude after a quarter"
awk -F, 'NR > 1 { if ($NF * $NF > 1e-20) exit 1 }' run.csv
verdict "closed valves: energy"
printf 'linkwork: 1\nrobot: %s/puma560.yaml\nduration: 1\nevents: [{at: 0, valves: close}]\n' "$robots" >valves.yaml
diagnoses "valves of a robot without cylinders" 3 '^valves.yaml:4:10: error: valves can close only on a robot with cylinders' simulate valves.yaml
printf 'linkwork: 1\nrobot: piston.yaml\nduration: 1\nevents: [{at: 0, valves: shut}]\n' >valves.yaml
diagnoses "valves: another word" 3 "^valves.yaml:4:26: error: .*shut" simulate valves.yaml

# --- closed forms
scenario 'duration: 4' 'record: 0.5' 'initial: {q: [0.55]}' 'drives: {slide: {spring: {stiffness: 20}}}' \
  'integrator: {method: dop853, rtol: 1e-11}'
run simulate scenario.yaml --out run.csv
ends "friction: the block comes to rest" q1 0.05 1e-9
ends "friction: and stays" qd1 0 0
ends "friction: energy" S 0 1e-9
grep -q 'joints were held 1 times' err
verdict "friction: reported"
scenario 'duration: 1' 'record: 0.01' 'friction: none' 'drives: {slide: {voltage: 12}}' \
  'integrator: {method: bdf, rtol: 1e-8}'
run simulate scenario.yaml --out run.csv
[ "$(head -n 1 run.csv)" = t,q1,qd1,qdd1,tau1,v1,i1,x,y,z,roll,pitch,yaw,kinetic,potential,work,S ]
verdict "a motor with inductance: columns"
field i1 | sed -n 2p | awk '{ exit !($1 > 5.1 && $1 < 5.25) }' # 6 (1 - exp(-2)) A minus the effect of back EMF
verdict "a motor with inductance: the current rises"
printf 't,tau.slide\n0,4\n0.5,-4\n' >push.csv
scenario 'duration: 1' 'friction: none' 'drives: {default: {schedule: {file: push.csv}}}' 'integrator: {method: kutta3}'
run simulate scenario.yaml --out run.csv
ends "a schedule of torques: held" q1 0.5 1e-12
ends "a schedule of torques: there and back" qd1 0 1e-12
scenario 'duration: 1' 'friction: none' \
  'drives: {default: {schedule: {file: push.csv, between: linear}}}' 'integrator: {method: kutta3}'
run simulate scenario.yaml --out run.csv
ends "a schedule of torques: linear" qd1 -1 1e-12
printf 't,q1,qd1,qdd1\n0,0,0,0\n1,0.5,0,0\n' >motion.csv
scenario 'duration: 1' 'friction: none' 'controller: {kind: feed-forward, reference: {file: motion.csv}}' \
  'integrator: {method: dop853, rtol: 1e-10}'
run simulate scenario.yaml --out run.csv
ends "a motion from a file is followed" q1 0.5 1e-8
scenario 'duration: 2' 'friction: none' 'drives: {slide: {torque: 4}}' 'limits: stop'
run simulate scenario.yaml --out run.csv
[ $status -eq 0 ] && grep -q 'the run ends at t = [01][.0-9]* of 2 s: a joint reached its limit' err &&
  grep -q 't = 1 .*slide reached its upper limit' err
verdict "limits end the run"
ends "the last record is there" q1 1 1e-9
sed -i 's/limits: stop/limits: hold/' scenario.yaml
run simulate scenario.yaml --out run.csv
ends "an end stop holds" q1 1 0
grep -q 'end stops -4 J' err
verdict "an end stop takes the energy"

# records do not change the motion, and a converter takes all its samples: with torque t, sampled every 0.05 s, 2 kg move
# with 0.475 / 2 m/s after 1 s
scenario 'duration: 1' 'friction: none' 'drives: {slide: {torque: t, dac: {period: 0.05, bits: 0, range: 100}}}'
for interval in 0.05 0.01 0.015 1
do
  run simulate scenario.yaml --dt $interval --out run.csv
  ends "every sample is taken, records every $interval s" qd1 0.2375 1e-12
  tail -n 1 run.csv >last.$interval
done
cmp last.0.05 last.0.01 && cmp last.0.05 last.0.015 && cmp last.0.05 last.1
verdict "records do not change the last state"
scenario 'duration: 3' 'drives: {slide: {torque: 5*sin(3*t)}}' 'limits: hold' 'initial: {q: 0.3}'
for interval in 3 0.01
do
  run simulate scenario.yaml --dt $interval --audit audit.$interval --out run.csv
  tail -n 1 run.csv >last.$interval
  grep -o '"peak_kinetic": [^,}]*' audit.$interval >peak.$interval
done
cmp last.3 last.0.01 && test -s peak.3 && cmp peak.3 peak.0.01
verdict "nor do they with stops and stiction, nor the audit"
scenario 'duration: 2' 'friction: none' 'initial: {qd: [1]}' \
  'events: [{name: half way, joint: slide, when: q - 0.5, stop: true}]'
run simulate scenario.yaml --out run.csv
ends "a condition ends the run" t 0.5 1e-9

# --- output
scenario 'duration: 1' 'record: 0.5' 'friction: none' 'initial: {qd: [0.5]}' 'integrator: {method: rk4}'
header "simulate: csv on standard output" 't,q1,qd1,qdd1,tau1,x,y,z,roll,pitch,yaw,kinetic,potential,work,S' simulate scenario.yaml
[ "$(cut -d, -f1-3 out | tr '\n' ' ')" = "t,q1,qd1 0,0,0.5 0.5,0.25,0.5 1,0.5,0.5 " ]
verdict "simulate: values"
json "simulate as json" '"t": 1, "q1": 0.5, .*"S": ' simulate scenario.yaml
says "simulate as a table" '^run: complete; 1 s in ' simulate scenario.yaml --format table
[ ! -s err ] && grep -Eq '^ +t +q1 +kinetic +potential +work +S$' out
verdict "simulate as a table: the audit is part of it"
run simulate scenario.yaml --duration 0.2 --record 0.1 --integrator dop853:1e-9,1e-12 --out run.csv
ends "simulate: options instead of the file" q1 0.1 1e-12
grep -q 'steps by dop853' err
verdict "simulate: the integrator of the option"

# --- errors
scenario 'duration: 1' 'record: 0.1' 'friction: none' 'drives: {slide: {torque: 1/(t-0.5)^2}}'
rm -f run.csv
run simulate scenario.yaml --out run.csv --audit audit.json
[ $status -eq 4 ] && grep -Eq "after t = 0.(49|5).* s, joint 'slide': its torque is huge" err && [ ! -e run.csv ] &&
  [ "$(wc -l <run.csv.partial)" -ge 6 ] && grep -q '"partial": true' audit.json.partial &&
  ./json_check <audit.json.partial
verdict "simulate: a failure reports where and why, and keeps the records"
rm -f run.csv run.csv.partial
scenario 'duration: 1.0e+6' 'initial: {qd: [0.01]}' 'friction: none' 'integrator: {method: kutta3}'
echo old >audit.json
"$linkwork" simulate scenario.yaml --out run.csv --audit audit.json 2>err &
job=$!
sleep 1
kill -TERM $job
wait $job
status=$?
[ $status -eq 143 ] && grep -q 'interrupted at t = ' err && [ ! -e run.csv ] && [ "$(wc -l <run.csv.partial)" -gt 2 ] &&
  awk -F, 'NF != 15 { exit 1 }' run.csv.partial && no_temporary
verdict "simulate: a signal ends it, and the results are kept as partial"
[ "$(cat audit.json)" = old ] && grep -q '"outcome": "interrupted"' audit.json.partial
verdict "simulate --audit: the audit of an interrupted run does not replace another"
"$linkwork" simulate scenario.yaml 2>err | head -n 3 >out
[ "$(wc -l <out)" -eq 3 ]
verdict "simulate: the reader of a pipe may close it"

# refuses_scenario NAME PATTERN LINES...: exit 3, the pattern on standard error, nothing written
refuses_scenario()
{
  name=$1
  pattern=$2
  shift 2
  scenario "$@"
  rm -f run.csv
  run simulate scenario.yaml --out run.csv
  [ $status -eq 3 ] && grep -Eq -- "$pattern" err && [ ! -s out ] && [ ! -e run.csv ]
  verdict "scenario: $name"
}
refuses_scenario "unknown key" "^scenario.yaml:3:1: error: unknown key 'duratoin'" 'duratoin: 3'
grep -q "did you mean 'duration'" err
verdict "scenario: hint"
refuses_scenario "all errors at once" '^scenario.yaml:4:1: error: ' 'duration: -1' 'plot: yes' 'drives: 3'
[ "$(grep -c ': error: ' err)" -ge 2 ]
verdict "scenario: more than one error"
refuses_scenario "unknown joint" "^scenario.yaml:3:10: error: the robot has no moving joint 'slid'" 'drives: {slid: free}'
refuses_scenario "a wrong law" "^scenario.yaml:3:30: error: unknown name 'x'" 'drives: {slide: {torque: 2 + x}}'
printf 't,v1\n0,1\n0,2\n' >volts.csv
refuses_scenario "a wrong schedule" '^volts.csv:3:1: error: ' 'drives: {slide: {schedule: {file: volts.csv, quantity: voltage}}}'
refuses_scenario "a schedule of something else" "^volts.csv:1:.*tau" 'drives: {slide: {schedule: {file: volts.csv}}}'
refuses_scenario "a missing motion" "nothing.csv" 'controller: {kind: feed-forward, reference: {file: nothing.csv}}'
run simulate nowhere.yaml
[ $status -eq 3 ] && grep -q nowhere.yaml err
verdict "simulate: no file"
printf 'linkwork: 1\nrobot: wrong.yaml\n' >scenario.yaml
run simulate scenario.yaml
[ $status -eq 3 ] && grep -q '^wrong.yaml:' err
verdict "simulate: an error in the robot is reported at its place"
scenario 'duration: 1'
refuses "simulate: --duration" 2 '--duration' simulate scenario.yaml --duration 0
refuses "simulate: --integrator" 2 "no 'dop835', did you mean 'dop853'" simulate scenario.yaml --integrator dop835
refuses "simulate: a tolerance for fixed steps" 2 'NAME:STEP' simulate scenario.yaml --integrator kutta3:1e-3,2
refuses "simulate: too many records" 2 'too many' simulate scenario.yaml --record 1e-300
refuses "simulate: a picture of another kind" 2 'does not end with .svg' simulate scenario.yaml --plot run.gif

# --- plot
run simulate "$scenarios/puma_fall.yaml" --duration 0.5 --record 0.01 --out run.csv
cat >odd.csv <<'END'
t,q1,"a 'b' `$x`; system(1) ""%d\""",q.two parts
0,1,2,3
1,2,3,5
END
refuses "plot: without --out" 2 "needs --out" plot run.csv
refuses "plot: unknown column" 2 "no column 'kinetics', did you mean 'kinetic'" plot run.csv --y kinetics --out run.svg
refuses "plot: no file" 3 'cannot read nowhere.csv' plot nowhere.csv --out run.svg
printf '' >bad.csv
refuses "plot: an empty file" 3 'expected a header' plot bad.csv --out run.svg
PATH=/nonexistent "$linkwork" plot run.csv --out run.svg >out 2>err
status=$?
[ $status -eq 3 ] && grep -q 'gnuplot, which is not installed' err && [ ! -e run.svg ]
verdict "plot: without gnuplot"
if command -v gnuplot >/dev/null 2>&1
then # gnuplot is looked for before the file
  refuses "plot: an empty name" 2 'an empty name' plot run.csv --y q,,tau --out run.svg
  refuses "plot: unknown axis" 2 "--x: no column 'time'" plot run.csv --x time --out run.svg
  printf 't,q1\n0,1\n1,x\n' >bad.csv
  refuses "plot: a wrong number" 3 "^bad.csv:3:3: error: 'x' is not a finite number" plot bad.csv --out run.svg
  gives "plot: groups" '' plot run.csv --y q,tau,kinetic+potential --out run.svg
  grep -q 'position q (rad or m)' run.svg && grep -q '>potential<' run.svg && grep -q '>q6<' run.svg
  verdict "plot: labels and legends"
  gives "plot: as png" '' plot run.csv --out run.png
  gives "plot: as pdf" '' plot run.csv --x q2 --y q3 --out run.pdf
  head -c 4 run.pdf | grep -q '%PDF'
  verdict "plot: the file is a pdf"
  gives "plot: odd names" '' plot odd.csv --y 'q,a '"'b'"' `$x`; system(1) "%d\"' --out odd.svg
  grep -q 'system(1)' odd.svg && grep -q 'two parts' odd.svg
  verdict "plot: odd names are only names"
  printf "t,q.el'bow,q.w''r'\\n0,1,2\\n1,2,3\\n" >"it''s.csv"
  gives "plot: quotes in names" '' plot "it''s.csv" --y "q.el'bow+q.w''r'" --out "it''s.svg"
  grep -q "q.w''r'" "it''s.svg" && grep -q "it''s.csv" "it''s.svg"
  verdict "plot: quotes are drawn as they are"
  echo old >old.svg
  scenario 'duration: 1.0e+6' 'initial: {qd: [0.01]}' 'friction: none' 'integrator: {method: kutta3}'
  "$linkwork" simulate scenario.yaml --plot old.svg --out run.csv 2>err &
  job=$!
  sleep 1
  kill -TERM $job
  wait $job
  status=$?
  [ $status -eq 143 ] && [ "$(cat old.svg)" = old ] && grep -q '</svg>' old.svg.partial && no_temporary
  verdict "simulate --plot: the picture of an interrupted run does not replace another"
  run simulate "$scenarios/puma_pd.yaml" --duration 0.1 --plot pd.svg --out run.csv
  [ $status -eq 0 ] && grep -q '>wrist_roll<' pd.svg
  verdict "simulate --plot: legends with joint names"
  grep -q '>tracking error q_ref - q (rad)<' pd.svg && grep -q '>torque tau (N m)<' pd.svg && grep -q '>effort limit<' pd.svg &&
    grep -q '>pale band: reference, dotted: limit<' pd.svg && ! grep -q 'S(0)' pd.svg
  verdict "simulate --plot: tracking error, limits, marks, no constant S"
fi

# A fake gnuplot reads the script.
mkdir -p drawn
printf '#!/bin/sh\ncat >drawn/script\nprintf "</svg>"\n' >drawn/gnuplot
chmod +x drawn/gnuplot
kept=$PATH
PATH=$work/drawn:$PATH
panels() { grep -c '^plot ' drawn/script; }
labels() { grep '^set ylabel' drawn/script | sort | uniq -c | sed 's/^ *//; s/ noenhanced//' | tr '\n' ';'; }
run simulate "$scenarios/puma_pd.yaml" --duration 0.1 --out pd.csv
gives "plot: one panel for each group" '' plot pd.csv --y q,q_err,tau --out x.svg
[ "$(panels)" -eq 3 ] && [ "$(grep -c 'lw 6 lc rgb .#[0-9a-f]*. notitle, ' drawn/script)" -eq 1 ] &&
  [ "$(grep -o 'lw 6' drawn/script | wc -l)" -eq 6 ] && ! grep -q 'dt 3' drawn/script
verdict "plot: references beside positions, no limits without a robot"
gives "plot: --robot" '' plot pd.csv --y q,tau --robot "$robots/puma560.yaml" --out x.svg
grep -q "^set ylabel 'position q (rad)'" drawn/script && grep -q "title 'wrist_bend'" drawn/script && grep -q 'dt 3' drawn/script
verdict "plot: units, names and limits of the robot"
gives "plot: --x and --y" '' plot pd.csv --x q2 --y tau3 --robot "$robots/puma560.yaml" --out x.svg
grep -q "^set xlabel 'position q of shoulder (rad)'" drawn/script && grep -q "^set ylabel 'torque tau of elbow (N m)'" drawn/script
verdict "plot: units of --x and --y"
gives "plot: energies and positions asked for together" '' plot pd.csv --y q+kinetic+potential --out x.svg
[ "$(labels)" = "1 set ylabel 'kinetic, potential (J)';1 set ylabel 'position q (rad or m)';" ]
verdict "plot: one unit for each axis"
printf 't,q1,q2,q3,tau1,tau2,tau3\n0,0,0,0,1,2,3\n1,1,1,1,2,3,4\n' >slide.csv
gives "plot: an arm that slides" '' plot slide.csv --robot "$robots/stanford.yaml" --out x.svg
[ "$(labels)" = "1 set ylabel 'force tau of slide (N)';1 set ylabel 'position q (rad)';1 set ylabel 'position q of slide (m)';1 set ylabel 'torque tau (N m)';" ]
verdict "plot: N and N m on two axes"
awk 'BEGIN { printf "t"; for (k = 1; k <= 29; ++k) printf ",q%d", k; for (k = 1; k <= 29; ++k) printf ",tau%d", k
  for (i = 0; i < 3; ++i) { printf "\n%d", i; for (k = 0; k < 58; ++k) printf ",%d", i * k } print "" }' >many.csv
gives "plot: 29 joints" '' plot many.csv --out x.svg
[ "$(panels)" -eq 8 ] && [ "$(awk '/^plot / && gsub(/ title /, "") > 8' drawn/script | wc -l)" -eq 0 ]
verdict "plot: at most 8 of 29 joints in a panel"
name=$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0)
printf 't,q.%s\n0,1\n1,2\n' "$name" >long.csv
gives "plot: a long name" '' plot long.csv --out x.svg
awk '/^set terminal/ { sub(/.*size /, ""); sub(/,.*/, ""); width = $0 }
     /^set rmargin/ { right = $5 * width } END { exit !(width - right >= 42 * 8) }' drawn/script
verdict "plot: room for the legend beside the curves"
PATH=$kept

# --- along a trajectory, without a scenario file
puma=$robots/puma560.yaml
"$linkwork" plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.5,-0.9,1.2,0.3,0.9,0.4 --duration 1 --dt 0.01 --out plan.csv
column()  # column FILE NAME: its values
{
  awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) at = k; next } { print $at }' "$1"
}
for control in computed-torque pd feed-forward
do
  run simulate "$puma" --in plan.csv --control $control --out run.csv
  [ $status -eq 0 ] && [ "$(wc -l <run.csv)" -eq 102 ] && column run.csv q_err2 | awk '
    { e = $1 < 0 ? -$1 : $1; if (e > worst) worst = e } END { exit !(NR == 101 && worst > 0 && worst < 0.02) }'
  verdict "simulate ROBOT --in: follows by $control"
done
column run.csv q_ref1 >reference
column plan.csv q1 >planned
paste reference planned | awk '{ d = $1 - $2; if (d * d > 1e-24) exit 1 } END { exit NR != 101 }'
verdict "simulate ROBOT --in: the reference is the plan"
run pose "$puma" --in run.csv
cut -d, -f2-4 out >poses
paste -d, poses run.csv | awk -F, 'NR == 1 { for (k = 4; k <= NF; ++k) if ($k == "x") at = k; next }
  { for (k = 0; k < 3; ++k) { d = $(1 + k) - $(at + k); if (d * d > 1e-24) exit 1 } } END { exit NR != 102 }'
verdict "simulate: x, y, z are the pose of the last link"
run simulate "$puma" --trajectory plan.csv --control pd --kp 3000 --kd 200,200,200,20,20,20 --duration 0.5 --dt 0.1 --names --columns q,error
[ $status -eq 0 ] && [ "$(head -n 1 out)" = t,q.waist,q.shoulder,q.elbow,q.wrist_roll,q.wrist_bend,q.flange,q_err.waist,q_err.shoulder,q_err.elbow,q_err.wrist_roll,q_err.wrist_bend,q_err.flange ] &&
  [ "$(wc -l <out)" -eq 7 ]
verdict "simulate: --trajectory, --kp, --names, --columns"
run plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.5,-0.9,1.2,0.3,0.9,0.4 --duration 1 --dt 0.01 --simulate --control feed-forward --out both.csv
[ $status -eq 0 ] && "$linkwork" simulate "$puma" --in plan.csv --control feed-forward --out run.csv 2>err && [ "$(head -n 1 both.csv)" = "$(head -n 1 run.csv)" ] &&
  paste -d, both.csv run.csv | awk -F, 'NR > 1 { for (k = 1; k <= 7; ++k) { d = $k - $(k + NF / 2); if (d * d > 1e-12) exit 1 } }'
verdict "plan --simulate is plan and simulate"
header "plan --names" 't,q.column,q.slide,qd.column,qd.slide,qdd.column,qdd.slide' plan crane.yaml --from 0,0.5 --to 1,0.6 --duration 1 --names
printf 't,q1,q2\n0,0,0.5\n1,1,0.6\n' >way.csv
refuses "simulate: unknown control" 2 "--control: 'pid' is unknown" simulate crane.yaml --in way.csv --control pid
refuses "simulate: control without a trajectory" 2 '--control needs a trajectory to follow, --in FILE' simulate scenario.yaml --control pd
refuses "simulate: a gain below zero" 2 '--kp: value 1 is -1, expected 0 or more' simulate crane.yaml --in way.csv --kp -1
refuses "simulate: unknown columns" 2 "--columns: 'enrgy' is unknown, expected .*; did you mean 'energy'" simulate crane.yaml --in way.csv --columns q,enrgy
printf 'q1\n0\n' >short.csv
diagnoses "simulate: a trajectory without times" 3 "error: column 't' is missing" simulate pendulum.yaml --in short.csv
printf 't,q1\n0,0\n' >short.csv
refuses "simulate: a trajectory of one instant" 3 'the trajectory has no duration' simulate pendulum.yaml --in short.csv
printf 't,q1\n0,0\n0,1\n' >short.csv
diagnoses "simulate: times that stand still" 3 '^short.csv:3:1: error: t = 0 is not above' simulate pendulum.yaml --in short.csv
refuses "plan: --control without --simulate" 2 '--control is for --simulate' plan crane.yaml --from 0,0.5 --to 1,0.6 --control pd

# --- a run that ends early reports it
scenario 'duration: 1000' 'record: 0.001' 'friction: none' 'initial: {qd: [1e-4]}' 'limits: note' 'integrator: {method: rk4}'
"$linkwork" simulate scenario.yaml --audit audit.json 2>err | head -n 2 >out
status=0
grep -q '"outcome": "ended: reader closed"' audit.json && grep -q '"partial": true' audit.json && grep -q '^run: ended: reader closed' err
verdict "audit: the reader closed the pipe"
if [ -e /dev/full ]
then
  run simulate scenario.yaml --duration 10 --audit audit.json --out /dev/full
  [ $status -eq 3 ] && grep -q '"outcome": "ended: output failed"' audit.json
  verdict "audit: the output failed"
fi

# --- --payload is added to that of the scenario: a block of 2 + 3 + 5 kg, pushed with 10 N
scenario 'duration: 1' 'friction: none' 'payload: {link: slide, mass: 3}' 'drives: {slide: {torque: 10}}'
run simulate scenario.yaml --payload slide=5 --out run.csv
ends "--payload with a scenario" qd1 1 1e-9
refuses "--payload with a scenario: an unknown link" 2 "no link 'slidr'; did you mean 'slide'" \
  simulate scenario.yaml --payload slidr=5
