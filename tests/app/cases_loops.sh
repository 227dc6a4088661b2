# Loops: closing them, dynamics with loops, commands that use the tree only, and refusals.
# shellcheck shell=sh disable=SC2154
bar=$robots/four_bar.yaml

says "both branches of a four-bar" '^1,-2.75' close "$bar" --q crank=1 --all
[ "$(wc -l <out)" -eq 3 ]
verdict "a four-bar has two branches"
says "velocities and accelerations follow" '^q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3,gap,angle_gap,closed' close "$bar" --q 1 --qd 2 --qdd 0.5
cp out closed.csv
says "forces in the cut" '^tau.crank,f.pin.x,f.pin.y,f.pin.z,n.pin.x,n.pin.y' inverse "$bar" --in closed.csv
says "accelerations with loops" '^qdd.crank,qdd.coupler,qdd.rocker,f.pin.x' forward "$bar" --in closed.csv
says "closed again" ',1$' close "$bar" --in closed.csv --keep
says "mobility" '^mobility: 1' info "$bar"
says "redundant rows by name" '3 of them redundant: pin: z, about x, about y' info "$bar"
says "mobility in json" '"mobility": 6' info "$robots/stewart.yaml" --format json
says "a plan of the driven joints" '^1,1,-0.29584' plan "$bar" --from crank=0.5 --to crank=1 --duration 1 --dt 0.5 --format csv
run close "$robots/excavator.yaml" --q 9,0.8
[ $status -eq 1 ] && grep -q 'of 1 states cannot be closed' err && grep -q ',0$' out
verdict "no position closes the loop: prints the closest, exit 1"
refuses "an open state" 2 "the loops are not closed: a gap of" forward "$bar" --q 1,0,0
refuses "a velocity that opens" 2 "the velocities open loop 'pin'" forward "$bar" --q 1.5707963267948966,-0.9272952180016123,1.5707963267948966 --qd 1,0,0
refuses "a linear model where loops are open" 2 "^linkwork: error: linearise: the loops are not closed in state 1; 'linkwork close' finds the passive joints$" linearise "$bar" --q 1,0,0
[ "$(wc -l <err)" -eq 1 ]
verdict "one line says so"
says "inverse kinematics with loops" '^q1,q2,q3,position_error' ik "$bar" --link coupler --position 0.108060461173628,0.168294196961579,0
run close "$bar" --in out
awk -F, 'NR > 1 { if (!(($1 - 1)^2 < 1e-18 && $4 < 1e-12)) exit 1 }' out
verdict "it is closed, with the crank at 1 rad"
refuses "all solutions with loops" 2 'it has closed loops' ik "$bar" --pose 1,0,0,0,0,0 --all
run ik "$robots/delta.yaml" --position 0.05,0.08,-0.45 --out reached.csv
says "a delta robot reaches a position" '^0.05(00000|,)|^0.0499999' pose "$robots/delta.yaml" --in reached.csv
says "from driven joints alone" ',1$' ik "$robots/stewart.yaml" --q 0,0,0,0,0,0.1 --pose 0.3,-0.1,0.72,0,0.1,0
run plan "$robots/delta.yaml" --from 0.3,0.3,0.3 --position 0.05,0.08,-0.45 --profile line --duration 1 --dt 0.1 --out line.csv
run close "$robots/delta.yaml" --in line.csv
[ "$(wc -l <out)" -eq 12 ] && awk -F, 'NR > 1 && !($(NF - 2) < 1e-12 && $NF == 1) { exit 1 }' out
verdict "a line keeps loops closed"
says "torques along the line" '^t,tau.arm1,tau.arm2,tau.arm3,f.end1a.x' inverse "$robots/delta.yaml" --in line.csv
says "a plan of the driven joints alone" '^0.5,[0-9.e-]*,-0.0294' plan "$robots/stewart.yaml" --from 0,0,0,0,0,0 --to 0.1,0.1,0.1,0.1,0.1,0.1 --duration 1 --dt 0.5 --format csv --names --quiet
refuses "a robot without loops" 2 'has no loops to close' close "$robots/puma560.yaml"
refuses "an open pose" 2 "the loops are not closed: a gap of" pose "$bar" --q 1,0,0
refuses "an energy of a motion that opens" 2 "the velocities open loop 'pin'" energy "$bar" --q 1.5707963267948966,-0.9272952180016123,1.5707963267948966 --qd 1,0,0
printf 'q1,q2,q3\n1.5707963267948966,-0.9272952180016123,1.5707963267948966\n1,0,0\n' >open.csv
run pose "$bar" --in open.csv
[ $status -eq 3 ] && grep -q "^linkwork: error: open.csv:3: the loops are not closed" err
verdict "an open pose in a file"
says "a closed pose" '^x,y,z' pose "$bar" --in closed.csv
run draw "$bar" --in open.csv --out torn.svg
[ $status -eq 3 ] && [ ! -e torn.svg ] && grep -q "^linkwork: error: open.csv: row 2: the loops are not closed" err
verdict "no drawing of a mechanism that is torn apart"
run draw "$bar" --in closed.csv --out whole.svg
[ $status -eq 0 ] && grep -q '</svg>' whole.svg
verdict "a drawing of a closed one"
printf 't,q1,q2,q3\n0,1.5707963267948966,-0.9272952180016123,1.5707963267948966\n1,1,0,0\n' >torn.csv
diagnoses "a motion that opens a loop" 3 '^torn.csv:3:1: error: the loops are not closed: a gap of' simulate "$bar" --in torn.csv
sed -e "s|^robot: .*|robot: $bar|" -e '/^drives:/,$d' "$robots/../scenarios/four_bar_fall.yaml" >torn.yaml
printf 'controller: {kind: computed-torque, kp: 100, kd: 20, reference: {file: torn.csv}}\n' >>torn.yaml
diagnoses "a reference that opens a loop" 3 'torn.csv:3:1: error: the loops are not closed: a gap of' simulate torn.yaml

