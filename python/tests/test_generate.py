# SPDX-License-Identifier: MIT
"""Generated code, compiled and called, against the kernels."""

import ctypes
import shutil
import subprocess
import threading

import numpy as np
import pytest

import linkwork as lw

COMPILER = shutil.which("clang") or shutil.which("gcc") or shutil.which("cc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.fixture(scope="module")
def code(panda):
    return panda.generate()


def given_for(arm, question, random, *lead):
    inputs = [name for name in lw._registry.QUESTIONS[question].inputs if name != "wrench"]
    return {name: random.uniform(-2, 2, (*lead, arm.dof)) for name in inputs}


def flat(answer):
    """The numbers of an answer; one of several parts, which may have parts again, in a row."""
    return np.concatenate([np.ravel(flat(part)) for part in answer]) if isinstance(answer, tuple) else answer


def assert_same(found, expected, bound=1e-12):
    found, expected = flat(found), flat(expected)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= bound * np.abs(expected).max()


@needs_compiler
@pytest.mark.parametrize("question", [question.name for question in lw.questions()])
@pytest.mark.parametrize("file", ["puma560.yaml", "gripper_arm.urdf"])
def test_answers_are_those_of_the_kernels(root, random, file, question):
    arm = lw.load(root / "robots" / file)
    code = arm.generate(question)
    assert code.compiled and code.reasons == {} and code.questions == (question,)
    for lead in [(), (11,), (3, 5)]:  # one state, not a whole number of vectors, several axes
        given = given_for(arm, question, random, *lead)
        assert_same(getattr(code, question.replace("-", "_"))(**given), getattr(arm, question.replace("-", "_"))(**given))


@needs_compiler
def test_what_is_made_without_a_name(panda, code):
    assert code.questions == ("inverse", "forward", "inertia") and code.compiled
    assert 0 < code.operations["inverse"]["mul"] < panda.counts("inverse", "newton-euler")[0]["executed_mul"]
    assert code.operations["inertia"]["sines"] <= panda.dof
    assert "panda" in repr(code).lower() and "compiled" in repr(code)


def test_arrays_are_taken_as_by_a_robot(panda, code, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 6, 7))
    expected = panda.inverse(q, qd, qdd)
    out = np.empty_like(q)
    assert code.inverse(q, qd, qdd, out=out) is out
    assert_same(out, expected)
    assert_same(code.inverse(q[0], qd, qdd[:1]), panda.inverse(q[0], qd, qdd[:1]))  # broadcast
    assert_same(code.inverse(np.asfortranarray(q), qd[::-1], qdd), panda.inverse(q, qd[::-1], qdd))
    assert_same(code.inverse({panda.joint_names[3]: -1.5}), panda.inverse({panda.joint_names[3]: -1.5}))
    assert_same(code.inverse(q), panda.inverse(q))  # missing inputs are zeros
    assert_same(code.inverse(q, qd, qdd, out=q.copy()), expected)
    same = q.copy()
    assert_same(code.inverse(same, qd, qdd, out=same), expected)  # out is one of the inputs
    single = code.inverse(*(x.astype(np.float32) for x in (q, qd, qdd)))
    assert single.dtype == np.float32 and np.allclose(single, expected, rtol=0, atol=1e-5 * np.abs(expected).max())
    assert code.inverse(np.empty((0, 7))).shape == (0, 7)
    assert code.inertia(q).shape == (6, 7, 7)


def test_bad_input_is_refused(panda, code):
    with pytest.raises(ValueError, match="expected .*7"):
        code.inverse(np.zeros(6))
    bad = np.zeros((2, 7))
    bad[1, 4] = np.nan
    with pytest.raises(ValueError, match=rf"qd\[1, 4\] is nan: joint '{panda.joint_names[4]}'"):
        code.inverse(np.zeros(7), bad)
    assert np.isnan(code.inverse(np.zeros(7), bad, check=False)[1]).any()
    with pytest.raises(TypeError):
        code.inverse(np.zeros(7, complex))
    with pytest.raises(ValueError, match="out has the shape"):
        code.inverse(np.zeros(7), out=np.empty(6))
    with pytest.raises(lw.LinkworkError, match="no code was generated for 'bias'"):
        code.bias(np.zeros(7))
    with pytest.raises(lw.LinkworkError, match="no question 'inverze', did you mean 'inverse'"):
        panda.generate("inverze")


