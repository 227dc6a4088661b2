# Convenient input: units after numbers, short forms, gravity and mounting, --quiet.

# same NAME ARGUMENTS -- ARGUMENTS: both exit 0 and print the same
same()
{
  name=$1
  shift
  first=
  while [ "$1" != -- ]
  do
    first="$first '$1'"
    shift
  done
  shift
  eval "\"\$linkwork\" $first" >expected 2>err
  first=$?
  run "$@"
  [ $first -eq 0 ] && [ $status -eq 0 ] && [ -s out ] && cmp -s out expected
  verdict "$name"
}

quarter=1.5707963267948966
same "units: degrees in a list" inverse crane.yaml --q "$quarter,0.02" -- inverse crane.yaml --q '90 deg, 20 mm'
same "units: without a space" inverse crane.yaml --q "$quarter,0.02" -- inverse crane.yaml --q '90deg,2cm'
same "units: SI ones may be written" inverse crane.yaml --q "1,2" -- inverse crane.yaml --q '1 rad,2 m'
same "units: by name" inverse crane.yaml --q "$quarter,0.02" -- inverse crane.yaml --q 'slide=20 mm,column=90 deg'
same "units: velocities" inverse crane.yaml --q 0,0 --qd "$quarter,0.02" -- inverse crane.yaml --q 0,0 --qd '90 deg/s,20 mm/s'
same "units: revolutions per minute" inverse crane.yaml --q 0,0 --qd "3.1415926535897931,0" -- inverse crane.yaml --q 0,0 --qd '30 rpm,0'
same "units: accelerations" inverse crane.yaml --q 0,0 --qdd "$quarter,1" -- inverse crane.yaml --q 0,0 --qdd '90 deg/s^2,1 m/s^2'
same "units: torques and forces" forward crane.yaml --q 0,0 --tau 2,3000 -- forward crane.yaml --q 0,0 --tau '2 N m,3 kN'
same "units: torques written as Nm" forward crane.yaml --q 0,0 --tau 2,3 -- forward crane.yaml --q 0,0 --tau '2Nm,3N'
same "units: wrench" inverse crane.yaml --q 0,0 --wrench 1000,0,0,0,0,2 -- inverse crane.yaml --q 0,0 --wrench '1 kN,0,0,0,0,2 N m'
same "units: tool" pose crane.yaml --q 0,0 --tool "0.1,0,0,0,0,$quarter" -- pose crane.yaml --q 0,0 --tool '100 mm,0,0,0,0,90 deg'
same "units: a plan" plan crane.yaml --from 0,0 --to "$quarter,0.5" --duration 2 -- \
  plan crane.yaml --from 0,0 --to '90 deg,50 cm' --duration '2000 ms'
same "units: a limit for each joint" plan crane.yaml --from 0,0 --to 1,1 --profile trapezoid --acceleration "$quarter,2" -- \
  plan crane.yaml --from 0,0 --to 1,1 --profile trapezoid --acceleration '90 deg/s^2,2 m/s^2'
same "units: a snake" snake state "$robots/snakes/table2_n3.yaml" --theta "0,$quarter,0" -- \
  snake state "$robots/snakes/table2_n3.yaml" --theta '0,90 deg,0'
refuses "units: an angle for a prismatic joint" 2 "--q: value 2, '20 deg', is wrong, expected a finite number in m, or like 120 mm" \
  inverse crane.yaml --q '0,20 deg'
refuses "units: unknown" 2 "--q: value 1, '1 grad', is wrong, expected a finite number in rad, or like 90 deg" \
  inverse crane.yaml --q '1 grad,0'
refuses "units: of a position for a velocity" 2 "--qd: value 1, '1 deg', is wrong, expected a finite number in rad/s" \
  inverse crane.yaml --q 0,0 --qd '1 deg,0'
refuses "units: where there are none" 2 "--weights: value 1, '1 m', is wrong, expected a finite number$" \
  ik crane.yaml --pose 0,0,0,0,0,0 --weights '1 m,1,1,1,1,1'
refuses "units: one limit for joints of two kinds" 2 "--acceleration: value 1, '1 m/s\^2', is wrong" \
  plan crane.yaml --from 0,0 --to 1,1 --profile trapezoid --acceleration '1 m/s^2'

