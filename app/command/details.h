// SPDX-License-Identifier: MIT
// Long texts of the help, only for the table of commands.
#ifndef APP_COMMAND_DETAILS_H
#define APP_COMMAND_DETAILS_H

#define PAGE_DETAILS                                                                               \
  "INPUT is a robot (YAML, JSON, URDF), a snake, or a scenario, which is simulated first;\n"       \
  "then any number of its recordings and trajectories (.csv with a column t) to compare. The\n"    \
  "page is one HTML file that needs no network. It shows the robot in 3D with playback and\n"      \
  "plots, and has sliders, inverse kinematics and simulation. docs/page.md says more.\n"           \
  "Recordings need the columns of the robot, q1.. or q.NAME of all joints; others are refused.\n"  \
  "--package-path: where to find meshes of URDF files.\n"                                          \
  "view serves the page on 127.0.0.1, under an address that it prints and opens with the\n"        \
  "commands in BROWSER, or xdg-open. It makes the page anew when a file that it shows\n"           \
  "changes, and ends with Ctrl-C; built without libmicrohttpd, it writes a temporary file and\n"   \
  "opens that. A page names its files without their folders, with --anonymous not at all;\n"       \
  "docs/security.md says what it contains.\n"

#define STUDY_DETAILS                                                                              \
  "STUDY is a file that says what varies and how, what is run and what is measured; see\n"         \
  "docs/studies.md.\n"                                                                             \
  "--out FILE.db: a SQLite database with tables of samples and their parameters, of measures,\n"   \
  "and of bands over time. It can be read while the study runs. Ctrl-C, a crash or a full\n"       \
  "disk lose only the samples being computed; --resume continues and gives the same results.\n"    \
  "Sample k does not depend on the number of threads, processes and restarts. 'linkwork-mpi\n"     \
  "study' runs on a cluster.\n"                                                                    \
  "--allow-commands: needed by studies with 'run: command', which can start any program.\n"        \
  "--part K/N computes one of N parts into its own database, for machines that share nothing.\n"   \
  "--sample K computes one sample alone, identical to the last bit to that in the database.\n"     \
  "columns of --sample: kind,name,value.\n"

#define STUDY_REPORT_DETAILS                                                                       \
  "Tables: summary (each measure: mean, deviation, quantiles, how often its criterion is\n"        \
  "met), holds (each criterion and all together, for every choice: the fraction of samples\n"      \
  "that pass with its 95 % interval, and whether that reaches --level: yes, no, or unsure if\n"    \
  "there are too few samples), worst (the largest and smallest values, each with the command\n"    \
  "that computes that sample alone to the last bit), impossible (samples without results, and\n"   \
  "why), convergence (mean, 1 % and 99 % quantile of the first half, quarter, .. of the\n"         \
  "samples), tornado (mean of the measure where a parameter is in its lowest and in its\n"         \
  "highest tenth), indices (first-order and total Sobol' indices with 95 % intervals, for the\n"   \
  "design saltelli), histogram, bands (quantiles over time), samples (parameters and measures\n"   \
  "of all samples). csv and json contain one table, --table NAME (default summary). --plot\n"      \
  "draws bands, histograms, tornado and convergence; --page writes tables and pictures as one\n"   \
  "HTML file.\n"

