# SPDX-License-Identifier: MIT
"""Robots, snakes and runs in a notebook: a table, and the page in 3D."""

import ctypes
import html
import json
import os
import pathlib

import numpy as np

from ._library import Findings, Owned, declared, encode, lib
from ._read import kind_of, load
from ._robot import Robot
from ._simulate import Run, simulate
from ._snake import Snake, SnakeRun


class Page:
    """A page as one HTML text: notebooks display it, save() writes it to a file."""

    def __init__(self, text, title=None):
        self.html = text
        self.title = title

    def __repr__(self):
        of = f" of {self.title}" if self.title else ""
        return f"<linkwork.Page{of}, {len(self.html) / 1e6:.1f} MB: save(path) writes it>"

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" '
                'style="border: 1px solid #ccc"></iframe>')

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def save(self, path):
        """Writes the page to a file that any browser can open."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")


def _text(definition, title):
    with Findings() as findings:
        made = ctypes.c_void_p()
        findings.require(lib.lw_page_write(ctypes.byref(definition), findings.pointer, ctypes.byref(made)), title)
        owned = Owned(made, lib.lw_text_destroy)
        words = ctypes.string_at(lib.lw_text_bytes(made), lib.lw_text_length(made)).decode()
        owned.close()
        found = Page(words, title)
        found.diagnostics = findings.diagnostics()
        return found


def _add_runs(definition, runs, kept):
    listed = (declared.lwPageRun * max(1, len(runs)))()
    for place, run in zip(listed, runs):
        columns = run.columns()
        values = np.ascontiguousarray(np.stack([np.asarray(column, np.float64) for column in columns.values()], axis=1))
        words = [encode(name) for name in columns]
        names = (ctypes.c_char_p * len(words))(*words)
        events = [{"t": event.t, "what": event.kind, "who": event.name} for event in getattr(run, "events", ())]
        notes, title = json.dumps(events).encode(), encode(run.name)
        kept += [values, words, names, notes, title]
        place.name, place.names, place.notes = title, names, notes
        place.width, place.rows, place.values = len(words), len(values), values.ctypes.data
    kept.append(listed)
    definition.runs, definition.run_count = listed, len(runs)


def _definition(what, runs, packages, kept):
    definition = lib.lw_page_def()
    if isinstance(what, Snake):
        definition.snake = what._pointer()
    else:
        definition.model = what._pointer()
        kept.append(encode(os.path.basename(what.file or "")))
        definition.file = kept[-1]
    if packages:
        listed = [packages] if isinstance(packages, (str, os.PathLike)) else packages
        kept.append(encode(os.pathsep.join(os.fspath(folder) for folder in listed)))
        definition.packages = kept[-1]
    _add_runs(definition, runs, kept)
    return definition


def page(what, *runs, packages=()):
    """The page of a robot, a snake, a run, or a file, in 3D. Notebooks display it; page(..).save("arm.html") writes a file.

    what      a Robot or Snake, with its runs after it; a Run or SnakeRun alone; or the path of a robot, snake or scenario file
    packages  folders to search for package:// meshes

    The library makes it; LinkworkError if it was built without the page. Meshes of the robot's file are kept.
    """
    kept = []
    if isinstance(what, (Run, SnakeRun)):
        what, runs = what.robot, (what, *runs)
    elif not isinstance(what, (Robot, Snake)):
        path = os.fspath(what)
        with open(path, "rb") as file:
            scenario = kind_of(file.read()) == "scenario"
        if scenario:
            return _page_of_scenario(path, runs, packages, kept)
        what = load(path, packages=packages)
    return _text(_definition(what, runs, packages, kept), what.name)


def _page_of_scenario(path, runs, packages, kept):
    run = simulate(path)
    whole = load(run.robot.file, packages=packages, allow_inert=True, allow_bad_inertia=True)
    definition = _definition(whole, (run, *runs), packages, kept)
    kept += [encode(path), encode(run.name)]
    definition.scenario, definition.title = kept[-2:]
    return _text(definition, run.name)


def run_page(self):
    """The page of this run, in 3D; see linkwork.page()."""
    return page(self)


def _number(value):
    return f"{value:.6g}"


def _table(title, heads, rows):
    head = "".join(f"<th>{html.escape(word)}</th>" for word in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{html.escape(title)}</caption><tr>{head}</tr>{body}</table>"


def _robot_html(self):
    if self.closed:
        return "<p>linkwork.Robot, closed</p>"
    rows = [(joint.name, joint.type, joint.parent, joint.link.name, _number(joint.link.mass),
             f"{_number(joint.limits.lower)} .. {_number(joint.limits.upper)}", _number(joint.limits.velocity),
             _number(joint.limits.effort)) for joint in self.joints]
    return _table(f"{self.name}: {self.dof} degrees of freedom",
                  ("joint", "type", "on", "link", "mass, kg", "limits, rad or m", "speed", "effort"), rows)


def _snake_html(self):
    if self.closed:
        return "<p>linkwork.Snake, closed</p>"
    rows = [(k + 1, *(_number(value) for value in vars(link).values())) for k, link in enumerate(self.links)]
    return _table(f"{self.name}: {self.n} links",
                  ("link", "length, m", "mass, kg", "inertia, kg m^2", "wheel offset, m", "friction limit, N"), rows)


Robot._repr_html_, Snake._repr_html_ = _robot_html, _snake_html
Robot.page = page
Snake.page, Run.page, SnakeRun.page = page, run_page, run_page
