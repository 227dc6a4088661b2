# linkwork plan --fastest.
puma=$robots/puma560.yaml
cat >mass.yaml <<'END'
linkwork: 1
name: mass
joints:
  - {name: slide, type: prismatic, origin: {xyz: [0, 0, 0]}, axis: [1, 0, 0], limits: {effort: 10, velocity: 5}, link: {mass: 2}}
END
sed 's/effort: 10/acceleration: 2.5/' mass.yaml >ramp.yaml
sed 's/limits: {[^}]*}, //' mass.yaml >free.yaml

# last NAME FIELD VALUE TOLERANCE: this field of the last line of out
last()
{
  [ $status -eq 0 ] && tail -n 1 out | awk -F, -v f="$2" -v v="$3" -v tol="$4" '{ d = $f - v; exit !(d <= tol && -d <= tol) }'
  verdict "$1"
}

header "fastest: columns" 't,s,q1,qd1,qdd1,tau1,sd,sdd,move,limit,limit_joint,margin' plan mass.yaml --fastest --from 0 --to 1
last "fastest: a mass of 2 kg, 10 N, 1 m takes 2 sqrt(0.2) s" 1 0.894427191 1e-4
last "fastest: it ends where it should" 3 1 1e-12
run plan ramp.yaml --fastest --from 0 --to 1
last "fastest: an acceleration limit of the robot file" 1 1.264911064 1e-4
run plan ramp.yaml --fastest --from 0 --to 1 --acceleration 1
last "fastest: --acceleration beside it" 1 2 2e-4
run plan mass.yaml --fastest --from 0 --to 1 --pace 0.5
last "fastest: half the speed takes twice the time" 1 1.788854382 2e-4
run plan mass.yaml --fastest --from 0 --to 1 --reserve 19%
last "fastest: 81 % of the force takes 1/0.9 of the time" 1 0.993807990 1e-4
run plan mass.yaml --fastest --from 0 --to 1 --from-qd 1 --to-qd 1
last "fastest: ends not at rest" 1 0.579796 1e-4
run plan mass.yaml --fastest --from 0 --to 6 --from-qd 5 --to-qd 5
last "fastest: from its limit of speed to it" 1 1.2 1e-5
run plan mass.yaml --fastest --from 0 --to 6 --from-qd 5 --to-qd 0
last "fastest: from its limit of speed to rest" 1 1.7 1e-5
run plan mass.yaml --fastest --from 0 --via 1 --to 0
last "fastest: a path that turns back stops there" 1 1.788854382 2e-4
run plan mass.yaml --fastest --from 0 --via 0.4 --to 1
last "fastest: a waypoint on the way is passed" 1 0.894427191 1e-4
run plan $puma --fastest --from 0,0,0,0,0,0 --to 1,-1,1,0,0.5,0 --out fast.csv --audit fast.json
[ $status -eq 0 ] && ./json_check <fast.json >>err 2>&1 && grep -q '"kept": "checked"' fast.json
verdict "fastest: the audit is json"
run drives $puma --in fast.csv
[ $status -eq 0 ]
verdict "fastest: drives finds no limit exceeded"
run plan $puma --fastest --from 0,0,0,0,0,0 --to 1,-1,1,0,0.5,0 --compare $puma --format csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 3 ]
verdict "fastest: two robots compared"
run plan $robots/hydraulic5.yaml --fastest --from 0.2,0.2,-1,0.2,0.2 --to 0.6,0.9,-0.2,0.3,0.2 --velocity 10 --out hydraulic.csv
[ $status -eq 0 ] && grep -q ',flow,' hydraulic.csv
verdict "fastest: flow of cylinders"
[ $status -eq 0 ] && grep -q ',force,' hydraulic.csv
verdict "fastest: force of cylinders"
run plan mass.yaml --fastest --from 0 --to 1 --jerk 20 --out jerk.csv --audit jerk.json
[ $status -eq 0 ] && grep -q '"optimum": "local"' jerk.json && awk -F, 'NR > 2 { j = ($5 - a) / ($1 - t); if (j > 20 || j < -20) exit 1; if (j > 19.9) n++ }
  { t = $1; a = $5 } END { if (n < 100 || t < 1.178 || t > 1.19) exit 1 }' jerk.csv
verdict "fastest: jerk is kept and reached"
sed 's/effort: 10/effort: 10, jerk: 20/' mass.yaml >jerky.yaml
run plan jerky.yaml --fastest --from 0 --to 1 --out jerky.csv
[ $status -eq 0 ] && cmp jerk.csv jerky.csv
verdict "fastest: a limit of jerk of the robot file"
run plan $puma --fastest --from 0,0,0,0,0,0 --to 1,-1,1,0,0.5,0 --continuous 2 --out paced.csv --audit paced.json
[ $status -eq 0 ] && grep -q 'times slower' err && awk -F'"rms_current": ' '/rms_current/ { split($2, v, ","); if (v[1] > 2.001) exit 1; if (v[1] > 1.99) n++ } END { exit n != 1 }' paced.json
verdict "fastest: rms currents"
# 1 m with 2 kg within an rms force of 4 N: v = 6 t (T - t) / T^3, T = sqrt(2 sqrt(3) m / F); at a uniform pace 2 sqrt(m / F) = 1.4142 s
sed 's/limits: {[^}]*}/motor: {resistance: 1, torque_constant: 0.1, gear: 10, current: 20}/' mass.yaml >heated.yaml
run plan heated.yaml --fastest --from 0 --to 1 --continuous 4 --grid 300
last "fastest: the least time within an rms current" 1 1.316074 2e-3
[ $status -eq 0 ] && grep -q 'a local optimum' err
verdict "fastest: which is said to be a local optimum"
run plan mass.yaml --fastest --from 0 --to 6 --from-qd 0 --to-qd 4.99 --jerk 50
last "fastest: jerk, and nearly the limit of speed at the end" 1 1.752 2e-3
refuses "fastest: rms currents that holding alone exceeds" 1 'times its limit' plan $puma --fastest --from 0,0,0,0,0,0 --to 1,-1,1,0,0.5,0 --continuous 0.1
refuses "fastest: rms currents without motors" 2 'has no motors' plan mass.yaml --fastest --from 0 --to 1 --continuous 1
refuses "fastest: nothing limits it" 2 'nothing limits the motion' plan free.yaml --fastest --from 0 --to 1
refuses "fastest: no length" 1 'has no length' plan mass.yaml --fastest --from 1 --to 1
refuses "fastest: a start that is too fast" 1 "the effort of joint 'slide' does not allow to begin at this speed" plan mass.yaml --fastest --from 0 --to 0.1 --from-qd 4
refuses "fastest: an end beyond the limit of speed" 1 "the velocity of joint 'slide' does not allow to end at this speed" \
  plan mass.yaml --fastest --from 0 --to 1 --from-qd 1 --to-qd 9
