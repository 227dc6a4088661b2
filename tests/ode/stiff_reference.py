#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Computes the reference values of test_stiff.c: Radau IIA with five stages (order 9), solved by Newton's method with exact
# Jacobians, in 30 digits. The step is halved until two half steps agree with one to 1e-18, relative; the two are kept.
# Needs mpmath. Takes minutes.
from mpmath import mp, mpf, matrix, lu_solve

mp.dps = 30
S = 5


def radau_points():
    """The zeros of P_S(2x - 1) - P_(S-1)(2x - 1), of which the last is 1."""
    from mpmath import findroot, legendre
    f = lambda x: legendre(S, 2 * x - 1) - legendre(S - 1, 2 * x - 1)
    found = []
    for k in range(1, 400):
        a, b = mpf(k - 1) / 400, mpf(k) / 400
        if f(a) * f(b) < 0:
            found.append(findroot(f, (a, b), solver='anderson'))
    return found + [mpf(1)]


def radau_matrix(c):
    """a_ij = integral from 0 to c_i of the j-th Lagrange polynomial."""
    V = matrix(S, S)
    for i in range(S):
        for j in range(S):
            V[i, j] = c[j] ** i
    rows = []
    for i in range(S):
        right = matrix([c[i] ** (k + 1) / (k + 1) for k in range(S)])
        rows.append(list(lu_solve(V, right)))
    return rows


C = radau_points()
A = radau_matrix(C)


def step(f, jac, t, y, h):
    """y at t + h, or None if Newton's method does not converge."""
    n = len(y)
    J = jac(t, y)
    M = matrix(S * n, S * n)
    for i in range(S):
        for j in range(S):
            for a in range(n):
                for b in range(n):
                    M[i * n + a, j * n + b] = (1 if i == j and a == b else 0) - h * A[i][j] * J[a][b]
    Minv = M ** -1
    Z = [mpf(0)] * (S * n)
    last = None
    for _ in range(40):
        F = [f(t + C[i] * h, [y[a] + Z[i * n + a] for a in range(n)]) for i in range(S)]
        R = matrix([h * sum(A[i][j] * F[j][a] for j in range(S)) - Z[i * n + a] for i in range(S) for a in range(n)])
        D = Minv * R
        Z = [z + d for z, d in zip(Z, D)]
        size = max(abs(d) / (abs(y[k % n]) + mpf(10) ** -6) for k, d in enumerate(D))
        if size < mpf(10) ** -26:
            return [y[a] + Z[(S - 1) * n + a] for a in range(n)]
        if last is not None and size > last / 2:
            return None
        last = size
    return None


def solve(f, jac, y, h, times, tol=mpf(10) ** -18):
    t, out = mpf(0), []
    for end in times:
        while t < end:
            h = min(h, end - t)
            one = step(f, jac, t, y, h)
            half = one and step(f, jac, t, y, h / 2)
            two = half and step(f, jac, t + h / 2, half, h / 2)
            if not two:
                h = h / 4
                continue
            error = max(abs(a - b) / (abs(b) + mpf(10) ** -8) for a, b in zip(one, two)) / tol
            if error <= 1:
                t, y = t + h, two
            h = h * min(4, max(mpf('0.2'), mpf('0.9') * (error + mpf(10) ** -20) ** (-mpf(1) / 10)))
        out.append((end, y))
    return out


def robertson(t, y):
    a, b, c = y
    return [-mpf('0.04') * a + 10 ** 4 * b * c, mpf('0.04') * a - 10 ** 4 * b * c - 3 * 10 ** 7 * b * b, 3 * 10 ** 7 * b * b]


def robertson_jac(t, y):
    a, b, c = y
    return [[-mpf('0.04'), 10 ** 4 * c, 10 ** 4 * b],
            [mpf('0.04'), -10 ** 4 * c - 6 * 10 ** 7 * b, -10 ** 4 * b],
            [0, 6 * 10 ** 7 * b, 0]]


MU = mpf(1000)


def pol(t, y):
    return [y[1], MU * (1 - y[0] ** 2) * y[1] - y[0]]


def pol_jac(t, y):
    return [[0, 1], [-2 * MU * y[0] * y[1] - 1, MU * (1 - y[0] ** 2)]]


if __name__ == '__main__':
    for name, f, jac, y, times in (
            ('Robertson', robertson, robertson_jac, [mpf(1), mpf(0), mpf(0)], [mpf('0.4'), mpf(40), mpf(10) ** 4, mpf(10) ** 6]),
            ('Van der Pol, mu = 1000', pol, pol_jac, [mpf(2), mpf(0)], [mpf(500), mpf(1000), mpf(2000)])):
        print(name, flush=True)
        for t, values in solve(f, jac, y, mpf(10) ** -6, times):
            print(' ', mp.nstr(t, 6), ', '.join(mp.nstr(v, 18) for v in values), flush=True)
