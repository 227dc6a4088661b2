# linkwork shell, driven by pipes.
cat >motored.yaml <<'END'
linkwork: 1
name: motored
gravity: [0, 0, -10]
joints:
  - name: lift
    type: prismatic
    axis: [0, 0, 1]
    motor: {resistance: 2, torque_constant: 0.5, gear: 10, rotor_inertia: 0.01, voltage: 50, current: 40}
    link: {name: car, mass: 3, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
  - name: turn
    type: revolute
    axis: [0, 0, 1]
    friction: {viscous: 0.25, coulomb: 2}
    link: {name: disc, mass: 1, inertia: [1, 1, 2, 0, 0, 0]}
END

# shell NAME STATUS ROBOT LINES: runs a session and checks its exit code; `has` and `wrote` check its output
shell()
{
  shell_name=$1
  wanted=$2
  robot=$3
  shift 3
  printf "$@" | "$linkwork" shell "$robot" >out 2>err
  status=$?
  [ $status -eq "$wanted" ]
  verdict "shell: $shell_name"
}

# has WHAT PATTERN: a line of the output matches; complains WHAT PATTERN: a line of the errors matches
has()
{
  grep -Eq -- "$2" out
  verdict "shell: $shell_name: $1"
}
complains()
{
  grep -Eq -- "$2" err
  verdict "shell: $shell_name: $1"
}

# --- empty sessions, and unknown commands
shell "an empty script" 0 motored.yaml ''
[ ! -s out ] && [ ! -s err ]
verdict "shell: an empty script prints nothing"
shell "comments and empty lines" 0 motored.yaml '\n   \n# theta = x\n\t# more\ntheta # shown\n\r\n'
has "the rest of the line counts" '^  *1 lift +0 m$'
shell "errors do not end it" 1 motored.yaml 'thet\n\nthtea\nfly_to_the_moon\nsimulate = 3\ntheta 3\n=\ntheta =\nomega\n'
complains "an unknown name, the nearest" "^standard input:3:1: error: no command or variable 'thtea'; did you mean 'theta'\?"
complains "an unknown name" "^standard input:4:1: error: no command or variable 'fly_to_the_moon'; 'help' lists them"
complains "a command is not a variable" "^standard input:5:10: error: 'simulate' is a command and takes no value"
complains "a value without =" "^standard input:6:7: error: expected 'theta = VALUES'"
complains "= alone" '^standard input:7:1: error: no command or variable'
complains "no values" '^standard input:8:1: error: theta: 0 values given, motored needs 2'
[ "$(wc -l <err)" -eq 6 ]
verdict "shell: one line for each error"
has "an abbreviation" '^theta =$'
has "the session goes on" '^omega =$'
shell "an ambiguous abbreviation" 1 motored.yaml 'c\n'
complains "all that it may be" "'c' may be each of close_output_file, check, count$"
awk 'BEGIN { printf "theta = "; for (i = 0; i < 300000; ++i) printf "1.25 "; printf "\ntheta\n" }' >long.txt
"$linkwork" shell motored.yaml <long.txt >out 2>err
status=$?
[ $status -eq 1 ] && grep -q '^standard input:1:1: error: the line is too long' err && grep -q '^theta =' out
verdict "shell: a line that is too long is skipped"
awk 'BEGIN { printf "theta = "; for (i = 0; i < 3000000; ++i) printf "1" }' | "$linkwork" shell motored.yaml >out 2>err
status=$?
[ $status -eq 1 ] && grep -q 'the line is too long' err
verdict "shell: a line that is too long at the end"
awk 'BEGIN { printf "theta = "; for (i = 0; i < 100000; ++i) printf "1 " }' | "$linkwork" shell motored.yaml >out 2>err
status=$?
[ $status -eq 1 ] && grep -q '100000 values given' err
verdict "shell: far too many values"
printf 'theta\000 = 1 2\nomega\n' | "$linkwork" shell motored.yaml >out 2>err
status=$?
[ $status -eq 1 ] && grep -q 'a zero byte' err && grep -q '^omega =' out
verdict "shell: a zero byte"
"$linkwork" shell motored.yaml <. >out 2>err
status=$?
[ $status -eq 1 ] && grep -q 'cannot read standard input' err
verdict "shell: an input that cannot be read"
printf '\033[2J\377\n%s\n' "$(printf '%0400d' 7)" | "$linkwork" shell motored.yaml >out 2>err
status=$?
[ $status -eq 1 ] && [ "$(wc -l <err)" -eq 2 ] && ! grep -q "$(printf '\033')" err
verdict "shell: control characters and long names stay on their line"
shell "odd names of joints" 0 odd_names.yaml 'theta = 1 2 3 4\ntheta\nvoltage\nalpha = 1 1 1 1\ninverse_arm\nforward_arm\n'
has "are shown" '^  *3 x=y +3 m$'
refuses "shell: standard input as robot" 2 'ROBOT cannot be standard input' shell -
diagnoses "shell: a wrong robot" 3 'wrong.yaml:.*error' shell wrong.yaml

# --- variables
shell "variables" 0 motored.yaml 'theta = 0.5 90 deg\ntheta\nomega = 2, -3\nomega\nalpha = 1 ,2\nalpha\nDACTimePeriod = 0.25\nDACTimePeriod\n'
has "m" '^  *1 lift +0.5 m$'
has "degrees" '^  *2 turn +1.57079633 rad$'
has "commas" '^  *2 turn +-3 rad/s$'
has "a comma with spaces" '^  *2 turn +2 rad/s\^2$'
has "m/s^2" '^  *1 lift +1 m/s\^2$'
has "DACTimePeriod" '^DACTimePeriod = 0.25 s$'
shell "gravity" 0 motored.yaml 'gravity\ninverse_arm\ngravity = 2\ngravity\ninverse_arm\ngravity = 1 2 -3\ngravity\ninverse_arm\n'
has "of the file" '^gravity = 0 0 -10 m/s\^2'
has "one number: the acceleration of the base, and the vector" '^gravity = 2 m/s\^2, .* 0 0 -2 m/s\^2'
has "three: the field" '^gravity = 1 2 -3 m/s\^2'
[ "$(awk '/^torque/ { getline; print $3 }' out | xargs)" = "40 8 12" ]
verdict "shell: gravity: the model follows"
shell "wrong values" 1 motored.yaml 'theta = 1\ntheta = 1 2 3\ntheta = 1 x\ntheta = 1e999 0\ntheta = nan 0\ntheta = 1,,2\ntheta = 1 2,\ntheta = 90 deg 0\nomega = 0 1 deg\nDACTimePeriod = -1\nDACTimePeriod = 1 2\ngravity = 1 2\ntheta = 1 2q\ntheta\nDACTimePeriod\ngravity\n'
[ "$(wc -l <err)" -eq 13 ]
verdict "shell: wrong values: every one of them is refused"
complains "too few" '^standard input:1:1: error: theta: 1 value given, motored needs 2, one for each moving joint$'
complains "the place" "^standard input:3:11: error: theta: 'x' is not a finite number"
complains "an angle for a prismatic joint" '^standard input:8:12: error: theta: value 1 is not an angle'
complains "an angular velocity" '^standard input:9:13: error: omega: value 2 is not an angle'
[ "$(grep -c ' 0 ' out)" -eq 4 ]
verdict "shell: wrong values change nothing"

# --- torque and voltage: v = R tau / (gear K) + K gear qd
shell "torque and voltage" 0 motored.yaml 'omega = 2 0\ntorque = 30 7\nvoltage\nDACOut\nvoltage = 22 0\ntorque\nomega = 0 0\ntorque\nvoltage\nDACOut = 15 0\ntorque\ntorque = 5 0\nomega = 1 0\nvoltage\n'
[ "$(awk '/^(torque|voltage|DACOut)/ { getline; print $3 }' out | xargs)" = "22 22 30 55 22 37.5 7" ]
verdict "shell: torque and voltage follow each other"
has "a joint without a motor" '^  *2 turn  no motor, unavailable$'
has "its torque stays" '^  *2 turn +7 N m$'
shell "voltage without a motor" 1 motored.yaml 'voltage = 1 1\nDACOut = 0 1\nvoltage\n'
complains "is unavailable" "^standard input:1:1: error: joint 'turn' has no motor in motored.yaml: voltage unavailable"
shell "limits of motors" 0 motored.yaml 'voltage = 60 0\nvoltage\nDACOut\ntorque\ntorque = 1000 0\nvoltage\n'
has "cut" "^note: joint 'lift': 60 V cut to 50 V by the voltage limit of its motor, 50 V$"
has "beyond" "^note: joint 'lift': 400 V is beyond the voltage limit of its motor, 50 V$"
has "beyond the other" "^note: joint 'lift': 200 A is beyond the current limit of its motor, 40 A$"
[ "$(awk '/^(torque|voltage|DACOut)/ { getline; print $3 }' out | xargs)" = "50 60 125 400" ]
verdict "shell: limits of motors: the voltage is clipped, not the command; torques are not clipped"

# 50 V give 25 A: a limit of 10 A leaves 20 V, whether the command is beyond the voltage limit or not
sed 's/current: 40/current: 10/' motored.yaml >weak.yaml
shell "limits of currents" 0 weak.yaml 'voltage = 60 0\nvoltage\nvoltage = 30 0\nvoltage\nvoltage = 20 0\nvoltage\n'
[ "$(grep '^note' out | tr '\n' '|')" = "note: joint 'lift': 60 V cut to 20 V by the current limit of its motor, 10 A|note: joint 'lift': 30 V cut to 20 V by the current limit of its motor, 10 A|" ]
verdict "shell: a voltage that the current limit cuts is not said to be cut by the voltage limit"
[ "$(awk '/^voltage/ { getline; print $3 }' out | xargs)" = "20 20 20" ]
verdict "shell: limits of currents: what is left"

# --- the two models: 4 kg, and 100 * 0.01 kg of the rotor, against 10 m/s^2; 2 kg m^2 with friction
shell "models" 0 motored.yaml 'omega = 1 4\nalpha = 2 3\ninverse_arm\nalpha = 0 0\nforward_arm\nomega = 0 0\ntorque = 30 1.9\nforward_arm\ntorque = 30 -3\nforward_arm\n'
[ "$(awk '/^(torque|voltage|alpha) =/ { getline; a = $3; getline; print a, $3 }' out | xargs)" = "50 9 25 no 2 3 -2 0 -2 -0.5" ]
verdict "shell: inverse_arm, forward_arm, and friction that holds"
shell "the direct-drive arm" 0 "$robots/ddarm.yaml" 'theta = 0.1 0.2 0.3 0.4 0.5 0.6\nalpha = 1 2 3 4 5 6\ninverse_arm\nalpha = 0 0 0 0 0 0\nforward_arm\n'
tail -n 6 out | awk '{ d = $3 - NR; if (d < 0) d = -d; if (d > 1e-8) exit 1 }'
verdict "shell: forward_arm undoes inverse_arm"
shell "an inert joint" 1 limp.urdf 'forward_arm\nsimulate\ntheta\n'
complains "is named" 'forward dynamics is impossible'
complains "with the line of the script" "^standard input:2:1: error: 'simulate' failed"
shell "too large" 1 motored.yaml 'alpha = 1e308 1e308\nomega = 1e300 1e300\ninverse_arm\n'
complains "is said" 'inverse_arm: the torques are not finite'

# --- simulate: the same run as 'linkwork simulate', to the last digit
cat >same.yaml <<'END'
linkwork: 1
robot: motored.yaml
initial: {q: [0.5, 0.25], qd: [0, 1]}
duration: 0.5
record: 0.1
drives:
  lift: {voltage: "12.5", dac: {period: 0.03}}
  turn: {torque: "2.5", dac: {period: 0.03}}
integrator: {method: kutta3, step: 1e-3}
END
run simulate same.yaml --columns q,qd,qdd,tau,v,i,energy --out same.csv
shell "a simulation" 0 motored.yaml 'theta = 0.5 0.25\nomega = 0 1\ntorque = 0 2.5\nvoltage = 12.5 0\nDACTimePeriod = 0.03\nsimulate\nno\n\n0.5\n0.1\nwrite_graphic_file run.csv\ntheta\nvoltage\n'
cmp -s same.csv run.csv
verdict "shell: a simulation equals that of 'linkwork simulate'"
has "questions and answers are in the output" '^duration, s \[1\]: 0\.5$'
has "the audit" '^steps by kutta3: [0-9]+ taken'
[ "$(awk '/^theta/ { getline; print $3 }' out)" = "$(tail -n 1 run.csv | awk -F, '{ printf "%.9g", $2 }')" ]
verdict "shell: after a simulation the variables have the final state"
shell "a simulation in two parts" 0 motored.yaml 'theta = 0.5 0.25\nomega = 0 1\ntorque = 0 2.5\nvoltage = 12.5 0\nsim yes no none 0.3 0.1\nsim new=no schedule=none duration=0.2 record=0.1\nwrite two.csv\nsim yes yes none 0.1 0.1\nprint_simulation 0 9 0.1\n'
has "a new one begins at zero" '^ +0 +0 +0 +0 +0$'
cat >same.yaml <<'END'
linkwork: 1
robot: motored.yaml
initial: {q: [0.5, 0.25], qd: [0, 1]}
duration: 0.5
record: 0.1
drives: {lift: {voltage: "12.5"}, turn: {torque: "2.5"}}
integrator: {method: kutta3, step: 1e-3}
END
run simulate same.yaml --columns q,qd,qdd,tau,v,i,energy --out same.csv
paste -d, same.csv two.csv | awk -F, 'NR > 1 { for (k = 1; k <= NF / 2; ++k) { d = $k - $(k + NF / 2); if (d < 0) d = -d;
  if (d > 1e-9) exit 1 } } END { exit NR != 7 }' # sums of steps of 1 ms round differently
