# linkwork snake: state, simulate, check.
snakes=$robots/snakes
three=$snakes/table2_n3.yaml
six=$snakes/table2_n6.yaml
uneven=$snakes/uneven5.yaml

# near NAME FIELD VALUE TOLERANCE: this field of the last line of out has this value
near()
{
  [ $status -eq 0 ] && tail -n 1 out | awk -F, -v f="$2" -v v="$3" -v tol="$4" '
    { d = $f - v; if (d < 0) d = -d; if (!(d <= tol)) { print "field " f ": " $f " is not " v; exit 1 } }' >>err
  verdict "$1"
}

# refuses_law NAME COLUMN PATTERN LAW: exit 2, the error with its column and a mark below it
refuses_law()
{
  run snake simulate "$three" --torque-law "$4"
  [ $status -eq 2 ] && [ ! -s out ] && head -n 1 err | grep -Eq -- "^--torque-law:1:$2: error: .*$3" &&
    tail -n 1 err | grep -Eq "^      \| {$2}?\^$|^      \| *\^$"
  verdict "law: $1"
}

# --- state
state="--theta -0.5,0.4,-0.3 --u 1,0.5 --torque 0.2,-0.1"
header "snake state: columns" \
  'udot1,udot2,V1,V2,V3,w1,w2,w3,lambda1,lambda2,lambda3,kinetic,power' snake state "$three" $state
V2=$(awk 'BEGIN { printf "%.15g", cos(0.9) + 0.05 * sin(0.9) }')
w2=$(awk 'BEGIN { printf "%.15g", (sin(0.9) - 0.05 * cos(0.9)) / 0.1 }')
for method in kane-linear kane lagrange newton-euler
do
  run snake state "$three" $state --method $method
  near "snake state by $method: V1" 3 1 0
  near "snake state by $method: V2 = V1 cos(0.9) + w1 h sin(0.9)" 4 "$V2" 1e-13
  near "snake state by $method: w2 = (V1 sin(0.9) - w1 h cos(0.9)) / h" 7 "$w2" 1e-12
  cut -d, -f1-12 out | tail -n 1 | tr , '\n' >numbers
  if [ $method = kane-linear ]
  then
    cp numbers expected
  else
    paste numbers expected | awk '{ d = $1 - $2; if (d * d > 1e-22 * (1 + $2 * $2)) exit 1 }'
    verdict "snake state: $method agrees"
  fi
done
run snake state "$three" $state --precision single
near "snake state in single precision" 4 "$V2" 1e-6
! cut -d, -f1-12 out | tail -n 1 | tr , '\n' | cmp -s - expected
verdict "snake state: single precision is another number"
json "snake state as json" '"udot1": [-0-9.e]+, .*"lambda3": .*"power": [-0-9.e]+}' snake state "$three" $state
says "snake state as a table" '^ +2 +0.660776 +7.52246 ' snake state "$three" $state --format table
says "snake state: defaults are zero" '^0,0,0,0,0,0,0,0,0,0,0,0,0$' snake state "$three" --theta 0.1,0.2,0.3
says "snake state: a wheel slips" '^ +3 .* SLIPS: its limit is 3.1 N$' \
  snake state "$uneven" --theta 0,0.5,-0.5,1,2 --u 1,2 --torque 1,2,-1,3 --format table
[ ! -s err ]
verdict "snake state: only the table says so"
run snake state "$uneven" --theta 0,0.5,-0.5,1,2 --u 1,2 --torque 1,2,-1,3
[ $status -eq 0 ] && grep -q '5 wheels would slip' err
verdict "snake state: other formats report it on standard error"

