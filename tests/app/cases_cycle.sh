# linkwork plan --cycle.
puma=$robots/puma560.yaml
cycles=$robots/../examples/cycles
cp "$cycles/pick_and_place.yaml" pick.yaml

# changed NAME EXIT PATTERN SED: the cycle with this change ends so, and nothing is written
changed()
{
  sed "$4" pick.yaml >changed.yaml
  rm -f cycle.csv
  run plan $puma --cycle changed.yaml --out cycle.csv
  [ $status -eq "$2" ] && grep -Eq -- "$3" err && [ ! -e cycle.csv ]
  verdict "$1"
}

run plan $puma --cycle pick.yaml --out cycle.csv --audit cycle.json
[ $status -eq 0 ] && ./json_check <cycle.json >>err 2>&1
verdict "cycle: pick and place"
awk -F, 'NR == 2 { for (i = 3; i < 9; ++i) q[i] = $i } END { for (i = 3; i < 9; ++i) if ($i - q[i] > 1e-9 || q[i] - $i > 1e-9) exit 1 }' cycle.csv
verdict "cycle: a closed program ends where it began"
run pose $puma --in cycle.csv --link flange_plate --tool 0,0,0.1 --keep --out pose.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
  $c["move"] == 2 { n++; dx = $c["x"] - 0.5; dy = $c["y"] - 0.2; if (dx * dx + dy * dy > 1e-8) exit 1 }
  $c["move"] == 6 { last = $c["z"] }
  END { if (n < 100 || last - 0.1 > 1e-4 || 0.1 - last > 1e-4) exit 1 }' pose.csv
verdict "cycle: the line is straight to the tolerance, and the turn holds its position"
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
  $c["margin"] < 0 { exit 1 } $c["limit"] != "none" { n++ } END { if (n < 1000) exit 1 }' cycle.csv
verdict "cycle: no limit is exceeded, and most of the time one is reached"
run simulate $puma --in cycle.csv --out run.csv
[ $status -eq 0 ]
verdict "cycle: simulate follows it"
run plan $robots/ur5.yaml --cycle $cycles/ur5_pick_and_place.yaml --out ur5.csv
[ $status -eq 0 ]
verdict "cycle: the UR5 with 5 kg"
run plan $robots/excavator.yaml --cycle $cycles/dig.yaml --out dig.csv
[ $status -eq 0 ] && grep -q 'effort,boom_rod' dig.csv
verdict "cycle: an excavator with loops, within its cylinders' forces"
sed 's/mass: 5/mass: 1/' pick.yaml >light.yaml
run plan $puma --cycle light.yaml --out light.csv
[ $status -eq 0 ] && [ "$(tail -n 1 light.csv | cut -d, -f1 | awk '{ print ($1 < 4.2228) }')" -eq 1 ]
verdict "cycle: a lighter box is faster"
changed "cycle: an unknown point" 3 'changed.yaml:22:12: error: there is no point .pik.' 's/line: pick, speed/line: pik, speed/'
changed "cycle: a negative approach" 3 "'approach' must be above 0" 's/approach: 80 mm/approach: -80 mm/'
changed "cycle: a zero limit" 3 "changed.yaml:10:15: error: 'tool_speed' must be above 0" 's/tool_speed: 1.5/tool_speed: 0/'
changed "cycle: a blend longer than its move" 3 'blend of 0.2 m is longer than the move' 's/80 mm, blend: 30 mm/80 mm, blend: 200 mm/'
changed "cycle: blends that overlap" 3 'overlap' 's/via: {pose.*/via: {pose: [0.48, 0.16, 0.2, 180 deg, 0, 0]}/; s/place: {pose.*/place: {pose: [0.46, 0.12, 0.18, 180 deg, 0, 0]}/; s/blend: 30 mm/blend: 75 mm/'
changed "cycle: an arc through points on a line" 3 'are on a line' 's/arc: place, through: via/arc: place, through: place/'
changed "cycle: a point out of reach" 1 'cannot be reached' 's/pick: {pose: .0.5/pick: {pose: [5.5/'
changed "cycle: a start outside the limits" 1 "joint 'waist' would be at 6.98" 's/q: .0, -90 deg/q: [400 deg, -90 deg/'
changed "cycle: a bearing that bears too little" 1 "the reaction of joint 'elbow' alone leaves no acceleration" 's/moment: 150/moment: 5/'
changed "cycle: a body that is not carried" 3 'is not carried' 's/grip: box/release: box/'
changed "cycle: a closed program that keeps its body" 3 "begins again while it carries body 'box'" 's/release: box, dwell/dwell/'
changed "cycle: a blend before a stop" 3 'cannot be blended' 's/line: pick, speed: 0.25/line: pick, blend: 10 mm/'
changed "cycle: not closed" 3 'does not end where it began' 's/{joint: home}/{joint: via}/'
changed "cycle: an unknown key" 3 'unknown key' 's/speed: 0.25/spede: 0.25/'
changed "cycle: two moves in one" 3 'several of them' 's/{joint: home}/{joint: home, line: pick}/'
changed "cycle: a tolerance below rounding" 1 'changed.yaml:25:5: error: the joints cannot follow the path within the tolerance' \
  's/position: 0.1 mm/position: 1e-9 mm/; s/{arc: place, through: via/{line: place/'
