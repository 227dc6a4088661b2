# Joints and links by name: columns, values, the joints that move, the frame of pose and Jacobian.

# near NAME EXPECTED ARGUMENTS: exit 0, and the last line of csv has these numbers, to 1e-12; for a pose only its first 12,
# since the other forms of the rotation are tested elsewhere
near()
{
  name=$1
  expected=$2
  shift 2
  run "$@"
  [ $status -eq 0 ] && tail -n 1 out | awk -v expected="$expected" -F, '{
    count = split(expected, e, ",")
    if (count != NF && !(count == 12 && NF == 19)) exit 1
    for (i = 1; i <= count; ++i) if ($i - e[i] > 1e-12 || e[i] - $i > 1e-12) exit 1 }'
  verdict "$name"
}

# same NAME: the file other has the same numbers as out to 1e-12, line by line after the header
same()
{
  tail -n +2 out >left.txt
  tail -n +2 other >right.txt
  [ $status -eq 0 ] && [ -s left.txt ] && [ "$(wc -l <left.txt)" -eq "$(wc -l <right.txt)" ] &&
    paste -d, left.txt right.txt | awk -F, '{
      if (NF % 2) exit 1
      for (i = 1; i <= NF / 2; ++i) {
        d = $i - $(i + NF / 2)
        if (d > 1e-12 || d < -1e-12) exit 1
      } }'
  verdict "$1"
}

# --- output columns
header "names: inverse" 'tau.column,tau.slide' inverse crane.yaml --q 0,0 --names
header "names: forward" 'qdd.column,qdd.slide' forward crane.yaml --q 0,0 --names
header "names: inertia" 'M.column.column,M.column.slide,M.slide.column,M.slide.slide' \
  inertia crane.yaml --q 0,0 --names
header "names: bias" 'b.column,b.slide' bias crane.yaml --q 0,0 --names
header "names: gravity" 'g.column,g.slide' gravity crane.yaml --q 0,0 --names
header "names: coriolis" 'c.column,c.slide' coriolis crane.yaml --q 0,0 --names
header "names: jacobian" "J.vx.column,J.vx.slide,J.vy.column,J.vy.slide,J.vz.column,J.vz.slide,\
J.wx.column,J.wx.slide,J.wy.column,J.wy.slide,J.wz.column,J.wz.slide" jacobian crane.yaml --q 0,0 --names
header "names: energy has none" 'kinetic,potential' energy crane.yaml --q 0,0 --names
header "names: pose has none" 'x,y,z,r11,r12,r13,r21,r22,r23,r31,r32,r33,roll,pitch,yaw,qx,qy,qz,qw' pose crane.yaml --q 0,0 --names
json "names in json" '^ \{"tau.column": [-0-9.e]+, "tau.slide": ' inverse crane.yaml --q 0,0 --names
says "names in a table" '^  tau.slide +[-0-9.e]+ N$' inverse crane.yaml --q 0,0 --names --format table
says "names in a table of a matrix" '^  slide ' inertia crane.yaml --q 0,0 --names --format table
header "odd names in csv" '"tau.left, upper",tau.a.b,tau.x=y,tau.Gelenk ü' inverse odd_names.yaml --q 0,0,0,0 --names
json "odd names in json" '"M.left, upper.Gelenk ü": ' inertia odd_names.yaml --q 0,0,0,0 --names
says "names without names are numbers" '^tau1,tau2,tau3,tau4$' inverse odd_names.yaml --q 0,0,0,0

