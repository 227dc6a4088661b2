#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference data of robots with ball and floating joints, in 160-digit arithmetic and world coordinates.

  make.py FOLDER    writes flyer1.yaml, flyer1.json, .. there; the files beside this one were made so (python3-mpmath)

Nothing of the library is in it. Each link's pose follows from the definition of q (docs/conventions.md); each freedom is an
axis and a point in the world. Torques are d'Alembert's principle, sum of J^T (m (a - g)) + J_w^T (I wd + w x I w), with rates
of Jacobians and derivatives by differences in time and in the tangent space: position += R d, quaternion * exp(d). C is
sum of Phi^T (I dPhi/dt + B Phi) with B x = 1/2 (V x* I x + x x* I V - I (V x x)) about the world's origin (Echeandia & Wensing
2021). Numbers of the robot and of the states are those doubles that the files give.
"""

import json
import random
import sys
from pathlib import Path

from mpmath import cos, matrix, mp, mpf, nstr, sin, sqrt

mp.dps = 160
ZERO = [mpf(0)] * 3
SIZES = {"floating": (7, 6), "ball": (4, 3), "revolute": (1, 1), "prismatic": (1, 1)}


def exact(values):
    return [mpf(float(x)) for x in values]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(*vectors):
    return [sum(entries) for entries in zip(*vectors)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def scale(k, a):
    return [k * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def times(M, v):
    return [dot(row, v) for row in M]


def transpose(A):
    return [list(row) for row in zip(*A)]


def product(A, B):
    columns = transpose(B)
    return [[dot(row, column) for column in columns] for row in A]


def rotation_rpy(rpy):
    (r, p, y) = rpy
    x = [[1, 0, 0], [0, cos(r), -sin(r)], [0, sin(r), cos(r)]]
    z = [[cos(y), -sin(y), 0], [sin(y), cos(y), 0], [0, 0, 1]]
    return product(z, product([[cos(p), 0, sin(p)], [0, 1, 0], [-sin(p), 0, cos(p)]], x))


def rotation_axis(a, angle):
    K = [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
    K2 = product(K, K)
    return [[(i == j) + sin(angle) * K[i][j] + (1 - cos(angle)) * K2[i][j] for j in range(3)] for i in range(3)]


def rotation_quaternion(q):
    x, y, z, w = q
    s = 2 / (x * x + y * y + z * z + w * w)
    return [[1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)]]


def turned(q, d):
    """q * exp(d)"""
    angle = sqrt(dot(d, d))
    e = scale(sin(angle / 2) / angle, d) + [cos(angle / 2)] if angle else ZERO + [mpf(1)]
    return add(cross(q[:3], e[:3]), scale(q[3], e[:3]), scale(e[3], q[:3])) + [q[3] * e[3] - dot(q[:3], e[:3])]


class Robot:
    def __init__(self, joints, gravity):
        self.joints, self.gravity = joints, exact(gravity)
        self.parents = [j["parent"] for j in joints]
        self.q_at, self.v_at = [0], [0]
        for j in joints:
            nq, nv = SIZES[j["type"]]
            self.q_at.append(self.q_at[-1] + nq)
            self.v_at.append(self.v_at[-1] + nv)
            axis = exact(j["axis"])
            e = exact(j["inertia"])
            j["known"] = {"R": rotation_rpy(exact(j["rpy"])), "xyz": exact(j["xyz"]), "m": mpf(j["mass"]), "c": exact(j["com"]),
                          "axis": scale(1 / sqrt(dot(axis, axis)), axis),
                          "I": [[e[0], e[3], e[4]], [e[3], e[1], e[5]], [e[4], e[5], e[2]]]}
        self.nq, self.n = self.q_at[-1], self.v_at[-1]

    def moved(self, q, d):
        out = list(q)
        for j, a, b in zip(self.joints, self.q_at, self.v_at):
            if j["type"] == "floating":
                out[a:a + 3] = add(q[a:a + 3], times(rotation_quaternion(q[a + 3:a + 7]), d[b:b + 3]))
                out[a + 3:a + 7] = turned(q[a + 3:a + 7], d[b + 3:b + 6])
            elif j["type"] == "ball":
                out[a:a + 4] = turned(q[a:a + 4], d[b:b + 3])
            else:
                out[a] = q[a] + d[b]
        return out

    def places(self, q):
        """Rotation and origin of each link, and each freedom as (joint, turns, axis, point)."""
        links, freedoms = [], []
        for i, (j, a) in enumerate(zip(self.joints, self.q_at)):
            known, kind = j["known"], j["type"]
            R, p = links[j["parent"]] if j["parent"] >= 0 else ([[mpf(r == c) for c in range(3)] for r in range(3)], ZERO)
            p, R = add(p, times(R, known["xyz"])), product(R, known["R"])
            if kind == "floating":
                p, R = add(p, times(R, q[a:a + 3])), product(R, rotation_quaternion(q[a + 3:a + 7]))
            elif kind == "ball":
                R = product(R, rotation_quaternion(q[a:a + 4]))
            elif kind == "revolute":
                R = product(R, rotation_axis(known["axis"], q[a]))
            else:
                p = add(p, times(R, scale(q[a], known["axis"])))
            links.append((R, p))
            axes = transpose(R) if kind in ("floating", "ball") else [times(R, known["axis"])]
            if kind in ("floating", "prismatic"):
                freedoms += [(i, False, axis, p) for axis in axes]
            if kind != "prismatic":
                freedoms += [(i, True, axis, p) for axis in axes]
        return links, freedoms

    def carries(self, joint, link):
        while link >= 0 and link != joint:
            link = self.parents[link]
        return link == joint

    def jacobians(self, q):
        """Of each link: columns of the velocity of its centre of mass, of its angular velocity, its inertia, its centre."""
        links, freedoms = self.places(q)
        out = []
        for i, (R, p) in enumerate(links):
            known = self.joints[i]["known"]
            c = add(p, times(R, known["c"]))
            columns = [(ZERO, ZERO) if not self.carries(k, i) else (cross(axis, sub(c, at)), axis) if turns else (axis, ZERO)
                       for k, turns, axis, at in freedoms]
            out.append(([v for v, _ in columns], [w for _, w in columns], product(R, product(known["I"], transpose(R))), c))
        return out

    def inertia(self, q):
        M = [[mpf(0)] * self.n for _ in range(self.n)]
        for (V, W, I, _), j in zip(self.jacobians(q), self.joints):
            for a in range(self.n):
                Iw = times(I, W[a])
                for b in range(self.n):
                    M[a][b] += j["known"]["m"] * dot(V[a], V[b]) + dot(Iw, W[b])
        return M

    def torques(self, q, qd, qdd):
        h = mpf(10)**-40
        now, after, before = (self.jacobians(self.moved(q, scale(t, qd))) for t in (mpf(0), h, -h))
        tau = [mpf(0)] * self.n
        for (V, W, I, _), (V1, W1, _, _), (V0, W0, _, _), j in zip(now, after, before, self.joints):
            rate = [[sum((J1[k][r] - J0[k][r]) * qd[k] for k in range(self.n)) / (2 * h) for r in range(3)]
                    for J1, J0 in ((V1, V0), (W1, W0))]
            a, wd = (add(times(transpose(J), qdd), part) for J, part in zip((V, W), rate))
            w = times(transpose(W), qd)
            f = scale(j["known"]["m"], sub(a, self.gravity))
            moment = add(times(I, wd), cross(w, times(I, w)))
            tau = [t + dot(f, v) + dot(moment, u) for t, v, u in zip(tau, V, W)]
        return tau

    def coriolis(self, q, qd):
        def motion_cross(a, b):
            return (add(cross(a[1], b[0]), cross(a[0], b[1])), cross(a[1], b[1]))

        def force_cross(a, f):
            return (cross(a[1], f[0]), add(cross(a[1], f[1]), cross(a[0], f[0])))

        _, freedoms = self.places(q)
        twists = [(cross(at, axis), axis) if turns else (axis, ZERO) for _, turns, axis, at in freedoms]
        paths = [[k for k in range(self.n) if self.carries(freedoms[k][0], i)] for i in range(len(self.joints))]
        speeds = [tuple(add(ZERO, *(scale(qd[k], twists[k][part]) for k in path)) for part in (0, 1)) for path in paths]
        C = [[mpf(0)] * self.n for _ in range(self.n)]
        for (_, _, I, c), j, path, V in zip(self.jacobians(q), self.joints, paths, speeds):
            def momentum(t):
                p = scale(j["known"]["m"], add(t[0], cross(t[1], c)))
                return (p, add(times(I, t[1]), cross(c, p)))

            for b in path:
                S = twists[b]
                turning = momentum(motion_cross(speeds[freedoms[b][0]], S))
                parts = (force_cross(V, momentum(S)), force_cross(S, momentum(V)), momentum(motion_cross(V, S)))
                f = [add(turning[k], scale(mpf(1) / 2, sub(add(parts[0][k], parts[1][k]), parts[2][k]))) for k in (0, 1)]
                for a in path:
                    C[a][b] += dot(twists[a][0], f[0]) + dot(twists[a][1], f[1])
        return C

    def slopes(self, function):
        """Columns of the derivative of a function of a step (n), by differences of eighth order."""
        h, weights = mpf(10)**-12, (mpf(4) / 5, -mpf(1) / 5, mpf(4) / 105, -mpf(1) / 280)
        columns = []
        for k in range(self.n):
            column = [mpf(0)] * self.n
            for m, weight in enumerate(weights, 1):
                step = [m * h if i == k else mpf(0) for i in range(self.n)]
                column = add(column, scale(weight / h, sub(function(step), function(scale(-1, step)))))
            columns.append(column)
        return transpose(columns)


def make_robot(number):
    rnd = random.Random(number)
    kinds, parents = [(["floating", "ball", "revolute", "ball", "prismatic"], [-1, 0, 1, 0, 3]),
                      (["floating", "ball", "revolute", "ball", "prismatic"], [-1, 0, 1, 2, 3]),
                      (["revolute", "floating", "ball", "prismatic", "ball"], [-1, 0, 1, 0, 3])][number - 1]

    def three(most, digits=3):
        return [round(rnd.uniform(-most, most), digits) for _ in range(3)]

    joints = [{"name": f"j{i + 1}", "type": kind, "parent": parent, "xyz": three(0.5), "rpy": three(1.5), "axis": three(1),
               "mass": round(rnd.uniform(1, 5), 3), "com": three(0.2),
               "inertia": [round(rnd.uniform(0.1, 0.13), 4) for _ in range(3)] + three(0.01, 4)}
              for i, (kind, parent) in enumerate(zip(kinds, parents))]
    robot = Robot(joints, three(5))
    text = f"linkwork: 1\nname: flyer{number}\nsource: made by make.py beside this file\n"
    text += f"gravity: {[float(g) for g in robot.gravity]}\njoints:\n"
    for j in joints:
        axis = f", axis: {j['axis']}" if j["type"] in ("revolute", "prismatic") else ""
        text += (f"  - {{name: {j['name']}, type: {j['type']}, parent: {'base' if j['parent'] < 0 else joints[j['parent']]['name']}, "
                 f"origin: {{xyz: {j['xyz']}, rpy: {j['rpy']}}}{axis},\n     link: {{mass: {j['mass']}, com: {j['com']}, "
                 f"inertia: {j['inertia']}}}}}\n")
    q = []
    for j in joints:
        if j["type"] == "floating":
            q += three(1)
        if j["type"] in ("floating", "ball"):
            a = [rnd.gauss(0, 1) for _ in range(4)]
            q += [x / sum(y * y for y in a)**0.5 for x in a]
        else:
            q.append(round(rnd.uniform(-1, 1), 3))
    return robot, text, q, [[round(rnd.uniform(-most, most), 3) for _ in range(robot.n)] for most in (2, 3)]


def flat(A):
    return [x for row in A for x in row]


def answers(robot, q, qd, qdd):
    q, qd, qdd = exact(q), exact(qd), exact(qdd)
    tau = exact(robot.torques(q, qd, qdd))  # the doubles that forward dynamics starts from
    W = matrix(robot.inertia(q))**-1
    W = [[W[i, k] for k in range(robot.n)] for i in range(robot.n)]
    found = times(W, sub(tau, robot.torques(q, qd, [mpf(0)] * robot.n)))
    by_q, by_q_found = (robot.slopes(lambda d, a=a: robot.torques(robot.moved(q, d), qd, a)) for a in (qdd, found))
    by_qd = robot.slopes(lambda d: robot.torques(q, add(qd, d), qdd))
    return {"tau_given": tau, "inverse": robot.torques(q, qd, qdd), "inertia": flat(robot.inertia(q)), "inertia-inverse": flat(W),
            "inverse-derivatives": flat(by_q) + flat(by_qd), "coriolis-matrix": flat(robot.coriolis(q, qd)), "forward": found,
            "forward-derivatives": [-x for x in flat(product(W, by_q_found)) + flat(product(W, by_qd))] + flat(W)}


def main(folder):
    for number in (1, 2, 3):
        robot, text, q, (qd, qdd) = make_robot(number)
        found = answers(robot, q, qd, qdd)
        (folder / f"flyer{number}.yaml").write_text(text)
        numbers = {name: [json.loads(nstr(x, 36)) if name == "tau_given" else nstr(x, 60) for x in values] for name, values in found.items()}
        lines = [f'"{name}": [{", ".join(str(x) if name == "tau_given" else x for x in values)}]' for name, values in numbers.items()]
        given = [f'"{name}": {json.dumps(values)}' for name, values in (("q", q), ("qd", qd), ("qdd", qdd))]
        (folder / f"flyer{number}.json").write_text("{" + ",\n".join(given + lines) + "}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
