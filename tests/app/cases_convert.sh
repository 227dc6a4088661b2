# linkwork convert: robot files in other forms. The command checks its own output; these cases check it again.

# converts NAME IN OUT ARGUMENTS: exit 0, only the comparison on standard output, every quantity ok; loops are a sixth one
converts()
{
  name=$1
  in=$2
  out=$3
  shift 3
  rm -f "$out"
  run convert "$in" "$out" "$@"
  [ $status -eq 0 ] && [ -s "$out" ] && [ "$(wc -l <out)" -ge 6 ] && [ "$(grep -c ',yes$' out)" -eq $(($(wc -l <out) - 1)) ]
  verdict "$name"
}

# agree A B: torques, energies and pose of two robots with six joints in one state, to 1e-11
agree()
{
  for question in inverse energy pose
  do
    q=0.1,-0.2,0.3,-0.4,0.5,-0.6
    motion=""
    [ $question = pose ] || motion="--qd 1,2,3,-1,-2,-3"
    [ $question = inverse ] && motion="$motion --qdd 3,2,1,-3,-2,-1"
    # shellcheck disable=SC2086
    "$linkwork" $question "$1" --q $q $motion 2>/dev/null | tail -n 1 | tr ',' '\n' >first
    # shellcheck disable=SC2086
    "$linkwork" $question "$2" --q $q $motion 2>/dev/null | tail -n 1 | tr ',' '\n' >second
    paste first second | awk 'NF != 2 || ($1 - $2)^2 > 1e-22 * (1 + $1^2) { bad = 1 } END { exit bad || NR == 0 }' ||
      return 1
  done
}

same_six()
{
  agree "$1" "$2"
  verdict "$3"
}

cp "$robots/puma560.yaml" puma.yaml
header "convert: columns" 'quantity,worst,bound,absolute,state,ok' convert pendulum.yaml p.yaml
converts "PUMA to standard DH" puma.yaml standard.yaml --dh standard
same_six puma.yaml standard.yaml "the same PUMA in standard DH"
converts "on to origin and axis" standard.yaml axes.yaml
same_six puma.yaml axes.yaml "the same PUMA with origins and axes"
converts "on to URDF" axes.yaml puma.urdf --drop motors
same_six puma.yaml puma.urdf "the same PUMA as URDF"
converts "and back to modified DH" puma.urdf modified.yaml --dh modified --drop motors
same_six puma.yaml modified.yaml "the same PUMA in modified DH"
grep -E '^    (alpha|a|d|theta):' modified.yaml >table && grep -E '^    (alpha|a|d|theta):' standard.yaml >other &&
  [ "$(wc -l <table)" -eq 24 ] && grep -q '^    a: 0.4318$' table && grep -q '^    a: 0.4318$' other
verdict "the table of the PUMA is the known one"
[ "$(grep -c '^    limits:' modified.yaml)" -eq 6 ] && [ "$(grep -c '^    friction:' modified.yaml)" -eq 6 ]
verdict "limits and friction stay"
[ "$(grep -c '^    motor:' standard.yaml)" -eq 6 ]
verdict "motors stay in robot files"
grep -q '<mechanicalReduction>62.6111</mechanicalReduction>' puma.urdf
verdict "gears become transmissions"

for robot in "$robots"/*.yaml
do
  case $robot in */free_flyer.yaml | */delta.yaml | */stewart.yaml) continue ;; esac  # no DH tables, see cases_joints.sh
  [ -e "$robot" ] || continue
  for form in 'f.yaml' 'f.yaml --dh modified' 'f.yaml --dh standard' 'f.urdf'
  do
    # shellcheck disable=SC2086
    converts "convert $(basename "$robot") $form" "$robot" $form --states 20 --drop loops,cylinders,motors,limits,gravity,shapes
  done
done

# --- messages
says "convert: a table for people" '^ok: the same robot in 100 states of seed 1; wrote p.yaml$' \
  convert pendulum.yaml p.yaml --format table
json "convert as json" '"quantity": "torque", "worst": [0-9]' convert pendulum.yaml p.yaml
run convert crane.yaml c.yaml --dh modified
[ $status -eq 0 ] && grep -q '^linkwork: 1$' c.yaml && grep -q '^name: "crane \\"A\\", 2"$' c.yaml
verdict "quotes in names"
run convert crane.yaml c.urdf --drop limits,gravity,motors
[ $status -eq 0 ] && grep -q '<robot name="crane &quot;A&quot;, 2">' c.urdf
verdict "quotes in names of URDF"
sed -e 's/swing/"a <b> \& '"'"'c'"'"' -- d"/' pendulum.yaml >odd.yaml
run convert odd.yaml odd.urdf --drop limits,gravity,motors
[ $status -eq 0 ] && grep -q '<joint name="a &lt;b&gt; &amp; ' odd.urdf && "$linkwork" convert odd.urdf odd2.yaml >out 2>err &&
  grep -qF "  - name: \"a <b> & 'c' -- d\"" odd2.yaml
