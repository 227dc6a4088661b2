# SPDX-License-Identifier: MIT
"""Lifetimes: objects after close(), threads, forks, exceptions in callables, Ctrl-C."""

import gc
import os
import pickle
import signal
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import linkwork as lw


@pytest.fixture
def arm(root):
    return lw.load(root / "robots/panda.yaml")


def test_closed_robots_say_so(arm):
    with arm as same:
        assert same is arm and not arm.closed
    arm.close()
    assert arm.closed and "closed" in repr(arm) and "closed" in arm._repr_html_()
    for use in (lambda: arm.inverse(np.zeros(7)), lambda: arm.joints, lambda: arm.ik((0, 0, 0)), lambda: arm.counts(),
                lambda: arm.replace(gravity=(0, 0, 0)), lambda: lw.simulate(arm, 1), lambda: lw.Fleet(arm, 2),
                lambda: arm.to_yaml(), lambda: lw.plan(arm, np.zeros((2, 7)), "cubic", duration=1)):
        with pytest.raises(lw.LinkworkError, match="closed"):
            use()


def test_other_closed_objects(root, arm):
    snake = lw.load(root / "robots/snakes/table2_n6.yaml")
    home = np.array([0, 0, 0, -1.5, 0, 1.5, 0])
    plan = lw.plan(arm, [home, home + 0.1], "cubic", duration=1)
    fleet = lw.Fleet(arm, 3)
    parts = lw.parts(root / "parts/ddarm.yaml")
    for thing in (snake, plan, fleet, parts):
        thing.close()
        thing.close()
        assert thing.closed and "closed" in repr(thing)
    for use in (lambda: snake.motion(np.zeros(6)), lambda: plan(0.5), lambda: fleet.advance(1), lambda: parts["trunk"]):
        with pytest.raises(lw.LinkworkError, match="closed"):
            use()


def test_what_needs_a_closed_robot_keeps_it(arm):
    fleet = lw.Fleet(arm, 4)
    line = lw.line(arm, {"joint2": 0.3, "joint4": -1.5}, arm.pose({"joint2": 0.3, "joint4": -1.5}).position + [0.05, 0, 0],
                   duration=1, keep_orientation=False)
    arm.close()
    gc.collect()
    fleet.advance(0.01)
    assert np.isfinite(line(0.5)[0]).all()


def test_robots_are_freed(root):
    arm = lw.load(root / "robots/puma560.yaml")
    arm.inverse(np.zeros((5000, 6)))
    model = weakref.ref(arm._owned)
    del arm
    gc.collect()
    assert model() is None


def test_threads_share_a_robot(arm):
    q = np.random.default_rng(1).uniform(-1, 1, (8, 3000, 7))
    expected = [arm.inverse(part, part, part) for part in q]
    single = arm.inverse(q[0, 0], q[0, 0], q[0, 0])
    wrong = []

    def work(i):
        for _ in range(10):
            if not np.array_equal(arm.inverse(q[i], q[i], q[i]), expected[i]):
                wrong.append(i)
            if not np.array_equal(arm.inverse(q[0, 0], q[0, 0], q[0, 0]), single):
                wrong.append(i)
            arm.inertia(q[i], method="walker-orin-3")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_closing_while_others_compute(arm):
    q = np.zeros((200000, 7))
    answers = []
    thread = threading.Thread(target=lambda: answers.append(arm.inverse(q)))
    thread.start()
    time.sleep(0.002)
    arm.close()
    thread.join()
    for answer in answers:
        assert np.isfinite(answer).all()


