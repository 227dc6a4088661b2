# Joints with several degrees of freedom: --base floating, joint types in files, columns, and refusals.
panda=$robots/panda.yaml
flyer=$robots/free_flyer.yaml
at=0,0,1,0,0,0,1,0,-0.785,0,-2.356,0,1.571,0.785

header "columns of a floating base by number" tau1,tau2,tau3,tau4,tau5,tau6,tau7,tau8,tau9,tau10,tau11,tau12,tau13 \
  inverse "$panda" --base floating --q $at --quiet
header "and by name" tau.base.fx,tau.base.fy,tau.base.fz,tau.base.nx,tau.base.ny,tau.base.nz,tau.joint1,tau.joint2,tau.joint3,tau.joint4,tau.joint5,tau.joint6,tau.joint7 \
  inverse "$panda" --base floating --q $at --names --quiet
header "velocities by name" qdd.base.vx,qdd.base.vy,qdd.base.vz,qdd.base.wx,qdd.base.wy,qdd.base.wz,qdd.shoulder_yaw,qdd.shoulder_pitch,qdd.elbow,qdd.wrist_roll,qdd.wrist_pitch,qdd.wrist_yaw \
  forward "$flyer" --q base.z=1 --names
says "the base alone" '^frame of link satellite|^0.5,0,0,' pose "$flyer" --q base.x=0.5 --link satellite
says "inertia" '^118,' inertia "$flyer" --q base.x=0
says "energy of a satellite that moves" '^236,' energy "$flyer" --q base.x=0 --qd base.vx=2
says "jacobian of a floating base" '^1,0,0,' jacobian "$flyer" --q base.x=0
says "a quaternion of 180 degrees" ',-1,' pose "$flyer" --q base.qx=1,base.qw=0
for command in bias gravity coriolis reactions
do
  run $command "$flyer" --q base.x=0 --quiet
  [ $status -eq 0 ] && [ -s out ]
  verdict "$command of a floating robot"
done
says "113 bits" '^118,' inertia "$flyer" --q base.x=0 --precision quad
says "single precision" '^118,' inertia "$flyer" --q base.x=0 --precision single
says "information" '13 positions, 12 velocities' info "$flyer" --format table
says "a floating base by option" '14 positions, 13 velocities' info "$panda" --base floating --format table --quiet
says "a fixed base by option" '; a serial chain' info "$panda" --base fixed --format table --quiet
says "a fixed base where the file has it float" '6 of them moving; a serial chain' info "$flyer" --base fixed --format table --quiet
says "URDF with a floating base" '^17.4519' inertia "$here/../data/floating/panda.urdf" --base floating --q base.x=0 --quiet
says "proof" 'forward,.*articulated-body.*,yes' prove "$flyer"
says "check" 'inverse' check "$flyer" --states 5
says "sensitivity of a floating robot: a kilogram of the satellite" '^mass,satellite,100,kg,tau1,2,2,' sensitivity "$flyer" --with mass --q base.x=0 --qdd base.vx=2
says "counts" '^inverse,newton-euler,' count "$flyer"

printf 'q.base.x,q.base.y,q.base.z,q.base.qx,q.base.qy,q.base.qz,q.base.qw,q.shoulder_yaw,q.shoulder_pitch,q.elbow,q.wrist_roll,q.wrist_pitch,q.wrist_yaw\n0,0,0,0,0,0,1,0,0,0,0,0,0\n0,0,0,0,0,0.1,1,0,0,0,0,0,0\n' >bad.csv
run inertia "$flyer" --in bad.csv
[ $status -eq 3 ] && grep -q "bad.csv:3: the quaternion of joint 'base', q4 to q7, has the length 1.00" err
verdict "a quaternion of a table"
awk 'BEGIN {
  print "t,q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13,qd1,qd2,qd3,qd4,qd5,qd6,qd7,qd8,qd9,qd10,qd11,qd12,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6,qdd7,qdd8,qdd9,qdd10,qdd11,qdd12,tau1,tau2,tau3,tau4,tau5,tau6,tau7,tau8,tau9,tau10,tau11,tau12"
  for (i = 0; i < 60; ++i) {
    line = i / 100 ",0,0,0,0,0,0," (i == 40 ? 3 : 1)
    for (k = 0; k < 42; ++k) line = line "," (k < 6 || k > 29 ? 0.1 * i : 0)
    print line
  }
}' >stretched.csv
for command in inverse drives loads check linearise sensitivity regressor
do
  run $command "$flyer" --in stretched.csv --quiet
  [ $status -eq 3 ] && grep -q "stretched.csv:42: the quaternion of joint 'base', q4 to q7, has the length 3" err
  verdict "a quaternion of a table: $command"