printf 'q1,q2\n0,1\n' >two.csv
same "short forms" inverse crane.yaml --in two.csv --format json --method newton-euler --out - -- \
  inverse crane.yaml -i two.csv -f json -m newton-euler -o -
same "short form with =" inverse crane.yaml --q 0,0 --format json -- inverse crane.yaml --q 0,0 -f=json
refuses "short form: unknown" 2 "unknown option '-z' of 'inverse'; see 'linkwork help inverse'" inverse crane.yaml -z
refuses "short form: given twice" 2 '--format is given twice' inverse crane.yaml -f csv --format csv
refuses "short form: no value" 2 '--out needs a value' inverse crane.yaml --q 0,0 -o
refuses "short form: not of this command" 2 "'methods' takes no --in" methods -i two.csv

# gravity of the pendulum: m g l cos q at q = 0
gives "gravity: as given" 'g1\n-1\n' gravity pendulum.yaml --q 0 --gravity 0,0,-1
gives "gravity: none" 'g1\n0\n' gravity pendulum.yaml --q 0 --gravity 0,0,0
same "gravity: unit" gravity pendulum.yaml --q 0 -- gravity pendulum.yaml --q 0 --gravity '0,0,-9.81 m/s^2'
same "gravity: a ceiling" gravity crane.yaml --q 0.3,0.1 --gravity 0,0,9.81 -- gravity crane.yaml --q 0.3,0.1 --base-rpy '180 deg,0,0'
same "gravity: a wall, x of the base up" gravity "$robots/puma560.yaml" --q 0.1,0.2,0.3,0.4,0.5,0.6 --gravity -9.81,0,0 -- \
  gravity "$robots/puma560.yaml" --q 0.1,0.2,0.3,0.4,0.5,0.6 --base-rpy '0,-90 deg,0'
same "gravity: of the world, turned into the base" gravity "$robots/puma560.yaml" --q 0.1,0.2,0.3,0.4,0.5,0.6 --gravity 0,0,-1.62 -- \
  gravity "$robots/puma560.yaml" --q 0.1,0.2,0.3,0.4,0.5,0.6 --gravity 0,1.62,0 --base-rpy '90 deg,0,0'
same "gravity: poses stay in the base frame" pose crane.yaml --q 0.3,0.1 -- pose crane.yaml --q 0.3,0.1 --base-rpy 1,2,3
same "gravity: with a payload, turned once" gravity crane.yaml --q 0.3,0.1 --gravity 0,0,9.81 --payload hook=5 -- \
  gravity crane.yaml --q 0.3,0.1 --base-rpy '180 deg,0,0' --payload hook=5
says "gravity: shown by info" 'gravity: *0 0 -1.62 m/s\^2' info crane.yaml --gravity 0,0,-1.62
refuses "gravity: two values" 2 '--gravity: 2 values given, expected 3, x,y,z' gravity crane.yaml --q 0,0 --gravity 0,9.81
refuses "gravity: no number" 2 "--gravity: value 3, 'down', is wrong" gravity crane.yaml --q 0,0 --gravity 0,0,down
refuses "mounting: one value" 2 '--base-rpy: 1 value given, expected 3, roll,pitch,yaw' gravity crane.yaml --q 0,0 --base-rpy 1

run pose crane.yaml --q 1,0
[ $status -eq 0 ] && tail -n 1 out | awk -F, '{ d = ($15 - 1)^2 + ($18 - sin(0.5))^2 + ($19 - cos(0.5))^2; exit !(d < 1e-24 && $13 == 0) }'
verdict "pose: yaw and quaternion of a turn of 1 rad"
says "pose: table" 'quaternion x y z w .* 1$' pose crane.yaml --q 0,0 --link base --format table
run inverse doubtful.yaml --q 0 --quiet
[ $status -eq 0 ] && [ -s out ] && [ ! -s err ]
verdict "quiet: no word about warnings"
run inverse doubtful.yaml --q 0
[ $status -eq 0 ] && grep -q warning err
verdict "not quiet: warnings are counted"
refuses "quiet: errors are still printed" 2 '--q is missing' inverse pendulum.yaml --quiet
same "payload: units" gravity pendulum.yaml --q 1 --payload 'bar=500 g,0.1,0,20 mm' -- gravity pendulum.yaml --q 1 --payload bar=0.5,0.1,0,0.02
