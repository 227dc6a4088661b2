# SPDX-License-Identifier: MIT
# %% [markdown]
# # The first hour
# A robot is read from a file, its torques are computed, its inertia matrix is compared with them, a position is found for a
# place of the hand, and a controller is tried. SI units and radians.

# %%
import numpy as np
import linkwork as lw

arm = lw.load(lw.example("robots/puma560.yaml"))
arm

# %% [markdown]
# ## Torques of a motion
# `inverse` is M(q) qdd + C(q, qd) qd + g(q); without rates and accelerations it is gravity alone.

# %%
q = np.array([0.1, -0.8, 0.6, 0.2, 0.5, 0.3])
qd, qdd = np.full(6, 0.5), np.ones(6)
tau = arm.inverse(q, qd, qdd)
for name, value, weight in zip(arm.joint_names, tau, arm.gravity(q)):
    print(f"{name:16} {value:8.3f} N m, of which gravity {weight:8.3f}")

# %% [markdown]
# The same numbers from the inertia matrix and the bias, and back by forward dynamics:

# %%
M, b = arm.inertia(q), arm.bias(q, qd)
assert np.allclose(M @ qdd + b, tau, atol=1e-10)
assert np.allclose(arm.forward(q, qd, tau), qdd, atol=1e-9)
print(np.round(M, 3))

# %% [markdown]
# Axes before the last are states: ten thousand of them take one call.

# %%
many = arm.random(10_000, seed=1)
print(arm.inverse(many).shape, arm.poses(many).matrix.shape, arm.reactions(many).shape)

# %% [markdown]
# ## A picture

# %%
arm.draw(q=q.tolist(), view="front")

# %% [markdown]
# ## Where is the hand, and which positions put it there?

# %%
hand = arm.pose(q)
print("position", np.round(hand.position, 4), "rpy", np.round(hand.rpy, 4))
solutions = arm.ik_all(hand, ignore_limits=True)
for found in solutions:
    assert np.allclose(arm.pose(found.q).position, hand.position, atol=1e-9)
    print(np.round(found.q, 3) + 0.0)

# %% [markdown]
# ## A controller
# Computed torque: the error obeys a linear equation, so it decays at the chosen rate. The simulation calls the function below
# at every evaluation.

# %%
goal = q + 0.2


def controller(t, q, qd):
    return arm.inverse(q, qd, 100 * (goal - q) - 20 * qd)


run = lw.simulate(arm, 1.0, q=q, controller=controller, friction="none", rotors=False, step=2e-3)
print(f"largest error after 1 s: {np.abs(run.q[-1] - goal).max():.1e} rad")
assert np.abs(run.q[-1] - goal).max() < 1e-3
run.to_array()[["t", "q.waist", "q.elbow"]][::20]