done
refuses "a quaternion that is too long" 2 "has the length 1.1, expected 1" inverse "$panda" --base floating --q 0,0,1,0,0,0,1.1,0,-0.785,0,-2.356,0,1.571,0.785 --quiet
refuses "too few positions" 2 'needs 14 .its positions are 14, with quaternions, its velocities 13' inverse "$panda" --base floating --q 0,0 --quiet
refuses "as many velocities as positions" 2 'needs 13' inverse "$panda" --base floating --q $at --qd $at --quiet
refuses "an unknown base" 2 "unknown, expected fixed or floating" inverse "$panda" --base rolling --q 0
refuses "forward dynamics of a massless base" 2 "forward dynamics is impossible: joint 'base'" forward "$panda" --base floating --q $at --quiet
says "a conversion" '^torque,0,.*yes' convert "$flyer" out.yaml
says "a conversion keeps the floating base" '^  type: floating' convert "$flyer" - --out proof.csv
says "a conversion to URDF" '^torque,0,.*yes' convert "$flyer" out.urdf --drop gravity --quiet
refuses "a conversion to a table" 2 "joint 'base' is floating, which a Denavit-Hartenberg table cannot hold" convert "$flyer" out.yaml --dh modified

cat >kinds.yaml <<'END'
linkwork: 1
joints:
  - {name: ball, type: ball, link: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: plane, type: planar, axis: [0, 0, 1], link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: rod, type: cylindrical, axis: [1, 0, 0], link: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: hook, type: universal, axis: [1, 0, 0], axis2: [0, 1, 0], link: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: thread, type: screw, axis: [0, 0, 1], pitch: 0.01, link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
END
says "all kinds converted" '^torque,[0-9.e-]*,[0-9.e-]*,[0-9.e-]*,[0-9]*,yes' convert kinds.yaml again.yaml
refuses "a ball in URDF" 2 "joint 'ball' is ball, which URDF does not have" convert kinds.yaml again.urdf
header "all kinds by name" g.ball.nx,g.ball.ny,g.ball.nz,g.plane.fx,g.plane.fy,g.plane.n,g.rod.n,g.rod.f,g.hook.n1,g.hook.n2,g.thread \
  gravity kinds.yaml --q plane.x=0.1 --names
says "all kinds forward" 'qdd1' forward kinds.yaml --q ball.qw=1
spoil() { sed "$2" kinds.yaml >spoilt.yaml; diagnoses "$1" 3 "$3" gravity spoilt.yaml --q 0; }
spoil "an unknown type" 's/type: ball/type: sphere/' "spoilt.yaml:3:.*'type' must be revolute, prismatic, fixed, ball"
spoil "a ball with limits" 's/type: ball,/type: ball, limits: {lower: 0, upper: 1},/' "a ball joint cannot have 'limits'"
spoil "a ball with an axis" 's/type: ball,/type: ball, axis: [0, 0, 1],/' 'a ball joint has no axis'
spoil "a ball by DH" 's/type: ball,/type: ball, alpha: 1,/' 'a ball joint is placed by an origin'
spoil "a screw without pitch" 's/pitch: 0.01, //' 'the screw has no pitch'
spoil "a pitch of zero" 's/pitch: 0.01/pitch: 0/' 'pitch must not be 0'
spoil "a pitch elsewhere" 's/type: planar,/type: planar, pitch: 1,/' 'only a screw has a pitch'
spoil "parallel axes" 's/axis2: \[0, 1, 0\]/axis2: [2, 0, 0]/' 'no direction of its own'
sed 's/^joints/base: floating\njoints/' kinds.yaml >afloat.yaml
says "a floating base of the file" '17 positions, 16 velocities|positions' info afloat.yaml --format table --quiet

says "simulation" '^t,q.base.x,' simulate "$robots/../scenarios/free_flyer.yaml" --names
says "methods say which joints they take" 'articulated-body.*all but mimic and screw' methods
run ik "$flyer" --pose 1,0.5,2,0.1,0.2,0.3 --names --out reached.csv
says "inverse kinematics of a floating robot" '^1(\.0000000|,)|^0.9999999' pose "$flyer" --in reached.csv
says "inverse kinematics: a table of positions" 'base.qw .* - *unlimited' ik "$flyer" --pose 1,0.5,2,0.1,0.2,0.3 --format table
says "inverse kinematics of all kinds" ',1$' ik kinds.yaml --position 0.1,0.05,0.3
refuses "all solutions" 2 'it has ball or floating joints' ik "$flyer" --pose 1,0,1,0,0,0 --all
run plan "$flyer" --from 0,0,0,0,0,0,1,0,0,0,0.3,0,0 --to 0.1,0.2,0.3,0.6,0,0,0.8,0.3,0.5,-0.4,1,0.2,0.1 --duration 2 --dt 0.1 --names --out way.csv
grep -q '^t,q.base.x,.*,q.base.qw,q.shoulder_yaw,.*,qd.base.vx,' way.csv && grep -q '^2,0.1,0.2,0.3,0.6,0,0,0.8,0.3,0.5,-0.4,1,0.2,0.1,' way.csv
verdict "a plan"
run inverse "$flyer" --in way.csv --keep --out way_torques.csv
says "torques of a plan, checked" '^none,(0|[0-9.]+e-3[0-9]),.*,yes' check "$flyer" --in way_torques.csv
run check "$flyer" --gravity 0,0,-9.81 --in way_torques.csv
[ $status -eq 1 ] && grep -q '^gravity missing,.*,yes' out
verdict "another gravity is found"
says "drives of a plan" '^[0-9]*,elbow' drives "$flyer" --in way.csv --format csv
says "a plan that is followed" '^2,0.1(0000000|,)|^2,0.09999999' simulate "$flyer" --in way.csv --quiet --format csv
says "a line of a floating robot" '^1,' plan "$flyer" --from base.qw=1,elbow=0.5,wrist_pitch=0.3 --pose 0.3,0.2,1.9 --profile line --duration 1 --dt 0.5 --format csv
refuses "a point with an invalid rotation" 2 'has the length' plan "$flyer" --from 0,0,0,0,0,0,2,0,0,0,0.3,0,0 --to 0,0,0,0,0,0,1,0,0,0,0.3,0,0 --duration 2
run bench "$flyer" --quick
[ $status -eq 0 ] && grep -q inverse-derivatives out
verdict "bench: derivatives with quaternions"
refuses "code by a printed method" 2 "no code is generated by 'kane' for ball and floating joints" generate "$flyer" --method kane --out flyer.c
refuses "sensitivity by a printed method" 2 "by 'kane' take no ball or floating joints" \
  sensitivity "$flyer" --q 0,0,0,0,0,0,1,0,0,0,0,0,0 --method kane
printf 'linkwork: 1\njoints:\n  - {name: ball, type: ball, link: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n' >ball.yaml
refuses "equations" 2 "has ball or floating joints, for which no equations are written" generate ball.yaml --language latex
