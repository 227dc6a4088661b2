# SPDX-License-Identifier: MIT
"""The overhead of Python: times arm.inverse() and the C functions it calls in one process, and other packages.

    python3 bench/python.py [--robot FILE] [--states N] [--repeat N] [--format table|json]

batch     N states through arm.inverse() and through lw_batch_answer() on the same arrays; runs alternate, the shortest counts.
          Processor time of all threads is compared too: other programs on the machine disturb it less.
single    one state by arm.inverse(), and by lw_answer() in a loop in C; the difference is the overhead of a Python call
peers     Orocos KDL's Python module (python3-pykdl), one state, its arrays filled and read element by element, which is its
          only way; MuJoCo's C API through ctypes, by the object that bench/peers/setup builds. Skipped where not installed.
"""

import argparse
import ctypes
import json
import os
import sys
import time

import numpy as np

import linkwork as lw
from linkwork import _native
from linkwork._library import declared, lib, make

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def best(clock, repeat, *functions):
    """The shortest time of each, s. They take turns, so that load on the machine affects all alike."""
    times = [[] for _ in functions]
    for _ in range(repeat):
        for function, kept in zip(functions, times):
            begin = clock()
            function()
            kept.append(clock() - begin)
    return [min(kept) for kept in times]


def batch(arm, states, repeat):
    random = np.random.default_rng(1)
    q, qd, qdd = (random.uniform(-1, 1, (states, arm.dof)) for _ in range(3))
    out, expected = np.empty_like(q), np.empty_like(q)
    definition = lib.lw_workspace_def()
    owned, _ = make(lib.lw_batch_create, lib.lw_batch_destroy, arm._pointer(), ctypes.byref(definition), 0)
    given = declared.lwStates(q=q.ctypes.data, qd=qd.ctypes.data, qdd=qdd.ctypes.data)
    functions = (lambda: lib.lw_batch_answer(owned.pointer, 0, states, ctypes.byref(given), expected.ctypes.data),
                 lambda: arm.inverse(q, qd, qdd, out=out), lambda: arm.inverse(q, qd, qdd))
    c, into, new = best(time.perf_counter, repeat, *functions)
    busy = best(time.process_time, repeat, *functions)
    if not np.array_equal(out, expected):
        sys.exit("python.py: arm.inverse() is not lw_batch_answer()")
    return {"states": states, "threads": lib.lw_batch_threads(owned.pointer), "c_ns": c / states * 1e9,
            "out_ns": into / states * 1e9, "new_ns": new / states * 1e9, "out_ratio": c / into, "new_ratio": c / new,
            "out_cpu_ratio": busy[0] / busy[1], "new_cpu_ratio": busy[0] / busy[2]}


def single(arm, repeat, calls=100):
    random = np.random.default_rng(2)
    q, qd, qdd = (random.uniform(-1, 1, arm.dof) for _ in range(3))
    out = np.empty(arm.dof)
    inverse = arm.inverse

    def new():
        for _ in range(calls):
            inverse(q, qd, qdd)

    def into():
        for _ in range(calls):
            inverse(q, qd, qdd, out=out)

    def nothing():
        for _ in range(calls):
            pass

    # Many short bursts: even on a busy machine some run undisturbed.
    times = best(time.perf_counter, 200 * repeat, new, into, nothing)
    c = min(_native.time_single(arm._plain[0], 0, q, qd, qdd, calls) for _ in range(200 * repeat))
    python, out_time = times[0] - times[2], times[1] - times[2]
    return {"c_ns": c / calls * 1e9, "new_ns": python / calls * 1e9, "out_ns": out_time / calls * 1e9,
            "above_c_ns": (python - c) / calls * 1e9}


def options(arm, repeat, calls=100):
    """us per call of one state with options and inputs that need more than the plain call."""
    random = np.random.default_rng(2)
    q, qd, qdd = state = [random.uniform(-1, 1, arm.dof) for _ in range(3)]
    single, lists = [x.astype(np.float32) for x in state], [x.tolist() for x in state]
    named, link = dict(zip(arm.joint_names, lists[0])), arm.link_names[-1]
    rates = [dict(zip(arm.joint_names, x)) for x in (qd, qdd)]
    zeros, wide = np.zeros(arm.dof, int), np.repeat(q, 2)
    cases = {"method": lambda: arm.inverse(q, qd, qdd, method="rnea"), "float32": lambda: arm.inverse(*single),
             "gravity": lambda: arm.inverse(q, qd, qdd, gravity=(0, 0, -1.62)),
             "payload": lambda: arm.inverse(q, qd, qdd, payload={link: 2}), "link": lambda: arm.jacobian(q, link=link),
             "lists": lambda: arm.inverse(*lists), "dict": lambda: arm.inverse(named, qd, qdd),
             "three dicts": lambda: arm.inverse(named, *rates), "dtype": lambda: arm.inverse(q, qd, qdd, dtype=np.float32),
             "payload and com": lambda: arm.inverse(q, qd, qdd, payload={link: (2, [0, 0, 0.1])}),
             "integers": lambda: arm.inverse(zeros), "every second": lambda: arm.inverse(wide[::2], qd, qdd)}

    def burst(case):
        def run():
            for _ in range(calls):
                case()
        return run

    times = best(time.perf_counter, 50 * repeat, *map(burst, cases.values()))
    return {f"{name}_us": seconds / calls * 1e6 for name, seconds in zip(cases, times)}


