# SPDX-License-Identifier: MIT
"""URDF robots on a floating base, against a calculation of its own: link by link in world axes, by virtual power."""

import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import linkwork as lw

GRAVITY = np.array([0, 0, -9.81])


def triple(element, name, default=(0, 0, 0)):
    words = None if element is None else element.get(name)
    return np.array(default if words is None else [float(word) for word in words.split()], float)


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def about(axis, angle):
    K = skew(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def from_rpy(rpy):
    return about([0, 0, 1], rpy[2]) @ about([0, 1, 0], rpy[1]) @ about([1, 0, 0], rpy[0])


class Tree:
    """Links and joints of a URDF file, joints from the root outward."""

    def __init__(self, path):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.bodies = {link.get("name"): self.body(link.find("inertial")) for link in root.findall("link")}
        joints = [joint for joint in root.findall("joint")]
        children = {joint.find("child").get("link") for joint in joints}
        self.root = next(name for name in self.bodies if name not in children)
        self.joints, known = [], [self.root]
        for link in known:
            for joint in joints:
                if joint.find("parent").get("link") == link:
                    self.joints.append(joint)
                    known.append(joint.find("child").get("link"))

    @staticmethod
    def body(inertial):
        if inertial is None:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        origin, six = inertial.find("origin"), inertial.find("inertia")
        R = from_rpy(triple(origin, "rpy"))
        xx, yy, zz, xy, xz, yz = (float(six.get(name, 0)) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
        return float(inertial.find("mass").get("value")), triple(origin, "xyz"), R @ np.array(
            [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T

    def answer(self, robot, q, qd, qdd):
        """Torques, inertia matrix, kinetic and potential energy, and where each link is."""
        place = {name: i for i, name in enumerate(robot.joint_names)}
        x, y, z, w = q[3:7]
        R = np.eye(3) + 2 * w * skew([x, y, z]) + 2 * skew([x, y, z]) @ skew([x, y, z])
        Jv, Jw = np.zeros((3, robot.dof)), np.zeros((3, robot.dof))
        Jv[:, :3] = Jw[:, 3:6] = R
        start = R @ (qdd[:3] + np.cross(qd[3:6], qd[:3]))
        frames = {self.root: (R, q[:3], R @ qd[3:6], R @ qdd[3:6], start, Jv, Jw)}
        for joint in self.joints:
            frames[joint.find("child").get("link")] = self.move(joint, frames[joint.find("parent").get("link")], place, q, qd, qdd)
        return self.sum(frames, qd), frames

    @staticmethod
    def move(joint, parent, place, q, qd, qdd):
        R, p, w, wd, a, Jv, Jw = parent
        arm, R = R @ triple(joint.find("origin"), "xyz"), R @ from_rpy(triple(joint.find("origin"), "rpy"))
        axis = triple(joint.find("axis"), "xyz", (1, 0, 0))
        slides, k = joint.get("type") == "prismatic", place.get(joint.get("name"))
        axis = R @ axis / np.linalg.norm(axis)
        rate, rise = (0, 0) if k is None else (qd[k], qdd[k])
        if slides and k is not None:
            arm = arm + axis * q[k + 1]
        a = a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
        Jv, Jw = Jv - skew(arm) @ Jw, Jw.copy()
        if slides:
            a = a + 2 * np.cross(w, axis * rate) + axis * rise
            Jv[:, k] = axis
        elif k is not None:
            R = about(axis, q[k + 1]) @ R
            w, wd = w + axis * rate, wd + axis * rise + np.cross(w, axis * rate)
            Jw[:, k] = axis
        return R, p + arm, w, wd, a, Jv, Jw

    def sum(self, frames, qd):
        tau, M, height = 0, 0, 0
        for name, (mass, com, inertia) in self.bodies.items():
            R, p, w, wd, a, Jv, Jw = frames[name]
            arm, tensor = R @ com, R @ inertia @ R.T
            force = mass * (a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm)) - GRAVITY)
            moment = tensor @ wd + np.cross(w, tensor @ w)
            J = Jv - skew(arm) @ Jw
            tau = tau + J.T @ force + Jw.T @ moment
            M = M + mass * J.T @ J + Jw.T @ tensor @ Jw
            height = height - mass * GRAVITY @ (p + arm)
        return tau, M, qd @ M @ qd / 2, height


@pytest.mark.parametrize("file", ["robots/two_arms.urdf", "robots/gripper_arm.urdf", "tests/data/floating/panda.urdf"])
def test_urdf_on_a_floating_base(root, random, file):
    robot = lw.load(root / file, floating=True, free_mimics=True, allow_inert=True, gravity=GRAVITY)
    tree = Tree(root / file)
    assert robot.nq == robot.dof + 1 and robot.position_names[6] == "base.qw"
    for _ in range(5):
        q, qd, qdd = random.uniform(-1, 1, robot.nq), random.uniform(-2, 2, robot.dof), random.uniform(-3, 3, robot.dof)
        q[3:7] /= np.linalg.norm(q[3:7])
        (tau, M, kinetic, potential), frames = tree.answer(robot, q, qd, qdd)
        (bias, *_), _ = tree.answer(robot, q, qd, 0 * qdd)
        (weight, *_), _ = tree.answer(robot, q, 0 * qd, 0 * qdd)
        for got, expected in ((robot.inverse(q, qd, qdd), tau), (robot.inertia(q), M), (robot.bias(q, qd), bias),
                              (robot.gravity(q), weight)):
            np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
        np.testing.assert_allclose(robot.energy(q, qd), [kinetic, potential], rtol=1e-12, atol=1e-12)
        again = robot.forward(q, qd, tau)
        np.testing.assert_allclose(M @ again + bias, tau, rtol=0, atol=1e-12 * np.abs(tau).max())
        for link in (tree.root, robot.link_names[-1]):
            pose = robot.pose(q, link=link)
            np.testing.assert_allclose(pose.position, frames[link][1], atol=1e-13)
            np.testing.assert_allclose(pose.rotation, frames[link][0], atol=1e-13)


@pytest.mark.parametrize("name", ["free_flyer.yaml", "panda.yaml"])
def test_trajectories_and_drives_of_quaternions(root, name, tmp_path):
    """Positions along a plan are quaternions whose rates are the velocities; drives are those of inverse dynamics."""
    arm = lw.load(root / "robots" / name, floating=name == "panda.yaml")
    start = arm.random(seed=3)
    goal = arm.integrate(start, 0.05 * np.ones(arm.dof))
    plan = lw.plan(arm, [start, goal], "quintic", duration=1.5)
    t, q, qd, qdd = plan.sample(0.01)
    assert q.shape == (len(t), arm.nq) and qd.shape == qdd.shape == (len(t), arm.dof) and arm.nq > arm.dof
    arm.check_positions(q[70])
    assert np.allclose(arm.difference(q[-1], goal), 0, atol=1e-12)
    for k in (20, 75, 120):
        assert np.allclose(arm.difference(q[k - 1], q[k + 1]) / 0.02, qd[k], atol=1e-3 * np.abs(qd).max())
    samples = lw.through(t, q, qd, qdd, arm=arm)
    assert np.allclose(samples(0.5)[0], plan(0.5)[0], atol=1e-12)
    for made in (plan, samples):
        assert np.array_equal(pickle.loads(pickle.dumps(made))(0.33)[0], made(0.33)[0])
    summary, series = arm.drives(t, q, qd, qdd)
    assert np.allclose(series["rigid"], arm.inverse(q, qd, qdd), atol=1e-12 * np.abs(series["rigid"]).max() + 1e-12)
    assert [joint.joint for joint in summary] == arm.joint_names
    path = tmp_path / "motion.csv"
    columns = [f"{part}.{entry}" for part, names in (("q", arm.position_names), ("qd", arm.joint_names), ("qdd", arm.joint_names))
               for entry in names]
    np.savetxt(path, np.column_stack([t, q, qd, qdd]), delimiter=",", header="t," + ",".join(columns), comments="", fmt="%.17g")
    read = lw.read_trajectory(path, arm)
    assert np.allclose(read(t[50])[0], q[50], atol=1e-14) and read.nq == arm.nq
