# Tables for people: as wide as names and numbers need, units below the names, "unlimited" if there is no limit.

printf 'q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0,1,0,1,0,0\n' >two.csv # a shoulder at 1 rad is beyond its limit
printf '%b' 'PUMA 560: energy, double precision\nstate  kinetic  potential\n             J          J\n    1        0     7.4583\n    2        0   -27.0927\n' >expected
run energy "$robots/puma560.yaml" --in two.csv --format table
[ $status -eq 0 ] && cmp -s out expected && [ "$(wc -l <err)" -eq 1 ] && grep -q 'warning: two.csv:3: joint .shoulder.*(1 of 2 rows)' err
verdict "table: columns as wide as their numbers, units below the names"
run gravity "$robots/torso.yaml" --q lift=0.1 --format table
[ $status -eq 0 ] && grep -Eq '^  g1   lift  +505.215 N$' out && grep -Eq '^  g10  right_shoulder_pitch  +-0.265321 N m$' out
verdict "table: one state, sized to the names"
run inertia "$robots/torso.yaml" --q lift=0.1 --format table
[ $status -eq 0 ] && sed -n 3p out | grep -Eq 'left_shoulder_pitch  left_shoulder_roll  left_upper_arm_yaw' &&
  [ "$(sed -n '3,$p' out | awk '{ print length($0) }' | sort -u | wc -l)" -eq 1 ]
verdict "table: joint names above a matrix are complete, and lines have equal length"
run jacobian "$robots/torso.yaml" --q lift=0.1 --format table
[ $status -eq 0 ] && [ "$(sed -n '4,$p' out | awk '{ print length($0) }' | sort -u | wc -l)" -eq 1 ]
verdict "table: the lines of a Jacobian have equal length"
says "table: roll, pitch, yaw in line" '^  roll pitch yaw  +2.87979 .* rad$' pose "$robots/torso.yaml" --q lift=0.1 --format table

says "info: unlimited" '^ +3  left_twist +revolute +left_lift +unlimited +unlimited +2 +50 ' info "$robots/two_arms.urdf"
says "info: units" '^ +rad\|m +rad\|m +rad/s\|m/s +N m\|N +kg$' info "$robots/two_arms.urdf"
says "info: units of joints that turn" '^ +rad +rad +rad/s +N m +kg$' info "$robots/puma560.yaml"
run info "$robots/two_arms.urdf" --format csv
[ $status -eq 0 ] && grep -q '^3,left_twist,revolute,left_lift,,,2,50,' out
verdict "info: csv leaves it empty"
for file in puma560.yaml panda.yaml torso.yaml two_arms.urdf chain30.yaml
do
  run info "$robots/$file"
  [ $status -eq 0 ] && ! grep -Eq '(^|[ -])inf( |$)|nan' out
  verdict "info: no inf of $file"
done
run ik "$robots/two_arms.urdf" --position 0.3,-0.5,1.2 --format table
! grep -Eq '[ -]inf( |$)' out && grep -q 'unlimited  unlimited' out
verdict "ik: no inf"
says "plan: units" '^ +rad +rad +rad +rad +rad/s +rad/s +rad/s.2$' plan "$robots/puma560.yaml" --from 0,0,0,0,0,0 --to 1,0,0,0,0,0 --format table
run plan "$robots/puma560.yaml" --from 0,0,0,0,0,0 --to 1,0,0,0,0,0 --out motion.csv
says "drives: units" '^ +rad/s +W +W +J +J +J +J +A +A +V$' drives "$robots/puma560.yaml" --in motion.csv --format table
says "parts: units" '^ +kg +kg +m +m +m +kg m.2' parts "$robots/../parts/ddarm.yaml" --format table
says "simulate: units" '^ *s +rad +rad +rad +rad +rad +rad +J +J +J +J$' simulate "$robots/../scenarios/puma_fall.yaml" --duration 0.1 --format table
says "simulate: a table of the columns that are asked for" '^ *t +tau1 +tau2 +tau3 +tau4 +tau5 +tau6$' \
  simulate "$robots/../scenarios/puma_fall.yaml" --duration 0.1 --columns tau --format table
says "snake simulate: units" '^ *s +m/s +rad/s +m +m +J +J +J$' snake simulate "$robots/snakes/table2_n3.yaml" --duration 0.1 --format table

# From a thousand rows on, columns are as wide as the widest possible number.
awk 'BEGIN { print "q1,q2,q3,q4,q5,q6"; for (i = 0; i < 1500; ++i) print i / 1e3 ",0,0,0,0,0" }' >many.csv
run energy "$robots/puma560.yaml" --in many.csv --format table
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 1503 ] && [ "$(sed 1d out | awk '{ print length($0) }' | sort -u | wc -l)" -eq 1 ]
verdict "table: columns stay aligned beyond the buffered rows"
