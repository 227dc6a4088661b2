#!/bin/sh
# linkwork-mpi with 4 ranks on one machine gives the same rows as one process; killing a rank ends the run, which can be resumed.
# usage: run.sh BIN ROBOTS     BIN has linkwork and linkwork-mpi
set -u
bin=$(realpath "$1") && robots=$(realpath "$2") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
failures=0

verdict()
{
  code=$?
  if [ $code -eq 0 ]; then echo "ok $1"; else echo "not ok $1"; failures=$((failures + 1)); fi
}

rows()
{
  for table in summary bands tornado histogram; do
    "$bin/linkwork" study report "$1" --table $table --format csv || return 1
  done
}

same()
{
  rows "$1" >a.rows && rows "$2" >b.rows && [ "$(wc -l <a.rows)" -gt 10 ] && cmp -s a.rows b.rows
}

cat >arm.yaml <<END
linkwork: 1
study: an arm on ranks
sampling: {samples: 400, seed: 5}
run:
  inverse: {robot: $robots/puma560.yaml, duration: 4, dt: 0.0005, waypoints: [[0, -1, 1, 0, 0, 0], [1, 0, 0, 1, 1, 1]]}
vary:
  masses: {scale: links.*.mass, normal: [1, 0.1]}
  load: {scale: joints.*.coulomb, uniform: [0.5, 1.5]}
measure: {peak2: {peak: torque2, below: 80}, rms3: {rms: torque3}}
bands: {columns: [torque2], steps: 8}
END
"$bin/linkwork" study arm.yaml --out one.db --threads 1 --quiet
mpirun -n 4 "$bin/linkwork-mpi" study arm.yaml --out four.db >out 2>err
[ $? -eq 0 ] && grep -q '400 samples in four.db.*on 4 ranks' err
verdict "4 ranks"
same one.db four.db
verdict "4 ranks give the rows of one process"
mpirun -n 1 "$bin/linkwork-mpi" study arm.yaml --out alone.db --quiet >out 2>err && same one.db alone.db
verdict "1 rank"

# killing a rank
sed 's/samples: 400/samples: 3000/' arm.yaml >long.yaml
"$bin/linkwork" study long.yaml --out whole.db --quiet
mpirun -n 4 "$bin/linkwork-mpi" study long.yaml --out killed.db --quiet >out 2>err &
runner=$!
tries=0
until [ "$("$bin/linkwork" study report killed.db --table summary --format csv 2>/dev/null | wc -l)" -gt 1 ] || [ $tries -ge 100 ]
do
  sleep 0.1
  tries=$((tries + 1))
done
victim=$(ps -o pid= -o ppid= -o args= -e | awk -v parent=$runner '$2 == parent && /linkwork-mpi/ { pid = $1 } END { print pid }')
[ -n "$victim" ] && kill -9 "$victim"
wait $runner
[ $? -ne 0 ]
verdict "a rank that is killed ends the run"
mpirun -n 3 "$bin/linkwork-mpi" study long.yaml --out killed.db --resume --quiet >out 2>err && same whole.db killed.db
verdict "resumed on 3 ranks, it has the same rows"
# programs are started only with permission; the word linkwork is the program beside linkwork-mpi
cat >command.yaml <<END
linkwork: 1
study: a command on ranks
sampling: {samples: 12, seed: 2}
run: {command: {words: [linkwork, pose, "{file}", --q, "{angle},0", --format, csv], file: $robots/planar2r.yaml, columns: [x, z]}}
vary: {angle: {uniform: [0, 1]}, length: {set: file.joints.2.a, uniform: [0.5, 2]}}
measure: {reach: {final: "sqrt(x^2 + z^2)"}}
END
mpirun -n 2 "$bin/linkwork-mpi" study command.yaml --out command.db >out 2>err
[ $? -eq 2 ] && grep -q -- '--allow-commands' err && [ ! -e command.db ]
verdict "a command needs permission"
"$bin/linkwork" study command.yaml --allow-commands --out here.db --quiet
mpirun -n 2 "$bin/linkwork-mpi" study command.yaml --allow-commands --out command.db --quiet >out 2>err
"$bin/linkwork" study report here.db --table samples --format csv >a.rows &&
  "$bin/linkwork" study report command.db --table samples --format csv >b.rows && [ "$(wc -l <a.rows)" -eq 13 ] && cmp -s a.rows b.rows
verdict "with it, ranks give the rows of one process"
mpirun -n 2 "$bin/linkwork-mpi" study none.yaml --out none.db >out 2>err
[ $? -eq 3 ] && [ "$(grep -c 'none.yaml' err)" -ge 1 ] && [ ! -e none.db ]
verdict "a study that is not there"
echo "$failures failures"
[ $failures -eq 0 ]