def test_the_interpreter_lock_is_released(arm):
    """Another thread keeps counting during a long call of the library."""
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    chain = lw.generic(60, threads=1)
    thread = threading.Thread(target=count)
    thread.start()
    states, took = 1000, 0
    while took < 0.1:  # one call that takes long enough
        q, begin = np.zeros((states, 60)), time.perf_counter()
        chain.inverse(q, q, q)
        end, states = time.perf_counter(), 2 * states
        took = end - begin
    done.set()
    thread.join()
    assert sum(begin < tick < end for tick in ticks) > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forked_processes(arm):
    q = np.random.default_rng(3).uniform(-1, 1, (5000, 7))
    expected = arm.inverse(q)  # starts threads, which the forked child does not have
    fleet = lw.Fleet(arm, 100)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sound = np.array_equal(arm.inverse(q), expected) and np.array_equal(arm.inverse(q[0]), expected[0])
            try:
                fleet.advance(0.1)
            except lw.LinkworkError as error:
                sound = sound and "fork" in str(error)
            else:
                sound = False
            arm.close()
            gc.collect()
            code = 0 if sound else 2
        finally:
            os._exit(code)
    for _ in range(600):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    assert np.array_equal(arm.inverse(q), expected)


def test_exceptions_in_torques(arm):
    calls = []

    def torques(t, q, qd):
        calls.append(t)
        if t > 0.05:
            raise KeyError("no torque")
        return np.zeros(7)

    with pytest.raises(KeyError, match="no torque"):
        lw.simulate(arm, 10, torques=torques)
    assert max(calls) < 0.1  # the run ended there


@pytest.mark.parametrize("wrong", [lambda t, q, qd: np.zeros(6), lambda t, q, qd: "text", lambda t, q, qd: None,
                                   lambda t: 0, lambda t, q, qd: [1j] * 7])
def test_torques_that_return_nonsense(arm, wrong):
    with pytest.raises((TypeError, ValueError)):
        lw.simulate(arm, 1, torques=wrong)


def test_torques_that_are_not_finite(arm):
    with pytest.raises(lw.NumericalError) as caught:
        lw.simulate(arm, 1, torques=lambda t, q, qd: np.full(7, np.nan if t > 0.1 else 0))
    assert len(caught.value.run.t) >= 10


def test_budget_of_steps(arm):
    with pytest.raises(lw.NumericalError, match="the budget is used up") as caught:
        lw.simulate(arm, 1, q=arm.neutral(), friction="none", integrator="rk4", step=0.01, budget=50)
    assert caught.value.run.audit["steps"] == 50
    assert caught.value.run.t[-1] == pytest.approx(0.5)
    with pytest.raises(lw.NumericalError, match="budget"):
        lw.integrate(lambda t, y: -y, [1.0], [0, 1], step=0.01, budget=50)
    with pytest.raises(ValueError):
        lw.simulate(arm, 1, budget=0)
    with pytest.raises(lw.NumericalError, match="the budget is used up"):
        lw.simulate(arm, 1e6, record=1e6, integrator="rk4", step=1e-3, budget="0.2s")
    with pytest.raises(ValueError, match="60s"):
        lw.simulate(arm, 1, budget="soon")


def test_tolerances_of_each_entry():
    """The loose tolerance of one entry does not count for the other, which does not depend on it."""
    given = dict(method="dormand-prince", rtol=1e-12)
    fine = lw.integrate(lambda t, y: [-y[0], 40 * np.cos(40 * t)], [1.0, 0.0], [0, 1], atol=1e-12, **given)
    mixed = lw.integrate(lambda t, y: [-y[0], 40 * np.cos(40 * t)], [1.0, 0.0], [0, 1], atol=[1e-12, 1e3], **given)
    assert mixed.stats["steps"] < fine.stats["steps"] / 2 and abs(mixed.y[-1, 0] - np.exp(-1)) < 1e-9
    with pytest.raises(ValueError, match="shape"):
        lw.integrate(lambda t, y: -y, [1.0, 0.0], [0, 1], atol=[1e-9] * 3)
    with pytest.raises(ValueError, match="above 0"):
        lw.integrate(lambda t, y: -y, [1.0, 0.0], [0, 1], rtol=[1e-9, 0])


def test_exceptions_in_other_callables(arm):
    def broken(*_):
        raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError):
        lw.integrate(broken, [1.0], [0, 1])
    with pytest.raises(ZeroDivisionError):
        lw.integrate(lambda t, y: -y, [1.0], [0, 1], events=lambda t, y: y - 0.5 if t < 0.3 else broken())
    with pytest.raises(ZeroDivisionError):
        lw.simulate(arm, 1, controller="pd-gravity", kp=1, kd=1, reference=broken)
    with pytest.raises(ZeroDivisionError):
        lw.generic_snake(4).simulate(1, torque=broken)
    fleet = lw.Fleet(arm, 50, torques=broken)
    with pytest.raises(ZeroDivisionError):
        fleet.advance(0.01)


