# linkwork lint on files as exported by other programs, and mass properties estimated from shapes.

# urdf INERTIAL SHAPES: an arm of one joint whose link has these elements
urdf()
{
  cat >slip.urdf <<END
<robot name="slip">
  <link name="stand"/>
  <link name="arm">
    $1
    $2
  </link>
  <joint name="turn" type="revolute">
    <parent link="stand"/> <child link="arm"/>
    <origin xyz="0 0 0.5"/> <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
</robot>
END
}

# inertial MASS IXX IYY IZZ
inertial()
{
  echo "<inertial><origin xyz='0 0 0.2'/><mass value='$1'/>
    <inertia ixx='$2' iyy='$3' izz='$4' ixy='0' ixz='0' iyz='0'/></inertial>"
}

box='<collision><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision>'

# lints NAME LINE PATTERN HINT INERTIAL SHAPES: exactly one warning, at this line, that matches, with this hint
lints()
{
  urdf "$5" "$6"
  run lint slip.urdf
  [ $status -eq 0 ] && grep -Eq "^slip.urdf:$2:[0-9]+: warning: .*$3" out && grep -Eq "^  hint: .*$4" out &&
    grep -q '^0 errors, 1 warning$' out
  verdict "lint: $1"
}

urdf "$(inertial 4 0.0567 0.0567 0.0067)" "$box"
gives "lint of a sound URDF" '0 errors, 0 warnings\n' lint slip.urdf
lints "inertia in kg mm^2" 5 'radius of gyration .* half the diagonal of its shapes' 'in kg mm\^2' \
  "$(inertial 4 56700 56700 6700)" "$box"
lints "inertia in g mm^2, without shapes" 5 'radius of gyration .* the reach' 'in g mm\^2' \
  "$(inertial 4 5.67e7 5.67e7 6.7e6)" ''
lints "mass in g" 4 'density 1e\+06' 'in g' "$(inertial 4000 56.7 56.7 6.7)" "$box"
lints "the identity" 5 'the identity' 'estimate-inertia' "$(inertial 4 1 1 1)" "$box"
lints "the unit cube" 5 'cube with sides of 1 m' 'estimate-inertia' \
  "$(inertial 1 0.166667 0.166667 0.166667)" ''
lints "a point mass" 5 'is a point' 'leave it out' "$(inertial 4 0 0 0)" ''
lints "a light box" 4 'density 25 kg/m\^3' 'kg' "$(inertial 0.1 0.001417 0.001417 0.000167)" "$box"
urdf '' "$box"
run lint slip.urdf
[ $status -eq 0 ] && grep -q '^slip.urdf:3:15: warning: .*it moves and has shapes, but no mass' out &&
  grep -q 'hint: --estimate-inertia fills' out
verdict "lint: no mass"
sed 's/lower="-1" upper="1"/lower="-90" upper="90"/' slip.urdf >degrees.urdf
run lint degrees.urdf --estimate-inertia
[ $status -eq 0 ] && grep -Eq '^degrees.urdf:[0-9]+:[0-9]+: warning: .*as if they were in degrees' out
verdict "lint: limits in degrees"
urdf "$(inertial 4 0.0567 0.0567 0.0067)" "$box"
sed '/<limit/d' slip.urdf >unlimited.urdf
run lint unlimited.urdf
[ $status -eq 0 ] && grep -Eq '^unlimited.urdf:[0-9]+:[0-9]+: warning: .*has no <limit>' out
verdict "lint: no limits"

# --- estimates: the box of 0.1 x 0.1 x 0.4 m has 4 kg at 1000 kg/m^3, and 1/12 m (a^2 + b^2) about its middle
# estimates NAME YY PATTERN ARGUMENTS: a warning that matches, and this inertia about the joint (y) at q = 0
estimates()
{
  name=$1
  expected=$2
  pattern=$3
  shift 3
  run lint slip.urdf --estimate-inertia "$@"
  cp out said
  run inertia slip.urdf --q 0 --estimate-inertia "$@"
  grep -Eq -- "$pattern" said && [ $status -eq 0 ] &&
    awk -v wanted="$expected" 'NR == 2 { exit !(($1 / wanted - 1)^2 < 1e-24) }' out
  verdict "estimate: $name"
}

