# linkwork check, and linkwork count for any number of joints.

# --- all methods against each other
for robot in pendulum.yaml crane.yaml ten.yaml arm.yaml "$robots"/*.yaml
do
  [ -e "$robot" ] || continue
  for precision in double single
  do
    says "check $(basename "$robot"), $precision" '^ok: all [0-9]+ checks are within their bounds$' \
      check "$robot" --open-tree --states 20 --precision $precision --format table
  done
done
header "check as csv" 'check,question,method,worst,bound,absolute,state,ok' check crane.yaml
json "check as json" '"check": "agreement", "question": "inverse", "method": "newton-euler", "worst": 0, "bound": [0-9]+, "absolute": 0, "state": null, "ok": true' \
  check crane.yaml
json "check: power balance" '"check": "power balance", "question": "energy", "method": null, "worst": [0-9.]+' \
  check crane.yaml
run methods
methods=$(grep -Ec '^inverse( |,)' out)
run check crane.yaml
[ $status -eq 0 ] && [ "$(grep -c '^agreement,inverse,' out)" -eq "$methods" ]
verdict "check has every inverse method"
run check crane.yaml --seed 7 --states 10
cp out seven
run check crane.yaml --seed 7 --states 10
[ $status -eq 0 ] && cmp -s out seven
verdict "check: the same seed, the same numbers"
run check crane.yaml --seed 8 --states 10
[ $status -eq 0 ] && ! cmp -s out seven
verdict "check: another seed, other numbers"
says "check --state shows the state" '^  linkwork inverse arm.yaml --q [-0-9.,e]+ --qd [-0-9.,e]+ --qdd [-0-9.,e]+ --wrench ' \
  check arm.yaml --state 4 --format table
"$linkwork" $(sed -n 's|^  linkwork \(inverse.*\)|\1|p' out | head -n 1) >got 2>err
[ $? -eq 0 ] && [ "$(head -n 1 got)" = "tau1,tau2,tau3,tau4" ]
verdict "check --state: the line can be used"

sed 's/inertia: .0.2, 0.25, 0.15/inertia: [0.2, 0.25, -3/' arm.yaml >impossible.yaml
run check impossible.yaml --allow-bad-inertia --format table
[ $status -eq 1 ] && grep -Eq '^positive definite +inertia +composite-body .* NO$' out &&
  grep -Eq '^  linkwork inertia impossible.yaml --method composite-body --allow-bad-inertia --q ' out &&
  tail -n 1 out | grep -Eq '^NO: [0-9]+ of [0-9]+ checks are beyond their bounds$'
verdict "check: an impossible robot, exit 1, the state is shown"
run check impossible.yaml --allow-bad-inertia --format json
[ $status -eq 1 ] && ./json_check <out && grep -q '"ok": false' out && grep -q 'linkwork inertia' err
verdict "check: the same as json, the state on standard error"

refuses "check of nothing" 2 "'check' needs a ROBOT" check
for states in 0 -1 1.5 x '' 1e9
do
  refuses "check --states '$states'" 2 '--states: .* expected an integer from 1 to' \
    check crane.yaml --states "$states"
done
refuses "check --seed" 2 '--seed: .* expected an integer' check crane.yaml --seed -1
refuses "check --precision" 2 "unknown precision 'half'; expected double or single" check crane.yaml --precision half
refuses "check --tolerance alone" 2 '--tolerance is for --in' check crane.yaml --tolerance 1
refuses "check: one state of many" 2 '--state and --states exclude' check crane.yaml --state 1 --states 2
refuses "check --against and --states" 2 '--in and --states exclude' \
  check crane.yaml --against x.csv --states 3
refuses "check: two standard inputs" 2 'cannot both be standard input' check - --against -

# --- torques of another program: the program itself with another robot file
awk 'BEGIN {
  print "q1,q2,q3,q4,qd1,qd2,qd3,qd4,qdd1,qdd2,qdd3,qdd4,fx,fy,fz,nx,ny,nz"
  for (k = 1; k <= 25; ++k) {
    line = ""
    for (c = 1; c <= 18; ++c) {
      v = sin(k * (c + 0.7) + c * c)
      line = line (c > 1 ? "," : "") sprintf("%.9f", c > 12 ? 5 * v : c > 8 ? 3 * v : v)
    }
    print line
  }
}' >wrenched.csv
cut -d, -f1-12 wrenched.csv >motion.csv

# torques ROBOT MOTION: writes torques.csv
torques()
{
  "$linkwork" inverse "$1" --in "$2" >taus 2>err && paste -d, "$2" taus >torques.csv
}

# finds NAME PATTERN [OPTIONS]: torques.csv disagrees with arm.yaml, and this explains it
finds()
{
  name=$1
  pattern=$2
  shift 2
  run check arm.yaml --against torques.csv --format table "$@"
  [ $status -eq 1 ] && grep -Eq -- "^explained by: $pattern" out
  verdict "$name"
}

# suspect NAME SED PATTERN [MOTION]: the torques of arm.yaml after this change are explained by a line that matches
suspect()
{
  sed "$2" arm.yaml >other.yaml
  ! cmp -s arm.yaml other.yaml && torques other.yaml "${4:-motion.csv}"
  finds "suspect: $1" "$3"
}

torques arm.yaml motion.csv
says "against our own torques" '^arm and torques.csv agree: 25 rows' \
  check arm.yaml --against torques.csv --format table
header "against as csv" 'suspect,before,after,absolute,row,joint,explains,detail' \
  check arm.yaml --against torques.csv
json "against as json" '"suspect": "none", .*"explains": "yes"' check arm.yaml --against torques.csv
sed 's/q1,q2/q.waist,q.shoulder/; s/tau1/tau.waist/' torques.csv >named.csv
says "against columns by name" ' agree: ' check arm.yaml --against named.csv --format table
torques arm.yaml wrenched.csv
says "against torques with a wrench" ' agree: ' check arm.yaml --against torques.csv --format table
awk -F, 'NR == 1 { print; next } { for (k = 1; k <= NF; ++k) printf "%s%.5g", (k > 1 ? "," : ""), $k; print "" }' \
  torques.csv >rounded.csv
run check arm.yaml --against rounded.csv
[ $status -eq 1 ]
verdict "five digits are not enough for the default tolerance"
says "but for another one" ' agree: ' check arm.yaml --against rounded.csv --format table --tolerance 1e-3

suspect "gravity sign" 's/^dh:/gravity: [0, 0, 9.81]\n&/' 'gravity sign$'
suspect "gravity missing" 's/^dh:/gravity: [0, 0, 0]\n&/' 'gravity missing$'
suspect "another gravity" 's/^dh:/gravity: [0.1, 0, -9.8]\n&/' 'another gravity$'
grep -q 'gravity \[0.1, 0, -9.8\]' out
verdict "suspect: its gravity is named"
suspect "DH convention" 's/^dh: modified/dh: standard/' 'DH convention$'
suspect "products of inertia" \
  's/0.01, -0.02, 0.015/-0.01, 0.02, -0.015/; s/-0.01, 0.012, 0.006/0.01, -0.012, -0.006/
   s/0.005, 0.004, -0.006/-0.005, -0.004, 0.006/; s/0.0006, -0.0008, 0.001/-0.0006, 0.0008, -0.001/' \
  'products of inertia$'
suspect "product of inertia xy" \
  's/0.01, -0.02, 0.015/-0.01, -0.02, 0.015/; s/-0.01, 0.012, 0.006/0.01, 0.012, 0.006/
   s/0.005, 0.004, -0.006/-0.005, 0.004, -0.006/; s/0.0006, -0.0008, 0.001/-0.0006, -0.0008, 0.001/' \
  'product of inertia xy$'
suspect "product of inertia yz" \
  's/0.01, -0.02, 0.015/0.01, -0.02, -0.015/; s/-0.01, 0.012, 0.006/-0.01, 0.012, -0.006/
   s/0.005, 0.004, -0.006/0.005, 0.004, 0.006/; s/0.0006, -0.0008, 0.001/0.0006, -0.0008, -0.001/' \
  'product of inertia yz$'
suspect "order of products" \
  's/0.01, -0.02, 0.015/0.01, 0.015, -0.02/; s/-0.01, 0.012, 0.006/-0.01, 0.006, 0.012/
   s/0.005, 0.004, -0.006/0.005, -0.006, 0.004/; s/0.0006, -0.0008, 0.001/0.0006, 0.001, -0.0008/' \
  'order of products$'
suspect "product of inertia xz" \
  's/0.01, -0.02, 0.015/0.01, 0.02, 0.015/; s/-0.01, 0.012, 0.006/-0.01, -0.012, 0.006/
   s/0.005, 0.004, -0.006/0.005, -0.004, -0.006/; s/0.0006, -0.0008, 0.001/0.0006, 0.0008, 0.001/' \
  'product of inertia xz$'

# inertia about the origin of the link frame: m (c^2 1 - c c^T) added (+1) or subtracted (-1)
awk -v factor=-1 'function shift(s) {
  split(s, v, /[^-0-9.e]+/)
  m = factor * v[2]; x = v[3]; y = v[4]; z = v[5]
  printf "    link: {mass: %s, com: [%s, %s, %s], inertia: [", v[2], x, y, z
  printf "%.12g, %.12g, %.12g, ", v[6] + m * (y * y + z * z), v[7] + m * (x * x + z * z), v[8] + m * (x * x + y * y)
  printf "%.12g, %.12g, %.12g]}\n", v[9] - m * x * y, v[10] - m * x * z, v[11] - m * y * z
}
/ link: / { sub(/.*mass/, ""); gsub(/com|inertia/, ""); shift($0); next } { print }' arm.yaml >other.yaml
"$linkwork" inverse other.yaml --in motion.csv --allow-bad-inertia >taus 2>err &&
  paste -d, motion.csv taus >torques.csv
finds "suspect: inertia about the link origin" 'inertia about the link origin$'
mv arm.yaml kept.yaml
mv other.yaml arm.yaml
torques kept.yaml motion.csv
finds "suspect: inertia shifted twice" 'inertia shifted twice$' --allow-bad-inertia
mv kept.yaml arm.yaml

for factor in 1000 0.001
do
  torques arm.yaml motion.csv
  awk -F, -v OFS=, -v factor=$factor 'NR > 1 { for (k = 13; k <= 16; ++k) $k = sprintf("%.12g", factor * $k) }
    { print }' torques.csv >x && mv x torques.csv
  finds "suspect: torques $factor times" "mass 1(000 times|/1000)$"
done

# --- friction, rotors, added by awk as in arm.yaml: columns q 1-4, qd 5-8, qdd 9-12, tau 13-16
# drive V C R: viscous, Coulomb and rotor terms, each 0 or 1
drive()
{
  torques arm.yaml motion.csv
  awk -F, -v OFS=, -v V=$1 -v C=$2 -v R=$3 'BEGIN {
    split("2.5 1.5 20 0.4", v, " "); split("4 3 15 0.6", c, " "); split("1.08 1.28 0 0.147", r, " ")
  }
  NR > 1 { for (i = 1; i <= 4; ++i) { s = $(4 + i) > 0 ? 1 : -1
    $(12 + i) = sprintf("%.12g", $(12 + i) + V * v[i] * $(4 + i) + C * c[i] * s + R * r[i] * $(8 + i)) } }
  { print }' torques.csv >x && mv x torques.csv
}
drive 1 0 0
finds "suspect: viscous friction" 'viscous friction$'
drive 0 1 0
finds "suspect: Coulomb friction" 'Coulomb friction$'
drive 1 1 0
finds "suspect: friction" 'friction$'
drive 0 0 1
finds "suspect: rotor inertia" 'rotor inertia$'
drive 1 1 1
finds "suspects: friction and rotors" 'friction and rotor inertia$'
drive 2 0.5 3
finds "suspects: friction and rotors that the file does not have" 'friction and rotors, fitted$'
grep -q 'waist: viscous 5, Coulomb 2, gear^2 rotor inertia 3.24' out
verdict "suspects: fitted values"

# --- the file
# flip COLUMNS: changes their sign
flip()
{
  awk -F, -v OFS=, -v list="$1" 'BEGIN { n = split(list, c, " ") }
    NR > 1 { for (k = 1; k <= n; ++k) if (!sub(/^-/, "", $c[k])) $c[k] = "-" $c[k] } { print }' torques.csv >x && mv x torques.csv
}
torques arm.yaml wrenched.csv
flip "13 14 15 16 17 18"
finds "suspect: wrench sign" 'wrench sign$'
torques arm.yaml motion.csv
cut -d, -f13-16 torques.csv >taus
paste -d, wrenched.csv taus >torques.csv
finds "suspect: wrench missing" 'wrench missing$'
torques arm.yaml wrenched.csv
"$linkwork" pose arm.yaml --in wrenched.csv >poses 2>err
paste -d, torques.csv poses | awk -F, -v OFS=, 'NR > 1 { for (k = 0; k < 6; ++k) { w[k] = 0
    for (j = 0; j < 3; ++j) w[k] += $(26 + 3 * (k % 3) + j) * $(13 + int(k / 3) * 3 + j) }
    for (k = 0; k < 6; ++k) $(13 + k) = sprintf("%.12g", w[k]) } { print }' | cut -d, -f1-22 >x && mv x torques.csv
finds "suspect: wrench in base axes" 'wrench in base axes$'

# degrees LAST: columns of angles up to this one from radians to degrees; the slide is column 3 of each group
degrees()
{
  torques arm.yaml motion.csv
  awk -F, -v OFS=, -v last=$1 'NR > 1 { for (k = 1; k <= last; ++k)
    if (k % 4 != 3) $k = sprintf("%.12g", $k * 45 / atan2(1, 1)) } { print }' torques.csv >x && mv x torques.csv
}
degrees 4
finds "suspect: degrees in q" 'degrees in q$'
degrees 12
finds "suspect: degrees in all" 'degrees in q, qd, qdd$'
torques arm.yaml motion.csv
sed '1s/.*/q4,q3,q2,q1,qd4,qd3,qd2,qd1,qdd4,qdd3,qdd2,qdd1,tau4,tau3,tau2,tau1/' torques.csv >x && mv x torques.csv
finds "suspect: joint order" 'joint order$'

