# Files of states.

accepts_states "plain" 'tau1\n-9.81\n' 'q1\n0\n'
accepts_states "no newline at the end" 'tau1\n-9.81\n' 'q1\n0'
accepts_states "CRLF" 'tau1\n-9.81\n' 'q1\r\n0\r\n'
accepts_states "byte order mark" 'tau1\n-9.81\n' '\0357\0273\0277q1\n0\n'
accepts_states "blank lines at the end" 'tau1\n-9.81\n' 'q1\n0\n\n  \n\r\n'
accepts_states "quoted fields" 'tau1\n-9.81\n' '"q1","qd1"\n"0"," 1 "\n'
accepts_states "spaces" 'tau1\n-9.81\n' ' q1 ,\tqd1 \n 0 , 1 \n'
accepts_states "by name of the joint" 'tau1\n-8.610000000000001\n' 'qdd.swing,q.swing\n2,0\n'
accepts_states "t is copied unchanged" 't,tau1\n+1e-1,-9.81\n0.10,-9.81\n' 't,q1\n+1e-1,0\n0.10,0\n'
accepts_states "unused columns are ignored" 'tau1\n-9.81\n' 'tau1,q1\n,0\n'
accepts_states "all columns" 't,tau1\n0,-9.81\n' \
  't,q1,qd1,qdd1,tau1,fx,fy,fz,nx,ny,nz\n0,0,0,0,0,0,0,0,0,0,0\n'
accepts_states "no states" 'tau1\n' 'q1\n'
accepts_states "forms of numbers" \
  'tau1\n-9.81\n-9.81\n-9.81\n' 'q1\n+0\n.0\n0.e-3\n'

refuses_states "empty file" '^states.csv:1:1: error: .*expected a header' ''
refuses_states "blank header" '^states.csv:1:1: error: .*expected a header' '\n0\n'
refuses_states "unknown column" "^states.csv:1:4: error: unknown column 'qe1'.*'q" 'q1,qe1\n0,0\n'
refuses_states "joint that is not there" "^states.csv:1:4: error: unknown column 'q2', expected q1 or names of moving joints" 'q1,q2\n0,0\n'
refuses_states "unknown name" "^states.csv:1:1: error: unknown column 'q.swin'.*'q.swing'" 'q.swin\n0\n'
refuses_states "leading zero" "unknown column 'q01'" 'q01\n0\n'
refuses_states "column twice" "^states.csv:1:4: error: column 'q1' comes twice" 'q1,q1\n0,0\n'
refuses_states "column twice by name" "^states.csv:1:4: error: column 'q.swing' comes twice" \
  'q1,q.swing\n0,0\n'
refuses_states "q is missing" "^states.csv:1:1: error: column 'q1' is missing" 'qd1\n0\n'
refuses_states "part of the wrench" "error: column 'fy' is missing" 'q1,fx\n0,0\n'
refuses_states "empty name" '^states.csv:1:4: error: an empty field' 'q1,\n0,0\n'
refuses_states "open quote in the header" '^states.csv:1:4: error: a quote' 'q1,"qd1\n0,0\n'
refuses_states "too few fields" '^states.csv:3:2: error: 1 field, expected 2' 'q1,qd1\n0,0\n0\n'
refuses_states "too many fields" '^states.csv:2:5: error: more fields, expected 2' 'q1,qd1\n0,0,0\n'
refuses_states "not a number" "^states.csv:2:4: error: 'x y' is not a finite number, expected one for column 'qd1'" \
  'q1,qd1\n0, x y\n'
refuses_states "column in characters" "^states.csv:2:3: error: 'b' is not" 'note,q1\n\0303\0251,b\n'
refuses_states "NaN" "^states.csv:2:1: error: 'nan' is not a finite number" 'q1\nnan\n'
refuses_states "infinity" "^states.csv:2:1: error: '-inf' is not a finite number" 'q1\n-inf\n'
refuses_states "too large" "'1e400' is not a finite number" 'q1\n1e400\n'
refuses_states "empty field" "^states.csv:2:3: error: an empty field, expected a number for column 'qd1'" \
  'q1,qd1\n0,\n'
refuses_states "quoted text" "^states.csv:2:1: error: 'a' is not a finite number" 'q1\n"a"\n'
refuses_states "open quote" '^states.csv:2:1: error: a quote' 'q1\n"0\n'
refuses_states "text after a quote" '^states.csv:2:1: error: a quote' 'q1\n"0"1\n'
refuses_states "blank line between" '^states.csv:2:1: error: a blank line' 'q1\n\n0\n'
refuses_states "zero byte" '^states.csv:2:2: error: a zero byte' 'q1\n0\0000\n'
head -c 200000 /dev/zero | tr '\0' '1' >long.csv
refuses "line too long" 3 '^long.csv:1:1: error: the line is too long' inverse pendulum.yaml --in long.csv

