# linkwork generate: straight-line code, compiled and run if there is a compiler or interpreter.

strict="-std=c99 -O0 -Wall -Wextra -Wpedantic -Wconversion -Werror"
every=inverse,inertia,bias,gravity,coriolis,energy,pose,jacobian,reactions,inertia+bias
compiler=$(command -v cc || command -v gcc || command -v clang || :)

# numbers FILE: one per line
numbers()
{
  tr -s ' ,\t\r[]()' '\n' <"$1" | grep '[0-9]'
}

# same_numbers FOUND EXPECTED: as many, equal to 1e-12 of the largest; forward dynamics: $tolerance
same_numbers()
{
  numbers "$1" >found.list && numbers "$2" >expected.list
  [ -s expected.list ] && [ "$(wc -l <found.list)" -eq "$(wc -l <expected.list)" ] &&
    paste found.list expected.list | awk -v t="${tolerance-1e-12}" '
      { d = $1 - $2; d = d < 0 ? -d : d; s = $2 < 0 ? -$2 : $2; if (d > worst) worst = d; if (s > size) size = s }
      $1 !~ /^-?[0-9]/ { bad = 1 }
      END { exit bad || worst > t * size }'
}

# made_passes COMPILER: made.c compiles without warnings and its test passes. With sanitizers it has only been written: the text is
# that of the other build, whose cases compile it.
made_passes()
{
  # shellcheck disable=SC2086
  [ -n "${LINKWORK_SLOW-}" ] || { $1 $strict made.c made_test.c -lm -o made 2>err && ./made >out && ! grep -q WRONG out; }
}

# state DOF: q, qd, qdd as lists of DOF numbers
state()
{
  dof=$1
  q=$(awk -v n="$dof" 'BEGIN { for (i = 1; i <= n; ++i) printf "%s%.3f", (i == 1 ? "" : ","), sin(2 * i + 0.3) }')
  qd=$(awk -v n="$dof" 'BEGIN { for (i = 1; i <= n; ++i) printf "%s%.3f", (i == 1 ? "" : ","), cos(3 * i) }')
  qdd=$(awk -v n="$dof" 'BEGIN { for (i = 1; i <= n; ++i) printf "%s%.3f", (i == 1 ? "" : ","), 2 * sin(5 * i) }')
}

# for every robot (with sanitizers, for some): strict C that passes its own test. All questions for small robots, for others
# only those whose kernels differ
all="$robots/*.yaml $robots/*.urdf"
[ -z "${LINKWORK_SLOW-}" ] || all="$robots/gripper_arm.urdf"
for robot in pendulum.yaml crane.yaml arm.yaml hand.urdf $all
do
  case $robot in */four_bar.yaml | */delta.yaml | */stewart.yaml | */excavator.yaml | */palletizer.yaml | */mobile_arm.yaml) continue ;; esac  # loops
  [ -e "$robot" ] && [ -n "$compiler" ] || continue
  questions=inverse,forward,inertia+bias,jacobian
  case $robot in
    */chain30.yaml) questions=gravity ;;  # all questions would take 40,000 lines
    */torso.yaml) questions=inverse,gravity,pose ;;
    */free_flyer.yaml) questions=inverse,pose,energy ;;
    */hand.urdf | */scara.yaml | */stanford.yaml | pendulum.yaml | crane.yaml | arm.yaml) questions=$every,forward ;;
  esac
  run generate "$robot" --quiet --question $questions --test --out made.c
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && made_passes $compiler
  verdict "generate $(basename "$robot"): C without warnings, its test passes"
done

