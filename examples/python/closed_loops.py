# SPDX-License-Identifier: MIT
"""Closed loops."""
import numpy as np
import linkwork as lw

bar = lw.load("robots/four_bar.yaml")                     # docs/loops.md
assert bar.mobility == 1 and bar.driven == ["crank"]
both = bar.close_loops_all({"crank": 1.0})                # positions (2, nq): the two branches
state = bar.close_loops({"crank": 1.0}, qd={"crank": 2.0})
assert state.closed and state.gap < 1e-12
qdd, forces = bar.forward_closed(state.q, state.qd, {"crank": 3.0})
tau, forces = bar.inverse_closed(state.q, state.qd, qdd)  # of the driven joints, and the forces in the cuts
assert np.allclose(tau, [3, 0, 0])