# --- other packages, with the arm as one frame per joint


def bodies(arm):
    """(rotation, position, slides, mass, com, inertia) of each moving joint: its frame at q = 0 in the frame of the previous
    joint, z along the axis, and its body including links on fixed joints; None if the arm has branches."""
    table = arm.convert("dh-modified")
    if not arm.is_serial or arm.nq != arm.dof:
        return None
    found, before = [], (np.eye(3), np.zeros(3))
    for joint in table.joints:
        pose = table.pose(np.zeros(arm.dof), link=joint.name)
        if joint.type == "fixed":
            if found:
                found[-1][3:] = merged(found[-1][3:], joint.link, before[0].T @ pose.rotation,
                                       before[0].T @ (pose.position - before[1]))
            continue
        found.append([before[0].T @ pose.rotation, before[0].T @ (pose.position - before[1]), joint.type == "prismatic",
                      joint.link.mass, joint.link.com, joint.link.inertia])
        before = (pose.rotation, pose.position)
    return found


def merged(body, link, rotation, position):
    """Mass, centre of mass and inertia of a body after adding a link at that pose in its frame."""
    mass, com, inertia = body
    place = position + rotation @ link.com
    total = mass + link.mass
    middle = (mass * com + link.mass * place) / total if total > 0 else com

    def steiner(m, r):
        return m * (r @ r * np.eye(3) - np.outer(r, r))

    return [total, middle, inertia + steiner(mass, com - middle) + rotation @ link.inertia @ rotation.T +
            steiner(link.mass, place - middle)]


def six(inertia):
    """xx yy zz xy xz yz"""
    return tuple(inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def compare(name, arm, answer, calls, repeat):
    """ns per state of answer(q, qd, qdd), after comparing its torques with ours."""
    random = np.random.default_rng(3)
    q, qd, qdd = (random.uniform(-1, 1, arm.dof) for _ in range(3))
    expected, found = arm.inverse(q, qd, qdd), np.asarray(answer(q, qd, qdd))
    if not np.allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max()):
        sys.exit(f"python.py: the torques of {name} differ from ours by {np.abs(found - expected).max():g} N m")

    def loop():
        for _ in range(calls):
            answer(q, qd, qdd)

    return best(time.perf_counter, 20 * repeat, loop)[0] / calls * 1e9


def kdl(arm, repeat):
    import PyKDL
    chain, found = PyKDL.Chain(), bodies(arm)
    if found is None:
        return None
    frames = [PyKDL.Frame(PyKDL.Rotation(*rotation.ravel()), PyKDL.Vector(*place)) for rotation, place, *_ in found]
    chain.addSegment(PyKDL.Segment(PyKDL.Joint(PyKDL.Joint.Fixed), frames[0], PyKDL.RigidBodyInertia()))
    for i, (_, _, slides, mass, com, inertia) in enumerate(found):
        tip = frames[i + 1] if i + 1 < len(found) else PyKDL.Frame()
        body = PyKDL.RigidBodyInertia(mass, PyKDL.Vector(*com), PyKDL.RotationalInertia(*six(inertia)))
        kind = PyKDL.Joint.TransZ if slides else PyKDL.Joint.RotZ
        chain.addSegment(PyKDL.Segment(PyKDL.Joint(kind), tip, tip.Inverse() * body))
    solver = PyKDL.ChainIdSolver_RNE(chain, PyKDL.Vector(*arm.gravity_vector))
    arrays = [PyKDL.JntArray(arm.dof) for _ in range(4)]
    none = [PyKDL.Wrench() for _ in range(chain.getNrOfSegments())]
    indices = range(arm.dof)

    def answer(*given):
        for array, values in zip(arrays, given):
            for i in indices:
                array[i] = values[i]
        solver.CartToJnt(arrays[0], arrays[1], arrays[2], none, arrays[3])
        return [arrays[3][i] for i in indices]

    return compare("PyKDL", arm, answer, 20, repeat)


class PeerJoint(ctypes.Structure):  # as in bench/peers/peer.h
    _fields_ = [("parent", ctypes.c_int), ("slides", ctypes.c_bool), ("R", ctypes.c_double * 9), ("p", ctypes.c_double * 3),
                ("mass", ctypes.c_double), ("com", ctypes.c_double * 3), ("inertia", ctypes.c_double * 6)]


