# Positions outside limits and angles beyond a turn, most of them degrees, are reported: once for each command, with the
# number of rows, also with --quiet. Tables: other separators than commas. Numbers: no -0.
puma=$robots/puma560.yaml

# warns NAME COUNT PATTERN ARGUMENTS: exit 0, one warning that matches and ends with COUNT, "1 of 2 rows" or nothing
warns()
{
  name=$1
  count=$2
  pattern=$3
  shift 3
  run "$@"
  [ $status -eq 0 ] && [ "$(grep -c 'linkwork: warning: ' err)" -eq 1 ] && grep -Eq -- "$pattern" err &&
    { [ -z "$count" ] || grep -Eq -- "\\($count\\)\$" err; }
  verdict "ranges: $name"
}

# calm NAME ARGUMENTS: exit 0 and no warning
calm()
{
  name=$1
  shift
  run "$@"
  [ $status -eq 0 ] && ! grep -q 'linkwork: warning: ' err
  verdict "ranges: $name"
}

warns "degrees of a joint with limits" '' "--q: joint 'shoulder' at 90 rad is outside its limits, -3.92699 to 0.785398 rad; angles are in rad, degrees are written like 90 deg$" \
  inverse "$puma" --q 0,90,0,0,0,0
warns "--quiet does not silence it" '' "joint 'shoulder' at 90 rad" inverse "$puma" --q 0,90,0,0,0,0 --quiet
warns "several joints, one line" '' "joint 'waist' at 45 rad" inverse "$puma" --q 45,90,45,0,90,0
warns "outside limits, but no degrees" '' 'outside its limits, -3.92699 to 0.785398 rad$' inverse "$puma" --q 0,1.5,0,0,0,0
calm "degrees that say so" inverse "$puma" --q "0,-90 deg,90 deg,0,0,0"
calm "limits themselves" inverse "$puma" --q "0,-225 deg,45 deg,0,0,0"
warns "by name" '' "joint 'elbow' at 90 rad" inverse "$puma" --q elbow=90
warns "a joint without limits" '' "joint 'swing' at 90 rad is beyond a whole turn" inverse pendulum.yaml --q 90
calm "a turn of a joint without limits" inverse pendulum.yaml --q "-360 deg"
warns "a length" '' "joint 'lift' at 300 m is outside its limits, .* m$" gravity "$robots/torso.yaml" --q lift=300
warns "roll, pitch, yaw of a pose" '' '--pose: value 5 of 178 rad is beyond a whole turn' ik "$puma" --pose 0.5,0.1,0.3,0,178,0
calm "a pose in degrees that says so" ik "$puma" --pose "0.5,0.1,0.3,0,178 deg,0"
warns "of a tool" '' '--tool: value 4 of 90 rad' pose "$puma" --q 0,0,0,0,0,0 --tool 0,0,0.1,90,0,0
warns "of a mount" '' '--base-rpy: value 1 of 180 rad' gravity "$puma" --q 0,0,0,0,0,0 --base-rpy 180,0,0
warns "a guess of ik" '' "--q: joint 'shoulder' at -90 rad" ik "$puma" --position 0.5,0.1,0.3 --q 0,-90,0,0,0,0
warns "where joints are held" '' "--at: joint 'joint2': held at 90 rad, outside its limits" gravity "$robots/panda.yaml" --joints joint4 --at joint2=90 --q -1.5 --quiet
warns "where joints without limits are held" '' "--at: joint 'left_twist': held at 90 rad, beyond a whole turn" \
  gravity "$robots/two_arms.urdf" --joints left_lift --at left_twist=90 --q 0
calm "joints held in degrees" gravity "$robots/two_arms.urdf" --joints left_lift --at "left_twist=90 deg" --q 0
warns "both ends of a plan" '2 of 2 lists' "--from: joint 'swing' at 30 rad" plan pendulum.yaml --from 30 --to 40 --duration 100 --dt 50
warns "directions of a snake" '' '--theta: value 2 of 30 rad' snake state "$robots/snakes/table2_n3.yaml" --theta 0,30,0
printf 'theta1,theta2,theta3,udot1,udot2\n0,1,0,0,0\n0,0,45,0,0\n0,90,0,0,0\n' >winding.csv
for command in state inverse
do
  warns "directions of a snake, rows of $command" '2 of 3 rows' 'winding.csv:3: value 3 of 45 rad is beyond a whole turn; are these degrees' \
    snake $command "$robots/snakes/table2_n3.yaml" --in winding.csv