printf 'T2,u1,theta1,theta2,theta3,u2,T1,t\n-0.1,1,-0.5,0.4,-0.3,0.5,0.2,7\n0,0,1,2,3,0,0,8\n' >states.csv
run snake state "$three" $state
tail -n 1 out >one
run snake state "$three" --in states.csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 3 ] && sed -n "2s/^7,//p" out | cmp -s - one
verdict "snake state --in: columns in any order, the same bits"
"$linkwork" snake state "$three" --in - <states.csv >got 2>err
status=$?
[ $status -eq 0 ] && cmp -s got out
verdict "snake state --in -"
says "snake state --in as a table" '^ *s +m/s.2 +rad/s.2 +m/s +m/s +m/s +rad/s +rad/s +rad/s +N +N +N +J +W$' snake state "$three" --in states.csv --format table
awk 'BEGIN { print "theta1,theta2,theta3"; for (i = 0; i < 10000; ++i) print i / 1e3 ",1,2" }' >states.csv
run snake state "$three" --in states.csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 10001 ]
verdict "snake state --in: more than a block"

# refuses_snake_states NAME PATTERN TEXT
refuses_snake_states()
{
  printf '%b' "$3" >states.csv
  run snake state "$three" --in states.csv
  [ $status -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -Eq -- "$2" err
  verdict "snake state --in: $1"
}
refuses_snake_states "unknown column" "^states.csv:1:8: error: unknown column 'thets2'; did you mean 'theta2'" 'theta1,thets2\n'
refuses_snake_states "missing column" "column 'theta3' is missing, expected columns theta1 to theta3" 'theta1,theta2\n1,2\n'
refuses_snake_states "half a group" "column 'T1' is missing.* or none" 'theta1,theta2,theta3,T2\n'
refuses_snake_states "too many joints" "unknown column 'T3'" 'theta1,theta2,theta3,T3\n'
refuses_snake_states "twice" "'u1' comes twice" 'theta1,theta2,theta3,u1,u1\n'
refuses_snake_states "no number" "^states.csv:3:3: error: 'x' is not a finite number" 'theta1,theta2,theta3\n1,2,3\n1,x,3\n'
refuses_snake_states "too few fields" "^states.csv:2:4: error: 2 fields, expected 3" 'theta1,theta2,theta3\n1,2\n'
refuses_snake_states "empty" "nothing here" ''
refuses "snake state without theta" 2 '--theta is missing' snake state "$three" --u 1,2
refuses "snake state: too few angles" 2 '--theta: 2 values given, expected 3, one for each link' \
  snake state "$three" --theta 1,2
refuses "snake state: too many torques" 2 '--torque: 3 values given, expected 2' \
  snake state "$three" --theta 1,2,3 --torque 1,2,3
refuses "snake state: no number" 2 "--u: value 2, 'b', is wrong, expected a finite number in rad.s, or like 90 deg.s" \
  snake state "$three" --theta 1,2,3 --u 1,b
refuses "snake state: state and file" 2 '--u and --in exclude' snake state "$three" --u 1,2 --in states.csv
refuses "snake state: two standard inputs" 2 'cannot both be standard input' snake state - --in -
refuses "snake state: unknown method" 2 "no 'kaen' among the snake methods, did you mean 'kane'" \
  snake state "$three" --theta 1,2,3 --method kaen
run snake state "$three" --theta 1,2,3 --u 1e300,1e300 --out snake_huge.csv
[ $status -eq 4 ] && grep -q 'not finite' err && [ ! -e snake_huge.csv ]
verdict "snake state: too large"
refuses "snake state: no file" 3 'nowhere.yaml' snake state nowhere.yaml --theta 1
run snake state pendulum.yaml --theta 1,2
[ $status -eq 2 ] && grep -q 'pendulum.yaml:' err
verdict "snake state of a robot file"
refuses "snake alone" 2 'state, inverse, simulate, check or bench is missing' snake
refuses "snake: unknown subcommand" 2 "unknown command 'snake stat.*did you mean 'snake state'" snake statt "$three"
refuses "snake state without SNAKE" 2 "'snake state' needs a SNAKE" snake state
says "help snake" 'linkwork snake simulate SNAKE' help snake
says "help snake simulate" '^usage: linkwork snake simulate SNAKE' help snake simulate
says "snake check --help" '^usage: linkwork snake check SNAKE' snake check --help

# --- simulate: the golden trajectory of Table II with 3 links
law="sin(t)/(n-k)"
header "snake simulate: columns" 't,theta1,theta2,theta3,u1,u2,x,y,kinetic,work,S,phi1,phi2' \
  snake simulate "$three" --torque-law "$law" --duration 2 --integrator dopri:1e-12
[ "$(wc -l <out)" -eq 202 ]
verdict "snake simulate: a line for every record"
awk -F, 'NR > 1 { d = $12 - ($3 - $2); e = $13 - ($4 - $3); if (d * d + e * e > 1e-26) exit 1 }' out
verdict "snake simulate: phi are the differences of theta"
near "snake simulate: t" 1 2 0
near "snake simulate: theta1" 2 13.202189299261379 1e-8
near "snake simulate: theta3" 4 18.32492595981623 1e-8
near "snake simulate: u1" 5 -0.7030900203841712 1e-8
near "snake simulate: u2" 6 14.754771036141065 1e-8
near "snake simulate: x" 7 -0.06979754396843701 1e-8
near "snake simulate: work" 10 2.4592073473330465 1e-8
near "snake simulate: S" 11 0 1e-10
sed -n 2p out | grep -q '^0,-0.5235987755982988,0.5235987755982988,-0.5235987755982988,0,0,0,0,0,0,0,1.0471975511965976,-1.0471975511965976$'
verdict "snake simulate: begins as in Table II"
# The motion amplifies errors by about 1e4; the numbers of steps are reasonable for each integrator.
for integrator in kutta3:1e-4 rk4:5e-4 bogacki-shampine:1e-9 kutta-merson:1e-10 fehlberg45:1e-10 \
  dormand-prince:1e-10,1e-11 dop853:1e-10 bdf:1e-10
do
  run snake simulate "$three" --torque-law "$law" --duration 2 --integrator $integrator
  near "snake simulate by $integrator: theta1" 2 13.202189299261379 1e-5
  near "snake simulate by $integrator: u2" 6 14.754771036141065 1e-5
done
run snake simulate "$three" --torque-law "$law" --duration 2 --record 0.7 --method lagrange
near "snake simulate by rk4: theta1" 2 13.202189299261379 1e-5
[ "$(cut -d, -f1 out | tr '\n' ' ')" = "t 0 0.7 1.4 2 " ]
verdict "snake simulate: the last record is at the end"
run snake simulate "$three" --duration 0.5 --record 0.25 --theta0 0.1,0.2,0.3 --u0 1,2
near "snake simulate: begins where --theta0 and --u0 say" 11 1.537541455880702 1e-9
awk -F, 'NR == 2 { first = $9 } NR > 1 { d = $9 - first; if (d * d > 1e-20 || $10 != 0) exit 1 }' out
verdict "snake simulate: kinetic is constant, work is 0"
json "snake simulate as json" '"t": 0.5, "theta1": .*"S": ' \
  snake simulate "$three" --torque-law "$law" --duration 1 --record 0.5
says "snake simulate as a table" '^S = kinetic - work moved by [0-9.e-]+ J, [0-9.e-]+ of the largest' \
  snake simulate "$three" --torque-law "$law" --duration 1 --record 0.5 --format table
says "snake simulate: wheels slip" '^t,' snake simulate "$uneven" --torque-law "5*$law" --duration 1 --record 0.5
grep -q 'wheels would slip from t = .*see --slip' err
verdict "snake simulate: says when wheels slip"

# --- all coordinates
header "snake simulate: columns of lagrange-full" 't,theta1,theta2,theta3,u1,u2,x,y,kinetic,work,S,sideways,slip_loss,stop_loss,phi1,phi2' \
  snake simulate "$three" --torque-law "$law" --duration 2 --integrator dop853:1e-11 --method lagrange-full
near "snake simulate by lagrange-full: theta1" 2 13.202189299261379 1e-6
near "snake simulate by lagrange-full: u2" 6 14.754771036141065 1e-6
run snake simulate "$three" --torque-law "$law" --duration 2 --method lagrange-full --stabilise
near "snake simulate --stabilise: theta1" 2 13.202189299261379 1e-5
near "snake simulate --stabilise: no wheel moves sideways" 12 0 1e-13
run snake simulate "$three" --torque-law "$law" --duration 2 --method lagrange-full --precision single
near "snake simulate by lagrange-full in single precision" 2 13.202189299261379 0.1
refuses "snake simulate --slip by kane" 2 "--slip needs --method lagrange-full, found 'kane'" snake simulate "$uneven" --slip --method kane
refuses "snake state by lagrange-full" 2 "lagrange-full is for 'snake simulate'" snake state "$three" --theta 1,2,3 --method lagrange-full
diagnoses "snake simulate --slip in single precision" 3 'slip and stops are computed in double precision only' \
  snake simulate "$uneven" --slip --precision single
run snake simulate "$uneven" --slip --stops --torque-law "$law/2" --duration 1 --record 0.01 --integrator dop853:1e-9 --audit audit.json
[ $status -eq 0 ] && awk -F, 'NR == 1 { next } { for (k = 2; k < 6; ++k) { phi = $(k + 1) - $k; if (phi * phi > 1.2217304764 ^ 2) exit 1 }
  if ($15 < slip || $16 < stop) exit 1; slip = $15; stop = $16; d = $13; if (d * d > 1e-12) exit 1 }
  END { if (!(slip > 0 && stop > 0)) exit 1 }' out
