# linkwork parts, robots made of parts, and payloads.

parts=$robots/../parts

cat >bracket.parts.yaml <<'END'
linkwork: 1
links:
  - name: plate
    parts:
      - name: sheet
        sections:
          - {shape: box, x: 1, y: 2, z: 0.5, density: 1000}
          - {name: slot, shape: box, x: 0.5, y: 1, z: 0.5, density: 1000, hole: true}
  - name: weights
    payload: {mass: 2, com: [0, 0, 3]}
    parts:
      - {name: ball, repeat: {count: 2, xyz: [0, 0, 1]}, sections: [{shape: point, mass: 1}]}
END

gives "parts, csv" 'link,part,copy,section,shape,hole,material,volume,density,mass,x,y,z,xx,yy,zz,xy,xz,yz
weights,,,,,,,,,4,0,0,1.75,6.75,6.75,0,0,0,0
weights,ball,1,point,point,no,,,,1,0,0,0,3.0625,3.0625,0,0,0,0
weights,ball,2,point,point,no,,,,1,0,0,1,0.5625,0.5625,0,0,0,0
weights,payload,1,,,no,,,,2,0,0,3,3.125,3.125,0,0,0,0
' parts bracket.parts.yaml --link weights
run parts bracket.parts.yaml
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 8 ] &&
  grep -q '^plate,sheet,1,slot,box,yes,,-0.25,1000,-250,0,0,0,' out
verdict "parts, csv of all links, a hole"
json "parts, json" '"computed": 2,' parts bracket.parts.yaml
json "parts, json of a link" '"com": \[0, 0, 1.75\]' parts bracket.parts.yaml --link weights
says "parts, table" '^weights +2 +4 +0 +0 +1.75 +6.75' parts bracket.parts.yaml --format table
gives "parts --out" '' parts bracket.parts.yaml --out parts.csv
[ "$(head -n 1 parts.csv | cut -d , -f 1-3)" = link,part,copy ]
verdict "parts --out writes csv"
says "the parts file that ships" '^hand,' parts "$parts/ddarm.yaml" --strict
run lint "$robots/ddarm.yaml" --strict
[ $status -eq 0 ] && [ "$(cat out)" = "0 errors, 0 warnings" ]
verdict "the robot of parts that ships has no flaws"
refuses "no such link" 2 "no link 'plat'; did you mean 'plate'" parts bracket.parts.yaml --link plat
refuses "parts without a file" 2 "'parts' needs a FILE" parts

# --- errors in parts files
sed 's/hole: true/hole: true, place: {xyz: [4, 0, 0]}/' bracket.parts.yaml >outside.parts.yaml
run parts outside.parts.yaml --out none.csv
[ $status -eq 3 ] && [ ! -e none.csv ] && [ ! -s out ] &&
  grep -q "^outside.parts.yaml:3:11: error: link 'plate': no rigid body has these principal moments" err &&
  grep -q 'hint: a hole lies outside the body' err
verdict "a hole outside the body"
sed 's/box, x: 1,/box, wide: 1,/; s/mass: 1}/mass: 1 lb}/' bracket.parts.yaml >two.parts.yaml
run parts two.parts.yaml
[ $status -eq 3 ] && grep -q "^two.parts.yaml:7:26: error: unknown key 'wide' in a box" err &&
  grep -q "^two.parts.yaml:12:90: error: 'mass' must be a number, in kg, found '1 lb'" err
verdict "all errors of a parts file"
sed 's/z: 0.5, density: 1000}/z: 0.5, density: 1}/' bracket.parts.yaml >light.parts.yaml
run parts light.parts.yaml --link weights
[ $status -eq 3 ]
verdict "an error in another link"
sed '/slot/d; s/z: 0.5, density: 1000}/z: 0.5, density: 1}/' bracket.parts.yaml >light.parts.yaml
run parts light.parts.yaml --link weights
[ $status -eq 0 ] && grep -q 'light.parts.yaml:7:55: warning: part .sheet.: a density of 1 kg/m^3' err
verdict "a doubtful density is a warning"
run parts light.parts.yaml --strict
[ $status -eq 3 ] && [ ! -s out ] && grep -q 'light.parts.yaml:7:55: error: ' err
verdict "a doubtful density is an error with --strict"

# --- meshes
tetrahedron()
{
  echo 'solid corner'
  for corners in '0 0 0 0 30 0 20 0 0' '0 0 0 20 0 0 0 0 60' '20 0 0 0 30 0 0 0 60' '0 0 0 0 0 60 0 30 0'
  do
    set -- $corners
    echo "facet normal 0 0 0 outer loop vertex $1 $2 $3 vertex $4 $5 $6 vertex $7 $8 $9 endloop endfacet"
  done
  echo 'endsolid corner'
}
mkdir -p meshes
tetrahedron >meshes/corner.stl
cat >meshes/corner.parts.yaml <<'END'
linkwork: 1
links: [{name: a, parts: [{name: p, sections: [{shape: mesh, file: corner.stl, scale: 0.001, density: 1000}]}]}]
END
run parts meshes/corner.parts.yaml --format json
[ $status -eq 0 ] && ./json_check <out && 
  grep -Eq '"com": \[0.005(0000000[0-9]*)?, 0.007(4999999[0-9]*|5(000000[0-9]*)?), 0.01(4999999[0-9]*|5(000000[0-9]*)?)\]' out &&
  grep -Eq '"mass": 0.00(5999999|6000000|6,)' out
