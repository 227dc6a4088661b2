# linkwork draw: pictures of robots and snakes, and misuse.

# draw TITLE STATUS ARGUMENTS..: runs it; the picture is arm.svg.
draw()
{
  title=$1 wanted=$2
  shift 2
  rm -f arm.svg
  "$linkwork" draw "$@" >out 2>err
  status=$?
  [ $status -eq "$wanted" ]
  verdict "draw: $title"
}
# The number of these in the picture.
drawn()
{
  grep -c "$1" arm.svg
}
draw_says()
{
  [ "$(wc -l <err)" -eq 1 ] && grep -q "$2" err
  verdict "draw: $1: one line says so"
}

draw "an arm" 0 "$robots/puma560.yaml" --q 0.4,-0.9,0.3,0,0.9,0 --out arm.svg
for group in scale links joints frames dimensions names
do
  [ "$(drawn "<g id=\"$group\">")" -eq 1 ]
  verdict "draw: an arm has its $group"
done
[ "$(grep -c '>0.4318<' arm.svg)" -eq 1 ] && [ "$(grep -c '>elbow<' arm.svg)" -eq 1 ] && [ "$(wc -c <arm.svg)" -lt 40000 ]
verdict "draw: an arm: the length of its upper arm, its names, in a small file"
if command -v xmllint >/dev/null 2>&1
then
  xmllint --noout arm.svg
  verdict "draw: the picture is XML"
fi
cp arm.svg first.svg
draw "again" 0 "$robots/puma560.yaml" --q 0.4,-0.9,0.3,0,0.9,0 --out arm.svg
cmp -s arm.svg first.svg
verdict "draw: the same command makes the same file"
"$linkwork" draw "$robots/puma560.yaml" --q 0.4,-0.9,0.3,0,0.9,0 >out 2>err && cmp -s out first.svg
verdict "draw: standard output"
PATH=/nowhere "$linkwork" draw "$robots/puma560.yaml" --out arm.svg && [ -s arm.svg ]
verdict "draw: no other program is needed"

# Both axes have the same scale, so distances between joints in pixels are proportional to lengths.
draw "equal axes" 0 "$robots/planar2r.yaml" --q 0,1.5707963267948966 --show joints --out arm.svg
sed -n 's/.*class="p" cx="\([0-9.]*\)" cy="\([0-9.]*\)".*/\1 \2/p' arm.svg |
  awk '{ x[NR] = $1; y[NR] = $2 } END { exit !(NR == 2 && x[2] - x[1] > 100 && y[1] == y[2]) }'
verdict "draw: equal axes: the first link is horizontal"
draw "dimensions turn with the view" 0 "$robots/planar2r.yaml" --q 0,1.5707963267948966 --view top --out arm.svg
sed -n 's/.*class="fz" cx="\([0-9.]*\)" cy="\([0-9.]*\)".*/\1 \2/p' arm.svg |
  awk '{ x[NR] = $1; y[NR] = $2 } END { a = x[2] - x[1]; b = y[2] - y[3]; d = a - b; exit !(NR == 3 && a > 100 && d * d < 0.1) }'
verdict "draw: equal axes: 1 m upwards is as long as 1 m sideways"
for view in front side top iso "0.5,0.3" "-30 deg,20 deg"
do
  draw "view $view" 0 "$robots/stanford.yaml" --q 0.2,1,0.5,0,0,0 --view "$view" --out arm.svg
done
draw "shapes of URDF" 0 "$robots/gripper_arm.urdf" --show links --out arm.svg
[ "$(drawn '<path')" -gt 50 ] && [ "$(drawn '<g id="names">')" -eq 0 ]
verdict "draw: shapes of URDF are drawn as faces, and names only on request"
draw "solids of a parts file" 0 "$robots/ddarm.yaml" --show links --out arm.svg
[ "$(drawn '<path')" -gt 300 ]
verdict "draw: solids of a parts file"
cat >mesh.urdf <<'END'
<robot name="m"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="tetra.stl"/></geometry></visual>
<visual><geometry><mesh filename="missing.dae"/></geometry></visual></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="j&lt;1&gt;" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint></robot>
END
cat >tetra.stl <<'END'
solid t
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
endsolid t
END
draw "meshes" 0 mesh.urdf --out arm.svg
grep -q '1 mesh could not be read' err && [ "$(grep -c '<circle' arm.svg)" -ge 1 ] && grep -q '>j&lt;1&gt;<' arm.svg
verdict "draw: meshes are drawn as outlines, missing ones are reported, collision shapes replace missing visuals, names are escaped"
draw "forces" 0 "$robots/hydraulic5.yaml" --q 0,0.5,-0.5,0,0 --show links,masses,forces --view front --out arm.svg
grep -q '>5101 N<' arm.svg && grep -q '>250 kg<' arm.svg # 520 kg on the slew joint
verdict "draw: forces: the first joint carries the weight of all links"
"$linkwork" plan "$robots/puma560.yaml" --from 0,0,0,0,0,0 --to 1,-1,1,0,0,0 --dt 0.05 --out motion.csv 2>err
draw "poses of a file" 0 "$robots/puma560.yaml" --in motion.csv --out arm.svg
[ "$(drawn '<g id="path">')" -eq 1 ] && [ "$(drawn 'class="w"')" -gt 10 ]
verdict "draw: poses of a file, and the path of the hand"
for file in free_flyer.yaml torso.yaml panda.yaml chain30.yaml two_arms.urdf
do
  draw "$file" 0 "$robots/$file" --out arm.svg
