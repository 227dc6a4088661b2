// SPDX-License-Identifier: MIT
// The commands that ask a question about states: entries of COMMANDS in command/commands.c, which
// includes this in its middle.
// clang-format off
STATE_COMMAND(
    "inverse", LW_QUESTION_INVERSE, "joint torques for a motion: inverse dynamics (RNEA)",
    "columns: tau1..taun, the torque (N m) or force (N) of each moving joint.\n" WRENCH_DETAILS,
    "linkwork inverse " PUMA " --qdd 1,0,0,0,0,0"),
STATE_COMMAND(
    "forward", LW_QUESTION_FORWARD, "joint accelerations from torques: forward dynamics (ABA)",
    "columns: qdd1..qddn, rad/s^2 or m/s^2. A robot with a moving joint without inertia (for\n"
    "example, one that carries only a massless link) is refused.\n"
    "--rotors solves with M + diag(gear^2 rotor_inertia) instead of the rigid-body M.\n" WRENCH_DETAILS,
    "linkwork forward " PUMA " --tau 1,0,0,0,0,0"),
STATE_COMMAND("inertia", LW_QUESTION_INERTIA, "the joint-space inertia matrix (CRBA)",
              "columns: M11,M12,..Mnn, row by row, kg m^2, kg m or kg.\n"
              "With more than 9 moving joints they are M1_1,M1_2,..\n",
              "linkwork inertia " PUMA),
STATE_COMMAND("bias", LW_QUESTION_BIAS, "velocity and gravity torques, C qd + g",
              "columns: b1..bn, N m or N.\n", "linkwork bias " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND("gravity", LW_QUESTION_GRAVITY, "torques that hold the arm at rest",
              "columns: g1..gn, N m or N.\n", "linkwork gravity " PUMA),
STATE_COMMAND("coriolis", LW_QUESTION_CORIOLIS, "velocity torques, C qd",
              "columns: c1..cn, N m or N.\n", "linkwork coriolis " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND("energy", LW_QUESTION_ENERGY, "kinetic and potential energy",
              "columns: kinetic,potential, J.\n"
              "The potential is zero at the origin of the base frame.\n",
              "linkwork energy " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND("pose", LW_QUESTION_POSE,
              "position and orientation of the last link, or of another frame",
              "columns: x,y,z,r11,r12,..r33,roll,pitch,yaw,qx,qy,qz,qw of the frame in the base frame:\n"
              "position, rotation matrix row by row, the same orientation as R = Rz(yaw) Ry(pitch)\n"
              "Rx(roll), rad, and as a unit quaternion with qw >= 0.\n" FRAME_DETAILS,
              "linkwork pose " PUMA),
STATE_COMMAND(
    "jacobian", LW_QUESTION_JACOBIAN,
    "velocity of the last link, or of another frame, from joint velocities",
    "columns: J11,J12,..J6n, row by row: three rows for the velocity of the origin of the\n"
    "frame, three for its angular velocity, in the base frame. With --names J.ROW.NAME, the\n"
    "rows being vx vy vz wx wy wz.\n" FRAME_DETAILS,
    "linkwork jacobian " PUMA),
STATE_COMMAND("reactions", LW_QUESTION_REACTIONS, "force and moment that every joint transmits",
              "columns: rfx.NAME,rfy.NAME,rfz.NAME,rnx.NAME,rny.NAME,rnz.NAME of every joint of the file,\n" REACTION_DETAILS WRENCH_DETAILS,
              "linkwork reactions " PUMA " --qdd 1,0,0,0,0,0"),
STATE_COMMAND(
    "gibbs", LW_QUESTION_GIBBS,
    "Gibbs function of a motion, and its Hessian with respect to accelerations",
    "columns: gibbs, half the sum of mass times acceleration squared over all links, J/s^2,\n"
    "with the base accelerating upwards to account for gravity (mata2002 (1)); then\n"
    "H11,H12,..Hnn, its second derivatives with respect to the joint accelerations (mata2002\n"
    "(19)): the inertia matrix. Its first derivatives are the torques of 'linkwork inverse'.\n",
    "linkwork gibbs " PUMA " --qdd 1,0,0,0,0,0"),
STATE_COMMAND(
    "inverse-derivatives", LW_QUESTION_INVERSE_DERIVATIVES,
    "derivatives of torques with respect to positions and velocities",
    "columns: dtau1_dq1,dtau1_dq2,..dtaun_dqn, row by row, then dtau1_dqd1,..dtaun_dqdn. The\n"
    "derivative with respect to accelerations is the inertia matrix.\n" WRENCH_DETAILS,
    "linkwork inverse-derivatives " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND("forward-derivatives", LW_QUESTION_FORWARD_DERIVATIVES,
              "derivatives of accelerations with respect to positions, velocities, torques",
              "columns: dqdd1_dq1,..dqddn_dqn, row by row, then dqdd1_dqd1,.. and dqdd1_dtau1,..\n"
              "--rotors solves with M + diag(gear^2 rotor_inertia).\n" WRENCH_DETAILS,
              "linkwork forward-derivatives " PUMA " --tau 1,0,0,0,0,0"),
STATE_COMMAND("inertia-inverse", LW_QUESTION_INERTIA_INVERSE,
              "the inverse of the inertia matrix",
              "columns: W11,W12,..Wnn, row by row, 1/(kg m^2), 1/(kg m) or 1/kg.\n"
              "--rotors inverts M + diag(gear^2 rotor_inertia).\n",
              "linkwork inertia-inverse " PUMA),
STATE_COMMAND(
    "coriolis-matrix", LW_QUESTION_CORIOLIS_MATRIX,
    "the Coriolis matrix, from Christoffel symbols",
    "columns: C11,C12,..Cnn, row by row. C qd is the vector of torques of 'linkwork coriolis',\n"
    "and dM/dt - 2 C is antisymmetric.\n",
    "linkwork coriolis-matrix " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND("centroidal", LW_QUESTION_CENTROIDAL,
              "centre of mass, momentum about it and its rate",
              "columns: cx,cy,cz, the centre of mass of all links, m; px,py,pz, the momentum, and\n"
              "kx,ky,kz, the angular momentum about the centre of mass; pdx,..pdz,kdx,..kdz, their rates,\n"
              "N and N m. Base frame.\n",
              "linkwork centroidal " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND(
    "jacobian-rate", LW_QUESTION_JACOBIAN_RATE,
    "velocity of the last link, or of another frame, and dJ/dt qd",
    "columns: vx,vy,vz,wx,wy,wz, the velocity of the frame's origin and its angular velocity, J\n"
    "qd; ax,ay,az,wdx,wdy,wdz, the part of its acceleration that velocities cause, dJ/dt qd.\n"
    "Base frame.\n" FRAME_DETAILS,
    "linkwork jacobian-rate " PUMA " --qd 1,0,0,0,0,0"),
STATE_COMMAND(
    "regressor", LW_QUESTION_REGRESSOR,
    "torques as a linear function of the links' mass parameters",
    "columns: Y.JOINT.LINK.m, .mx .my .mz (mass times centre of mass), .xx .yy .zz .xy .xz .yz\n"
    "(inertia about the origin of the link's frame, elements of the tensor), in the axes of the\n"
    "file, for every moving joint and every link: the torques are Y times these parameters.\n"
    "--rotors and --friction append the columns Y.JOINT.JOINT.rotor, .viscous, .coulomb and\n"
    ".offset, so that Y times the parameters is the torque of the drives.\n",
    "linkwork regressor " PUMA " --qdd 1,0,0,0,0,0"),
