# SPDX-License-Identifier: MIT
"""Robots and snakes in a notebook: a table, and the 3D page that the program `linkwork` makes."""

import html
import os
import pathlib
import shutil
import subprocess
import tempfile

from ._errors import LinkworkError
from ._robot import Robot
from ._snake import Snake


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

    def save(self, path):
        """Writes the page to a file that any browser can open."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")


def program():
    """Path of the program `linkwork`: $LINKWORK_PROGRAM, or the one on the PATH."""
    found = os.environ.get("LINKWORK_PROGRAM") or shutil.which("linkwork")
    if not found:
        raise LinkworkError("the page is made by the program 'linkwork', which is not on the PATH; set LINKWORK_PROGRAM to "
                            "where it is")
    return found


def page(what):
    """The page of a robot or of a scenario file, in 3D. Notebooks display it; page(..).save("arm.html") writes a file.

    Needs the program 'linkwork', built with its page.
    """
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        if isinstance(what, Robot):
            source = os.path.join(folder, "robot.yaml")
            what.save(source)
        else:
            source = os.fspath(what)
        out = os.path.join(folder, "page.html")
        done = subprocess.run([program(), "page", source, "--out", out], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise LinkworkError(done.stderr.strip() or "the program made no page")
        return Page(pathlib.Path(out).read_text(encoding="utf-8"), what.name if isinstance(what, Robot) else source)


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
