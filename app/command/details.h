// SPDX-License-Identifier: MIT
// Long texts of the help, only for the table of commands.
#ifndef APP_COMMAND_DETAILS_H
#define APP_COMMAND_DETAILS_H

#define FRAME_DETAILS                                                                              \
  "The frame is that of the last link of the file, or of --link NAME: a link, base, or else the\n" \
  "link that the joint NAME carries. --tool is a frame on that link: its origin, and its axes "    \
  "as\n"                                                                                           \
  "roll, pitch and yaw, in the frame of the link.\n"

#define REACTION_DETAILS                                                                           \
  "in its order, fixed and mimic joints too: force in N and moment in N m that the parent "        \
  "exerts\n"                                                                                       \
  "on the link of the joint, at the origin and in the axes of that link's frame (the frame of\n"   \
  "'linkwork pose --link NAME'; with standard DH it is at the far end of the link), or in base\n"  \
  "axes by --axes base. Actuator torque, weight and inertia of all that is beyond the joint are\n" \
  "in it, and the wrench, which supports or loads it.\n"

#define WRENCH_DETAILS                                                                             \
  "--wrench fx,fy,fz,nx,ny,nz is exerted by the environment on the last link, at the origin and\n" \
  "in the axes of its frame. LINK=fx,.. is on another link, also on a fixed joint; "               \
  "LINK@x,y,z=..\n"                                                                                \
  "at a point of it, m in its frame; LINK/base=.. and LINK@x,y,z/base=.. in base axes. They add\n" \
  "up. A file may have columns fx,..nz of the last link and fx.LINK,..nz.LINK of others; "         \
  "--wrench\n"                                                                                     \
  "LINK@x,y,z/base without values then says where these act and in which axes.\n"

#define PAGE_DETAILS                                                                               \
  "INPUT is a robot (YAML, JSON, URDF), a snake or a scenario, which is simulated first, and "     \
  "any\n"                                                                                          \
  "number of its recordings and trajectories (.csv with a column t), which are compared. The "     \
  "page\n"                                                                                         \
  "is one HTML file that needs no network: the robot in 3D, playback, plots, and live: sliders,\n" \
  "inverse kinematics, simulation in the page. docs/page.md says more. --package-path: where\n"    \
  "meshes of URDF files are; STL is shown. view writes a temporary file and says which.\n"

#define STUDY_DETAILS                                                                              \
  "STUDY is a file that says what varies, how, what is run and what is measured: "                 \
  "docs/studies.md.\n"                                                                             \
  "--out FILE.db: a SQLite database with a table of samples and their parameters, one of "         \
  "measures,\n"                                                                                    \
  "one of bands over time. It can be read while the study runs. Ctrl-C, a crash or a full disk "   \
  "lose\n"                                                                                         \
  "only the samples under way; --resume goes on, to the same results. Sample k is the same "       \
  "whatever\n"                                                                                     \
  "the number of threads, processes and restarts. 'linkwork-mpi study' does it on a cluster.\n"    \
  "--part K/N computes one of N parts, each into a database of its own, on machines that share "   \
  "nothing.\n"                                                                                     \
  "--sample K computes one sample alone, to the last bit as the database has it.\n"                \
  "columns of --sample: kind,name,value.\n"

#define STUDY_REPORT_DETAILS                                                                       \
  "Tables: summary (each measure: mean, deviation, quantiles, how often its criterion is met), "   \
  "holds\n"                                                                                        \
  "(each criterion and all together, for every choice: the part of the cases with its 95 % "       \
  "interval,\n"                                                                                    \
  "and whether it holds in --level of them: yes, no, or unsure with so few samples), worst\n"      \
  "(its largest and smallest values, with the command that computes that sample alone to the "     \
  "last\n"                                                                                         \
  "bit), impossible (samples without results, and why), convergence (mean, 1 % and 99 % "          \
  "quantile of\n"                                                                                  \
  "the first half, quarter, .. of the samples), tornado (mean of the measure where a parameter "   \
  "is in\n"                                                                                        \
  "its lowest and in its highest tenth), indices (first-order and total Sobol' indices with 95 "   \
  "%\n"                                                                                            \
  "intervals, for the design saltelli), histogram, bands (quantiles over time), samples (all of "  \
  "them,\n"                                                                                        \
  "parameters and measures). csv and json have\n"                                                  \
  "one of them, --table NAME (default summary). --plot draws bands, histograms, tornado and\n"     \
  "convergence; --page writes tables and pictures as one HTML file.\n"