verdict "shell: a simulation in two parts equals an uninterrupted one"
printf 't,v1,tau2\n0,5,9\n0.2,20,9\n' >volts.csv
printf 't,v1,tau1,tau2\n0,5,100,4\n' >both.csv
printf 't,tau.turn,tau.lift\n0,1,30\n0.25,3,50\n' >torques.csv
shell "a schedule" 0 motored.yaml 'DACTimePeriod = 0.15\nsimulate yes no volts.csv 0.4 0.05\nDACOut\nprint_simulation 0 1 0.05 v,tau\n'
[ "$(awk 'NF == 4 && $4 + 0 == $4 { printf "%s ", $4 }' out)" = "5 5 5 5 5 5 20 20 20 " ]
verdict "shell: a schedule is sampled at multiples of DACTimePeriod, and held"
has "DACOut is what is held" '^  *1 lift +20 V$'
shell "a schedule of torques" 0 motored.yaml 'simulate zero=no schedule=torques.csv\n\n\ntorque\n'
has "its end is the duration" '^duration, s \[0\.25\]: $'
has "torque is what is held" '^  *1 lift +50 N$'
shell "voltages beside torques" 0 motored.yaml 'torque = 1 1\nsimulate yes no both.csv 0.1 0.1\nprint 0 0 1 v,tau\n'
has "a voltage rather than a torque, joint by joint" '^ *0 +12.5 +4 +5$'
shell "torques after voltages" 1 motored.yaml 'voltage = 3 0\nsimulate yes no torques.csv 0.3 0.1\ntorque\nsimulate new=no schedule=none duration=0.1 record=0.1\n'
has "torque is what was held" '^  *1 lift +50 N$'
complains "then the voltage is held, which the recording does not have" 'start a new one'
shell "wrong schedules" 1 motored.yaml 'simulate yes no none.csv 1 1\nsimulate yes no - 1 1\nsimulate yes no wrong.csv 1 1\nsimulate yes no v2.csv 1 1\nprint_simulation\n'
complains "a missing file" 'none.csv'
complains "standard input" 'cannot be standard input'
printf 't,v1\n0,x\n' >wrong.csv
printf 't,v2\n0,1\n' >v2.csv
shell "schedules with wrong content" 1 motored.yaml 'simulate yes no wrong.csv 1 1\nsimulate yes no v2.csv 1 1\n'
complains "the place" '^wrong.csv:2:3: error: '
complains "no motor" "v2.csv: joint 'turn' has no motor: voltage unavailable"
shell "wrong answers" 1 motored.yaml 'simulate yes perhaps none 1 1\nsimulate yes no none 0 1\nsimulate yes no none 1 -1\nsimulate yes no none 1e9 1e-9\nsimulate yes no none 1 1 1 1\nsimulate duration=1 duration=2\nsimulate dration=1\nsimulate duration=\nsimulate "yes none\nsimulate yes no none x 1\n'
complains "no yes" "zero: unknown answer 'perhaps'; expected yes or no"
complains "no duration" "^standard input:2:22: error: duration: '0' is wrong, expected a positive number"
complains "too many records" 'records are too many'
complains "too many arguments" "is more than 'simulate' takes"
complains "twice" "'duration' is given twice"
complains "a misspelt argument" "'simulate' has no 'dration'; did you mean 'duration='"
complains "an open quote" '^standard input:9:10: error: a quote that is not closed'
shell "the end of the input within a command" 1 motored.yaml 'simulate\nno\n'
complains "gives it up" "the input ends before 'simulate' knows schedule"
shell "a continued run with other drives" 1 motored.yaml 'simulate yes no torques.csv 0.1 0.1\nvoltage = 1 0\nsimulate new=no schedule=none duration=0.1 record=0.1\nprint 0 1 0.1\n'
complains "is refused" 'start a new one'
has "and the recording stays" '^ *0\.1 '
printf 'torque = 30 0\nsimulate yes no none 0.5 0.5\nwrite run.csv\n' | "$linkwork" shell motored.yaml --integrator dop853:1e-9 >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '^steps by dop853' out
verdict "shell: --integrator"