def test_quaternions(root, random):
    flyer = lw.load(root / "robots/free_flyer.yaml")
    code = flyer.generate("inverse", "inertia")
    q, qd = flyer.neutral(), random.uniform(-1, 1, flyer.dof)
    np.testing.assert_allclose(code.inverse(q, qd), flyer.inverse(q, qd), rtol=0, atol=1e-10)
    np.testing.assert_allclose(code.inertia(q), flyer.inertia(q), rtol=0, atol=1e-10)


def test_kernels_answer_without_a_compiler(panda, random, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    code = panda.generate("inverse")
    assert not code.compiled and "compiler" in code.reasons["inverse"]
    q, qd, qdd = random.uniform(-1, 1, (3, 9, 7))
    assert_same(code.inverse(q, qd, qdd), panda.inverse(q, qd, qdd))


def test_life(root, random):
    arm = lw.load(root / "robots/planar2r.yaml")
    code = arm.generate("inverse")
    q = random.uniform(-1, 1, (5, 2))
    expected = arm.inverse(q)
    assert_same(code.inverse(q), expected)
    code.close()
    code.close()
    assert code.closed and "closed" in repr(code)
    with pytest.raises(lw.LinkworkError, match="closed"):
        code.inverse(q)
    with arm.generate("inverse") as code:
        assert_same(code.inverse(q), expected)
    arm.close()
    with pytest.raises(lw.LinkworkError, match="closed"):
        arm.generate()


def test_threads_take_turns(panda, code, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 4, 2000, 7))
    found = [None] * 4

    def work(k):
        for _ in range(5):
            found[k] = code.inverse(q[k], qd[k], qdd[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_same(np.stack(found), panda.inverse(q, qd, qdd))


def test_source_in_python_gives_the_same_numbers(puma, random):
    q, qd, qdd = random.uniform(-1, 1, (3, 6))
    (name, text), = puma.source("inverse", language="python", name="puma").items()
    assert name == "puma.py"
    scope = {}
    exec(compile(text, name, "exec"), scope)
    assert_same(np.array(scope["puma_inverse"](q, qd, qdd)), puma.inverse(q, qd, qdd))


@needs_compiler
def test_source_in_c_passes_its_own_test(puma, tmp_path):
    files = puma.source("inverse,inertia+bias", name="puma", tests=20)
    assert sorted(files) == ["puma.c", "puma.h", "puma_test.c"]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    subprocess.run([COMPILER, "-std=c99", "-O1", "puma.c", "puma_test.c", "-lm", "-o", "test"], cwd=tmp_path, check=True)
    subprocess.run(["./test"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


def test_bad_wishes_are_refused(puma):
    with pytest.raises(lw.LinkworkError, match="no language 'ruby'"):
        puma.source(language="ruby")
    with pytest.raises(lw.LinkworkError):
        puma.source(method="no-such-method")
    with pytest.raises(lw.LinkworkError):
        puma.source(name="not an identifier")


def test_equations_in_latex(root):
    arm = lw.load(root / "robots/planar2r.yaml")
    assert any("\\tau" in text for text in arm.source("inverse", language="latex").values())


@needs_compiler
def test_all_that_the_generator_can_write(root, puma, tmp_path):
    plain = puma.source("inverse")["arm.c"]
    with_loads = puma.source("inverse", arguments=("wrench", "gravity"))["arm.h"]
    assert "wrench" in with_loads and "gravity" in with_loads and "wrench" not in plain
    assert "fma(" in puma.source("inverse", fma=True)["arm.c"] and "fma(" not in plain
    assert "cos(" in plain and "cos(" not in puma.source("inverse", sincos="given")["arm.c"]
    planar = lw.load(root / "robots/planar2r.yaml")
    letters, numbers = ("".join(planar.source("inverse", language="latex", symbols=how).values()) for how in (True, False))
    assert "m_" in letters and "m_" not in numbers
    (tmp_path / "arm.c").write_text(puma.source("inverse", casadi=True)["arm.c"])
    (tmp_path / "arm.h").write_text(puma.source("inverse", casadi=True)["arm.h"])
    subprocess.run([COMPILER, "-std=c99", "-O1", "-shared", "-fPIC", "arm.c", "-lm", "-o", "arm.so"], cwd=tmp_path, check=True)
    external = ctypes.CDLL(tmp_path / "arm.so")
    external.arm_inverse_n_in.restype = ctypes.c_longlong
    assert external.arm_inverse_n_in() == 3 and external.jac_arm_inverse
    for wrong in ({"arguments": "mass"}, {"sincos": "table"}, {"symbols": True}, {"casadi": True, "lanes": 4}):
        with pytest.raises(lw.LinkworkError):
            puma.source("inverse", **wrong)
