# linkwork page: refusals, and that the page is written completely. tests/web tests its content in a browser.
scenarios=$here/../../scenarios
diagnoses "page: without a name" 2 "'page' needs --out FILE.html, or --png FILE.png" page pendulum.yaml

# files that a page cannot show, and recordings of other robots: refused before anything is written, also by a program
# that was built without the page
diagnoses "page: two robots" 2 'a page shows one robot' page pendulum.yaml hand.urdf --out no.html
diagnoses "page: a parts file" 2 'is a parts file; a page shows a robot, a snake, a scenario or a sample of a study' page "$here/../../parts/ddarm.yaml" --out no.html
diagnoses "page: a sample that is not there" 2 'there is no sample 99999999' page "$here/../../studies/puma_swing.yaml" --sample 99999999 --out no.html
diagnoses "page: half a sample" 2 "'1.5' is wrong, expected a whole number" page "$here/../../studies/puma_swing.yaml" --sample 1.5 --out no.html
printf 't,q1\n0,0\n1,0.5\n' >page.csv
diagnoses "page: a recording alone" 2 'expected its robot, snake or scenario beside it' page page.csv --out no.html
printf 'q1\n0\n' >untimed.csv
diagnoses "page: a recording without t" 3 "^untimed.csv:1:1: error: no column 't', expected the time in s" page pendulum.yaml untimed.csv --out no.html
printf 't,q1\n0,zero\n' >wrong.csv
diagnoses "page: a recording with a wrong number" 3 '^wrong.csv:2:3: error:' page pendulum.yaml wrong.csv --out no.html

# columns_of NUMBER SYMBOL...: t and so many columns of each symbol, and one row of zeros
columns_of()
{
  awk -v n="$1" -v symbols="${*#"$1"}" 'BEGIN {
    count = split(symbols, symbol, " "); head = "t"; row = "0"
    for (s = 1; s <= count; ++s) for (k = 1; k <= n; ++k) { head = head "," symbol[s] k; row = row ",0" }
    print head; print row }'
}
columns_of 6 q qd tau >six.csv
columns_of 7 q qd qdd >seven.csv
columns_of 6 theta >snake6.csv
columns_of 3 theta >snake3.csv
columns_of 6 tau >torques.csv
columns_of 5 tau >torques5.csv
printf 't,q.waist,q.shoulder\n0,0,0\n' >named.csv
refused_run() # NAME ROBOT CSV
{
  diagnoses "page: a recording of another robot, $1" 2 "$3 is not a recording of" page "$robots/$2" "$3" --out no.html
}
refused_run "6 joints of 7" panda.yaml six.csv
refused_run "7 joints of 6" puma560.yaml seven.csv
refused_run "a snake on an arm" puma560.yaml snake6.csv
refused_run "an arm on a snake" snakes/table2_n6.yaml six.csv
refused_run "a shorter snake" snakes/table2_n6.yaml snake3.csv
refused_run "a longer snake" snakes/table2_n3.yaml snake6.csv
refused_run "torques of too few joints" puma560.yaml torques5.csv
refused_run "some of the joints" puma560.yaml named.csv
refused_run "names of other joints" panda.yaml named.csv
"$linkwork" simulate "$scenarios/puma_pd.yaml" --duration 0.3 --dt 0.05 --quiet >puma_run.csv
refused_run "as many joints, by the path of its tip" ddarm.yaml puma_run.csv
"$linkwork" simulate "$scenarios/puma_pd.yaml" --duration 0.3 --dt 0.05 --link forearm --tool 0.1,0.2,0.3 --quiet >puma_elbow.csv
refused_run "as many joints, by the path of another point" stanford.yaml puma_elbow.csv
for csv in puma_run.csv puma_elbow.csv
do
  run page "$robots/puma560.yaml" $csv --out own.html --quiet
  ! grep -q 'not a recording' err
  verdict "page: its own recording, $csv"
