# linkwork plan and linkwork ik.
puma=$robots/puma560.yaml
crane="--from 0,0 --to 1,0.5"

# field NAME LINE FIELD VALUE TOLERANCE: this field of a line of out has this value; the last line is $
field()
{
  [ $status -eq 0 ] && sed -n "$2p" out | awk -F, -v f="$3" -v v="$4" -v tol="$5" '
    { d = $f - v; if (d < 0) d = -d; if (!(d <= tol)) { print "field " f ": " $f " is not " v; exit 1 } }
    END { if (NR != 1) exit 1 }' >>err
  verdict "$1"
}

# no_motion NAME PATTERN ARGUMENTS: exit 1, a line that matches, nothing on stdout
no_motion()
{
  name=$1
  pattern=$2
  shift 2
  run "$@"
  [ $status -eq 1 ] && grep -Eq -- "$pattern" err && [ ! -s out ]
  verdict "$name"
}

# --- plan
header "plan: columns" 't,q1,q2,qd1,qd2,qdd1,qdd2' plan crane.yaml $crane
field "plan: a quintic peaks at 15/8 of the mean velocity" '$' 1 0.9375 1e-15
field "plan: the last sample is the goal" '$' 2 1 0
field "plan: the last sample is the goal of the slide" '$' 3 0.5 0
[ "$(wc -l <out)" -eq 940 ]
verdict "plan: a sample every millisecond and one at the end"
run plan crane.yaml $crane --duration 2 --dt 0.5
[ $status -eq 0 ] && [ "$(cut -d, -f1 out | tr '\n' ' ')" = "t 0 0.5 1 1.5 2 " ]
verdict "plan: --duration and --dt"
field "plan: half the path at half the time" 4 2 0.5 1e-15
run plan crane.yaml $crane --profile trapezoid --acceleration 4
field "plan: trapezoid, triangle of 2 sqrt(d/a)" '$' 1 1 1e-15
run plan crane.yaml $crane --profile trapezoid --acceleration 16
field "plan: trapezoid, d/v + v/a" '$' 1 0.625 1e-15
run plan crane.yaml $crane --profile s-curve --acceleration 100 --jerk 10 --speed 1
field "plan: s-curve, d/v + 2 sqrt(v/j)" '$' 1 1.632455532033676 1e-14
run plan crane.yaml $crane --via 0.2,0.3 --via 0.5,0.4 --profile cubic --duration 6
field "plan: cubic through points" '$' 2 1 0
printf 't,q1,q2\n0,0,0\n10,1,0\n20,3,0\n' >three.csv
for join in clamped:0.225 natural:0.15 average:0.15
do
  run plan crane.yaml --through three.csv --profile cubic --join ${join%:*} --dt 10
  field "plan: --join ${join%:*}" 3 4 ${join#*:} 1e-15
done
run plan crane.yaml --from column=0 --to "column=30 deg,slide=0.1"
field "plan: joints by name" '$' 2 0.5235987755982988 1e-15
json "plan as json" '"t": 0, "q1": 0, "q2": 0, "qd1": 0' plan crane.yaml $crane --dt 1
says "plan as a table" '^slide +0 +0.5 +0 +0.5 +0.999999 +unlimited +3.28448$' plan crane.yaml $crane --format table
printf 't,q1,q2\n0,0,0\n5,0.5,0.2\n9,0,0.4\n' >via.csv
run plan crane.yaml --through via.csv --profile cubic --dt 1
field "plan --through: a point at its time" 7 2 0.5 1e-15
field "plan --through: the end" '$' 1 9 0
printf 'q2,q1\n0,0\n0.2,0.5\n0.4,0\n' >untimed.csv
printf 't,q.slide,q.column\n0,0,0\n5,0.2,0.5\n9,0.4,0\n' >named.csv
run plan crane.yaml --through named.csv --profile cubic --dt 1
field "plan --through: columns by name" 7 2 0.5 1e-15
run plan crane.yaml --through untimed.csv --profile s-curve --jerk 50
[ $status -eq 0 ]
verdict "plan --through without times"
"$linkwork" plan crane.yaml $crane --dt 0.01 2>err | "$linkwork" inverse crane.yaml --in - >out 2>>err
status=$?
[ $status -eq 0 ] && [ "$(head -n 1 out)" = t,tau1,tau2 ] && [ "$(wc -l <out)" -eq 96 ]
verdict "plan | inverse"
run plan crane.yaml $crane --out plan.csv
[ $status -eq 0 ] && [ ! -s out ] && [ "$(wc -l <plan.csv)" -eq 940 ]
verdict "plan --out"

# --- lines: the prismatic joint in column 0 moves the hook along x
line="--profile line --from 0,0"
run plan crane.yaml $line --pose 1.5,0,0 --speed 0.25
field "plan: a line at constant speed" '$' 1 2 1e-14
field "plan: velocity along a line" 2 5 0.25 1e-14
run plan crane.yaml $line --position 0.5,1,0 --speed 0.5 --dt 0.1
field "plan: a line that leaves the orientation free" '$' 2 1.1071487177940904 1e-12
run plan crane.yaml $line --pose 1.5,0,0 --speed 0.25 --acceleration 0.5
field "plan: a line with ramps, d/v + v/a" '$' 1 2.5 1e-14
no_motion "plan: a line with too few joints" 'cannot move in this direction' \
  plan crane.yaml $line --pose 1,0.5,0 --speed 0.1
no_motion "plan: a line that is too fast for a joint" "joint 'column' needs a velocity of" \
  plan crane.yaml $line --position 0.1,1,0 --speed 3
no_motion "plan: a line through a limit" "joint 'column' passes its upper limit of 3 rad" \
  plan crane.yaml --profile line --from 2.9,0 --position -1.2,-0.5,0 --speed 0.1

# --- impossible motions, and misuse
no_motion "plan: too short" 'expected at least 0.9375 s' plan crane.yaml $crane --duration 0.5
no_motion "plan: out of limits" "the goal: joint 'column' is at 4 rad, expected from -3 to 3 rad" \
  plan crane.yaml --from 0,0 --to 4,0
no_motion "plan: nowhere to go" 'start and goal are the same; give a duration' \
  plan crane.yaml --from 0,0 --to 0,0
printf 't,q1,q2\n0,0,0\n1,0.5,0.2\n1,0,0.4\n' >late.csv
no_motion "plan: times that do not increase" 'point 3 is at t = 1 s, expected later than point 2' \
  plan crane.yaml --through late.csv
refuses "plan: no goal" 2 '--from and --to are needed' plan crane.yaml --from 0,0
refuses "plan: unknown profile" 2 "did you mean 'trapezoid'" plan crane.yaml $crane --profile trapez
refuses "plan: an option of another profile" 2 'trapezoid does not use --jerk' \
  plan crane.yaml $crane --profile trapezoid --jerk 3
refuses "plan: number of values" 2 '--to: 3 values given, .* needs 2' plan crane.yaml --from 0,0 --to 1,2,3
refuses "plan: a limit of zero" 2 '--acceleration: value 1 is 0, expected more than 0' \
  plan crane.yaml $crane --acceleration 0
refuses "plan: --dt" 2 "--dt: '0' is wrong" plan crane.yaml $crane --dt 0
refuses "plan: too many samples" 2 '--dt: .* samples are too many' plan crane.yaml $crane --dt 1e-12
refuses "plan: a line without a speed" 2 'needs --velocity or --duration' plan crane.yaml $line --pose 1,1,0
refuses "plan: a line without a goal" 2 'needs --to, --pose or --position' plan crane.yaml $line --speed 1
refuses "plan: --through and --from" 2 '--in and --from exclude each other' \
  plan crane.yaml --from 0,0 --through via.csv
refuses "plan: times twice" 2 '--duration: the times are in via.csv' \
  plan crane.yaml --through via.csv --duration 3
printf 't,q1\n0,0\n' >part.csv
refuses "plan: columns missing" 3 "^part.csv:1:1: error: column 'q2' is missing" \
  plan crane.yaml --through part.csv
printf 'q1,q2\n0,0\n1,x\n' >wrong.csv
refuses "plan: a wrong number" 3 "^wrong.csv:3:3: error: 'x' is not a finite number" \
  plan crane.yaml --through wrong.csv

# --- ik
header "ik: columns" 'q1,q2,position_error,angle_error,iterations,reached' ik crane.yaml --position 0,1.5,0
field "ik: the column turns to the point" '$' 1 1.5707963267948966 1e-12
field "ik: the slide reaches it" '$' 2 0.5 1e-12
field "ik: reached" '$' 6 1 0
run ik crane.yaml --pose "0,1.5,0,0,0,90 deg"
field "ik: a pose that two joints can reach" '$' 2 0.5 1e-9
run ik crane.yaml --pose 0,1.5,0,0,0,0
[ $status -eq 1 ] && grep -q 'not reached' err && tail -n 1 out | grep -q ',0$'
verdict "ik: an unreachable pose"
run ik crane.yaml --pose 0,1.5,0,0,0,0 --weights 1,1,1,0,0,0
field "ik: --weights" '$' 1 1.5707963267948966 1e-9
run ik crane.yaml --pose 0,1.5,0,0,0,1 --direction
field "ik: --direction" '$' 1 1.5707963267948966 1e-9
run ik crane.yaml --position 2,0,0 --tool 0.5,0,0
field "ik --tool" '$' 2 0.5 1e-9
run ik crane.yaml --position 2,0,0 --link slide
field "ik --link" '$' 2 2 1e-9
json "ik as json" '"reached": 1' ik crane.yaml --position 0,1.5,0
says "ik as a table" '^slide +0.5 +- +unlimited +unlimited$' ik crane.yaml --position 0,1.5,0 --format table
run plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.5,-0.9,1.2,0.3,0.9,0.4 --dt 0.1
cp out motion.csv
run pose "$puma" --in motion.csv
cp out poses.csv
run ik "$puma" --in poses.csv --q 0,-0.5,1,0.2,0.7,0
cut -d, -f2-7 motion.csv >expected
[ $status -eq 0 ] && cut -d, -f2-7 out | paste -d, - expected | awk -F, '
  NR > 1 { for (i = 1; i <= 6; ++i) { d = $i - $(i + 6); if (d * d > 1e-18) exit 1 } }'
verdict "ik --in: plan, pose and back"
run ik "$puma" --pose 0.5,0.1,0.3,0,3.1,0 --all
[ $status -eq 0 ] && [ "$(head -n 1 out)" = q1,q2,q3,q4,q5,q6,inside,free_joint,position_error,angle_error ] &&
  [ "$(wc -l <out)" -eq 9 ] && [ "$(cut -d, -f7 out | grep -c '^1$')" -eq 2 ]
verdict "ik --all: eight solutions, two of them within the limits"
sed 1d out | cut -d, -f1-6 | sed '1i q1,q2,q3,q4,q5,q6' >all.csv
run pose "$puma" --in all.csv
[ $status -eq 0 ] && awk -F, 'NR > 1 { a = $1 - 0.5; b = $2 - 0.1; c = $3 - 0.3
  if (a * a + b * b + c * c > 1e-24) exit 1 }' out
