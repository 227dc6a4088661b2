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

# --- what drives it, as a scenario: springs, tendons, actuators, gravity compensation, keyframe
cat >drives.xml <<'END'
<mujoco model="drives">
  <option integrator="RK4" timestep="0.0001"/>
  <default><general gear="2"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="lift" axis="0 1 0" stiffness="7" springref="20" damping="0.3"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="0.01 0.2 0.2"/>
      <body name="fore" pos="1 0 0" gravcomp="0.6">
        <joint name="bend" axis="0 1 0" armature="0.1"/>
        <inertial pos="0.2 0 0.1" mass="1" diaginertia="0.01 0.03 0.04"/>
        <body pos="0.4 0 0">
          <joint name="push" type="slide" axis="1 0 0"/>
          <inertial pos="0 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both" stiffness="30" springlength="0.05 0.1" damping="0.4">
      <joint joint="bend" coef="0.5"/><joint joint="push" coef="-2"/>
    </fixed>
    <fixed name="plain" stiffness="11"><joint joint="lift" coef="0.5"/></fixed>
  </tendon>
  <actuator>
    <position name="servo" joint="lift" kp="50" kv="3" forcerange="-20 20" gear="1"/>
    <velocity joint="bend" kv="4" gear="1.5"/>
    <general name="slow" joint="push" dyntype="filterexact" dynprm="0.2" gainprm="3" biastype="affine" biasprm="0.5 -6 -1"/>
    <motor tendon="both" gear="0.7" ctrlrange="-1 1"/>
    <position joint="push" kp="9" timeconst="0.1" gear="1"/>
  </actuator>
  <keyframe><key name="home" qpos="0.3 -0.2 0.05" ctrl="0.4 0.2 1.5 3 0.3" act="0.25 0.1"/></keyframe>
</mujoco>
END
run convert drives.xml drives.yaml --scenario
[ $status -eq 0 ] && [ ! -s out ]
verdict "MJCF: a scenario"
# qacc of MuJoCo 3.14 at the keyframe, and its qpos after 0.5 s by RK4, extrapolated from steps of 1e-4 and 1e-5 s
"$linkwork" simulate drives.yaml --duration 0.5 --record 0.5 --columns q,qdd --format csv --quiet >out 2>err
status=$?
[ $status -eq 0 ] && awk -F, '
  function off(a, b) { return a > b ? a - b : b - a }
  NR == 2 && (off($5, 3.387555644364407) > 1e-13 || off($6, 21.715688896066112) > 1e-13 || off($7, -27.647630769797704) > 1e-13) { bad = 1 }
  NR == 3 && (off($2, 0.82182908093) > 2e-9 || off($3, 0.08979649352) > 2e-9 || off($4, 0.09654848349) > 2e-9) { bad = 1 }
  END { exit bad || NR != 3 }' out
verdict "MJCF: the scenario moves as MuJoCo does"
sed 's/<joint name="push" type="slide"/<joint name="push" type="slide" frictionloss="0.1"/; s/springlength="0.05 0.1"/limited="true" range="-1 1"/
  s/<velocity joint="bend" kv="4"/<damper joint="bend" kv="4" ctrlrange="0 1"/' drives.xml >left.xml
run convert left.xml left.yaml --scenario
[ $status -eq 0 ] && grep -q '# left out, acts on the motion: limits of tendons: 1, first at left.xml:19:5' left.yaml &&
  grep -q '# left out, acts on the motion: actuators that are no motor, position, velocity or general: 1' left.yaml &&
  grep -q 'law: -0.4\*qd - 30\*(q)' left.yaml && grep -q '"slow"' left.yaml
verdict "MJCF: a scenario says what is left out"
refuses "a scenario of a robot that is no MJCF" 2 'is no MJCF file' convert arm.yaml a.yaml --scenario
refuses "a scenario is YAML" 2 'must end with .yaml' convert drives.xml a.xml --scenario
mkdir -p sub
refuses "a scenario in another folder" 2 'absolute path' convert drives.xml sub/a.yaml --scenario
run convert "$PWD/drives.xml" sub/a.yaml --scenario
[ $status -eq 0 ] && "$linkwork" simulate sub/a.yaml --duration 0.01 >out 2>err
verdict "a scenario in another folder names the robot by its path"
refuses "linearise takes no forces" 2 "not 'forces'" linearise drives.yaml
cat >forces.yaml <<'END'
linkwork: 1
robot: drives.xml
forces:
  - {joints: {lift: 1}, law: -q, range: [2, 1]}
  - {joints: {lyft: 1}, law: -q}
  - {joints: [lift], law: -q}
  - {joints: {lift: one}, law: -q}
  - {law: -q}
END
run simulate forces.yaml
[ $status -eq 3 ] && grep -q "forces.yaml:4:41: error: 'range' must be two numbers in order" err && grep -q "did you mean 'lift'" err &&
  grep -q "forces.yaml:6:14: error: 'joints' must be a mapping" err && grep -q "forces.yaml:8:5: error: a force needs 'joints' and 'law'" err
verdict "forces that are wrong"
# a joint that mimics another one: half the slide's force, and its offset, for the leader
cat >pair.yaml <<'END'
linkwork: 1
gravity: [0, 0, 0]
joints:
  - {name: a, type: prismatic, origin: {xyz: [0, 0, 0]}, axis: [1, 0, 0], link: {mass: 1}}
  - {name: b, type: prismatic, parent: base, origin: {xyz: [0, 1, 0]}, axis: [1, 0, 0], mimic: {joint: a, multiplier: 0.5, offset: 0.2}, link: {mass: 4}}
END
printf 'linkwork: 1\nrobot: pair.yaml\nforces: [{joints: {b: 1}, law: -10*q}]\n' >follow.yaml
"$linkwork" simulate follow.yaml --duration 0.01 --columns qdd --format csv --quiet >out 2>err
status=$?
[ $status -eq 0 ] && sed -n 2p out | awk -F, '{ exit !(($2 + 0.5) ^ 2 < 1e-24) }'
verdict "forces on joints that mimic others"

printf '<?xml version="1.0"?>\n<sdf version="1.6"><model name="m"/></sdf>\n' >world.sdf
diagnoses "SDF is refused with the reason" 2 'world.sdf:2:1: error: this is an SDF file, expected a robot file' info world.sdf
grep -q 'hint: SDF describes whole worlds' err
verdict "SDF: what to use"
