# linkwork excite and identify: a motion, its log, the parameters; unusable logs.

robot=$robots/planar2r.yaml
if "$linkwork" excite "$robot" --duration 8 --out excite.csv 2>&1 | grep -q 'LAPACK'
then
  refuses "identify: without LAPACK" 3 'needs LAPACK' excite "$robot"
else
  run excite "$robot" --duration 8 --out excite.csv
  [ $status -eq 0 ] && grep -Eq 'condition number [0-9.e+]+ before and [0-9.]+ after' err &&
    [ "$(head -n 1 excite.csv)" = t,q1,q2,qd1,qd2,qdd1,qdd2 ]
  verdict "excite: columns, condition numbers"
  "$linkwork" excite "$robot" --duration 8 --quiet | cmp -s - excite.csv
  verdict "excite: the same seed gives the same motion"
  "$linkwork" excite "$robot" --duration 8 --seed 2 --quiet >other.csv
  ! cmp -s other.csv excite.csv && [ "$(wc -l <other.csv)" -eq "$(wc -l <excite.csv)" ]
  verdict "excite: another seed gives another motion"
  awk -F, 'NR > 1 { for (i = 6; i <= 7; ++i) if ($i > 3 || $i < -3) exit 1 }' <<END
$("$linkwork" excite "$robot" --duration 8 --acceleration 3 --quiet)
END
  verdict "excite: the acceleration limit is kept"
  refuses "excite: fewer samples than identify needs" 2 'fewer than the 50 samples .* expected --duration 0.49' excite "$robot" --duration 0.001
  refuses "excite: no time to move" 2 "joint 'shoulder' can swing less than 5 % .* expected --duration [0-9.]+ at least" excite "$robot" --duration 0.2 --dt 0.001
  least=$("$linkwork" excite "$robot" --duration 0.2 --dt 0.001 2>&1 | sed -n 's/.*--duration \([0-9.]*\) at least.*/\1/p')
  run excite "$robot" --duration "$least" --dt 0.001 --quiet
  [ $status -eq 0 ] && [ "$(wc -l <out)" -gt 50 ]
  verdict "excite: the least duration that a refusal names works"
  refuses "excite: a floating base" 2 "joint 'base' floats: no drive moves it along an exciting motion" excite "$robots/free_flyer.yaml" --quiet

  # a ball joint: excite moves it, identify finds the heavier link again; a floating base: its motion and zeros for its torques
  cat >ball_arm.yaml <<end
linkwork: 1
joints:
  - {name: ball, type: ball, link: {mass: 2, com: [0.1, 0, 0.2], inertia: [0.03, 0.04, 0.02, 0, 0.001, 0]}}
  - {name: hinge, type: revolute, axis: [0, 1, 0], origin: {xyz: [0, 0, 0.5]}, link: {name: rod, mass: 1, com: [0, 0.1, 0.2], inertia: [0.02, 0.02, 0.01, 0, 0, 0]}}
