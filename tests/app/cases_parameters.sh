# linkwork parameters, and the regressor with friction and rotors.

says "parameters: by the rules" '^base parameters by the rules: 36$' parameters "$robots/puma560.yaml" --format table
grep -Eq '^base parameters by rank: +36$' out && grep -q '^both find the same' out
verdict "parameters: by rank, the same"
grep -Eq '^upper_arm.mx \+ 0.4318 forearm.m \+ 0.4318 wrist.m \+ 0.4318 wrist_yoke.m \+ 0.4318 flange_plate.m +kg m +3.79559' out
verdict "parameters: a combination by name"
grep -q '^no torque depends on trunk.m, ' out
verdict "parameters: those without effect"
header "parameters: csv" 'parameter,unit,value,column' parameters "$robots/panda.yaml"
[ "$(wc -l <out)" -eq 44 ]
verdict "parameters: 43 of the Panda"
json "parameters: json" '"by_rules": 33' parameters "$robots/stanford.yaml"
json "parameters: factors" '"terms": \{"inner_arm.zz": 1, "outer_arm.m": 0.10562' parameters "$robots/scara.yaml"
says "parameters: joints that follow others" '^base parameters by the rules: none' parameters "$robots/gripper_arm.urdf" --format table
says "parameters: of the open tree" '^base parameters by rank: ' parameters "$robots/four_bar.yaml" --open-tree --format table
refuses "parameters: two robots" 2 'one_too_many' parameters "$robots/scara.yaml" one_too_many
run parameters nowhere.yaml
[ $status -eq 3 ] && [ ! -s out ]
verdict "parameters: no such file"

# The regressor's columns times the base parameters are the torques: a tree with a prismatic joint
robot=$robots/two_arms.urdf
state='--q 0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9 --qd 1,-2,3,-1,2,-3,1,-2,3 --qdd 3,2,1,3,2,1,3,2,1'
"$linkwork" parameters "$robot" --format csv --quiet >base.csv
"$linkwork" regressor "$robot" $state --format csv --quiet >Y.csv
"$linkwork" inverse "$robot" $state --names --format csv --quiet >tau.csv
status=0
awk -F, '
  FNR == 1 { ++file }
  file == 1 && FNR > 1 { value[$NF] = $(NF - 1) }
  file == 2 && FNR == 1 { for (c = 1; c <= NF; ++c) name[c] = $c }
  file == 2 && FNR == 2 { for (c = 1; c <= NF; ++c) { split(name[c], part, "."); sum[part[2]] += $c * value[part[3] "." part[4]] } }
  file == 3 && FNR == 1 { for (c = 1; c <= NF; ++c) name[c] = substr($c, 5) }
  file == 3 && FNR == 2 { for (c = 1; c <= NF; ++c) { d = sum[name[c]] - $c; if (d > 1e-9 || d < -1e-9) bad = 1; ++seen } }
  END { exit bad || seen != 9 }' base.csv Y.csv tau.csv
verdict "parameters: torque from base parameters"

# --friction and --rotors add columns after those of the links
robot=$robots/puma560.yaml
state='--q 0.1,0.2,0.3,0.4,0.5,0.6 --qd 1,-2,3,-1,2,0 --qdd 3,2,1,3,2,1'
run regressor "$robot" $state --friction viscous,coulomb,offset --rotors
[ $status -eq 0 ] && awk -F, '
  NR == 1 { if (NF != 6 * 84) exit 1; for (c = 1; c <= NF; ++c) at[$c] = c }
  NR == 2 {
    exit !($at["Y.elbow.elbow.viscous"] == 3 && $at["Y.elbow.elbow.coulomb"] == 1 && $at["Y.shoulder.shoulder.coulomb"] == -1 &&
      $at["Y.flange.flange.coulomb"] == 0 && $at["Y.elbow.elbow.offset"] == 1 && $at["Y.waist.waist.rotor"] == 3 &&
      $at["Y.waist.elbow.rotor"] == 0 && at["Y.waist.flange.offset"] == 84)
  }' out
verdict "regressor: columns of friction and rotors"
says "regressor: friction as a table" '^  elbow.viscous +0 +0 +3 +0 +0 +0$' regressor "$robot" $state --friction viscous --format table
json "regressor: friction as json" '"Y.elbow.elbow.viscous": 3' regressor "$robot" $state --friction viscous
printf 'q1,qd1\n0,2\n0.5,-1\n' >two.csv
run regressor pendulum.yaml --in two.csv --friction coulomb
[ $status -eq 0 ] && [ "$(cut -d, -f11 out | tr '\n' ' ')" = 'Y.swing.swing.coulomb 1 -1 ' ]
verdict "regressor: friction of many states"
refuses "regressor: unknown friction" 2 'expected viscous, coulomb or offset' regressor pendulum.yaml --q 0 --friction dry
refuses "regressor: friction in 113 bits" 2 'for double and single' regressor pendulum.yaml --q 0 --friction viscous --precision quad
