# SPDX-License-Identifier: MIT
# %% [markdown]
# # Sizing a drive
# What does a motion ask of each motor, how near are its limits, and what does a heavier load change?

# %%
import numpy as np
import linkwork as lw

arm = lw.load(lw.example("robots/puma560.yaml"))
motion = lw.plan(arm, [{"waist": 0, "shoulder": -1}, {"waist": 1.5, "shoulder": 0.2, "elbow": 1}], "s-curve",
                 velocity=1.5, acceleration=5, jerk=60)
t, q, qd, qdd = motion.sample(0.005)
summary, series = arm.drives(t, q, qd, qdd)
print(f"{motion.duration:.3f} s")
for joint in summary:
    torque, current = joint.loads["torque"], joint.loads["current"]
    print(f"{joint.joint:10} peak {torque.peak:8.2f} N m at {torque.peak_time:.2f} s, rms {torque.rms:6.2f}, "
          f"headroom {100 * torque.headroom:5.1f} %; current {current.peak:6.2f} A, energy {joint.energy:7.2f} J")

# %% [markdown]
# The torque is the sum of what the rigid links, the rotors and friction need:

# %%
for name in ("rigid", "rotor", "friction", "torque"):
    print(f"{name:9}", np.round(series[name]["shoulder"][::40], 2))
assert np.allclose(series["rigid"] + series["rotor"] + series["friction"], series["torque"])

# %% [markdown]
# ## With a load in the hand
# The same motion with 0 to 4 kg, 50 mm beyond the flange: the least headroom of each.

# %%
for mass in (0, 1, 2, 3, 4):
    loaded = arm.replace(payload={"flange_plate": (mass, (0, 0, 0.05))}) if mass else arm
    joints = loaded.drives(t, q, qd, qdd)[0]
    worst = min(joints, key=lambda joint: joint.loads["torque"].headroom)
    print(f"{mass} kg: {worst.joint}, {100 * worst.loads['torque'].headroom:.1f} % of its torque unused")

# %% [markdown]
# ## Twice as fast
# Torques for acceleration grow with the square of the pace, those against gravity do not:

# %%
hurried = arm.drives(t / 2, q, 2 * qd, 4 * qdd)[0]
for slow, fast in zip(summary[:3], hurried[:3]):
    print(f"{slow.joint:10} {slow.loads['torque'].rms:7.2f} -> {fast.loads['torque'].rms:7.2f} N m rms")
    assert fast.loads["torque"].rms > slow.loads["torque"].rms