# --- unneeded columns, and misspelt ones
accepts_states "other columns are ignored" 'tau1\n-9.81\n' 'kinetic,x,q1,v1,i1,q_ref1,r11,note,qx\n1,2,0,3,4,5,6,"a, b",7\n'
accepts_states "a column of the wrong case is not qd" 'tau1\n-9.81\n' 'q1,v.swing,i.swing\n0,1,2\n'
refuses_states "a misspelt required column" "^states.csv:1:1: error: unknown column 'Q_1'; did you mean 'q1'" 'Q_1\n0\n'
refuses_states "a misspelt optional column" "^states.csv:1:4: error: unknown column 'qdd.swin', expected .*; did you mean 'qdd.swing'" 'q1,qdd.swin\n0,0\n'
refuses_states "a misspelt acceleration" "^states.csv:1:4: error: unknown column 'qddd1'; did you mean 'qdd1'" 'q1,qddd1\n0,0\n'
printf 'name,t,"a ""b""",q1,tau1\nleft,0.50,"x, y",0,1\n' >kept.csv
gives "--keep copies columns; computed ones replace them" 'name,t,"a ""b""",q1,tau1\nleft,0.50,"x, y",0,-9.81\n' \
  inverse pendulum.yaml --in kept.csv --keep
gives "--keep in json" '[\n {"name": "left", "t": 0.50, "a \\"b\\"": "x, y", "q1": 0, "tau1": 1, "kinetic": 0, "potential": 0}\n]\n' \
  energy pendulum.yaml --in kept.csv --keep --format json
says "--keep in a table" '1 +left +0.50 +x, y +0 +-9.81$' inverse pendulum.yaml --in kept.csv --keep --format table
refuses "--keep without --in" 2 '--keep is for --in' inverse pendulum.yaml --q 0 --keep
refuses "ik: --keep without --in" 2 '--keep is for --in' ik crane.yaml --position 1,0,0 --keep

printf 'q1,q2,qd1\n0,0,0\n' >part.csv
refuses "incomplete group" 3 "^part.csv:1:1: error: column 'qd2' is missing" \
  inverse crane.yaml --in part.csv
header "incomplete group that is not used" 'g1,g2' gravity crane.yaml --in part.csv

printf 'q1\n0\nx\n' >half.csv
run gravity pendulum.yaml --in half.csv
[ $status -eq 3 ] && [ "$(wc -l <out)" -eq 2 ] && grep -q '^half.csv:3:1: error' err
verdict "the answers before a wrong line are printed"
run gravity pendulum.yaml --in half.csv --format json
[ $status -eq 3 ] && ./json_check <out
verdict "the json before a wrong line is closed"

# --- many states, in several blocks, give the same answers as single states
awk 'BEGIN { print "q1,q2,qd1,qd2,qdd1,qdd2,fx,fy,fz,nx,ny,nz"
  for (i = 0; i < 20000; ++i)
    printf "%.6f,%.6f,%d,%d,0.5,0.25,1,2,3,4,5,6\n", sin(i), cos(i), i % 7, i % 5 }' >many.csv
run inverse crane.yaml --in many.csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 20001 ]
verdict "20000 states"
cp out many.out
for line in 2 4097 20001
do
  state=$(sed -n "${line}p" many.csv)
  q=$(echo "$state" | cut -d, -f1,2)
  qd=$(echo "$state" | cut -d, -f3,4)
  run inverse crane.yaml --q "$q" --qd "$qd" --qdd 0.5,0.25 --wrench 1,2,3,4,5,6
  [ "$(sed -n 2p out)" = "$(sed -n "${line}p" many.out)" ]
  verdict "line $line of the file is the single state, to the last bit"
done
json "many states as json" '^ \{"tau1": .*, "tau2": .*\},$' inverse crane.yaml --in many.csv
says "many states as a table" '^ +20000 +-?[0-9.]+ +-?[0-9.]+$' \
  inverse crane.yaml --in many.csv --format table
"$linkwork" inverse crane.yaml --in - --format csv <many.csv >out 2>err
status=$?
[ $status -eq 0 ] && cmp -s out many.out
verdict "the same through standard input"

# --- threads
awk 'BEGIN { print "q1,q2,qd1,qd2"; for (i = 0; i < 5000; ++i) printf "%g,%g,%g,%g\n", i / 1000, -i / 700, i / 3000, 1 }' >many.csv
run inverse "$robots/planar2r.yaml" --in many.csv --threads 1
cp out one_thread
run inverse "$robots/planar2r.yaml" --in many.csv --threads 3
[ $status -eq 0 ] && cmp -s out one_thread && [ "$(wc -l <out)" -eq 5001 ]
verdict "--threads: the same answers"
refuses "--threads without --in" 2 '--threads is for --in' inverse "$robots/planar2r.yaml" --q 0,0 --threads 2
refuses "--threads 0" 2 "--threads: '0' is wrong, expected an integer from 1 to 1024" inverse "$robots/planar2r.yaml" --in many.csv --threads 0

# --- t is copied to the output, so it must be a number
refuses_states "t is not a number" "states.csv:2:1: error: 'noon' is not a finite number, expected one for column 't'" 't,q1\nnoon,0\n'
printf 't,x,y,z\nnoon,1,0,0\n' >poses.csv
run ik "$robots/planar2r.yaml" --in poses.csv
[ $status -eq 3 ] && grep -q "poses.csv:2:1: error: 'noon' is not a finite number" err
verdict "ik: t is not a number"
