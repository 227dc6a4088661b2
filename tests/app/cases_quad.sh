# Run by run.sh: --precision quad, 113 bits.
puma=$robots/puma560.yaml
number='-?[0-9]+\.[0-9]{20,32}e?-?[0-9]*'

if ! "$linkwork" energy pendulum.yaml --q 1 --precision quad >out 2>err
then
  grep -q 'has no 113-bit arithmetic' err
  verdict "--precision quad is refused where there is no such arithmetic"
  return 0
fi

gives "zeros" 'kinetic,potential\n0,0\n' energy pendulum.yaml --q 0 --gravity 0,0,0 --precision quad
q=0.1,0.2,0.3,0.4,0.5,0.6
for command in inverse inertia bias gravity coriolis energy pose jacobian
do
  run $command "$puma" --q $q --format csv
  cp out double
  run $command "$puma" --q $q --format csv --precision quad
  [ $status -eq 0 ] && [ "$(head -n 1 out)" = "$(head -n 1 double)" ] &&
    paste -d, out double | awk -F, '
      NR == 2 { for (i = 1; i <= NF / 2; ++i) { a = $i; b = $(NF / 2 + i); d = a - b; if (d < 0) d = -d; if (d > worst) worst = d
                if (b < 0) b = -b; if (b > size) size = b } exit !(worst <= 1e-13 * (size + 1)) }'
  verdict "$command in 113 bits is that of double, to its rounding"
done
json "json has 33 digits" "\"tau2\": -40\.14659589010797280062300987801" inverse "$puma" --q $q --precision quad
json "forward" "\"qdd6\": $number" forward "$puma" --q $q --tau 1,2,3,4,5,6 --precision quad
says "mimic joints" "^$number" gravity hand.urdf --q 0.3,0.2 --precision quad --quiet
printf 't,q1,q2\n0,0.1,0.2\n1,0.3,0.4\n' >given.csv
run inverse "$robots/planar2r.yaml" --in given.csv --keep --precision quad --format csv
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 3 ] && grep -Eq "^1,0\.3,0\.4,$number,$number\$" out
verdict "many states, with the columns of the input"
says "the table says so" 'inverse by newton-euler-grouped, quad precision' inverse "$robots/planar2r.yaml" --q 0,0 --precision quad --format table
says "snake state" "^$number," snake state "$robots/snakes/table2_n3.yaml" --theta 0.1,0.3,0.2 --u 1,0.3 --precision quad --format csv
refuses "an unknown precision" 2 "unknown precision 'half'; expected double, single or quad" inverse "$puma" --q $q --precision half
refuses "threads" 2 '--threads is for double and single precision' inverse "$robots/planar2r.yaml" --in given.csv --threads 2 --precision quad
refuses "commands that compare double and single" 2 "unknown precision 'quad'; expected double or single" check "$puma" --precision quad
refuses "snake simulate" 2 "unknown precision 'quad'; expected double or single" snake simulate "$robots/snakes/table2_n3.yaml" --precision quad