#define SNAKE_SIMULATE_DETAILS                                                                     \
  "columns: t,theta1..thetan,u1,u2,x,y,kinetic,work,S. x, y: the middle of link 1, which "         \
  "begins\n"                                                                                       \
  "at 0, 0. work: of the torques since t = 0, integrated with the motion. S = kinetic - work, "    \
  "J,\n"                                                                                           \
  "the energy function of nia2005: constant up to integration error, and 0 from rest.\n"           \
  "Tables omit the angles. The audit of the run is printed on standard error, below a table, "     \
  "and\n"                                                                                          \
  "written by --audit.\n"                                                                          \
  "\n"                                                                                             \
  "--method lagrange-full integrates all n + 2 coordinates and their rates, as nia2005 does; "     \
  "three\n"                                                                                        \
  "columns more: sideways (m/s, the fastest of the axles), slip_loss, stop_loss (J, counted in "   \
  "S).\n"                                                                                          \
  "Only the equations then keep wheels from moving sideways, and rounding and steps make them\n"   \
  "drift. --stabilise puts the rates back: after every fixed step, or at records with adaptive\n"  \
  "ones. --slip: a wheel slips, braked by its friction_limit, while it would need more. "          \
  "--stops:\n"                                                                                     \
  "joints hit inelastic stops at lower and upper. Both choose lagrange-full, stabilised.\n"        \
  "\n"                                                                                             \
  "The torques come from one of\n"                                                                 \
  "  --torque-law LAW  numbers, t (s), k (joint, 1 to n-1), n (links), pi, + - * / ^, "            \
  "parentheses,\n"                                                                                 \
  "                    sin cos tan exp sqrt abs; evaluated for every joint\n"                      \
  "  --in FILE         columns t,T1..Tn-1, t increasing; linear between lines, constant "          \
  "outside\n"                                                                                      \
  "  --gait serpenoid:ALPHA,BETA,GAMMA  the torques of least norm that bring the joint angles "    \
  "as\n"                                                                                           \
  "                    near as wheels allow to ALPHA sin(BETA k + GAMMA t), rad; with "            \
  "critically\n"                                                                                   \
  "                    damped feedback of 4 GAMMA (at least 1/s). BETA, GAMMA > 0: forwards\n"     \
  "and are zero otherwise. At t = 0 theta_k = pi (-1)^k / 6 and u = 0 (Table II of nia2005), "     \
  "with\n"                                                                                         \
  "a gait its posture and nearest speeds, unless --theta0 and --u0 are given.\n"                   \
  "\n"                                                                                             \
  "Integrators with fixed steps, shortened slightly so that a whole number of them fits "          \
  "between\n"                                                                                      \
  "records: rk4 (default rk4:1e-3), kutta3. With adaptive steps, whose error stays below ATOL "    \
  "+\n"                                                                                            \
  "RTOL |y| in every entry (1e-9 if not given): dormand-prince (or dopri), dop853,\n"              \
  "bogacki-shampine, kutta-merson, fehlberg45; bdf for stiff equations. docs/integrators.md\n"     \
  "says which to choose.\n"                                                                        \
  "Ctrl-C ends the run (exit 130), and so does a motion that is no longer finite (exit 4); "       \
  "what\n"                                                                                         \
  "was computed is kept, also in --out.\n"

