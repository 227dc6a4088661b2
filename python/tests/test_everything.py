# SPDX-License-Identifier: MIT
"""What the program can, Python can: each subject against an independent calculation."""

import numpy as np
import pytest

import linkwork as lw


def slope(function, x, step=1e-6):
    """Central differences of an array function, derivatives along the last axis."""
    x = np.asarray(x, float)
    columns = [(function(x + step * unit) - function(x - step * unit)) / (2 * step) for unit in np.eye(len(x))]
    return np.stack(columns, axis=-1)


# --- derivatives


def test_values_and_jacobians_of_states(panda, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 4, 2, 7))
    value, J = panda.slopes("inverse", q, qd, qdd)
    np.testing.assert_allclose(value, panda.inverse(q, qd, qdd), rtol=1e-12, atol=1e-12)
    assert J["q"].shape == J["qdd"].shape == (4, 2, 7, 7)
    np.testing.assert_allclose(J["qdd"], panda.inertia(q), atol=1e-12)
    by_q, by_qd = np.moveaxis(panda.inverse_derivatives(q, qd, qdd), -3, 0)
    np.testing.assert_allclose(J["q"], by_q, atol=1e-10)
    np.testing.assert_allclose(J["qd"], by_qd, atol=1e-10)
    one, K = panda.slopes("inverse", q[0, 0], wrt="q")
    assert one.shape == (7,) and list(K) == ["q"] and K["q"].shape == (7, 7)


def test_slopes_in_constants(puma, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 6))
    names = list(puma.constants("mass"))[:2] + ["gravity.z"] + list(puma.constants("length"))[:1]
    value, J = puma.slopes("inverse", q, qd, qdd, wrt=(), constants=names)
    assert list(J) == ["constants"] and J["constants"].shape == (6, 4)
    step = 1e-3
    by_gravity = (puma.inverse(q, qd, qdd, gravity=puma.gravity_vector + [0, 0, step]) - value) / step
    np.testing.assert_allclose(J["constants"][:, 2], by_gravity, rtol=1e-9, atol=1e-9)
    assert puma.constants()["gravity.z"].value == puma.gravity_vector[2] and puma.constants()["gravity.z"].linear
    with pytest.raises(lw.LinkworkError, match="did you mean"):
        puma.slopes("inverse", q, constants=["gravity.zz"])
    with pytest.raises(lw.LinkworkError, match="does not depend on tau"):
        puma.slopes("inverse", q, tau=qd)


def test_slopes_of_a_snake(root, random):
    snake = lw.load(root / "robots/snakes/table2_n6.yaml")
    theta, u, torque = random.uniform(-1, 1, 6), random.uniform(-1, 1, 2), random.uniform(-1, 1, 5)
    value, J = snake.slopes(theta, u, torque, constants=("mass",))
    np.testing.assert_allclose(value, snake.motion(theta, u, torque).udot)
    np.testing.assert_allclose(J["theta"], slope(lambda x: snake.motion(x, u, torque).udot, theta), atol=1e-6)
    np.testing.assert_allclose(J["u"], slope(lambda x: snake.motion(theta, x, torque).udot, u), atol=1e-6)
    assert J["torque"].shape == (2, 5) and J["mass"].shape == (2, 6)


# --- exact answers and proofs


def test_answers_in_113_bits(panda, random):
    q = random.uniform(-1, 1, 7)
    exact = panda.exact("gravity", q)
    assert exact.shape == (7, 3)
    np.testing.assert_allclose(exact[..., 0], panda.gravity(q), rtol=1e-13, atol=1e-13)
    assert exact[1, 1] != 0 and len(exact.text()[1].replace("-", "").replace(".", "").split("e")[0]) >= 30
    assert abs(float(exact.decimals()[1]) - exact[1, 0]) == 0
    tip = panda.exact("pose", q, tool=(0, 0, 0.1))
    np.testing.assert_allclose(tip[:3, 0], panda.pose(q, tool=(0, 0, 0.1)).position, atol=1e-14)


def test_answers_about_snakes_in_113_bits(root):
    snake = lw.load(root / "robots/snakes/table2_n6.yaml")
    theta = np.linspace(-1, 1, 6)
    M = snake.exact(theta, want="M")
    np.testing.assert_allclose(M[..., 0], snake.motion(theta, want="M").M, rtol=1e-13)