# --- swartz1982: without a schedule the voltage is held, however it came about
cat >steady.awk <<'END'
# The values of a variable in one line, "0" where there is no motor.
$1 == name { for (k = 0; k < n; ++k) { getline; printf "%s%s", k ? " " : "", $3 == "no" ? 0 : $3 }; exit }
END
shell "voltages of inverse_arm" 0 "$robots/ddarm.yaml" 'theta = 0 60 deg 0 30 deg 0 0\nomega = 0.1 0.2 0 0 0 0\nalpha = 0.5 1 0 0 0 0\ninverse_arm\nsimulate yes no none 1 0.5\nwrite held.csv\nprint 0 1 1 q1,v1\n'
volts=$(awk -v name=voltage -v n=6 -f steady.awk out)
has "voltages are recorded" '^ *t +q1 +v1$'
shell "the same voltages" 0 "$robots/ddarm.yaml" "theta = 0 60 deg 0 30 deg 0 0\nomega = 0.1 0.2 0 0 0 0\nvoltage = $volts\nsimulate yes no none 1 0.5\nwrite same.csv\n"
paste -d, held.csv same.csv | awk -F, 'NR > 1 { for (k = 1; k <= NF / 2; ++k) { d = $k - $(k + NF / 2); if (d < 0) d = -d;
  if (d > 1e-6) exit 1 } } END { exit NR != 4 }' # 9 digits of the voltages were printed
