# No data is lost: an output never replaces an input file, and two outputs never go to the same file.

# keeps NAME FILE ARGUMENTS: exit 2, one line on stderr, and the file is unchanged
keeps()
{
  name=$1
  file=$2
  shift 2
  cp "$file" before
  run "$@"
  [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'this command reads it' err && cmp -s "$file" before
  verdict "$name"
}

mkdir -p lost/sub
cd lost || exit 2
cp ../pendulum.yaml arm.yaml
cp ../json_check .
ln -s arm.yaml link.yaml
ln arm.yaml hard.yaml
printf 'q1\n0\n1\n' >q.csv
printf 't,q1,qd1,qdd1\n0,0,0,0\n1,0,0,0\n' >t.csv
printf 'linkwork: 1\nname: hang\nrobot: arm.yaml\ninitial: {q: [0]}\nduration: 0.1\n' >run.yaml
keeps "--out onto the robot" arm.yaml gravity arm.yaml --q 0 --out arm.yaml
keeps "--out onto the robot by another path" arm.yaml gravity arm.yaml --q 0 --out sub/../arm.yaml
keeps "--out onto the robot through a symbolic link" arm.yaml gravity arm.yaml --q 0 --out link.yaml
keeps "--out onto the robot through a hard link" arm.yaml gravity arm.yaml --q 0 --out hard.yaml
keeps "the robot by a link, --out onto its file" arm.yaml gravity link.yaml --q 0 --out arm.yaml
keeps "--out onto the states" q.csv gravity arm.yaml --in q.csv --out q.csv
keeps "--out onto the trajectory" t.csv drives arm.yaml --in t.csv --out t.csv
keeps "--series onto the trajectory" t.csv drives arm.yaml --in t.csv --series ./t.csv
keeps "--out onto the scenario" run.yaml simulate run.yaml --out run.yaml
keeps "--out onto the robot of the scenario" arm.yaml simulate run.yaml --out arm.yaml
keeps "--audit onto the robot of the scenario" arm.yaml simulate run.yaml --out x.csv --audit hard.yaml
keeps "convert onto its input" arm.yaml convert arm.yaml arm.yaml
keeps "lint onto the robot" arm.yaml lint arm.yaml --out arm.yaml
refuses "two outputs, one new file" 2 '^linkwork: error: --out and --audit name the same file, sub/../x.csv' \
  simulate run.yaml --out x.csv --audit sub/../x.csv
refuses "two outputs, one old file" 2 '--out and --series name the same file' drives arm.yaml --in t.csv --out hard2 --series hard2
[ ! -e hard2 ]
verdict "nothing is written then"
run gravity arm.yaml --q 0 --out g.csv
[ $status -eq 0 ] && [ -s g.csv ]
verdict "another file is written"
run gravity arm.yaml --q 1 --out g.csv
[ $status -eq 0 ] && ! grep -q 9.81 g.csv
verdict "and replaced"
run simulate run.yaml --quiet --out - --audit /dev/null
[ $status -eq 0 ]
verdict "a device may be named"
cd .. || exit 2