refuses "fastest: a velocity off the path" 1 'must be along the path' plan mass.yaml --fastest --from 0 --to 1 --from-qd -1
refuses "fastest: --profile" 2 'does not use --profile' plan mass.yaml --fastest --from 0 --to 1 --profile cubic
refuses "fastest: --compare with --profile" 2 'does not use --profile' plan mass.yaml --fastest --from 0 --to 1 --compare mass.yaml --profile cubic
refuses "fastest: --compare with --plot" 2 'does not use --plot' plan mass.yaml --fastest --from 0 --to 1 --compare mass.yaml --plot x.svg
refuses "fastest: a pace of 0" 2 'expected a positive number$' plan mass.yaml --fastest --from 0 --to 1 --pace 0
printf 'q1\n0\n1\n1\n2\n' >same.csv
refuses "fastest: a waypoint that is repeated" 1 'points 2 and 3 are the same' plan mass.yaml --fastest --in same.csv
refuses "fastest: --grid alone" 2 'is for --fastest' plan mass.yaml --from 0 --to 1 --grid 100
refuses "fastest: a wrong grid" 2 'whole number' plan mass.yaml --fastest --from 0 --to 1 --grid 1.5
refuses "fastest: a wrong reserve" 2 'below 100%' plan mass.yaml --fastest --from 0 --to 1 --reserve 100%
# a spline begins in the direction of --from-qd, and is natural at the end: given alone, or with --to-qd 0,0
cat >slides.yaml <<'END'
linkwork: 1
name: slides
joints:
  - {name: x, type: prismatic, origin: {xyz: [0, 0, 0]}, axis: [1, 0, 0], link: {name: beam, mass: 3}, limits: {acceleration: 2}}
  - {name: y, type: prismatic, parent: x, origin: {xyz: [0, 0, 0]}, axis: [0, 1, 0], link: {name: car, mass: 2}, limits: {acceleration: 2}}
END
printf 'q1,q2\n0,0\n1,0.5\n0.3,1\n' >bend.csv
run plan slides.yaml --fastest --in bend.csv --from-qd 0.5,0.5 --out one.csv
[ $status -eq 0 ] && run plan slides.yaml --fastest --in bend.csv --from-qd 0.5,0.5 --to-qd 0,0 --out both.csv
[ $status -eq 0 ] && cmp one.csv both.csv && awk -F, 'NR == 2 { if ($5 != 0.5 || $6 != 0.5) exit 1 }' one.csv
verdict "fastest: a spline that begins in motion"
cat >pendulum.yaml <<'END'
linkwork: 1
name: pendulum
joints:
  - {name: pivot, type: revolute, origin: {xyz: [0, 0, 0]}, axis: [0, 1, 0], link: {mass: 1.5, com: [0, 0, -0.7]},
     motor: {resistance: 2, torque_constant: 0.1, gear: 4, voltage: 40}}
END
run plan pendulum.yaml --fastest --from -1.5 --to 1.5 --from-qd 4 --to-qd 4 --out swing.csv
[ $status -eq 0 ] && grep -q "cannot stop at move 1, s = 0, q = -1.5: the voltage of joint 'pivot' is too low" err
verdict "fastest: a motor whose voltage cannot hold the arm"

# How far the spline goes beyond its waypoints, of the message and of the rows
printf 'q1,q2\n0,0\n1,0.5\n1,0\n0,-0.2\n' >bulge.csv
run plan "$robots/planar2r.yaml" --in bulge.csv --fastest --acceleration 5,5 --out bulged.csv
awk -F, 'FNR == NR { if (/goes [0-9.]+ rad beyond/) { sub(/.* goes /, ""); said[++count] = $0 + 0 } next }
  FNR == 1 { next }
  { if ($3 > q1) q1 = $3; if ($3 < l1) l1 = $3; if ($4 > q2) q2 = $4; if ($4 < l2) l2 = $4 }
  END {
    a = q1 - 1 > -l1 ? q1 - 1 : -l1
    b = q2 - 0.5 > -0.2 - l2 ? q2 - 0.5 : -0.2 - l2
    exit !(count == 2 && a > 0.01 && b > 0.01 && (a - said[1]) ^ 2 < 1e-9 && (b - said[2]) ^ 2 < 1e-9) }' err bulged.csv
verdict "fastest: how far the spline goes beyond its waypoints"