printf 't,q1,q2,q3,qd1,qd2,qd3,qdd1,qdd2,qdd3\n0,1,0,0,0,0,0,0,0,0\n1,1,0,0,0,0,0,0,0,0\n' >still.csv
# Questions are about the driven joints, and states may give these alone.
while read -r command columns
do
  says "$command with loops" "^$columns" "$command" "$bar" --q crank=1 --format csv
  says "$command --open-tree" ',' "$command" "$bar" --q 1,0,0 --open-tree --format csv
done <<'END'
inertia M.crank.crank$
bias b.crank$
gravity g.crank$
coriolis c.crank$
jacobian J.vx.crank,J.vy.crank,J.vz.crank,J.wx.crank
reactions rfx.crank,rfy.crank
gibbs gibbs,H.crank.crank$
inertia-inverse W.crank.crank$
centroidal cx,cy,cz
jacobian-rate vx,vy,vz
regressor Y.crank.crank.m,
velocities vx.crank
accelerations ax.crank
inverse-derivatives dtau.crank_dq.crank,dtau.crank_dqd.crank$
forward-derivatives dqdd.crank_dq.crank,dqdd.crank_dqd.crank,dqdd.crank_dtau.crank$
coriolis-matrix C.crank.crank$
END
run gravity "$bar" --q crank=1 --format csv
cp out alone.csv
run gravity "$bar" --in closed.csv --format csv
cmp -s out alone.csv
verdict "driven joints alone give the closed state"
printf 'q.crank,qd.crank\n1,2\n' >driven.csv
run bias "$bar" --in driven.csv
cp out steady.csv
run inverse "$bar" --in driven.csv
cut -d, -f1 out | sed 's/tau/b/' | cmp -s - steady.csv
verdict "accelerations that are not given are those at constant speeds"
printf 'q.crank,q.coupler\n1,2\n' >half.csv
diagnoses "half of the passive joints" 3 "^half.csv:1:1: error: column 'q.rocker' is missing" gravity "$bar" --in half.csv
printf 'q.boom_rod,q.stick_rod\n9,0.8\n' >far.csv
run gravity "$robots/excavator.yaml" --in far.csv -q
[ $status -eq 3 ] && grep -q '^linkwork: error: far.csv:2: no motion of the passive joints closes the loops' err
verdict "driven joints that no position closes"
printf 't,q.crank,qd.crank,qdd.crank\n0,1,1,0\n0.1,1.1,1,0\n' >turning.csv
says "drives of a four-bar" '^1,crank,1.10803242' drives "$bar" --in turning.csv --format csv
grep -q '^2,coupler,0,0,0,0,0,0,0,0,' out
verdict "a passive joint has no drive"
says "loads of a four-bar" '^crank,rnz,1.10803242' loads "$bar" --in turning.csv --format csv
run forward-derivatives "$bar" --q crank=1 --qd crank=1 --tau crank=1.0357836560922253 --format csv
sed -n 's/,/ /g; 2p' out >slopes
says "a linear model of a four-bar" '^0,1,' linearise "$bar" --q crank=1 --qd crank=1 --format csv
awk -F, 'NR == 2 { print $3, $4, $6 }' out | paste -d ' ' slopes - |
  awk '{ for (k = 1; k <= 3; ++k) if (($k - $(k + 3))^2 > 1e-18 * $k^2) exit 1 }'
