# Drives: rotor inertia, motors along a motion.

cat >rotor.yaml <<'END'
linkwork: 1
name: wheel
joints:
  - name: axle
    type: revolute
    motor: {resistance: 2, torque_constant: 0.5, gear: 5, rotor_inertia: 0.04}
    link: {mass: 60, com: [0, 0, 0], inertia: [2, 2, 3, 0, 0, 0]}
END
gives "without rotors" 'qdd1\n4\n' forward rotor.yaml --q 0 --tau 12
gives "with rotors: 12 N m / (3 + 5^2 0.04) kg m^2" 'qdd1\n3\n' forward rotor.yaml --q 0 --tau 12 --rotors
gives "with rotors, through the inertia matrix" 'qdd1\n3\n' \
  forward rotor.yaml --q 0 --tau 12 --rotors --method gibbs-appell --precision single
says "the table says so" 'with rotor inertia' forward rotor.yaml --q 0 --rotors --format table
refuses "rotors are for forward only" 2 "'inverse' takes no --rotors" inverse rotor.yaml --q 0 --rotors

# A wheel without friction, computed by hand: rigid 6 0 -3, rotor 2 0 -1 N m at t = 0, 1, 3 s; i = tau/2.5, v = 2 i + 2.5 qd
printf 't,q1,qd1,qdd1\n0,0,0,2\n1,1,2,0\n3,5,2,-1\n' >motion.csv
columns='joint,name,rigid_peak,rigid_rms,rotor_peak,rotor_rms,friction_peak,friction_rms,torque_peak,torque_rms'
columns="$columns,speed_peak,power_peak,power_mean,work,braking,drawn,regenerated,current_peak,current_rms"
columns="$columns,voltage_peak,position_headroom,effort_headroom,velocity_headroom,voltage_headroom"
columns="$columns,current_headroom,tightest,tightest_headroom,tightest_time,ok"
header "drives: columns" "$columns" drives rotor.yaml --motion motion.csv

# numbers NAME VALUES: the second line of the output has these numbers, up to rounding
numbers()
{
  sed -n 2p out | awk -F, -v expected="$2" '
    { n = split(expected, e, ",")
      if (n != NF) exit 1
      for (k = 1; k <= n; ++k)
        if (e[k] ~ /^[-0-9]/ ? ($k - e[k]) ^ 2 > 1e-24 * (1 + e[k] ^ 2) : $k != e[k]) exit 1 }' &&
    [ $status -eq 0 ] && [ ! -s err ]
  verdict "$1"
}
run drives rotor.yaml --motion motion.csv
numbers "drives: a wheel by hand" \
  '1,axle,6,3,2,1,0,0,8,4,2,-8,-2.6666666666666665,0,8,10.24,2.88,3.2,1.6,6.4,,,,,,,,,yes'

cat >limited.yaml <<'END'
linkwork: 1
name: wheel
joints:
  - name: axle
    type: revolute
    limits: {lower: -5, upper: 5, effort: 10, velocity: 2}
    motor: {resistance: 2, torque_constant: 0.5, gear: 5, rotor_inertia: 0.04, voltage: 8, current: 5}
    link: {mass: 60, com: [0, 0, 0], inertia: [2, 2, 3, 0, 0, 0]}
END
run drives limited.yaml --motion motion.csv
numbers "drives: limits that are just kept" \
  '1,axle,6,3,2,1,0,0,8,4,2,-8,-2.6666666666666665,0,8,10.24,2.88,3.2,1.6,6.4,0,0.2,0,0.2,0.36,velocity,0,1,yes'
json "drives: json" '"headroom": \{"position": 0, "effort": 0.19.*"ok": true' drives limited.yaml --motion motion.csv
says "drives: table" 'axle +6 +3 +2 +1 +0 +0 +8 +4$' drives limited.yaml --motion motion.csv --format table

sed 's/voltage: 8/voltage: 6/; s/velocity: 2/velocity: 1.9/' limited.yaml >weak.yaml
run drives weak.yaml --motion motion.csv --out sizes.csv
[ $status -eq 1 ] && [ "$(wc -l <err)" -eq 2 ] && [ "$(wc -l <sizes.csv)" -eq 2 ] && grep -q ',no$' sizes.csv &&
  grep -q "joint 'axle': voltage 6.4 V at t = 0 s is beyond its limit, 6 V" err &&
  grep -q "joint 'axle': velocity 2 rad/s at t = 1 s is beyond its limit, 1.9 rad/s" err
