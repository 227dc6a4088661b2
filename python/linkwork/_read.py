# SPDX-License-Identifier: MIT
"""Reads robots, snakes and parts, and runs lint on them."""

import ctypes
import os
import re

from ._library import Findings, declared, encode, lib, make, text
from ._errors import LinkworkError
from ._robot import Robot, model_options, unknown
from ._snake import Snake

KINDS = {"joints": "robot", "robot": "scenario", "snake": "snake", "links": "parts"}  # a top-level key found in this kind of file only


# Options with which a robot is that of its file
PLAIN = dict(gravity=None, base_rpy=None, payload=None, hold=None, free=None, fix=(), estimate_inertia=False, density=None,
             packages=(), free_mimics=False, floating=False)


def kind_of(data):
    """Kind of file ('robot', 'snake', ..), from the first top-level key that only one kind has."""
    words = data[:1 << 18].decode("utf-8", "replace")
    if words.lstrip("\ufeff \t\r\n").startswith("<"):
        return "robot"
    if words.lstrip("\ufeff \t\r\n").startswith("{"):
        found = _top_keys_of_json(words)
    else:
        found = re.findall(r"^([A-Za-z_]+)[ \t]*:", words, re.MULTILINE)
    return next((KINDS[key] for key in found if key in KINDS), None)


def _top_keys_of_json(words):
    depth, keys = 0, []
    for match in re.finditer(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]', words):
        token = match[0]
        if token in "{[":
            depth += 1
        elif token in "}]":
            depth -= 1
        elif depth == 1 and match[2]:
            keys.append(match[1])
    return keys


def load(path, *, gravity=None, base_rpy=None, payload=None, hold=None, free=None, fix=(), estimate_inertia=False,
         density=None, packages=(), strict=False, allow_bad_inertia=False, allow_inert=False, free_mimics=False,
         floating=False, threads=0):
    """Reads a robot file (YAML, JSON or URDF) or a snake file, and returns a Robot or a Snake.

    gravity, base_rpy, payload, hold, free, free_mimics: as for Robot.replace()
    floating           the base is not mounted: it gets a first joint "base" with position and quaternion in q
    fix                names of joints to fix at zero
    estimate_inertia   missing mass properties are estimated from the shapes of the links
    density            for links whose mass is estimated, kg/m^3; None: 1000
    packages           folders to search for package:// mesh files
    strict             treat warnings as errors
    allow_bad_inertia  only warn about inertias that no rigid body can have
    allow_inert        only warn about moving joints that move no inertia
    threads            used for large batches; 0: all threads of the machine

    LinkworkError lists every error with file, line and column; warnings are in the diagnostics of the result. A file that is
    not there is a FileNotFoundError.
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        data = file.read()
    options = dict(gravity=gravity, base_rpy=base_rpy, payload=payload, hold=hold, free=free, fix=fix,
                   estimate_inertia=estimate_inertia, density=density, packages=packages, strict=strict,
                   allow_bad_inertia=allow_bad_inertia, allow_inert=allow_inert, free_mimics=free_mimics, floating=floating,
                   threads=threads)
    plain = all(type(options[key]) is type(value) and options[key] == value for key, value in PLAIN.items())
    made = _load(data, lambda *rest: lib.lw_robot_read_file(encode(name), *rest),
                 lambda *rest: lib.lw_snake_read_file(encode(name), *rest), os.fsdecode(name), dict(options))
    made._read_from = os.path.abspath(os.fsdecode(name)) if plain else None
    return made


def loads(data, *, name="robot", gravity=None, base_rpy=None, payload=None, hold=None, free=None, fix=(),
          estimate_inertia=False, density=None, packages=(), strict=False, allow_bad_inertia=False, allow_inert=False,
          free_mimics=False, floating=False, threads=0):
    """load() from a text in memory; diagnostics show name as the file name."""
    words = data.encode() if isinstance(data, str) else bytes(data)
    options = dict(gravity=gravity, base_rpy=base_rpy, payload=payload, hold=hold, free=free, fix=fix,
                   estimate_inertia=estimate_inertia, density=density, packages=packages, strict=strict,
                   allow_bad_inertia=allow_bad_inertia, allow_inert=allow_inert, free_mimics=free_mimics, floating=floating,
                   threads=threads)
    return _load(words, lambda *rest: lib.lw_robot_read_text(encode(name), words, len(words), *rest),
                 lambda *rest: lib.lw_snake_read_text(encode(name), words, len(words), *rest), name, options)


def load_snake(path, *, strict=False, threads=0):
    """load() of a snake file; LinkworkError if it is another file."""
    return _snake_only(load(path, strict=strict, threads=threads), os.fsdecode(os.fspath(path)))


def loads_snake(data, *, name="snake", strict=False, threads=0):
    """loads() of the text of a snake file."""
    return _snake_only(loads(data, name=name, strict=strict, threads=threads), name)


def _snake_only(made, name):
    if not isinstance(made, Snake):
        made.close()
        raise LinkworkError(f"{name} is a robot, expected a snake; linkwork.load() reads it")
    return made


def _load(data, read_robot, read_snake, name, given):
    kind = kind_of(data)
    if kind == "scenario":
        raise LinkworkError(f"{name} is a scenario; linkwork.simulate() runs it")
    if kind == "parts":
        raise LinkworkError(f"{name} is a parts file; linkwork.parts() reads it")
    if kind == "snake":
        lint = declared.lwLint(strict=bool(given["strict"]))
        owned, findings = make(read_snake, lib.lw_snake_destroy, ctypes.byref(lint))
        return Snake(owned, findings, given["threads"])
    later = {key: given.pop(key) for key in ("payload", "hold", "free")}
    threads = given.pop("threads")
    options, kept = model_options(**given)
    owned, findings = make(read_robot, lib.lw_model_destroy, ctypes.byref(options))
    del kept
    robot = Robot(owned, findings, threads)
    if later["payload"] or later["hold"] or later["free"] is not None:
        whole, robot = robot, robot.replace(**later, free_mimics=given["free_mimics"])
        robot.diagnostics = findings
        whole.close()
    return robot


def lint(path, *, pedantic=False, **options):
    """All errors and warnings about a robot or snake file, as a list of Diagnostic objects.

    pedantic  also report what is merely unusual, and mesh files that are missing; options as for load().
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        kind = kind_of(file.read())
    made = ctypes.c_void_p()
    with Findings() as findings:
        if kind == "snake":
            lib.lw_snake_read_file(encode(name), None, findings.pointer, ctypes.byref(made))
            lib.lw_snake_destroy(made)
        else:
            chosen, kept = model_options(pedantic=pedantic, **options)
            lib.lw_robot_read_file(encode(name), ctypes.byref(chosen), findings.pointer, ctypes.byref(made))
            lib.lw_model_destroy(made)
            del kept
        return findings.diagnostics()