def test_proofs(root):
    proof = lw.load(root / "robots/planar2r.yaml").prove(points=2)
    assert proof.holds and len(proof) > 5 and all(identity.points == 2 for identity in proof) and proof.probability < 1e-9
    assert lw.generic_snake(3).prove().holds
    with pytest.raises(lw.LinkworkError):
        lw.generic(2).prove(points=0)


# --- positions


def test_steps_in_the_tangent_space(root, random):
    flyer = lw.load(root / "robots/free_flyer.yaml")
    q, v = flyer.random((3,), seed=1), random.uniform(-1, 1, (3, flyer.dof))
    on = flyer.integrate(q, v)
    np.testing.assert_allclose(flyer.difference(q, on), v, atol=1e-12)
    np.testing.assert_allclose(flyer.velocities_of(q, flyer.rates(q, v)), v, atol=1e-12)
    np.testing.assert_allclose((flyer.integrate(q, 1e-7 * v) - q) / 1e-7, flyer.rates(q, v), atol=1e-6)
    longer = 3 * q
    np.testing.assert_allclose(flyer.normalise(longer)[:, 3:7], q[:, 3:7], atol=1e-15)
    flyer.check_positions(q[0])
    with pytest.raises(lw.LinkworkError):
        flyer.check_positions(longer[0])
    with pytest.raises(ValueError, match="no direction"):
        flyer.normalise(0 * q)


# --- wrenches at points of links


def test_wrenches_at_points(panda, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 5, 7))
    forces = random.uniform(-5, 5, (5, 2, 6))
    links = panda.link_names
    at = [(links[3], (0.1, 0, 0.05)), (links[-1], (0, 0, 0.1), "base")]
    found = panda.inverse(q, qd, qdd, wrench=forces, at=at)
    expected = panda.inverse(q, qd, qdd)
    for k in range(5):
        J3, J7 = panda.jacobian(q[k], link=links[3], tool=at[0][1]), panda.jacobian(q[k], link=links[-1], tool=at[1][1])
        R = panda.pose(q[k], link=links[3]).rotation
        world = np.concatenate([R @ forces[k, 0, :3], R @ forces[k, 0, 3:]])
        expected[k] -= J3.T @ world + J7.T @ forces[k, 1]
    np.testing.assert_allclose(found, expected, atol=1e-10)
    np.testing.assert_allclose(panda.forward(q, qd, found, wrench=forces, at=at), qdd, atol=1e-8)
    one = panda.inverse(q[0], wrench=forces[0, 0], at=links[-1])
    np.testing.assert_allclose(one, panda.inverse(q[0], wrench=forces[0, 0]), rtol=1e-13)
    with pytest.raises(ValueError, match=r"expected \(..., 2, 6\)"):
        panda.inverse(q, wrench=forces[:, :1], at=at)
    with pytest.raises(ValueError, match="nan"):
        panda.inverse(q, wrench=forces * np.nan, at=at)


def test_fleets_with_wrenches(puma):
    fleet = lw.Fleet(puma, 3)
    fleet.start(q=np.zeros(6))
    pushes = np.zeros((3, 1, 6))
    pushes[1, 0, 2] = 10
    fleet.set_wrenches(pushes)
    state = fleet.save()
    fleet.advance(0.05)
    q, qd = fleet.states()
    assert np.array_equal(q[0], q[2]) and not np.allclose(q[0], q[1])
    fleet.restore(state)
    assert fleet.t == 0
    fleet.advance(0.05)
    assert np.array_equal(fleet.states()[0], q)
    start = puma.forward(np.zeros(6), wrench=pushes[1, 0])
    np.testing.assert_allclose(qd[1], start * 0.05, rtol=0.3, atol=0.05)
    with pytest.raises(lw.LinkworkError, match="link"):
        fleet.set_wrenches(pushes, at=["nothing"])


# --- linear models