done
sed '1s/^/t,/; 2,$s/^/0,/' winding.csv >timed.csv
calm "a snake that winds in time" snake state "$robots/snakes/table2_n3.yaml" --in timed.csv
printf 'q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0,90,0,0,0,0\n0,90,90,0,0,0\n' >degrees.csv
warns "rows of a table" '2 of 3 rows' "degrees.csv:3: joint 'shoulder' at 90 rad is outside its limits, .*; are these degrees\\? Columns of angles are in rad" \
  inverse "$puma" --in degrees.csv
warns "rows of draw" '2 of 3 rows' 'degrees.csv:3:' draw "$puma" --in degrees.csv --out ranges.svg
warns "rows of sensitivity" '2 of 3 rows' 'degrees.csv:3:' sensitivity "$puma" --in degrees.csv --with mass
warns "rows of clearance" '2 of 3 rows' 'degrees.csv:3:' clearance "$puma" --in degrees.csv
printf 'q1\n0\n90\n95\n' >way.csv
warns "waypoints" '2 of 3 rows' 'way.csv:3:' plan pendulum.yaml --in way.csv --duration 100 --dt 100
awk 'BEGIN { print "t,q1,q2,q3,q4,q5,q6"; for (i = 0; i <= 200; ++i) print i / 100 ",0," i / 100 ",0,0,0,0" }' >long.csv
warns "a trajectory to follow" '122 of 201 rows' "long.csv:81: joint 'shoulder' at 0.79 rad" simulate "$puma" --in long.csv --duration 0.01
warns "states with time" '122 of 201 rows' 'long.csv:81:' inverse "$puma" --in long.csv --quiet
printf 'x,y,z,roll,pitch,yaw\n0.5,0.1,0.3,0,178,0\n0.5,0.1,0.3,0,1,0\n' >poses.csv
warns "poses of a table" '1 of 2 rows' 'poses.csv:2: pitch of 178 rad is beyond a whole turn' ik "$puma" --in poses.csv
# A joint without limits turns many times in a recording; that the first row is beyond a turn is reported.
awk 'BEGIN { print "t,q1"; for (i = 0; i < 50; ++i) print i / 10 "," i }' >turning.csv
calm "a recording that turns many times" inverse pendulum.yaml --in turning.csv
sed 1d turning.csv | sed 's/,/,9/; 1s/^/t,q1\n/' >wound.csv
warns "a recording that begins beyond a turn" '1 of 50 rows' 'wound.csv:2:' inverse pendulum.yaml --in wound.csv
sed 's/^[^,]*,//' turning.csv >loose.csv
warns "states without time" '43 of 50 rows' "loose.csv:9: joint 'swing' at 7 rad" inverse pendulum.yaml --in loose.csv
printf 'linkwork: 1\nrobot: %s\ninitial: {q: [0, 90, 0, 0, 0, 0]}\nduration: 0.001\nrecord: 0.001\n' "$puma" >degrees.yaml
warns "where a simulation begins" '' "degrees.yaml: joint 'shoulder' at 90 rad" simulate degrees.yaml --quiet
warns "lint: where a simulation begins" '' "degrees.yaml: joint 'shoulder' at 90 rad" lint degrees.yaml
warns "linearise: where a simulation begins" '' "degrees.yaml: joint 'shoulder' at 90 rad" linearise degrees.yaml
for scenario in "$robots"/../scenarios/puma_*.yaml
do
  calm "a shipped scenario: ${scenario##*/}" simulate "$scenario" --duration 0.01