torques arm.yaml motion.csv
flip "2 6 10 14 4 8 12 16"
finds "suspect: joint signs" 'joint signs$'
grep -q 'joint 2 (shoulder), 4 (wrist)$' out
verdict "suspect: the joints are named"
torques arm.yaml motion.csv
flip "15"
finds "suspect: torque signs" 'torque signs$'
grep -q 'joint 3 (slide)$' out
verdict "suspect: the torque is named"

# --- pairs of causes, unexplained torques, misuse
sed 's/^dh:/gravity: [0, 0, 9.81]\n&/' arm.yaml >other.yaml
torques other.yaml motion.csv
flip "1 5 9 13"
finds "suspects: gravity sign and joint signs" 'gravity sign and joint signs$'
torques other.yaml wrenched.csv
flip "13 14 15 16 17 18"
finds "suspects: gravity sign and wrench sign" 'wrench sign and gravity sign$'
run check arm.yaml --against torques.csv --format json
[ $status -eq 1 ] && ./json_check <out && grep -q '"suspect": "wrench sign and gravity sign", .*"explains": "yes"' out
verdict "suspects as json"
sed 's/^dh:/gravity: [0, 0, 9.81]\n&/' arm.yaml >other.yaml
torques other.yaml motion.csv
awk -F, -v OFS=, 'NR > 1 { $13 *= 1.0005 } { print }' torques.csv >x && mv x torques.csv
run check arm.yaml --against torques.csv --format table
[ $status -eq 1 ] && grep -q '^explained in part by: gravity sign' out
verdict "suspect: explained in part"
sed 's/mass: 6/mass: 6.7/; s/0.12, 0.13/0.17, 0.15/' arm.yaml >other.yaml
torques other.yaml motion.csv
finds "suspect: another link" 'another link$'
sed 's/mass: 6/mass: 6.7/; s/mass: 1/mass: 1.3/' arm.yaml >other.yaml
torques other.yaml motion.csv
finds "suspects: two masses" 'link mass and link mass$'
sed 's/mass: 6/mass: 6.7/; s/mass: 1/mass: 1.3/; s/mass: 3/mass: 3.4/' arm.yaml >other.yaml
torques other.yaml motion.csv
run check arm.yaml --against torques.csv --format table
[ $status -eq 1 ] && grep -q '^not explained: ' out && grep -q '^worst difference .*joint [1-4] (' out
verdict "different masses are reported as unexplained"
awk -F, -v OFS=, 'NR > 1 { for (k = 13; k <= 16; ++k) $k = 0 } { print }' torques.csv >zero.csv
run check arm.yaml --against zero.csv --format table
[ $status -eq 1 ] && grep -q '^not explained: ' out
verdict "torques that are all zero"

