# SPDX-License-Identifier: MIT
"""Inverse kinematics: one solution by iteration, all of them in closed form."""

import ctypes
import dataclasses
import typing

import numpy as np

from ._library import Findings, Owned, constant, declared, lib, make, numbers, text
from ._errors import LinkworkError
from ._robot import Pose, Robot


@dataclasses.dataclass(frozen=True)
class IkResult:
    """Joint positions q (nq), rad or m, and the remaining distance of the frame from its target."""

    q: np.ndarray
    reached: bool
    """True if both errors are within the tolerances and, for ik_all(), q is within the joint limits."""
    position_error: float
    """m"""
    angle_error: float
    """rad"""
    iterations: int = 0
    restarts: int = 0
    free_joint: typing.Optional[str] = None
    """From ik_all(): a joint that is free because this solution is one of a one-parameter family."""


def make_workspace(arm, link=None, tool=None):
    """An lwWorkspace of the arm for that frame."""
    definition = lib.lw_workspace_def()
    definition.open_tree = True  # what uses it keeps loops closed
    owned, _ = make(lib.lw_workspace_create, lib.lw_workspace_destroy, arm._pointer(), ctypes.byref(definition),
                    kept=(arm._model(),))
    frame = arm._frame(link, tool)
    if frame is not None:
        chosen = declared.lwFrame(joint=frame[0])
        chosen.xyz[:], chosen.rpy[:] = frame[1:4], frame[4:7]
        with Findings() as findings:
            findings.require(lib.lw_workspace_set_frame(owned.pointer, arm._pointer(), ctypes.byref(chosen), findings.pointer))
    return owned


def rotation_from(rotation=None, rpy=None, quaternion=None):
    """The rotation (3, 3) given in one of three forms, or None."""
    if sum(value is not None for value in (rotation, rpy, quaternion)) > 1:
        raise ValueError("give one of rotation, rpy and quaternion")
    if rpy is not None:
        angles, out = numbers(rpy, (3,), "rpy"), np.empty((3, 3))
        lib.lw_rotation_rpy(angles.ctypes.data, out.ctypes.data)
        return out
    if quaternion is not None:
        x, y, z, w = numbers(quaternion, (4,), "quaternion")
        length = x * x + y * y + z * z + w * w
        if not abs(length - 1) < 1e-6:
            raise ValueError(f"quaternion has the length {length ** 0.5:g}, expected 1; its order is x y z w")
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    if rotation is None:
        return None
    matrix = numbers(rotation, (3, 3), "rotation")
    if not np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-6) or np.linalg.det(matrix) < 0:
        raise ValueError("rotation is not a rotation: its rows must be orthonormal, its determinant 1")
    return matrix


def _target(position, rotation, rpy, quaternion, direction, weights):
    if isinstance(position, Pose):
        position, rotation = position.position, position.rotation
    turned = rotation_from(rotation, rpy, quaternion)
    target = lib.lw_target_position() if turned is None else (
        lib.lw_target_direction() if direction else lib.lw_target_pose())
    target.position[:] = numbers(position, (3,), "position").tolist()
    if turned is not None:
        target.rotation[:] = turned.ravel().tolist()
    if weights is not None:
        target.weights[:] = numbers(weights, (6,), "weights").tolist()
    return target, turned is not None


def _solver(arm, workspace, tolerance, angle_tolerance, iterations, restarts, seed, ignore_limits):
    definition = lib.lw_ik_def()
    given = dict(position_tolerance=tolerance, angle_tolerance=angle_tolerance, iterations=iterations, restarts=restarts,
                 seed=seed)
    for name, value in given.items():
        if value is not None:
            setattr(definition, name, value)
    definition.ignore_limits = bool(ignore_limits)
    owned, _ = make(lib.lw_ik_create, lib.lw_ik_destroy, arm._pointer(), workspace.pointer, ctypes.byref(definition),
                    kept=(workspace,))
    return owned