refuses "cycle: beside --from" 2 'exclude each other' plan $puma --cycle pick.yaml --from 0,0,0,0,0,0
# a ring of lines that never stops, and begins where no limit bounds its speed: a limit that is not reached changes nothing
cat >gantry.yaml <<'END'
linkwork: 1
name: gantry
joints:
  - {name: x, type: prismatic, origin: {xyz: [0, 0, 0]}, axis: [1, 0, 0], link: {name: beam, mass: 3}, limits: {acceleration: 2}}
  - {name: y, type: prismatic, parent: x, origin: {xyz: [0, 0, 0]}, axis: [0, 1, 0], link: {name: car, mass: 2}, limits: {acceleration: 2}}
END
cat >ring.yaml <<'END'
linkwork: 1
cycle: ring
closed: true
points: {a: {q: [0, 0]}, b: {q: [0.5, 0]}, c: {q: [0.5, 0.5]}, d: {q: [0, 0.5]}}
start: a
moves: [{joint: b, blend: 0.2}, {joint: c, blend: 0.2}, {joint: d, blend: 0.2}, {joint: a, blend: 0.2}]
END
# half of it, from rest to rest, and between ends that are not at rest
sed '/^closed/d; s/, {joint: a, blend: 0.2}//; s/{joint: d, blend: 0.2}/{joint: d}/' ring.yaml >half.yaml
run plan gantry.yaml --cycle half.yaml --from-qd 1,0 --to-qd=-0.5,0 --out half.csv
[ $status -eq 0 ] && awk -F, 'NR == 2 { if ($5 != 1 || $6 != 0) exit 1 } { v = $5 + 0.5; w = $6; t = $1 }
  END { if (v * v > 1e-20 || w * w > 1e-20 || t > 1.8) exit 1 }' half.csv
verdict "cycle: ends that are not at rest"
refuses "cycle: a velocity off the path" 1 'which goes like 1,0 there' plan gantry.yaml --cycle half.yaml --from-qd 1,0.1
refuses "cycle: a velocity of a ring" 2 'never stops' plan gantry.yaml --cycle ring.yaml --from-qd 1,0
sed 's/axis: \[0, 1, 0\]/axis: [0, 0, 1]/; 5s/acceleration: 2/&, effort: 12/' gantry.yaml >weak.yaml
refuses "cycle: a joint that does not move and cannot hold itself" 1 "the effort of joint 'y' alone leaves no acceleration" \
  plan weak.yaml --fastest --from 0,0 --to 1,0
sed 's/acceleration: 2/&, velocity: 1/' gantry.yaml >limited.yaml
for grid in 250 1000; do
  run plan gantry.yaml --cycle ring.yaml --grid $grid --out ring.csv --audit ring.json
  [ $status -eq 0 ] && run plan limited.yaml --cycle ring.yaml --grid $grid --out limited.csv --audit limited.json
  [ $status -eq 0 ] && sed 's/[{},]/\n/g' ring.json limited.json | awk -F': ' '
    { value = $2 + 0 } /"time"/ { time[++n] = value } /"time_4n"/ { d = value / time[n] - 1; if (d > 1e-3 || -d > 1e-3) exit 1 }
    /"gap"/ { if (value > 1e-3) exit 1 } /"worst_excess"/ { if (value > 1e-6) exit 1 }
    END { d = time[1] / time[2] - 1; if (n != 2 || d > 1e-5 || -d > 1e-5) exit 1 }'
  verdict "cycle: a closed ring, grid $grid"
done