#define SIMULATE_DETAILS                                                                           \
  "linkwork simulate SCENARIO\n"                                                                   \
  "linkwork simulate ROBOT --in TRAJECTORY.csv [--control computed-torque|pd|feed-forward]\n"      \
  "\n"                                                                                             \
  "The second form needs no scenario file: the arm starts where the trajectory starts (t, q.., "   \
  "and\n"                                                                                          \
  "qd.., qdd.. if known, as plan and simulate write them), and a controller follows it to its "    \
  "end.\n"                                                                                         \
  "--kp, --kd: for computed-torque in 1/s^2 and 1/s (default 400 and 40); for pd and "             \
  "feed-forward\n"                                                                                 \
  "in N m/rad and N m s/rad (default: these times the inertia of each joint at the start).\n"      \
  "\n"                                                                                             \
  "columns: t,q1..qn,qd1..qdn,qdd1..qddn,tau1..taun; v.. for joints driven by a voltage, i.. "     \
  "if\n"                                                                                           \
  "their motor has inductance; for a controlled arm the reference q_ref..,qd_ref.. and the "       \
  "error\n"                                                                                        \
  "q_err.. = q_ref - q; x,y,z,roll,pitch,yaw of the last link, or of --link and --tool;\n"         \
  "kinetic,potential,work,S.\n"                                                                    \
  "tau: of the drives. kinetic: including the rotors. work: of drives, friction, end stops and\n"  \
  "wrenches since t = 0, integrated along with the motion. S: the energy not accounted for,\n"     \
  "kinetic + potential - work minus its value at t = 0, which is 0 up to integration error.\n"     \
  "--columns selects among these. Tables show positions and energies.\n"                           \
  "\n"                                                                                             \
  "SCENARIO is a file (YAML or JSON, see docs/formats.md): robot, payload, initial state, "        \
  "drives,\n"                                                                                      \
  "controller, friction, wrench, integrator, events. --duration, --dt and --integrator "           \
  "override\n"                                                                                     \
  "what it says. An integrator is NAME:STEP (kutta3, rk4) or NAME:RTOL[,ATOL]\n"                   \
  "(bogacki-shampine, kutta-merson, fehlberg45, dormand-prince, dop853, bdf).\n"                   \
  "\n"                                                                                             \
  "The audit of the run is printed on standard error, below a table, and written by --audit:\n"    \
  "steps, evaluations, energy error, events, limits that were touched, time. A run that fails\n"   \
  "says where and why (exit 4); Ctrl-C ends it (exit 130). What was computed is kept, with\n"      \
  "--out FILE as FILE.partial.\n"

#define DRIVES_DETAILS                                                                             \
  "--in FILE has columns t (s, increasing), q1..qn, qd1..qdn, qdd1..qddn or q.NAME and so on,\n"   \
  "as 'linkwork plan' writes them, and perhaps fx,fy,fz,nx,ny,nz (see 'linkwork help "             \
  "inverse').\n"                                                                                   \
  "columns, a line for each moving joint: joint,name and\n"                                        \
  "  rigid_, rotor_, friction_, torque_ peak and rms   torque of the rigid bodies, of the "        \
  "motor's\n"                                                                                      \
  "                     rotor, of friction, and their sum, N m or N\n"                             \
  "  speed_peak, power_peak, power_mean   rad/s or m/s; W, torque times speed\n"                   \
  "  work, braking      energy that the drive gives to the joint, and takes back from it, J\n"     \
  "  drawn, regenerated energy that the motor takes from its supply, and gives back, J\n"          \
  "  current_peak, current_rms, voltage_peak   A, V of the motor\n"                                \
  "  position_, effort_, velocity_, voltage_, current_ headroom   the fraction of the limit "      \
  "that\n"                                                                                         \
  "                     is left at the worst time, negative beyond it; for a position, of its "    \
  "range\n"                                                                                        \
  "  tightest, tightest_headroom, tightest_time, ok   the limit with the least headroom, and "     \
  "when\n"                                                                                         \
  "Peaks keep their sign. Means are over time, by the trapezoidal rule. Motor columns are "        \
  "empty\n"                                                                                        \
  "for joints without a motor, as are limits that are not given. If a joint exceeds a limit, "     \
  "the\n"                                                                                          \
  "exit code is 1 and standard error says which.\n"                                                \
  "--series FILE: t,tau1..taun,v1..vn,i1..in,power1..powern of every sample, v and i only for\n"   \
  "joints with a motor; with --keep after the columns of --in.\n"                                  \
  "Hydraulic cylinders of the robot file share the torques of the rigid bodies by least "          \
  "squares;\n"                                                                                     \
  "the table has them at its end, and --cylinders writes them instead of the joints, a line "      \
  "for\n"                                                                                          \
  "each: cylinder,force_peak,force_time,pressure_peak,speed_peak,flow_peak,power_peak,\n"          \
  "stroke_least,stroke_most,buckling_safety,buckling_length,stiffness_least,beyond (N, s, Pa, "    \
  "m/s,\n"                                                                                         \
  "m^3/s, W, m, m, -, m, N/m). force: positive pushes. buckling_length: from pin to pin, at "      \
  "which\n"                                                                                        \
  "the largest push would bend the rod. beyond: stroke, pressure, flow or buckling; exit code "    \
  "1.\n"

