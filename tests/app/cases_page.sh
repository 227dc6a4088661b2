# linkwork page: refusals, and that the page is written completely. tests/web tests its content in a browser.
scenarios=$here/../../scenarios
diagnoses "page: without a name" 2 "'page' needs --out FILE.html, or --png FILE.png" page pendulum.yaml
run page pendulum.yaml --out page.html
if grep -q 'built without the page' err; then
  [ $status -eq 3 ] && [ ! -e page.html ] && grep -q 'web/build' err
  verdict "page: a program built without it says how to get it"
else
  [ $status -eq 0 ] && grep -q "Content-Security-Policy" page.html && ! grep -q '@LINKWORK_PAGE_DATA@' page.html
  verdict "page: of a robot"
  diagnoses "page: two robots" 2 'a page shows one robot' page pendulum.yaml hand.urdf --out two.html
  printf 't,q1\n0,0\n1,0.5\n' >page.csv
  diagnoses "page: a recording alone" 2 'expected its robot, snake or scenario beside it' page page.csv --out alone.html
  run page pendulum.yaml page.csv --out run.html
  [ $status -eq 0 ] && [ -s run.html ]
  verdict "page: of a recording"
  printf 'q1\n0\n' >untimed.csv
  diagnoses "page: a recording without t" 3 "^untimed.csv:1:1: error: no column 't', expected the time in s" page pendulum.yaml untimed.csv --out no.html
  printf 't,q1\n0,zero\n' >wrong.csv
  diagnoses "page: a recording with a wrong number" 3 '^wrong.csv:2:3: error:' page pendulum.yaml wrong.csv --out no.html
  [ ! -e no.html ]
  verdict "page: nothing is written then"
  run page "$scenarios/puma_line.yaml" --out line.html
  [ $status -eq 0 ] && [ -s line.html ]
  verdict "page: of a scenario with a reference from a file"
  (unset DISPLAY WAYLAND_DISPLAY; "$linkwork" view pendulum.yaml >out 2>err)
  [ $? -eq 0 ] && [ -s "$(cat out)" ] && grep -q 'open this file' err && rm -f "$(cat out)"
  verdict "view: says where the file is"
fi