verdict "shell: simulate after inverse_arm holds the voltages"
shell "voltages of torque" 0 motored.yaml 'torque = 30 1\nDACOut\nsimulate yes yes none 0.2 0.1\nwrite held.csv\nDACOut\n'
[ "$(awk '/^DACOut/ { getline; print $3 }' out | xargs)" = "12 12" ]
verdict "shell: simulate holds the voltage that a torque needs at rest"
sed 's/resistance: 2/resistance: 2, inductance: 0.1/' motored.yaml >coil.yaml
shell "a motor with inductance" 0 coil.yaml 'omega = 1 4\nalpha = 2 3\ninverse_arm\nalpha = 0 0\nforward_arm\n'
[ "$(awk '/^alpha =/ { getline; a = $3; getline; print a, $3 }' out)" = "2 3" ]
verdict "shell: forward_arm undoes inverse_arm: currents have settled"
shell "currents of a run in two parts" 0 coil.yaml 'voltage = 20 0\nsimulate yes no none 0.4 0.1\nwrite one.csv\nsimulate yes yes none 0.2 0.1\nsimulate new=no schedule=none duration=0.2 record=0.1\nwrite two.csv\n'
paste -d, one.csv two.csv | awk -F, 'NR > 1 { for (k = 1; k <= NF / 2; ++k) { d = $k - $(k + NF / 2); if (d < 0) d = -d;
  if (d > 1e-9) exit 1 } } END { exit NR != 6 }'
verdict "shell: a run goes on with the currents it had"
shell "the scalar of swartz1982" 0 motored.yaml 'gravity = -9.80621\ngravity\ngravity = 0\ngravity\ngravity = 0 0 9.80621\ngravity\ndatabase_read pendulum.yaml\ngravity\n'
[ "$(grep -o '^gravity = [-0-9. ]*' out | tr '\n' '|')" = "gravity = -9.80621 |gravity = 0 |gravity = 0 0 9.80621 |gravity = 0 0 -9.81 |" ]
verdict "shell: gravity is read back as it was set"

