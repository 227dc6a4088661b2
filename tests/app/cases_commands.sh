# The commands: columns, values, formats, help.

# --- one state; the pendulum's numbers are derived in pendulum.yaml
gives "inverse at rest" 'tau1\n-9.81\n' inverse pendulum.yaml --q 0
gives "inverse of an acceleration" 'tau1\n-8.610000000000001\n' inverse pendulum.yaml --q 0 --qdd 2
gives "gravity" 'g1\n-9.81\n' gravity pendulum.yaml --q 0
gives "bias" 'b1\n-9.81\n' bias pendulum.yaml --q 0 --qd 3
says "inertia" '^0\.(6|59999)' inertia pendulum.yaml --q 0.3
says "energy" '^(1\.2|1\.19999)[0-9]*,-?0(\.0*|e-[0-9]+)?$' energy pendulum.yaml --q 0 --qd 2
says "forward of the torque that holds it" '^-?([0-9.]+e-1[5-9]|0)$' \
  forward pendulum.yaml --q 0 --tau -9.81
says "a wrench is taken" '^-?[0-9]' inverse pendulum.yaml --q 0 --wrench 0,0,1,0,0,0
header "inverse columns" 'tau1,tau2' inverse crane.yaml --q 0,0
header "forward columns" 'qdd1,qdd2' forward crane.yaml --q 0,0
header "inertia columns" 'M11,M12,M21,M22' inertia crane.yaml --q 0,0
header "bias columns" 'b1,b2' bias crane.yaml --q 0,0
header "gravity columns" 'g1,g2' gravity crane.yaml --q 0,0
header "coriolis columns" 'c1,c2' coriolis crane.yaml --q 0,0
header "energy columns" 'kinetic,potential' energy crane.yaml --q 0,0
header "pose columns" 'x,y,z,r11,r12,r13,r21,r22,r23,r31,r32,r33,roll,pitch,yaw,qx,qy,qz,qw' pose crane.yaml --q 0,0
header "jacobian columns" 'J11,J12,J21,J22,J31,J32,J41,J42,J51,J52,J61,J62' \
  jacobian crane.yaml --q 0,0
says "pose of the tool" '^1\.5,-?([0-9.]+e-1[5-9]|0),' pose crane.yaml --q 0,0.5
says "ten joints: underscore in M" '^M1_1,M1_2,.*,M1_10,M2_1,.*,M10_10$' \
  inertia ten.yaml --q 0,0,0,0,0,0,0,0,0,0
says "ten joints: no underscore in J" '^J11,.*,J19,J110,J21,.*,J610$' jacobian ten.yaml --q 0,0,0,0,0,0,0,0,0,0
says "ten joints: none in tau" '^tau1,.*,tau10$' inverse ten.yaml --q 0,0,0,0,0,0,0,0,0,0
gives "negative numbers as values" 'g1\n-9.81\n' gravity pendulum.yaml --q -0
gives "--option=value" 'g1\n-9.81\n' gravity --q=0 pendulum.yaml
header "spaces in a list" 'tau1,tau2' inverse crane.yaml --q ' 0.1 , -2e-1 '
header "options before ROBOT" 'tau1,tau2' inverse --q 1,2 --qd -1,-2 crane.yaml
header "ROBOT after --" 'tau1,tau2' inverse --q 1,2 -- crane.yaml
says "single precision" '^-9\.81' gravity pendulum.yaml --q 0 --precision single
says "a method by name" '^-9\.81' gravity pendulum.yaml --q 0 --method newton-euler
header "forward auto" 'qdd1,qdd2' forward crane.yaml --q 0,0 --method auto

# --- standard input and output
cat pendulum.yaml | "$linkwork" gravity - --q 0 >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '^-9\.81' out
verdict "ROBOT from standard input"
printf 'q1\n0\n' | "$linkwork" gravity pendulum.yaml --in - >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '^-9\.81' out
verdict "states from standard input"
header "--out -" 'g1' gravity pendulum.yaml --q 0 --out -

# --- formats
gives "json of a state" '[\n {"g1": -9.81}\n]\n' \
  gravity pendulum.yaml --q 0 --format json
says "table: title" '^pendulum: gravity by newton-euler, double precision$' \
  gravity pendulum.yaml --q 0 --format table
says "table: single precision" 'single precision$' \
  gravity pendulum.yaml --q 0 --format table --precision single
says "table: resolved method" 'by (articulated-body|composite-body),' \
  forward pendulum.yaml --q 0 --format table
says "table: torque" 'tau1 +swing +-9\.81 N m$' inverse pendulum.yaml --q 0 --format table
says "table: force" 'tau2 +slide .* N$' inverse crane.yaml --q 0,0 --format table
says "table: acceleration" 'qdd2 .* m/s\^2$' forward crane.yaml --q 0,0 --format table
says "table: frame of the pose" 'frame of link hook in the base frame' \
  pose crane.yaml --q 0,0 --format table
says "table: matrix with names" '^  slide  +' inertia crane.yaml --q 0,0 --format table
for question in inverse forward inertia bias gravity coriolis energy pose jacobian
do
  json "json of $question" '^ \{"' $question crane.yaml --q 0.1,0.2
  says "table of $question" "crane .A., 2: $question" $question crane.yaml --q 0,0 --format table
  says "help of $question" "^example: linkwork $question " $question --help
done

