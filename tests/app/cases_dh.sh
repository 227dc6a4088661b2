# Tables of Denavit-Hartenberg parameters as robots.
# shellcheck shell=sh disable=SC2154 # by run.sh

cat >arm.csv <<'END'
# a comment
name;type;alpha;a;d;theta;mass;comx;ixx;iyy;izz
waist;R;0;0;0;q1;13;0;0,1;0,1;0,1
shoulder;R;-90 deg;0;0,2435;q2;22,37;0,1;0,2;0,2;0,2
lift;P;0;0,4318;q3 - 0,0934;90 deg;5;0;0,1;0,1;0,1
END
cat >same.yaml <<'END'
linkwork: 1
dh: modified
joints:
  - {name: waist, type: revolute, link: {mass: 13, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
  - {name: shoulder, type: revolute, alpha: -90 deg, d: 0.2435, link: {mass: 22.37, com: [0.1, 0, 0], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}}
  - {name: lift, type: prismatic, a: 0.4318, d: -0.0934, theta: 90 deg, link: {mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
END
state="--q 0.1,0.2,0.3 --qd 1,2,3 --qdd 3,2,1"
# shellcheck disable=SC2086
run inverse same.yaml $state && cp out expected
# shellcheck disable=SC2086
run inverse arm.csv $state
[ $status -eq 0 ] && cmp -s out expected
verdict "a table is the robot file of its numbers"
tr ';,' '\t.' <arm.csv >tabs.csv
# shellcheck disable=SC2086
run inverse tabs.csv $state
[ $status -eq 0 ] && cmp -s out expected
verdict "tabs separate"
sed 's/^linkwork: 1/&\ngravity: [0, 0, -9.81]/; s/dh: modified/dh: standard/' same.yaml >standard.yaml
sed 's/$/;standard/; s/^name\(.*\);standard/name\1;dh/; s/^#.*//' arm.csv >standard.csv
# shellcheck disable=SC2086
run pose standard.yaml --q 0.1,0.2,0.3 && cp out expected
run pose standard.csv --q 0.1,0.2,0.3
[ $status -eq 0 ] && cmp -s out expected
verdict "the other convention"
run convert arm.csv back.yaml --dh standard
[ $status -eq 0 ]
verdict "a table is converted"
printf 'i,theta,d,a,alpha\n1,0,0.3,0,90\n2,0,0,0.4,0\n' >degrees.csv
says "degrees are recognised" "^degrees.csv:2:.*joint 'joint1': alpha = 90 rad is more than a turn, as if it were in degrees" lint degrees.csv
says "kinematics without masses" '^x,y,z' pose degrees.csv --q 0,0
printf 'alhpa,a,d,theta\n0,0,0,0\n' >bad.csv
diagnoses "an unknown column" 3 "^bad.csv:1:1: error: unknown column 'alhpa'" info bad.csv
printf 'alpha,a,d,theta\n0,0,zero,0\n0,0,0\n' >bad.csv
diagnoses "no number" 3 "^bad.csv:2:5: error: 'd' must be a number, or one with deg, found 'zero'" info bad.csv
diagnoses "too few cells" 3 "^bad.csv:3:1: error: expected 4 cells as in the first line, found 3" info bad.csv
printf 'alpha,dh\n0,craig\n' >bad.csv
diagnoses "an unknown convention" 3 "^bad.csv:2:3: error: 'dh' must be modified or standard" info bad.csv
printf 't,q1\n0,1\n' >states.csv
diagnoses "other tables are no robots" 2 'states.csv:1:1: error: this is a CSV table, expected a robot file' info states.csv