def test_linear_models(root):
    arm = lw.load(root / "robots/planar2r.yaml")
    q = np.array([-np.pi / 2, 0]) if arm.gravity_vector[1] else np.array([0.3, 0.4])
    linear = arm.linearise(q)
    n = arm.dof
    assert linear.A.shape == (2 * n, 2 * n) and linear.B.shape == (2 * n, n)
    np.testing.assert_allclose(linear.B[n:], np.linalg.inv(arm.inertia(q)), rtol=1e-10)
    np.testing.assert_allclose(np.sort_complex(linear.eigenvalues), np.sort_complex(np.linalg.eigvals(linear.A)), atol=1e-8)
    stiff = arm.linearise(q, springs={arm.joint_names[0]: (1000.0, 1.0)})
    assert stiff.stability in ("stable", "marginal", "unstable") and stiff.modes[-1].frequency > linear.modes[-1].frequency
    assert any(arm.joint_names[0] in mode.text for mode in stiff.modes)


# --- identification


def test_base_parameters_span_the_regressor(puma, random):
    base = puma.base_parameters()
    q, qd, qdd = random.uniform(-1, 1, (3, 40, 6))
    Y = puma.regressor(q, qd, qdd).reshape(-1, 60)
    assert len(base) == np.linalg.matrix_rank(Y, tol=1e-8) == base.by_rank
    values = np.array([one.value for one in base])
    columns = Y[:, [one.column for one in base]]
    np.testing.assert_allclose(columns @ values, puma.inverse(q, qd, qdd).ravel(), atol=1e-9)
    assert not Y[:, base.idle].any() and len(base.names) == 60
    pi = puma.mass_parameters(("rotor", "viscous"))
    extended = puma.extended_regressor(q, qd, qdd, terms=("rotor", "viscous"))
    assert extended.shape == (40, 6, 72)
    np.testing.assert_allclose(extended[..., :60] @ pi[:60], puma.inverse(q, qd, qdd), atol=1e-9)
    with pytest.raises(lw.LinkworkError, match="viscous"):
        puma.mass_parameters(["viscos"])


def test_identification_of_a_heavier_robot(root):
    arm = lw.load(root / "robots/planar2r.yaml")
    truth = arm.replace(payload={arm.link_names[-1]: 0.7})
    motion = arm.excite(6, harmonics=3, tries=30)
    t, q, qd, qdd = motion.sample(0.01)
    assert motion.after <= motion.before and np.abs(qd[0]).max() < 1e-12
    found = arm.identify(t, q, truth.inverse(q, qd, qdd))
    before, after = (np.abs(robot.inverse(q, qd, qdd) - truth.inverse(q, qd, qdd)).max() for robot in (arm, found.robot))
    assert after < before / 20
    assert found.measured.shape == found.predicted.shape and found.correlation.shape == (len(found.estimates),) * 2
    assert found.fit.fitted > 0 and set(found.joints) == set(arm.joint_names)
    with pytest.raises(lw.LinkworkError):
        arm.identify(t[:3], q[:3], q[:3])


# --- fastest motions and cycles


def test_fastest_motions(puma):
    limits = dict(velocity=1.0, acceleration=4.0)
    motions = lw.fastest(puma, [np.zeros(6), [0.5, 0.2, 0, 0, 0, 0]], **limits)
    assert len(motions) == 1
    motion = motions[0]
    t, q, qd, qdd = motion.sample(0.005)
    np.testing.assert_allclose(q[-1], [0.5, 0.2, 0, 0, 0, 0], atol=1e-9)
    assert np.abs(qd).max() <= 1 + 1e-6 and np.abs(qdd).max() <= 4 + 1e-6
    # a single joint that turns by 0.5: bang, cruise, bang
    assert motion.duration == pytest.approx(0.5 / 1 + 1 / 4, rel=1e-3)
    middle = motion.at(motion.duration / 2)
    assert middle.limit == "velocity" and middle.place == "waist"
    path = lw.plan(puma, [np.zeros(6), [0.5, 0.2, 0, 0, 0, 0]], velocity=1, acceleration=4)
    assert lw.fastest(puma, path, **limits).duration <= path.duration * (1 + 1e-3)
    motion.slow(2)
    assert motion.duration == pytest.approx(1.5, rel=1e-3)
    with pytest.raises(lw.LinkworkError):
        lw.fastest(puma, [np.zeros(6), np.zeros(6)], **limits)


