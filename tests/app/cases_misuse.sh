# Misuse: one clear message and the documented exit code.

run
[ $status -eq 2 ] && grep -q '^usage: linkwork COMMAND' out && grep -q '^  inverse ' out && [ ! -s err ]
verdict "no command: the help, and exit 2"
run --help
[ $status -eq 0 ] && ! grep -q '^Others:' out && [ "$(grep -c '^[A-Z].*:$' out)" -ge 10 ]
verdict "every command is in a group of the help"
refuses "unknown command" 2 "^linkwork: error: unknown command 'invrese'; did you mean 'inverse'" invrese
refuses "hopeless command" 2 "linkwork --help" xxxxxxxxxxxxxxx
refuses "unknown option of the program" 2 "unknown option '--verson'" --verson
refuses "an option unlike any other gets no hint" 2 "unknown option '--silent' of 'inverse'; see 'linkwork help inverse'" \
  inverse pendulum.yaml --q 0 --silent
refuses "unknown option" 2 "unknown option '--metod' of 'inverse'; did you mean '--method'" \
  inverse pendulum.yaml --metod x
refuses "unknown short option" 2 "unknown option '-x'" inverse pendulum.yaml -x
refuses "unknown option with a value" 2 "unknown option '--quu'" inverse pendulum.yaml --quu=1
refuses "missing ROBOT" 2 "'inverse' needs a ROBOT" inverse --q 1
refuses "extra argument" 2 "'more.yaml' is one argument too many" inverse pendulum.yaml more.yaml --q 1
refuses "extra argument of methods" 2 "'methods' takes no argument" methods pendulum.yaml
refuses "option twice" 2 '--q is given twice' inverse pendulum.yaml --q 1 --q 2
refuses "option without its value" 2 '--q needs a value' inverse pendulum.yaml --q
refuses "option for a value" 2 '--q needs a value' inverse pendulum.yaml --q --qd 1
refuses "value for a flag" 2 '--strict takes no value' inverse pendulum.yaml --strict=1 --q 0
refuses "unused input" 2 "'gravity' does not use --qdd, it uses --q" gravity pendulum.yaml --q 0 --qdd 1
refuses "unused wrench" 2 "'bias' does not use --wrench" bias pendulum.yaml --q 0 --wrench 1,2,3,4,5,6
refuses "forward has no qdd" 2 "'forward' does not use --qdd" forward pendulum.yaml --q 0 --qdd 1
refuses "option of another command" 2 "'inverse' takes no --dof" inverse pendulum.yaml --q 0 --dof 3
refuses "no method of pose" 2 "'pose' .*takes no --method" pose pendulum.yaml --q 0 --method x
refuses "no method of energy" 2 "'energy' .*takes no --method" energy pendulum.yaml --q 0 --method x
refuses "no method of jacobian" 2 "takes no --method" jacobian pendulum.yaml --q 0 --method x
refuses "unknown method" 2 "no 'newton' among the inverse methods.*newton-euler" \
  inverse pendulum.yaml --q 0 --method newton
refuses "misspelt alias" 2 "no 'rnae' among the inverse methods, did you mean 'rnea'" \
  inverse pendulum.yaml --q 0 --method rnae
refuses "alias of another question" 2 "no 'aba' among the inverse methods" inverse pendulum.yaml --q 0 --method aba
refuses "method of another question" 2 "no 'articulated-body' among the inverse methods" \
  bias pendulum.yaml --q 0 --method articulated-body
refuses "auto is not for derivatives" 2 "no 'auto' among the inverse-derivatives methods" \
  inverse-derivatives pendulum.yaml --q 0 --method auto
refuses "unknown format" 2 "unknown format 'xml'; expected table, csv or json" inverse pendulum.yaml --q 0 --format xml
refuses "unknown precision" 2 "unknown precision 'half'; expected double, single or quad" inverse pendulum.yaml --q 0 --precision half
refuses "no state" 2 '--q is missing' inverse pendulum.yaml
refuses "too few values" 2 '--q: 1 value given, crane "A", 2 needs 2' inverse crane.yaml --q 1
refuses "too many values" 2 '--qd: 3 values given' inverse crane.yaml --q 1,2 --qd 1,2,3
refuses "too few in the wrench" 2 '--wrench: 3 values given, expected 6' \
  inverse crane.yaml --q 1,2 --wrench 1,2,3