urdf '' "$box"
estimates "box" 0.2166666666666667 'mass, 4 kg, .* collision box, at 1000 kg/m\^3'
estimates "--density" 0.1083333333333333 'mass, 2 kg, .* at 500 kg/m\^3' --density 500
urdf '<inertial><origin xyz="0 0 0.2"/><mass value="2"/></inertial>' "$box"
estimates "mass without inertia" 0.1083333333333333 'inertia is estimated .* mass of 2 kg'
urdf "$(inertial 2 0 0 0)" "$box"
estimates "zeros for the inertia" 0.1083333333333333 'inertia is estimated'
urdf '' '<visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.1" length="0.3"/></geometry></visual>'
# pi 0.01 0.3 1000 kg; (3 r^2 + l^2) / 12 + 0.2^2
estimates "cylinder" 0.471238898038469 'visual cylinder'
urdf '' '<collision><geometry><sphere radius="0.1"/></geometry></collision>'
estimates "sphere" 0.01675516081914556 'collision sphere'

# the box as STL in mm, half of it in a package
mkdir -p parts_package/meshes
awk 'function v(k) { return sprintf("%g %g %g", k % 2 ? 50 : -50, int(k / 2) % 2 ? 50 : -50, int(k / 4) % 2 ? 200 : -200) }
  function face(a, b, c) { printf "facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n", v(a), v(b), v(c) }
  BEGIN { print "solid box"
    face(0, 2, 1); face(1, 2, 3); face(4, 5, 6); face(5, 7, 6); face(0, 1, 4); face(1, 5, 4)
    face(2, 6, 3); face(3, 6, 7); face(0, 4, 2); face(2, 4, 6); face(1, 3, 5); face(3, 7, 5)
    print "endsolid box" }' >parts_package/meshes/box.stl
cp parts_package/meshes/box.stl box.stl
mesh()
{
  echo "<collision><origin xyz='0 0 0.2'/><geometry><mesh filename='$1' scale='0.001 0.001 0.001'/></geometry></collision>"
}
urdf '' "$(mesh box.stl)"
estimates "mesh beside the file" 0.2166666666666667 'collision mesh'
urdf '' "$(mesh package://parts_package/meshes/box.stl)"
estimates "mesh of a package beside the file" 0.2166666666666667 'collision mesh'
mkdir -p elsewhere
mv parts_package elsewhere/parts_package
estimates "--package-path" 0.2166666666666667 'collision mesh' --package-path /nowhere:elsewhere
run lint slip.urdf --estimate-inertia
[ $status -eq 0 ] && grep -q 'cannot be estimated: mesh .*there is no such file' out && grep -q 'hint: --package-path' out
verdict "estimate: a missing mesh is reported"
urdf "$(inertial 4 0.0567 0.0567 0.0067)" \
  '<collision><geometry><mesh filename="box.stl"/></geometry></collision>'
run lint slip.urdf
[ $status -eq 0 ] && grep -q 'scale="0.001 0.001 0.001"' out
verdict "lint: a mesh in mm without scale"
urdf '' "$(mesh box.ply)"
run lint slip.urdf --estimate-inertia
[ $status -eq 0 ] && grep -q 'only STL, OBJ and DAE can be measured' out
verdict "estimate: unsupported meshes are reported"
run info slip.urdf
[ $status -eq 0 ]
verdict "shapes that cannot be measured do not matter"
refuses "--density without --estimate-inertia" 2 '--density is for --estimate-inertia' info slip.urdf --density 100
refuses "--density of nothing" 2 "expected kg/m\^3" info slip.urdf --estimate-inertia --density 0
urdf '' "$box"
run convert slip.urdf full.yaml --estimate-inertia --drop shapes
[ $status -eq 0 ] && grep -Eq '^      mass: 4(\.0{10}[0-9]+)?$' full.yaml
verdict "convert writes what was estimated"
run convert slip.urdf full.urdf --estimate-inertia
[ $status -eq 0 ] && grep -q '<box size="0.1 0.1 0.4"/>' full.urdf && grep -Eq '<mass value="4(\.0{10}[0-9]+)?"/>' full.urdf
verdict "convert keeps shapes in URDF"