# Random sessions: what is set is read back, to the 9 digits that are shown, whatever was set before. Voltages stay within
# the limits of the motor: 50 V, and 40 A at every speed.
cases_of_shell=200
[ -z "${LINKWORK_SLOW:-}" ] || cases_of_shell=20
awk -v cases=$cases_of_shell 'function value(size) { return sprintf("%.9g", (rand() * 2 - 1) * size) }
BEGIN {
  srand(31)
  split("theta omega alpha torque gravity force moment DACTimePeriod voltage DACOut", names, " ")
  hand[6] = hand[7] = " 0 0 0"
  for (i = 0; i < cases; ++i) {
    k = 1 + int(rand() * 10)
    n = k <= 4 ? 2 : k == 8 ? 1 : k >= 9 ? 2 : k == 5 && rand() < 0.5 ? 1 : 3
    line = ""
    for (j = 1; j <= n; ++j) {
      v = k == 1 ? value(3) : k == 2 ? value(1) : k >= 9 ? (j == 1 ? value(40) : 0) : value(30)
      if (k == 8) v = sprintf("%.9g", rand())
      line = line " " v
    }
    print names[k] " =" line "\n" names[k] > "random.txt"
    hand[k] = line # force and moment are shown together
    if (k == 6 || k == 7) print "force" hand[6] "\nmoment" hand[7] > "wanted"
    else print names[k] line > "wanted"
  }
}'
"$linkwork" shell motored.yaml <random.txt >out 2>err
status=$?
awk '/^(gravity|force|moment|DACTimePeriod) = / { line = $1; for (k = 3; k <= NF && $k + 0 == $k; ++k) line = line " " $k; print line }
  /=$/ { line = $1; getline; line = line " " $3; getline; print line " " ($3 == "no" ? 0 : $3) }' out >read
[ $status -eq 0 ] && [ "$(wc -l <random.txt)" -eq $((2 * cases_of_shell)) ] && cmp -s wanted read
verdict "shell: $cases_of_shell random values are read back as they were set"

# --- recordings
shell "nothing recorded" 1 motored.yaml 'print_simulation\nplot_simulation\nwrite_graphic_file x.csv\n'
[ "$(grep -c 'there is no simulation yet' err)" -eq 3 ] && [ ! -e x.csv ]
verdict "shell: reports that nothing was recorded"
shell "printing" 0 motored.yaml 'simulate yes no none 1 0.1\nprint_simulation\n0.2\n0.8\n0.3\nprint start=0 finish=1 step=0.5 columns=S\n'
[ "$(awk '$1 + 0 == $1 && NF == 5 { printf "%s ", $1 }' out)" = "0.2 0.5 0.8 " ] &&
  [ "$(awk '$1 + 0 == $1 && NF == 2 { printf "%s ", $1 }' out)" = "0 0.5 1 " ]
verdict "shell: printing from start to finish by step"
shell "files" 1 motored.yaml 'simulate yes no none 0.1 0.1\nwrite\n\nwrite run.json\nwrite run.txt\nwrite no/such/run.csv\nwrite "a b.csv"\nprint 0 1 1 nothing\n'
[ -e simulation.csv ] && [ -e "a b.csv" ] && ! [ -e run.txt ] && ./json_check <run.json
verdict "shell: files by their ends"
complains "an end that says nothing" "'run.txt' does not end with .csv, .json, .svg, .png or .pdf"
complains "a missing folder" 'cannot write no/such/run.csv'
complains "a missing column" "columns: no column 'nothing'"
shell "columns that were not recorded" 1 motored.yaml 'simulate yes no torques.csv 0.1 0.1\nprint 0 1 1 q2,tau2,v2\nprint 0 1 1 q2,,tau2\nprint 0 1 1 q2,tau2\n'
complains "one of several is refused" "^standard input:2:13: error: columns: no column 'v2'.*where a voltage drives a motor"
complains "an empty name" "^standard input:3:13: error: columns: an empty name"
[ "$(grep -c '^ *t ' out)" -eq 1 ]
verdict "shell: columns that were not recorded: nothing is printed with some of them"
printf 'simulate yes no none 0.1 0.05\nplot_simulation a.svg\nwrite_graphic_file b.svg\nplot c.svg tau\nplot d.txt\nplot e.svg bogus\n' >plots.txt
PATH=/nowhere "$linkwork" shell motored.yaml <plots.txt >out 2>err
status=$?
[ $status -eq 1 ] && grep -q 'plots need gnuplot' err && [ ! -e a.svg ]
verdict "shell: plots without gnuplot"
if command -v gnuplot >/dev/null 2>&1
then
  "$linkwork" shell motored.yaml <plots.txt >out 2>err
  status=$?
  [ $status -eq 1 ] && grep -q '</svg>' a.svg && grep -q '</svg>' b.svg && grep -q '</svg>' c.svg && [ ! -e e.svg ] &&
    grep -q "no column 'bogus'" err && grep -q "'d.txt' does not end" err && [ "$(grep -c '^wrote ' out)" -eq 3 ]
  verdict "shell: plots"
fi

# --- the output file
shell "an output file" 0 motored.yaml 'theta\nopen_output_file kept.txt\nomega\ncount\nlint\ncheck 2 7\nclose_output_file\nalpha\n'
grep -q '^omega =' kept.txt && grep -q 'newton-euler' kept.txt && grep -q '^0 errors' kept.txt &&
  grep -q '^motored: 2 states of seed 7' kept.txt && ! grep -Eq '^(theta|alpha) =' kept.txt
