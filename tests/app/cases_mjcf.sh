# MJCF, the XML of MuJoCo, in and out; armature; SDF, which is refused.
# shellcheck shell=sh disable=SC2154 # by run.sh

# near NAME ROW ARGUMENTS: the last row of the answer, to 1e-12
near()
{
  name=$1
  expected=$2
  shift 2
  run "$@"
  [ $status -eq 0 ] && tail -n 1 out | tr ',' '\n' >got && echo "$expected" | tr ',' '\n' >wanted &&
    paste got wanted | awk 'NF != 2 || ($1 - $2)^2 > 1e-24 { bad = 1 } END { exit bad || NR == 0 }'
  verdict "$name"
}

cat >arm.xml <<'END'
<mujoco model="arm">
  <compiler angle="radian"/>
  <default><joint damping="0.5" armature="0.25"/></default>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="upper" pos="0 0 1">
      <joint name="lift" axis="0 1 0" range="-1 1"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.2 0.2"/>
      <body name="slider" pos="1 0 0">
        <joint name="push" type="slide" axis="1 0 0"/>
        <geom type="box" size="0.1 0.05 0.05" mass="1" pos="0.1 0 0"/>
        <site name="tip" pos="0.2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><position joint="push" kp="100"/></actuator>
</mujoco>
END
# at rest: 9.81 (2 * 0.5 + 1 * 1.1) downwards about y
near "MJCF: gravity" -20.601,0 gravity arm.xml --q 0,0
says "MJCF: what is left out, and where" 'left out, acts on the motion: servo actuators \(position\): 1, first at arm.xml:16:13' info arm.xml
says "MJCF: what does not matter" 'without effect on the dynamics: light: 1, first at arm.xml:5:5' info arm.xml
# a joint with a moving slide: M22 = 1, with armature 1.25
run pose arm.xml --q 0,0 --link tip
[ $status -eq 0 ] && grep -q "^1.2,0,1," out
verdict "MJCF: a site is a frame"
near "MJCF: without armature" 0,1 forward arm.xml --q 0,0 --tau -20.601,1
near "MJCF: with armature where rotors count" 0,0.8 forward arm.xml --q 0,0 --tau -20.601,1 --rotors
"$linkwork" gravity - --q 0,0 <arm.xml >out 2>err
status=$?
[ $status -eq 0 ] && tail -n 1 out | grep -q '^-20.601'
verdict "MJCF from standard input"
run lint arm.xml
[ $status -le 1 ] && ! grep -q 'unknown' out
verdict "MJCF: lint"
sed 's/damping="0.5"/dampng="0.5"/; s/<joint name="push"/<joint name="push" kp="2"/' arm.xml >odd.xml
run lint odd.xml
grep -q "odd.xml:10:32: warning: unknown attribute 'kp' of <joint>" out
verdict "MJCF: unknown attributes have a place"
diagnoses "MJCF as a scenario" 2 'arm.xml:1:1: error: this is an MJCF robot, expected a scenario file' simulate arm.xml

# --- out and back
run convert arm.xml arm.yaml
[ $status -eq 0 ] && grep -q '^    armature: 0.25$' arm.yaml
verdict "MJCF to YAML, with armature"
near "armature of a robot file" 0,0.8 forward arm.yaml --q 0,0 --tau -20.601,1 --rotors
run convert arm.yaml back.xml
[ $status -eq 0 ] && grep -q 'armature="0.25"' back.xml
verdict "and back to MJCF"
near "the same robot" -20.601,0 gravity back.xml --q 0,0
run convert arm.xml arm.urdf --drop limits
[ $status -eq 2 ] && grep -q 'lift, push: the armature is lost' err && grep -q 'would lose motors' err
verdict "URDF has no armature"
run convert hand.urdf hand.xml --drop limits,shapes
[ $status -eq 0 ] && grep -q '<joint joint1="close" joint2="open" polycoef="0.5 -2 0 0 0"/>' hand.xml
verdict "URDF to MJCF: mimic joints are equalities"
gives "torques of the reduced system stay" 'g1,g2\n58.86,-49.05\n' gravity hand.xml --q 0,0
run convert hand.xml hand2.urdf --drop limits
[ $status -eq 0 ]
verdict "MJCF to URDF"
refuses "MJCF: no DH tables" 2 'MJCF has no Denavit-Hartenberg tables' convert arm.yaml a.xml --dh standard
sed 's/armature: 0.25/armature: -1/' arm.yaml >negative.yaml
diagnoses "armature must not be negative" 3 "^negative.yaml:15:15: error: joint 'lift': armature must not be negative" info negative.yaml

printf '<?xml version="1.0"?>\n<sdf version="1.6"><model name="m"/></sdf>\n' >world.sdf
diagnoses "SDF is refused with the reason" 2 'world.sdf:2:1: error: this is an SDF file, expected a robot file' info world.sdf
grep -q 'hint: SDF describes whole worlds' err
verdict "SDF: what to use"