#define SNAKE_SIMULATE_DETAILS                                                                     \
  "columns: t,theta1..thetan,u1,u2,x,y,kinetic,work,S,phi1..phin-1. x, y: the middle of link\n"    \
  "1, which starts at 0, 0. phi: of the joints, phi1 = theta2 - theta1. work: of the torques,\n"   \
  "less that of rolling resistance, since t = 0, integrated with the motion. S = kinetic\n"        \
  "- work, J, is the energy function of nia2005: constant up to integration error, and 0 if\n"     \
  "the snake starts at rest. Tables omit the angles. The audit of the run is printed on\n"         \
  "standard error, below a table, and written by --audit.\n"                                       \
  "\n"                                                                                             \
  "--method lagrange-full integrates all n + 2 coordinates and their rates, as nia2005 does,\n"    \
  "and adds three columns: sideways (m/s, of the axle that slides fastest), slip_loss and\n"       \
  "stop_loss (J, part of S). The wheels are then kept from moving sideways only by the\n"          \
  "equations, so rounding and step errors make them drift. --stabilise projects the rates\n"       \
  "back onto the constraints after every step.\n"                                                  \
  "--slip: a wheel slips, braked by its friction_limit, as long as it would need a larger\n"       \
  "force to hold. --stops: joints hit inelastic stops at lower and upper. Both select\n"           \
  "lagrange-full with --stabilise.\n"                                                              \
  "\n"                                                                                             \
  "The torques come from one of\n"                                                                 \
  "  --torque-law LAW  evaluated for every joint: numbers, t (s), k (joint, 1 to n-1), n "         \
  "(links),\n"                                                                                     \
  "                    pi, + - * / ^, parentheses, sin cos tan exp sqrt abs\n"                     \
  "  --in FILE         columns t,T1..Tn-1, t increasing; interpolated linearly, constant "         \
  "outside\n"                                                                                      \
  "  --gait serpenoid:ALPHA,BETA,GAMMA[,STEER[,RISE]]\n"                                           \
  "                    the torques of least norm that bring the joint angles as near to\n"         \
  "                    ALPHA sin(BETA k + GAMMA t) + STEER, rad, as the wheels allow, with\n"      \
  "                    critically damped feedback at 4 GAMMA (at least 1/s); forwards if BETA,\n"  \
  "                    GAMMA > 0, and then to the left if STEER > 0. RISE: from rest, up to\n"     \
  "                    speed within so many seconds.\n"                                            \
  "  --gait head:SPEED,WINDING,LENGTH[,CURVATURE]\n"                                               \
  "                    the head (axle of link n) goes at SPEED, m/s, along a path that winds\n"    \
  "                    about a line, so that the snake is never straight: its largest slope\n"     \
  "                    against the line is WINDING (0.05 to 2), the length of a winding LENGTH,\n" \
  "                    m. CURVATURE of the line, 1/m: 0 is straight, > 0 turns left. From rest.\n" \
  "Without any of these they are zero. At t = 0 theta_k = pi (-1)^k / 6 and u = 0 (Table II\n"     \
  "of nia2005); with a gait, its posture and the nearest speeds, or the body at rest on the\n"     \
  "path behind the head, which is at 0, 0. --theta0 and --u0 set\n"                                \
  "another start.\n"                                                                               \
  "\n"                                                                                             \
  "Integrators with fixed steps: rk4 (default rk4:1e-3), kutta3. With adaptive steps, which\n"     \
  "keep the error of every entry below ATOL + RTOL |y| (default 1e-9): dormand-prince (or\n"       \
  "dopri), dop853, bogacki-shampine, kutta-merson, fehlberg45; bdf for stiff equations.\n"         \
  "Records are interpolated and do not change the steps. docs/integrators.md says which to\n"      \
  "choose.\n"                                                                                      \
  "Ctrl-C ends the run (exit 130), and so does a motion that is no longer finite (exit 4);\n"      \
  "what was computed is kept, with --out FILE as FILE.partial.\n"

#define SIMULATE_DETAILS                                                                           \
  "linkwork simulate SCENARIO\n"                                                                   \
  "linkwork simulate ROBOT --in TRAJECTORY.csv [--control computed-torque|pd|feed-forward]\n"      \
  "\n"                                                                                             \
  "The second form needs no scenario file: the arm starts where the trajectory starts (t,\n"       \
  "q.., and qd.., qdd.. if known, as plan and simulate write them), and a controller follows\n"    \
  "it to the end.\n"                                                                               \
  "--kp, --kd: for computed-torque in 1/s^2 and 1/s (default 400 and 40); for pd and\n"            \
  "feed-forward in N m/rad and N m s/rad (default: these times the inertia of each joint at\n"     \
  "the start).\n"                                                                                  \
  "\n"                                                                                             \
  "columns: t,q1..qn,qd1..qdn,qdd1..qddn,tau1..taun; v.. for joints driven by a voltage, i..\n"    \
  "if their motor has inductance; for a controlled arm the reference q_ref..,qd_ref.. and the\n"   \
  "error q_err.. = q_ref - q; x,y,z,roll,pitch,yaw of the last link, or of --link and --tool;\n"   \
  "kinetic,potential,work,S.\n"                                                                    \
  "tau: of the drives. kinetic: including the rotors. work: of drives, friction, end stops\n"      \
  "and wrenches since t = 0, integrated along with the motion. S: the energy not accounted\n"      \
  "for, kinetic + potential - work minus its value at t = 0, which is 0 up to integration\n"       \
  "error.\n"                                                                                       \
  "--columns selects among these. Tables show positions and energies.\n"                           \
  "\n"                                                                                             \
  "SCENARIO is a file (YAML or JSON, see docs/formats.md): robot, payload, initial state,\n"       \
  "drives, controller, friction, wrench, integrator, events. --duration, --dt and\n"               \
  "--integrator override what it says. An integrator is NAME:STEP (kutta3, rk4) or\n"              \
  "NAME:RTOL[,ATOL] (bogacki-shampine, kutta-merson, fehlberg45, dormand-prince, dop853,\n"        \
  "bdf).\n"                                                                                        \
  "\n"                                                                                             \
  "The audit of the run is printed on standard error, or below a table, and written by\n"          \
  "--audit: steps, evaluations, energy error, events, limits that were reached, time. A run\n"     \
  "that fails says when and why (exit 4); Ctrl-C ends it (exit 130). What was computed is\n"       \
  "kept, with --out FILE as FILE.partial.\n"