verdict "shell: an output file has what was printed while it was open"
has "the screen has it as well" '^omega ='
has "and goes on" '^alpha ='
shell "an output file left open" 0 motored.yaml 'open_output_file "left open.txt"\ntheta\n'
grep -q '^theta =' 'left open.txt'
verdict "shell: an output file is closed at the end"
shell "wrong output files" 1 motored.yaml 'close_output_file\nopen no/such/file.txt\nopen -\nopen_output_file\n\nopen 1.txt\nopen 2.txt\nwrite x.csv\nclose_output_file\nopen_output_file\n'
[ "$(wc -l <err)" -eq 8 ] && [ -e 1.txt ] && [ ! -e 2.txt ] # a second line says which command failed because a folder is missing
verdict "shell: wrong output files are refused"
complains "none is open" '^standard input:1:1: error: no output file is open'
complains "no folder" 'cannot write no/such/file.txt'
complains "one is open" '1.txt is open already'
complains "no answer" 'the input ends before .open_output_file. knows file'
shell "two files at a time" 0 motored.yaml 'open 3.txt\nsimulate yes no none 0.1 0.1\nwrite at_once.csv\ntheta\n'
[ "$(wc -l <at_once.csv)" -eq 3 ] && grep -q '^theta =' 3.txt && grep -q '^at_once.csv has 2 records' 3.txt &&
  [ -z "$(find . -name '*.txt.??????' -o -name '*.csv.??????')" ]
verdict "shell: two files at a time, and no temporary one is left"
mkfifo held
"$linkwork" shell motored.yaml <held >out 2>err &
session=$!
exec 9>held
printf 'open_output_file killed.txt\ntheta\n' >&9
for tick in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
do
  grep -q '^theta' out && break
  sleep 0.1
done
kill -TERM $session
wait $session 2>/dev/null
status=$?
exec 9>&-
[ $status -eq 143 ] && [ ! -e killed.txt ] && [ -z "$(find . -name 'killed.txt.??????')" ]
verdict "shell: a signal ends it and leaves no partial output file"

# --- another robot
shell "another robot" 1 motored.yaml 'theta = 1 2\nsimulate yes no none 0.1 0.1\ndatabase_read wrong.yaml\ntheta\nprint 0 0 1\ndatabase_read\npendulum.yaml\ntheta\nprint\ninverse_arm\n'
complains "a wrong one is diagnosed" 'wrong.yaml:.*error'
has "and the old one stays" '^  *2 turn +2 rad$'
has "the new one" '^pendulum, 1 moving joints$'
has "its torque" '^  *1 swing +-9.81 N m$'
complains "the recording is gone" 'there is no simulation yet'
# Ball and floating joints: as many positions as the quaternions have, in the axes of the body. m = 12, I = diag(1, 2, 3).
cat >flyer.yaml <<'END'
linkwork: 1
name: flyer
gravity: [0, 0, -10]
base: {type: floating, name: hull, mass: 10, inertia: [1, 2, 3, 0, 0, 0]}
joints:
  - {name: turn, type: revolute, axis: [0, 0, 1], parent: base, link: {mass: 2, inertia: [0.01, 0.01, 0.02, 0, 0, 0]}}
END
shell 'a floating base' 0 flyer.yaml 'theta.base.x = 2\ntheta.base.x\nomega.base.wx = 1\nomega.base.wy = 1\ninverse_arm\ntorque.base.fz = 0
torque.base.nz = 0\nforward_arm\nsimulate new=yes zero=no schedule=none duration=0.5 record=0.5\nprint_simulation 0 0.5 0.5 q.base.x,q.base.qw\npose\n'
has 'positions of the base' '^ +1 base.x +2 m$'
has 'its weight' '^ +3 base.fz +120 N$'
has 'moments by turning' '^ +6 base.nz +1 N m$' # w x I w = (2 - 1) wx wy
has 'and what that moment kept away' '^ +6 base.wz +-0.33[0-9]+ rad/s\^2$'
has 'free fall' '^ +3 base.vz +-10 m/s\^2$'
has 'columns by name' '^ +t +q1 +q7$'
has 'records' '^0.5 +2 +0.93'
has 'commands of the program' 'position x y z +2 '
shell 'wrong quaternions' 1 flyer.yaml 'theta.base.qw = 0.5\ntheta = 0 0 0 0 0 0 2 0\ntheta.base.qw\n'
complains 'one entry of a quaternion' ':1:[0-9]+: error: theta: a quaternion is set as a whole'
complains 'its length' "quaternion of joint 'base', q4 to q7, has the length 2, expected 1 to within 1e-6"
has 'the old one stays' '^ +7 base.qw +1$'
shell 'closed loops' 1 "$robots/four_bar.yaml" 'inverse_arm\ntorque.crank = 1\nforward_arm\ntheta = 1 2 3\ninverse_arm\n'
has 'rows hold' '^ +3 rocker +2.58024741 rad/s\^2$'
complains 'open loops' 'inverse_arm: the loops are not closed: a gap of 0.337 m'

shell "wrong robots" 1 motored.yaml 'database_read -\ndatabase_read nowhere.yaml\ndatabase_read\n'
[ "$(wc -l <err)" -eq 4 ]
verdict "shell: wrong robots are refused"
printf 'gravity = 3\ninverse_arm\n' | "$linkwork" shell motored.yaml --joints lift --at "turn=0.5" --payload disc=2 >out 2>err
status=$?
[ $status -eq 0 ] && grep -Eq '^  *1 lift +18 N$' out # 6 kg
verdict "shell: gravity with --joints, --at and --payload"
gives "--payload with --joints and --at" 'g1\n60\n' gravity motored.yaml --joints lift --at "turn=0.5" --payload disc=2 --q 0

