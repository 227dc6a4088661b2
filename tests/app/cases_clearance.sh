# linkwork clearance, and shapes of links in robot files.
cat >gantry.yaml <<'END'
linkwork: 1
name: gantry
base: {name: table, shapes: [{shape: box, size: [1, 1, 0.1], place: {xyz: [0, 0, -0.05]}}]}
joints:
  - name: x
    type: prismatic
    origin: {xyz: [0, 0, 1]}
    axis: [1, 0, 0]
    link: {name: beam, mass: 1, shapes: [{shape: cylinder, radius: 100 mm, length: 0.4}]}
  - name: z
    type: prismatic
    parent: x
    origin: {xyz: [0, 0, 0]}
    axis: [0, 0, 1]
    link: {name: ram, mass: 1, shapes: [{shape: sphere, radius: 50 mm, place: {xyz: [0, 0, -0.5]}, use: collision}]}
  - name: arm
    type: prismatic
    parent: z
    origin: {xyz: [0, 0, 0]}
    axis: [0, 0, 1]
    link: {name: probe, mass: 1, shapes: [{shape: capsule, from: [0.3, 0, 0], to: [0.6, 0, 0], radius: 2 cm}]}
END
printf 't,q1,q2,q3\n0,0,0,0\n1,0,-0.2,0\n2,0.1,0,0\n' >slow.csv

# near NAME A B DISTANCE T: this pair of out has this least distance at this time
near()
{
  [ $status -eq 0 ] && awk -F, -v a="$2" -v b="$3" -v d="$4" -v t="$5" '
    $1 == a && $2 == b { e = $3 - d; found = e < 1e-9 && -e < 1e-9 && $4 == t } END { exit !found }' out
  verdict "$1"
}

header "clearance: columns" 'a,b,distance,t,ax,ay,az,bx,by,bz' clearance gantry.yaml --in slow.csv
near "clearance: a sphere above a box" table ram 0.25 1
near "clearance: a capsule beside a cylinder" beam probe 0.18 0
grep -q '^table,beam' out
[ $? -ne 0 ]
verdict "clearance: links with a joint between them are left out"
run clearance gantry.yaml --in slow.csv --floor 0.2 --box 1,0,1,0.2,0.2,0.2 --format csv
near "clearance: the floor" ram floor 0.05 1
near "clearance: a box" probe box1 0.18 2
run clearance gantry.yaml --in slow.csv --least 200mm
[ $status -eq 1 ] && grep -q 'beam and probe are 0.18 m apart at t = 0 s' err
verdict "clearance: --least"
run clearance gantry.yaml --in slow.csv --least 200mm --allow probe:beam
[ $status -eq 0 ]
verdict "clearance: --allow"
refuses "clearance: --allow of an unknown link" 2 "is called 'prob'" clearance gantry.yaml --in slow.csv --allow prob:beam
refuses "clearance: --allow of one link" 2 'is not a pair like a:b' clearance gantry.yaml --in slow.csv --allow beam
# a tetrahedron of 0.1 m instead of the sphere: its lowest point is its origin
{
  echo 'solid ram'
  for face in '100 0 100 0 100 100' '100 0 100 0 0 200'
  do
    echo "facet normal 0 0 0 outer loop vertex 0 0 0 vertex ${face% * * *} vertex ${face#* * * } endloop endfacet"
  done
  echo 'endsolid ram'
} >ram.stl
sed 's/shape: sphere, radius: 50 mm,/shape: mesh, file: ram.stl, scale: 0.001,/' gantry.yaml >mesh.yaml
run clearance mesh.yaml --in slow.csv
near "clearance: a mesh above a box" table ram 0.3 1
run plan $robots/ur5.yaml --cycle $robots/../examples/cycles/ur5_pick_and_place.yaml --out ur5.csv
run clearance $robots/ur5.yaml --in ur5.csv --floor 0 --least 5mm
[ $status -eq 0 ]
verdict "clearance: the cycle of the UR5"
# links of a four-bar that its pin holds together
for name in crank coupler rocker
do
  length=$(echo $name | awk '{ print $1 == "crank" ? 0.2 : $1 == "coupler" ? 1 : 0.5 }')
  printf '%s\n' "s/^      name: $name\$/&\n      shapes: [{shape: capsule, from: [0, 0, 0], to: [$length, 0, 0], radius: 5 mm}]/"
done >capsules.sed
sed -f capsules.sed $robots/four_bar.yaml >bars.yaml
printf 't,q.crank\n0,1.5707963267948966\n' >bars.csv
run clearance bars.yaml --in bars.csv --format csv
[ $status -eq 0 ] && grep -q '^crank,rocker,' out && ! grep -q '^coupler,rocker,' out
verdict "clearance: links with a loop between them are left out"
refuses "clearance: no shapes" 2 'no link of .* has shapes' clearance $robots/planar2r.yaml --in slow.csv
refuses "clearance: no --in" 2 '--in is missing' clearance gantry.yaml
sed 's/radius: 50 mm, //' gantry.yaml >wrong_shape.yaml
run clearance wrong_shape.yaml --in slow.csv
[ $status -eq 3 ] && grep -q "wrong_shape.yaml:15:49: error: a sphere needs 'radius'" err
verdict "clearance: a sphere without radius"
sed 's/radius: 50 mm/radius: 0/' gantry.yaml >wrong_shape.yaml
run clearance wrong_shape.yaml --in slow.csv
[ $status -eq 3 ] && grep -q 'sizes of a shape must be above 0' err
verdict "clearance: a radius of 0"

# A four-bar whose loop is open is none; nor is a quaternion that is no rotation
sed 's/^      com: .*/&\n      shapes: [{shape: sphere, radius: 10 mm}]/' "$robots/four_bar.yaml" >barred.yaml
"$linkwork" close barred.yaml --q 1 >closed.csv 2>/dev/null
cut -d, -f1-3 closed.csv >whole.csv
run clearance barred.yaml --in whole.csv --format csv
near "clearance: a closed four-bar" crank rocker 0.38 0
{ cat whole.csv; printf '1,1,1\n'; } >torn.csv
run clearance barred.yaml --in torn.csv
[ $status -eq 3 ] && grep -q 'torn.csv: row 2: the loops are not closed: a gap of' err
verdict "clearance: an open loop"
sed 's/name: satellite,/& shapes: [{shape: sphere, radius: 0.1}],/; s/name: gripper,/& shapes: [{shape: sphere, radius: 0.1}],/' "$robots/free_flyer.yaml" >flyer.yaml
printf 'q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13\n0,0,0,0,0,0,3,0,0,0,0,0,0\n' >stretched.csv
run clearance flyer.yaml --in stretched.csv
[ $status -eq 3 ] && grep -q "stretched.csv:2: the quaternion of joint 'base'" err
verdict "clearance: a quaternion of length 3"
