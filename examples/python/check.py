# SPDX-License-Identifier: MIT
"""Check, count, convert."""
import linkwork as lw

arm = lw.load("robots/gripper_arm.urdf")
print([finding.text for finding in lw.lint("robots/gripper_arm.urdf")])
assert arm.check().ok                                     # every method against every other
table = arm.convert("dh-modified")
print(table.to_yaml()[:200])
count = lw.generic(6).counts("inverse", "rnea")[0]
print(count["mul"], count["add"], count["printed"])