# --- angles in degrees, and accepted warnings
# arm ACCEPT ALPHA: a robot file of two joints
arm()
{
  printf 'linkwork: 1\n%s\njoints:\n' "$1" >accept.yaml
  for joint in "a, type: revolute, alpha: 0" "b, type: revolute, alpha: $2"
  do
    echo "  - {name: $joint, a: 0, d: 0, theta: 0, link: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}"
  done >>accept.yaml
}
arm 'name: arm' -90
says "lint: a DH angle in degrees" "^accept.yaml:5:[0-9]+: warning: joint 'b': alpha = -90 rad is more than a turn.* \[angle-in-degrees\]$" \
  lint accept.yaml
json "lint: the id of a warning" '"id": "angle-in-degrees"' lint accept.yaml
arm 'name: arm' -6.28318530717958647
says "lint: a whole turn is no warning" '^0 errors, 0 warnings$' lint accept.yaml
for accept in angle-in-degrees 'angle-in-degrees b' 'density, angle-in-degrees b'
do
  arm "accept: [$accept]" -90
  says "lint: accept [$accept]" '^0 errors, 0 warnings$' lint accept.yaml --strict
done
arm 'accept: [angle-in-degrees a]' -90
says "lint: accepted for another joint" '^0 errors, 1 warning$' lint accept.yaml
arm 'accept: [angle-in-degree]' 0
diagnoses_lint()
{
  run lint accept.yaml
  [ $status -eq 3 ] && grep -Eq "$2" out
  verdict "lint: $1"
}
diagnoses_lint "accept an unknown warning" "^accept.yaml:2:10: error: unknown warning 'angle-in-degree' in 'accept'"
arm 'accept: triangle-rule' 0
diagnoses_lint "accept is not a list" "^accept.yaml:2:9: error: 'accept' must be a list like"
arm 'accept: [[a]]' 0
diagnoses_lint "accept of a list" "^accept.yaml:2:10: error: 'accept' must be a list of warnings"
arm 'accept: [angle-in-degrees b]' -90
run convert accept.yaml other.yaml
run lint other.yaml
[ $status -eq 0 ] && grep -q '^0 errors, 0 warnings$' out && grep -q 'angle-in-degrees b' other.yaml
verdict "convert keeps what is accepted"
for robot in "$robots"/*.yaml
do
  says "lint: $(basename "$robot") is silent" '^0 errors, 0 warnings$' lint "$robot"
done

# --- warnings accepted in the file or on the command line
cat >slack.urdf <<'END'
<robot name="slack"><link name="base"/>
 <link name="arm"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
 <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 2"/></joint></robot>
END
run lint slack.urdf
[ $status -eq 0 ] && grep -q '\[no-limit\]' out && grep -q '\[axis-length\]' out && [ "$(tail -n 1 out)" = "0 errors, 2 warnings" ]
verdict "lint: warnings of URDF have ids"
gives "lint --accept" '0 errors, 0 warnings\n' lint slack.urdf --accept "no-limit turn, axis-length" --strict
run lint slack.urdf --accept "no-limit other"
[ "$(tail -n 1 out)" = "0 errors, 2 warnings" ]
verdict "lint --accept: of another joint"
refuses "lint --accept: unknown" 2 "unknown warning 'no-limt'; did you mean 'no-limit'" lint slack.urdf --accept no-limt
gives "--accept with --strict" 'g1\n0\n' gravity slack.urdf --q 0 --strict --accept no-limit,axis-length
printf 'linkwork: 1\nsnake: {count: 3, link: {length: 0.2, mass: 1, inertia: 9}}\n' >heavy.yaml
says "lint: a snake" '\[gyration-radius\]' lint heavy.yaml
printf 'accept: [gyration-radius]\n' >>heavy.yaml
gives "lint: what a snake accepts" '0 errors, 0 warnings\n' lint heavy.yaml --strict
printf 'linkwork: 1\nmaterials: {foam: 1}\nlinks:\n  - name: a\n    parts: [{name: b, sections: [{shape: box, x: 1, y: 1, z: 1, material: foam}]}]\n' >foam.yaml
run lint foam.yaml
[ $status -eq 0 ] && grep -q '\[density\]' out
verdict "lint: a parts file"
printf 'accept: [density foam]\n' >>foam.yaml
gives "lint: what a parts file accepts" '0 errors, 0 warnings\n' lint foam.yaml --strict
printf 'linkwork: 1\naccept: [densty]\nlinks: []\n' >foam.yaml
diagnoses "lint: parts, an unknown id" 3 "foam.yaml:2:10: error: unknown warning 'densty' in 'accept'" parts foam.yaml
for file in "$robots"/*.yaml "$robots"/*.urdf "$robots"/snakes/*.yaml "$robots"/../parts/ddarm.yaml "$robots"/../scenarios/*.yaml
do
  gives "lint: shipped and silent, $(basename "$file")" '0 errors, 0 warnings\n' lint "$file" --strict
done

# --- studies, with all that they name
for study in "$robots"/../studies/*.yaml
do
  says "lint of a study: ${study##*/}" '^0 errors, [0-9]+ warnings?$' lint "$study"
