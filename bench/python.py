# SPDX-License-Identifier: MIT
"""What Python costs: arm.inverse() beside the C functions it calls, in one process, and beside other packages.

    python3 bench/python.py [ROBOT] [--states N] [--repeat N] [--json]

throughput  N states through arm.inverse(), and through lw_batch_answer() on the same arrays by ctypes; ratio of the best
            times of runs that alternate
single      one state by arm.inverse(), and by lw_inverse_dynamics() called from a loop in C: the difference is what a
            call costs
Orocos KDL (python3-pykdl) and MuJoCo (libmujoco, through ctypes) answer the same question about the same chain where
they are installed.
"""

import argparse
import ctypes
import ctypes.util
import json
import os
import tempfile
import time

import numpy as np

import linkwork as lw
from linkwork import _native
from linkwork._library import declared, lib, make

HERE = os.path.dirname(os.path.abspath(__file__))


def best(repeat, *functions):
    """The shortest time of each, s; they take turns, so that what disturbs one disturbs all."""
    times = [[] for _ in functions]
    for _ in range(repeat):
        for function, kept in zip(functions, times):
            begin = time.perf_counter()
            function()
            kept.append(time.perf_counter() - begin)
    return [min(kept) for kept in times]


def batch(arm, q, qd, qdd, out):
    definition = lib.lw_workspace_def()
    owned, _ = make(lib.lw_batch_create, lib.lw_batch_destroy, arm._pointer(), ctypes.byref(definition), 0)
    states = declared.lwStates(q=q.ctypes.data, qd=qd.ctypes.data, qdd=qdd.ctypes.data)
    where = ctypes.byref(states)
    return owned, lambda: lib.lw_batch_answer(owned.pointer, 0, len(q), where, out.ctypes.data)


def throughput(arm, states, repeat):
    random = np.random.default_rng(1)
    q, qd, qdd = (random.uniform(-1, 1, (states, arm.dof)) for _ in range(3))
    out, expected = np.empty_like(q), np.empty_like(q)
    owned, in_c = batch(arm, q, qd, qdd, expected)
    c, into, new = best(repeat, in_c, lambda: arm.inverse(q, qd, qdd, out=out), lambda: arm.inverse(q, qd, qdd))
    assert np.array_equal(out, expected)
    threads = lib.lw_batch_threads(owned.pointer)
    return {"states": states, "threads": threads, "c_ns": c / states * 1e9, "python_ns": into / states * 1e9,
            "python_new_ns": new / states * 1e9, "ratio": c / into, "ratio_new": c / new}


def single(arm, repeat, calls=100):
    """The C call is timed by lw_answer_many() over one state, repeated in C: no Python takes part."""
    random = np.random.default_rng(2)
    q, qd, qdd = (random.uniform(-1, 1, arm.dof) for _ in range(3))
    out = np.empty(arm.dof)

    def loop():
        inverse = arm.inverse
        for _ in range(calls):
            inverse(q, qd, qdd)

    def loop_out():
        inverse = arm.inverse
        for _ in range(calls):
            inverse(q, qd, qdd, out=out)

    def empty():
        for _ in range(calls):
            pass

    python, into, nothing = best(200 * repeat, loop, loop_out, empty)
    c = _native.time_single(arm._solver, 0, q, qd, qdd, calls)
    for _ in range(200 * repeat):
        c = min(c, _native.time_single(arm._solver, 0, q, qd, qdd, calls))
    return {"c_ns": c / calls * 1e9, "python_ns": (python - nothing) / calls * 1e9, "out_ns": (into - nothing) / calls * 1e9,
            "overhead_ns": (python - nothing - c) / calls * 1e9}


# --- others


def kdl(arm, calls=20000):
    """Orocos KDL: RNEA of the same chain, one state at a time, its arrays filled from NumPy."""
    try:
        import PyKDL
    except ImportError:
        return None
    chain = PyKDL.Chain()
    for joint in arm.convert("axes").joints:
        _add_segment(PyKDL, chain, joint, arm)
    return chain


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("robot", nargs="?", default=os.path.join(HERE, "../robots/panda.yaml"))
    words.add_argument("--states", type=int, default=1000000)
    words.add_argument("--repeat", type=int, default=7)
    words.add_argument("--json", action="store_true")
    given = words.parse_args()
    arm = lw.load(given.robot)
    print(throughput(arm, given.states, given.repeat), single(arm, given.repeat), tempfile, json)


if __name__ == "__main__":
    main()
