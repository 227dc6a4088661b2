# SPDX-License-Identifier: MIT
"""On the Moon, with a load in the hand, the waist held."""
import linkwork as lw

arm = lw.load("robots/puma560.yaml", gravity=(0, 0, -1.62), hold={"waist": 0.0})
loaded = arm.replace(payload={"flange_plate": (2.0, (0, 0, 0.05))})    # 2 kg, 50 mm beyond the flange
print(loaded.gravity({"shoulder": -0.5}) - arm.gravity({"shoulder": -0.5}))
assert arm.dof == 5
