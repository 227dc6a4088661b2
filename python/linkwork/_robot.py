# SPDX-License-Identifier: MIT
"""Robot arms: their joints and links, variants, and the questions about their states."""

import ctypes
import os
import typing

import numpy as np

from . import _native
from ._library import (OK, Closable, Findings, Owned, constant, declared, encode, lib, make, numbers, real_array, text)
from ._errors import LinkworkError
from ._registry import INPUTS, QUESTIONS, methods, unknown

BASE = constant["LW_BASE"]
JOINT_TYPES = {value: name[len("LW_JOINT_"):].lower() for name, value in constant.items()
               if name.startswith("LW_JOINT_") and not name.endswith("_COUNT")}
WITH_METHODS = ("inverse", "inertia", "forward")  # in the order of DEFAULT_METHODS
METHOD_KINDS = {question.name: WITH_METHODS.index(kind) for question in QUESTIONS.values()
                for kind in WITH_METHODS if question.methods == QUESTIONS[kind].index}
DEFAULT_METHODS = ("auto", "auto", "auto")


class Pose(typing.NamedTuple):
    """Pose of a frame: position (..., 3) in m and rotation (..., 3, 3), both in the base frame.

    The columns of the rotation are the axes of the frame in base coordinates.
    """

    position: np.ndarray
    rotation: np.ndarray

    @property
    def matrix(self):
        """Homogeneous transforms (..., 4, 4) from the frame to the base."""
        matrix = np.zeros((*self.position.shape[:-1], 4, 4), self.position.dtype)
        matrix[..., :3, :3] = self.rotation
        matrix[..., :3, 3] = self.position
        matrix[..., 3, 3] = 1
        return matrix

    @property
    def rpy(self):
        """Roll, pitch and yaw (..., 3), rad: the rotation is Rz(yaw) Ry(pitch) Rx(roll)."""
        return self._convert(3)

    @property
    def quaternion(self):
        """Unit quaternions x y z w (..., 4) with w >= 0."""
        return self._convert(4)

    def _convert(self, size):
        rotations = np.ascontiguousarray(self.rotation, dtype=np.float64).reshape(-1, 9)
        out = np.empty((len(rotations), size))
        _native.convert_rotations(rotations, out)
        return out.reshape(*self.position.shape[:-1], size)


class Centroidal(typing.NamedTuple):
    """Centre of mass (m), momentum (kg m/s), angular momentum about the centre of mass (kg m^2/s), and the rates of both (N,
    N m), each (..., 3) in the base frame."""

    com: np.ndarray
    momentum: np.ndarray
    angular_momentum: np.ndarray
    momentum_rate: np.ndarray
    angular_momentum_rate: np.ndarray


class Control(typing.NamedTuple):
    """Bias and gravity torques (..., n), dJ/dt qd (..., 6), Pose and Jacobian (..., 6, n) of a frame, inertia matrix (..., n,
    n)."""

    bias: np.ndarray
    gravity: np.ndarray
    jacobian_rate: np.ndarray
    pose: Pose
    jacobian: np.ndarray
    inertia: np.ndarray


