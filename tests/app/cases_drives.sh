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
