# linkwork prove: exact identities between all methods.

for robot in pendulum.yaml crane.yaml ten.yaml arm.yaml "$robots"/*.yaml "$robots"/*.urdf "$robots"/snakes/*.yaml
do
  [ -e "$robot" ] || continue
  says "prove $(basename "$robot")" '^all [0-9]+ identities hold' prove "$robot" --open-tree --quiet --format table
done
header "prove as csv" 'about,left,right,points,degree,probability,holds,structure,witness,entry' prove crane.yaml
json "prove as json" \
  '"about": "inverse", "left": "kane", "right": "newton-euler", "points": 2, "degree": [0-9]+, "probability": [0-9.]+e-[0-9]+, "holds": true, "structure": null, "witness": null, "entry": null' \
  prove --dof 3 --points 2
run methods
methods=$(grep -Ec '^inverse( |,)' out)
run prove --dof 4
[ $status -eq 0 ] && [ "$(grep -c '^inverse,.*,newton-euler,' out)" -eq "$methods" ]
verdict "prove has every inverse method, and M qdd + bias"
run prove "$robots/gripper_arm.urdf"
[ $status -eq 0 ] && grep -q 'joints that mimic others count as independent' err
verdict "prove says how mimic joints count"
says "prove random structures" '^5 random structures of 1 to 8 joints, seed 3$' prove --random 5 --seed 3 --format table
run prove --random 5 --seed 3
cp out three
run prove --random 5 --seed 4
[ $status -eq 0 ] && ! cmp -s out three
verdict "prove: another seed, other structures"

refuses "prove nothing" 2 'give one of ROBOT, --dof N and --random K' prove
refuses "prove two things" 2 'give one of ROBOT, --dof N and --random K' prove crane.yaml --dof 3
refuses "prove --points 0" 2 '--points: .* expected an integer from 1 to 1000' prove crane.yaml --points 0
refuses "prove --dof" 2 '--dof: .* expected an integer from 1 to 100' prove --dof 101
refuses "prove a missing file" 3 'no-such-file' prove no-such-file.yaml
