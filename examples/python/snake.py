# SPDX-License-Identifier: MIT
"""A snake."""
import linkwork as lw

snake = lw.load_snake("robots/snakes/table2_n6.yaml")     # load() takes snakes, too; this one is typed as a Snake
run = snake.simulate(2, torque="sin(t)/(n-k)", rtol=1e-9, atol=1e-9)
assert abs(run.kinetic - run.work).max() < 1e-6           # energy is what the torques did
forces = snake.motion(run.theta[-1], run.u[-1], want="lambda")
print(getattr(forces, "lambda"))
