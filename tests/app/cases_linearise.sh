# linkwork linearise: state equations, eigenvalues, modes.

cat >swing.yaml <<'END'
linkwork: 1
name: door
joints:
  - name: hinge
    type: revolute
    friction: {viscous: 0.5}
    motor: {resistance: 2, torque_constant: 0.5, gear: 5, rotor_inertia: 0.04}
    link: {mass: 30, com: [0, 0, 0], inertia: [3, 3, 4, 0, 0, 0]}
END
if "$linkwork" linearise swing.yaml --q 0 2>&1 | grep -q 'no LAPACK'
then
  header "linearise: columns without LAPACK" 'A11,A12,A21,A22,B11,B21' linearise swing.yaml --q 0 --quiet
else
  gives "linearise: a door, columns" 'A11,A12,A21,A22,B11,B21,re1,re2,im1,im2,stable\n0,1,0,0,0,0.25,0,0,0,0,0\n' \
    linearise swing.yaml --q 0
  gives "linearise: with its drive" \
    'A11,A12,A21,A22,B11,B21,re1,re2,im1,im2,stable\n0,1,0,-0.725,0,0.25,0,-0.725,0,0,0\n' \
    linearise swing.yaml --q 0 --drives
  json "linearise: json" '"stability": "marginal"' linearise swing.yaml --q 0
  says "linearise: table" '^marginal$' linearise swing.yaml --q 0 --format table
  says "linearise: matlab" '^A = \[0, 1;$' linearise swing.yaml --q 0 --format matlab
  printf 't,q1\n0,0\n1,0.5\n' >motion.csv
  says "linearise: along a trajectory" '^1,0,1,0,0,0,0.25,0,0,0,0,0$' linearise swing.yaml --in motion.csv
  json "linearise: along a trajectory, json" '^.*"t": 1' linearise swing.yaml --in motion.csv
  says "linearise: a scenario's springs" '2\.155.* arm, with boom in phase' \
    linearise "$robots/../scenarios/hydraulic_valve.yaml" --format table
  says "linearise: cylinders that an event closes" '2\.624.* boom, with wrist in phase' \
    linearise "$robots/../scenarios/hydraulic_cylinders.yaml" --format table
  says "linearise: cylinders of the robot" '7\.94.* boom, with wrist opposed' \
    linearise "$robots/hydraulic5.yaml" --q "0, 50 deg, -80 deg, 30 deg, 0" --drives --format table
  says "linearise: a motion that nothing holds is marginal, though rounding splits its eigenvalue" '^marginal$' \
    linearise "$robots/planar2r.yaml" --q 0,-1 --format table
  run linearise "$robots/../scenarios/puma_pd.yaml" --format csv
  [ $status -eq 0 ] && grep -q 'controller is not part' err
  verdict "linearise: a controller is left out"
  says "linearise: without them the boom falls" '^unstable$' \
    linearise "$robots/hydraulic5.yaml" --q "0, 50 deg, -80 deg, 30 deg, 0" --format table
fi
refuses "linearise: unknown format" 2 'expected table, csv, json or matlab' linearise swing.yaml --q 0 --format xml --quiet
refuses "linearise: --q is missing" 2 'q is missing' linearise swing.yaml --quiet
flyer=0,0,0,0,0,0,1,0.1,-0.2,0.3,0.1,0.2,0.3
says "linearise: a floating base, numbered by freedoms" '^A1_1,.*,A24_24,B1_1,.*,B24_12' linearise "$robots/free_flyer.yaml" --q $flyer --format csv
says "linearise: a floating base in matlab" '^q0 = \[0; 0; 0; 0; 0; 0; 1; 0.1' linearise "$robots/free_flyer.yaml" --q $flyer --format matlab