verdict "snake simulate --slip --stops: joints within limits, losses grow, energy accounted for"
grep -Eq '^  t = [0-9.]+ +wheel [1-5] began to slip' err && grep -Eq '^  t = [0-9.]+ +joint [1-4] hit a stop' err &&
  grep -Eq '"slip": [1-9][0-9]*, "hold": ' audit.json && grep -Eq '"what": "hit", "who": "joint [1-4]"' audit.json
verdict "snake simulate: the audit, in words and as json"
diagnoses "snake simulate --stops beyond a limit" 2 'joint 1 begins at 2 rad, beyond its limits -1.22173 to 1.22173 rad' \
  snake simulate "$uneven" --stops --theta0 0,2,2,2,2

# --- inverse: the torques give the requested accelerations
header "snake inverse: columns" 'T1,T2,udot1,udot2,rank' snake inverse "$three" --theta -0.5,0.4,-0.3 --u 1,0.5 --udot 0.7,-2
near "snake inverse: udot1" 3 0.7 1e-12
near "snake inverse: rank" 5 2 0
torques=$(tail -n 1 out | cut -d, -f1,2)
run snake state "$three" --theta -0.5,0.4,-0.3 --u 1,0.5 --torque "$torques"
near "snake inverse: forward gives udot1 back" 1 0.7 1e-11
near "snake inverse: forward gives udot2 back" 2 -2 1e-10
says "snake inverse: a straight snake" 'as near as this posture allows, rank 1' snake inverse "$three" --theta 0,0,0 --udot 1,1 --format table
printf 't,theta1,theta2,theta3,udot1,udot2\n3,-0.5,0.4,-0.3,1,0\n4,0,0,0,1,0\n' >states.csv
says "snake inverse --in" '^4,.*,1$' snake inverse "$three" --in states.csv
grep -q 'in 1 states the posture does not allow' err
verdict "snake inverse --in: says where the rank is low"
refuses "snake inverse without udot" 2 '--udot is missing' snake inverse "$three" --theta 0,0,0
refuses "snake inverse: one value" 2 '--udot: 1 value given, expected 2' snake inverse "$three" --theta 0,0,0 --udot 1
printf 'theta1,theta2,theta3\n1,2,3\n' >states.csv
diagnoses "snake inverse --in without udot" 3 "column 'udot1' is missing" snake inverse "$three" --in states.csv

