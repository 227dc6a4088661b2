# SPDX-License-Identifier: MIT
"""Which arrays are accepted, and the messages for those that are not."""

import gc

import numpy as np
import pytest

import linkwork as lw


def rows(random, *shape):
    return random.uniform(-1, 1, shape)


def test_broadcasting(panda, random):
    q, qd = rows(random, 4, 1, 7), rows(random, 3, 7)
    tau = panda.inverse(q, qd, np.ones(7))
    assert tau.shape == (4, 3, 7)
    assert np.array_equal(tau[2, 1], panda.inverse(q[2, 0], qd[1], np.ones(7)))


def test_lists_integers_and_views(panda, random):
    q = rows(random, 10, 14)
    view = q[:, ::2]
    assert not view.flags.c_contiguous
    assert np.array_equal(panda.gravity(view), panda.gravity(view.copy()))
    assert np.array_equal(panda.gravity(np.asfortranarray(view)), panda.gravity(view.copy()))
    assert np.array_equal(panda.gravity([0] * 7), panda.gravity(np.zeros(7)))
    assert np.array_equal(panda.gravity(np.ones(7, int)), panda.gravity(np.ones(7)))
    swapped = view.copy().astype(view.dtype.newbyteorder())
    assert np.array_equal(panda.gravity(swapped), panda.gravity(view.copy()))
    odd = np.frombuffer(bytearray(7 * 8 + 1), np.uint8)[1:].view(np.float64)
    odd[:] = 0.5
    assert np.array_equal(panda.gravity(odd), panda.gravity(np.full(7, 0.5)))


def test_read_only_inputs_are_fine_and_stay(panda, random):
    q = rows(random, 5, 7)
    kept = q.copy()
    q.flags.writeable = False
    panda.inverse(q, q, q)
    assert np.array_equal(q, kept)


def test_zero_states(panda):
    assert panda.inverse(np.zeros((0, 7))).shape == (0, 7)
    assert panda.inertia(np.zeros((3, 0, 7))).shape == (3, 0, 7, 7)
    assert panda.pose(np.zeros((0, 7))).rotation.shape == (0, 3, 3)


@pytest.mark.parametrize("shape, words", [((6,), "no value for 'joint7'"), ((8,), "1 too many after the last joint, 'joint7'"),
                                          ((), "expected \\(..., 7\\)"), ((2, 3), "joint4"), ((7, 1), "joint2"),
                                          ((0,), "joint1, joint2")])
def test_wrong_shapes_name_the_joint(panda, shape, words):
    with pytest.raises(ValueError, match=words):
        panda.inverse(np.zeros(shape))


def test_shapes_that_do_not_fit_together(panda):
    with pytest.raises(ValueError, match=r"q \(3, 7\), qd \(4, 7\)"):
        panda.inverse(np.zeros((3, 7)), np.zeros((4, 7)))
    with pytest.raises(ValueError, match="fx fy fz"):
        panda.inverse(np.zeros(7), wrench=np.zeros(5))


@pytest.mark.parametrize("value", ["text", [None] * 7, [1j] * 7, object(), [[1, 2], [3]], np.array(["a"] * 7)])
def test_wrong_types(panda, value):
    with pytest.raises((TypeError, ValueError)):
        panda.inverse(value)


