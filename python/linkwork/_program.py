# SPDX-License-Identifier: MIT
"""Every command of the program `linkwork` as a function, with arrays in and tables or pictures out.

The program is the one in this package (wheels have it), $LINKWORK_PROGRAM, or the one on the PATH. Its commands are read from
the program itself, so a new one is here by itself.
"""

import csv
import functools
import html
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy as np

from ._errors import LinkworkError
from ._registry import unknown
from ._robot import Robot
from ._snake import Snake

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = ("draw", "plot")


def _on_path():
    """The program on the PATH; not the script of this package, which would look for it here."""
    for folder in os.get_exec_path():
        found = shutil.which("linkwork", path=folder)
        if found and pathlib.Path(found).open("rb").read(2) != b"#!":
            return found
    return None


def find(required=True):
    """Path of the program: $LINKWORK_PROGRAM, that in the package, or the one on the PATH."""
    own = HERE / "bin" / "linkwork"
    found = os.environ.get("LINKWORK_PROGRAM") or (str(own) if own.exists() else _on_path())
    if not found and required:
        raise LinkworkError("the program 'linkwork' is neither in the package nor on the PATH; set LINKWORK_PROGRAM to where it is")
    return found


def _examples():
    """The folder with the robots and scenarios that come with linkwork: in the package, or where the program has them."""
    program = find(required=False)
    above = pathlib.Path(program).resolve().parents if program else ()
    folders = [HERE / "share/linkwork", *(folder / "share/linkwork" for folder in above[1:2]), *above[3:4]]
    found = next((folder for folder in folders if (folder / "robots/puma560.yaml").exists()), None)
    if found is None:
        raise FileNotFoundError("the robots and scenarios that come with linkwork are neither in the package nor beside the program")
    return found


def examples():
    """Names of the robots, parts, scenarios, studies and cycles that come with linkwork: "robots/puma560.yaml", .."""
    root = _examples()
    return [path.relative_to(root).as_posix() for folder in ("robots", "parts", "scenarios", "studies", "examples/cycles")
            for path in sorted((root / folder).rglob("*")) if path.suffix in (".yaml", ".urdf")]


def example(name):
    """Path of a file that comes with linkwork: load(example("robots/puma560.yaml")); examples() has the names."""
    known = examples()
    if name not in known:
        raise unknown("example", name, known)
    return str(_examples() / name)


