# SPDX-License-Identifier: MIT
# %% [markdown]
# # Snakes
# A snake robot of links on wheels that do not slip sideways: two degrees of freedom remain, the joints drive them.

# %%
import numpy as np
import linkwork as lw

snake = lw.load_snake(lw.example("robots/snakes/table2_n6.yaml"))
snake

# %% [markdown]
# ## Torques given as a law
# The kinetic energy is what the torques did: that is a test of the whole simulation.

# %%
run = snake.simulate(2, torque="sin(t)/(n-k)", rtol=1e-9, atol=1e-9)
print(f"kinetic energy {run.kinetic[-1]:.6f} J, work {run.work[-1]:.6f} J")
assert abs(run.kinetic - run.work).max() < 1e-6

# %% [markdown]
# ## A gait
# The joints follow a travelling wave, phi_k = alpha sin(beta k + gamma t); a steer angle turns the snake.

# %%
paths = {}
for steer in (0.0, 0.15):
    moved = snake.simulate(6, gait=(0.5, 1.0, 2.0, steer, 1.0), record=0.05)
    paths[steer] = moved.position
    turned = np.degrees(moved.theta[-1].mean() - moved.theta[0].mean())
    print(f"steer {steer:4.2f} rad: from (0, 0) to ({moved.position[-1, 0]:.3f}, {moved.position[-1, 1]:.3f}) m, turned by {turned:.0f} degrees")

# %% [markdown]
# ## Forces that keep the wheels on their tracks

# %%
forces = getattr(snake.motion(run.theta[-1], run.u[-1], want="lambda"), "lambda")
print("N:", np.round(forces, 3))
snake.draw()