done
printf 't,q1,q2,q3\n0,1.5707963267948966,-0.9272952180016123,1.5707963267948966\n1,1,0,0\n' >torn.csv
diagnoses "page: a run that opens a loop" 3 'torn.csv: row 2: the loops are not closed: a gap of' page "$robots/four_bar.yaml" torn.csv --out no.html
[ ! -e no.html ]
verdict "page: nothing is written then"
printf 't,q1,q2,q3,q4,q5,q6\n0,0,0,1.5,0,0,0\n1,0,0,1.5,0,0,0\n' >far.csv
run page "$robots/stanford.yaml" far.csv --out far.html --quiet
grep -q "warning: far.csv:2: joint 'slide' at 1.5 m is outside its limits, .* (2 of 2 rows)" err
verdict "page: warns of a run outside the limits"

# a URDF joint may be called base, one of a robot file may not, and the page reads robots as robot files
sed 's/joint name="see"/joint name="base"/' hand.urdf >base.urdf
run page base.urdf --out no.html
[ $status -eq 2 ] && grep -q "base.urdf cannot be shown by a page: joint 'base': .* no joint may have this name" err || grep -q 'built without the page' err
verdict "page: a robot that the page could not read"

run page pendulum.yaml --out page.html
if grep -q 'built without the page' err; then
  [ $status -eq 3 ] && [ ! -e page.html ] && grep -q 'web/build' err
  verdict "page: a program built without it says how to get it"
else
  [ $status -eq 0 ] && grep -q "Content-Security-Policy" page.html && ! grep -q '@LINKWORK_PAGE_DATA@' page.html
  verdict "page: of a robot"
  run page pendulum.yaml page.csv --out run.html
  [ $status -eq 0 ] && [ -s run.html ]
  verdict "page: of a recording"
  run page "$robots/puma560.yaml" six.csv torques.csv --out run.html
  [ $status -eq 0 ] && [ -s run.html ]
  verdict "page: of two recordings, one without positions"
  run page "$scenarios/puma_line.yaml" --out line.html
  [ $status -eq 0 ] && [ -s line.html ]
  verdict "page: of a scenario with a reference from a file"
  if command -v python3 >/dev/null
  then
    cat >disclosed.py <<END
import base64, re, sys, zlib
text = open(sys.argv[1]).read()
for part in re.findall(r">([A-Za-z0-9+/=\\s]{200,})<", text):
    try:
        print(zlib.decompress(base64.b64decode(part), 47).decode("latin1"))
    except (ValueError, zlib.error):
        pass
print(text)
END
    mkdir -p confidential
    cp pendulum.yaml confidential/arm.yaml
    cp page.csv confidential/record.csv
    run page "$PWD/confidential/arm.yaml" confidential/record.csv --package-path confidential --out confidential/page.html
    python3 disclosed.py confidential/page.html >disclosed
    [ $status -eq 0 ] && ! grep -q 'confidential' disclosed && ! grep -qF "$PWD" disclosed &&
      grep -qF '"command":["linkwork","page","arm.yaml","record.csv","--out","page.html"]' disclosed
    verdict "page: names files without their folders"
    run page "$PWD/confidential/arm.yaml" confidential/record.csv --anonymous --out confidential/page.html
    python3 disclosed.py confidential/page.html >disclosed
    [ $status -eq 0 ] && ! grep -q 'confidential\|arm\.yaml\|record\.csv' disclosed && grep -qF '"command":[]' disclosed
    verdict "page: --anonymous names no file"
  fi
  # view: with libmicrohttpd it serves the page until it is ended, else it writes a file and opens that
  viewed() # waits until the program says where the page is
  {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s out ] || sleep 0.2; done
    viewed=$(cat out)
  }
  end_view()
  {
    kill -TERM $view 2>/dev/null
    wait $view
    status=$?
    rm -f "${viewed#http:*}"
  }
  : >out
  env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER "$linkwork" view pendulum.yaml >out 2>err &
  view=$!
  viewed
  for _ in 1 2 3 4 5; do [ -s err ] || sleep 0.2; done
  case $viewed in
    http://127.0.0.1:*) served=yes ;;
    *) [ -s "$viewed" ] && served=no ;;
  esac
  [ -n "$served" ] && grep -q 'could be started; open this' err
  verdict "view: says where the page is"
  if [ "$served" = yes ] && command -v python3 >/dev/null
  then
    cat >ask.py <<'END'