verdict "ik --all: pose gives the pose back"
run pose "$puma" --q 0.3,-0.7,0.4,0.6,0,-0.2
sed 1d out | awk -F, '{ printf "%s,%s,%s,%.17g,%.17g,%.17g", $1, $2, $3, atan2($11, $12), atan2(-$10, sqrt($11 * $11 + $12 * $12)), atan2($7, $4) }' >straight
run ik "$puma" --pose "$(cat straight)" --all
[ $status -eq 0 ] && [ "$(cut -d, -f8 out | grep -c '^4$')" -ge 1 ]
verdict "ik --all: the wrist in line is a family"
says "ik --all: a family in words" "singular: 'wrist_roll' .joint 4. may have any value" \
  ik "$puma" --pose "$(cat straight)" --all --format table
run ik "$puma" --pose 2,0,0,0,0,0 --all
[ $status -eq 1 ] && grep -q 'no solution' err
verdict "ik --all: out of reach"
diagnoses "ik --all: an arm without a closed form" 2 'none of these: axes 5 to 7 do not meet in one point: they are 0.088 m off; use ik without --all' ik "$robots/panda.yaml" --pose 0.4,0,0.4,0,0,0 --all
# dh_arm FILE ALPHA:A:D..: an arm by standard DH parameters, alpha in right angles
dh_arm()
{
  file=$1
  shift
  { printf 'linkwork: 1\nname: arm\ndh: standard\njoints:\n'
    printf '%s\n' "$@" | awk -F: '{
      printf "  - {name: j%d, type: revolute, alpha: %g deg, a: %s, d: %s, theta: 0,\n", NR, 90 * $1, $2, $3
      printf "     link: {name: l%d, mass: 1, com: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}\n", NR }'; } >"$file"
}
dh_arm ur.yaml 1:0:0.089159 0:-0.425:0 0:-0.39225:0 1:0:0.10915 -1:0:0.09465 0:0:0.0823
dh_arm seven.yaml -1:0:0.34 1:0:0 1:0:0.4 -1:0:0 -1:0:0.4 1:0:0 0:0:0.126
run ik ur.yaml --pose 0.4,0.1,0.3,0,3.1,0 --all
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 9 ]
verdict "ik --all: eight solutions of an arm with three parallel axes"
cut -d, -f1-6 out >all.csv
run pose ur.yaml --in all.csv
[ $status -eq 0 ] && awk -F, 'NR > 1 { a = $1 - 0.4; b = $2 - 0.1; c = $3 - 0.3
  if (a * a + b * b + c * c > 1e-24) exit 1 }' out
