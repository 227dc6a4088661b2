# linkwork check --against: finds a wrong payload, a wrong link mass, two swapped joints, missing rotors, rounded torques, zeros of
# joints, missing terms, two causes at once and noise, and gives their size; on two arms of the literature and a tree from URDF.

# motion_of N: motion.csv, 30 states of N joints
motion_of()
{
  awk -v n="$1" 'BEGIN {
    for (g = 0; g < 3; ++g) for (i = 1; i <= n; ++i) printf "%s%s%d", (g + i > 1 ? "," : ""), (g == 0 ? "q" : g == 1 ? "qd" : "qdd"), i
    print ""
    for (k = 1; k <= 30; ++k) {
      for (c = 1; c <= 3 * n; ++c) printf "%s%.9f", (c > 1 ? "," : ""), sin(k * (c + 0.7) + c * c) * (c > 2 * n ? 3 : 1)
      print ""
    }
  }' >motion.csv
}

# explains NAME SUSPECT DETAIL: log.csv disagrees with $robot; SUSPECT explains it, with DETAIL
explains()
{
  run check "$robot" --against log.csv --format table
  [ $status -eq 1 ] && grep -Eqx -- "explained by: $2" out && grep -Eq -- "^  $3" out
  verdict "$1"
}

# add_to_torques PROGRAM: changes log.csv by awk's PROGRAM for each row: n joints, tau(i) is $(3 * n + i), y[LINK_PARAMETER, i] the regressor
with_torques()
{
  "$linkwork" inverse "$robot" --in motion.csv --keep --quiet >ours.csv
  "$linkwork" regressor "$robot" --in motion.csv --quiet >Y.csv
  paste -d, ours.csv Y.csv | awk -F, -v n="$1" -v CONVFMT=%.17g -v OFMT=%.17g "
    NR == 1 { for (c = 4 * n + 1; c <= NF; ++c) at[\$c] = c; for (c = 1; c <= 4 * n; ++c) head = head (c > 1 ? \",\" : \"\") \$c; print head; next }
    { for (i = 1; i <= 4 * n; ++i) v[i] = \$i; $2; line = \"\"; for (i = 1; i <= 4 * n; ++i) line = line (i > 1 ? \",\" : \"\") v[i]; print line }" >log.csv
}

# five ROBOT N TIP JOINTS HEAVY MASS_SED MASS_DETAIL
five()
{
  robot=$1
  name=$(basename "$1")
  motion_of "$2"
  joints=$4
  # a point mass of 1.5 kg at (0.02, 0, 0.1) on the tip
  with_torques "$2" "split(\"$joints\", j, \" \"); for (i = 1; i <= n; ++i) { p = \"Y.\" j[i] \".$3.\"
    v[3 * n + i] += 1.5 * \$at[p \"m\"] + 0.03 * \$at[p \"mx\"] + 0.15 * \$at[p \"mz\"] + 0.015 * \$at[p \"xx\"] + 0.0156 * \$at[p \"yy\"] + 0.0006 * \$at[p \"zz\"] - 0.003 * \$at[p \"xz\"] }"
  explains "$name: a wrong payload" payload "link $3: \+1.5 kg in the file, at \[0.02, .*0.1\] m of its frame$"
  sed "$5" "$robot" >heavy.${name##*.}
  ! cmp -s "$robot" heavy.${name##*.} && "$linkwork" inverse heavy.${name##*.} --in motion.csv --keep --quiet >log.csv
  explains "$name: a wrong link mass" 'link mass' "$6"
  with_torques "$2" 'for (g = 0; g < 4; ++g) { x = v[g * n + 2]; v[g * n + 2] = v[g * n + 3]; v[g * n + 3] = x }'
  explains "$name: two joints are exchanged" 'two joints exchanged' 'joint 2 \([a-z_0-9]*\), 3 \([a-z_0-9]*\)$'
  with_torques "$2" 'v[3 * n + 2] += 0.7 * v[2 * n + 2]; v[3 * n + 4] += 0.05 * v[2 * n + 4]'
  explains "$name: rotors are missing" 'rotor inertia missing' '.*: gear\^2 rotor inertia 0.7; .*: gear\^2 rotor inertia 0.05$'
  with_torques "$2" 'for (i = 1; i <= n; ++i) v[3 * n + i] = sprintf("%.4f", v[3 * n + i])'
  explains "$name: torques are rounded" rounding 'torques have 4 decimals: differences up to 5e-05 N m or N$'
}

five "$robots/puma560.yaml" 6 flange_plate 'waist shoulder elbow wrist_roll wrist_bend flange' \
  '/name: forearm/,/mass:/s/mass: 4.8/mass: 5.3/' 'link forearm: 5.3 kg in the file, 4.8 kg in ROBOT: \+0.5 kg'
five "$robots/panda.yaml" 7 flange "$(sed -n 's/^  - name: \(joint[1-7]\)$/\1/p' "$robots/panda.yaml" | tr '\n' ' ')" \
  's/mass: 3.587895/mass: 3.2/' 'link [a-z0-9_]*: 3.2 kg in the file, 3.58.* kg in ROBOT: -0.3879 kg'
five "$robots/two_arms.urdf" 9 right_palm 'column left_lift left_twist left_elbow neck_pan neck_tilt right_lift right_twist right_elbow' \
  's/<mass value="1.882"/<mass value="2.3"/' 'link head: 2.3 kg in the file, 1.882 kg in ROBOT: \+0.418 kg'

# rounded torques and a payload
robot=$robots/puma560.yaml
motion_of 6
sed '/name: flange_plate/,/mass:/s/mass: 0.09/mass: 1.59/' "$robot" >heavy.yaml
"$linkwork" inverse heavy.yaml --in motion.csv --quiet | awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; ++i) $i = sprintf("%.4f", $i) } { print }' >taus
paste -d, motion.csv taus >log.csv
explains "a mass and rounding" 'link mass and rounding' 'link flange_plate: 1.5[89].* kg in the file'
# five digits
"$linkwork" inverse "$robot" --in motion.csv --quiet | awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; ++i) $i = sprintf("%.5g", $i) } { print }' >taus
paste -d, motion.csv taus >log.csv
explains "significant digits" rounding 'torques have 5 significant digits$'
"$linkwork" inverse "$robot" --in motion.csv --quiet | awk -F, -v OFS=, 'NR > 1 { for (i = 1; i <= NF; ++i) $i = sprintf("%.1g", $i) } { print }' >taus
paste -d, motion.csv taus >log.csv
explains "one significant digit" rounding 'torques have 1 significant digits$'

# zeros of joints: 90 deg, and a few degrees beside a payload
awk -F, -v OFS=, -v CONVFMT=%.17g 'NR > 1 { $2 = $2 + 1.5707963267948966 } { print }' motion.csv >turned.csv
"$linkwork" inverse "$robot" --in turned.csv --quiet >taus
paste -d, motion.csv taus >log.csv
explains "a joint zero" 'joint zero' 'joint 2 \(shoulder\): q of ROBOT is that of the file \+1.5708 rad \(\+90 deg\)$'
awk -F, -v OFS=, -v CONVFMT=%.17g 'NR > 1 { $3 = $3 - 0.05 } { print }' motion.csv >turned.csv
"$linkwork" inverse "$robot" --payload flange_plate=2,0.1,0,0.2 --in turned.csv --quiet >taus
paste -d, motion.csv taus >log.csv
explains "a joint zero and a payload" 'joint zero and payload' \
  'joint 3 \(elbow\): q of ROBOT is that of the file -0.05 rad.*link flange_plate: \+2 kg in the file, at \[0.1, .*0.2\]'

# terms that are left out
sed -n '1p' motion.csv >still.csv
awk -F, -v OFS=, 'NR > 1 { for (i = 7; i <= 12; ++i) $i = 0; print }' motion.csv >>still.csv
"$linkwork" inverse "$robot" --in still.csv --quiet >taus
paste -d, motion.csv taus >log.csv
explains "no terms in velocities" 'Coriolis and centrifugal terms missing' 'the file was made without the terms in products of velocities'
sed 's/inertia: \[[^]]*\]/inertia: [0, 0, 0, 0, 0, 0]/' "$robot" >points.yaml
"$linkwork" inverse points.yaml --in motion.csv --quiet --allow-inert >taus
paste -d, motion.csv taus >log.csv
explains "no inertias" 'inertia missing' 'the file was made without the inertias'
awk -F, -v OFS=, -v CONVFMT=%.17g 'NR > 1 { $2 = $2 + 0.1 } { print }' still.csv >turned.csv
"$linkwork" inverse "$robot" --in turned.csv --quiet >taus
paste -d, motion.csv taus >log.csv
explains "no terms in velocities and a joint zero" 'Coriolis and centrifugal terms missing and joint zero' 'joint 2 \(shoulder\): q of ROBOT is that of the file \+0.1 rad'
awk -F, -v OFS=, -v CONVFMT=%.17g 'NR > 1 { $3 = $3 - 0.3 } { print }' motion.csv >turned.csv
"$linkwork" inverse points.yaml --in turned.csv --quiet --allow-inert >taus
paste -d, motion.csv taus >log.csv
explains "no inertias and a joint zero" 'inertia missing and joint zero' 'joint 3 \(elbow\): q of ROBOT is that of the file -0.3 rad'

# a mass that no robot has: less than none on the flange, which fits exactly
with_torques 6 'split("waist shoulder elbow wrist_roll wrist_bend flange", j, " "); for (i = 1; i <= 6; ++i) v[18 + i] -= 3 * $at["Y." j[i] ".flange_plate.m"]'
run check "$robot" --against log.csv --format table
[ $status -eq 1 ] && ! grep -Eq '^explained.*(link mass|payload|another link)' out && ! grep -q -- ': -[0-9.e]* kg in the file' out
verdict "no negative mass"

# friction and rotors that no joint has
for change in '- 0.5 * v[n + i]' '- 0.3 * (v[n + i] > 0 ? 1 : -1)' '- 0.2 * v[2 * n + i]'
do
  with_torques 6 "for (i = 1; i <= n; ++i) v[3 * n + i] = v[3 * n + i] $change"
  run check "$robot" --against log.csv --format table
  [ $status -eq 1 ] && grep -q '^not explained: no suspect' out
  verdict "nothing explains torques $change"
done

# our own recording: friction, rotors, and joints that stand
"$linkwork" simulate "$robots/../scenarios/puma_computed_torque.yaml" --out log.csv --quiet
explains "a recording with stiction" 'friction and rotor inertia' '70 of 400 rows have a joint that stands: '