refuses "not a number" 2 "--q: value 2, 'b', is wrong, expected a finite number" inverse crane.yaml --q 1,b
refuses "a number and more" 2 "--q: value 1, '1x', is wrong" inverse crane.yaml --q 1x,2
refuses "NaN" 2 "'nan', is wrong, expected a finite number" inverse crane.yaml --q 1,nan
refuses "infinity" 2 "'inf', is wrong, expected a finite number" inverse crane.yaml --q inf,1
refuses "too large for a double" 2 "'1e999', is wrong, expected a finite number" inverse crane.yaml --q 1e999,1
refuses "hexadecimal" 2 "'0x10', is wrong, expected a finite number" inverse crane.yaml --q 0x10,1
refuses "empty value" 2 "value 2, '', is wrong" inverse crane.yaml --q 1,
refuses "empty list" 2 '--q: 0 values given' inverse crane.yaml --q ''
refuses "state and file" 2 '--q and --in exclude each other' inverse crane.yaml --q 1,2 --in s.csv
refuses "two standard inputs" 2 'cannot both be standard input' inverse - --in -
refuses "missing robot" 3 'nowhere.yaml' inverse nowhere.yaml --q 1
refuses "missing robot of lint" 3 'nowhere.yaml' lint nowhere.yaml
refuses "a folder as robot" 3 '.' info .
refuses "missing states" 3 'cannot read nowhere.csv: No such file' \
  inverse pendulum.yaml --in nowhere.csv
refuses "a folder as states" 3 'cannot read' inverse pendulum.yaml --in .
refuses "help of an unknown command" 2 "unknown command 'nothing'" help nothing
refuses "count of both" 2 'not both' count pendulum.yaml --dof 3
for dof in 0 -1 1001 2.5 x '' 1e9
do
  refuses "count --dof '$dof'" 2 '--dof: .* expected an integer from 1 to 1000' count --dof "$dof"
done
refuses "count of an unknown method" 2 "no method 'newton', did you mean 'newton-euler'" \
  count --dof 3 --method newton
run info wrong.yaml
[ $status -eq 3 ] && grep -q '^wrong.yaml:6:5: error: ' err && [ ! -s out ]
verdict "a wrong robot: errors in full on stderr, exit 3"

# --- answers that are not finite
refuses "overflow" 4 'inverse: the answer is not finite' \
  inverse crane.yaml --q 0,1 --qd 1e200,1e200 --out not-there.csv
[ ! -e not-there.csv ] && [ -z "$(ls not-there.csv.* 2>/dev/null)" ]
verdict "overflow: no file is left"
printf 'q1,q2,qd1,qd2\n0,1,0,0\n0,1,1e200,1e200\n0,1,0,0\n' >overflow.csv
run inverse crane.yaml --in overflow.csv
[ $status -eq 4 ] && grep -q 'state 2 (overflow.csv:3) is not finite' err && [ "$(wc -l <out)" -eq 2 ]
verdict "overflow in a file: reported with its line, earlier answers are printed"
run inverse crane.yaml --in overflow.csv --format json
[ $status -eq 4 ] && ./json_check <out
verdict "overflow in a file: the json is closed"

# hints only for similar words: common dashes of options do not count
refuses "no wild hint for an option" 2 "unknown option '--foo' of 'inverse'; see" inverse crane.yaml --foo 3
refuses "a near option" 2 "did you mean '--quiet'" inverse crane.yaml --qiet

export LINKWORK_ISA=mmx
for command in "inverse pendulum.yaml --q 0" "bench --dof 2 --quick" "bench --latency --dof 2" "check pendulum.yaml"
do
  refuses "unknown instruction set: $command" 3 "names the instruction set 'mmx', expected .*: baseline" $command
done
unset LINKWORK_ISA