verdict "it has the derivatives of forward dynamics"
# A cylinder that pushes the rocker, which is passive: its moment arm is dL/d(crank), and the stiffness d(torque)/d(crank).
{
  cat "$bar"
  printf 'cylinders:\n  - {name: lift, from: {link: base, at: [0.9, -0.2, 0]}, to: {link: rocker, at: [0.3, 0.05, 0]},\n'
  printf '     bore: 0.05, rod: 0.03, stroke: 0.5, closed_length: 0.3, pressure: 25.0e+6}\n'
} >lifted.yaml
printf 't,q.crank,qd.crank,qdd.crank\n0,0.9999,0,0\n1,1,0,0\n2,1.0001,0,0\n' >near.csv
run cylinders lifted.yaml --in near.csv --format csv
grep -q '^t,lift.length,lift.speed,lift.force,lift.pressure_bore,lift.pressure_rod,lift.flow$' out
verdict "cylinders along a motion"
cp out near
run cylinders lifted.yaml --q crank=1 --format csv
awk -F, 'FNR == NR { L[FNR] = $2; next } FNR == 2 { arm = (L[4] - L[2]) / 2e-4; bend = (L[4] - 2 * L[3] + L[2]) / 1e-8
  K = $12 * arm^2 - $7 * bend; good = ($3 - arm)^2 < 1e-14 && ($13 / K - 1)^2 < 1e-12 }
  END { exit !good }' near out
verdict "moment arm and stiffness of a cylinder on a joint that follows"
says "torque of the crank" '^0.9636' inverse lifted.yaml --q crank=1 --format csv
says "drives with such a cylinder" '^lift,24.2491341' drives lifted.yaml --in near.csv --cylinders --format csv
run linearise lifted.yaml --q crank=1 --drives --format csv
awk -F, 'NR == 2 { good = ($3 / -615927.598952 - 1)^2 < 1e-18 } END { exit !good }' out
verdict "a linear model with a closed cylinder in a loop"
diagnoses "loads of a motion that opens a loop" 3 'still.csv:2: the loops are not closed' loads "$bar" --in still.csv

# Torques are linear in masses: sensitivities are differences between two robots, those of accelerations nearly.
sed 's/mass: 3.14$/mass: 4.14/' "$bar" >heavy.yaml
sed 's/mass: 3.14$/mass: 3.14001/' "$bar" >heavier.yaml
for question in inverse bias gravity coriolis forward
do
  other=heavy.yaml state='--q crank=1 --qd crank=2' bound=1e-12 step=1
  [ $question = gravity ] && state='--q crank=1'
  [ $question = inverse ] && state="$state --qdd crank=3"
  [ $question = forward ] && state="$state --tau crank=1" other=heavier.yaml bound=1e-4 step=1e-5
  # shellcheck disable=SC2086
  {
    "$linkwork" $question "$bar" $state --format csv
    "$linkwork" $question $other $state --format csv
    "$linkwork" sensitivity "$bar" $state --question $question --with mass --format csv | grep '^mass,coupler'
  } >out 2>err
  awk -F, -v step=$step -v bound=$bound 'NR == 2 { a = $1 } NR == 4 { b = $1 } NR == 5 { s = $6
    good = (s - (b - a) / step)^2 <= (bound * (1 + s * s))^2 } END { exit !good }' out
  verdict "sensitivity of $question to a mass in a loop"
done
refuses "sensitivity to a length in a loop" 2 'lengths and angles move the joints that follow' sensitivity "$bar" --q crank=1 --with length
refuses "sensitivity of an open state" 2 'the loops are not closed' sensitivity "$bar" --q 1,0,0
# Generated code: compiled, and compared with the library in closed states.
for robot in four_bar excavator delta mobile_arm
do
  run generate "$robots/$robot.yaml" --question inverse,forward,inertia,jacobian-rate,control,coriolis --test --out "$robot.c"
  ${CC:-cc} -o "$robot" "$robot.c" "${robot}_test.c" -lm && "./$robot" >out
  [ $? -eq 0 ] && [ "$(grep -c ': ok$' out)" -eq 6 ]
  verdict "generated code of $robot"
done
grep -q 'results are about the speeds of' four_bar.c
verdict "it says whose speeds"
refuses "code for derivatives with loops" 2 "no code is generated for 'forward-derivatives' with closed loops" \
  generate "$bar" --question forward-derivatives