verdict "drives: exit 1 beyond a limit"

# a schedule can read the torques and voltages of the series
gives "drives: series" '' drives rotor.yaml --motion motion.csv --series series.csv --out sizes.csv
awk -F, 'NR == 1 { exit $0 != "t,tau1,v1,i1,power1" } NR == 4 { exit !($1 == 3 && $2 == -4 && ($3 - 1.8)^2 < 1e-24) }' \
  series.csv && [ "$(wc -l <series.csv)" -eq 4 ]
verdict "drives: columns of the series"

# by name, in another order, with a wrench, from a pipe; a joint without a motor
printf 'qdd.axle,fx,fy,fz,nx,ny,nz,qd.axle,t,q.axle\n2,0,0,0,0,0,6,0,0,0\n' |
  "$linkwork" drives rotor.yaml --motion - >out 2>err
status=$?
numbers "drives: names, a wrench, one sample" '1,axle,0,0,2,2,0,0,2,2,0,0,0,0,0,0,0,0.8,0.8,1.6,,,,,,,,,yes'
run drives pendulum.yaml --motion motion.csv
[ $status -eq 0 ] && sed -n 2p out | grep -q ',,,,,'
verdict "drives: without a motor"
says "drives: reports a missing motor" '1 of 1 joints has no motor' drives pendulum.yaml --motion motion.csv --format table

# wrong_motion NAME PATTERN TEXT: exit 3, a message, no files
wrong_motion()
{
  printf '%b' "$3" >wrong.csv
  rm -f never.csv series.csv
  refuses "$1" 3 "$2" drives rotor.yaml --motion wrong.csv --out never.csv --series series.csv
  [ ! -e never.csv ] && [ ! -e series.csv ]
  verdict "$1: nothing is written"
}
wrong_motion "drives: time stands still" '^wrong.csv:3:1: error: t = 1 is not above that of the line before, 1' \
  't,q1,qd1,qdd1\n1,0,0,0\n1,0,0,0\n'
wrong_motion "drives: time goes back" '^wrong.csv:3:7: error: t = -1 is not' 'q1,qd1,t,qdd1\n0,0,0,0\n0, 0, -1,0\n'
wrong_motion "drives: no time" "^wrong.csv:1:1: error: column 't' is missing" 'q1,qd1,qdd1\n0,0,0\n'
wrong_motion "drives: no speed" "^wrong.csv:1:1: error: column 'qd1' is missing" 't,q1,qdd1\n0,0,0\n'
wrong_motion "drives: no samples" '^linkwork: error: wrong.csv: no samples' 't,q1,qd1,qdd1\n'
wrong_motion "drives: no number" "^wrong.csv:2:5: error: 'x' is not a finite number" 't,q1,qd1,qdd1\n0,0,x,0\n'
printf 't,q1,qd1,qdd1\n0,0,0,1e308\n' >wrong.csv
refuses "drives: too large" 4 'the torque of joint .axle. at t = 0 s is not finite' drives rotor.yaml --motion wrong.csv
refuses "drives: no motion" 2 '--in is missing' drives rotor.yaml
refuses "drives: two from a pipe" 2 'cannot both be standard input' drives - --motion -
refuses "drives: two to a pipe" 2 'cannot both go to standard output' drives rotor.yaml --motion motion.csv --series -

# --keep: the columns of the motion before those of the series, row by row
run plan "$robots/puma560.yaml" --from 0,0,0,0,0,0 --to 1,0,0,0,0,0 --out motion.csv
run drives "$robots/puma560.yaml" --in motion.csv --series plain.csv
run drives "$robots/puma560.yaml" --in motion.csv --series kept.csv --keep
[ $status -eq 0 ] && cut -d, -f19- kept.csv | cmp -s - plain.csv && cut -d, -f1-18 kept.csv >got &&
  cut -d, -f2-19 motion.csv | cmp -s - got
verdict "drives --series --keep"
refuses "drives --keep without --series" 2 '--keep is for --series' drives "$robots/puma560.yaml" --in motion.csv --keep