#define IK_DETAILS                                                                                 \
  "columns: q1..qn,position_error,angle_error,iterations,reached. Errors are in m and rad, only "  \
  "of\n"                                                                                           \
  "what was asked for; reached is 1 if both are below 1e-9, otherwise q is the nearest found.\n"   \
  "Exit 1 if a pose is not reached.\n"                                                             \
  "\n"                                                                                             \
  "--pose x,y,z,roll,pitch,yaw is R = Rz(yaw) Ry(pitch) Rx(roll). --position x,y,z leaves the\n"   \
  "orientation free, --direction only the rotation about z of the pose: three and five degrees "   \
  "of\n"                                                                                           \
  "freedom, for arms with fewer than six. --weights: six numbers, 1/m and 1/rad, what matters "    \
  "how\n"                                                                                          \
  "much if not everything can be reached. --in FILE: a CSV file with columns x,y,z and\n"          \
  "r11,r12,..r33, as 'linkwork pose' writes; each search starts where the previous one ended.\n"   \
  "The search uses damped least squares from --q (default: the middle of the limits), then "       \
  "from\n"                                                                                         \
  "random positions within the limits.\n"                                                          \
  "\n"                                                                                             \
  "--all: every solution in closed form, for six joints if the axes of the last three meet in "    \
  "a\n"                                                                                            \
  "point (spherical wrist), for six joints if axes 2, 3 and 4 are parallel and axes 5 and 6 "      \
  "meet\n"                                                                                         \
  "(UR arms), and for seven joints if axes 1 to 3 meet in a shoulder and 5 to 7 in a wrist.\n"     \
  "Seven joints leave one degree of freedom, the arm angle: from the plane of axis 1 to that "     \
  "of\n"                                                                                           \
  "the elbow, both through shoulder and wrist, about the direction from shoulder to wrist.\n"      \
  "columns: q1..qn,inside,free_joint,position_error,angle_error. inside is 1 within the "          \
  "limits;\n"                                                                                      \
  "free_joint is 0, or a joint that may have any value, as in a wrist whose axes 4 and 6 line "    \
  "up:\n"                                                                                          \
  "this is one solution of many. Full turns are chosen to be nearest to --q.\n"

#define PLAN_DETAILS                                                                               \
  "columns: t,q1..qn,qd1..qdn,qdd1..qddn, every --dt and exactly at the end; 'linkwork inverse\n"  \
  "ROBOT --in -' turns it into torques. The table summarises each joint instead. With "            \
  "--simulate:\n"                                                                                  \
  "what 'linkwork simulate ROBOT --in PLAN' writes.\n"                                             \
  "\n"                                                                                             \
  "  cubic      third order, through all points without stopping; --join clamped: velocity and\n"  \
  "             acceleration are continuous, at rest at the ends; natural: no acceleration at\n"   \
  "             the ends; average: the mean of the slopes, no overshoot, continuous velocity\n"    \
  "  quintic    fifth order, velocity and acceleration are zero at the ends\n"                     \
  "  trapezoid  shortest time within velocity and --acceleration, stops at every point\n"          \
  "  s-curve    the same with --jerk\n"                                                            \
  "  line       the last link goes straight to the pose of --to, to --pose or to --position, "     \
  "at\n"                                                                                           \
  "             constant --velocity; with --acceleration (and --jerk) from rest to rest. "         \
  "--pose\n"                                                                                       \
  "             x,y,z keeps the orientation, --position leaves it free; otherwise it turns "       \
  "about\n"                                                                                        \
  "             one axis, in proportion to the distance\n"                                         \
  "\n"                                                                                             \
  "Velocities stay within the limits of the robot and of --velocity. Without --duration it "       \
  "takes\n"                                                                                        \
  "as long as the slowest joint needs; all joints start and stop together. --in FILE: a CSV "      \
  "file\n"                                                                                         \
  "with all waypoints, columns q1..qn, and t (s) if the times are given.\n"                        \
  "Exit 1 if there is no such trajectory; the message names joint, time and limit.\n"

#endif
