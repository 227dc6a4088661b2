#!/bin/sh
# tests/fmu/run.sh LINKWORK IMPORTER CMAKE CC FOLDER: exports units and runs them in tests/fmu/importer.c, whose results must be those of
# `simulate`. FOLDER: scratch.
set -u
linkwork=$1 importer=$2 cmake=$3 cc=$4 work=$5
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
LINKWORK_ISA=baseline
export LINKWORK_ISA
failed=0

fail() { echo "FAILED: $*"; failed=1; }
compare() { awk -F, -v most="$3" -f "$here/compare.awk" "$1" "$2" || fail "$4"; }

# unit FILE [options]: exports it, and unpacks it into unit/
unit() {
  "$linkwork" export "$@" --fmu unit.fmu || fail "export $*"
  rm -rf unit
  mkdir unit
  (cd unit && "$cmake" -E tar xf ../unit.fmu)
}

# as_simulated FILE MOST SCENARIO IMPORTER-ARGUMENTS: the unit that is unpacked, and SCENARIO by `simulate`
as_simulated() {
  file=$1 most=$2 scenario=$3
  shift 3
  "$importer" unit "$@" > got.csv || fail "importer $*"
  "$linkwork" simulate "$scenario" --names --quiet --format csv ${fine:-} --duration 1.2 > expected.csv 2> /dev/null
  compare expected.csv got.csv "$most" "$file: $*"
}

# --- what is shipped, by both kinds of units; saved states; derivatives
for name in puma_fall four_bar_fall free_flyer puma_computed_torque puma_sensors puma_voltage hydraulic_valve; do
  scenario=$root/scenarios/$name.yaml
  unit "$scenario"
  step=$("$linkwork" simulate "$scenario" --duration 0.3 --quiet --format csv 2> /dev/null | awk -F, 'NR == 3 { print $1 }')
  as_simulated "$name" 1e-9 "$scenario" cs "$step" 1
  "$importer" unit states "$step" 0.4 2> /dev/null | awk -F, '{ if (n[$1]++ && line[$1] != $0) bad = 1; line[$1] = $0 }
    END { for (t in n) if (n[t] != 3) bad = 1; exit bad || NR < 6 }' || fail "$name: saved states"
  "$importer" unit derivatives || fail "$name: directional derivatives"
done
for name in puma_fall four_bar_fall free_flyer puma_swing puma_sensors; do
  scenario=$root/scenarios/$name.yaml
  unit "$scenario"
  step=$("$linkwork" simulate "$scenario" --duration 0.3 --quiet --format csv 2> /dev/null | awk -F, 'NR == 3 { print $1 }')
  fine="--integrator dop853:1e-13" as_simulated "$name" 1e-9 "$scenario" me "$step" 1 "$(awk -v dt="$step" 'BEGIN { print int(dt / 0.0002 + 0.5) }')"
done
fine=