# --- hydraulic cylinders
hydraulic=$robots/hydraulic5.yaml
header "cylinders: columns" \
  'cylinder,joint,arm,length,stroke,speed,force,torque,pressure_bore,pressure_rod,flow,stiffness,joint_stiffness,buckling_force' \
  cylinders "$hydraulic" --q boom=0.9,arm=-1.4 --qd boom=0.1
run gravity "$hydraulic" --q 0,0.9,-1.4,0,0
boom=$(tail -n 1 out | cut -d, -f2)
arm=$(tail -n 1 out | cut -d, -f3)
run cylinders "$hydraulic" --q boom=0.9,arm=-1.4
[ $status -eq 0 ] && awk -F, -v boom="$boom" -v arm="$arm" 'function far(a, b) { return (a - b) ^ 2 > 1e-18 * b * b }
  NR == 2 { if ($1 != "boom lift" || $2 != "boom" || far($8, boom) || far($3 * $7, $8)) exit 1 }
  NR == 3 { if ($1 != "arm lift" || $2 != "arm" || far($8, arm) || $7 >= 0) exit 1 } END { if (NR != 3) exit 1 }' out
verdict "cylinders: they hold the weight"
run cylinders "$hydraulic" --q boom=2
[ $status -eq 1 ] && grep -q "cylinder 'boom lift': stroke is beyond its limit" err
verdict "cylinders: beyond the stroke"
refuses "cylinders of a robot without" 2 'the robot has no cylinders' cylinders "$robots/puma560.yaml"
refuses "cylinders of standard input" 2 'must be a file' cylinders -
run plan "$hydraulic" --from 0,0.2,-0.5,0,0 --to 0.5,0.8,-1,0.2,0.3 --duration 3 --out lift.csv
run drives "$hydraulic" --in lift.csv --cylinders
[ $status -eq 0 ] && awk -F, 'NR == 2 { if (!($2 > 1e4 && $4 > 1e6 && $6 > 1e-4 && $8 > 0.1 && $9 < 0.385 && $10 > 10)) exit 1 }
  END { if (NR != 3) exit 1 }' out
verdict "drives --cylinders"
says "drives: the table ends with the cylinders" '^boom lift ' drives "$hydraulic" --in lift.csv --format table
refuses "drives --cylinders of a robot without" 2 'the robot has no cylinders' drives rotor.yaml --in motion.csv --cylinders
sed 's/rod: 0.06$/rod: 0.2/' "$hydraulic" >thick.yaml
diagnoses "a rod as thick as its piston" 3 "^thick.yaml:[0-9]+:5: error: cylinder 'boom lift': rod must be thinner than the bore" gravity thick.yaml
sed 's/{link: boom, at: .0.244/{link: bom, at: [0.244/' "$hydraulic" >nowhere.yaml
diagnoses "a pin on no link" 3 "^nowhere.yaml:[0-9]+:9: error: there is no link 'bom' in this robot" cylinders nowhere.yaml

# A joint that stands, but for rounding of its speed: no friction, whatever its sign; one joint, and one of several
cat >rub.yaml <<'YAML'
linkwork: 1
name: rubs
joints:
  - name: lift
    type: revolute
    friction: {coulomb: 3, viscous: 0.5}
    motor: {resistance: 2, torque_constant: 0.5, gear: 5, rotor_inertia: 0.04, inductance: 0.1, efficiency: 0.9, voltage: 30, current: 20}
    limits: {effort: 60, velocity: 3}
    link: {mass: 6, com: [0.2, 0, 0.1], inertia: [0.2, 0.2, 0.3, 0, 0, 0]}
  - name: bend
    parent: lift
    type: revolute
    axis: [0, 1, 0]
    friction: {coulomb: 1.5, viscous: 0.2}
    motor: {resistance: 1, torque_constant: 0.2, gear: -8, rotor_inertia: 0.001, inductance: 0.05}
    link: {mass: 2, com: [0.3, 0, 0], inertia: [0.02, 0.02, 0.03, 0, 0, 0]}
