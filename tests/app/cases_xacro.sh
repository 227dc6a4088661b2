# Xacro: macros for URDF, expanded without any other program.
# shellcheck shell=sh disable=SC2154,SC2016 # by run.sh; ${} is for xacro

mkdir -p pkg/limbs
cat >pkg/limbs/limb.xacro <<'END'
<robot xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="g" value="${2 * 4.905}"/>
  <xacro:macro name="limb" params="prefix parent mass:=1 length:=${reach/2} tip:='none' *place **more axis:=^|z">
    <xacro:property name="half" value="${length / 2}"/>
    <link name="${prefix}limb">
      <inertial><origin xyz="${half} 0 0"/><mass value="${mass}"/>
        <inertia ixx="0.001" iyy="${mass*length**2/12}" izz="${mass*length**2/12}" ixy="0" ixz="0" iyz="0"/></inertial>
    </link>
    <joint name="${prefix}joint" type="continuous">
      <parent link="${parent}"/><child link="${prefix}limb"/>
      <xacro:insert_block name="place"/>
      <axis xyz="0 ${1 if axis == 'y' else 0} ${0 if axis == 'y' else 1}"/>
    </joint>
    <xacro:insert_block name="more"/>
  </xacro:macro>
</robot>
END
printf 'limits: {low: !degrees -90, high: !degrees 90}\nmass: [1, 2.5]\n' >pkg/limbs/numbers.yaml
cat >arm.xacro <<'END'
<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="tool" default="true"/>
  <xacro:property name="reach" value="2"/>
  <xacro:property name="axis" value="y"/>
  <xacro:include filename="$(find limbs)/limb.xacro"/>
  <link name="base"/>
  <xacro:limb prefix="a_" parent="base" mass="${1 + 1}"><origin xyz="0 0 ${sqrt(9) - 2}"/><nothing/></xacro:limb>
  <xacro:if value="$(arg tool)">
    <xacro:limb prefix="b_" parent="a_limb" length="${(reach - 1) * cos(radians(0))}"><origin xyz="1 0 0"/><nothing/></xacro:limb>
  </xacro:if>
  <xacro:unless value="${'b' in 'abc' and not 2 &lt; 1}"><link name="lost"/></xacro:unless>
</robot>
END
# about y at rest: 9.81 (2 * 0.5 + 1 * 1.5) and 9.81 * 0.5, downwards
run gravity arm.xacro --q 0,0 --package-path pkg
[ $status -eq 0 ] && tail -n 1 out | tr ',' ' ' | awk '{ exit ($1 + 24.525)^2 + ($2 + 4.905)^2 > 1e-20 }'
verdict "xacro: macros, blocks, defaults, conditions and arithmetic"
cp -r pkg/limbs .
run info arm.xacro
[ $status -eq 0 ] && grep -q 'b_joint' out
verdict "xacro: packages are also looked for beside the file"
cat >yaml.xacro <<'END'
<robot name="y" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="file" value="$(find limbs)/numbers.yaml"/>
  <xacro:property name="n" value="${xacro.load_yaml(file)}"/>
  <link name="base"/>
  <link name="l"><inertial><mass value="${n['mass'][1]}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="l"/>
    <limit lower="${n['limits']['low']}" upper="${n.limits.high}" effort="1" velocity="1"/></joint>
</robot>
END
says "xacro: numbers and angles of YAML files" '^ +1 +j +revolute +base +-1.57080* +1.57080* +1 +1 +l +2.5 ' info yaml.xacro
wrong()
{
  printf '<robot name="w" xmlns:xacro="http://ros.org/wiki/xacro">\n%s\n</robot>\n' "$2" >wrong.xacro
  diagnoses "xacro: $1" 3 "^wrong.xacro:2:[0-9]*: error: $3" info wrong.xacro
}
wrong "an unknown property" '<link name="${nothing}"/>' "there is no property 'nothing'"
wrong "an unknown macro" '<xacro:limp/>' "there is no macro 'limp'"
wrong "nothing is executed" '<link name="${__import__(1)}"/>' "function '__import__' of 1 numbers is not known"
wrong "a property defined by itself" '<xacro:property name="a" value="${a + 1}"/><link name="${a}"/>' "property 'a' is defined by itself"
wrong "a division by 0" '<link name="${1/0}"/>' 'a division by 0'
wrong "a path outside" '<xacro:include filename="../x.xacro"/>' "'../x.xacro' is not in the folder"
wrong "an absolute path" '<xacro:include filename="/etc/passwd"/>' "'/etc/passwd' is not in the folder"
wrong "a package that is not there" '<xacro:include filename="$(find nowhere)/x.xacro"/>' "package 'nowhere' is not found"
wrong "an argument without a default" '<xacro:unless value="$(arg a)"/>' "argument 'a' has no default"
printf '<robot name="w" xmlns:xacro="http://ros.org/wiki/xacro">\n<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>\n</robot>\n' >wrong.xacro
diagnoses "xacro: endless macros" 3 'nested deeper than 60 levels' info wrong.xacro
printf '<robot name="w" xmlns:xacro="http://ros.org/wiki/xacro">\n<xacro:macro name="a"><x/></xacro:macro>' >wrong.xacro
for k in a:b b:c c:d d:e e:f f:g g:h
do
  printf '<xacro:macro name="%s">' "${k#*:}"
  for i in 1 2 3 4 5 6 7 8 9 10; do printf '<xacro:%s/>' "${k%:*}"; done
  printf '</xacro:macro>\n'
done >>wrong.xacro
printf '<xacro:h/></robot>\n' >>wrong.xacro
diagnoses "xacro: macros that explode" 3 'expands to more than 500000 elements' info wrong.xacro
