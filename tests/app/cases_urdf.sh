# Robots in URDF, mimic joints, inert joints. hand.urdf: a palm of 2 kg lifted by a joint, a finger of
# 1 kg that opens by y and one of 3 kg at 0.5 - 2 y, all along z. limp.urdf: a tip without mass on an arm.
# shellcheck shell=sh disable=SC2154 # by run.sh

# the potential, g = 9.81: palm and fingers at q1; left at y, right at 0.5 - 2 y
gives "mimic: torques of the reduced system" 'g1,g2\n58.86,-49.05\n' \
  gravity hand.urdf --q 0,0
gives "mimic: inertia of the reduced system" 'M11,M12,M21,M22\n6,-5,-5,13\n' inertia hand.urdf --q 0,0
gives "mimic: kinetic energy" 'kinetic,potential\n6.5,14.715\n' energy hand.urdf --q 0,0 --qd 0,1
gives "mimic: accelerations undo torques" 'qdd1,qdd2\n0,1\n' \
  forward hand.urdf --q 0,0 --tau 53.86,-36.05
header "mimic: all joints independent" 'g1,g2,g3' gravity hand.urdf --q 0,0,0 --mimic independent
gives "mimic: inertia with all joints independent" 'M11,M12,M13,M21,M22,M23,M31,M32,M33\n6,3,1,3,3,0,1,0,1\n' \
  inertia hand.urdf --q 0,0,0 --mimic independent
refuses "mimic: a way that does not exist" 2 "unknown choice 'alone'; expected follow or independent" \
  inverse hand.urdf --q 0,0 --mimic alone
refuses "mimic: a method that cannot couple joints" 2 'articulated-body cannot couple' \
  forward hand.urdf --q 0,0 --method articulated-body
refuses "mimic: a follower has no column" 2 'needs 2' gravity hand.urdf --q 0,0,0
printf 'q.open,q.lift\n0,1\n' >states.csv
gives "URDF: columns by name" 'kinetic,potential\n0,73.575\n' energy hand.urdf --in states.csv
says "check: of a robot with mimic joints" '^ok: all' check hand.urdf --states 20 --format table
says "check: says which method is left out" 'left out, it cannot couple mimic joints: forward articulated-body' \
  check hand.urdf --states 5 --format table
says "count: of a robot with mimic joints" '3 moving joints' count hand.urdf --format table
says "info: joints in order, with their lines" '^ +1 +lift .* 9 +1$' info hand.urdf
says "info: a follower" "joint 'close': mimics 'open': q = -2 q.open \+ 0.5" info hand.urdf
says "info: a fixed joint" "joint 'see': fixed; link 'camera' is part of link 'palm'" info hand.urdf
says "info: elements without effect" 'without effect on the dynamics: 1 gazebo' info hand.urdf
says "info: independent joints" '^joints: +4, 3 of them moving, 2 independent; a tree$' info hand.urdf
says "info: the base" '^base: +wall, 0 kg$' info hand.urdf
json "info as json: omitted values" '"joint": "close", "reason": "mimics' info hand.urdf

# --- standard input: URDF is recognised by the first character
"$linkwork" gravity - --q 0,0 <hand.urdf >out 2>err
status=$?
[ $status -eq 0 ] && [ "$(head -n 1 out)" = g1,g2 ]
verdict "URDF from standard input"

# --- inert joints
run inverse limp.urdf --q 0,0 --qdd 1,1
[ $status -eq 0 ] && grep -q '1 warning' err && [ "$(tail -n 1 out)" = 21.64,0 ]
verdict "inert: inverse dynamics of a massless tip"
run forward limp.urdf --q 0,0
[ $status -eq 2 ] && [ ! -s out ] && grep -q "limp.urdf:6: forward dynamics is impossible: joint 'spin' moves link 'tip'.*--rotors" err
verdict "inert: forward dynamics is refused by name"
run check limp.urdf --states 10 --format table
[ $status -eq 0 ] && grep -q 'left out, a moving joint has no inertia: forward articulated-body' out
verdict "inert: check leaves forward dynamics out"
run lint limp.urdf
[ $status -eq 0 ] && grep -q "limp.urdf:6:3: warning: joint 'spin': what it moves, link 'tip', has no inertia" out
verdict "inert: lint warns"
run lint limp.urdf --strict
[ $status -eq 3 ]
verdict "inert: an error with --strict"
run inverse limp.yaml --q 0,0
[ $status -eq 3 ] && grep -q "limp.yaml:5:5: error: joint 'spin'" err
verdict "inert: an error in YAML"
run inverse limp.yaml --q 0,0 --allow-inert
[ $status -eq 0 ]
verdict "inert: --allow-inert in YAML"

cat >driven.yaml <<'EOF'
linkwork: 1
joints:
  - {name: spin, type: revolute, motor: {resistance: 1, torque_constant: 1, gear: 10, rotor_inertia: 0.02}}
EOF
run forward driven.yaml --q 0 --tau 4 --allow-inert
[ $status -eq 2 ]
verdict "inert: a rotor does not count by itself"
run forward driven.yaml --q 0 --tau 4 --allow-inert --rotors
[ $status -eq 0 ] && [ "$(tail -n 1 out)" = 2 ]
verdict "inert: the inertia of a rotor is enough"
run forward limp.urdf --q 0,0 --rotors
[ $status -eq 2 ] && grep -q "joint 'spin'.*or the joint a motor" err
verdict "inert: --rotors without a motor"

# --- fixing joints
sed 's/type="continuous"><parent link="base"/type="floating"><parent link="base"/' limp.urdf >floating.urdf
says "fix: a floating joint moves" '8 positions, 7 velocities' info floating.urdf
says "fix: a floating joint is fixed" "joint 'swing' \(floating\) is fixed, as asked for" info floating.urdf --fix swing
header "fix: a joint of a YAML robot" 'g1' gravity limp.yaml --q 0 --fix spin
run info limp.yaml --fix spun
[ $status -eq 2 ] && grep -q "error: --fix: there is no joint 'spun'" err && grep -q "did you mean 'spin'" err
verdict "fix: a joint that does not exist"

# --- errors in files
printf '<robot name="r">\n<link name="a"/>\n<joint name="j" type="round"><parent link="a"/><child link="b"/></joint>\n</robot>\n' >wrong.urdf
run inverse wrong.urdf --q 0
[ $status -eq 3 ] && [ ! -s out ] && [ "$(grep -c 'error:' err)" -eq 2 ] &&
  grep -q "wrong.urdf:3:23: error: 'type' must be" err && grep -q "wrong.urdf:3:61: error: there is no link 'b'" err
verdict "URDF: all errors, each in its place"
