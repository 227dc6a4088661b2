# Reactions of joints, one state and along a trajectory.

# a boom of 2 kg on a turning mast of 1 kg, with a hook of 0.5 kg fixed to its end
cat >boom.yaml <<'END'
linkwork: 1
name: boom
gravity: [0, 0, -10]
joints:
  - name: mast
    type: revolute
    origin: {xyz: [0, 0, 1]}
    axis: [0, 0, 1]
    link: {mass: 1, com: [0, 0, 0.5], inertia: [0.021, 0.022, 0.003, 0, 0, 0]}
  - name: boom
    type: prismatic
    origin: {xyz: [0, 0, 1]}
    axis: [1, 0, 0]
    link: {mass: 2, com: [0, 0, 0], inertia: [0.003, 0.042, 0.041, 0, 0, 0]}
  - name: hook
    type: fixed
    origin: {xyz: [1, 0, 0]}
    link: {mass: 0.5, com: [0, 0, -0.5], inertia: [0.0011, 0.0012, 0.0003, 0, 0, 0]}
END
names=$(for joint in mast boom hook; do for c in rfx rfy rfz rnx rny rnz; do printf '%s.%s,' $c $joint; done; done)
names=${names%,}
gives "reactions at rest, by hand" "$names\n0,0,35,0,-55,0,0,0,25,0,-5,0,0,0,5,0,0,0\n" reactions boom.yaml --q 0,2
gives "a joint that accelerates" "$names\n2.5,0,35,0,-52.75,0,2.5,0,25,0,-5.25,0,0.5,0,5,0,-0.25,0\n" \
  reactions boom.yaml --q 0,2 --qdd 0,1
gives "link axes turn with the mast" "$names\n0,0,35,0,-55,0,0,0,25,0,-5,0,0,0,5,0,0,0\n" \
  reactions boom.yaml --q "180 deg,2"
gives "a wrench that holds the hook" "$names\n0,0,30,0,-40,0,0,0,20,0,0,0,0,0,0,0,0,0\n" \
  reactions boom.yaml --q 0,2 --wrench 0,0,5,0,0,0
run reactions boom.yaml --q "90 deg,2" --axes base
sed -n 2p out | awk -F, '{ exit !($3 == 35 && ($4 - 55) ^ 2 < 1e-24 && $5 ^ 2 < 1e-24) }' && [ $status -eq 0 ]
verdict "base axes"
says "the table" '^  hook +0 +0 +5 +0 +0 +0$' reactions boom.yaml --q 0,2 --format table
says "the table says whose axes" 'in the axes of the base$' reactions boom.yaml --q 0,2 --format table --axes base
json "json" '"rfz.mast": 35, .*"rnz.hook": 0' reactions boom.yaml --q 0,2
refuses "other axes" 2 "--axes: unknown axes 'world'; expected link or base" reactions boom.yaml --q 0,2 --axes world
refuses "no methods" 2 "'reactions' has one method only and takes no --method" reactions boom.yaml --q 0,2 --method kane
refuses "axes are for reactions" 2 "'inverse' takes no --axes" inverse boom.yaml --q 0,2 --axes base
refuses "too few positions" 2 '^linkwork: error: --q: 1 value given, boom needs 2' reactions boom.yaml --q 0
printf 'q1,q2\n0,2\n0,x\n' >bad.csv
run reactions boom.yaml --in bad.csv
[ $status -eq 3 ] && grep -q "^bad.csv:3:3: error: 'x' is not a finite number" err && [ "$(wc -l <out)" -eq 2 ]
verdict "a wrong line: those before it are answered"
run reactions boom.yaml --q 0,1e300 --qd 1e200,0 --out too_large.csv
[ $status -eq 4 ] && grep -q 'reactions: the answer is not finite' err && [ ! -e too_large.csv ]
verdict "values that are too large"

printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,2,0,0,0,0\n1,0,2,0,0,0,-1\n2,0,2,0,0,0,0\n' >motion.csv
run loads boom.yaml --trajectory motion.csv
[ $status -eq 0 ] && [ ! -s err ] && [ "$(head -n 1 out)" = joint,component,peak,time,rms,unit ] &&
  [ "$(wc -l <out)" -eq 25 ] && grep -q '^mast,rfx,-2.5,1,1.7677669529663689,N$' out &&
  grep -q '^mast,rny,-57.25,1,.*,N m$' out && grep -q '^hook,rf,5.0249378105604.*,1,' out
verdict "loads along a trajectory, by hand"
cp out loads.csv
run loads boom.yaml --in motion.csv
cmp -s out loads.csv
verdict "--in is --trajectory"
json "loads: json" '"joint": "hook", "component": "rfz", "peak": 5, "time": 0, "rms": 5, "unit": "N"' \
  loads boom.yaml --in motion.csv
says "loads: table" '^boom +rfz +25 +0 +25 +N$' loads boom.yaml --in motion.csv --format table
says "loads in base axes" '^mast,rfx,-2.5,1,' loads boom.yaml --in motion.csv --axes base
if command -v gnuplot >/dev/null 2>&1
then
  run loads boom.yaml --in motion.csv --plot loads.svg
  [ $status -eq 0 ] && grep -q '<svg' loads.svg && grep -q 'force rfx' loads.svg && grep -q 'hook' loads.svg
  verdict "loads: picture"
fi
refuses "loads without a trajectory" 2 '^linkwork: error: --trajectory is missing' loads boom.yaml
printf 'q1,q2,qd1,qd2,qdd1,qdd2\n0,2,0,0,0,0\n' >timeless.csv
refuses "loads without time" 3 "^timeless.csv:1:1: error: column 't' is missing" loads boom.yaml --in timeless.csv
printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n' >empty.csv
refuses "loads without samples" 3 'empty.csv: no samples' loads boom.yaml --in empty.csv
printf 't,q1,q2,qd1,qd2,qdd1,qdd2\n0,0,2,0,0,0,0\n0,0,2,0,0,0,0\n' >still.csv
refuses "time must increase" 3 '^still.csv:3:1: error: ' loads boom.yaml --in still.csv
refuses "a picture of another kind" 2 'loads.gif' loads boom.yaml --in motion.csv --plot loads.gif
run count boom.yaml
[ $status -eq 0 ] && grep -q '^reactions,newton-euler,[1-9]' out
verdict "reactions are counted"
says "in 113 bits" '^0,0,35,0,-55,0,' reactions boom.yaml --q 0,2 --precision quad
