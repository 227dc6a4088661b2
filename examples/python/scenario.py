# SPDX-License-Identifier: MIT
"""A scenario, as columns and as a picture (needs matplotlib)."""
import linkwork as lw

run = lw.simulate("scenarios/puma_computed_torque.yaml")
print(run.t[-1], run.q["elbow"][-1], run.energy["S"][-1], run.outcome)
for event in run.events[:3]:
    print(event.t, event.kind, event.name)
figure = run.plot(("q", "tau"), joints=["waist", "elbow"])
assert run.outcome == "arrived" and abs(run.energy["S"]).max() < 1e-3