# C++ calls the generated C
cat >caller.cpp <<'END'
#include <cstdio>
#include "made.h"
int main()
{
  double q[6] = {0.1, -0.2, 0.3, -0.4, 0.5, -0.6}, g[6];
  made_gravity(q, g);
  std::printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", g[0], g[1], g[2], g[3], g[4], g[5]);
}
END
for plus in g++ clang++
do
  [ -n "$compiler" ] && command -v $plus >/dev/null 2>&1 || continue
  run generate "$robots/puma560.yaml" --question gravity --name made --out made.c
  [ $status -eq 0 ] && $compiler -c made.c -o made.o 2>err &&
    $plus -std=c++11 -Wall -Wextra -Wpedantic -Werror caller.cpp made.o -lm -o caller 2>err && ./caller | tr ',' '\n' >got &&
    "$linkwork" gravity "$robots/puma560.yaml" --q 0.1,-0.2,0.3,-0.4,0.5,-0.6 | tail -n 1 | tr ',' '\n' >wanted &&
    paste got wanted | awk '($1 - $2)^2 > 1e-24 * (1 + $2^2) { bad = 1 } END { exit bad || NR != 6 }'
  verdict "generate: $plus takes the header"
done

# CasADi's convention: sparsity, Jacobians, arguments that are not given
if [ -n "$compiler" ] && [ -z "${LINKWORK_SLOW-}" ] && $compiler -std=gnu11 -Wall -Wextra -Werror "$here/casadi.c" -o casadi -ldl -lm 2>err
then
  for case in "$robots/puma560.yaml inverse,forward,inertia+bias,jacobian" "$robots/free_flyer.yaml inverse,pose" \
    "$robots/scara.yaml inverse,energy --arguments gravity,payload" "$robots/four_bar.yaml inverse" "$robots/snakes/table2_n6.yaml forward"
  do
    # shellcheck disable=SC2086
    run generate ${case%% *} --question ${case#* } --abi casadi --test --out made.c
    names=$(echo "$case" | cut -d ' ' -f 2 | tr ',+' ' _' | sed 's/[a-z_]*/arm_&/g')
    # shellcheck disable=SC2086
    [ $status -eq 0 ] && made_passes $compiler && $compiler -O1 -fPIC -shared made.c -lm -o casadi.so 2>err &&
      ./casadi ./casadi.so $names >out
    verdict "generate --abi casadi: $(basename "$case")"
  done
fi
refuses "generate --abi casadi: C only" 2 'CasADi takes c' generate "$robots/puma560.yaml" --abi casadi --language python
refuses "generate --abi: unknown" 2 "--abi: unknown abi 'fortran'" generate "$robots/puma560.yaml" --abi fortran

if [ -n "$compiler" ]
then
  run generate "$robots/puma560.yaml" --question inverse,forward,gravity,reactions --arguments wrench,gravity,payload --test --out made.c
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && made_passes $compiler
  verdict "generate with wrench, gravity and payload as arguments"
  run generate "$robots/scara.yaml" --question $every --precision single --test --out made.c
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && $compiler $strict -Wdouble-promotion -c made.c 2>err && made_passes $compiler
  verdict "generate in single precision"
  run generate "$robots/stanford.yaml" --question inverse,forward --sincos given --test --out made.c
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && ! grep -q math.h made.c && made_passes $compiler
  verdict "generate with sines that are given"
  for how in --fma '--fma --precision single' '--sincos vector' '--lanes 4' '--lanes 8 --precision single' '--sincos vector --precision single'
  do
    # shellcheck disable=SC2086
    run generate "$robots/stanford.yaml" --question inverse,inertia+bias,pose $how --test --out made.c
    # shellcheck disable=SC2086
    [ $status -eq 0 ] && made_passes $compiler
    verdict "generate $how"
  done
  # no sines at all; sines that are given and positions that only a slide reads
  cat >gantry.yaml <<'END'
linkwork: 1
joints:
  - {name: x, type: prismatic, axis: [1, 0, 0], link: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}
  - {name: y, type: prismatic, axis: [0, 1, 0], link: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}
END
  for how in "gantry.yaml --lanes 2" "gantry.yaml --sincos vector" "gantry.yaml --sincos given" "$robots/cart_pole.yaml --sincos given" \
    "$robots/cart_pole.yaml --sincos given --lanes 4"
  do
    # shellcheck disable=SC2086
    run generate $how --quiet --question inverse,forward,pose,energy --test --out made.c
    for each in gcc clang
    do
      command -v $each >/dev/null 2>&1 || continue
      # shellcheck disable=SC2086
      [ $status -eq 0 ] && made_passes $each
      verdict "generate $(basename "${how%% *}") ${how#* }, compiled by $each"
    done
  done
  cat >ball.yaml <<'END'
linkwork: 1
joints:
  - {name: yaw, type: revolute, origin: {xyz: [0, 0, 0.2]}, axis: [0, 0, 1], link: {mass: 3, com: [0.1, 0, 0.06], inertia: [0.05, 0.06, 0.03, 0, 0, 0]}}
  - {name: hip, type: ball, origin: {xyz: [0.1, 0.4, 0.2], rpy: [0.7, 0.2, -0.5]}, link: {mass: 1, com: [0, 0.1, 0], inertia: [0.05, 0.06, 0.03, 0, 0, 0]}}
END
  for how in '--arguments gravity' --lanes\ 4 '--sincos given' '--sincos vector --precision single'
  do
    # shellcheck disable=SC2086
    run generate ball.yaml --quiet --question inverse,energy,pose $how --test --out made.c
    # shellcheck disable=SC2086
    [ $status -eq 0 ] && made_passes $compiler
    verdict "generate a ball joint $how"
  done
  for how in '' '--lanes 4' '--sincos given --precision single'
  do
    # shellcheck disable=SC2086
    run generate "$robots/snakes/uneven5.yaml" --quiet --question forward+omega,inverse,lambda $how --test --out made.c
    # shellcheck disable=SC2086
    [ $status -eq 0 ] && made_passes $compiler
    verdict "generate a snake $how"
  done
  run generate "$robots/stanford.yaml" --question inverse --test --out made.c
  sed 's/\* x1/+ x1/' made.c >wrong.c
  # shellcheck disable=SC2086
  $compiler -std=c99 wrong.c made_test.c -lm -o made 2>err && ! ./made >out && grep -q WRONG out
  verdict "generate: the test program notices a wrong operator"
fi

# tongues ROBOT QUESTION OUTPUTS ARGUMENTS: runs one function in every language installed, and compares with the file `expected`.
# OUTPUTS: sizes of the output arrays
tongues()
{
  file=$(basename "$1") function=arm_$(echo "$2" | tr + _)
  if command -v python3 >/dev/null 2>&1
  then
    run generate "$1" --quiet --question "$2" --language python --out made.py
    python3 -c "import made; print(made.$function($4))" >out 2>err && same_numbers out expected
    verdict "generate $file, $2, in Python"
  fi
  if command -v node >/dev/null 2>&1
  then
    run generate "$1" --quiet --question "$2" --language javascript --out made.js
    node -e "const found = require('./made.js').$function($4);
      console.log(Object.values(found).flatMap(x => typeof x === 'number' ? [x] : Array.from(x)).join(' '))" >out 2>err &&
      same_numbers out expected
    verdict "generate $file, $2, in JavaScript"
  fi
  if command -v rustc >/dev/null 2>&1
  then
    run generate "$1" --quiet --question "$2" --language rust --out made.rs
    echo "mod made; fn main() {" >main.rs
    for size in $3; do echo "let mut out$size = [0.0; $size];" >>main.rs; done
    # shellcheck disable=SC2001
    echo "made::$function($(echo "$4" | sed 's/\[/\&[/g')$(for size in $3; do printf ', &mut out%s' "$size"; done));" >>main.rs
    for size in $3; do echo "for x in out$size.iter() { println!(\"{:.17e}\", x); }" >>main.rs; done
    echo "}" >>main.rs
    rustc -D warnings -o made_rust main.rs 2>err >/dev/null && ./made_rust >out && same_numbers out expected
    verdict "generate $file, $2, in Rust"
  fi
  if command -v octave-cli >/dev/null 2>&1
  then
    run generate "$1" --quiet --question "$2" --language matlab --out "$function.m"
    names=$(for size in $3; do printf 'out%s ' "$size"; done)
    octave-cli --norc --eval "[$names] = $function($4); $(for out in $names; do printf "printf('%%.17g ', %s.');" "$out"; done)" \
      >out 2>err && same_numbers out expected
    verdict "generate $file, $2, in Octave"
  fi
}
if command -v octave-cli >/dev/null 2>&1
then
  run inverse crane.yaml --quiet --q 0.3,0.2 --qd 0.5,0.1 --qdd 1,2 --format csv
  tail -n 1 out >expected
  run generate crane.yaml --quiet --question inverse,inertia --language matlab --name made --out made.m
  octave-cli --norc --eval "printf('%.17g ', made('inverse', [0.3 0.2], [0.5 0.1], [1 2]))" >out 2>err && same_numbers out expected
  verdict "generate several functions for Octave"
fi

# ask EXPECTED COMMAND...: writes the last line of the answer to EXPECTED
ask()
{
  expected=$1
  shift
  run "$@" --quiet --format csv
  tail -n 1 out >"$expected"
}

# a prismatic joint, a tree with coupled joints
for robot in "$robots/stanford.yaml" "$robots/gripper_arm.urdf"
do
  dof=6
  case $robot in *gripper*) dof=7 ;; esac
  state $dof
  ask torques inverse "$robot" --q "$q" --qd "$qd" --qdd "$qdd"
  ask matrix inertia "$robot" --q "$q"
  cat torques matrix >expected
  tongues "$robot" inverse+inertia "$dof $((dof * dof))" "[$q], [$qd], [$qdd]"
done
# quaternions: a floating base, a ball joint after another joint
state 12
q=0.3,-0.2,0.5,0.5,-0.5,0.5,0.5,0.1,-0.4,0.9,1.2,-0.7,0.3
ask expected inverse "$robots/free_flyer.yaml" --q $q --qd "$qd" --qdd "$qdd"
tongues "$robots/free_flyer.yaml" inverse 12 "[$q], [$qd], [$qdd]"
if [ -e ball.yaml ]
then
  state 4
  q=0.7,0.5,-0.5,0.5,0.5
  ask torques inverse ball.yaml --q $q --qd "$qd" --qdd "$qdd"
  ask pose pose ball.yaml --q $q
  cut -d, -f1-12 pose >>torques
  cp torques expected
  tongues ball.yaml inverse+pose "4 12" "[$q], [$qd], [$qdd]"
fi
theta=0.1,0.5,-0.3,0.2,0.7
ask all snake state "$robots/snakes/uneven5.yaml" --theta $theta --u 0.4,-0.2 --torque 1,2,-1,0.5
cut -d, -f1,2,13-17 all >expected
tongues "$robots/snakes/uneven5.yaml" forward+lambda "2 5" "[$theta], [0.4, -0.2], [1.0, 2.0, -1.0, 0.5]"

# a name that would end comments and strings
cat >odd_title.yaml <<'END'
linkwork: 1
name: 'a */ b /* c """ \ d'
dh: modified
joints: [{name: j1, type: revolute, link: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}]
END
ask expected inverse odd_title.yaml --q 0.3 --qd 0.2 --qdd 0.5
tongues odd_title.yaml inverse 1 "[0.3], [0.2], [0.5]"
if [ -n "$compiler" ]
then
  run generate odd_title.yaml --quiet --test --out made.c
  # shellcheck disable=SC2086
  [ $status -eq 0 ] && made_passes $compiler
  verdict "generate: a name that would end a comment"
fi

run generate "$robots/puma560.yaml" --question inertia+bias
cp out first
run generate "$robots/puma560.yaml" --question inertia+bias
[ $status -eq 0 ] && [ ! -s err ] && cmp -s out first
verdict "generate: the same robot, the same text"
says "generate names the method" '^ \* method: composite-body' generate "$robots/panda.yaml" --question inertia --method crba

says "count --generated" '^inverse,generated,168,140,0,0,' count "$robots/puma560.yaml" --generated --format csv
says "count --generated of a snake" '^snake,generated,9[0-9],' count --dof 6 --generated --method kane-linear --format csv
refuses "count --generated without a robot" 2 'give ROBOT or --dof N' count --generated
if [ -n "$compiler" ] && [ -z "${LINKWORK_SLOW-}" ]
then
  says "bench --generated" '^PUMA 560,6,forward,generated,double,batch,1,' \
    bench "$robots/puma560.yaml" --generated --quick --method aba --question forward --precision double --format csv
  run bench --dof 2,14 --generated --quick --method rnea --question inverse --precision double --format table
  [ $status -eq 0 ] && grep -q '^inverse   newton-euler  *single' out && [ "$(grep -c '^          generated  *single  *1' out)" -eq 2 ] &&
    grep -q '^ *14 *[0-9.]* *[0-9.]* *-' out && grep -q '^inverse   pays, one state per call up to n = [0-9]*; batch up to n = ' out
  verdict "bench --generated of chains: beside the kernels, and where it pays"
fi

gives "generate latex" "" generate "$robots/planar2r.yaml" --language latex --symbols --question inertia,coriolis,gravity --out made.tex
grep -q 'M_{22} &= m_{2} c_{2}^{2} + I_{2zz}$' made.tex && grep -q '^\\end{document}$' made.tex
verdict "generate latex: the inertia of the planar arm, as in a textbook"
says "generate latex: numbers" 'M_.11. &= 5 [+] 3 .cos q_.2.' generate "$robots/planar2r.yaml" --language latex --question inertia
refuses "generate latex: too many joints" 2 'has 30 moving joints; equations are written for 8 at most' generate "$robots/chain30.yaml" --language latex
refuses "generate latex: too long" 2 'more than 4000 terms' generate "$robots/panda.yaml" --language latex --symbols --question inverse
refuses "generate latex: no equations" 2 "no equations of 'forward'" generate "$robots/planar2r.yaml" --language latex --question forward
refuses "generate: fused in Python" 2 'fused multiply-adds are written in c' generate "$robots/planar2r.yaml" --fma --language python
refuses "generate: letters in C" 2 'numbers as letters are for latex only' generate "$robots/planar2r.yaml" --symbols
rm -f none.c none.h none_test.c
refuses "generate: equations of snakes" 2 'no equations of snakes' generate "$robots/snakes/uneven5.yaml" --language latex --out none.c
refuses "generate: a question about snakes" 2 "no question 'lamda' about snakes, did you mean 'lambda'" generate "$robots/snakes/uneven5.yaml" --question lamda
refuses "generate: wheels in lanes" 2 "several states at once of 'mobile arm', whose wheels need roots" generate "$robots/mobile_arm.yaml" --lanes 4 --out none.c
refuses "generate: unknown language" 2 "unknown language 'fortran', expected c, python" generate crane.yaml --language fortran --out none.c
refuses "generate: unknown question" 2 "no question 'inverze', did you mean 'inverse'" generate crane.yaml --question inverze --out none.c
refuses "generate: no identifier" 2 "'my arm' cannot begin the names" generate crane.yaml --name 'my arm' --out none.c
refuses "generate: unknown method" 2 "no method 'crba' for the question 'inverse'" generate crane.yaml --method crba --out none.c
refuses "generate: unknown argument" 2 "unknown part 'weight'; expected wrench" generate crane.yaml --arguments weight --out none.c
refuses "generate: lanes" 2 "expected 1, 2, 4, 8 or 16" generate crane.yaml --lanes 3 --out none.c
refuses "generate: a test without a file" 2 'give --out FILE' generate crane.yaml --test
awk 'BEGIN { print "linkwork: 1\nname: long\ndh: modified\njoints:"
  for (i = 1; i <= 70; ++i) print "  - {name: j" i ", type: revolute, alpha: 90 deg, link: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}" }' >long.yaml
refuses "generate: too many joints" 2 'has 70 moving joints; straight-line code is made for 64 at most' generate long.yaml --quiet --out none.c
[ ! -e none.c ] && [ ! -e none.h ] && [ ! -e none_test.c ]
verdict "generate: writes nothing if refused"

# equations for people: fractions, lines that are broken, and no sum that is negated as a whole
says "latex: fractions" '\\tfrac\{3\}\{2\}' generate "$robots/planar2r.yaml" --language latex --question inverse
says "latex: a long equation continues on the next line" '^  &\\quad ' generate "$robots/scara.yaml" --language latex --question inverse
awk 'length > 200 { exit 1 }' out
verdict "latex: no line is longer than 200 characters"
run generate "$robots/puma560.yaml" --question inverse
[ $status -eq 0 ] && ! grep -Eq -- '-\([^()]* - ' out
verdict "-(a - b) is written as b - a"