class PeerRobot(ctypes.Structure):
    _fields_ = [("n", ctypes.c_int), ("gravity", ctypes.c_double * 3), ("joints", ctypes.POINTER(PeerJoint))]


RUN = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)


class PeerMethod(ctypes.Structure):
    _fields_ = [("question", ctypes.c_int), ("name", ctypes.c_char_p), ("run", RUN), ("read", ctypes.c_void_p)]


class Peer(ctypes.Structure):
    _fields_ = [("interface", ctypes.c_int), ("program", ctypes.c_char_p), ("version", ctypes.c_char_p),
                ("create", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(PeerRobot), ctypes.c_char_p, ctypes.c_size_t)),
                ("destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("method_count", ctypes.c_int),
                ("methods", ctypes.POINTER(PeerMethod))]


def mujoco(arm, repeat, folder):
    library = ctypes.CDLL(os.path.join(folder, "mujoco.so"))
    library.peer_interface.restype = ctypes.POINTER(Peer)
    peer, found = library.peer_interface().contents, bodies(arm)
    if peer.interface != 1 or found is None:
        return None
    joints = (PeerJoint * len(found))()
    for i, (rotation, place, slides, mass, com, inertia) in enumerate(found):
        joints[i] = PeerJoint(i - 1, slides, tuple(rotation.ravel()), tuple(place), mass, tuple(com), six(inertia))
    message = ctypes.create_string_buffer(1000)
    robot = PeerRobot(len(found), tuple(arm.gravity_vector), joints)
    made = peer.create(ctypes.byref(robot), message, len(message))
    if not made:
        return None
    run = next(method.run for method in peer.methods[:peer.method_count] if method.question == 0)
    out = np.empty(arm.dof)

    def answer(q, qd, qdd):
        run(made, q.ctypes.data, qd.ctypes.data, qdd.ctypes.data, out.ctypes.data)
        return out

    nanoseconds = compare("MuJoCo", arm, answer, 50, repeat)
    peer.destroy(made)
    return nanoseconds


def others(arm, repeat, folder):
    found = {}
    for name, measure in (("PyKDL", lambda: kdl(arm, repeat)), ("MuJoCo by ctypes", lambda: mujoco(arm, repeat, folder))):
        try:
            found[name] = measure()
        except (ImportError, OSError) as error:
            print(f"{name}: skipped, {error}", file=sys.stderr)
    return {name: value for name, value in found.items() if value is not None}


def table(arm, result):
    many, one = result["batch"], result["single"]
    print(f"{arm.name}: inverse dynamics from Python {sys.version.split()[0]}, NumPy {np.__version__}, {many['threads']} threads\n")
    print("| | ns per state | of C, wall | of C, processor time |\n|---|---|---|---|")
    print(f"| `lw_batch_answer()`, {many['states']} states | {many['c_ns']:.3g} | 1 | 1 |")
    print(f"| `arm.inverse(q, qd, qdd, out=tau)` | {many['out_ns']:.3g} | {many['out_ratio']:.2f} | {many['out_cpu_ratio']:.2f} |")
    print(f"| `arm.inverse(q, qd, qdd)` | {many['new_ns']:.3g} | {many['new_ratio']:.2f} | {many['new_cpu_ratio']:.2f} |\n")
    print("| one state | ns |\n|---|---|")
    print(f"| `lw_answer()` in C | {one['c_ns']:.3g} |\n| `arm.inverse(q, qd, qdd)` | {one['new_ns']:.3g} |")
    print(f"| `arm.inverse(q, qd, qdd, out=tau)` | {one['out_ns']:.3g} |\n| above the C call | {one['above_c_ns']:.3g} |")
    print("".join(f"| {name[:-3]} | {value * 1e3:.3g} |\n" for name, value in result["options"].items()), end="")
    for name, value in result["peers"].items():
        print(f"| {name} | {value:.3g}, {value / one['new_ns']:.2g} times `arm.inverse()` |")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--robot", default=os.path.join(ROOT, "robots/panda.yaml"))
    words.add_argument("--states", type=int, default=1000000)
    words.add_argument("--repeat", type=int, default=10)
    words.add_argument("--peers", default=os.path.join(ROOT, "build/release/bin/peers"), help="folder of mujoco.so")
    words.add_argument("--format", choices=("table", "json"), default="table")
    given = words.parse_args()
    arm = lw.load(given.robot)
    result = {"batch": batch(arm, given.states, given.repeat), "single": single(arm, given.repeat),
              "options": options(arm, given.repeat),
              "peers": others(arm, given.repeat, given.peers)}
    if given.format == "json":
        print(json.dumps(result, indent=2))
    else:
        table(arm, result)


if __name__ == "__main__":
    main()