# --- input columns
printf 'q1,q2,q3,q4,qd1,qd2,qd3,qd4\n0.1,0.2,0.3,0.4,1,2,3,4\n-1,0.5,0.25,2,4,3,2,1\n' >numbers.csv
printf '"qd.x=y",qd.a.b,q.Gelenk ü,"q.left, upper",q.a.b,q.x=y,"qd.left, upper",qd.Gelenk ü\n' >names.csv
printf '3,2,0.4,0.1,0.2,0.3,1,4\n2,3,2,-1,0.5,0.25,4,1\n' >>names.csv
run coriolis odd_names.yaml --in numbers.csv --names
cp out expected_rows
run coriolis odd_names.yaml --in names.csv --names
[ $status -eq 0 ] && cmp -s out expected_rows
verdict "columns by name, in any order, some quoted"
printf 'q1,"q.a.b",q3,q.Gelenk ü,qd4,qd.x=y,qd1,qd.a.b\n' >mixed.csv
printf '0.1,0.2,0.3,0.4,4,3,1,2\n-1,0.5,0.25,2,1,2,4,3\n' >>mixed.csv
run coriolis odd_names.yaml --in mixed.csv --names
[ $status -eq 0 ] && cmp -s out expected_rows
verdict "columns by name and by number"
says "a table of many states by name" '^state +c.left, upper +c.a.b' coriolis odd_names.yaml --in mixed.csv --names --format table
run inverse odd_names.yaml --in names.csv --names
cp out tau_names.csv
paste -d, names.csv tau_names.csv >forward_names.csv
run forward odd_names.yaml --in forward_names.csv --names
[ $status -eq 0 ] && awk -F, 'NR == 1 { next } { for (i = 1; i <= NF; ++i) if ($i > 1e-12 || $i < -1e-12) exit 1 }' out
verdict "forward reads what inverse writes by name"

# refuses_names NAME PATTERN HEADER: a file of states with this header is refused for the odd robot
refuses_names()
{
  printf '%b\n1,1,1,1\n' "$3" >states.csv
  refuses "$1" 3 "$2" gravity odd_names.yaml --in states.csv
}
refuses_names "names: unknown" "^states.csv:1:1: error: unknown column 'q.a.c'.*did you mean 'q.a.b'" 'q.a.c,q2,q3,q4'
refuses_names "names: twice" "^states.csv:1:4: error: column 'q.left, upper' comes twice, first as 'q1'" 'q1,"q.left, upper",q3,q4'
refuses_names "names: fixed joint" "^states.csv:1:1: error: column 'q.camera' is of a joint that is fixed" 'q.camera,q2,q3,q4'
refuses_names "names: missing" "^states.csv:1:1: error: column 'q.x=y' is missing, expected those of all 4 moving" 'q1,q.a.b,qd.a.b,q4'
refuses_names "names: of a link" "error: unknown column 'q.wrist'" 'q.wrist,q2,q3,q4'
refuses_names "names: without quotes" "error: unknown column 'q.left'" 'q.left, upper,q2,q3,q4'
refuses_names "names: nothing after the point" "error: unknown column 'q\.'" 'q.,q2,q3,q4'
awk 'BEGIN { print "linkwork: 1\njoints:"
  for (i = 0; i < 150; ++i) {
    name = sprintf("%0900d", i)
    printf "  - {name: \"j%s\", type: revolute, a: 0.1, link: {mass: 1, com: [0.1, 0, 0]}}\n", name
    head = head (i ? "," : "") "q.j" name; row = row (i ? "," : "") "0"
  }
  print head "\n" row >"long_names.csv" }' >long_names.yaml
run gravity long_names.yaml --in long_names.csv --names
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 2 ]
verdict "a header of very long names"

# --- one state by name
run gravity odd_names.yaml --q 0.1,0,0.25,0.5235987755982988
cp out other
run gravity odd_names.yaml --q 'Gelenk ü=30 deg, x=y = 0.25,"left, upper=0.1"'
cmp -s out other
verdict "values by name, the others zero"
run inverse odd_names.yaml --q 0,1,0,0 --qd 0,0,2,0 --qdd 0,0,0,3
cp out other
run inverse odd_names.yaml --q a.b=1 --qd x=y=2 --qdd 'Gelenk ü=3'
cmp -s out other
verdict "velocities and accelerations by name"
refuses "values by name: unknown" 2 "--q: crane \"A\", 2 has no moving joint 'colum', did you mean 'column'" \
  gravity crane.yaml --q colum=1