run snake simulate "$three" --torque-law "0.3*k" --duration 1 --record 0.1
cp out law.csv
printf 't,T2,T1\n-1,0.6,0.3\n0.5,0.6,0.3\n0.7,0.6,0.3\n' >torques.csv
run snake simulate "$three" --torques torques.csv --duration 1 --record 0.1
paste -d, out law.csv | awk -F, 'NR > 1 { for (k = 1; k <= 13; ++k) { d = $k - $(k + 13); if (d * d > 1e-24) exit 1 } }'
verdict "snake simulate: torques of a file as of a law"
printf 't,T1,T2\n0,0,0\n1,1,2\n' >torques.csv
run snake simulate "$three" --torques torques.csv --duration 1 --record 0.1
cp out table.csv
run snake simulate "$three" --torque-law "k*t" --duration 1 --record 0.1
paste -d, out table.csv | awk -F, 'NR > 1 { for (k = 1; k <= 13; ++k) { d = $k - $(k + 13); if (d * d > 1e-20) exit 1 } }'
verdict "snake simulate: torques are linear between lines"
printf 't,T1,T2\n0,0,0\n0,1,2\n' >torques.csv
diagnoses "torques: time stands still" 3 '^torques.csv:3:1: error: t = 0 is not above' snake simulate "$three" --torques torques.csv
printf 't,T1\n0,0\n' >torques.csv
diagnoses "torques: a joint is missing" 3 "^torques.csv:1:1: error: column 'T2' is missing" snake simulate "$three" --torques torques.csv
printf 't,T1,T2\n' >torques.csv
diagnoses "torques: none" 3 '^torques.csv:1:1: error: no values below the header, expected' snake simulate "$three" --torques torques.csv