done
printf 'theta = 0 90 0 0 0 0\ntheta.2 = 90 deg\ntheta.2 = -90 deg\npose\n' | "$linkwork" shell "$puma" >out 2>err
[ "$(grep -c "warning: theta: joint 'shoulder' at" err)" -eq 2 ]
verdict "ranges: the shell"

# Every command that takes --q
commands=$("$linkwork" --help | sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' | grep -v '^snake$')
checked=0
for command in $commands
do
  "$linkwork" help "$command" | grep -q -- ' --q LIST' || continue
  case $command in
    draw) more='--out ranges.svg' ;;
    ik) more='--position 0.5,0.1,0.3' ;;
    frames) more='--links flange_plate' ;;
    close | cylinders) continue ;; # for other robots
    *) more= ;;
  esac
  warns "--q of $command" '' "--q: joint 'shoulder' at 90 rad" $command "$puma" --q 0,90,0,0,0,0 $more
  checked=$((checked + 1))
done
[ $checked -ge 15 ]
verdict "ranges: all commands that take --q"

# Random rows: the number of rows outside their limits, counted by awk. PUMA 560, in degrees: 160, -225 to 45, -45 to 225,
# -110 to 170, 100, 266.
awk 'BEGIN {
  srand(7)
  split("160 45 225 170 100 266", upper, " ")
  split("-160 -225 -45 -110 -100 -266", lower, " ")
  print "q1,q2,q3,q4,q5,q6" > "random.csv"
  for (i = 0; i < 3000; ++i) {
    line = ""; beyond = 0
    for (k = 1; k <= 6; ++k) {
      middle = (lower[k] + upper[k]) / 2; half = (upper[k] - lower[k]) / 2
      degrees = middle + half * 1.08 * (2 * rand() - 1)
      beyond = beyond || degrees > upper[k] || degrees < lower[k]
      line = line (k > 1 ? "," : "") sprintf("%.17g", degrees * atan2(0, -1) / 180)
    }
    rows += beyond
    print line > "random.csv"
  }
  print rows > "rows"
}'
warns "3000 random rows" "$(cat rows) of 3000 rows" 'random.csv:[0-9]+: joint' gravity "$puma" --in random.csv --quiet

# --- rows of ik that were not reached are no waypoints
printf 'x,y,z\n0.5,0.1,0.3\n5,5,5\n0.4,0.1,0.3\n' >places.csv
run ik "$puma" --in places.csv --out found.csv
[ $status -eq 1 ]
verdict "ik: a place out of reach"
refuses "plan: rows that were not reached" 2 'plan: found.csv:3: the pose of this row is not reached \(reached = 0\)' plan "$puma" --in found.csv --duration 9
"$linkwork" ik "$puma" --in places.csv 2>/dev/null | "$linkwork" plan "$puma" --in - --duration 9 >out 2>err
status=$?
[ $status -eq 2 ] && [ ! -s out ]
verdict "plan: rows that were not reached, through a pipe"
sed 3d found.csv >reached.csv
calm "waypoints that were reached" plan "$puma" --in reached.csv --duration 9 --dt 9

# --- other formats of tables, and separators that are none
printf 't;q1\n0;1,5\n' >semicolons.csv
printf 't\tq1\n0\t1.5\n' >tabs.csv
printf '"t";"q1"\n0;1.5\n' >quoted.csv
printf '{"t": 0, "q1": 1.5}\n' >lines.jsonl
printf '\223NUMPY\1\0\105\0{"descr": "<f8", "fortran_order": False, "shape": (1, 1), }         \n' | tr '"' "'" >array.npy
printf '\0\0\0\0\0\0\370\077' >>array.npy
answer=$("$linkwork" inverse pendulum.yaml --q 1.5 | tail -n 1)
for table in semicolons.csv tabs.csv quoted.csv lines.jsonl
do
  gives "formats: $table" "t,tau1\n0,$answer\n" inverse pendulum.yaml --in $table
