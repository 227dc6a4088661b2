# linkwork new: commented files that work, and a project of a controller that compiles and runs
# shellcheck shell=sh disable=SC2154 # by run.sh
mkdir begin
cd begin || exit 1

gives "new robot" 'robot.yaml\n' new robot
run lint robot.yaml --strict
[ $status -eq 0 ]
verdict "new robot: nothing about it is doubtful"
echo "# mine" >>robot.yaml
gives "new scenario: a robot that is there stays" 'scenario.yaml\n' new scenario
run simulate scenario.yaml --out run.csv
[ $status -eq 0 ] && [ -s run.csv ] && grep -q '# mine' robot.yaml
verdict "new scenario: it runs"
gives "new study" 'study.yaml\n' new study
run study study.yaml --samples 2 --sample 1
[ $status -eq 0 ] && grep -q shoulder_torque out
verdict "new study: a sample of it"
gives "new cycle" 'cycle.yaml\n' new cycle
run plan robot.yaml --cycle cycle.yaml --grid 50 --out cycle.csv
[ $status -eq 0 ] && [ -s cycle.csv ]
verdict "new cycle: it is planned"
run new robot
[ $status -eq 2 ] && grep -q 'robot.yaml is there with other content; nothing was copied' err
verdict "new: nothing is overwritten"
run new robto
[ $status -eq 2 ] && grep -q "did you mean 'robot'" err
verdict "new: a misspelt kind"
run new
[ $status -eq 2 ]
verdict "new: a kind is needed"
run new robot --robot robot.yaml
[ $status -eq 2 ] && grep -q "is for 'new controller'" err
verdict "new: --robot is for controllers"
run new controller --robot "$robots/four_bar.yaml"
[ $status -eq 2 ] && [ ! -e controller ]
verdict "new controller: of open arms only"
run new controller --robot missing.yaml
[ $status -eq 3 ] && [ ! -e controller ]
verdict "new controller: a robot that is missing"

# build_and_run: tests of the project pass; the loop follows, without allocating memory
build_and_run()
{
  { cmake -B build controller && cmake --build build && ctest --test-dir build; } >out 2>err &&
    build/controller --seconds 2 --log log.csv >out 2>>err && [ "$(wc -l <log.csv)" -eq 2001 ] &&
    grep -q '^late  *median .* us, 99 % .* us, largest .* us$' out && grep -q 'samples 2000 at 1000 Hz,.* allocations 0,' out
  verdict "$1"
}
run new controller
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 12 ]
verdict "new controller"
build_and_run "new controller: compiles, passes its tests and runs at 1 kHz"
rm -rf controller build
run new controller --robot "$robots/puma560.yaml"
[ $status -eq 0 ] && grep -q 'ARM_JOINTS = 6' controller/arm.h
verdict "new controller --robot"
build_and_run "new controller --robot: the PUMA 560"
build/controller --rate 0 >out 2>err
[ $? -eq 2 ]
verdict "new controller: a rate that cannot be"
cd ..
