# linkwork examples and linkwork doctor: the first minute
mkdir copies
cd copies || exit 2

says "examples: a robot with what it is" '^robots/puma560.yaml,"PUMA 560' examples
says "examples: scenarios, studies and cycles, too" '^examples/cycles/pick_and_place.yaml,' examples
run examples puma_motors.yaml
[ $status -eq 0 ] && printf 'robots/puma560.yaml\nstudies/puma_motors.yaml\n' | cmp -s - out
verdict "examples NAME: copies it with the files that it names"
cmp -s robots/puma560.yaml "$robots/puma560.yaml"
verdict "examples NAME: the bytes of the original"
run inverse robots/puma560.yaml --q 0,0,0,0,0,0
[ $status -eq 0 ]
verdict "examples NAME: a copy can be used"
run examples scenarios/puma_fall.yaml
[ $status -eq 0 ] && [ -e scenarios/puma_fall.yaml ]
verdict "examples NAME: a copy that is there already is kept"
echo "# mine" >>robots/puma560.yaml
run examples puma_swing
[ $status -eq 2 ] && grep -q 'robots/puma560.yaml is there with other content; nothing was copied' err && [ ! -e studies/puma_swing.yaml ]
verdict "examples NAME: nothing is overwritten"
run examples puma56
[ $status -eq 2 ] && grep -q "did you mean 'puma560.yaml'" err
verdict "examples NAME: a misspelt one"
cp "$linkwork" ./alone
./alone examples >out 2>err </dev/null
status=$?
[ $status -eq 3 ] && grep -q 'not installed beside it' err
verdict "examples: a program that was moved away from its data"

says "doctor: 113 bits" '^113-bit numbers,[yn]' doctor
PATH=/nowhere run doctor
[ $status -eq 0 ] && grep -q '^gnuplot,no,"plot, --plot",install gnuplot' out
verdict "doctor: what is missing, for which command, and what to do"
says "doctor: as json" '"what": *"SQLite"' doctor --format json
run doctor robots
[ $status -eq 2 ] && [ ! -s out ]
verdict "doctor takes no operand"
cd ..