refuses "against a file without torques" 3 "^motion.csv:1:1: error: column 'tau1' is missing, expected columns tau1 to tau4" \
  check arm.yaml --against motion.csv
refuses "against nothing" 3 'cannot read nowhere.csv' check arm.yaml --against nowhere.csv
head -n 1 torques.csv >empty.csv
refuses "against a header" 3 'empty.csv: no rows' check arm.yaml --against empty.csv
printf 'q1,tau1\n0,x\n' >bad.csv
refuses "against a wrong line" 3 "^bad.csv:2:3: error: 'x' is not a finite number" \
  check pendulum.yaml --against bad.csv
printf 'q1,qd1,tau1\n0,1e200,1\n' >huge.csv
refuses "against an overflow" 4 'row 1 of huge.csv are not finite' \
  check pendulum.yaml --against huge.csv
for tolerance in 0 -1 x nan
do
  refuses "check --tolerance $tolerance" 2 '--tolerance: .* expected a number above 0' \
    check arm.yaml --against torques.csv --tolerance $tolerance
done

# --- counts for any number of joints
says "count: newton-euler" '^inverse,newton-euler,91n - 90,79n - 81,0,2,91n - [0-9]+,80n - [0-9]+,150n - 48,131n - 48,' count
says "count: gibbs-appell as printed" '23/2 n\^2 \+ 39/2 n - 49,17/2 n\^2 \+ 63/2 n - 69' count
says "count: divisions" '^forward,articulated-body,[^,]*,[^,]*,n - 1,' count
header "count as csv, for any n" \
  'question,method,mul,add,div,from_n,executed_mul,executed_add,printed_mul,printed_add,printed_source' count
json "count as json, for any n" '"method": "newton-euler", "mul": "91n - 90", .*"from_n": 2, .*"printed": \{"mul": "150n - 48"' \
  count --method newton-euler
says "count: how it was measured" 'verified on' count --format table
run count
! grep -q ',none,' out
verdict "count: a polynomial fits every method"