#define DRIVES_DETAILS                                                                             \
  "--in FILE has columns t (s, increasing), q1..qn, qd1..qdn, qdd1..qddn or q.NAME and so on,\n"   \
  "as 'linkwork plan' writes them, and perhaps fx,fy,fz,nx,ny,nz (see 'linkwork help\n"            \
  "inverse').\n"                                                                                   \
  "columns, one line for each moving joint: joint,name and\n"                                      \
  "  rigid_, rotor_, friction_, torque_ peak and rms\n"                                            \
  "                     torque of rigid bodies, rotor and friction, and their sum, N m or N\n"     \
  "  speed_peak, power_peak, power_mean   rad/s or m/s; W, torque times speed\n"                   \
  "  work, braking      energy that the drive gives to the joint, and takes back from it, J\n"     \
  "  drawn, regenerated energy that the motor takes from its supply, and gives back to it, J\n"    \
  "  current_peak, current_rms, voltage_peak   A, V of the motor\n"                                \
  "  position_, effort_, velocity_, voltage_, current_ headroom\n"                                 \
  "                     fraction of the limit (of the range, for a position) that is left at\n"    \
  "                     the worst time, negative if exceeded\n"                                    \
  "  tightest, tightest_headroom, tightest_time, ok\n"                                             \
  "                     the limit with the least headroom, and when\n"                             \
  "Peaks keep their sign. Means and rms are over time, by the trapezoidal rule. A joint that\n"    \
  "stands has no friction; speeds that are only rounding count as 0. Motor columns\n"              \
  "are empty for joints without a motor, as are limits that are not given. If a joint exceeds\n"   \
  "a limit, the exit code is 1 and standard error says which.\n"                                   \
  "--series FILE: t,tau1..taun,v1..vn,i1..in,power1..powern of every sample, v and i only for\n"   \
  "joints with a motor; with --keep after the columns of --in.\n"                                  \
  "Hydraulic cylinders of the robot file supply the rigid-body torques, distributed by least\n"    \
  "squares. The table lists them at its end; --cylinders writes them instead of the joints,\n"     \
  "one line each: cylinder,force_peak,force_time,pressure_peak,speed_peak,flow_peak,\n"            \
  "power_peak,stroke_least,stroke_most,buckling_safety,buckling_length,stiffness_least,beyond\n"   \
  "(N, s, Pa, m/s, m^3/s, W, m, m, -, m, N/m). force is positive if the cylinder pushes.\n"        \
  "buckling_length is the length from pin to pin at which the largest push would buckle the\n"     \
  "rod. beyond names the limit that is exceeded: stroke, pressure, flow or buckling; exit\n"       \
  "code 1.\n"