verdict "names with markup are preserved"
rm -f p.urdf
diagnoses "convert: motors in URDF" 2 "p.urdf would lose motors; '--drop motors' writes it all the same" convert puma.yaml p.urdf
[ ! -e p.urdf ] && grep -q '^not written as it is: .*of the motor only the gear stays' err
verdict "reports what URDF cannot represent, and writes nothing"
run convert puma.yaml p.urdf --drop motors --format table
[ $status -eq 0 ] && grep -q '^dropped: motors; the rest agrees in 100 states of seed 1; wrote p.urdf$' out && ! grep -q 'same robot' out
verdict "says what is dropped, and never that it is the same robot"
diagnoses "convert: gravity in URDF" 2 "would lose .*gravity" convert "$robots/planar2r.yaml" p.urdf --drop limits,motors
grep -q '^not written as it is: gravity 0 -9.81 0' err
verdict "reports gravity, which URDF cannot represent"
refuses "convert: an unknown part" 2 "--drop: unknown part 'loop'; expected loops, cylinders" convert puma.yaml p.urdf --drop loop
rm -f l.yaml l.urdf
for robot in four_bar excavator delta palletizer stewart
do
  says "convert: the loops of $robot" '^loops,[0-9.e-]*,[0-9.e-]*,[0-9.e-]*,[0-9]*,yes$' convert "$robots/$robot.yaml" l.yaml
  "$linkwork" info "$robots/$robot.yaml" | grep '^mobility' >one && "$linkwork" info l.yaml | grep '^mobility' >two && cmp -s one two
  verdict "convert: the mobility of $robot stays"
done
diagnoses "convert: loops in URDF" 2 "would lose loops" convert "$robots/four_bar.yaml" l.urdf --drop gravity
[ ! -e l.urdf ]
verdict "convert: nothing is written without its loops"
says "convert: loops dropped" '^dropped: loops,gravity; ' convert "$robots/four_bar.yaml" l.urdf --drop gravity,loops --format table
diagnoses "convert: cylinders" 2 "would lose cylinders" convert "$robots/hydraulic5.yaml" c.yaml
for out in d.yaml d.urdf
do
  diagnoses "convert: shapes of parts, $out" 2 "$out would lose shapes; '--drop shapes' writes it all the same" convert "$robots/ddarm.yaml" $out --drop gravity,motors
  [ ! -e $out ]
  verdict "convert: nothing is written without its parts, $out"
done
says "convert: shapes of parts dropped" '^dropped: shapes; ' convert "$robots/ddarm.yaml" d.yaml --drop shapes --format table
says "convert: cylinders dropped" '^dropped: cylinders; ' convert "$robots/hydraulic5.yaml" c.yaml --drop cylinders --format table
run convert "$robots/planar2r.yaml" p.yaml --dh modified
[ $status -eq 0 ] && grep -q '^added: fixed joint elbow_end, ' err && grep -q '^  # carries the link' p.yaml
verdict "added joints are reported"
run convert "$robots/torso.yaml" p.yaml --dh modified
[ $status -eq 0 ] && grep -q 'one for each branch' err
verdict "a tree is a table for each branch"
"$linkwork" convert pendulum.yaml - --dh standard >p.yaml 2>err </dev/null
status=$?
[ $status -eq 0 ] && grep -q '^dh: standard$' p.yaml && "$linkwork" lint p.yaml >out
verdict "a robot file on standard output"
cat pendulum.yaml | "$linkwork" convert - p.urdf --drop limits,gravity,motors >out 2>err
status=$?
[ $status -eq 0 ] && grep -q '<joint name="swing"' p.urdf
verdict "a robot file from standard input"

# --- refused conversions
refuses "convert: no OUT" 2 "needs IN OUT" convert pendulum.yaml
refuses "convert: three files" 2 "one argument too many" convert pendulum.yaml a.yaml b.yaml
refuses "convert: no format" 2 "expected a name that ends with .yaml, .yml, .urdf or .xml" convert pendulum.yaml p.txt
refuses "convert: DH in URDF" 2 "URDF has no Denavit-Hartenberg" convert pendulum.yaml p.urdf --dh modified
refuses "convert: unknown DH" 2 "expected modified or standard" convert pendulum.yaml p.yaml --dh paul
refuses "convert: no such folder" 3 "cannot write" convert pendulum.yaml no/such/p.yaml
rm -f p.yaml
run convert wrong.yaml p.yaml
[ $status -eq 3 ] && [ ! -e p.yaml ] && grep -q '^wrong.yaml:6:5: error: ' err
verdict "convert: writes nothing for a wrong file"