# --- check, count, lint, help, quit
shell "commands of the program" 1 motored.yaml 'check states=3 seed=2\ncount\nlint\nlint doubtful.yaml\nlint wrong.yaml\ncheck states=x\n'
has "check" '^ok: all [0-9]+ checks are within their bounds$'
has "count" '^motored: operations of one evaluation'
has "lint" '^0 errors, 0 warnings$'
has "lint of another file" '^0 errors, [1-9][0-9]* warnings?$'
complains "lint fails" "^standard input:5:1: error: 'lint' failed"
shell "help" 0 motored.yaml 'help\n'
for name in gravity DACTimePeriod theta omega alpha torque voltage DACOut inverse_arm forward_arm simulate plot_simulation \
  print_simulation write_graphic_file open_output_file close_output_file database_read check count lint help exit quit force moment
do
  has "lists $name" "^  $name +[a-z]"
  printf 'help %s\n' "$name" | "$linkwork" shell motored.yaml >out 2>err
  status=$?
  [ $status -eq 0 ] && [ "$(wc -l <out)" -ge 2 ] && grep -q "^$name" out
  verdict "shell: help $name"
  printf 'help\n' | "$linkwork" shell motored.yaml >out 2>err
done
shell "wrong help requests" 1 motored.yaml 'help simulat\nhelp fly_to_the_moon\nhelp c\nhelp theta omega\n'
[ "$(wc -l <err)" -eq 3 ]
verdict "shell: help by an abbreviation, and none for unknown words"
shell "quit" 0 motored.yaml 'quit\nbogus\n'
"$linkwork" shell motored.yaml <long.txt 2>err | :
status=$?
[ $status -eq 0 ]
verdict "shell: a reader that closes the pipe"

# --- the default arm, the hand, one joint, aliases
printf 'theta\npose\nexit\nbogus\n' | "$linkwork" shell >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '1 trunk_roll' out && grep -q '^direct-drive arm: pose' out && [ ! -s err ]
verdict "shell: the built-in arm, and exit"
printf 'count\ncheck states=2\nlint\ndatabase_read motored.yaml\n' | "$linkwork" shell >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '^direct-drive arm: 2 states' out && grep -q '^motored, 2 moving' out
verdict "shell: the built-in arm: check, count, lint, and another robot"
shell "one joint" 1 motored.yaml 'theta.turn = 90 deg\nq1 = 0.5\ntheta\nqd.turn = 2\nomega.turn\nq\ntheta.trn = 1\ntheta3 = 1\ntheta.lift = 1 2\ntheta.lift = 1 deg\nq.turn = x\nvoltage.lift = 22\nv\ntau.turn = 7\ntorque\n'
[ "$(awk '/^theta =/ { getline; a = $3; getline; print a, $3 }' out | xargs)" = "0.5 1.57079633 0.5 1.57079633" ]
verdict "shell: one joint: the others stay, and q is theta"
has "one is shown" '^ +2 turn +2 rad/s$'
has "its voltage" '^ +1 lift +22 V$'
has "its torque" '^ +2 turn +7 N m$'
[ "$(wc -l <err)" -eq 5 ]
verdict "shell: one joint: errors"
complains "a misspelt one" "^standard input:7:7: error: no moving joint 'trn'; did you mean 'turn'\?"
complains "one that is not there" "^standard input:8:6: error: no moving joint '3'"
complains "a length is not an angle" '^standard input:10:16: error: theta: value 1 is not an angle'
# 4 kg against 10 m/s^2; the hand is pulled up by 15 N and twisted by 1 N m
shell "the hand" 1 motored.yaml 'force = 0 0 15\nmoment = 0 0 1\nmoment\ninverse_arm\nlinkwork inverse\ntorque = 40 0\nforward_arm\nsimulate yes no none 1 1\nforce = 1 2\nforce = 0 0 0\nmoment = 0 0 0\nomega = 0 0\nalpha = 0 0\ninverse_arm\n'
[ "$(awk '/^torque =/ { getline; a = $3; getline; print a, $3 }' out | xargs)" = "25 -1 40 0" ]
verdict "shell: the hand: external forces reduce the drive torques"
has "forward_arm" '^ +1 lift +3 m/s\^2$' # 15 N, 4 kg and 1 kg of the rotor
has "the command of the program" '^ +tau1 +lift +25 N$'
has "work of loads in a simulation" 'loads [1-9.]+ J'
complains "three numbers" '^standard input:9:1: error: force: 2 values given, expected three$'