refuses "values by name: twice" 2 "--q: joint 'slide' is named twice" gravity crane.yaml --q slide=1,slide=2
refuses "values by name: fixed joint" 2 "no moving joint 'tool'" gravity crane.yaml --q tool=1
refuses "values by name: no number" 2 "--q: the value of 'slide', 'x', is wrong, expected a finite number in m, or like 120 mm" gravity crane.yaml --q slide=x
refuses "values by name: some without" 2 "--q: '1' is not NAME=VALUE" gravity crane.yaml --q slide=1,1
refuses "values by name: not finite" 2 "expected a finite number in m" gravity crane.yaml --q slide=1e999
refuses "values by name: degrees for a prismatic joint" 2 "the value of 'slide', '1 deg', is wrong, expected a finite number in m" gravity crane.yaml --q 'slide=1 deg'
refuses "values by name: degrees for a speed" 2 "--qd: the value of 'column', '1 deg', is wrong, expected a finite number in rad.s" \
  inverse crane.yaml --q column=0 --qd 'column=1 deg'

# --- joints that move
near "joints: the slide is held" 1.35 inertia crane.yaml --joints column --at slide=0.5 --q 1
near "joints: held at zero" 0.6 inertia crane.yaml --joints column --q 1
near "joints: held at an angle" 0.75,1.299038105676658,0,0.5,-0.8660254037844386,0,0.8660254037844386,0.5,0,0,0,1 \
  pose crane.yaml --joints slide --at 'column = 60 deg' --q 0.5
header "joints: columns" 'tau1' inverse crane.yaml --joints slide --q 0
header "joints: columns by name, in the order of the robot" 'tau.a.b,tau.Gelenk ü' \
  inverse odd_names.yaml --joints 'Gelenk ü,a.b' --q 0,0 --names
printf '"q.left, upper",q.a.b,q.x=y,q.Gelenk ü,qd.a.b,qd.Gelenk ü,"qd.left, upper",qd.x=y\n' >whole.csv
printf '0.4,0.1,-0.3,0.2,1,2,0,0\n0.4,-1,-0.3,2,-2,0.5,0,0\n' >>whole.csv
printf 'q.Gelenk ü,qd.a.b,q.a.b,qd2\n0.2,1,0.1,2\n2,-2,-1,0.5\n' >part.csv
for question in inverse bias gravity coriolis
do
  run $question odd_names.yaml --in whole.csv
  cut -d, -f2,4 out >other
  run $question odd_names.yaml --in part.csv --joints 'a.b,Gelenk ü' --at '"left, upper=0.4",x=y=-0.3'
  same "joints: $question of the held robot is that of the whole one"
done
run inertia odd_names.yaml --in whole.csv
cut -d, -f6,8,14,16 out >other
run inertia odd_names.yaml --in part.csv --joints 'a.b,Gelenk ü' --at '"left, upper=0.4",x=y=-0.3'
same "joints: inertia of the held robot is that of the whole one"
for question in energy pose
do
  run $question odd_names.yaml --in whole.csv
  cp out other
  run $question odd_names.yaml --in part.csv --joints 'a.b,Gelenk ü' --at '"left, upper=0.4",x=y=-0.3'
  same "joints: $question of the held robot is that of the whole one"
done
run jacobian odd_names.yaml --in whole.csv
cut -d, -f2,4,6,8,10,12,14,16,18,20,22,24 out >other
run jacobian odd_names.yaml --in part.csv --joints 'a.b,Gelenk ü' --at '"left, upper=0.4",x=y=-0.3'
same "joints: jacobian of the held robot is that of the whole one"
run check odd_names.yaml --joints 'a.b,Gelenk ü' --at 'x=y=-0.3' --states 5
[ $status -eq 0 ]
verdict "joints: check"
run check odd_names.yaml --joints 'a.b,Gelenk ü' --at 'x=y=-0.3' --state 2
[ $status -eq 0 ] && grep -q -- "--joints 'a.b,Gelenk ü' --at 'x=y=-0.3' --q" err
verdict "joints: check says how to see a state"
says "joints: count" '^inverse,newton-euler,' count odd_names.yaml --joints a.b
says "joints: info in words" "joint 'x=y': held at -0.25 m; link 'a.b' is part of link 'base'" \
  info odd_names.yaml --joints 'Gelenk ü' --at x=y=-0.25