refuses "equations with loops" 2 "'latex' treats every joint as free" generate "$bar" --language latex
refuses "bench of another question of a robot with loops" 2 'formulations of closed loops are of forward dynamics' \
  bench "$bar" --quick --question inverse
# What treats every joint as free refuses each robot with loops, and --open-tree insists.
for command in 'accuracy --states 2'
do
  # shellcheck disable=SC2086
  set -- $command
  first=$1
  shift
  refuses "$first of a robot with loops" 2 "'$first' treats every joint as free" "$first" "$bar" "$@" -q
done
for command in 'drives --in still.csv' 'loads --in still.csv' 'sensitivity --q 1,0,0' 'linearise --q 1,0,0' 'check --states 2' 'prove' 'accuracy --states 2' \
  'parameters' 'count' 'generate --question gravity'
do
  # shellcheck disable=SC2086
  set -- $command
  first=$1
  shift
  run "$first" "$bar" "$@" --open-tree
  [ $status -eq 0 ] && [ -s out ]
  verdict "$first --open-tree"
done
run inverse "$bar" --q 1,0,0 --open-tree
cp out tree.csv
sed '/^loops:/,$d' "$bar" >tree.yaml
run inverse tree.yaml --q 1,0,0
cmp -s out tree.csv
verdict "--open-tree is the robot without its loops"
for robot in four_bar delta excavator palletizer stewart
do
  for precision in double single
  do
    says "check $robot with its loops, $precision" '^ok: all [0-9]+ checks are within their bounds$' \
      check "$robots/$robot.yaml" --states 20 --precision $precision --format table
  done
done
run check "$bar"
for row in 'loops closed,close' 'd row/dt,close' 'J qd = 0,close' 'openings seen,close' 'projection,close' 'tangent,close' \
  'work of torques,inverse,kane' 'forces in the cuts,inverse,newton-euler' 'equation of motion,forward,composite-body' \
  'forward after inverse,forward,gibbs-appell' 'kinetic energy,energy' 'rotation,pose' \
  'N^T g,gravity' 'N^T M N,inertia,composite-body' 'J N,jacobian' 'along axes,reactions' 'dqdd = -W dtau,forward-derivatives'
do
  grep -q "^$row," out
  verdict "check has '$row'"
done
! grep -q '^left out' err
verdict "check leaves no question out"
says "a state of the check is closed" '^  linkwork forward ' check "$bar" --state 2 --format table
"$linkwork" $(sed -n 's|^  linkwork \(inverse.*\)|\1|p' out | head -n 1) >got 2>err
[ $? -eq 0 ] && grep -q '^tau.crank,f.pin.x' got
verdict "its line can be used"
refuses "check --in of a robot with loops" 2 'compares torques of robots without closed loops; --open-tree leaves them out' check "$bar" --in closed.csv
run draw "$bar" --q crank=1 --show forces --out forces.svg
[ $status -eq 0 ] && run draw "$bar" --q crank=1 --show forces --open-tree --out tree.svg && ! cmp -s forces.svg tree.svg
verdict "forces of a robot with loops"
refuses "forces that nothing balances" 2 'driven joints' draw "$here/../data/rolling/disc.yaml" --q 0,0,0,0.2,0 --show forces --out forces.svg
[ "$("$linkwork" close "$robots/stewart.yaml" --all | wc -l)" -gt 65 ]
verdict "close --all does not stop at 64"
sed 's/xyz: \[0.4, 0, 0\]/xyz: [2.4, 0, 0]/' "$bar" >far.yaml
diagnoses "a robot that cannot be closed" 3 "^far.yaml:[0-9]*:5: error: loop 'pin': it cannot be closed at the file's configuration: a gap of 1.4" info far.yaml
says "a run with loops" '^0.5,' simulate "$robots/../scenarios/four_bar_fall.yaml" --duration 0.5 --format csv --quiet
says "a plan that is followed" '^1,' plan "$bar" --from crank=0.5 --to crank=1 --duration 1 --dt 0.5 --simulate --format csv --quiet

run plan "$robots/four_bar.yaml" --from 1,0.5,0.5 --to 1.5 --duration 1 --dt 0.5 -q
[ $status -eq 0 ] && grep -q "warning: --from: joint 'coupler' is not driven and closes the loops at -0.295843 rad, not at 0.5" err
verdict "plan: joints that follow are not where they were said to be"
run plan "$robots/four_bar.yaml" --from 1 --to 1.5 --duration 1 --dt 0.5
[ $status -eq 0 ] && ! grep -q "not driven" err
verdict "plan: the driven joints alone"