# --- cylinders, motors, schedules, loads


def test_cylinders(root):
    files = [path for path in sorted((root / "robots").glob("*.yaml")) if "\ncylinders:" in path.read_text()]
    arm = lw.load(files[0], allow_inert=True)
    cylinders = arm.cylinders()
    assert len(cylinders) == len(cylinders.names) > 0
    q = arm.random(seed=3)
    pose = cylinders.pose(q)
    assert pose.length.shape == (len(cylinders),) and pose.ends.shape == (len(cylinders), 2, 3)
    np.testing.assert_allclose(np.linalg.norm(pose.ends[:, 1] - pose.ends[:, 0], axis=1), pose.length, rtol=1e-12)
    if arm.nq == arm.dof:
        np.testing.assert_allclose(pose.arms, slope(lambda x: cylinders.pose(x).length, q), atol=1e-7)
    one = cylinders.definitions[0]
    assert one.area(0) == pytest.approx(np.pi * one.bore**2 / 4)
    low, high = one.pressures(1000.0)
    assert one.area(0) * low - one.area(1) * high == pytest.approx(1000.0)
    again = arm.cylinders(cylinders.definitions)
    np.testing.assert_array_equal(again.pose(q).length, pose.length)
    with pytest.raises(lw.LinkworkError):
        lw.CylinderDef(name="bad", start=(None, (0, 0, 0)), end=(None, (1, 0, 0)), bore=-1).area(0)


def test_motors_friction_and_converters(puma):
    joint = next(joint for joint in puma.joints if joint.motor)
    need = joint.motor.need(1.0, 2.0)
    assert need.joint_torque == pytest.approx(2.0) and need.power == pytest.approx(need.voltage * need.current)
    back = joint.motor.drive(1.0, need.voltage)
    assert back.joint_torque == pytest.approx(2.0)
    friction = joint.friction
    np.testing.assert_allclose(friction.torque([-1.0, 1.0]), [-friction.torque(1.0), friction.torque(1.0)])
    converter = lw.Converter(bits=3, range=4.0)
    np.testing.assert_array_equal(converter.level([0.4, 0.6, 9.0, -9.0]), [0, 1, 3, -4])
    law = lw.Law("2*t^2 + k")
    assert law(3.0, k=2) == 20
    np.testing.assert_array_equal(law.jet(3.0, k=2), [20, 12, 4])
    np.testing.assert_array_equal(law.values(1.0, 3), [3, 4, 5])


def test_schedules():
    schedule = lw.Schedule([0, 1, 3], [[0, 1], [2, 3], [6, 7]], between="linear")
    np.testing.assert_allclose(schedule([0.5, 2, 9]), [[1, 2], [4, 5], [6, 7]])
    assert schedule.next(1.0) == 3 and np.isinf(schedule.next(3.0)) and (schedule.rows, schedule.width) == (3, 2)
    held = lw.Schedule("t,v1\n0,5\n2,7\n")
    assert held(1.9) == 5 and held.between == "held"
    with pytest.raises(lw.LinkworkError):
        lw.Schedule([0, 0], [1, 2])


def test_loads_of_joints(puma):
    plan = lw.plan(puma, [np.zeros(6), np.ones(6) * 0.3], "s-curve", velocity=1, acceleration=4, jerk=40)
    t, q, qd, qdd = plan.sample(0.02)
    loads = puma.joint_loads(t, q, qd, qdd)
    forces = puma.reactions(q, qd, qdd)
    assert forces.shape == (len(t), len(puma.joints), 6)
    name = puma.joints[1].name
    rfz = forces[:, 1, 2]
    assert loads[name]["rfz"].peak == rfz[np.argmax(np.abs(rfz))]
    assert loads[name]["rf"].peak == pytest.approx(np.linalg.norm(forces[:, 1, :3], axis=1).max())
    assert loads[name]["rnz"].unit == "N m"


# --- runs that stop and go on