# a wave that travels down the body drives the snake forward, 5 s at about 0.34 m/s
run snake simulate "$six" --gait serpenoid:0.5,1.05,2 --duration 5 --record 0.1
near "gait: it moves forwards" 10 1.6 0.1
awk -F, 'NR > 1 { for (k = 1; k < 6; ++k) { d = $(k + 2) - $(k + 1) - 0.5 * sin(1.05 * k + 2 * $1)
  if (d * d > 0.0025) exit 1 } }' out
verdict "gait: every joint is within 0.05 rad of the wave"
run snake simulate "$six" --gait serpenoid:0.5,1.05,2,0,2 --duration 5 --dt 1
near "gait from rest: at rest at first, then nearly as far" 10 1.3 0.1
[ "$(sed -n 2p out | cut -d, -f8,9,12)" = 0,0,0 ]
verdict "gait from rest: no speed, no energy at t = 0"
run snake simulate "$six" --gait serpenoid:0.5,1.05,2,0.1,2 --duration 10 --dt 1
near "steered gait: to the left" 11 1.36 0.1
run snake simulate "$six" --gait head:0.2,1,0.8 --duration 30 --dt 5 --integrator dop853:1e-8
near "head: along its line" 10 3.99 0.05
near "head: at its speed" 12 0.1125 0.01
run snake simulate "$six" --theta0 0,0,0,0,0,0 --u0 1,0 --rolling-resistance 0.5 --duration 2 --dt 1
near "rolling resistance: V = exp(-c t / m)" 8 "$(awk 'BEGIN { printf "%.15g", exp(-1) }')" 1e-9
near "rolling resistance: its work is in S" 14 3 1e-9

# --- laws
refuses_law "unknown name" 8 "unknown name 'q'" 'sin(t)/q'
refuses_law "unclosed" 6 "expected '\)'" 'sin(t'
refuses_law "nothing" 1 'the law ends here' ''
refuses_law "two values" 3 'operator' '2 3'
refuses_law "hexadecimal" 1 'decimal' '0x3'
deep=$(printf '%5000s' '' | tr ' ' '(')
run snake simulate "$three" --torque-law "$deep"
[ $status -eq 2 ] && grep -q 'nested too deeply' err
verdict "law: nested too deeply"