says "joints: info, angles" "joint 'column': held at 1.0471975511965976 rad; link 'column' is part of" \
  info crane.yaml --joints slide --at 'column=60 deg'
json "joints: info as json" '"name": "x=y", "type": "fixed", "q": null,.*"held_at": -0.3' \
  info odd_names.yaml --joints 'Gelenk ü' --at x=y=-0.3
json "joints: info as json, the one that moves" '"name": "Gelenk ü", "type": "revolute", "q": 1,.*"held_at": null' \
  info odd_names.yaml --joints 'Gelenk ü' --at x=y=-0.3
says "joints: single precision" '^1\.3(5|49999)' inertia crane.yaml --joints column --at slide=0.5 --q 1 --precision single
says "joints: a warning outside the limits" "warning: joint 'column': held at 4 rad, outside its limits \(-3 to 3\)" \
  lint crane.yaml --joints slide --at column=4
run gravity crane.yaml --joints slide --at column=4 --q 0
[ $status -eq 0 ] && grep -q "1 warning; 'linkwork lint crane.yaml' with the same --joints and --at shows it" err
verdict "joints: the warning is counted"
refuses "joints: the warning is an error with --strict" 2 "held at 4 rad, outside its limits" \
  gravity crane.yaml --joints slide --at column=4 --q 0 --strict
refuses "joints: unknown" 2 "there is no joint 'colum' to be free; did you mean 'column'" gravity crane.yaml --joints colum --q 0
refuses "joints: unknown to lint" 2 "there is no joint 'colum' to be free" lint crane.yaml --joints colum
refuses "joints: hopeless" 2 "no joint 'xyzxyz' to be free; moving joints: column, slide" gravity crane.yaml --joints xyzxyz --q 0
refuses "joints: fixed" 2 "joint 'tool' is fixed" gravity crane.yaml --joints tool --q 0
refuses "joints: twice" 2 "joint 'slide' is named twice" gravity crane.yaml --joints slide,slide --q 0
refuses "joints: an empty name" 2 "--joints: a name is empty" gravity crane.yaml --joints slide, --q 0
refuses "joints: none" 2 "--joints: a name is empty" gravity crane.yaml --joints '' --q 0
refuses "joints: open quote" 2 "--joints: a quote is not closed" gravity crane.yaml --joints '"slide' --q 0
refuses "joints: of a generic chain" 2 "--joints needs a ROBOT" count --dof 3 --joints a
refuses "joints: the state of the whole robot" 2 "2 values given, .* needs 1" gravity crane.yaml --joints slide --q 0,0
refuses "at: without joints" 2 "--at without --joints" gravity crane.yaml --at slide=1 --q 0,0
refuses "at: of a free joint" 2 "joint 'slide' is to be held and to stay free" \
  gravity crane.yaml --joints slide --at slide=1 --q 0
refuses "at: unknown" 2 "no joint 'colunm' to be held; did you mean 'column'" gravity crane.yaml --joints slide --at colunm=1 --q 0
refuses "at: fixed" 2 "joint 'tool' is fixed" gravity crane.yaml --joints slide --at tool=1 --q 0
refuses "at: twice" 2 "joint 'column' is named twice" gravity crane.yaml --joints slide --at column=1,column=1 --q 0
refuses "at: no value" 2 "--at: 'column' is not NAME=VALUE" gravity crane.yaml --joints slide --at column --q 0
refuses "at: no number" 2 "--at: 'column=' is not NAME=VALUE" gravity crane.yaml --joints slide --at column= --q 0
refuses "at: no name" 2 "--at: a name is empty" gravity crane.yaml --joints slide --at =1 --q 0
refuses "at: NaN" 2 "with a finite number" gravity crane.yaml --joints slide --at column=nan --q 0
refuses "at: unknown unit" 2 "is not NAME=VALUE" gravity crane.yaml --joints slide --at 'column=1 grad' --q 0
refuses "at: an angle for a prismatic joint" 2 "joint 'slide' slides and cannot be held at an angle" \
  gravity crane.yaml --joints column --at 'slide=30 deg' --q 0
