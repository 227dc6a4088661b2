# SPDX-License-Identifier: MIT
"""A custom function of PyTorch (needs torch)."""
import numpy as np
import torch
import linkwork as lw


class InverseDynamics(torch.autograd.Function):
    """Torques of an arm, with derivatives in q, qd and qdd; axes before the last are a batch."""

    @staticmethod
    def forward(context, arm, q, qd, qdd):
        tau, J = arm.slopes("inverse", q.detach().numpy(), qd.detach().numpy(), qdd.detach().numpy())
        context.save_for_backward(*(torch.from_numpy(J[name]) for name in ("q", "qd", "qdd")))
        return torch.from_numpy(tau)

    @staticmethod
    def backward(context, grad):
        return (None, *(torch.einsum("...i,...ij->...j", grad, J) for J in context.saved_tensors))


arm = lw.load("robots/panda.yaml")
states = [torch.tensor(x, requires_grad=True) for x in np.random.default_rng(1).uniform(-1, 1, (3, 4, 7))]
tau = InverseDynamics.apply(arm, *states)
(tau**2).sum().backward()
assert states[0].grad.shape == (4, 7)
assert torch.autograd.gradcheck(lambda *x: InverseDynamics.apply(arm, *x), states)