# --- commands about the robot
says "info: name" '^name: +pendulum$' info pendulum.yaml
says "info: source" '^source: +written for the tests$' info pendulum.yaml
says "info: joints" '^joints: +3, 2 of them moving; a serial chain$' info crane.yaml
says "info: mass" '^mass: +7 kg$' info crane.yaml
says "info: a joint" '1 +column +revolute +base +-3 +3 +2 +50 +column +4 +no +[0-9]+ +1$' info crane.yaml
json "info as json" '"name": "crane \\"A\\", 2"' info crane.yaml
json "info as json: limits" '"limits": \{"lower": -3, "upper": 3' info crane.yaml
json "info as json: no limits" '"name": "slide".*"limits": null' info crane.yaml
header "info as csv" 'joint,name,type,parent,lower,upper,velocity,effort,link,mass,motor,line,q' \
  info crane.yaml --format csv
gives "lint of a clean robot" '0 errors, 0 warnings\n' lint pendulum.yaml
says "lint: warnings in full" '^doubtful.yaml:7:[0-9]+: warning: .*triangle' lint doubtful.yaml
says "lint: the count" '^0 errors, [1-9][0-9]* warnings?$' lint doubtful.yaml
json "lint as json" '"severity": "warning", "file": "doubtful.yaml", "line": 7, "column": [0-9]+' \
  lint doubtful.yaml
header "lint as csv" 'severity,file,line,column,message,hint,id' lint doubtful.yaml --format csv
run lint doubtful.yaml --strict
[ $status -eq 3 ] && grep -Eq ': error: .*triangle' out
verdict "lint --strict"
run lint wrong.yaml
[ $status -eq 3 ] && grep -Eq '^wrong.yaml:6:5: error: ' out && grep -Eq '^wrong.yaml:7:' out &&
  tail -n 1 out | grep -Eq '^[2-9] errors, '
verdict "lint: all errors, exit 3"
run lint wrong.yaml --format json
[ $status -eq 3 ] && ./json_check <out && grep -q '"severity": "error"' out
verdict "lint: errors as json"
run gravity doubtful.yaml --q 0
[ $status -eq 0 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'linkwork lint doubtful.yaml' err
verdict "warnings are one line that names lint"
run gravity indefinite.yaml --q 0
[ $status -eq 3 ] && grep -Eq '^indefinite.yaml:7:[0-9]+: error: ' err && [ ! -s out ]
verdict "a bad inertia is an error"
header "--allow-bad-inertia" 'g1' gravity indefinite.yaml --q 0 --allow-bad-inertia

# --- the registry
header "methods as csv" 'question,method,aliases,year,source,order,joints' methods
json "methods as json" '"question": "inverse", "method": "newton-euler", "aliases": \["rnea"\], "year": 1980, "source": ".+", "order": "n"' \
  methods
json "a method without aliases" '"method": "kane", "aliases": \[\], "year": 1983, "source"' methods
says "methods as a table names aliases" '^inverse +newton-euler +rnea +1980 +Luh' methods --format table
says "--help names rnea, crba, aba" '--method NAME +.*rnea, crba, aba' inverse --help
for pair in inverse:newton-euler:rnea gravity:newton-euler:rnea inertia:composite-body:crba forward:composite-body:crba \
  inertia:orthogonal-complement:noc forward:orthogonal-complement:noc forward:articulated-body:aba
do
  question=${pair%%:*} alias=${pair##*:} name=${pair#*:}
  name=${name%:*}
  run "$question" crane.yaml --q 0.3,0.2 --method "$name" --format csv
  mv out named
  run "$question" crane.yaml --q 0.3,0.2 --method "$alias" --format csv
  [ $status -eq 0 ] && [ -s named ] && cmp -s named out
  verdict "$question --method $alias is $name"
done
says "methods as a table names auto" "'auto'" methods --format table
header "count as csv" \
  'question,method,mul,add,div,sqrt,executed_mul,executed_add,printed_mul,printed_add,printed_source' \
  count --dof 6
json "count as json" '"method": "newton-euler", "mul": [0-9]+, "add": [0-9]+, "div": 0, "sqrt": 0, "executed_mul": [0-9]+, "executed_add": [0-9]+, "printed": \{"mul": 852, "add": 738, "source": "' \
  count --dof 6
json "count of a robot" '"question": "forward"' count crane.yaml
says "count as a table explains folded" 'folded' count --dof 3 --format table
run count --dof 4
rows=$(wc -l <out)
run methods
[ $status -eq 0 ] && [ "$rows" -eq "$(grep -vc '^forward with loops,' out)" ]
verdict "count has every method, but those of robots with loops"
run count --dof 4 --method newton-euler
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 7 ] && [ "$(grep -Ec '^(inverse|.*-derivatives|jacobian-rate|reactions|snake),newton-euler,' out)" -eq 6 ]
verdict "count --method"
run count --dof 4 --method aba
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 2 ] && grep -q '^forward,articulated-body,' out
verdict "count --method aba"

# --- help
says "--version" '^linkwork [0-9]+\.[0-9]+\.[0-9]+' --version
says "--help lists commands" '^  inverse ' --help
says "--help documents exit codes" "^  4  the answer is not finite" --help
says "help" '^  gravity ' help
says "help COMMAND" '^usage: linkwork count \[ROBOT\]' help count
says "COMMAND --help without ROBOT" '^usage: linkwork info ROBOT' info --help
says "-h" '^usage: linkwork lint ROBOT' lint -h
run gravity --help
[ $status -eq 0 ] && ! grep -q -- '--qdd' out && grep -q -- '--method' out
verdict "help lists only the options of the command"

# --- the robots in robots/
for robot in "$robots"/*.yaml "$robots"/*.urdf
do
  [ -e "$robot" ] || continue
  run lint "$robot"
  [ $status -eq 0 ] && tail -n 1 out | grep -q '^0 errors'
  verdict "lint $(basename "$robot")"
  json "info $(basename "$robot")" '"joints": ' info "$robot"
done