def test_a_simulation_is_saved_and_restored(puma):
    def sim():
        return lw.Simulation(puma, 1.0, q=np.zeros(6), friction="none", integrator="rk4", step=1e-3)

    first = sim()
    assert first.advance(0.1) == "arrived"
    state, here = first.save(), first.state()
    first.advance(0.2)
    there = first.state()
    twin = sim()
    twin.restore(state)
    assert twin.t == pytest.approx(0.1) and np.array_equal(twin.state().q, here.q)
    copy = twin.copy()
    twin.advance(0.2)
    copy.advance(0.2)
    assert np.array_equal(twin.state().q, there.q) and np.array_equal(copy.state().q, there.q)
    with pytest.raises(lw.LinkworkError):
        twin.restore(state[:-1])
    with pytest.raises(ValueError, match="from 0.2"):
        twin.advance(0.1)
    assert twin.audit["trusted"] and twin.stable_step().step > 0


def test_loads_act_on_links_during_a_run(puma):
    """Wrenches at points of links do what the torques of their Jacobians do."""
    link, point, force = puma.link_names[3], (0.05, 0, 0.1), np.array([3.0, -2, 5, 0, 0, 0])
    given = dict(q=puma.neutral(), friction="none", rotors=False, rtol=1e-9, atol=1e-9)

    def pushed(t, q, qd):
        J = puma.jacobian(q, link=link, tool=point)
        R = puma.pose(q, link=link).rotation
        return J[:3].T @ (np.sin(t) * force[:3]) + J[:3].T @ R @ [0, 0, 1.5]

    laws = [f"{x}*sin(t)" for x in force[:3]]
    run = lw.simulate(puma, 0.3, loads={(link, point, "base"): [*laws, 0, 0, 0], (link, point): [0, 0, 1.5, 0, 0, 0]}, **given)
    expected = lw.simulate(puma, 0.3, torques=pushed, **given)
    np.testing.assert_allclose(run.q, expected.q, atol=1e-6)
    assert run.audit["load_work"] != 0 and np.abs(run.q - lw.simulate(puma, 0.3, **given).q).max() > 1e-3
    for wrong in ({"hand": [0] * 6}, {link: [1, 2]}, {link: ["sin(", 0, 0, 0, 0, 0]}, {(link, point, "world"): [0] * 6}):
        with pytest.raises((lw.LinkworkError, ValueError)):
            lw.simulate(puma, 0.1, loads=wrong)


def test_controllers_that_know_less(puma):
    given = dict(q=puma.neutral(), friction="none", rotors=False, controller="computed-torque", kp=100, kd=20)
    exact = lw.simulate(puma, 3, **given)
    assert np.abs(exact.q[-1]).max() < 1e-6
    blind = lw.simulate(puma, 3, sensors={"offset": [0, 0.01, 0, 0, 0, 0]}, **given)
    assert blind.q["shoulder"][-1] == pytest.approx(-0.01, abs=2e-3)
    heavy = puma.replace(payload={puma.link_names[-1]: 5})
    wrong = lw.simulate(puma, 3, model=heavy, **given)
    q = wrong.q[-1]  # it rests where both sides of the controller's equation balance
    held = heavy.gravity(q) - puma.gravity(q)
    np.testing.assert_allclose(100 * heavy.inertia(q) @ q, held, atol=1e-3 * abs(held).max())
    assert abs(q).max() > 1e-2
    with pytest.raises(ValueError, match="there is none"):
        lw.simulate(puma, 1, sensors={"offset": 0.1})
    with pytest.raises(lw.LinkworkError, match="property of sensors"):
        lw.simulate(puma, 1, controller="pd-gravity", sensors={"bias": 0.1})


# --- studies, parts, snakes


def test_a_study_as_arrays(root, tmp_path):
    path = sorted((root / "studies").glob("*.yaml"))[0]
    study = lw.study(path, points=8)
    result = study.compute(0, min(8, study.samples))
    assert len(result) == min(8, study.samples)
    assert result.parameters.shape[1] == len(study.parameters) and result.measures.shape[1] == len(study.measures)
    np.testing.assert_array_equal(result.parameters[0], study.draw(0))
    assert result.to_array()["sample"].tolist() == list(range(len(result)))
    assert np.isfinite(result.measures[np.array(result.state) == "done"]).any()


def test_parts_from_text(root):
    path = root / "parts/ddarm.yaml"
    from_file, from_text = lw.parts(path), lw.parts(path.read_text())
    assert from_file.names == from_text.names
    assert from_file[from_file.names[0]].mass == from_text[from_text.names[0]].mass


