# Run by run.sh: linkwork sensitivity.
planar=$robots/planar2r.yaml
header "columns" parameter,of,value,unit,output,per_unit,per_cent,tolerance,effect,state,t sensitivity "$planar" --q 0.1,0.2
# at rest, the torque of a horizontal arm is m g l: 9.81 N m for each kg at 1 m, and -9.81 N for each metre of 1 kg
says "gravity torques are linear in mass" '^mass,.*,tau1,4\.90[0-9]*,' sensitivity "$planar" --with mass --q 0,0 --format csv
run sensitivity "$robots/puma560.yaml" --with mass,com,inertia,length,angle,gravity --q 0.1,0.2,0.3,0.4,0.5,0.6 --qdd 1,1,1,1,1,1 --format csv
awk -F, 'NR > 2 { a = $7 < 0 ? -$7 : $7; if (a > last) bad = 1; last = a } NR == 2 { last = $7 < 0 ? -$7 : $7 } END { exit bad || NR < 100 }' out
verdict "sorted by the effect of one per cent"
# a difference of the program's own answers: 1 % more mass
sed 's/mass: *3\b/mass: 3.03/' "$planar" >heavier.yaml
run inverse "$planar" --q 0.3,0.4 --qd 1,2 --qdd 3,4 --format csv
before=$(tail -n 1 out)
run inverse heavier.yaml --q 0.3,0.4 --qd 1,2 --qdd 3,4 --quiet --format csv
after=$(tail -n 1 out)
run sensitivity "$planar" --with mass,inertia --q 0.3,0.4 --qd 1,2 --qdd 3,4 --tolerance mass=1% --format csv
[ $status -eq 0 ] && grep -q '^"band, exact"' out &&
  awk -F, -v before="$before" -v after="$after" '
    /^mass/ { sum[$5] += $7 }
    END { split(before, b, ","); split(after, a, ","); e1 = a[1] - b[1] - sum["tau1"]; e2 = a[2] - b[2] - sum["tau2"]
          exit !(e1 * e1 < 1e-24 && e2 * e2 < 1e-24) }' out
verdict "scaling all masses scales the torques"
says "with lengths the band is of first order" '^band of all tolerances together, by first order' \
  sensitivity "$planar" --q 0.1,0.2 --tolerance mass=5%,length=0.5mm --format table
says "units and percentages" '^a,shoulder,1,m,tau1,[^,]*,[^,]*,0\.0005,' sensitivity "$planar" --q 0.1,0.2 --tolerance 'length=0.5 mm' --format csv
printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0,0\n0.5,1,0,0,0,0,0\n1,1.5,0,0,0,9,0\n' >run.csv
says "a trajectory: when the effect is largest" '^mass +upper_rod .* tau1 .* 0$' sensitivity "$planar" --in run.csv --with mass --format table
says "forward dynamics" '^mass,lower_rod,3,kg,qdd1,' sensitivity "$planar" --question forward --with mass --q 0.1,0.2 --tau 1,1 --format csv
json "json" '"parameter": "rpy.yaw", "of": ".*", "value": .*, "unit": "rad", "output": "tau2"' sensitivity "$robots/two_arms.urdf" --with angle --q 0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9 --quiet
says "mimic joints" '^mass,' sensitivity hand.urdf --with mass --q 0.3,0.2 --quiet --format csv
says "names" ',tau\.elbow,' sensitivity "$planar" --q 0.1,0.2 --names --format csv
refuses "an unknown parameter" 2 "--with: no parameter 'weight'; expected mass, com" sensitivity "$planar" --with weight --q 0,0
refuses "an unknown tolerance" 2 "--tolerance: no parameter 'weight'" sensitivity "$planar" --tolerance weight=1% --q 0,0
refuses "a tolerance in a wrong unit" 2 '--tolerance' sensitivity "$planar" --tolerance length=1kg --q 0,0
refuses "a tolerance that is not a number" 2 '--tolerance' sensitivity "$planar" --tolerance length=wide --q 0,0
refuses "a negative tolerance" 2 'length is negative' sensitivity "$planar" --tolerance length=-1mm --q 0,0
refuses "text after the percent sign" 2 'expected a number like 5% or 0.5mm' sensitivity "$planar" --tolerance mass=5%kg --q 0,0
refuses "an unknown question" 2 "--question: no 'pose' here" sensitivity "$planar" --question pose --q 0,0
refuses "no state" 2 '--q is missing' sensitivity "$planar"
refuses "state and file" 2 '--q and --in exclude each other' sensitivity "$planar" --q 0,0 --in run.csv
printf 'q1,q2\n' >empty.csv
refuses "no states" 3 'no states' sensitivity "$planar" --in empty.csv
printf 'q1,q2\n1,x\n' >wrong.csv
refuses "a wrong line" 3 'wrong.csv:2:3: error' sensitivity "$planar" --in wrong.csv
