# SPDX-License-Identifier: MIT
"""Robots for the tests, from the folders of the project."""

import pathlib
import signal

import numpy as np
import pytest

import linkwork as lw

# A shell that starts the tests in the background makes them ignore Ctrl-C; tests of Ctrl-C would then never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def panda():
    return lw.load(ROOT / "robots/panda.yaml")


@pytest.fixture(scope="session")
def puma():
    return lw.load(ROOT / "robots/puma560.yaml")


@pytest.fixture
def random():
    return np.random.default_rng(7)