@pytest.mark.parametrize("count", [1, 5, 3000])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_named(panda, count, bad):
    q = np.zeros((count, 7))
    q[count // 2, 3] = bad
    with pytest.raises(ValueError, match=rf"q\[{count // 2}, 3\] is -?(nan|inf): joint 'joint4'"):
        panda.inverse(q)
    answer = panda.inverse(q, check=False)
    assert not np.isfinite(answer[count // 2]).all()
    others = np.delete(answer, count // 2, axis=0)
    assert np.isfinite(others).all()  # neighbours in a vector are not disturbed
    with pytest.raises(ValueError, match="'fz' of the wrench"):
        panda.inverse(np.zeros(7), wrench=(0, 0, bad, 0, 0, 0))
    with pytest.raises(ValueError, match="joint4"):
        panda.inverse({"joint4": bad})


def test_out_is_written_and_returned(panda, random):
    q = rows(random, 2000, 7)
    out = np.full((2000, 7), np.nan)
    assert panda.inverse(q, q, q, out=out) is out
    assert np.array_equal(out, panda.inverse(q, q, q))
    every_second = np.full((2000, 14), np.nan)
    panda.inverse(q, q, q, out=every_second[:, ::2])
    assert np.array_equal(every_second[:, ::2], out) and np.isnan(every_second[:, 1]).all()
    single = np.empty((2000, 7), np.float32)
    assert panda.inverse(q, q, q, out=single) is single
    assert np.array_equal(single, out.astype(np.float32))


def test_out_may_be_an_input(panda, random):
    q = rows(random, 100, 7)
    expected = panda.inverse(q, q, q)
    assert panda.inverse(q, q, q, out=q) is q
    assert np.array_equal(q, expected)
    block = rows(random, 50 * 7 + 3)
    q, out = block[:350].reshape(50, 7), block[3:].reshape(50, 7)
    expected = panda.gravity(q.copy())
    assert np.array_equal(panda.gravity(q, out=out), expected)


def test_out_that_does_not_fit(panda):
    q = np.zeros((3, 7))
    with pytest.raises(ValueError, match=r"out has the shape \(7,\), expected \(3, 7\)"):
        panda.inverse(q, out=np.empty(7))
    with pytest.raises(TypeError, match="out is a list"):
        panda.inverse(q, out=[0] * 7)
    with pytest.raises(TypeError, match="int64"):
        panda.inverse(q, out=np.empty((3, 7), int))
    fixed = np.zeros((3, 7))
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        panda.inverse(q, out=fixed)
    assert not fixed.any()


def test_contiguous_doubles_are_not_copied(panda, random):
    import tracemalloc
    q = rows(random, 100000, 7)
    out = np.empty_like(q)
    panda.inverse(q, q, q, out=out)
    tracemalloc.start()
    panda.inverse(q, q, q, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < q.nbytes / 100


def test_nothing_is_left_behind(panda, random):
    q = rows(random, 7)
    many = rows(random, 2000, 7)

    def calls():
        for _ in range(200):
            panda.inverse(q, q, q)
            panda.inverse(many[:3], out=np.empty((3, 7)))
            for bad in (np.zeros(6), np.full(7, np.nan), "text"):
                try:
                    panda.inverse(bad)
                except (TypeError, ValueError):
                    pass
        gc.collect()

    import tracemalloc
    calls()
    tracemalloc.start()
    calls()
    before = tracemalloc.get_traced_memory()[0]
    calls()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20000  # a leak of one array per call would be 20 times that


def test_subclasses_and_one_joint():
    arm = lw.generic(1)
    assert arm.inverse(0.5).shape == (1,)
    assert arm.inverse(np.zeros((2, 1)).view(np.recarray)).shape == (2, 1)
    assert arm.inverse(np.ma.array([0.5])).shape == (1,)
    assert arm.inertia(0.5).shape == (1, 1)


def test_masked_entries_are_refused(panda):
    masked = np.ma.masked_array(np.zeros(7), mask=[False, True] + 5 * [False])
    with pytest.raises(ValueError, match="q has masked entries"):
        panda.gravity(masked)
    with pytest.raises(ValueError, match="qd has masked entries"):
        panda.bias(np.zeros(7), masked)
    plain = np.ma.masked_array(np.zeros(7), mask=False)
    assert np.array_equal(panda.gravity(plain), panda.gravity(np.zeros(7)))


@pytest.mark.parametrize("scale", [0, 0.5, 2, 1 + 1e-5])
def test_quaternions_have_length_1(root, scale):
    flyer = lw.load(root / "robots/free_flyer.yaml")
    q = flyer.neutral()
    right = flyer.gravity(q)
    assert np.isfinite(right).all()
    wrong = q.copy()
    wrong[3:7] *= scale
    for states in (wrong, np.array([q, wrong])):
        with pytest.raises(ValueError, match="the quaternion in entries 3 to 6 has the length"):
            flyer.gravity(states)


@pytest.mark.parametrize("options", [{}, {"method": "rnea"}, {"gravity": [0, 0, -1.62]}, {"dtype": np.float32},
                                     {"payload": {"panda_link7": (2, [0, 0, 0.1])}},
                                     {"payload": {"panda_link7": (2, np.array([0, 0, 0.1]), np.eye(3) / 100)}}], ids=str)
def test_what_was_asked_before_takes_one_call_into_c(panda, random, options, monkeypatch):
    """From the second call on, all that gives the same numbers gives the same bits, without the general path."""
    options = {name: {panda.link_names[-1]: next(iter(value.values()))} if name == "payload" else value
               for name, value in options.items()}
    q, qd, qdd = np.round(rows(random, 3, 7) * 1024) / 1024  # floats of either precision
    wide, names = np.repeat(q, 2), panda.joint_names
    expected = panda.inverse(q, qd, qdd, **options)
    singles = [x.astype(np.float32) for x in (q, qd, qdd)]
    panda.inverse(*singles, **options)
    monkeypatch.setattr(panda, "_ask", None)
    spellings = [(q, qd, qdd), (q.tolist(), tuple(qd), qdd), (wide[::2], qd, list(qdd)), (dict(zip(names, q)), qd, qdd),
                 (q, dict(zip(names, qd.tolist())), dict(zip(names, qdd))), (singles[0], qd, qdd), (q, singles[1], qdd)]
    for given in spellings:
        found = panda.inverse(*given, **options)
        assert np.array_equal(found, expected) and found.dtype == expected.dtype
    assert np.array_equal(panda.inverse(q * 0, **options), panda.inverse([0] * 7, **options))
    assert np.array_equal(panda.inverse(q, wrench={"fz": 2, "nx": 0.5}), panda.inverse(q, wrench=[0, 0, 2, 0.5, 0, 0]))
    assert panda.inverse(*singles, **options).dtype == np.float32


def test_payloads_are_told_apart_to_the_last_bit(panda):
    q, last = np.full(7, 0.5), panda.link_names[-1]
    first, second = (panda.gravity(q, payload={last: (2.0, np.array([0.1, 0, z]))}) for z in (0.1, 0.1 + 1e-12))
    assert not np.array_equal(first, second)


def test_generated_code_and_steps_refuse_short_quaternions(root):
    arm = lw.load(root / "robots/planar2r.yaml", floating=True)
    short, step = arm.neutral(), np.zeros(arm.dof)
    short[6] = 0.5
    code = arm.generate("gravity")
    for use in (lambda: code.gravity(short), lambda: arm.integrate(short, step), lambda: arm.rates(short, step),
                lambda: arm.difference(arm.neutral(), short), lambda: arm.velocities_of(short, short)):
        with pytest.raises(ValueError, match="length 0.5"):
            use()
    assert np.array_equal(arm.normalise(short), arm.neutral())
