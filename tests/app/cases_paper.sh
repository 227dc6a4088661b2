# linkwork paper: the command itself. The tests papers/NAME check its results.

refuses "no paper of that name" 2 "there is no paper 'nia205'; did you mean 'nia2005'" paper nia205
refuses "a name unlike any other" 2 "there is no paper 'zzz', expected nia2005" paper zzz
refuses "paper without a name" 2 "NAME" paper
refuses "paper, bad format" 2 "unknown format 'xml'; expected table, csv or json" paper silver1981 --quick --format xml
refuses "paper, no folder" 2 "--out: '-' is no folder" paper silver1981 --quick --out -
refuses "paper, an empty name" 2 "--out: '' is no folder" paper silver1981 --quick --out ''
: >occupied
refuses "paper, a file where the folder should be" 3 "cannot make occupied/silver1981: Not a directory" \
  paper silver1981 --quick --out occupied
[ ! -s occupied ]
verdict "the file is left alone"
json "paper, json" '"verdict": "reproduced' paper silver1981 --quick
run paper silver1981 --quick --out made/of/folders
[ $status -eq 0 ] && [ -s made/of/folders/silver1981/README.md ] && [ -s made/of/folders/silver1981/verdicts.csv ] &&
  [ "$(head -n 1 out)" = paper,section,claim,verdict,erratum,says,why ] && [ -z "$(ls made/of/folders/silver1981 | grep -vE '\.(md|csv|svg)$')" ]
verdict "paper --out makes folders and files"

# Interrupted at several times: every file present is complete, and none has a temporary name.
whole=yes
for delay in 0.05 0.1 0.2 0.4 0.8; do
  "$linkwork" paper silver1981 --quick --out interrupted >out 2>err &
  job=$!
  sleep $delay
  kill -TERM $job 2>/dev/null
  wait $job
  status=$?
  [ $status -eq 0 ] || [ $status -eq 143 ] || whole="exit $status after $delay s"
  for picture in $(find interrupted -name '*.svg' 2>/dev/null); do
    tail -n 3 "$picture" | grep -q '^</svg>' || whole="a part of $picture after $delay s"
  done
  no_temporary || whole="a temporary file after $delay s"
done
[ "$whole" = yes ] || echo "$whole" >&2
[ "$whole" = yes ]
verdict "paper: a signal leaves complete files and no temporary ones"

# --- the figures; a fake gnuplot reads their scripts: a method has one colour in all panels
mkdir -p figures
printf '#!/bin/sh\ncat >figures/$$\nprintf "</svg>"\n' >figures/gnuplot
chmod +x figures/gnuplot
PATH=$work/figures:$PATH "$linkwork" paper mata2002 --quick --out drawn_papers >out 2>err
status=$?
reused=0
for script in figures/[0-9]*
do
  # colour and title of each curve, except columns of joints and printed values
  sed 's/, \$/\n$/g' "$script" | sed -n "s/.* lt \([0-9]*\) .* title [\"']\([^\"']*\)[\"'].*/\1 \2/p" | grep -v ', printed$\| [a-z]*[0-9]*$\| $' | sort -u >styles
  [ "$(cut -d' ' -f1 styles | sort -u | wc -l)" -eq "$(wc -l <styles)" ] || reused=1
  [ "$(cut -d' ' -f2- styles | sort -u | wc -l)" -eq "$(wc -l <styles)" ] || reused=1
done
[ $status -eq 0 ] && [ "$(ls figures | wc -l)" -gt 5 ] && [ $reused -eq 0 ] && grep -q ' lt 12 \| lt 11 ' figures/[0-9]*
verdict "paper: no figure has two methods in one colour"

# --- the experiments that users can change run, and the arm that nothing leads back leaves its line, later and less with a smaller tolerance
papers=$robots/../papers
experiment()  # experiment SETTING: largest error of joint 5, rad, after the 5 s of Tables 6 and 7
{
  run simulate "$papers/mata2002/tables_6_7.yaml" --integrator "$1" --dt 0.1 --columns error --out run.csv || return 1
  tail -n 1 run.csv | awk -F, '$1 == 5 { print $6 < 0 ? -$6 : $6 }'
}
loose=$(experiment fehlberg45:1e-6,1e-6) && tight=$(experiment fehlberg45:1e-12,1e-12) &&
  awk "BEGIN { exit !($loose > 0.01 && $tight > 0 && $tight < $loose / 100) }"
verdict "the PUMA of Tables 6 and 7 as a scenario"
for method in gibbs-appell articulated-body; do
  run accuracy "$papers/mata2002/two_links.yaml" --method $method && [ -s out ] || break
done
[ $status -eq 0 ]
verdict "the two links of 5.1 as a robot"
run simulate "$papers/swartz1982/ddarm_voltage.yaml" --dt 0.5 --out run.csv
[ $status -eq 0 ] && [ "$(tail -n 1 run.csv | cut -d , -f 1)" = 3 ]
verdict "the arm under a voltage schedule as a scenario"