# --- errors during a run
rm -f part.csv part.csv.partial
run snake simulate "$three" --torque-law "1/(t-0.5)^2" --duration 1 --record 0.1 --out part.csv
[ $status -eq 4 ] && grep -Eq 'not finite.* after t = 0.4[0-9]* s; 5 records up to there are kept' err &&
  [ "$(wc -l <part.csv.partial)" -eq 6 ] && [ ! -e part.csv ]
verdict "snake simulate: a divergence reports when, and keeps the records"
run snake simulate "$three" --torque-law "sqrt(-t)" --duration 1 --record 0.1
[ $status -eq 4 ] && grep -q 'not finite after t = 0 s' err && [ "$(wc -l <out)" -eq 2 ]
verdict "snake simulate: torques that are no numbers"
rm -f part.csv.partial
echo old >part.csv
"$linkwork" snake simulate "$six" --torque-law "$law" --duration 1e6 --out part.csv 2>err &
job=$!
sleep 1
kill -TERM $job
wait $job
status=$?
[ $status -eq 143 ] && grep -Eq 'interrupted at t = [0-9.]+ of 1e\+06 s; [0-9]+ records' err &&
  awk -F, 'NF != 19 { exit 1 } END { exit NR < 3 }' part.csv.partial && [ "$(cat part.csv)" = old ] && no_temporary
verdict "snake simulate: a signal ends it, and the results are kept as partial"
"$linkwork" snake simulate "$six" --torque-law "$law" --duration 1e6 2>err | head -n 3 >out
[ "$(wc -l <out)" -eq 3 ] && [ ! -s err ]
verdict "snake simulate: the reader of a pipe may close it"
for integrator in rk4:0 rk4:x rk4: rk4:1e-3,2 dopri:-1 dopri:1e-6,0 dopri:1e-6x dopri:1e-6,1e-6,1e-6 bdf:nan
do
  refuses "--integrator $integrator" 2 '--integrator: .* expected' snake simulate "$three" --integrator $integrator
done
refuses "--integrator rk5" 2 "no 'rk5', did you mean 'rk4'" snake simulate "$three" --integrator rk5:1
refuses "--integrator rk4x" 2 "no 'rk4x', did you mean 'rk4'" snake simulate "$three" --integrator rk4x
refuses "--integrator adams" 2 "no 'adams', expected one of: kutta3, rk4, .*bdf" snake simulate "$three" --integrator adams
refuses "--duration" 2 "--duration: '0' is wrong, expected a positive" snake simulate "$three" --duration 0
refuses "--record" 2 '--dt: .* too many' snake simulate "$three" --record 1e-300
refuses "two drives" 2 '--torque-law and --gait exclude' snake simulate "$three" --torque-law 1 --gait serpenoid:1,1,1
refuses "unknown gait" 2 "unknown gait 'trot'" snake simulate "$three" --gait trot
printf 'linkwork: 1\nsnake: {name: two, count: 2, link: {length: 0.2, mass: 1, inertia: 0.005}}\n' >two.yaml
refuses "half a path" 2 '--gait: 2 values given, expected 3' snake simulate "$three" --gait head:1,2
refuses "a straight path" 2 '--gait: the winding must be 0.05 to 2: a straight snake cannot push' \
  snake simulate "$three" --gait head:1,0,1
refuses "a path for two links" 2 'a snake with two links cannot be guided' snake simulate two.yaml --gait head:1,1,1
refuses "negative rise" 2 'RISE must not be negative' snake simulate "$three" --gait serpenoid:1,1,1,0,-1
refuses "negative rolling resistance" 2 '--rolling-resistance: .-1. is wrong' snake simulate "$three" --rolling-resistance -1
refuses "rolling resistance in all coordinates" 2 '--rolling-resistance and --method lagrange-full exclude' \
  snake simulate "$three" --slip --rolling-resistance 1
refuses "rolling resistance with limits" 3 'friction_limit cannot have rolling resistance' \
  snake simulate "$uneven" --rolling-resistance 1
refuses "half a gait" 2 '--gait: 2 values given, expected 3' snake simulate "$three" --gait serpenoid:1,2
refuses "--theta0" 2 '--theta0: 1 value given' snake simulate "$three" --theta0 1