verdict "ik --all: pose gives the pose of a UR arm back"
run ik seven.yaml --pose 0.4,0.1,0.5,0,3.1,0 --all --arm-angle "30 deg"
[ $status -eq 0 ] && [ "$(head -n 1 out)" = q1,q2,q3,q4,q5,q6,q7,inside,free_joint,position_error,angle_error ] &&
  [ "$(wc -l <out)" -eq 9 ]
verdict "ik --all: eight solutions of seven joints at an arm angle"
says "ik --all: the arm angle in words" 'at the arm angle 0.523599 rad' \
  ik seven.yaml --pose 0.4,0.1,0.5,0,3.1,0 --all --arm-angle "30 deg" --format table
refuses "ik: an arm angle of six joints" 2 '--arm-angle: an arm of 6 joints has no arm angle' \
  ik "$puma" --pose 0.4,0.1,0.3,0,3.1,0 --all --arm-angle 1
refuses "ik: an arm angle without --all" 2 '--arm-angle is for --all' \
  ik seven.yaml --pose 0.4,0.1,0.3,0,3.1,0 --arm-angle 1
refuses "ik: an arm angle that is not a number" 2 "--arm-angle: value 1, 'x', is wrong" \
  ik seven.yaml --pose 0.4,0.1,0.3,0,3.1,0 --all --arm-angle x