done
sed "s|\.\./robots|$robots|; s/mass, uniform/mas, uniform/" "$robots/../studies/puma_payload.yaml" >study.yaml
run lint study.yaml
[ $status -eq 3 ] && grep -q '^study.yaml:19:18: error: ' out && ! grep -q 'in a robot' out && tail -n 1 out | grep -Eq '^[1-9][0-9]* errors?, '
verdict "lint of a study: what is wrong in it"
diagnoses "a study as a robot" 2 'study.yaml:5:1: error: this is a study file, expected a robot file' info study.yaml
printf 'linkwork: 1\nrun: {}\nvary: {}\n' >study.yaml
run lint study.yaml
[ $status -eq 3 ] && ! grep -q 'in a robot' out
verdict "lint of a study: without its name"
sed 's/type: revolute/&\n    limits: {lower: -170, upper: 1}/' "$robots/planar2r.yaml" >turns.yaml
says "lint: a lower limit alone in degrees" '\[limits-in-degrees\]' lint turns.yaml
for cycle in "$robots"/../examples/cycles/*.yaml
do
  says "lint of a cycle: ${cycle##*/}" '^0 errors, 0 warnings$' lint "$cycle"
done
sed "s|\.\./\.\./robots|$robots|; s/line: pick/lines: pick/" "$robots/../examples/cycles/pick_and_place.yaml" >cycle.yaml
run lint cycle.yaml
[ $status -eq 3 ] && grep -q "unknown key 'lines'" out && ! grep -q 'in a scenario' out
verdict "lint of a cycle: what is wrong in it"
sed -i '/^robot:/d' cycle.yaml
run lint cycle.yaml
[ $status -eq 3 ] && grep -q "the key 'robot' is needed" out
verdict "lint of a cycle: without a robot"
sed "s|\.\./\.\./robots|nowhere|" "$robots/../examples/cycles/pick_and_place.yaml" >cycle.yaml
run lint cycle.yaml
[ $status -eq 3 ] && grep -q "cycle.yaml:[0-9]*:8: error: 'nowhere/puma560.yaml'" out
verdict "lint of a cycle: without its robot"
diagnoses "a cycle as a robot" 2 'this is a cycle file, expected a robot file' info cycle.yaml
diagnoses "a cycle as a scenario" 2 'this is a cycle file, expected a scenario file' simulate cycle.yaml
diagnoses "options of robots for a cycle" 2 'has no effect on the robots of a cycle file' lint cycle.yaml --strict
refuses "lint of a study: options that have no effect" 2 'lint: --strict is for robots' lint "$robots/../studies/puma_payload.yaml" --strict