verdict "a mesh beside its parts file, in mm"
sed 2d meshes/corner.stl >meshes/open.stl
sed 's/corner.stl/open.stl/' meshes/corner.parts.yaml >meshes/open.parts.yaml
run parts meshes/open.parts.yaml
[ $status -eq 3 ] && grep -q '^meshes/open.stl: error: the mesh is not closed: 3 of its edges lack' err &&
  grep -q "^meshes/open.parts.yaml:2:68: error: the mesh 'open.stl' cannot be used" err
verdict "an open mesh"

# --- robots made of parts
cat >weights.yaml <<'END'
linkwork: 1
joints:
  - {name: pivot, type: revolute, axis: [0, 1, 0], link: {name: weights, parts: bracket.parts.yaml}}
END
gives "a link by parts" 'M11\n19\n' inertia weights.yaml --q 0
cat >weights.yaml <<'END'
linkwork: 1
joints:
  - {name: pivot, type: revolute, a: 1, link: {parts: bracket.parts.yaml#plate, payload: {mass: 3, com: [2, 0, 0]}}}
END
gives "a link by parts, with a payload" 'M11\n402.62499999999994\n' inertia weights.yaml --q 0
says "info knows the mass" '^mass: +753 kg' info weights.yaml
sed 's/#plate/#plates/' weights.yaml >plates.yaml
run lint plates.yaml
[ $status -eq 3 ] && grep -q "^plates.yaml:3:55: error: the parts file 'bracket.parts.yaml' has no link 'plates'" out &&
  grep -q "did you mean '#plate'" out
verdict "no such link in the parts file"
sed 's/bracket/outside/' weights.yaml >outside.yaml
run inverse outside.yaml --q 0
[ $status -eq 3 ] && grep -q "^outside.parts.yaml:3:11: error: link 'plate'" err &&
  grep -q "^outside.yaml:3:55: error: the parts file 'outside.parts.yaml' cannot be used" err
verdict "errors of a parts file carry its name"
mkdir -p below
cp weights.yaml bracket.parts.yaml below
gives "parts are beside the robot file" 'M11\n402.62499999999994\n' inertia below/weights.yaml --q 0
sed 's/payload/mass: 1, payload/' weights.yaml >both.yaml
run inverse both.yaml --q 0
[ $status -eq 3 ] && grep -q "both 'parts' and 'mass' are given" err
verdict "parts and mass"

# --- payloads
refuses "payload: a unit of another kind" 2 'in kg and m or like 500 g' gravity pendulum.yaml --q 1 --payload 'bar=500 mm'
gives "--payload" 'g1\n-19.62\n' gravity pendulum.yaml --q 0 --payload bar=1,1,0,0
says "--payload in the origin" '^-9\.810000000' gravity pendulum.yaml --q 0 --payload bar=100
gives "two payloads on one link" 'g1\n-39.24\n' \
  gravity pendulum.yaml --q 0 --payload bar=1,1,0,0,swing=2,1,0,0
says "info with a payload" '^mass: +4 kg' info pendulum.yaml --payload bar=2
refuses "payload on an unknown link" 2 "no link 'bra'; did you mean 'bar'" info pendulum.yaml --payload bra=1
refuses "payload without a link" 2 "expected LINK=MASS or LINK=MASS,X,Y,Z.* found '3'" info pendulum.yaml --payload 3
refuses "payload of three numbers" 2 "found '1,2,3'" info pendulum.yaml --payload bar=1,2,3
refuses "payload of five numbers" 2 "found '1,2,3,4,5'" info pendulum.yaml --payload bar=1,2,3,4,5
refuses "payload of no number" 2 "found ''" info pendulum.yaml --payload bar=
refuses "negative payload" 2 "mass of 'bar' must be positive" info pendulum.yaml --payload bar=-1
refuses "payload without a robot" 2 '--payload needs a ROBOT' count --dof 3 --payload bar=1
refuses "lint takes no payload" 2 "'lint' takes no --payload" lint pendulum.yaml --payload bar=1
run inertia "$robots/gripper_arm.urdf" --q 0.1,0.2,0.3,0.4,0.5,0.6,0.01
mv out without.csv
run inertia "$robots/gripper_arm.urdf" --q 0.1,0.2,0.3,0.4,0.5,0.6,0.01 --payload tcp=1e-30
[ $status -eq 0 ] && cmp -s out without.csv
verdict "a payload on a URDF robot changes nothing else"
cat >based.yaml <<'END'
linkwork: 1
base: {parts: bracket.parts.yaml#weights, payload: {mass: 1}}
joints: [{name: pivot, type: revolute, a: 1, link: {parts: bracket.parts.yaml#plate}}]
END
says "a base of parts" '^mass: +755 kg' info based.yaml
