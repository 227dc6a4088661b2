# Poses, velocities and accelerations of all links.
cat >crane.yaml <<'END'
linkwork: 1
name: crane
joints:
  - name: mast
    type: revolute
    axis: [0, 0, 1]
    link: {name: jib, mass: 5, com: [1, 0, 0], inertia: [0.11, 2.1, 2.12, 0, 0, 0]}
  - name: trolley
    type: prismatic
    axis: [1, 0, 0]
    link: {name: cab, mass: 2, com: [0, 0, 0], inertia: [0.11, 0.12, 0.13, 0, 0, 0]}
  - name: hook
    type: fixed
    origin: {xyz: [0, 0, -1]}
    link: {name: load, mass: 1, com: [0, 0, 0], inertia: [0.011, 0.012, 0.013, 0, 0, 0]}
END
columns()
{
  for link in jib cab load; do for c; do printf '%s.%s,' "$c" $link; done; done | sed 's/,$//'
}

# turned by a quarter, 2 m out: the cab at (0, 2, 0), the load 1 m below
header "columns of poses are named by link" "$(columns x y z r11 r12 r13 r21 r22 r23 r31 r32 r33)" poses crane.yaml --q "90 deg,2"
says "the load hangs below the cab" '^  load +[0-9.e-]+ +2 +-1 ' poses crane.yaml --q "90 deg,2" --format table
# v = w x r + qd along the jib; a = - w^2 r + 2 w qd
gives "velocities by hand" "$(columns vx vy vz wx wy wz)\n0,0,0,0,0,3,5,6,0,0,0,3,5,6,0,0,0,3\n" \
  velocities crane.yaml --q 0,2 --qd 3,5
says "accelerations by hand, without gravity" '^  cab +-7 +44 +0 +0 +0 +7$' accelerations crane.yaml --q 0,2 --qd 3,5 --qdd 7,11 --format table
refuses "no methods" 2 "'poses' has one method only and takes no --method" poses crane.yaml --q 0,2 --method kane
refuses "velocities of loops that are not closed" 2 "the loops are not closed" velocities "$robots/four_bar.yaml" --q 0,0,0

# those that are named, in that order; a joint names the link that it carries
run frames crane.yaml --links load,trolley --q "90 deg,2" --format csv
mv out named
run poses crane.yaml --q "90 deg,2" --format csv
cut -d, -f25-36 out >load && cut -d, -f13-24 out >cab && paste -d, load cab >expected
[ $status -eq 0 ] && cmp -s named expected
verdict "frames of named links are those of poses"
says "frames in 113 bits" '^2,0,-1,1,' frames crane.yaml --links hook --q 0,2 --precision quad --format csv
refuses "frames: a link that there is not" 2 "crane has no link 'lod', did you mean 'load'" frames crane.yaml --links lod --q 0,2
refuses "frames: the base" 2 "'base' is the base" frames crane.yaml --links cab,base --q 0,2
refuses "frames: no names" 2 "--links is missing" frames crane.yaml --q 0,2