printf 'q.column,q.slide\n0,0\n' >states.csv
refuses "joints: a column of a held joint" 3 "^states.csv:1:1: error: column 'q.column' is of a joint that is held" \
  gravity crane.yaml --joints slide --in states.csv
refuses "joints: snakes have none" 2 "takes no --joints" snake check "$robots/snakes/table2_n3.yaml" --joints a

# --- frames
near "link: the last one" 1.5,0,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --q 0,0.5 --link hook
near "link: by its joint" 1.5,0,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --q 0,0.5 --link tool
near "link: named as its joint" 0.5,0,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --q 0,0.5 --link slide
gives "link: the base" 'x,y,z,r11,r12,r13,r21,r22,r23,r31,r32,r33,roll,pitch,yaw,qx,qy,qz,qw\n0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,1\n' \
  pose crane.yaml --q 1,0.5 --link base
near "link: a tool on it" 0.5,0.25,-1,0,-1,0,1,0,0,0,0,1 pose crane.yaml --q 0,0.5 --link slide --tool '0,0.25,-1,0,0,90 deg'
near "link: a tool on the last one" 1.5,2,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --q 0,0.5 --tool 0,2,0
near "link: jacobian of a tool" -0.25,1,0.5,0,0,0,0,0,0,0,1,0 jacobian crane.yaml --q 0,0.5 --link slide --tool 0,0.25,0
near "link: jacobian of a link in the middle" 0,0,0,0,0,0,0,0,0,0,1,0 jacobian crane.yaml --q 0,0.5 --link column
near "link: jacobian of the base" 0,0,0,0,0,0,0,0,0,0,0,0 jacobian crane.yaml --q 0,0.5 --link base --tool 1,1,1
near "link: a link wins over the joint of the same name" 0.5,0,0.125,1,0,0,0,1,0,0,0,1 \
  pose odd_names.yaml --q 0,0,0.125,0 --link a.b
near "link: on a fixed joint" 1.8,0,0.2,0,-1,0,1,0,0,0,0,1 pose odd_names.yaml --q 0,0,0,0 --link lens
says "link: in the table" '^frame of link slide in the base frame$' pose crane.yaml --q 0,0 --link slide --format table
says "link: a tool in the table" '^velocity of the frame of the tool on link hook in the base frame' \
  jacobian crane.yaml --q 0,0 --tool 0,0,1 --format table
printf 'q.column,q.slide\n0,0.5\n0,1\n' >states.csv
near "link: of many states, the last" 1,1,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --in states.csv --link slide --tool 0,1,0
run pose crane.yaml --q 0,0.5 --link slide --tool 0,1,0
tail -n 1 out >other
run pose crane.yaml --in states.csv --link slide --tool 0,1,0
[ "$(sed -n 2p out)" = "$(cat other)" ] && [ "$(wc -l <out)" -eq 3 ]
verdict "link: of many states, the first, to the last bit"
near "link: of a joint that is held" 0.5,0,0,1,0,0,0,1,0,0,0,1 pose crane.yaml --joints column --at slide=0.5 --q 0 --link slide
says "link: single precision" '^0\.(5|49999)[0-9]*,0\.(25|24999)[0-9]*,' pose crane.yaml --q 0,0.5 --link slide --tool 0,0.25,0 --precision single
refuses "link: unknown" 2 "--link: crane \"A\", 2 has no link 'hok', did you mean 'hook'\? There are: base, column, slide, hook" \
  pose crane.yaml --q 0,0 --link hok
