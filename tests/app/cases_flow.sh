# Tables can be passed on: every command that needs certain columns accepts the table of any command that writes them.
puma=$robots/puma560.yaml
flow=$work/flow
mkdir -p "$flow"

# produces NAME WHAT ARGUMENTS: writes flow/NAME.csv with the groups of columns WHAT
produces()
{
  producer=$1
  groups=$2
  shift 2
  run "$@" --out "$flow/$producer.csv"
  [ $status -eq 0 ] || [ $status -eq 1 ]
  verdict "flow: $producer writes a table"
  echo "$producer $groups" >>"$flow/list"
}

motion="$flow/plan.csv"
: >"$flow/list"
produces plan t,q,qd,qdd plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.3,-0.7,1.1,0.3,0.8,0.2 --duration 1 --dt 0.1
produces plan_names t,q,qd,qdd plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.3,-0.7,1.1,0.3,0.8,0.2 --duration 1 --dt 0.1 --names
produces simulate t,q,qd,qdd,tau,x simulate "$puma" --in "$motion" --dt 0.1
produces simulate_names t,q,qd,qdd,tau,x simulate "$puma" --in "$motion" --dt 0.1 --names
produces plan_simulate t,q,qd,qdd,tau,x plan "$puma" --from 0,-0.5,1,0.2,0.7,0 --to 0.3,-0.7,1.1,0.3,0.8,0.2 --duration 1 --dt 0.1 --simulate
produces scenario t,q,qd,qdd,tau,x simulate "$here/../../scenarios/puma_computed_torque.yaml" --duration 0.5 --dt 0.1
for question in inverse forward inertia bias gravity coriolis energy pose jacobian
do
  case $question in
    inverse) own=,tau ;;
    forward) own= ;; # its qdd replaces the input column
    pose) own=,x ;;
    *) own= ;;
  esac
  produces $question t$own $question "$puma" --in "$motion"
  produces ${question}_keep t,q,qd,qdd$own $question "$puma" --in "$motion" --keep
done
produces inverse_names t,q,qd,qdd,tau inverse "$puma" --in "$flow/plan_names.csv" --keep --names
produces ik t,q ik "$puma" --in "$flow/pose.csv" --q 0,-0.5,1,0.2,0.7,0
produces ik_keep t,q,x ik "$puma" --in "$flow/pose.csv" --q 0,-0.5,1,0.2,0.7,0 --keep
run drives "$puma" --in "$motion" --series "$flow/series.csv"
echo "series t,tau" >>"$flow/list"

# consumes NAME NEEDS ARGUMENTS: works with every table that has these columns, and names a missing column for the others
consumes()
{
  consumer=$1
  needs=$2
  shift 2
  while read -r producer has
  do
    enough=yes
    for need in $(echo "$needs" | tr , ' ')
    do
      case ",$has," in *,"$need",*) ;; *) enough=no ;; esac
    done
    run "$@" "$flow/$producer.csv"
    if [ $enough = yes ]
    then
      { [ $status -eq 0 ] || [ $status -eq 1 ]; } && ! grep -q 'error: .*column' err
      verdict "flow: $consumer takes what $producer writes"
    else
      [ $status -eq 3 ] && grep -Eq "error: (column '.*' is missing|unknown column)" err
      verdict "flow: $consumer says what $producer lacks"
    fi
  done <"$flow/list"
}

for question in inverse forward inertia bias gravity coriolis energy pose jacobian
do
  consumes $question q $question "$puma" --in
done
consumes "drives" t,q,qd,qdd drives "$puma" --in
consumes "check" q,tau check "$puma" --tolerance 1000 --in
consumes "plan" q plan "$puma" --profile cubic --velocity 1000 --format json --in
consumes "simulate" t,q simulate "$puma" --dt 0.1 --in
consumes "ik" x ik "$puma" --restarts 2 --in
if command -v gnuplot >/dev/null 2>&1
then
  consumes "plot" t plot --y t --out "$flow/picture.svg"
fi

# numbers are passed on exactly: positions by ik of poses, torques by inverse of a recording
run check "$puma" --in "$flow/inverse_keep.csv" --format table
[ $status -eq 0 ] && grep -q ' agree: ' out
verdict "flow: check agrees with the torques of inverse --keep"
run check "$puma" --in "$flow/inverse_names.csv" --format table
[ $status -eq 0 ] && grep -q ' agree: ' out
verdict "flow: the same by names"