@functools.lru_cache(maxsize=8)
def _commands(program):
    words = subprocess.run([program, "help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True).stdout
    return tuple(re.findall(r"^  ([a-z][a-z0-9-]*(?: [a-z-]+)?)  +\S", words, re.MULTILINE))


@functools.lru_cache(maxsize=256)
def _options(program, command):
    """The options of a command: {name: it takes a value}."""
    words = subprocess.run([program, "help", *command.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout
    return {name: bool(value) for name, value in re.findall(r"^  .{3,4} --([a-z][a-z0-9-]*)( [A-Z]\S*)?", words, re.MULTILINE)}


class Table(np.ndarray):
    """Rows of an output as a NumPy structured array: table["torque"] is a column. text is the output; to_dataframe() is pandas."""

    def __new__(cls, words):
        rows = list(csv.reader(io.StringIO(words)))
        names, rows = rows[0], rows[1:]
        columns = [_column([row[k] for row in rows]) for k in range(len(names))]
        seen, unique = {}, []
        for name in names:  # structured arrays need distinct names
            seen[name] = seen.get(name, 0) + 1
            unique.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
        table = np.empty(len(rows), dtype=[(name, column.dtype) for name, column in zip(unique, columns)]).view(cls)
        for name, column in zip(unique, columns):
            table[name] = column
        table.text = words
        return table

    def __array_finalize__(self, other):
        self.text = getattr(other, "text", "")

    def __getitem__(self, key):
        found = np.ndarray.__getitem__(self, key)
        return np.asarray(found) if isinstance(key, str) else found

    def to_dataframe(self):
        """A pandas DataFrame of the rows."""
        import pandas
        return pandas.DataFrame({name: self[name] for name in self.dtype.names})

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.dtype.names)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in self[:200].tolist())
        return f"<table><tr>{head}</tr>{body}</table>"


def _column(words):
    for kind in (np.int64, np.float64):
        try:
            return np.array([kind(word) for word in words] if kind is np.int64 else [float(word or "nan") for word in words], kind)
        except (ValueError, OverflowError):
            continue
    return np.array(words, dtype=object)


class Picture:
    """A drawing as SVG text: notebooks display it, save(path) writes it."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}

    def save(self, path):
        """Writes the picture to an SVG file."""
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self):
        return f"<linkwork.Picture, {len(self.svg) / 1e3:.0f} kB of SVG: save(path) writes it>"


def _operand(value, folder, number):
    """A path for a robot, a snake, a run, columns {name: array} or a path itself."""
    if isinstance(value, (Robot, Snake)):
        if getattr(value, "_read_from", None):
            return value._read_from
        path = os.path.join(folder, f"robot{number}.yaml")
        value.save(path)
        return path
    columns = value if isinstance(value, dict) else value.columns() if hasattr(value, "columns") and not isinstance(value, str) else None
    if columns is None:
        return os.fspath(value)
    path = os.path.join(folder, f"columns{number}.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([repr(cell) for cell in row] for row in zip(*(np.asarray(column).tolist() for column in columns.values())))
    return path


def _word(value):
    if isinstance(value, dict):
        return ",".join(f"{name}={number!r}" for name, number in value.items())
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(str(entry) for entry in np.asarray(value).ravel().tolist())
    return str(value)


def _arguments(program, name, operands, options, folder):
    known = _options(program, name)
    words = [*name.split(), *(_operand(value, folder, i) for i, value in enumerate(operands))]
    for key, value in options.items():
        option = {"input": "in"}.get(key, key.rstrip("_").replace("_", "-"))
        if option not in known:
            raise TypeError(f"{name} has no option {key!r}, only {', '.join(known)}")
        if value is None or value is False:
            continue
        file = option == "in" or (option != "payload" and isinstance(value, dict) and hasattr(next(iter(value.values()), 0), "__len__"))
        words.append(f"--{option}")
        if known[option]:
            words.append(_operand(value, folder, f"-{option}") if file or hasattr(value, "columns") else _word(value))
    return words, known


def command(name, *operands, check=True, timeout=None, **options):
    """Runs a command of the program: command("accuracy", arm, states=10).

    operands   robots, snakes, runs, {column: array} or paths
    options    as in `linkwork help NAME`, with _ for -: allow_inert=True, dof="2,4", input=run for --in
    check      raise LinkworkError if the program ends with an error or says "no" (exit codes 1 to 4)
    timeout    s after which the program is ended

    Returns a Table where the command writes columns, the parsed JSON where it writes that, a Picture for draw and plot, and
    otherwise the text.
    """
    program = find()
    known = _commands(program)
    if name not in known:
        raise unknown("command", name, list(known))
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        words, has = _arguments(program, name, operands, options, folder)
        picture = os.path.join(folder, "picture.svg") if name in PICTURES and "out" not in options else None
        form = options.get("format", "csv" if "format" in has and "out" not in options else None)
        if "format" in has and "format" not in options and form:
            words += ["--format", form]
        if picture:
            words += ["--out", picture]
        done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout,
                              stdin=subprocess.DEVNULL)
        if (done.returncode == 2 and form == "csv" and "format" not in options) and "csv" in done.stderr:
            options = {**options, "format": "json"}
            return command(name, *operands, check=check, timeout=timeout, **options)
        if check and done.returncode != 0:
            raise LinkworkError(done.stderr.strip() or done.stdout.strip() or f"linkwork {name}: exit code {done.returncode}")
        if picture and os.path.exists(picture):
            return Picture(pathlib.Path(picture).read_text(encoding="utf-8"))
    if form == "json":
        return json.loads(done.stdout)
    return Table(done.stdout) if form == "csv" and "," in done.stdout.partition("\n")[0] else done.stdout


class Commands:
    """The commands of the program as functions: linkwork.commands.accuracy(arm, states=10); dir() lists them. See command()."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        spelt = name.replace("_", "-")
        known = _commands(find())
        spelt = spelt if spelt in known else spelt.replace("-", " ")
        if spelt not in known:
            raise AttributeError(f"the program has no command '{name}'; there are: {', '.join(known)}")
        function = functools.partial(command, spelt)
        function.__doc__ = subprocess.run([find(), "help", *spelt.split()], stdout=subprocess.PIPE, text=True).stdout
        return function

    def __dir__(self):
        return [name.replace("-", "_").replace(" ", "_") for name in _commands(find())]

    def __repr__(self):
        return "<linkwork.commands: every command of the program>"


commands = Commands()


def draw(what, **options):
    """A drawing of a robot or a snake, as a Picture: draw(arm, q=[0, 1], view="front", show="links,names"); options as in
    `linkwork help draw`."""
    return command("draw", what, **options)


def plot(what, **options):
    """A plot of columns of a run, a recording (CSV) or {name: array}, as a Picture (needs gnuplot): plot(run, y="q,tau"); options
    as in `linkwork help plot`."""
    return command("plot", what, **options)


def _method(name, about):
    def method(self, **options):
        return command(name, self, **options)
    method.__name__ = name
    method.__doc__ = f"{about} Options as in `linkwork help {name}`; see linkwork.command()."
    method.__qualname__ = f"Robot.{name}"
    return method


Robot.accuracy = _method("accuracy", "The true error of every method in double and single precision, against 113 bits, as a Table.")
Robot.sensitivity = _method("sensitivity", "How much each constant of the robot affects each torque, as a Table.")
Robot.clearance = _method("clearance", "Least distances between links, floor and boxes along a motion, as a Table; input=run.")
Robot.draw = Snake.draw = draw