done
gives "formats: an array" "tau1\n$answer\n" inverse pendulum.yaml --in array.npy
printf 't;q1\n0;1\n1;2,5\n' >motion.csv
printf 't,q1\n0,1\n1,2.5\n' >plain.csv
answer=$("$linkwork" plan pendulum.yaml --in plain.csv --dt 1)
gives "formats: of waypoints" "$answer\n" plan pendulum.yaml --in motion.csv --dt 1
printf 't q1\n0 1\n' >spaces.csv
printf 'time|q1\n0|1\n' >bars.csv
for sign in spaces bars
do
  refuses "separators: $sign" 3 "^$sign.csv:1:1: error: the columns are separated by $sign, expected commas" inverse pendulum.yaml --in $sign.csv
done
printf 'remark; in words,q1\nx,0\n' >remark.csv
printf '|q1|,q1,sum of q1 and t\nx,0,x\n' >names.csv
gives "separators: names with bars and spaces" 'tau1\n-9.81\n' inverse pendulum.yaml --in names.csv
gives "separators: a name with a semicolon" 'tau1\n-9.81\n' inverse pendulum.yaml --in remark.csv

# --- no -0 in csv and json
zeros=0
several="pendulum.yaml crane.yaml $puma $robots/panda.yaml $robots/stanford.yaml"
[ -z "${LINKWORK_SLOW:-}" ] || several="pendulum.yaml crane.yaml"
questions=$(for command in $commands; do "$linkwork" help "$command" | grep -q '^states: ' && echo "$command"; done)
for robot in $several
do
  n=$("$linkwork" info "$robot" --format csv 2>/dev/null | awk -F, 'NR > 1 && $3 != "fixed"' | wc -l)
  for q in 0 -1.5707963267948966
  do
    list=$(awk -v n="$n" -v q="$q" 'BEGIN { for (i = 1; i < n; ++i) printf "%s,", q; print q }')
    for command in $questions
    do
      for format in csv json
      do
        "$linkwork" "$command" "$robot" --q "$list" --format $format >out 2>err || continue
        zeros=$((zeros + 1))
        ! grep -Eq '(^|[^0-9.e])-0([^0-9.]|$)' out || { status=0; false; verdict "no -0: $command of $robot as $format"; }
      done
    done
  done
done
[ $zeros -ge 60 ]
verdict "no -0: $zeros answers"
gives "no -0: an energy" 'kinetic,potential\n0,0\n' energy pendulum.yaml --q 0
gives "no -0: 113 bits" 'kinetic,potential\n0,0\n' energy pendulum.yaml --q 0 --precision quad
run plan "$puma" --from 0,0,0,0,0,0 --to "-1,-1,-0.5,-1,-1,-1" --duration 5 --dt 1
[ $status -eq 0 ] && ! grep -Eq '(^|,)-0(,|$)' out
verdict "no -0: a plan"
run snake simulate "$robots/snakes/table2_n3.yaml" --duration 0.1 --u0 0,0
[ $status -eq 0 ] && ! grep -Eq '(^|,)-0(,|$)' out
verdict "no -0: a snake"

# --- help of misspelt commands: every name without one of its letters
missed=
tried=0
"$linkwork" --help | sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\( [a-z]*\)\{0,1\}\)  .*/\1/p' >names
[ -z "${LINKWORK_SLOW:-}" ] || { awk 'NR % 4 == 1' names >few && mv few names; }
while read -r command
do
  for wrong in $(awk -v name="$(echo "$command" | tr ' ' '_')" 'BEGIN { for (i = 1; i <= length(name); ++i) print substr(name, 1, i - 1) substr(name, i + 1) }')
  do
    wrong=$(echo "$wrong" | tr '_' ' ')
    "$linkwork" help $wrong >out 2>err </dev/null && continue
    tried=$((tried + 1))
    grep -q "^linkwork: error: help: unknown command '$wrong'; did you mean '" err || missed="$missed '$wrong'"
  done
done <names
status=$tried
[ $tried -ge 80 ] && [ -z "$missed" ]
verdict "help: $tried misspelt names get a hint:$missed"
refuses "help of a word unlike any other" 2 "help: unknown command 'xyzzyxyzzy'; 'linkwork --help' lists them" help xyzzyxyzzy
refuses "help invers" 2 "help: unknown command 'invers'; did you mean 'inverse'\\?" help invers
