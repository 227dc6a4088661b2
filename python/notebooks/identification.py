# SPDX-License-Identifier: MIT
# %% [markdown]
# # Identification
# A robot's masses are estimated from a log of its motion. Here the truth is known: the log is computed from a robot whose
# parameters differ from those of its file, with noise.

# %%
import numpy as np
import linkwork as lw

arm = lw.load(lw.example("robots/puma560.yaml"))
bases = arm.base_parameters()
print(len(bases), "combinations of", len(bases.names), "parameters determine the torques; the first are")
for one in bases[:4]:
    print(f"  {one.name[:60]:60} = {one.value:.4g} {one.unit}")

# %% [markdown]
# ## A motion that shows them
# Fourier series of the joints, within limits, with the best condition number that is found.

# %%
motion = arm.excite(10, harmonics=4, tries=60, seed=1)
print(f"condition number {motion.before:.0f} of the first motion tried, {motion.after:.0f} of this one")
t, q, qd, qdd = motion.sample(0.005)

# %% [markdown]
# ## The log
# The true robot carries 1.2 kg in its hand, of which the file knows nothing. Torques are those of the links; those of rotors and
# friction could be estimated, too.

# %%
truth = arm.replace(payload={"flange_plate": (1.2, (0, 0, 0.06))})
random = np.random.default_rng(1)
tau = truth.inverse(q, qd, qdd)
measured = tau + 0.2 * random.standard_normal(tau.shape)
found = arm.identify(t, q, measured)

# %% [markdown]
# What changed by more than its standard errors allow, against the truth:

# %%
true = [one.value for one in truth.base_parameters()]
assert len(true) == len(found.estimates)
within = 0
for one, value in zip(found.estimates, true):
    within += abs(one.value - value) < 3 * one.error
    if abs(one.file - value) > 10 * one.error:
        print(f"{one.name[:46]:46} file {one.file:8.4f}  estimate {one.value:8.4f} +- {one.error:.4f}  truth {value:8.4f}")
print(f"{within} of {len(found.estimates)} estimates are within three standard errors of the truth")
assert within >= 0.9 * len(found.estimates)

# %% [markdown]
# ## On a motion that was not in the log

# %%
test = lw.plan(arm, [np.zeros(6), [1, -0.8, 0.7, 0.5, 0.6, 0.4]], "quintic", duration=1.5).sample(0.01)[1:]
expected = truth.inverse(*test)
for name, robot in (("file", arm), ("identified", found.robot)):
    error = np.sqrt(np.mean((robot.inverse(*test) - expected) ** 2, axis=0))
    print(f"{name:11} rms error of the torques, N m:", np.round(error, 3))
assert error.max() < 0.5