def ik(self, position, rotation=None, *, rpy=None, quaternion=None, direction=False, weights=None, guess=None, link=None,
       tool=None, tolerance=None, angle_tolerance=None, iterations=None, restarts=None, seed=None, ignore_limits=False):
    """Joint positions for which the frame of the last link (or of link and tool) is at a target.

    position    (3) m, base frame; or a Pose, as pose() gives it
    rotation    (3, 3), or rpy (3) rad, or quaternion x y z w; none of them: only the position matters
    direction   True: the frame may turn about its own z axis
    weights     (6) of the errors along x y z (1/m) and about x y z (1/rad) of the target; 0: free
    guess       (nq) start of the search; None: zeros. Quaternions of ball and floating joints are updated as rotations
    tolerance, angle_tolerance   m and rad, 1e-9 each
    iterations, restarts, seed   of the search; default 200, 50 random starts, 1

    Returns an IkResult; if the target was not reached, q is the closest found. Damped least squares, within the limits.
    """
    target, _ = _target(position, rotation, rpy, quaternion, direction, weights)
    q = numbers(self.neutral() if guess is None else self._state("q", guess), (self.nq,), "guess").copy()
    workspace = make_workspace(self, link, tool)
    solver = _solver(self, workspace, tolerance, angle_tolerance, iterations, restarts, seed, ignore_limits)
    found = lib.lw_ik_solve(solver.pointer, ctypes.byref(target), q.ctypes.data)
    solver.close()
    workspace.close()
    return IkResult(q, bool(found.reached), found.position_error, found.angle_error, found.iterations, found.restarts)


def ik_all(self, position, rotation=None, *, rpy=None, quaternion=None, guess=None, arm_angle=None, link=None, tool=None,
           ignore_limits=False):
    """All inverse kinematics solutions in closed form, as a list of IkResult, for arms with six joints (spherical wrist, or
    like those of Universal Robots) or seven joints (spherical shoulder and wrist).

    position, rotation, rpy, quaternion, link, tool: as for ik(); the target is a full pose
    guess       (n) selects the full turns, and the arm angle of arms with seven joints
    arm_angle   rad, seven joints only: rotation of the elbow about the line from shoulder to wrist

    Solutions beyond the joint limits have reached == False unless ignore_limits. For any other arm, LinkworkError says
    which condition fails.
    """
    self._require_plain("ik_all()")
    target, turned = _target(position, rotation, rpy, quaternion, False, None)
    if not turned:
        raise ValueError("all solutions need a full pose: give rotation, rpy or quaternion")
    q = numbers(self.neutral() if guess is None else self._state("q", guess), (self.nq,), "guess")
    workspace = make_workspace(self, link, tool)
    solver = _solver(self, workspace, None, None, None, None, None, ignore_limits)
    found = (declared.lwIkSolution * constant["LW_MAX_SOLUTIONS"])()
    count = ctypes.c_int()
    with Findings() as findings:
        angle = [] if arm_angle is None else [float(arm_angle)]
        ask = lib.lw_ik_all if arm_angle is None else lib.lw_ik_all_at
        status = ask(solver.pointer, ctypes.byref(target), *angle, q.ctypes.data, findings.pointer, found,
                     ctypes.byref(count))
        findings.require(status)
    solver.close()
    workspace.close()
    return [_solution(self, solution, ignore_limits) for solution in found[:count.value]]


def _solution(arm, solution, ignore_limits):
    free = None if solution.free_joint < 0 else arm.joint_names[solution.free_joint]
    return IkResult(np.array(solution.q[:arm.dof]), bool(solution.inside or ignore_limits), solution.position_error,
                    solution.angle_error, free_joint=free)


def arm_angle(self, q):
    """The arm angle at positions q (7), -pi to pi rad; LinkworkError for arms without one."""
    self._require_plain("arm_angle()")
    positions = numbers(self._state("q", q), (self.nq,), "q")
    workspace = make_workspace(self)
    solver = _solver(self, workspace, None, None, None, None, None, False)
    angle = ctypes.c_double()
    with Findings() as findings:
        findings.require(lib.lw_ik_arm_angle(solver.pointer, positions.ctypes.data, findings.pointer, ctypes.byref(angle)))
    return angle.value


def closed_form(self, link=None, tool=None):
    """Why ik_all() has no closed form for this arm; None: it has one."""
    self._require_plain("closed_form()")
    solver = _solver(self, make_workspace(self, link, tool), None, None, None, None, None, False)
    with Findings() as findings:
        refused = lib.lw_ik_check_all(solver.pointer, findings.pointer) != 0
        return "\n".join(finding.text for finding in findings.diagnostics()) if refused else None


Robot.closed_form = closed_form
Robot.ik, Robot.ik_all, Robot.arm_angle = ik, ik_all, arm_angle