refuses "ik: nothing asked" 2 '--pose, --position or --in is needed' ik crane.yaml
refuses "ik: asked twice" 2 'one of them' ik crane.yaml --pose 0,0,0,0,0,0 --position 0,0,0
refuses "ik: three values for a pose" 2 '--position leaves the orientation free' ik crane.yaml --pose 0,0,0
refuses "ik: no number" 2 "--pose: value 2, 'a', is wrong, expected a finite number in m" ik crane.yaml --pose 0,a,0
refuses "ik: four values" 2 '--pose: 4 values given' ik crane.yaml --pose 0,0,0,1
refuses "ik: weights" 2 'all are 0' ik crane.yaml --pose 0,0,0,0,0,0 --weights 0,0,0,0,0,0
refuses "ik: --all of a position" 2 '--all and --position exclude each other' ik "$puma" --position 0,0,0 --all
refuses "ik: restarts" 2 "--restarts" ik crane.yaml --position 0,0,0 --restarts x
printf 'x,y\n1,2\n' >poses.csv
refuses "ik --in: a column is missing" 3 "^poses.csv:1:1: error: column 'z' is missing, expected x, y, z" \
  ik crane.yaml --in poses.csv
printf 'x,y,z,r11,r12,r13,r21,r22,r23,r31,r32,r33\n1,0,0,1,0,0,0,1,0,0,0,2\n' >poses.csv
run ik crane.yaml --in poses.csv
[ $status -eq 3 ] && grep -q '^poses.csv:2:1: error: r11..r33 are no rotation' err
verdict "ik --in: no rotation"

refuses "plan: a trapezoid names the option that it needs" 2 'needs a limit of acceleration, --acceleration' plan crane.yaml --from 0,0.5 --to 1,0.6 --profile trapezoid
refuses "plan: an s-curve names the option that it needs" 2 'needs a limit of jerk, --jerk' plan crane.yaml --from 0,0.5 --to 1,0.6 --profile s-curve
run plan crane.yaml --from 0,0.5 --to 1,0.6 --profile trapezoid --acceleration 5 --velocity 0.5 --dt 0.1
cp out velocity.csv
run plan crane.yaml --from 0,0.5 --to 1,0.6 --profile trapezoid --acceleration 5 --speed 0.5 --dt 0.1
[ $status -eq 0 ] && cmp -s out velocity.csv
verdict "plan: --speed is --velocity"