YAML
# stand NAME ROW..: the same answers to rounding whether speeds in place of S are 0, 1e-16 or -1e-16
stand()
{
  name=$1
  shift
  for s in 0 1e-16 -1e-16
  do
    { printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n'; printf '%s\n' "$@" | sed "s/S/$s/g"; } >stand.csv
    "$linkwork" drives rub.yaml --in stand.csv --series series$s.csv --out table$s.csv --quiet
  done
  differ=0
  for file in series1e-16 series-1e-16 table1e-16 table-1e-16
  do
    paste -d, ${file%%[1-]*}0.csv $file.csv | awk -F, 'NR > 1 { for (k = 1; k <= NF / 2; ++k)
      if ($k ~ /^[-0-9.]/ && ($k - $(k + NF / 2)) ^ 2 > 1e-24 * (1 + $k ^ 2)) exit 1; ++rows } END { if (rows < 1) exit 1 }' || differ=1
  done
  [ $differ -eq 0 ]
  verdict "$name"
}
stand "drives: all joints stand" 0,0,0,S,S,0,0 0.5,0,0,S,S,0,0 2,0,0,S,S,0,0
stand "drives: one joint stands" 0,0.1,0.2,S,0.5,0,1 0.5,0.1,0.4,S,1,0,-1 2,0.1,-1,S,-1,0,2
stand "drives: a single sample" 0,1,1,S,S,2,-1 0.1,1,1,S,S,1,1

# A study's inverse run has the loads of drives in every sample of the same motion, at both ends too
if "$linkwork" study nothing.yaml 2>&1 | grep -q 'no SQLite'
then
  echo "skipped: built without SQLite"
else
  printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0.3,1e-16,0.4,2,-3\n0.1,0.02,0.33,0.3,0.1,3,-2\n0.3,0.1,0.3,0.6,-0.4,0,1\n0.35,0.1,0.3,-0.5,1e-16,-4,5\n0.6,0,0.31,-0.2,0.7,2,0\n' >motion.csv
  "$linkwork" drives rub.yaml --in motion.csv --series series.csv --out table.csv --quiet
  {
    printf 'linkwork: 1\nstudy: the same loads\nsampling: {samples: 1}\nrun:\n  inverse: {robot: rub.yaml, trajectory: motion.csv}\n'
    printf 'vary:\n  nothing: {scale: gravity, uniform: [1, 1.0000000000000002]}\nmeasure:\n'
    for k in 1 2 3 4 5
    do
      for i in 1 2
      do
        for name in torque voltage current power; do printf '  %s%d_%d: {row: %s%d, at: %d}\n' $name $i $k $name $i $k; done
      done
    done
    for i in 1 2
    do
      for name in friction rotor; do printf '  %s%d_peak: {peak: %s%d}\n' $name $i $name $i; done
      printf '  room%d: {min: headroom%d}\n' $i $i
    done
  } >same.study
  run study same.study --out same.db --quiet
  "$linkwork" study report same.db --table samples --format csv --quiet >measures.csv
  awk -F, '
    FILENAME == "measures.csv" && FNR == 1 { for (c = 1; c <= NF; ++c) at[$c] = c; next }
    FILENAME == "measures.csv" { for (name in at) m[name] = $at[name]; next }
    function close_to(a, b) { ++compared; if (!(a != "" && (a - b) ^ 2 <= 1e-22 * (1 + b ^ 2))) { print FILENAME, FNR, a, b; bad = 1 } }
    FNR == 1 { split("", column); for (c = 1; c <= NF; ++c) column[$c] = c; next }
    FILENAME == "series.csv" { for (i = 1; i <= 2; ++i) {
      close_to(m["torque" i "_" FNR - 1], $column["tau" i]); close_to(m["voltage" i "_" FNR - 1], $column["v" i])
      close_to(m["current" i "_" FNR - 1], $column["i" i]); close_to(m["power" i "_" FNR - 1], $column["power" i]) } }
    function size(x) { return x < 0 ? -x : x }
    FILENAME == "table.csv" { close_to(m["friction" FNR - 1 "_peak"], size($column["friction_peak"]))
      close_to(m["rotor" FNR - 1 "_peak"], size($column["rotor_peak"]))
      least = 1; for (k in column) if (k ~ /^(effort|velocity|voltage|current)_headroom$/ && $column[k] != "" && $column[k] < least) least = $column[k]
      close_to(m["room" FNR - 1], least) }
    END { exit bad || compared != 46 }' measures.csv series.csv table.csv
  verdict "drives: a study has the same loads"
fi