def test_snakes_are_made_written_and_generated(tmp_path):
    snake = lw.make_snake([dict(length=0.2, mass=1, inertia=0.005)] * 3, name="short")
    snake.save(tmp_path / "short.yaml")
    again = lw.load(tmp_path / "short.yaml")
    assert again.n == 3 and again.links == snake.links
    code = snake.source("forward")
    assert any("snake" in name for name in code) and "udot" in "".join(code.values())
    with pytest.raises(lw.LinkworkError):
        lw.make_snake([dict(length=-1, mass=1, inertia=1)] * 3)


def test_snakes_are_guided_saved_and_restored(root):
    snake = lw.load_snake(root / "robots/snakes/table2_n6.yaml")
    guided = snake.simulate(1.0, guide=dict(speed=0.1, winding=0.6, wavelength=1.0))
    assert np.abs(guided.error).max() < 0.01 and guided.kinetic[-1] > 0
    first = lw.SnakeSimulation(snake, torque="sin(t)/(n-k)")
    first.advance(0.2)
    state = first.save()
    copy = first.copy()
    first.advance(0.4)
    copy.advance(0.4)
    there = first.state()
    first.restore(state)
    assert first.t == pytest.approx(0.2) and first.state().t == pytest.approx(0.2)
    first.advance(0.4)
    assert np.array_equal(first.state().theta, there.theta) and np.array_equal(copy.state().theta, there.theta)
    with pytest.raises(lw.LinkworkError, match="did you mean"):
        snake.simulate(1.0, guide=dict(sped=1))
    assert snake.beyond(np.zeros(6)) is None


def test_snakes_slip_and_hit_stops(root):
    link = dict(length=0.2, mass=1, inertia=0.005, friction_limit=0.3)
    snake = lw.make_snake([{**link, "lower": -0.7, "upper": 0.7}] * 3 + [link])
    theta, law = np.array([0.1, 0.3, -0.2, 0.2]), "2*sin(3*t+k)"
    run = snake.simulate(2, torque=law, theta=theta, slip=True, stops=True)
    assert run.slip_loss[-1] > 0 and run.stop_loss[-1] > 0 and run.sideways.max() > 1e-3
    np.testing.assert_allclose(run.S, run.kinetic - run.work + run.slip_loss + run.stop_loss, atol=1e-12)
    assert abs(run.S - run.S[0]).max() <= run.stats["bound"] and run.stats["trusted"]
    assert np.abs(np.diff(run.theta, axis=1)).max() < 0.7 + 1e-6
    assert {"S", "sideways", "slip_loss", "stop_loss"} <= set(run.columns())
    table = lw.load_snake(root / "robots/snakes/table2_n6.yaml")  # without slip, both sets of equations describe one motion
    exact = dict(torque="sin(t)/(n-k)", rtol=1e-10, atol=1e-10)
    rolling, full = table.simulate(1, **exact), table.simulate(1, method="lagrange-full", stabilise=True, **exact)
    np.testing.assert_allclose(full.theta, rolling.theta, atol=1e-6)
    assert full.sideways.max() < 1e-9 and not full.slip_loss.any()
    braked = table.simulate(1, rolling_resistance=5, **exact)
    assert braked.kinetic[-1] < rolling.kinetic[-1]
    stepped = lw.SnakeSimulation(snake, torque=law, theta=theta, slip=True, stops=True)
    stepped.advance(2)
    assert stepped.state().slip_loss == pytest.approx(run.slip_loss[-1], rel=1e-3)
    for wrong in (dict(slip=True, method="kane"), dict(rolling_resistance=-1), dict(rolling_resistance=1, slip=True),
                  dict(stops=True, theta=[0, 1, 0, 0])):
        with pytest.raises(ValueError):
            snake.simulate(1, **wrong)


def test_heat_of_motors_counts(puma):
    q = np.array([[0, 0, 0, 0, 0, 0], [1, -0.5, 0.5, 0, 0, 0]])
    (fast,), (cool,) = (lw.fastest(puma, q, acceleration=20, grid=100, heat=heat) for heat in (None, np.full(6, 0.05)))

    def heat(motion):
        return sum(joint.loads["current"].rms**2 for joint in puma.drives(*motion.sample(0.002))[0]) * motion.duration

    assert cool.local and cool.duration > fast.duration and heat(cool) < 0.98 * heat(fast)