def interrupt_soon(seconds=0.3):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("how", ["library", "callable"])
def test_ctrl_c_ends_a_long_run(arm, how):
    torques = (lambda t, q, qd: np.zeros(7)) if how == "callable" else None
    timer = interrupt_soon()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        lw.simulate(arm, 1e3, record=1e3, friction="none", torques=torques, step=1e-5)
    timer.join()
    assert time.perf_counter() - begin < 60  # the run itself would take hours
    assert lw.simulate(arm, 0.01).outcome == "arrived"


def test_ctrl_c_ends_an_integration():
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        lw.integrate(lambda t, y: -y, [1.0], [0, 1e6], step=1e-6)
    timer.join()


def test_runs_on_other_threads(arm):
    runs = []
    thread = threading.Thread(target=lambda: runs.append(lw.simulate(arm, 0.05)))
    thread.start()
    thread.join()
    assert runs[0].outcome == "arrived"


def test_pickle_and_copy(root, panda):
    import copy
    q = np.linspace(-1, 1, 7)
    for again in (pickle.loads(pickle.dumps(panda)), copy.deepcopy(panda)):
        assert np.allclose(again.inverse(q, q, q), panda.inverse(q, q, q), rtol=1e-12)
    try:
        lw.loads("joints: 3\n", name="arm.yaml")
    except lw.LinkworkError as error:
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error) and again.diagnostics == error.diagnostics


def test_many_robots_leave_nothing(root):
    import resource
    text = (root / "robots/puma560.yaml").read_text()

    def many(count):
        for _ in range(count):
            arm = lw.loads(text)
            arm.inverse(np.zeros((2000, 6)))
            arm.close()

    many(30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    many(150)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # ASan keeps freed memory on purpose
        assert grown < 20000  # KB; a model and its workspaces are more than 200 KB each


def test_ctrl_c_ends_a_fleet(arm):
    fleet = lw.Fleet(arm, 4, step=1e-5, law="-2*qd")
    timer = interrupt_soon()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        fleet.advance(1e5)
    timer.join()
    assert time.perf_counter() - begin < 60  # the run itself would take days
    assert 0 < fleet.t < 1e5
    stopped = fleet.t
    assert fleet.advance(stopped + 1e-3) == 4 and fleet.t == stopped + 1e-3


def test_slices_of_a_fleet_are_steps_of_its_own(arm):
    one, other = (lw.Fleet(arm, 2, step=1e-4, law="-2*qd") for _ in range(2))
    for fleet in (one, other):
        fleet.start(q=np.linspace(-1, 1, 7))
    one.advance(2.0)  # 20000 steps, in slices of 7142
    for t in (0.5, 1.0, 1.5, 2.0):
        other.advance(t)
    assert np.allclose(one.states(), other.states(), atol=1e-9)  # only t is rounded differently


def test_a_fleet_warns_of_steps_that_are_too_long(root):
    arm, law = lw.load(root / "robots/puma560.yaml"), "60*sin(9*t)"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fleet = lw.Fleet(arm, 3, step=1e-3, law=law, viscous=True, rotors=True)
        fleet.run(2)
        assert (fleet.energy_errors[:, 0] < fleet.energy_errors[:, 1]).all()
    fleet = lw.Fleet(arm, 3, step=0.12, law=law, viscous=True, rotors=True)
    with pytest.warns(RuntimeWarning, match="3 of 3 arms are not to be trusted"):
        fleet.run(2)


@pytest.mark.parametrize("duration", [-1, 0, float("nan"), float("inf")])
def test_a_fleet_runs_forwards(arm, duration):
    with pytest.raises(ValueError, match="duration is"):
        lw.Fleet(arm, 2).run(duration)
    with pytest.raises(ValueError, match="record is"):
        lw.Fleet(arm, 2).run(1, record=duration)
