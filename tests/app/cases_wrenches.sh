# Wrenches on any links.

cat >mast.yaml <<'END'
linkwork: 1
name: mast
gravity: [0, 0, 0]
joints:
  - name: turn
    type: revolute
    origin: {xyz: [0, 0, 1]}
    axis: [0, 0, 1]
    link: {name: mast, mass: 1, com: [0, 0, 0.5], inertia: [0.021, 0.022, 0.003, 0, 0, 0]}
  - name: flange
    type: fixed
    origin: {xyz: [1, 0, 0]}
    link: {name: plate, mass: 0.5, com: [0, 0, 0], inertia: [0.0011, 0.0012, 0.0003, 0, 0, 0]}
  - name: slide
    type: prismatic
    origin: {xyz: [0, 0, 0]}
    axis: [1, 0, 0]
    link: {name: hand, mass: 2, com: [0, 0, 0], inertia: [0.003, 0.042, 0.041, 0, 0, 0]}
END
gives "the last link stays the default" 'tau1,tau2\n-15,-2\n' inverse mast.yaml --q 0,2 --wrench 2,5,0,0,0,0
gives "the last link by name" 'tau1,tau2\n-15,-2\n' inverse mast.yaml --q 0,2 --wrench hand=2,5,0,0,0,0
gives "by the name of its joint" 'tau1,tau2\n-15,-2\n' inverse mast.yaml --q 0,2 --wrench slide=2,5,0,0,0,0
gives "a link on a fixed joint" 'tau1,tau2\n-5,0\n' inverse mast.yaml --q 0,2 --wrench plate=2,5,0,0,0,0
gives "a point of it" 'tau1,tau2\n-3,0\n' inverse mast.yaml --q 0,2 --wrench plate@0,1,0=2,5,0,0,0,0
gives "a point with a unit" 'tau1,tau2\n-3,0\n' inverse mast.yaml --q 0,2 --wrench "plate@0,100 cm,0=2,5,0,0,0,0"
gives "several at once" 'tau1,tau2\n-19,-2\n' \
  inverse mast.yaml --q 0,2 --wrench hand=2,5,0,0,0,0 --wrench plate=0,0,0,0,0,1 --wrench mast=9,9,9,0,0,3
run inverse mast.yaml --q "90 deg,2" --wrench plate/base=2,5,0,0,0,0
sed -n 2p out | awk -F, '{ exit !(($1 - 2) ^ 2 < 1e-28 && $2 == 0) }' && [ $status -eq 0 ]
verdict "base axes"
run inverse mast.yaml --q "90 deg,2" --wrench hand@0,1,0/base=0,5,0,0,0,0
sed -n 2p out | awk -F, '{ exit !(($1 - 5) ^ 2 < 1e-28 && ($2 + 5) ^ 2 < 1e-28) }' && [ $status -eq 0 ]
verdict "a point and base axes"
gives "forward" 'qdd1,qdd2\n0,1\n' forward mast.yaml --q 0,2 --wrench hand=2,0,0,0,0,0
run forward mast.yaml --q 0,2 --tau 0,0 --wrench plate=0,5,0,0,0,0 --method walker-orin-4
cp out cg
run forward mast.yaml --q 0,2 --tau 5,0
awk -F, 'NR == FNR { a[FNR] = $1; next } FNR == 2 { exit !(($1 - a[2]) ^ 2 < 1e-28) }' cg out
verdict "forward of a wrench is forward of its torques"
says "reactions with a wrench on a fixed link" '^-2,-5,0,' reactions mast.yaml --q 0,2 --wrench plate=2,5,0,0,0,0
run reactions mast.yaml --q 0,2 --wrench plate=2,5,0,0,0,0
tail -n 1 out | awk -F, '{ exit !($1 == -2 && $2 == -5 && $6 == -5 && $7 == -2 && $8 == -5 && $12 == 0 && $13 == 0) }'
verdict "reactions: joints before the link carry the wrench, others do not"

printf 'q1,q2,fx.plate,fy.plate,fz.plate,nx.plate,ny.plate,nz.plate,fx,fy,fz,nx,ny,nz\n0,2,2,5,0,0,0,0,0,0,0,0,0,0\n0,2,0,0,0,0,0,1,1,0,0,0,0,0\n' >pushed.csv
gives "columns of links" 'tau1,tau2\n-5,0\n-1,-1\n' inverse mast.yaml --in pushed.csv
gives "columns and a constant one" 'tau1,tau2\n-6,0\n-2,-1\n' inverse mast.yaml --in pushed.csv --wrench mast=0,0,0,0,0,1
gives "columns at a point" 'tau1,tau2\n-3,0\n-1,-1\n' inverse mast.yaml --in pushed.csv --wrench plate@0,1,0
printf 'q1,q2\n0,2\n' >still.csv
gives "a constant one for a whole file" 'tau1,tau2\n-5,0\n' inverse mast.yaml --in still.csv --wrench plate=2,5,0,0,0,0
printf 't,q1,q2,qd1,qd2,qdd1,qdd2,fx.hand,fy.hand,fz.hand,nx.hand,ny.hand,nz.hand\n0,0,2,0,0,0,0,0,5,0,0,0,0\n1,0,2,0,0,0,0,0,-7,0,0,0,0\n' >along.csv
says "loads with columns of a link" '^turn,rnz,21,1,' loads mast.yaml --in along.csv
says "loads with a constant wrench" '^turn,rnz,20,1,' loads mast.yaml --in along.csv --wrench mast=0,0,0,0,0,1
says "drives with columns of a link" '^1,turn,21,' drives mast.yaml --in along.csv