def test_trajectories_are_read_and_pickled(puma, tmp_path):
    import pickle
    plan = lw.plan(puma, [np.zeros(6), {"waist": 1.0}], "s-curve", velocity=1, acceleration=4, jerk=40)
    again = pickle.loads(pickle.dumps(plan))
    assert repr(again) == repr(plan)
    assert all(np.array_equal(a, b) for a, b in zip(plan.sample(0.05), again.sample(0.05)))
    t, q, qd, qdd = plan.sample(0.05)
    lines = [",".join(["t", *(f"q{k + 1}" for k in range(6))])] + [",".join(map(repr, (float(a), *b.tolist()))) for a, b in zip(t, q)]
    (tmp_path / "log.csv").write_text("\n".join(lines) + "\n")
    read = lw.read_trajectory(tmp_path / "log.csv", puma)
    np.testing.assert_array_equal(read(t)[0], q)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(read))(t)[0], q)
    assert puma.closed_form() is None and "do not meet" in lw.generic(7).closed_form()


# --- the program


def test_commands_of_the_program(root, puma, tmp_path):
    try:
        lw._program.find()
    except lw.LinkworkError:
        pytest.skip("the program linkwork is not there")
    table = puma.accuracy(states=3, question="inverse")
    assert (table["worst_ulp"] > 0).all() and {"method", "precision"} <= set(table.dtype.names)
    torques = lw.command("inverse", puma, q=[0.1, 0.2, 0.3, 0, 0, 0])
    np.testing.assert_allclose([float(torques[name][0]) for name in torques.dtype.names[:6]],
                               puma.inverse([0.1, 0.2, 0.3, 0, 0, 0]), rtol=1e-12)
    picture = puma.draw(q=[0, 0.3, 0, 0, 0, 0], view="front")
    assert picture.svg.startswith("<") and "image/svg+xml" in picture._repr_mimebundle_()
    assert "accuracy" in dir(lw.commands) and callable(lw.commands.clearance)
    gripper = lw.load(root / "robots/gripper_arm.urdf")
    joints = {f"q{k + 1}": [0.0, 0.1] for k in range(gripper.dof)}
    assert len(lw.commands.clearance(gripper, input={"t": [0.0, 0.1], **joints}))
    assert len(puma.sensitivity(q=[0] * 6)) > 5
    with pytest.raises(TypeError, match="no option 'colour'"):
        puma.draw(colour="red")
    with pytest.raises(lw.LinkworkError, match="did you mean 'accuracy'"):
        lw.command("acuracy", puma)
    with pytest.raises(lw.LinkworkError):
        lw.command("inverse", puma, q=[0])


@pytest.mark.parametrize("name", ["panda.yaml", "gripper_arm.urdf", "free_flyer.yaml", "torso.yaml"])
@pytest.mark.parametrize("question, last", [("inverse", "qdd"), ("forward", "tau")])
def test_slopes_of_many_states_are_those_of_dual_numbers(root, monkeypatch, name, question, last):
    """The questions about derivatives answer where they can; numbers with derivatives go through the kernels elsewhere."""
    arm = lw.load(root / "robots" / name)
    q = arm.random((3, 1), seed=1)
    qd, other = np.random.default_rng(1).uniform(-1, 1, (2, 4, arm.dof))
    value, J = arm.slopes(question, q, qd, **{last: other})
    from linkwork import _derivatives
    monkeypatch.setattr(_derivatives, "_by_questions", lambda *_: None)
    slow, exact = arm.slopes(question, q, qd, **{last: other})
    assert value.shape == (3, 4, arm.dof) and np.allclose(value, slow, rtol=1e-10, atol=1e-10 * np.abs(slow).max())
    assert list(J) == list(exact) == ["q", "qd", last]
    for key in J:
        assert J[key].shape == exact[key].shape and J[key].flags.writeable
        assert np.allclose(J[key], exact[key], rtol=1e-9, atol=1e-9 * np.abs(exact[key]).max()), key