# --- plots, with a fake gnuplot
mkdir -p tools empty
printf '#!/bin/sh\ncat >script\necho picture; printf "</svg>"\n' >tools/gnuplot
chmod +x tools/gnuplot
kept=$PATH
PATH=$work/tools:$PATH
run snake simulate "$six" --torque-law "$law" --duration 1 --record 0.1 --plot "it's a plot.svg"
[ $status -eq 0 ] && [ "$(head -n 1 "it's a plot.svg")" = picture ] && grep -q '^set terminal svg' script &&
  grep -q "set xlabel 't (s)'" script && grep -q 'S - S(0) (J)' script && grep -q '^set size ratio -1' script &&
  [ "$(grep -c '^\$snake[0-5] << EOD$' script)" -eq 6 ]
verdict "--plot: the script, labelled, with equal axes and six postures"
[ "$(grep -o '\$snake[0-5] using 1:2 every ::6::6' script | wc -l)" -eq 6 ] && grep -q "title 'head'" script
verdict "--plot: the head, the front end of link 6, is marked in every posture"
run snake simulate "$six" --duration 1 --record 0.1 --plot still.svg
[ $status -eq 0 ] && ! grep -q 'S(0)' script && grep -q 'layout 1,1' script
verdict "--plot: a constant S is not drawn"
printf '#!/bin/sh\ncat >script\nexit 1\n' >tools/gnuplot
run snake simulate "$six" --duration 1 --record 0.1 --plot no.png
[ $status -eq 3 ] && grep -q 'gnuplot: could not draw' err && [ -z "$(ls no.png* 2>/dev/null)" ]
verdict "--plot: gnuplot fails"
printf '#!/bin/sh\ncat >script\necho "<svg>"\n' >tools/gnuplot
echo old >no.svg
run snake simulate "$six" --duration 1 --record 0.1 --plot no.svg
[ $status -eq 3 ] && grep -q 'could not write the whole picture' err && [ "$(cat no.svg)" = old ] && no_temporary
verdict "--plot: an incomplete picture does not replace a complete one"
PATH=$kept
PATH=$work/empty "$linkwork" snake simulate "$six" --plot x.svg >out 2>err
status=$?
[ $status -eq 3 ] && [ ! -s out ] && grep -q 'need gnuplot, which is not installed' err
verdict "--plot without gnuplot"
refuses "--plot x.gif" 2 'does not end with .svg, .png or .pdf' snake simulate "$six" --plot x.gif
if command -v gnuplot >/dev/null 2>&1
then
  run snake simulate "$six" --torque-law "$law" --duration 1 --record 0.1 --plot x.svg --quiet
  [ $status -eq 0 ] && grep -q '<svg' x.svg && tail -n 2 x.svg | grep -q "</svg>" && [ ! -s err ]
  verdict "--plot by gnuplot itself"
fi

# --- check
for snake in "$snakes"/*.yaml
do
  for precision in double single
  do
    says "snake check $(basename "$snake"), $precision" '^ok: all [0-9]+ checks are within their bounds$' \
      snake check "$snake" --precision $precision --format table
  done
done
header "snake check as csv" 'check,question,method,worst,bound,absolute,state,ok' snake check "$three"
[ "$(grep -c '^circle,snake,' out)" -eq 5 ] && [ "$(wc -l <out)" -eq 46 ]
verdict "snake check has every method"
json "snake check as json" '"check": "mass", "question": "snake", "method": "lagrange", "worst": [0-9.]+' snake check "$three"
run snake check "$uneven"
[ $status -eq 0 ] && ! grep -q '^circle' out && ! grep -q '^mass' out
verdict "snake check: invariants for wheels in the middle are not checked for other snakes"
run snake check "$six" --seed 7 --states 10
cp out seven
run snake check "$six" --seed 7 --states 10
[ $status -eq 0 ] && cmp -s out seven
verdict "snake check: the same seed, the same numbers"
run snake check "$six" --seed 8 --states 10
[ $status -eq 0 ] && ! cmp -s out seven
verdict "snake check: another seed, other numbers"
printf 'linkwork: 1\nsnake: {name: long, count: 150, link: {length: 0.2, mass: 1, inertia: 0.0005}}\n' >long.yaml
run snake check long.yaml --precision single --states 8 --format table
[ $status -eq 1 ] && grep -Eq '^wheel forces +snake +newton-euler .* NO$' out &&
  grep -Eq '^equation of motion +snake +kane-linear .* ok$' out && tail -n 1 out | grep -q '^NO: '
verdict "snake check: single precision is not enough for newton-euler and 150 links, exit 1"
says "snake check: it is for others in double" '^ok: ' snake check long.yaml --states 8 --format table
refuses "snake check --states" 2 '--states: .* expected an integer' snake check "$six" --states 0

# --- snake bench
header "snake bench as csv" 'robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa' \
  snake bench --links 5 --quick
[ "$(grep -c ',5,snake,' out)" -eq 10 ]
verdict "snake bench has every method, single and batch"
run snake bench --links 7,3 --quick
[ $status -eq 0 ] && [ "$(cut -d, -f2 out | uniq | xargs)" = "n 3 7" ] && [ "$(awk -F, '$10 == 1' out | wc -l)" -eq 4 ]
verdict "snake bench of several snakes: each with a fastest method of its own"
refuses "snake bench of a wrong list" 2 "--links: '3,x' is wrong" snake bench --links 3,x
says "snake bench of a file" ',6,snake,kane-linear,single,batch,1,' snake bench "$six" --quick --precision single
refuses "snake bench --links" 2 "--links: '1' is wrong, expected up to 64 integers from 2 to 1000: 2,4,7" snake bench --links 1
refuses "snake bench of both" 2 'give SNAKE or --links, not both' snake bench "$six" --links 3

# --- the registry
run methods
[ $status -eq 0 ] && [ "$(grep -c '^snake,' out)" -eq 5 ]
verdict "methods has those for snakes"
says "count --dof of snakes" '^snake,kane-linear,334,265,1,0,' count --dof 20
says "count of snakes for any n" '^snake,kane-linear,17n - 6,14n - 15,1,2,' count
run count --dof 1
[ $status -eq 0 ] && ! grep -q '^snake' out
verdict "count --dof 1 has no snake"

run snake simulate "$three" --duration 0.1 --out run.csv
run snake state "$three" --in run.csv --out states.csv
run snake state "$three" --in run.csv --keep --out kept.csv
[ $status -eq 0 ] && [ "$(head -n 1 states.csv)" = "t,udot1,udot2,V1,V2,V3,w1,w2,w3,lambda1,lambda2,lambda3,kinetic,power" ] &&
  [ "$(head -n 1 kept.csv)" = "t,theta1,theta2,theta3,u1,u2,x,y,work,S,phi1,phi2,udot1,udot2,V1,V2,V3,w1,w2,w3,lambda1,lambda2,lambda3,kinetic,power" ] &&
  cut -d, -f13- kept.csv >got && cut -d, -f2- states.csv | cmp -s - got
verdict "snake state: t is copied, --keep copies all columns"
refuses "snake state --keep without --in" 2 '--keep is for --in' snake state "$three" --theta 0,0,0 --keep

# a wheel is noted when it begins to need more than its limit, not as long as it does
sed 's/mass: /friction_limit: 0.02, mass: /' "$robots/snakes/table2_n3.yaml" >slippery.yaml
run snake simulate slippery.yaml --torque-law "sin(t)/(n-k)" --duration 10 --dt 0.1 --audit audit.json --quiet
count=$(sed -n 's/.*"beyond": \([0-9]*\)}.*/\1/p' audit.json)
[ $status -eq 0 ] && [ "$count" -ge 3 ] && [ "$count" -le 50 ]
verdict "wheels beyond their limits are noted once each time"
