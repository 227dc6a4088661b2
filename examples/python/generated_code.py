# SPDX-License-Identifier: MIT
"""Code for this robot alone, compiled and called."""
import numpy as np
import linkwork as lw

arm = lw.load("robots/panda.yaml")
code = arm.generate("inverse", "inertia")     # generates C, compiles it for this machine and loads it: a second or two
q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 10_000, 7))
tau, M = code.inverse(q, qd, qdd), code.inertia(q)
assert np.abs(tau - arm.inverse(q, qd, qdd)).max() < 1e-12 * np.abs(tau).max()
print(code.reasons or "compiled", code.operations["inverse"])          # without a compiler the kernels answer
print(arm.source("inverse", language="python")["arm.py"][:200])        # or as text: c, python, matlab, javascript, rust
