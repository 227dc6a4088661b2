# Derivatives, inverse inertia matrix, Coriolis matrix, momentum and regressor: columns, and answers computed by hand.

# tau = 0.6 qdd - 9.81 cos q
gives "derivatives of torques" 'dtau1_dq1,dtau1_dqd1\n9.81,0\n' inverse-derivatives pendulum.yaml --q "90 deg"
says "derivatives of accelerations" '^dqdd1_dq1,dqdd1_dqd1,dqdd1_dtau1$' forward-derivatives pendulum.yaml --q 0.3
says "by the other method" '^-16.3[45][0-9]*,0,1.66666' forward-derivatives pendulum.yaml --q "90 deg" --method newton-euler
says "the inverse of the inertia matrix" '^1.66666' inertia-inverse pendulum.yaml --q 0.3
gives "the Coriolis matrix" 'C11\n0\n' coriolis-matrix pendulum.yaml --q 0.3 --qd 2
gives "the regressor" "Y.swing.bar.m,Y.swing.bar.mx,Y.swing.bar.my,Y.swing.bar.mz,Y.swing.bar.xx,Y.swing.bar.yy,Y.swing.bar.zz,\
Y.swing.bar.xy,Y.swing.bar.xz,Y.swing.bar.yz\n0,-9.81,0,0,0,2,0,0,0,0\n" regressor pendulum.yaml --q 0 --qdd 2
says "momentum" '^cx,cy,cz,px,py,pz,kx,ky,kz,pdx,pdy,pdz,kdx,kdy,kdz$' centroidal pendulum.yaml --q 0
says "momentum by hand" '^0.5,0,0,0,0,-2,0,0.(2|1999)[0-9]*,0,-4,0,0,0,0,0$' centroidal pendulum.yaml --q 0 --qd 2
gives "the rate of the Jacobian" 'vx,vy,vz,wx,wy,wz,ax,ay,az,wdx,wdy,wdz\n0,0,-1,0,2,0,-2,0,0,0,0,0\n' \
  jacobian-rate pendulum.yaml --q 0 --qd 2 --tool 0.5,0,0
says "more than nine joints" '^W1_1,W1_2,.*,W10_10$' inertia-inverse ten.yaml --q 0,0,0,0,0,0,0,0,0,0
says "more than nine joints, derivatives" '^dtau1_dq1,dtau1_dq2,.*,dtau10_dqd10$' inverse-derivatives ten.yaml \
  --q 0,0,0,0,0,0,0,0,0,0
says "by name" '^dtau.swing_dq.swing,dtau.swing_dqd.swing$' inverse-derivatives pendulum.yaml --q 0 --names
says "as tables" '^by the velocity of$' inverse-derivatives pendulum.yaml --q 0 --format table
says "the regressor as a table" '^  bar.mx +-9.81$' regressor pendulum.yaml --q 0 --format table
json "json" '"dqdd1_dtau1": 1.66666' forward-derivatives pendulum.yaml --q 0
printf 'q1,qd1\n0,2\n0.5,1\n' >two.csv
run coriolis-matrix pendulum.yaml --in two.csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 3 ]
verdict "many states"
says "a quaternion: numbered by freedoms" '^dtau1_dq1,dtau1_dq2,.*_dqd12$' \
  inverse-derivatives "$robots/free_flyer.yaml" --q 0,0,0,0,0,0,1,0,0,0,0,0,0
cat >follower.yaml <<'end'
linkwork: 1
name: follower
joints:
  - {name: ball, type: ball, origin: {}, link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: a, type: revolute, origin: {xyz: [1, 0, 0]}, axis: [0, 0, 1], link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: b, type: revolute, origin: {xyz: [1, 0, 0]}, axis: [0, 0, 1], mimic: {joint: a}, link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
end
says "a quaternion and a follower: numbered by freedoms" '^dtau1_dq1,dtau1_dq2,.*_dqd4$' inverse-derivatives follower.yaml --q 0,0,0,1,0
diagnoses "no inertia" 3 "has no inertia about its axis, so forward dynamics is impossible" inertia-inverse limp.yaml --q 0,0
refuses "another method" 2 "no 'kane' among the inverse-derivatives methods: singh-russell-wensing, newton-euler" inverse-derivatives pendulum.yaml --q 0 --method kane

# one state, and the same state in a file: a tree and an arm with a prismatic joint
for robot in "$robots/two_arms.urdf" "$robots/stanford.yaml" "$robots/scara.yaml"
do
  n=$("$linkwork" info "$robot" --format json | sed -n 's/.*"dof": \([0-9]*\).*/\1/p')
  values=$(awk -v n="$n" 'BEGIN { for (i = 1; i <= n; ++i) printf "%s%g", (i > 1 ? "," : ""), 0.1 * i }')
  awk -v n="$n" -v v="$values" 'BEGIN {
    for (i = 1; i <= n; ++i) printf "q%d,", i
    for (i = 1; i <= n; ++i) printf "qd%d%s", i, (i < n ? "," : "\n")
    for (k = 1; k <= 3; ++k) print v "," v }' >states.csv
  for question in inverse-derivatives forward-derivatives coriolis-matrix centroidal jacobian-rate regressor
  do
    "$linkwork" $question "$robot" --q "$values" --qd "$values" --format csv --quiet >one.csv
    run $question "$robot" --in states.csv --format csv --quiet
    head -n 2 out >first.csv
    [ $status -eq 0 ] && [ "$(wc -l <out)" -eq 4 ] && cmp -s one.csv first.csv
    verdict "$(basename "$robot"): $question of one state and of many"
  done
done
