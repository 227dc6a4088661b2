# SPDX-License-Identifier: MIT
"""linkwork: dynamics of robot arms and snake robots, as NumPy arrays.

    import linkwork as lw
    arm = lw.load("robots/panda.yaml")          # YAML, JSON, URDF, snakes
    tau = arm.inverse(q, qd, qdd)               # (n,) or (..., n), N m
    M, b = arm.inertia(q), arm.bias(q, qd)
    run = lw.simulate("scenarios/puma_computed_torque.yaml")

SI units and radians. Gravity is the acceleration vector in the base frame. A wrench is exerted by the environment on the
last link, at the origin of its frame, in that frame: tau = M qdd + C qd + g - J^T w. Jacobians have linear rows first, in
the base frame. Quaternions are x y z w. docs/python.md is the guide.
"""

from . import _native
from . import _questions  # adds the questions to Robot
from ._checks import Check, Checks
from ._display import Page, page
from ._drives import JointDrive, Load
from ._errors import Diagnostic, LinkworkError
from ._fleet import Fleet
from ._generate import Generated
from ._kinematics import IkResult
from ._loops import Closing, LoopRow
from ._ode import IntegratorMethod, Solution, integrate, integrator_methods
from ._parts import Parts, PartsLink, Piece, Solid, mesh, parts, solid, solids
from ._read import lint, load, load_snake, loads, loads_snake
from ._registry import Method, Quantity, Question, formulations, methods, questions
from ._robot import Centroidal, Control, Friction, Joint, Limits, Link, Motor, Pose, Robot, generic
from ._running import NamedArray, NumericalError
from ._simulate import Event, Run, Simulation, simulate
from ._snake import Snake, SnakeLink, SnakeRun, SnakeSimulation, generic_snake, make_snake
from ._trajectory import Trajectory, line, plan, read_trajectory, through
from . import _write  # adds convert() and save() to Robot
from . import _positions  # adds integrate(), difference(), .. to Robot
from ._cylinders import CylinderDef, Cylinders
from ._derivatives import Constant
from ._exact import Exact, Identity, Proof
from ._identify import BaseParameter, BaseParameters, Estimate, Excitation, Identified
from ._linear import Linear, Mode
from ._motors import Converter, Law, MotorPoint, Schedule
from ._program import Commands, Picture, Table, command, commands, draw, example, examples, plot
from ._retime import Cycle, FastestMotion, Section, cycle, fastest
from ._study import Study, StudyResult, merge, study

__version__ = _native.version
__all__ = [name for name in dir() if not name.startswith("_")]
for _name in __all__:
    if isinstance(globals()[_name], type) or (callable(globals()[_name]) and _name != "commands"):
        globals()[_name].__module__ = "linkwork"
