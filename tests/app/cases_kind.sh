# A file of the wrong kind is recognised by its content; xacro files are expanded.
scenarios=$here/../../scenarios
snakes=$robots/snakes
diagnoses "kind: a scenario as robot" 2 'puma_fall.yaml:[0-9]*:1: error: this is a scenario file, expected a robot file' inverse "$scenarios/puma_fall.yaml" --q 0
diagnoses "kind: a snake as robot" 2 'table2_n3.yaml:[0-9]*:1: error: this is a snake file, expected a robot file' info "$snakes/table2_n3.yaml"
diagnoses "kind: parts as robot" 2 'ddarm.yaml:[0-9]*:1: error: this is a parts file, expected a robot file' info "$here/../../parts/ddarm.yaml"
diagnoses "kind: a robot as scenario" 2 'pendulum.yaml:[0-9]*:1: error: this is a robot file, expected a scenario file' simulate pendulum.yaml
[ $status -eq 2 ] && grep -q 'hint: a robot follows a trajectory by --in' err
verdict "kind: what to do with a robot"
diagnoses "kind: URDF as scenario" 2 'hand.urdf:[0-9]*:1: error: this is a URDF robot, expected a scenario file' simulate hand.urdf
diagnoses "kind: a robot as snake" 2 'this is a robot file, expected a snake file' snake check pendulum.yaml
diagnoses "kind: URDF as snake" 2 'this is a URDF robot, expected a snake file' snake simulate hand.urdf
diagnoses "kind: a scenario as snake" 2 'this is a scenario file, expected a snake file' snake state "$scenarios/puma_fall.yaml" --theta 0
diagnoses "kind: a robot as parts" 2 'this is a robot file, expected a parts file' parts pendulum.yaml
diagnoses "kind: a scenario with --in" 2 'this is a scenario file, expected a robot file' simulate "$scenarios/puma_fall.yaml" --in pendulum.yaml
diagnoses "kind: materials as robot" 2 'materials.yaml:16:1: error: this is a file of materials, expected a robot file' info "$here/../../parts/materials.yaml"
diagnoses "kind: materials as parts" 2 'this is a file of materials, expected a parts file' parts "$here/../../parts/materials.yaml"
gives "kind: lint checks a file of materials" '0 errors, 0 warnings\n' lint "$here/../../parts/materials.yaml"
printf 'linkwork: 1\nmaterials: {a: 2700, b: 2.7, c: heavy, a: 1}\nlink: []\n' >kind.yaml
run lint kind.yaml
[ $status -eq 3 ] && grep -q "material 'b': a density of 2.7 kg/m^3" out && grep -q "^kind.yaml:2:40: error: " out &&
  grep -q "error: unknown key 'link' in a file of materials" out && ! grep -q robot out
verdict "kind: lint of materials names what is wrong"
printf 'linkwork: 1\nmaterials: {}\nlinks: []\n' >kind.yaml
diagnoses "kind: a parts file with materials first" 2 'kind.yaml:3:1: error: this is a parts file, expected a robot file' info kind.yaml
printf '{"linkwork": 1, "name": "joints",\n "snake": {"joints": 3}}' >kind.json
diagnoses "kind: of json" 2 '^kind.json:2:1: error: this is a snake file' info kind.json
printf 'linkwork: 1\nrobot: x\njoints: []\n' >kind.yaml
diagnoses "kind: what is nearly right is read" 3 "error: unknown key 'robot' in a robot" info kind.yaml

cat >arm.xacro <<'END'
<robot name="a" xmlns:xacro="http://ros.org/wiki/xacro">
  <!-- <xacro:include filename="no"/> -->
  <xacro:property name="m" value="2"/>
  <link name="base"/>
</robot>
END
diagnoses "xacro: is expanded, and then read as URDF" 3 'arm.xacro .expanded.:1:1: error: the robot has no joints' info arm.xacro

diagnoses "a scenario as a table" 2 'puma_fall.yaml:5:1: error: this is a scenario file, expected a CSV table' \
  inverse "$robots/puma560.yaml" --in "$robots/../scenarios/puma_fall.yaml"
diagnoses "a robot as a recording" 2 'this is a robot file, expected a CSV table' plot "$robots/puma560.yaml" --out a.svg
printf 't,q1\n0,0\n' >table.csv
diagnoses "a table as a robot" 2 'table.csv:1:1: error: this is a CSV table, expected a robot file' info table.csv
diagnoses "a table as a scenario" 2 'this is a CSV table, expected a scenario file' simulate table.csv