import sys, urllib.error, urllib.request
def ask(address, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""
address = sys.argv[1]
if sys.argv[2:]:
    print(ask(address + "state")[1])
    sys.exit()
host = address.split("/")[2]
wrong = address[:-3] + ("0" if address[-3] != "0" else "1") + address[-2:]
assert ask(address)[0] == 200 and "Content-Security-Policy" in ask(address + "page")[1]
assert ask(address + "state")[1] == "1\n", ask(address + "state")
for other in (f"http://{host}/", wrong, address + "other", f"http://{host}/etc/passwd"):
    assert ask(other)[0] == 404, other
assert ask(address, Host="example.org")[0] == 404
END
    python3 ask.py "$viewed"
    verdict "view: serves the page under its secret path only, and under no other name"
    cp pendulum.yaml kept.yaml
    echo 'nonsense: 1' >>pendulum.yaml
    for _ in 1 2 3 4 5 6 7 8 9 10; do python3 ask.py "$viewed" state >state; grep -q nonsense state && break; sleep 0.3; done
    grep -q '^1$' state && grep -q "unknown key 'nonsense'" state
    verdict "view: says what is wrong with a changed file, and keeps the page"
    sed 's/^name:.*/name: renamed/' kept.yaml >pendulum.yaml
    for _ in 1 2 3 4 5 6 7 8 9 10; do python3 ask.py "$viewed" state >state; grep -q '^2$' state && break; sleep 0.3; done
    [ "$(cat state)" = 2 ]
    verdict "view: makes the page again when its file changes"
    mv kept.yaml pendulum.yaml
  fi
  end_view
  [ $status -eq 0 ]
  verdict "view: ends with exit 0"
  printf '#!/bin/sh\necho "$@" >"%s/shown"\n' "$PWD" >browser && chmod +x browser
  for command in "$PWD/browser" "no-such-browser:$PWD/browser --new %s"; do
    rm -f shown
    : >out
    env -u DISPLAY -u WAYLAND_DISPLAY BROWSER="$command" "$linkwork" view pendulum.yaml >out 2>err &
    view=$!
    viewed
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s shown ] || sleep 0.2; done
    grep -qF "$viewed" shown && ! grep -q 'open this' err
    verdict "view: opens it in BROWSER=$(echo "$command" | sed "s|$PWD/||")"
    end_view
  done
fi

# meshes that cannot be shown
sed 's|</inertial>|</inertial><visual><geometry><mesh filename="package://arm/link.dae"/></geometry></visual>|' hand.urdf >meshes.urdf
run lint meshes.urdf
grep -q "visual meshes cannot be shown: 'package://arm/link.dae', .." out && grep -q 'hint: pages and drawings show STL, OBJ and DAE files' out
verdict "lint: names visual meshes that cannot be read"
if ! "$linkwork" page pendulum.yaml --out page.html 2>&1 | grep -q 'built without the page'; then
  run page meshes.urdf --out meshes.html
  [ $status -eq 0 ] && grep -q 'meshes.urdf: [0-9]* meshes cannot be shown (no STL, OBJ or DAE file, or not found): package://arm/link.dae, ..' err
  verdict "page: names meshes that it cannot show"
fi

refuses "page: a sample of a robot" 2 '--sample: .* is no study' page pendulum.yaml --sample 3 --out page.html
refuses "page: a robot's option for a study" 2 '--gravity: the robots of a study are those of its file' page $robots/../studies/puma_payload.yaml --gravity 0,0,0 --out page.html

# columns with words of the fastest motion
run plan pendulum.yaml --fastest --from 0 --to 0.5 --acceleration 2 --out fastest.csv
run page pendulum.yaml fastest.csv --out fastest.html
[ $status -eq 0 ] || { [ $status -eq 3 ] && grep -q 'built without the page' err; }
verdict "page: a recording with limits"