end
  run excite ball_arm.yaml --duration 10 --seed 2 --quiet --out ball_motion.csv
  [ $status -eq 0 ] && head -1 ball_motion.csv | grep -q '^t,q1,q2,q3,q4,q5,qd1,.*,qdd4$'
  verdict "excite: a ball joint"
  sed 's/name: rod, mass: 1/name: rod, mass: 1.4/' ball_arm.yaml >heavy_ball.yaml
  "$linkwork" inverse heavy_ball.yaml --in ball_motion.csv --keep --quiet >ball_log.csv
  run identify ball_arm.yaml --in ball_log.csv --quiet --format csv
  [ $status -eq 0 ] && grep -q '^ball.my + rod.my,kg m,0.1,0.1\(400000\|399999\)' out
  verdict "identify: a ball joint"

  # noise-free torques of a robot with a heavier second link: identification finds its mass
  sed 's/name: lower_rod, mass: 3/name: lower_rod, mass: 4/' "$robot" >heavy.yaml
  "$linkwork" inverse heavy.yaml --in excite.csv --keep --quiet >log.csv
  run identify "$robot" --data log.csv --out found.yaml --quiet
  [ $status -eq 0 ] && grep -q 'condition number' out && grep -q 'cutoff' out
  verdict "identify: a table"
  "$linkwork" inverse found.yaml --in excite.csv --quiet >ours.csv
  "$linkwork" inverse heavy.yaml --in excite.csv --quiet >theirs.csv
  paste -d, ours.csv theirs.csv | awk -F, 'NR > 1 { for (i = 1; i <= 2; ++i) { d = $(i + 1) - $(i + 4); sum += d * d; all += $(i + 4) ^ 2 } }
    END { exit !(NR > 100 && sum < 1e-6 * all) }'
  verdict "identify: the identified robot has the torques of the true one"
  json "identify: json" '"standard_error": ' identify "$robot" --data log.csv --friction viscous,coulomb --quiet
  header "identify: csv" 'parameter,unit,file,estimate,standard_error,possible' \
    identify "$robot" --data log.csv --format csv --quiet

  # currents: the constants of the first two motors are off by +10 and -10 %
  sed '/name: flange_plate/,/inertia:/{s/mass: 0.09/mass: 6/; s/com: .*/com: [0.15, 0.1, 0.2]/; s/inertia: .*/inertia: [0.02, 0.02, 0.02, 0, 0, 0]/}; s/, effort: [0-9.]*//' \
    "$robots/puma560.yaml" >loaded.yaml
  "$linkwork" excite loaded.yaml --duration 10 --out puma.csv --quiet
  "$linkwork" inverse loaded.yaml --in puma.csv --quiet >taus.csv
  sed -n 's/.*torque_constant: \([0-9.]*\), gear: \([-0-9.]*\).*/\1 \2/p' loaded.yaml >motors
  cut -d, -f2- taus.csv >x && paste -d, puma.csv x | awk 'FNR == NR { k[FNR] = $1 * $2; next }
    FNR == 1 { n = split("1.1 0.9 1 1 1 1", ratio, " "); print "t,q1,q2,q3,q4,q5,q6,i1,i2,i3,i4,i5,i6"; next }
    { split($0, v, ","); line = v[1]; for (i = 2; i <= 7; ++i) line = line "," v[i]
      for (i = 1; i <= 6; ++i) line = line sprintf(",%.12g", v[19 + i] / (k[i] * ratio[i])); print line }' motors - >currents.csv
  run identify loaded.yaml --data currents.csv --current --out motors.yaml --quiet
  cp out table
  [ $status -eq 0 ] && sed -n 's/.*torque_constant: \([0-9.]*\).*/\1/p' motors.yaml | awk 'FNR == NR { k[FNR] = $1; next }
    { want = FNR == 1 ? 1.1 : FNR == 2 ? 0.9 : 1; r = $1 / k[FNR] / want; if (r > 1.005 || r < 0.995) bad = 1; ++seen }
    END { exit bad || seen != 6 }' motors -
  verdict "identify: torque constants from currents"
  grep -q 'waist.gain' table
  verdict "identify: their ratios are estimates"
  awk 'length > 100 { bad = 1 } END { exit bad || NR < 60 }' table
  verdict "identify: the table is at most 100 columns wide"

  # a joint that did not move is reported and left unchanged
  awk -F, -v OFS=, 'NR > 1 { $3 = 0.4; $5 = $7 = 0 } { print }' excite.csv >one.csv
  "$linkwork" inverse heavy.yaml --in one.csv --keep --quiet >one_log.csv
  run identify "$robot" --data one_log.csv
  [ $status -eq 0 ] && grep -q "'elbow' did not move" err && grep -q 'did not move, not identified' out
  verdict "identify: a joint that did not move"

  # no_robot NAME CODE PATTERN: identify ROBOT --data bad.csv --out bad.yaml is refused in one line, and nothing is written
  no_robot()
  {
    run identify "$robot" --data bad.csv --out bad.yaml --quiet $4
    [ $status -eq "$2" ] && [ "$(wc -l <err)" -le 3 ] && grep -Eq -- "$3" err && [ ! -s out ] && [ ! -e bad.yaml ]
    verdict "$1"
  }
  cut -d, -f1-7 log.csv >bad.csv
  no_robot "identify: no torques" 3 'no torques, expected columns tau1' ''
  cut -d, -f1,2,4-9 log.csv >bad.csv
  no_robot "identify: a column is missing" 3 'q2' ''
  head -n 20 log.csv >bad.csv
  no_robot "identify: too few samples" 3 '19 samples, expected at least 50' ''
  awk -F, -v OFS=, 'NR > 1 { $2 = $3 = 0.1 } { print }' log.csv >bad.csv
  no_robot "identify: nothing moves" 3 'no joint moves' ''
  sed '30s/,[^,]*$/,nan/' log.csv >bad.csv
  no_robot "identify: not a number" 3 "bad.csv:30:.*'nan' is not a finite number" ''
  sed '40d' log.csv >bad.csv
  no_robot "identify: a sample is missing" 3 'expected equal steps' ''
  awk -F, -v OFS=, 'NR > 1 { $2 *= 57.29578; $3 *= 57.29578 } { print }' log.csv >bad.csv
  no_robot "identify: degrees" 3 'degrees|not the velocity' ''
  awk -F, -v OFS=, 'NR > 1 { $4 *= 57.29578; $5 *= 57.29578 } { print }' log.csv >bad.csv
  no_robot "identify: velocities in degrees" 3 'degrees|not the velocity' ''
  cut -d, -f1-3,8,9 log.csv | awk -F, -v OFS=, 'NR > 1 { $2 *= 57.29578; $3 *= 57.29578 } { print }' >bad.csv
  no_robot "identify: degrees, within the limits" 3 'the log seems to be in degrees' ''
  awk -F, -v OFS=, 'NR > 1 { x = $8; $8 = $9; $9 = sin(20 * $1) * 30 + 0 * x } { print }' log.csv >bad.csv
  no_robot "identify: a log of another robot" 1 'no parameters of this robot explain' ''
  awk -F, -v OFS=, 'NR > 1 { $8 = $9 = 0 } { print }' log.csv >bad.csv
  no_robot "identify: no torque but 0" 3 'all torques of the log are 0' ''
  "$linkwork" inverse "$robots/puma560.yaml" --in puma.csv --keep --quiet | cut -d, -f1-7,20-25 >bad.csv
  robot=$robots/stanford.yaml
  run identify "$robot" --data bad.csv --out other.yaml --unexplained 1e6 --quiet
  [ $status -eq 0 ] && [ -s other.yaml ]
  verdict "identify: --unexplained insists"
  no_robot "identify: a log of another robot with as many joints" 1 'stay unexplained, expected at most 20 %' ''
  robot=$robots/ddarm.yaml
  "$linkwork" excite "$robots/puma560.yaml" --duration 15 --out puma.csv --quiet
  "$linkwork" inverse "$robots/puma560.yaml" --in puma.csv --keep --quiet | cut -d, -f1-7,20-25 >bad.csv
  no_robot "identify: a log of another robot that predicts some joints" 1 'of joint .* stay unexplained, expected at most 20 %' ''
  robot=$robots/planar2r.yaml
  cp log.csv bad.csv
  no_robot "identify: no currents" 3 'no currents, expected columns i1' --current
  refuses "identify: --unexplained without a number" 2 "'much' is wrong, expected a positive number in %" identify "$robot" --data log.csv --unexplained much
  refuses "identify: unknown friction" 2 'expected viscous, coulomb or offset' identify "$robot" --data log.csv --friction dry
  refuses "identify: --data is missing" 2 'data is missing' identify "$robot"
fi