done
draw "a snake" 0 "$robots/snakes/table2_n3.yaml" --theta 0.1,0.5,0.2 --out arm.svg
[ "$(grep -c '>link 3, head<' arm.svg)" -eq 1 ] && [ "$(grep -c '>θ2<' arm.svg)" -eq 1 ]
verdict "draw: a snake has links and angles"
"$linkwork" snake simulate "$robots/snakes/table2_n3.yaml" --torque-law 1 --duration 1 --out run.csv 2>err
draw "a snake's run" 0 "$robots/snakes/table2_n3.yaml" --in run.csv --out arm.svg

draw "a linkage" 0 "$robots/four_bar.yaml" --q crank=1 --out arm.svg
grep -q '>pin<' arm.svg && [ "$(grep -c '>0.5<' arm.svg)" -ge 2 ] && grep -q '>0.2<' arm.svg
verdict "draw: a linkage is closed: the pin, and the lengths of its bars"
for file in excavator delta stewart palletizer
do
  draw "$file" 0 "$robots/$file.yaml" --out arm.svg
done

# --- misuse
draw "an unknown view" 2 "$robots/planar2r.yaml" --view above --out arm.svg
draw_says "an unknown view" "unknown view 'above'; expected front, side, top, iso or"
draw "a view of one angle" 2 "$robots/planar2r.yaml" --view "1,2,3" --out arm.svg
draw "an unknown part" 2 "$robots/planar2r.yaml" --show links,frame --out arm.svg
draw_says "an unknown part" "unknown part 'frame'; did you mean 'frames'?"
draw "a wrong pose" 2 "$robots/planar2r.yaml" --q 1 --out arm.svg
draw "another picture" 2 "$robots/planar2r.yaml" --q 1,1 --out arm.png
draw_says "another picture" "does not end with .svg"
draw "--theta of a robot" 2 "$robots/planar2r.yaml" --theta 1,1 --out arm.svg
draw "--q of a snake" 2 "$robots/snakes/table2_n3.yaml" --q 1,1,1 --out arm.svg
draw "a pose and a file" 2 "$robots/planar2r.yaml" --q 1,1 --in motion.csv --out arm.svg
draw "a file of another robot" 3 "$robots/panda.yaml" --in motion.csv --out arm.svg
"$linkwork" simulate "$here/../../scenarios/puma_pd.yaml" --duration 0.3 --dt 0.05 --quiet >puma_run.csv
draw "a run of another robot with as many joints" 2 "$robots/ddarm.yaml" --in puma_run.csv --out arm.svg
draw_says "a run of another robot" "not a recording of .*ddarm.yaml: the point x, y, z is fixed to none of its links"
draw "its own run" 0 "$robots/puma560.yaml" --in puma_run.csv --out own.svg
printf 'q1,q2\n' >empty.csv
draw "a file without rows" 3 "$robots/planar2r.yaml" --in empty.csv --out arm.svg
draw_says "a file without rows" "no rows, expected at least one"
draw "a scenario" 3 same.yaml --out arm.svg
draw "a missing file" 3 nowhere.yaml --out arm.svg
[ ! -e arm.svg ]
verdict "draw: errors leave no picture"
"$linkwork" draw - <"$robots/puma560.yaml" >arm.svg 2>err && grep -q '>elbow<' arm.svg
verdict "draw: a robot from standard input"
draw "hydraulic cylinders" 0 "$robots/hydraulic5.yaml" --out arm.svg
grep -q '>boom lift<' arm.svg && grep -q '>arm lift<' arm.svg
verdict "draw: hydraulic cylinders between their pins"