refuses "no such link" 2 "--wrench: mast has no link 'plat', did you mean 'plate'" inverse mast.yaml --q 0,2 --wrench plat=0,0,0,0,0,0
refuses "the base" 2 "--wrench: 'base' is the base" inverse mast.yaml --q 0,2 --wrench base=0,0,0,0,0,0
refuses "too few values" 2 '--wrench: 5 values given, expected 6, fx,fy,fz,nx,ny,nz' inverse mast.yaml --q 0,2 --wrench plate=0,0,0,0,0
refuses "not a number" 2 "--wrench: value 2, 'x', is wrong" inverse mast.yaml --q 0,2 --wrench plate=0,x,0,0,0,0
refuses "too few coordinates" 2 '--wrench: 2 values given, expected 3' inverse mast.yaml --q 0,2 --wrench plate@0,1=0,0,0,0,0,0
refuses "a frame is not a point" 2 "6 values after 'plate@', expected the point" inverse mast.yaml --q 0,2 --wrench plate@0,1,0,0,0,0=0,0,0,0,0,0
refuses "no values and no columns" 2 "'plate@0,1,0' has no values and --in no columns of that link" inverse mast.yaml --q 0,2 --wrench plate@0,1,0
refuses "not of the question" 2 "'gravity' does not use --wrench" gravity mast.yaml --q 0,2 --wrench plate=0,0,0,0,0,0
printf 'q1,q2,fx.plate\n0,2,1\n' >part.csv
refuses "some columns of a link" 3 "^part.csv:1:1: error: column 'fy.plate' is missing, expected all six of a link" inverse mast.yaml --in part.csv
printf 'q1,q2,fx.plat\n0,2,1\n' >unknown.csv
refuses "columns of no link" 3 "^unknown.csv:1:7: error: column 'fx.plat' is of no link of mast; did you mean 'fx.plate'" inverse mast.yaml --in unknown.csv
refuses "113 bits" 2 'wrenches on other links than the last are for double and single' \
  inverse mast.yaml --q 0,2 --wrench plate=0,0,0,0,0,0 --precision quad
gives "113 bits with a wrench on the last link" 'tau1,tau2\n-15,-2\n' inverse mast.yaml --q 0,2 --wrench 2,5,0,0,0,0 --precision quad

# power: 3 N along the prismatic joint for 2 s, on 2 kg at rest: 9 J at 3 m/s
cat >push.yaml <<'END'
linkwork: 1
robot: mast.yaml
duration: 2
initial: {q: [0, 1]}
integrator: {method: dop853, rtol: 1e-11, atol: 1e-12}
wrench: {link: hand, point: [0, 0, 0.2], force: [3, 0, 0]}
END
run simulate push.yaml --columns q,qd,energy --format csv
tail -n 1 out | awk -F, '{ exit !(($5 - 3) ^ 2 < 1e-14 && $6 > 8.99 && $6 < 9.01) }' && [ $status -eq 0 ]
verdict "simulate: a wrench at a point of a link"
sed 's/^wrench.*/wrench: [{link: plate, point: [0, 1, 0], frame: base, force: [2, 5, "sin(t)"], moment: [0, 0, 1]}, {force: [1, 0, 0]}]/' push.yaml >pushes.yaml
run simulate pushes.yaml --columns energy --wrench mast=0,0,0,0,0,0.3 --audit audit.json
[ $status -eq 0 ] && grep -q '"balance"\|energy' audit.json &&
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next } { s = $c["S"]; k = $c["kinetic"] } END { exit !(k > 1 && s ^ 2 < 1e-14 * (1 + k ^ 2)) }' out
verdict "simulate: energy is balanced with wrenches on several links"
sed 's/link: hand/link: hnd/' push.yaml >bad_link.yaml
run simulate bad_link.yaml
[ $status -eq 3 ] && [ ! -s out ] && grep -q "^bad_link.yaml:6:16: error: the robot has no link 'hnd'" err
verdict "simulate: no such link"
sed 's/point: \[0, 0, 0.2\]/point: [0, 0]/' push.yaml >bad_point.yaml
run simulate bad_point.yaml
[ $status -eq 3 ] && [ ! -s out ] && grep -q "^bad_point.yaml:6:29: error: 'point' must be a list of 3 numbers" err
verdict "simulate: a point has three coordinates"
refuses "simulate: an option of no link" 2 "--wrench: mast has no link 'hnd'" simulate push.yaml --wrench hnd=1,0,0,0,0,0

# Gibbs' function: half of mass times acceleration squared
gives "gibbs: a slide" 'gibbs,H11,H12,H21,H22\n9,18.5443,0,0,2\n' gibbs mast.yaml --q 0,2 --qdd 0,3
says "gibbs: the table" 'gibbs +9 J/s\^2' gibbs mast.yaml --q 0,2 --qdd 0,3 --format table
header "gibbs: names" 'gibbs,H.turn.turn,H.turn.slide,H.slide.turn,H.slide.slide' gibbs mast.yaml --q 0,2 --names
run inertia mast.yaml --q 0.3,2
sed -n 2p out >M
run gibbs mast.yaml --q 0.3,2 --qd 1,2 --qdd 3,4
sed -n 2p out | cut -d, -f2- | awk -F, 'NR == FNR { for (i = 1; i <= 4; ++i) m[i] = $i; next } { for (i = 1; i <= 4; ++i) if (($i - m[i]) ^ 2 > 1e-28) exit 1 }' M -
verdict "gibbs: the Hessian is the inertia matrix"
refuses "gibbs: no torques" 2 "'gibbs' does not use --tau" gibbs mast.yaml --q 0,2 --tau 1,1
refuses "gibbs: one way only" 2 "'gibbs' has one method only" gibbs mast.yaml --q 0,2 --method kane