class Record:
    """Named values with a readable repr()."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        words = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({words})"

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__


class Limits(Record):
    """lower, upper (rad or m), velocity (rad/s or m/s), effort (N m or N), acceleration (rad/s^2 or
    m/s^2) and jerk (rad/s^3 or m/s^3); infinite where there is none."""


class Friction(Record):
    """viscous (N m s/rad or N s/m) and coulomb (N m or N)."""


class Motor(Record):
    """A DC motor behind a gear, SI units: resistance, torque_constant, gear, rotor_inertia, inductance, efficiency,
    and the limits voltage and current."""


class Link(Record):
    """name, mass (kg), com (3, m) and inertia (3, 3, kg m^2, about the centre of mass), in link axes."""


class Joint(Record):
    """name, type, parent (the name of the link that carries it), link, limits, friction, armature (kg m^2 or kg),
    motor (or None), mimic (or None) and index in the description."""


DOUBLE, SINGLE = np.dtype(np.float64), np.dtype(np.float32)


def _needs_inertia(question):
    """Whether a question has no answer where nothing resists a joint."""
    return bool(question.chooses & constant["LW_CHOOSES_ROTORS"])


def _frozen(value):
    """Lists and arrays as tuples, which can be part of a key."""
    if type(value) is np.ndarray:
        value = value.tolist()
    if type(value) is not list and type(value) is not tuple:
        return value
    return tuple([entry if type(entry) in PLAIN else _frozen(entry) for entry in value])


def _bodies(payload):
    """Key of a payload, or None."""
    return None if payload is None else tuple([(link, body if type(body) in PLAIN else _frozen(body))
                                                      for link, body in payload.items()])


PLAIN = (float, int)
DTYPE = 7  # its place among the options of a choice


def _choice(index, single, method, link, tool, rotors, refine, gravity, payload, dtype, open_tree):
    """Key of a question with its options."""
    return (index, single, method, link, tool if tool is None else tuple(tool), rotors, refine,
            gravity if gravity is None else tuple(gravity), _bodies(payload), dtype, open_tree)


def _link(link, name):
    xx, yy, zz, xy, xz, yz = link.inertia
    return Link(name=text(link.name) or name, mass=link.mass, com=np.array(link.com),
                inertia=np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def _fields(kind, struct, skip=()):
    return kind(**{name: getattr(struct, name) for name, *_ in struct._fields_ if name not in skip})


def _joint(robot, i):
    joint = robot.joints[i]
    parent = robot.base if joint.parent == BASE else robot.joints[joint.parent].link
    carrier = text(parent.name) or ("base" if joint.parent == BASE else text(robot.joints[joint.parent].name))
    mimic = None
    if joint.mimic.given:
        mimic = (text(robot.joints[joint.mimic.leader].name), joint.mimic.multiplier, joint.mimic.offset)
    return Joint(name=text(joint.name), type=JOINT_TYPES[joint.type], parent=carrier,
                 link=_link(joint.link, text(joint.name)), limits=_fields(Limits, joint.limits),
                 friction=_fields(Friction, joint.friction),
                 armature=joint.armature, motor=_fields(Motor, joint.motor, ("given",)) if joint.motor.given else None, mimic=mimic, index=i)


class Names:
    """Names of the entries of q, or of qd and tau, and of joints that have several entries."""

    def __init__(self, coordinates, neutral):
        self.names = [name for _, name in coordinates]
        self.places = {name: i for i, name in enumerate(self.names)}
        self.neutral = neutral
        self.slices = {name: slice(i, i + 1) for i, name in enumerate(self.names)}
        for joint in dict.fromkeys(joint for joint, _ in coordinates):
            places = [i for i, (owner, _) in enumerate(coordinates) if owner == joint]
            self.slices.setdefault(joint, slice(places[0], places[-1] + 1))

    def scalars(self, values):
        """One array from a mapping from names to floats; None if something is not that simple."""
        out = self.neutral.copy()
        try:
            for name, value in values.items():
                kind = type(value)
                if kind is not float and kind is not int and kind is not np.float64:
                    return None
                out[self.places[name]] = value
        except KeyError:
            return None
        return out

    def array(self, values, what, robot):
        """Turns a mapping from names to numbers (or arrays) into one array; missing names are zero."""
        for name in values:
            if name not in self.slices:
                raise unknown(f"joint of {robot} for {what}", name, list(self.slices))
        parts = {}
        for name, value in values.items():
            array = real_array(value, f"{what}[{name!r}]")
            width = self.slices[name].stop - self.slices[name].start
            if width == 1:
                array = array[..., None]
            elif array.ndim == 0 or array.shape[-1] != width:
                raise ValueError(f"{what}[{name!r}] has the shape {array.shape}, expected {width} entries in the last axis")
            parts[name] = array
        lead = np.broadcast_shapes(*(part.shape[:-1] for part in parts.values())) if parts else ()
        single = parts and all(part.dtype == np.float32 for part in parts.values())
        out = np.empty((*lead, len(self.names)), np.float32 if single else np.float64)
        out[...] = self.neutral
        for name, part in parts.items():
            out[..., self.slices[name]] = part
        return out


WRENCH = Names([(part, part) for part in ("fx", "fy", "fz", "nx", "ny", "nz")], np.zeros(6))


def _coordinates(model, robot):
    """(joint, name) of each entry of q, and of qd."""
    joints = robot.joints
    if "lw_model_position" not in declared.FUNCTIONS:
        same = [(text(joints[lib.lw_model_joint(model, i)].name),) * 2 for i in range(lib.lw_model_dof(model))]
        return same, same
    def entries(function, count):
        found = (function(model, i) for i in range(count))
        return [(text(joints[entry.joint].name), text(entry.name)) for entry in found]
    return entries(lib.lw_model_position, lib.lw_model_nq(model)), entries(lib.lw_model_velocity, lib.lw_model_dof(model))


def _neutral(model, nq):
    q = np.zeros(nq)
    if "lw_model_neutral" in declared.FUNCTIONS and nq:
        lib.lw_model_neutral(model, q.ctypes.data)
    return q


def model_options(gravity=None, base_rpy=None, fix=(), estimate_inertia=False, density=None, packages=(), strict=False,
                  pedantic=False, allow_bad_inertia=False, allow_inert=False, free_mimics=False, floating=False):
    """lwModelOptions, and the objects it points to, which must outlive it."""
    options = declared.lwModelOptions()
    kept = []
    if gravity is not None:
        kept.append(numbers(gravity, (3,), "gravity"))
        options.mount.gravity = kept[-1].ctypes.data
    if base_rpy is not None:
        kept.append(numbers(base_rpy, (3,), "base_rpy"))
        options.mount.base_rpy = kept[-1].ctypes.data
    options.mount.floating = bool(floating)
    if fix:
        options.read.fix = encode(fix if isinstance(fix, str) else ",".join(fix))
    if packages:
        listed = [packages] if isinstance(packages, (str, os.PathLike)) else packages
        options.read.packages = encode(os.pathsep.join(os.fspath(folder) for folder in listed))
    options.read.estimate_inertia = bool(estimate_inertia)
    if density is not None:
        options.read.density = float(density)
    options.lint.strict, options.lint.pedantic = bool(strict), bool(pedantic)
    options.lint.allow_bad_inertia, options.lint.allow_inert = bool(allow_bad_inertia), bool(allow_inert)
    options.joints.free_mimics = bool(free_mimics)
    return options, kept


def _flat_wrench(wrench, count):
    """Wrenches (.., count, 6), or (.., 6) for one place, with 6 count entries in the last axis."""
    array = real_array(np.zeros((count, 6)) if wrench is None else wrench, "wrench")
    if count == 1 and array.shape[-1:] == (6,) and array.shape[-2:] != (1, 6):
        return array
    if array.shape[-2:] != (count, 6):
        raise ValueError(f"wrench has the shape {array.shape}, expected (..., {count}, 6): one for each place of at=")
    return array.reshape(*array.shape[:-2], 6 * count)


AXES = {name[len("LW_AXES_"):].lower(): value for name, value in constant.items() if name.startswith("LW_AXES_")}


def wrench_places(arm, at):
    """lwWrenchPlace structs from link names, (link, point) or (link, point, axes)."""
    places = (declared.lwWrenchPlace * max(1, len(at)))()
    for place, given in zip(places, at):
        link, point, axes = (given, None, None) if isinstance(given, str) else (*given, None, None)[:3]
        place.joint = arm._link_index(link)
        if place.joint == BASE:
            raise LinkworkError(f"a wrench on '{link}', the base of {arm.name}, moves nothing")
        place.xyz[:] = numbers((0, 0, 0) if point is None else point, (3,), f"point of the wrench on '{link}'").tolist()
        if axes is not None and axes not in AXES:
            raise unknown("axes of wrenches", axes, list(AXES))
        place.axes = AXES.get(axes, place.axes)
    return places


class Robot(Closable):
    """An arm, or a tree of arms: an immutable model that any number of threads may share.

    load() reads one from a file. Arrays have the robot's independent joints in their last axis (joint_names says which),
    and any number of axes before it. SI units and radians; results are in the frames of the robot file.
    """

    def __init__(self, owned, diagnostics=(), threads=0):
        self._owned = owned
        self._variants = {}
        self._solvers = {}
        self._threads = int(threads)
        self.diagnostics = list(diagnostics)
        model = owned.pointer
        self._definition = lib.lw_model_robot(model).contents
        self._definition_owner = owned
        self.name = text(lib.lw_model_name(model))
        self.dof = lib.lw_model_dof(model)
        self._refused = frozenset(question.index for question in QUESTIONS.values()
                                  if lib.lw_question_check(model, question.index, False, None) != OK)
        self.nq = lib.lw_model_nq(model) if "lw_model_nq" in declared.FUNCTIONS else self.dof
        positions, velocities = _coordinates(model, self._definition)
        neutral = _neutral(model, self.nq)
        self._q_names = Names(positions, neutral)
        self._quaternions = [int(i) - 3 for i in np.flatnonzero(neutral)]  # where they begin; w is the last entry
        self._qd_names = Names(velocities, np.zeros(self.dof))
        self._shapes = tuple(question.shape(self.dof, self._definition.count, lib.lw_question_outputs(model, question.index))
                             for question in QUESTIONS.values())
        self._choices = {}  # solvers by question and options, for the next call with them
        self._inert = lib.lw_model_inert(model) >= 0
        solver = self._make_solver(DEFAULT_METHODS)
        self._plain = tuple(None if question.index in self._refused or (self._inert and _needs_inertia(question)) else solver
                            for question in QUESTIONS.values())

    def close(self):
        """Frees the model once no call uses it any more. Closing again is allowed."""
        self._plain = (None,) * len(self._plain)
        self._solvers, self._choices, self._definition = {}, {}, None
        variants, self._variants = self._variants, {}
        for variant in variants.values():
            variant.close()
        # The model is freed when the last call, solver or run that holds it ends.
        self._owned = self._definition_owner = None

    # --- properties

    @property
    def joint_names(self):
        """Names of the entries of qd, qdd and tau; also of q if every joint has one degree of freedom."""
        return list(self._qd_names.names)

    @property
    def position_names(self):
        """Names of the entries of q."""
        return list(self._q_names.names)

    @property
    def joints(self):
        """All joints of the description, fixed ones included, as Joint objects."""
        robot = self._description()
        return [_joint(robot, i) for i in range(robot.count)]

    @property
    def link_names(self):
        """Names of the moving links; link= accepts these, names of joints, and the name of the base."""
        return [joint.link.name for joint in self.joints]

    @property
    def gravity_vector(self):
        """Acceleration of gravity in the base frame (3), m/s^2."""
        return np.array(self._description().gravity)

    @property
    def origin(self):
        """Source of the robot's data, or None."""
        return text(self._description().origin)

    @property
    def file(self):
        """The file that it was read from, or None."""
        return text(self._description().file)

    @property
    def is_serial(self):
        """True if every moving joint is carried by the one before it."""
        return bool(lib.lw_model_is_serial(self._pointer()))

    @property
    def lower(self):
        """Lower position limits (nq), rad or m; -inf if there is none."""
        return self._limit("lower", -np.inf)

    @property
    def upper(self):
        """Upper position limits (nq), rad or m; inf if there is none."""
        return self._limit("upper", np.inf)

    def neutral(self):
        """The zero position (nq): zeros, and 1 as the last entry of each quaternion."""
        return self._q_names.neutral.copy()

    def random(self, shape=(), seed=None):
        """Positions (*shape, nq), uniform within the limits of the joints, or within +-pi and +-1 m where there are none, and
        uniform rotations. seed: an integer or a numpy.random.Generator."""
        random = np.random.default_rng(seed)
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        types = {joint.name: joint.type for joint in self.joints}
        wide = np.array([np.pi if types.get(name) == "revolute" else 1.0 for name in self._q_names.names])
        lower, upper = self.lower, self.upper
        lower, upper = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * wide, -wide)), np.where(
            np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + 2 * wide, wide))
        q = random.uniform(lower, upper, (*shape, self.nq))
        for i in self._quaternions:
            turn = random.standard_normal((*shape, 4))
            q[..., i:i + 4] = turn / np.linalg.norm(turn, axis=-1, keepdims=True)
        return q

    def _limit(self, side, none):
        limits = {joint.name: getattr(joint.limits, side) for joint in self.joints}
        return np.array([limits.get(name, none) for name in self._q_names.names])

    def _description(self):
        self._pointer()
        return self._definition

    def _require_plain(self, what):
        """Raises an error unless all joints have one degree of freedom, as some functions require."""
        self._pointer()
        if self.nq != self.dof:
            raise LinkworkError(f"{what} does not support quaternions, and {self.name} has ball or floating joints")

    def _model(self):
        """The model pointer with its owner."""
        self._pointer()
        return self._owned

    # --- variants

    def replace(self, *, gravity=None, base_rpy=None, payload=None, hold=None, free=None, free_mimics=False):
        """The same robot with other gravity, with payloads, or with joints held.

        gravity   (3) acceleration in the base frame, m/s^2; (0, 0, -1.62) is the Moon
        base_rpy  (3) roll, pitch and yaw of the base in the world, rad; gravity is then given in world axes
        payload   {link: mass} or {link: (mass, com)} or {link: (mass, com, inertia)}: bodies attached to links; kg, com (3)
                  from the link's origin in link axes, m, inertia (3, 3) about the body's own centre of mass, kg m^2
        hold      {joint: position}: these joints are fixed there, rad or m
        free      names of the joints that stay free; all others are held, at `hold` or at zero
        """
        robot = self._copied_description()
        options, kept = model_options(gravity, base_rpy, allow_bad_inertia=True, allow_inert=True, free_mimics=free_mimics)
        joints = (declared.lwJointDef * robot.count)()
        if robot.count:
            ctypes.memmove(joints, robot.joints, ctypes.sizeof(joints))
        robot.joints = ctypes.cast(joints, ctypes.POINTER(declared.lwJointDef))
        for link, body in (payload or {}).items():
            self._add_payload(joints, link, body)
        if hold or free is not None:
            kept += self._hold(options, hold or {}, free)
        owned, findings = make(lib.lw_model_create, lib.lw_model_destroy, ctypes.byref(robot), ctypes.byref(options))
        return Robot(owned, [finding for finding in findings if finding.severity == "error"], self._threads)

    def _copied_description(self):
        robot = declared.lwRobotDef()
        ctypes.memmove(ctypes.byref(robot), ctypes.byref(self._description()), ctypes.sizeof(robot))
        return robot

    def _add_payload(self, joints, link, body):
        place = self._link_index(link)
        if place == BASE:
            raise LinkworkError(f"the base of {self.name} carries no payload: it does not move")
        mass, com, inertia = body if isinstance(body, (tuple, list)) and len(body) == 3 else (
            (*body, None) if isinstance(body, (tuple, list)) and len(body) == 2 else (body, None, None))
        mass = float(mass)
        if not 0 <= mass < 1e30:
            raise ValueError(f"payload of '{link}': the mass is {mass}, expected 0 or more kg")
        com = numbers((0, 0, 0) if com is None else com, (3,), f"com of the payload of '{link}'")
        tensor = numbers(np.zeros((3, 3)) if inertia is None else inertia, (3, 3), f"inertia of the payload of '{link}'")
        six = np.array([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]])
        lib.lw_link_def_add(ctypes.byref(joints[place].link), mass, com.ctypes.data, six.ctypes.data)

    def _hold(self, options, hold, free):
        independent = list(dict.fromkeys(text(lib.lw_model_joint_name(self._pointer(), i)) for i in range(self.dof)))
        if free is None:
            free = [name for name in independent if name not in hold]
            for name in hold:
                if name not in independent:
                    raise unknown(f"joint to hold of {self.name}", name, independent)
        free = [free] if isinstance(free, str) else list(free)
        names = (ctypes.c_char_p * max(1, len(free)))(*map(encode, free))
        holds = (declared.lwHold * max(1, len(hold)))()
        for entry, (joint, value) in zip(holds, hold.items()):
            entry.joint, entry.value = encode(joint), float(value)
        options.joints.free = ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p))
        options.joints.free_count = len(free)
        options.joints.holds = ctypes.cast(holds, ctypes.POINTER(declared.lwHold))
        options.joints.hold_count = len(hold)
        return [names, holds]

    def _variant(self, gravity, payload):
        """replace() for one call; the result is cached for the next call."""
        key = (None if gravity is None else tuple(float(x) for x in np.ravel(gravity)), repr(_bodies(payload)))
        found = self._variants.get(key)
        if found is None:
            if len(self._variants) >= 16:
                self._variants.pop(next(iter(self._variants)))
            found = self._variants[key] = self.replace(gravity=gravity, payload=payload)
        return found

    # --- links and frames

    def _link_index(self, name):
        found = ctypes.c_int()
        if lib.lw_model_find_link(self._pointer(), encode(name), ctypes.byref(found)) != 0:
            raise unknown(f"link of {self.name}", name, self.link_names)
        return found.value

    def frames(self, q, links, **options):
        """Poses of the links that are named, in one call and in their order: Pose(position (..., len(links), 3), rotation (...,
        len(links), 3, 3)), base frame. Options are those of poses().
        """
        joints = [self._link_index(name) for name in links]
        if -1 in joints:
            raise ValueError(f"'{links[joints.index(-1)]}' is the base, whose frame is the base frame")
        poses = self.poses(q, **options)
        return type(poses)(poses.position[..., joints, :], poses.rotation[..., joints, :, :])

    def _frame(self, link, tool):
        """joint, x, y, z, roll, pitch, yaw, or None for the last link's own frame."""
        if link is None and tool is None:
            return None
        joint = self._description().count - 1 if link is None else self._link_index(link)
        place = np.zeros(6)
        if tool is not None:
            given = real_array(tool, "tool")
            if given.shape not in ((3,), (6,)):
                raise ValueError(f"tool has the shape {given.shape}, expected x y z, or x y z roll pitch yaw")
            place[:given.shape[0]] = given
        return (joint, *map(float, place))

    # --- solvers

    def _make_solver(self, names, single=False, rotors=False, refine=0, frame=None, places=None):
        key = (names, single, rotors, refine, frame, places)
        found = self._solvers.get(key)
        if found is not None:
            return found
        try:
            solver = _native.Solver(self._pointer(), self._model(), self.nq, self._shapes, names, single, rotors, refine,
                                    frame, self._threads, tuple(self._quaternions), places)
        except _native.Error as error:
            raise LinkworkError(f"{self.name}: {error}") from None
        if len(self._solvers) >= 64:
            self._solvers.pop(next(iter(self._solvers)))
        self._solvers[key] = solver
        return solver

    @property
    def threads(self):
        """Threads used for large batches; 0: all that the process may use."""
        return self._threads

    def method(self, question, method=None):
        """Name of the method that answers a question, with 'auto' resolved for this robot."""
        solver = self._make_solver(self._methods(question, method))
        return solver.method(QUESTIONS[question].index)

    def _methods(self, question, method):
        if question not in QUESTIONS:
            raise unknown("question", question, list(QUESTIONS))
        names = list(DEFAULT_METHODS)
        if method is not None:
            place = METHOD_KINDS.get(question)
            if place is None:
                raise LinkworkError(f"'{question}' has one method only; leave method out")
            known = methods(WITH_METHODS[place])
            spelt = [word for entry in known for word in (entry.name, *entry.aliases)]
            if method not in spelt and method != "auto":
                raise unknown(f"method for {question}", method, spelt)
            names[place] = method
        return tuple(names)

    # --- questions: the methods inverse, forward, .. are made from the registry, in _questions.py

    def _chosen(self, index, *options):
        """The solver that answered this question with these options before, or None."""
        try:
            return self._choices.get(_choice(index, options[DTYPE] is not None and np.dtype(options[DTYPE]) is SINGLE, *options))
        except (AttributeError, TypeError):  # what is wrong is for _ask() to say
            return None

    def _remember(self, index, single, solver, options):
        try:
            key = _choice(index, single, *options)
            hash(key)
        except (AttributeError, TypeError):
            return
        if len(self._choices) >= 256:
            self._choices.pop(next(iter(self._choices)))
        self._choices[key] = solver

    def _retry(self, solver, index, given, options, out, check):
        """The fast path again: floats in single precision; lists, dictionaries, and arrays of other types or with gaps as
        contiguous doubles; NotImplemented if that is not enough."""
        if type(given["q"]) is np.ndarray and given["q"].dtype is SINGLE:
            narrow = self._choices.get(_choice(index, True, *options))
            result = NotImplemented if narrow is None else narrow.answer(index, *map(given.get, INPUTS), out, check)
            if result is not NotImplemented or all(value is None or getattr(value, "dtype", None) is SINGLE
                                                   for value in given.values()):
                return result
        arrays = [None] * len(INPUTS)
        for name, value in given.items():
            if value is None:
                continue
            kind = type(value)
            if kind is dict:
                value = (WRENCH if name == "wrench" else self._q_names if name == "q" else self._qd_names).scalars(value)
                if value is None:
                    return NotImplemented
            elif kind is list or kind is tuple:
                value = np.array(value)
            elif kind is not np.ndarray:
                return NotImplemented
            if value.dtype is not DOUBLE or not value.flags.c_contiguous:
                if value.dtype.kind not in "fiu" or not value.ndim:
                    return NotImplemented
                value = np.ascontiguousarray(value, np.float64)
            arrays[INPUTS.index(name)] = value
        return solver.answer(index, *arrays, out, check)

    def _ask(self, question, given, out=None, dtype=None, method=None, link=None, tool=None, rotors=False, refine=0,
             gravity=None, payload=None, open_tree=False, at=None, check=True):
        """The general path, for types, shapes and methods that the fast path does not handle."""
        self._pointer()
        robot = self if gravity is None and payload is None else self._variant(gravity, payload)
        places = None if at is None else wrench_places(robot, [at] if isinstance(at, str) else at)
        if places is not None:
            given = {**given, "wrench": _flat_wrench(given.get("wrench"), len(at) if not isinstance(at, str) else 1)}
        if self._closes(question) and not open_tree:
            return robot._ask_closed(question, given, out, dtype, method, link, tool, rotors, places)
        arrays = {name: self._state(name, value) if name != "wrench" or places is None else value
                  for name, value in given.items() if value is not None}
        wanted = self._result_type(arrays, dtype)
        lead = self._leading(arrays)
        rows = [None] * len(INPUTS)
        for name, array in arrays.items():
            whole = np.broadcast_to(array, (*lead, array.shape[-1]))
            rows[INPUTS.index(name)] = np.require(whole, np.float64, ["C", "A"])
        self._check_quaternions(rows[INPUTS.index("q")])
        robot._refuse_untaken(question, open_tree)
        robot._refuse_inert(question, rotors)
        single = wanted == np.float32
        solver = robot._make_solver(self._methods(question.name, method), single, bool(rotors), int(refine),
                                    self._frame(link, tool), None if places is None else bytes(places))
        if places is None:
            self._remember(question.index, single, solver,
                           (method, link, tool, rotors, refine, gravity, payload, dtype, open_tree))
        target = self._target(question, lead, out, rows)
        try:
            result = solver.answer(question.index, *rows, target, bool(check))
        except _native.NotFinite as error:
            raise self._not_finite(error, given) from None
        if result is NotImplemented:
            raise LinkworkError(f"{question.name}: the arrays do not fit together")
        if out is None:
            return result.astype(wanted, copy=False)
        if target is not out:
            out[...] = result
        return out

    def _check_quaternions(self, q):
        for i in self._quaternions if q is not None else ():
            length = np.linalg.norm(q[..., i:i + 4], axis=-1)
            wrong = length[np.abs(length - 1) > 1e-6]
            if wrong.size:
                raise ValueError(f"q: the quaternion in entries {i} to {i + 3} has the length {wrong[0]:.6g}, expected 1 to "
                                 "within 1e-6")

    def _closes(self, question):
        """Whether the question is answered with the loops of the robot closed, in its speeds."""
        return question.index in self._refused and question.takes & constant["LW_TAKES_CLOSING"] and \
            lib.lw_model_loop_count(self._pointer()) > 0

    def _refuse_untaken(self, question, open_tree):
        if question.index not in self._refused:
            return
        with Findings() as findings:
            findings.require(lib.lw_question_check(self._pointer(), question.index, bool(open_tree), findings.pointer),
                             self.name)

    def _refuse_inert(self, question, rotors):
        if not _needs_inertia(question):
            return
        find = lib.lw_model_inert_driven if rotors else lib.lw_model_inert
        inert = find(self._pointer())
        if inert >= 0:
            name = text(self._description().joints[inert].name)
            raise LinkworkError(f"forward dynamics of {self.name} is impossible: nothing resists joint '{name}'")

    def _state(self, name, value):
        """One input as an array of real numbers whose last axis has the right length."""
        names = self._q_names if name == "q" else self._qd_names
        if isinstance(value, dict):
            if name == "wrench":
                return self._wrench(value)
            return names.array(value, name, self.name)
        array = real_array(value, name)
        width = 6 if name == "wrench" else len(names.names)
        if array.ndim == 0 and width == 1:
            array = array[None]
        if array.ndim == 0 or array.shape[-1] != width:
            raise ValueError(self._wrong_shape(name, array.shape, width, names))
        return array

    def _wrench(self, values):
        return WRENCH.array(values, "wrench", self.name)

    def _wrong_shape(self, name, shape, width, names):
        if name == "wrench":
            return f"wrench has the shape {shape}, expected (..., 6): fx fy fz nx ny nz on the last link, N and N m"
        words = f"{name} has the shape {shape}, expected (..., {width}): one entry for each joint of {self.name}"
        if shape and 0 < shape[-1] < width:
            return f"{words}; there is no value for '{names.names[shape[-1]]}' (number {shape[-1] + 1} of {self._list(names)})"
        if shape and shape[-1] > width:
            return f"{words}; {shape[-1] - width} too many after the last joint, '{names.names[-1]}'" if width else words
        return f"{words}: {self._list(names)}"

    @staticmethod
    def _list(names):
        return ", ".join(names.names[:20]) + (", .." if len(names.names) > 20 else "")

    @staticmethod
    def _result_type(arrays, dtype):
        if dtype is not None:
            wanted = np.dtype(dtype)
            if wanted not in (np.float32, np.float64):
                raise TypeError(f"dtype is {wanted}, expected float32 or float64")
            return wanted
        single = bool(arrays) and all(array.dtype == np.float32 for array in arrays.values())
        return np.dtype(np.float32 if single else np.float64)

    @staticmethod
    def _leading(arrays):
        try:
            return np.broadcast_shapes(*(array.shape[:-1] for array in arrays.values()))
        except ValueError:
            shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
            raise ValueError(f"the axes before the last do not fit together: {shapes}") from None

    def _target(self, question, lead, out, rows):
        """out itself if the answer can be written into it directly, else None."""
        if out is None:
            return None
        shape = (*lead, *self._shapes[question.index])
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out is a {type(out).__name__}, expected a NumPy array")
        if out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}, expected {shape} for {question.name}")
        if not out.flags.writeable:
            raise ValueError("out is read-only")
        if out.dtype.kind != "f":
            raise TypeError(f"out has the type {out.dtype}, expected float64 or float32")
        direct = type(out) is np.ndarray and _native.address(out, True) is not None
        apart = not any(row is not None and np.may_share_memory(row, out) for row in rows)
        return out if direct and apart else None

    def _not_finite(self, error, given):
        place, state, entry = error.args
        name = INPUTS[place]
        names = {"q": self._q_names.names, "wrench": WRENCH.names}.get(name, self._qd_names.names)
        arrays = {key: np.asarray(value) if key == "wrench" and not isinstance(value, dict) else self._state(key, value)
                  for key, value in given.items() if value is not None}
        lead = self._leading(arrays)
        index = (*np.unravel_index(state, lead), entry) if lead else (entry,)
        value = np.broadcast_to(arrays[name], (*lead, arrays[name].shape[-1]))[index]
        spelt = ", ".join(str(int(i)) for i in index)
        what = f"'{names[entry % 6]}' of the wrench" if name == "wrench" else f"joint '{names[entry]}'"
        return ValueError(f"{name}[{spelt}] is {value}: {what} of {self.name} needs a finite number")

    # --- operation counts

    def counts(self, question=None, method=None):
        """Operations of the methods on this robot: a list of dictionaries with question, method, mul, add, div, sqrt
        (folded: arithmetic among constants of the robot, or with a structural 0 or +-1, is not counted, as in the literature),
        executed_mul .. executed_sqrt (every operation performed), and printed, the count that the literature gives for
        a general robot with as many joints, or None. Trigonometry is not counted."""
        chosen = [entry for entry in methods(question) if entry.question != "snake"]
        if method is not None:
            named = [entry for entry in chosen if method == entry.name or method in entry.aliases]
            if not named:
                raise unknown("method", method, [entry.name for entry in chosen])
            chosen = named
        return [self._count(entry) for entry in chosen]

    def _count(self, entry):
        count = declared.lwCount()
        with Findings() as findings:
            findings.require(lib.lw_method_measure(self._pointer(), entry.index, ctypes.byref(count)))
        return count_record(entry, count, self.dof)

    def __repr__(self):
        if self.closed:
            return "<linkwork.Robot, closed>"
        return f"<linkwork.Robot '{self.name}': {self.dof} degrees of freedom: {self._list(self._qd_names)}>"

    def __reduce__(self):
        from ._write import robot_text
        return _unpickle, (robot_text(self, "yaml"), self._threads)


def count_record(entry, count, n):
    record = {"question": entry.question, "method": entry.name}
    record.update({name: getattr(count, name) for name, *_ in count._fields_})
    record["printed"] = None
    if entry.printed:
        power = [n**k for k in range(4)]
        record["printed"] = {kind: float(np.dot(entry.printed[kind], power)) for kind in ("mul", "add")}
        record["printed"]["source"] = entry.printed["source"]
    return record


def _unpickle(words, threads):
    from ._read import loads
    return loads(words, threads=threads, allow_inert=True, allow_bad_inertia=True)


def robot_from(owned, diagnostics, threads=0):
    """A Robot for a model created by the library."""
    return Robot(owned, diagnostics, threads)


def generic(n, threads=0):
    """A serial chain of n revolute joints without special angles, lengths or inertias; the same on every machine."""
    if not 1 <= n <= constant["LW_MAX_JOINTS"]:
        raise ValueError(f"n is {n}, expected 1 to {constant['LW_MAX_JOINTS']}")
    owned, _ = make(lib.lw_model_create_generic, lib.lw_model_destroy, int(n), diag=False)
    return Robot(owned, (), threads)


