# Run by run.sh: linkwork accuracy.
planar=$robots/planar2r.yaml
if ! "$linkwork" energy pendulum.yaml --q 1 --precision quad >out 2>err
then
  refuses "accuracy where there are no 113 bits" 2 'has no 113-bit arithmetic' accuracy "$planar"
  return 0
fi
columns=robot,n,question,method,precision,worst_ulp,median_ulp,states,worst_state,entry,state
header "columns" $columns accuracy "$planar" --states 5
run accuracy "$planar" --states 50 --format csv
awk -F, 'NR > 1 && ($6 < $7 || $6 > 1e4 || $9 < 1 || $9 > 50) { bad = 1 } END { exit bad || NR < 40 }' out
verdict "the worst error is at least the median and not large, and in one of the states"
says "one question, one method" '^forward +articulated-body +' accuracy "$planar" --question forward --method aba --states 3 --format table
[ "$(grep -Ec '^(inverse|inertia|pose)' out)" -eq 0 ]
verdict "and no other"
says "the worst state as other commands take it" '  inverse, .*, double, state [1-5]: --q .* --qd .* --qdd ' accuracy "$planar" --states 5 --format table
json "json" '"question": "inertia", "method": "composite-body", "precision": "single"' accuracy --dof 3 --states 3
run accuracy --dof 4,2 --question inertia --method crba --states 3 --format csv
[ $status -eq 0 ] && [ "$(cut -d, -f2 out | tr '\n' ' ')" = 'n 2 2 4 4 ' ]
verdict "chains, shorter ones first"
run accuracy "$robots/gripper_arm.urdf" --states 3 --quiet --format csv
[ $status -eq 0 ] && ! grep -q ',forward,articulated' out && grep -q '^[^,]*,[0-9]*,forward,composite-body' out
verdict "mimic joints: the method that does not support them is skipped"
if command -v gnuplot >/dev/null
then
  run accuracy --dof 1,2,3 --states 3 --plot errors.svg
  [ $status -eq 0 ] && grep -q '<svg' errors.svg
  verdict "a picture"
fi
refuses "robot and chains" 2 'give ROBOT or --dof N, not both' accuracy "$planar" --dof 3
refuses "a wrong number of joints" 2 "--dof: '2,x' is wrong" accuracy --dof 2,x
refuses "no states" 2 '--states' accuracy "$planar" --states 0
refuses "an unknown method" 2 "no method 'newton'" accuracy "$planar" --method newton
refuses "a method of another question" 2 "no method 'aba' answers inverse" accuracy "$planar" --method aba --question inverse
refuses "an unknown question" 2 "--question: 'pose' has no methods" accuracy "$planar" --question pose
refuses "a picture of no kind" 2 'errors.txt' accuracy "$planar" --plot errors.txt