# --- stops and stick-slip as state events
cat > slider.yaml <<'END'
linkwork: 1
name: slider
gravity: [0, 0, 0]
joints:
  - {name: rail, type: prismatic, origin: {xyz: [0, 0, 0]}, axis: [1, 0, 0], limits: {lower: -0.1, upper: 0.4},
     friction: {coulomb: 3, viscous: 0.5}, link: {name: cart, mass: 2, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
  - {name: pin, type: revolute, origin: {xyz: [0, 0, 0]}, axis: [0, 1, 0], limits: {lower: -0.5, upper: 0.8},
     friction: {coulomb: 0.2}, motor: {resistance: 1.2, torque_constant: 0.3, gear: 10, inductance: 0.004, rotor_inertia: 1e-4},
     link: {name: arm, mass: 1, com: [0.2, 0, 0], inertia: [0.005, 0.01, 0.01, 0, 0, 0]}}
END
cat > events.yaml <<'END'
linkwork: 1
name: stops and stick-slip
robot: slider.yaml
limits: hold
record: 0.01
duration: 2
drives: {rail: {torque: "8*sin(9*t)"}, pin: {torque: "1.4*sin(5*t)"}}
events: [{name: push, at: 0.5, drives: {rail: {torque: "6*sin(9*t)"}}}, {name: far, joint: rail, when: "q - 0.05", drives: {pin: {torque: "2*cos(7*t)"}}}]
END
unit events.yaml
as_simulated events 1e-9 events.yaml cs 0.01 1
fine="--integrator dop853:1e-13" as_simulated events 1e-9 events.yaml me 0.01 1 200
fine=
"$linkwork" simulate events.yaml --duration 1 --out events.csv 2>&1 | grep -q "joints were held" || fail "no joint was held in the test of events"

# --- inputs: torque, voltage, reference
cat > free.yaml <<'END'
linkwork: 1
robot: slider.yaml
record: 0.01
END
sed 's/drives:.*//; $a drives: {rail: {torque: 5}, pin: {torque: -0.7}}' free.yaml > torques.yaml
unit slider.yaml
as_simulated torques 1e-9 torques.yaml cs 0.01 1 torque.rail=5 torque.pin=-0.7
unit slider.yaml --inputs voltage
sed '$a drives: {rail: {torque: 5}, pin: {voltage: 6}}' free.yaml > voltages.yaml
as_simulated voltages 1e-9 voltages.yaml cs 0.01 1 torque.rail=5 voltage.pin=6
sed '$a controller: {kind: computed-torque, kp: 100, kd: 20, reference: {q: [0.1, 0.2]}}' free.yaml > controlled.yaml
sed '$a controller: {kind: computed-torque, kp: 100, kd: 20}' free.yaml > reference.yaml
unit reference.yaml --inputs reference
as_simulated reference 1e-9 controlled.yaml cs 0.01 1 q_ref.rail=0.1 q_ref.pin=0.2

# --- inputs that change on the way: a step of torque at 0.3 s
unit free.yaml
sed '$a events: [{at: 0.3, drives: {pin: {torque: 2}}}]' free.yaml > later.yaml
"$importer" unit cs 0.01 1 torque.pin=2@0.3 | sed 32d > got.csv  # at 0.3 s itself, `simulate` records what follows
"$linkwork" simulate later.yaml --names --quiet --format csv --duration 1.2 2> /dev/null | sed 32d > expected.csv
compare expected.csv got.csv 1e-9 "a torque that changes at 0.3 s"

# --- parameters: payload and gains from the start, a mass on the way
sed '$a payload: {link: arm, mass: 0.5, com: [0.4, 0, 0]}' torques.yaml > payload.yaml
unit torques.yaml
as_simulated payload 1e-9 payload.yaml cs 0.01 1 payload.mass=0.5 payload.x=0.4
sed 's/mass: 1, com: \[0.2, 0, 0\], inertia: \[0.005, 0.01, 0.01/mass: 2, com: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02/' slider.yaml > heavy.yaml
sed 's/slider/heavy/' torques.yaml > heavier.yaml
as_simulated mass 1e-9 heavier.yaml cs 0.01 1 mass.arm=2
unit controlled.yaml
sed 's/kp: 100, kd: 20/kp: 40, kd: 9/' controlled.yaml > soft.yaml
as_simulated gains 1e-9 soft.yaml cs 0.01 1 kp.rail=40 kp.pin=40 kd.rail=9 kd.pin=9
unit torques.yaml
"$importer" unit cs 0.01 1 mass.arm=2@0.5 > changed.csv
"$importer" unit cs 0.01 1 > same.csv
awk -F, 'NR == FNR { line[FNR] = $0; next } FNR <= 51 && line[FNR] != $0 { early = 1 } FNR > 60 && line[FNR] == $0 { late = 1 } END { exit early || late }' \
  same.csv changed.csv || fail "a mass that changes at 0.5 s"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "energy.S") s = i; next } $s > 1e-6 || $s < -1e-6 { bad = 1 } END { exit bad || !s }' changed.csv ||
  fail "S after a mass has changed"

# --- the sources alone, with the model as C data
unit events.yaml
"$importer" unit cs 0.01 1 > binary.csv
"$cc" -O0 -w -fPIC -shared -o unit/binaries/linux64/unit.so unit/sources/linkwork.c unit/sources/linkwork_lanes.c unit/sources/model.c -lm ||
  fail "the sources do not compile"
rm -rf unit/resources
"$importer" unit cs 0.01 1 > source.csv
compare binary.csv source.csv 1e-12 "sources"
"$importer" unit refusals 2> /dev/null || fail "refusals"

# --- the same bytes every time, and what is refused
mkdir again
"$linkwork" export events.yaml --fmu again/unit.fmu
cmp again/unit.fmu unit.fmu || fail "other bytes the second time"
refused() {
  expected=$1
  shift
  "$linkwork" export "$@" > out.txt 2>&1
  test $? -eq "$expected" || fail "export $*: expected exit code $expected: $(cat out.txt)"
  test -s out.txt || fail "export $*: says nothing"
}
refused 2 events.yaml
refused 2 events.yaml --fmu 1.fmu
refused 2 events.yaml --fmu x.fmu --inputs reference
refused 2 events.yaml --fmu x.fmu --inputs pressure
refused 3 missing.yaml --fmu x.fmu
refused 2 - --fmu x.fmu
refused 2 "$root/robots/snakes/table2_n6.yaml" --fmu x.fmu
test ! -e x.fmu || fail "a unit that was refused is there"
exit $failed