#define IK_DETAILS                                                                                 \
  "columns: q1..qn,position_error,angle_error,iterations,reached. Errors are in m and rad and\n"   \
  "include only what was asked for; reached is 1 if both are below 1e-9, otherwise q is the\n"     \
  "nearest solution found.\n"                                                                      \
  "Exit 1 if a pose is not reached, for example because it is outside the workspace of the\n"      \
  "arm.\n"                                                                                         \
  "\n"                                                                                             \
  "--pose x,y,z,roll,pitch,yaw is R = Rz(yaw) Ry(pitch) Rx(roll). --position x,y,z leaves the\n"   \
  "orientation free, --direction only the rotation about z of the pose: three and five\n"          \
  "degrees of freedom, for arms with fewer than six joints. --weights: six numbers, 1/m and\n"     \
  "1/rad, that say how much each part of the pose matters if not all of it can be reached.\n"      \
  "--in FILE: a CSV file with columns x,y,z and r11,r12,..r33, as 'linkwork pose' writes;\n"       \
  "each search starts where the previous one ended.\n"                                             \
  "The search uses damped least squares from --q (default: the middle of the limits), then\n"      \
  "from random positions within the limits.\n"                                                     \
  "\n"                                                                                             \
  "--all: every solution in closed form, for six joints if the axes of the last three meet in\n"   \
  "a point (spherical wrist), for six joints if axes 2, 3 and 4 are parallel and axes 5 and 6\n"   \
  "meet (UR arms), and for seven joints if axes 1 to 3 meet in a shoulder and axes 5 to 7 in\n"    \
  "a wrist. Seven joints leave one degree of freedom, the arm angle: the angle about the line\n"   \
  "from shoulder to wrist, from the plane that contains axis 1 to the plane that contains the\n"   \
  "elbow.\n"                                                                                       \
  "columns: q1..qn,inside,free_joint,position_error,angle_error. inside is 1 if all joints\n"      \
  "are within their limits. free_joint is 0, or the joint that may have any value if there\n"      \
  "are infinitely many solutions, as when axes 4 and 6 of a wrist line up. Full turns are\n"       \
  "added to come as near to --q as possible.\n"

#define PLAN_DETAILS                                                                               \
  "columns: t,q1..qn,qd1..qdn,qdd1..qddn, every --dt and exactly at the end; 'linkwork\n"          \
  "inverse ROBOT --in -' computes its torques. The table summarises each joint instead. With\n"    \
  "--simulate the output is that of 'linkwork simulate ROBOT --in PLAN'.\n"                        \
  "\n"                                                                                             \
  "  cubic      third order, passes all waypoints without stopping. --join clamped: velocity\n"    \
  "             and acceleration are continuous, at rest at the ends; natural: no acceleration\n"  \
  "             at the ends; average: mean of the slopes, no overshoot, continuous velocity\n"     \
  "  quintic    fifth order, velocity and acceleration are zero at the ends\n"                     \
  "  trapezoid  shortest time within velocity limits and --acceleration, stops at waypoints\n"     \
  "  s-curve    the same with --jerk\n"                                                            \
  "  line       the last link moves in a straight line to the pose of --to, to --pose or to\n"     \
  "             --position, at constant --velocity; with --acceleration (and --jerk) from rest\n"  \
  "             to rest. --pose x,y,z keeps the orientation, --position leaves it free;\n"         \
  "             otherwise the link rotates about one axis, in proportion to the distance\n"        \
  "\n"                                                                                             \
  "Velocities stay within the limits of the robot and of --velocity. Without --duration the\n"     \
  "trajectory takes as long as the slowest joint needs; all joints start and stop together.\n"     \
  "--in FILE: a CSV file with all waypoints, columns q1..qn, and t (s) if the times are\n"         \
  "given.\n"                                                                                       \
  "Exit 1 if there is no such trajectory; the message names joint, time and limit.\n"              \
  "\n"                                                                                             \
  "--fastest: the motion of least time within every limit at once: velocity, acceleration\n"       \
  "and effort of joints (rigid bodies, rotor and friction), voltage and current of motors,\n"      \
  "force and flow of cylinders. Straight in joint space from --from through --via to --to,\n"      \
  "with a stop where the direction changes, along a natural cubic spline through the\n"            \
  "waypoints of --in, or along the moves of a --cycle FILE (docs/formats.md), each from\n"         \
  "stop to stop. columns: t,s,q..,qd..,qdd..,tau..,sd,sdd,move,limit,limit_joint,margin: s\n"      \
  "is the distance along the path, tau what the drives supply, limit the one that is\n"            \
  "reached and margin how far the nearest one is. --audit FILE: time, bound of the grid and\n"     \
  "gap, time with 4 N intervals, largest excess, energy, rms and peaks. --plot: speeds,\n"         \
  "torques, margin, number of the limit. --pace: a factor of speed up to 1, of time above\n"       \
  "1. --continuous LIST: the least such pace at which rms currents over the whole program\n"       \
  "are within LIST. --jerk, or limits of jerk in the robot file: the motion is then a local\n"     \
  "optimum, which the audit says. --compare FILE: times of the same motion with both\n"            \
  "robots. Exit 1 if no motion keeps all limits; the message names the place and the two\n"        \
  "limits that exclude each other.\n"

#endif