refuses "link: hopeless" 2 "has no link 'yyyyyyyy', expected one of base, column, slide, hook$" jacobian crane.yaml --q 0,0 --link yyyyyyyy
refuses "link: of another command" 2 "'inverse' takes no --link" inverse crane.yaml --q 0,0 --link hook
refuses "tool: too few" 2 "--tool: 2 values given, expected 3" pose crane.yaml --q 0,0 --tool 1,2
refuses "tool: four" 2 "--tool: 4 values given" pose crane.yaml --q 0,0 --tool 1,2,3,4
refuses "tool: too many" 2 "--tool: 7 values given, expected 3" pose crane.yaml --q 0,0 --tool 1,2,3,4,5,6,7
refuses "tool: no number" 2 "--tool: value 2, 'b'" pose crane.yaml --q 0,0 --tool 1,b,3
refuses "tool: empty" 2 "--tool: 0 values given" pose crane.yaml --q 0,0 --tool ''
refuses "tool: not finite" 2 "--tool: value 3, '1e999'" pose crane.yaml --q 0,0 --tool 0,0,1e999
refuses "tool: a length in degrees" 2 "--tool: value 1, '1 deg'" pose crane.yaml --q 0,0 --tool '1 deg,0,0'

# --- info for programs
json "info: placement with axis" '"origin": \{"xyz": \[1, 0, 0\], "rpy": \[0, 0, 0\]\}, "axis": null' info crane.yaml
json "info: placement in DH" '"dh": "modified", "alpha": 0, "a": 1, "d": 0, "theta": 0' info odd_names.yaml
json "info: bodies" '"link": "wrist", "mass": 1, "com": \[0.5, 0.1, 0\], "inertia": \[0.01, ' info odd_names.yaml
json "info: parents" '"name": "x=y",.*"parent": "left, upper", "parent_link": "arm of \\"odd\\""' info odd_names.yaml
json "info: motors and friction" '"friction": \{"viscous": 5.8[0-9]*, "coulomb": 25.9[0-9]*\}, "motor": \{"resistance": 2.1' \
  info "$robots/puma560.yaml"
json "info: base" '^"base": \{"link": "base", "mass": 0, "com": \[0, 0, 0\]' info crane.yaml

# --- robots in URDF, with a joint that mimics another
gripper=$robots/gripper_arm.urdf
header "urdf: names" 'g.j1_turn,g.j2_shoulder,g.j3_elbow,g.j4_roll,g.j5_bend,g.j6_flange,g.finger_left' \
  gravity "$gripper" --q j3_elbow=1 --names
header "urdf: joints" 'g.j2_shoulder,g.j3_elbow' gravity "$gripper" --q j3_elbow=1 --names \
  --joints j3_elbow,j2_shoulder --at finger_left=0.02
run pose "$gripper" --q 0,0,0,0,0,0,0.02 --link right_finger
cp out other
run pose "$gripper" --q 0 --joints j1_turn --at finger_left=0.02 --link right_finger
same "urdf: a joint that mimics a held joint is fixed accordingly"
refuses "urdf: a joint that mimics is not named" 2 "joint 'finger_right' mimics 'finger_left', expected an independent joint to be free" \
  gravity "$gripper" --joints finger_right --q 0
header "urdf: unless it is independent" 'g.finger_right' gravity "$gripper" --joints finger_right --q 0 --names --mimic independent
printf 'q.finger_right\n0\n' >states.csv
refuses "urdf: a column of a joint that mimics" 3 "column 'q.finger_right' is of a joint that mimics another" \
  gravity "$gripper" --in states.csv
gives "urdf: the base by its name" 'x,y,z,r11,r12,r13,r21,r22,r23,r31,r32,r33,roll,pitch,yaw,qx,qy,qz,qw\n0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,1\n' \
  pose "$gripper" --q j1_turn=1 --link "$("$linkwork" info "$gripper" | sed -n 's/^base: *\([^,]*\),.*/\1/p')"