# --- commands of the program: the same answers
shell "commands with the state of the session" 0 motored.yaml 'theta = 0.5 0.25\nomega = 1 2\nalpha = 3 4\ngravity = 0 0 -5\ninverse --format csv\npose --format csv\njacobian --format csv --link car\ninertia --format csv\nenergy --format csv\nreactions --format csv\nbias --format csv\nlinkwork gravity --format csv\nplan --to 1,1 --duration 1 --dt 0.5 --format csv\nik --position 0,0,0.3 --format csv\ndraw --out session.svg\ninfo --format csv\n'
common="motored.yaml --gravity 0,0,-5"
{
  "$linkwork" inverse $common --q 0.5,0.25 --qd 1,2 --qdd 3,4
  "$linkwork" pose $common --q 0.5,0.25
  "$linkwork" jacobian $common --q 0.5,0.25 --link car
  "$linkwork" inertia $common --q 0.5,0.25
  "$linkwork" energy $common --q 0.5,0.25 --qd 1,2
  "$linkwork" reactions $common --q 0.5,0.25 --qd 1,2 --qdd 3,4
  "$linkwork" bias $common --q 0.5,0.25 --qd 1,2
  "$linkwork" gravity $common --q 0.5,0.25
  "$linkwork" plan $common --from 0.5,0.25 --to 1,1 --duration 1 --dt 0.5
  "$linkwork" ik $common --q 0.5,0.25 --position 0,0,0.3
  "$linkwork" info $common --format csv
} >wanted 2>/dev/null
cmp -s out wanted && [ -s session.svg ]
verdict "shell: commands of the program give the program's output"
shell "wrong commands" 1 motored.yaml 'pose --lnk car\npos\npose "x\nlinkwork fly\nsnake\nplan --to 1\npose --help\nhelp pose\n'
complains "an unknown option" "unknown option '--lnk' of 'pose'"
complains "the line of the script" "^standard input:1:1: error: 'pose' failed"
complains "a misspelt one" "no command or variable 'pos'; did you mean 'pose'"
has "help of a command of the program" 'linkwork pose ROBOT'
"$linkwork" shell motored.yaml --joints lift --at "turn=0.5" >out 2>err <<'END'
theta = 0.5
linkwork gravity --format csv
END
[ $? -eq 0 ] && [ "$(tail -n 1 out)" = 40 ]
verdict "shell: commands of the program: the options of the session"

# --- steps, columns by either name, rounded times, missing files
shell "steps" 1 motored.yaml 'simulate zero=no schedule=none record=0.005 steps=20\nsimulate yes no none 1 0.1 20\nsimulate new=yes steps=1.5 zero=no schedule=none\nprint start=0 finish=1 step=0.01 columns=theta,omega.turn,alpha2\n'
has "as many are taken" '^steps by kutta3: 20 taken, 0 rejected'
has "their length" '^20 steps of 0.001 s$'
has "columns by either name" '^ *t +q1 +q2 +qd2 +qdd2$'
complains "steps and a duration" 'steps and duration exclude each other'
complains "a fraction of a step" "steps: '1.5' is not a whole number"
cat >stiff.yaml <<END
linkwork: 1
name: stiff
joints:
  - {name: a, type: revolute, a: 1, friction: {viscous: 300}, link: {mass: 1, com: [-0.5, 0, 0], inertia: [0, 0.05, 0.05, 0, 0, 0]}}
END
printf 'omega = 1\nsimulate zero=no schedule=none duration=0.08 record=0.01\n' | "$linkwork" shell stiff.yaml --integrator rk4:4e-3 >out 2>err
[ $? -eq 1 ] && grep -q "beyond the stability limit of rk4 .* joint 'a'" err && grep -q 'S moved by .*not to be trusted' err
verdict "shell: steps that are too long are told before, and a run that diverged after"
printf 'simulate steps=5 zero=no schedule=none\n' | "$linkwork" shell motored.yaml --integrator dop853:1e-9 >out 2>err
grep -q "steps: those of dop853 have no fixed length" err
verdict "shell: steps of an integrator without a fixed step"
shell "rounded times" 0 motored.yaml 'simulate yes no none 0.3 0.1\nprint 0 1 0.1\nprint 0 1 0.15\nsimulate yes no none 1.23456789 1.23456789\nprint 0 2 1\n'
[ "$(grep -c 'some of these times have no record' out)" -eq 2 ] && [ "$(grep -c 'times are rounded to 6 digits' out)" -eq 1 ]
verdict "shell: a rounded time is reported, and only then"
shell "a missing file" 0 motored.yaml 'simulate\nno\nvolt.csv\nvolts.csv\n0.1\n0.1\ndatabase_read\npendulm.yaml\n.\npendulum.yaml\ntheta\n'
[ "$(grep -c 'cannot read' err)" -eq 3 ] && grep -q 'cannot read .: it is a folder' err
verdict "shell: a missing file: asks again"
has "the questions go on" '^record interval, s'
has "and the next" '^pendulum, 1 moving joints$'

# --- at a terminal: history between sessions and file completion, which need libedit
if command -v script >/dev/null 2>&1
then
  type_in()
  {
    (for typed in "$@"; do sleep 0.2; printf "$typed"; done) | script -qec "$linkwork shell motored.yaml" /dev/null >out 2>err
  }
  XDG_STATE_HOME=$PWD/state
  export XDG_STATE_HOME
  type_in 'theta.turn = 0.125\n' 'exit\n'
  if [ -e state/linkwork/history ]
  then
    [ "$(stat -c %a state/linkwork/history)" = 600 ] && [ "$(stat -c %a state/linkwork)" = 700 ] && grep -q 'theta.turn' state/linkwork/history
    verdict "shell: history is kept, readable by its owner only"
    type_in '\033[A\033[A\n' 'theta\n' 'exit\n' # two lines up: a line of the previous session
    grep -Eq '2 turn +0.125 rad' out
    verdict "shell: history of the previous session"
    type_in 'database_read\n' 'pendul\t\n' 'exit\n'
    grep -q 'pendulum, 1 moving joints' out
    verdict "shell: Tab completes a file where one is asked for"
    rm -r state
    LINKWORK_HISTORY= type_in 'theta\n' 'exit\n'
    [ ! -e state ]
    verdict "shell: LINKWORK_HISTORY empty: no history"
  fi
  unset XDG_STATE_HOME
fi
