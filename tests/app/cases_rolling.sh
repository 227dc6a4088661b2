# Wheels, discs and skates; points that stand.
# shellcheck shell=sh disable=SC2154
rolling=$here/../data/rolling drive=$here/../data/rolling/drive.yaml
says "what rolls, and what it leaves" '^mobility: 4' info "$drive"
says "rows of what rolls" '^loops:    chassis \(skate\), left_wheel \(wheel\), right_wheel \(wheel\)' info "$drive"
says "forces of wheels" '^tau.left,tau.right,tau.shoulder,tau.elbow,f.chassis.across,f.left_wheel.along' inverse "$drive" --q 0,0,0,0,0,0,0
says "a speed of driven joints alone" '^9.00000000000000[0-9]*,' energy "$drive" --q 0,0,0.5,0,0,0.2,0.3 --qd left=10,right=10 --format csv
says "speeds name the columns" '^g.left,g.right,g.shoulder,g.elbow' gravity "$drive" --q 0,0,0,0,0,0,0
refuses "a wheel that slips" 2 "velocities slip at 'left_wheel' along its row 'along' by" forward "$drive" --q 0,0,0,0,0,0,0 --qd 1,0,0,0,0,0,0
says "derivatives of what rolls, by all positions" '^dtau.left_dq.x,dtau.left_dq.y,.*,dtau.left_dq.elbow,dtau.right_dq.x,.*,dtau.left_dqd.left' inverse-derivatives "$drive" --q 0,0,0,0,0,0,0
says "a linear model of what rolls" '11 states, 4 inputs' linearise "$drive" --q 0,0,0,0,0,0,0 --format table
refuses "a linear model of what rolls and is closed" 2 'as the loops bind them' linearise "$rolling/cart.yaml" --q yaw=0
says "speeds that driven joints lack" '^2.2740165' energy "$rolling/disc.yaml" --q 0,0,0,0.2,0 --qd x=1.2,yaw=0.5,lean=0 --format csv
refuses "a speed that cannot be chosen" 2 "the position is singular: the speed of 'x' cannot be chosen there" forward "$rolling/disc.yaml" --q 0,0,1.5707963267948966,0.2,0 --qd x=1
refuses "a line of what rolls" 2 'depends on the way' plan "$drive" --from left=0 --to left=1 --profile line --velocity 1
# Both wheels turn by 2 rad, then one of them backwards by what the other turns: straight on, and about the middle.
run plan "$drive" --from left=0,right=0 --via left=2,right=2 --to left=1,right=3 --duration 4 --dt 0.5 --profile trapezoid --velocity 1 --acceleration 2 --names
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } END { x = $at["q.x"] - 0.2; y = $at["q.y"]; a = $at["q.yaw"] - 0.4; exit !(x * x < 1e-20 && y * y < 1e-20 && a * a < 1e-20) }' out
verdict "a plan of the driven joints of what rolls"
"$linkwork" forward "$drive" --in out --format csv >/dev/null
verdict "it does not slip"
# Speeds: a circle of radius 0.25 (v_right + v_left) / (v_right - v_left) = 0.75 m, three quarters of it.
printf 't,qd.left,qd.right,qd.shoulder,qd.elbow\n0,5,10,0,0\n4.71238898038469,5,10,0,0\n' >speeds.csv
run plan "$drive" --in speeds.csv --dt 0.1 --names
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i }
  END { x = $at["q.x"] + 0.75; y = $at["q.y"] - 0.75; a = $at["q.yaw"] - 4.71238898038469; exit !(x * x < 1e-20 && y * y < 1e-20 && a * a < 1e-20) }' out
verdict "a plan by speeds of what rolls"
refuses "a plan of what moves on its own" 2 "moves on its own" plan "$rolling/disc.yaml" --from 0,0,0,0,0 --to 0,0,0,0,1 --duration 1
refuses "what treats joints as free" 2 '3 loop or rolling rows' accuracy "$drive"
refuses "a proof about wheels" 2 "the heading of 'left_wheel', which rolls, needs a root" prove "$drive"
refuses "an exciting motion of what moves on its own" 2 "no drive moves it along an exciting motion" excite "$rolling/disc.yaml"
run convert "$drive" rolls.yaml
[ $status -eq 0 ] && grep -q '  - wheel: left_wheel' rolls.yaml
verdict "rolling rows are written"
says "and read again" '^mobility: 4' info rolls.yaml
says "a drive checks itself" ',yes$' check "$rolling/trailer.yaml" --states 3 --format csv
one_joint='linkwork: 1
joints:
  - {name: a, type: revolute, origin: {xyz: [0,0,0]}, axis: [0,0,1], link: {mass: 1, com: [1,0,0], inertia: [1,1,1,0,0,0]}}
rolling:'
row() {
  printf '%s\n  - {%s}\n' "$one_joint" "$1" >row.yaml
}
row 'skate: base, across: [0, 1, 0]'
diagnoses "a skate on the base" 3 "^row.yaml:5:5: error: skate 'base': its link cannot move" info row.yaml
row 'skate: a, at: [1, 0, 0], across: [0, 1, 0]'
diagnoses "a skate that holds everything" 3 "skate 'a': with it nothing can move" info row.yaml
row 'wheel: a, axis: [0, 0, 1], radius: 0.1'
diagnoses "an axle that is vertical" 3 "wheel 'a': its axle is vertical at the start" info row.yaml
row 'wheel: a, axis: [0, 1, 0], radius: -1'
diagnoses "a negative radius" 3 "wheel 'a': its radius is -1 m" info row.yaml
row 'wheel: a, axis: [0, 1, 0], radius: 1, across: [1, 0, 0]'
diagnoses "a wheel with a key of skates" 3 "a wheel has no 'across'" info row.yaml
row 'skate: a'
diagnoses "a skate without its direction" 3 "a skate needs 'across'" info row.yaml
row 'wheel: b, axis: [0, 1, 0], radius: 1'
diagnoses "a wheel of no link" 3 "there is no link 'b'" info row.yaml
row 'wheel: a, skate: a'
diagnoses "two rows in one" 3 "has one of 'skate', 'wheel' and 'disc', and this one has 2" info row.yaml

stands="$robots/two_arms.urdf --base floating --q 0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0"
feet="--contact stand@0.3,0.2,0 --contact stand@0.3,-0.2,0 --contact stand@-0.3,0,0"
# shellcheck disable=SC2086
{
  says "feet carry the weight" ',712.06964[0-9]*,1,1,1$' inverse $stands $feet --friction 0.5
  run inverse $stands $feet --friction 0
  [ $status -eq 1 ] && grep -q ',0,0,0$' out
  verdict "forces outside of their cones: exit 1"
  refuses "one foot cannot balance it" 2 'no torques of the driven joints' inverse $stands --contact stand@0.3,0.2,0
  refuses "a contact of no link" 2 "^linkwork: error: --contact: .* has no link 'foot'" inverse $stands --contact foot
  refuses "friction without contacts" 2 'that of the points of --contact' inverse $stands --friction 0.5
}
