# SPDX-License-Identifier: MIT
"""Writes the type stubs of the package, linkwork/__init__.pyi, from the package itself.

    python3 stubs.py OUT_FOLDER

The methods of Robot come from the library's registry, so the stubs are written at the end of a build.
"""

import dataclasses
import inspect
import pathlib
import re
import sys

import numpy as np

HEAD = '''"""Type stubs of linkwork. Made by stubs.py when the package was built."""

import os
import typing

import numpy as np
import numpy.typing as npt

Numbers = npt.ArrayLike
State = typing.Union[npt.ArrayLike, typing.Mapping[str, npt.ArrayLike]]
Array = npt.NDArray[typing.Any]
Path = typing.Union[str, bytes, os.PathLike[str]]
Torques = typing.Callable[[float, Array, Array], typing.Any]

__version__: str
'''

# Types of parameters by name; a name has the same type everywhere
PARAMETERS = {
    "q": "State", "qd": "typing.Optional[State]", "qdd": "typing.Optional[State]", "tau": "typing.Optional[State]",
    "wrench": "typing.Optional[State]", "method": "typing.Optional[str]", "link": "typing.Optional[str]",
    "tool": "typing.Optional[Numbers]", "rotors": "typing.Optional[bool]", "refine": "int", "open_tree": "bool", "gravity": "typing.Optional[Numbers]",
    "payload": "typing.Optional[typing.Mapping[str, typing.Any]]", "dtype": "npt.DTypeLike", "out": "typing.Optional[Array]",
    "check": "bool", "hold": "typing.Optional[typing.Mapping[str, float]]", "free": "typing.Optional[typing.Iterable[str]]",
    "base_rpy": "typing.Optional[Numbers]", "free_mimics": "bool", "threads": "int", "path": "Path", "strict": "bool",
    "pedantic": "bool", "allow_bad_inertia": "bool", "allow_inert": "bool", "estimate_inertia": "bool",
    "density": "typing.Optional[float]", "packages": "typing.Union[Path, typing.Iterable[Path]]",
    "fix": "typing.Union[str, typing.Iterable[str]]", "states": "int", "seed": "typing.Optional[int]", "form": "str",
    "question": "typing.Optional[str]", "position": "typing.Union[Numbers, Pose]", "rotation": "typing.Optional[Numbers]",
    "rpy": "typing.Optional[Numbers]", "quaternion": "typing.Optional[Numbers]", "direction": "bool",
    "weights": "typing.Optional[Numbers]", "guess": "typing.Optional[State]", "tolerance": "typing.Optional[float]",
    "angle_tolerance": "typing.Optional[float]", "iterations": "typing.Optional[int]", "restarts": "typing.Optional[int]",
    "ignore_limits": "bool", "arm_angle": "typing.Optional[float]", "theta": "typing.Optional[Numbers]",
    "u": "typing.Optional[Numbers]", "gait": "typing.Optional[Numbers]", "torque": "typing.Union[None, str, Torques, Numbers]", "x": "float", "y": "float",
    "duration": "typing.Optional[float]", "record": "typing.Optional[float]", "step": "typing.Optional[float]",
    "rtol": "typing.Optional[Numbers]", "atol": "typing.Optional[Numbers]", "budget": "typing.Union[None, float, str]", "integrator": "typing.Optional[str]",
    "longest": "typing.Optional[float]", "n": "int", "arm": "Robot", "kind": "str", "join": "str", "dt": "float",
    "scale": "float", "shape": "str", "want": "typing.Union[str, typing.Iterable[str]]", "name": "str",
    "torques": "typing.Optional[Torques]", "reference": "typing.Union[None, Trajectory, Numbers, typing.Callable[[float], typing.Any]]",
    "friction": "typing.Optional[str]", "limits": "typing.Optional[str]", "speed": "typing.Optional[float]",
    "jerk": "typing.Optional[Numbers]", "velocity": "typing.Optional[Numbers]", "acceleration": "typing.Optional[Numbers]",
    "keep_orientation": "bool", "law": "typing.Optional[str]", "viscous": "bool", "count": "typing.Optional[int]",
    "fastest": "typing.Optional[float]", "kp": "typing.Optional[Numbers]", "kd": "typing.Optional[Numbers]",
    "controller": "typing.Union[None, str, Torques]", "drives": "typing.Optional[typing.Mapping[str, str]]",
    "rates": "typing.Callable[[float, Array], typing.Any]", "events": "typing.Optional[typing.Callable[[float, Array], typing.Any]]",
    "loads": "typing.Optional[typing.Mapping[typing.Any, typing.Sequence[typing.Union[float, str]]]]", "model": "typing.Optional[Robot]",
    "sensors": "typing.Optional[typing.Mapping[str, Numbers]]", "heat": "typing.Optional[Numbers]", "arguments": "typing.Union[str, typing.Iterable[str]]", "y0": "Numbers", "times": "Numbers", "most": "int", "joint_names": "typing.Optional[typing.Iterable[str]]",
}
# Parameters whose type differs from that of their name, as FUNCTION.NAME
OWN_PARAMETERS = {
    "fastest.path": "typing.Union[Trajectory, Numbers, typing.Sequence[State]]", "Robot.random.shape": "typing.Union[int, tuple[int, ...]]",
    "Robot.random.seed": "typing.Union[None, int, np.random.Generator]",
}
RESULTS = {
    "Robot.frames": "Pose",
    "load": "Robot", "loads": "Robot", "load_snake": "Snake", "loads_snake": "Snake", "lint": "list[Diagnostic]", "methods": "list[Method]",
    "questions": "list[Question]", "formulations": "list[Method]", "Robot.formulation_counts": "list[dict[str, typing.Any]]", "generic": "Robot", "generic_snake": "Snake", "integrate": "Solution",
    "integrator_methods": "list[IntegratorMethod]", "simulate": "Run", "plan": "Trajectory", "line": "Trajectory",
    "through": "Trajectory", "read_trajectory": "Trajectory", "Robot.closed_form": "typing.Optional[str]", "Snake.beyond":
    "typing.Optional[int]", "SnakeSimulation.save": "bytes", "SnakeSimulation.restore": "None", "SnakeSimulation.advance": "None",
    "SnakeSimulation.copy": "SnakeSimulation",  "parts": "Parts", "solid": "Solid", "mesh": "Solid", "solids": "dict[str, tuple[str, ...]]",
    "page": "Page", "Robot.replace": "Robot", "Robot.convert": "Robot", "Robot.to_yaml": "str", "Robot.to_urdf": "str",
    "Robot.save": "None", "Robot.ik": "IkResult", "Robot.ik_all": "list[IkResult]", "Robot.arm_angle": "float",
    "Robot.check": "Checks", "Robot.counts": "list[dict[str, typing.Any]]", "Robot.pose": "Pose", "Robot.poses": "Pose", "Robot.centroidal": "Centroidal", "Robot.page": "Page",
    "Robot.method": "str", "Robot.drives": "tuple[list[JointDrive], dict[str, NamedArray]]", "Snake.simulate": "SnakeRun",
    "Snake.torque": "tuple[Array, Array, int]", "Snake.gait": "tuple[Array, Array, int]", "Snake.points": "Array",
    "Snake.slips": "Array", "Fleet.states": "tuple[Array, Array]", "Fleet.run": "tuple[Array, Array, Array]",
    "Fleet.advance": "int", "Trajectory.sample": "tuple[Array, Array, Array, Array]", "Trajectory.__call__":
    "tuple[Array, Array, Array]", "Fleet.start": "None", "Fleet.set_torques": "None", "Run.columns": "dict[str, Array]",
    "Robot.close_loops": "Closing", "Robot.forward_closed": "tuple[Array, Array]", "Robot.inverse_closed": "tuple[Array, Array]",
    "make_snake": "Snake", "cycle": "Cycle", "study": "Study", "merge": "None", "example": "str", "examples": "list[str]", "draw": "Picture", "plot": "Picture",
    "Robot.draw": "Picture", "Robot.slopes": "tuple[Array, dict[str, Array]]", "Snake.slopes": "tuple[Array, dict[str, Array]]",
    "Robot.constants": "dict[str, Constant]", "Robot.exact": "Exact", "Snake.exact": "Exact", "Robot.prove": "Proof",
    "Snake.prove": "Proof", "Robot.linearise": "Linear", "Robot.base_parameters": "BaseParameters", "Robot.excite": "Excitation",
    "Robot.identify": "Identified", "Robot.cylinders": "Cylinders", "Robot.accuracy": "Table", "Robot.sensitivity": "Table",
    "Robot.clearance": "Table", "Robot.joint_loads": "dict[str, dict[str, typing.Any]]", "Robot.check_positions": "None",
    "Robot.singular": "tuple[float, typing.Optional[LoopRow]]", "Robot.loop_gap": "tuple[float, float]",
    "Robot.balance": "tuple[Array, Array]", "Robot.project": "typing.Any",
    "Snake.draw": "Picture", "Snake.page": "Page", "Run.page": "Page", "SnakeRun.page": "Page", "Snake.to_yaml": "str",
    "Snake.source": "dict[str, str]", "SnakeRun.columns": "dict[str, Array]", "Run.to_array": "Array", "SnakeRun.to_array": "Array",
    "StudyResult.to_array": "Array", "StudyResult.columns": "dict[str, Array]", "Study.run": "StudyResult",
    "Study.compute": "StudyResult", "Study.draw": "NamedArray", "Excitation.__call__": "tuple[Array, Array, Array]",
    "Excitation.sample": "tuple[Array, Array, Array, Array]", "FastestMotion.__call__": "tuple[Array, Array, Array]",
    "FastestMotion.sample": "tuple[Array, Array, Array, Array]", "FastestMotion.slow": "None", "Fleet.save": "bytes",
    "Fleet.restore": "None", "Fleet.set_wrenches": "None", "Simulation.save": "bytes", "Simulation.restore": "None",
    "Simulation.advance": "str", "Simulation.copy": "Simulation", "Simulation.tally": "tuple[int, float]",
    "Simulation.state": "typing.Any", "Exact.text": "Array", "Exact.decimals": "Array", "Motor.need": "MotorPoint",
    "Schedule.__call__": "Array", "Schedule.next": "float", "Law.__call__": "float", "Law.jet": "Array", "Law.values": "Array",
    "CylinderDef.area": "float", "CylinderDef.compliance": "float", "CylinderDef.stiffness": "float", "CylinderDef.pressures":
    "Array", "CylinderDef.flow_at": "float", "CylinderDef.buckling": "float", "CylinderDef.buckling_length": "float",
    "Cylinders.forces": "tuple[Array, Array]", "Cylinders.stiffness": "Array", "Cylinders.close_valves": "Array",
    "Commands.__getattr__": "typing.Callable[..., typing.Any]", "Robot.generate": "Generated", "Robot.source": "dict[str, str]", "Generated.pose": "Pose", "Generated.poses": "Pose", "Generated.centroidal": "Centroidal",
}
PROPERTIES = {
    "joint_names": "list[str]", "position_names": "list[str]", "joints": "list[Joint]", "link_names": "list[str]",
    "gravity_vector": "Array", "origin": "typing.Optional[str]", "file": "typing.Optional[str]", "is_serial": "bool",
    "lower": "Array", "upper": "Array", "threads": "int", "lanes": "int", "closed": "bool", "links": "list[SnakeLink]",
    "length": "float", "duration": "float", "t": "float", "progress": "list[str]", "ok": "bool", "compiled": "bool", "matrix": "Array",
    "holds": "bool", "probability": "float", "eigenvalues": "Array", "times": "Array", "robot": "typing.Any", "samples": "int",
    "command": "typing.Optional[str]", "events": "list[Event]", "audit": "dict[str, typing.Any]", "rpy": "Array", "quaternion": "Array", "start": "Array", "loop_rows": "list[LoopRow]", "mobility": "int", "driven": "list[str]",
}
ATTRIBUTES = {
    "Robot": "name: str\ndof: int\nnq: int\ndiagnostics: list[Diagnostic]",
    "Snake": "name: str\nn: int\ndiagnostics: list[Diagnostic]",
    "Run": "name: str\nt: Array\nq: NamedArray\nqd: NamedArray\nqdd: NamedArray\ntau: NamedArray\nvoltage: NamedArray\n"
           "current: NamedArray\nfriction: NamedArray\nenergy: NamedArray\nevents: list[Event]\noutcome: str\n"
           "audit: dict[str, typing.Any]",
    "SnakeRun": "t: Array\ntheta: NamedArray\nu: Array\nposition: Array\nwork: Array\nkinetic: Array\nstats: dict[str, typing.Any]\n"
                "S: Array\nsideways: Array\nslip_loss: Array\nstop_loss: Array\nfull: bool",
    "Solution": "t: Array\ny: Array\nevents: list[tuple[float, int, bool, Array]]\nstats: dict[str, typing.Any]\nstopped: bool",
    "LinkworkError": "diagnostics: list[Diagnostic]", "NumericalError": "run: typing.Any", "NamedArray": "names: list[str]",
    "Generated": "questions: tuple[str, ...]\nreasons: dict[str, str]\noperations: dict[str, dict[str, int]]",
    "Fleet": "count: int\ndof: int\njoint_names: list[str]", "Trajectory": "dof: int\nnq: int\njoint_names: list[str]",
    "Parts": "name: typing.Optional[str]\nnames: list[str]\ndiagnostics: list[Diagnostic]", "Page": "html: str\ntitle: typing.Optional[str]",
    "Limits": "lower: float\nupper: float\nvelocity: float\neffort: float\nacceleration: float\njerk: float", "Friction": "viscous: float\ncoulomb: float",
    "Link": "name: str\nmass: float\ncom: Array\ninertia: Array",
    "Joint": "name: str\ntype: str\nparent: str\nlink: Link\nlimits: Limits\nfriction: Friction\n"
             "armature: float\nmotor: typing.Optional[Motor]\nmimic: typing.Optional[tuple[str, float, float]]\nindex: int",
    "Motor": "resistance: float\ntorque_constant: float\ngear: float\nrotor_inertia: float\ninductance: float\n"
             "efficiency: float\nvoltage: float\ncurrent: float",
    "SnakeLink": "length: float\nmass: float\ninertia: float\nwheel_offset: float\nfriction_limit: float\nlower: float\nupper: float",
    "Constant": "name: str\njoint: typing.Optional[str]\nkind: str\nvalue: float\nlinear: bool",
    "Linear": "A: Array\nB: Array\nstates: list[str]\nvoltages: list[bool]\nmodes: list[Mode]\nstability: str",
    "Mode": "eigenvalue: complex\nfrequency: float\ndamping: float\nshape: Array\ntext: str",
    "BaseParameter": "name: str\nunit: str\nvalue: float\ncolumn: int\nfactors: Array",
    "BaseParameters": "names: list[str]\nidle: Array\nby_rules: int\nby_rank: int",
    "Excitation": "dof: int\nduration: float\nbefore: float\nafter: float\nparameters: int\neffort: float\nheight: float",
    "Estimate": "name: str\nunit: str\nfile: float\nvalue: float\nerror: float\npossible: float",
    "Identified": "estimates: list[Estimate]\ncorrelation: Array\nfit: typing.Any\njoints: dict[str, typing.Any]\n"
                  "robot: Robot\nt: Array\nmeasured: NamedArray\npredicted: NamedArray\ndiagnostics: list[Diagnostic]",
    "FastestMotion": "dof: int\njoint_names: list[str]\nduration: float\nbound: float\nexcess: float\nlocal: bool",
    "Section": "motion: FastestMotion\nwait: float\ndwell: float\nrobot: Robot\nmoves: int",
    "Cycle": "name: str\nsections: list[Section]\nduration: float", "Picture": "svg: str", "Table": "text: str",
    "Study": "name: str\nparameters: list[str]\nmeasures: list[str]\ndiagnostics: list[Diagnostic]",
    "StudyResult": "sample: Array\nparameters: NamedArray\nmeasures: NamedArray\nstate: list[str]\nwhy: list[str]\npassed: Array",
    "Cylinders": "names: list[str]\ndefinitions: list[CylinderDef]", "Converter": "period: float\nbits: int\nrange: float",
    "CylinderDef": "name: str\nbore: float\nrod: float\nstroke: float\nclosed_length: float",
    "MotorPoint": "joint_torque: float\ntorque: float\nspeed: float\ncurrent: float\nvoltage: float\npower: float\nlimits: list[str]",
    "Schedule": "width: int\nrows: int\nbetween: str\npresent: list[bool]", "Law": "text: str",
    "Simulation": "joint_names: list[str]\nname: str", "Event": "t: float\nkind: str\nname: str", "Solid": "volume: float\ncom: Array\ninertia: Array",
    "PartsLink": "name: str\nmass: float\ncom: Array\ninertia: Array\ncomputed: float\npieces: list[Piece]",
    "Load": "peak: float\npeak_time: float\nrms: float\nmean: float\nlimit: float\nheadroom: float",
    "JointDrive": "joint: str\nloads: dict[str, Load]\nenergy: float\nmargin: float\nmargin_time: float",
}


LISTS = {"Checks": "Check", "Proof": "Identity", "BaseParameters": "BaseParameter"}


def parameter(entry, function):
    if entry.kind in (entry.VAR_POSITIONAL, entry.VAR_KEYWORD):
        return f"{'*' if entry.kind == entry.VAR_POSITIONAL else '**'}{entry.name}: typing.Any"
    plain = type(entry.default).__name__
    kind = OWN_PARAMETERS.get(f"{function}.{entry.name}") or PARAMETERS.get(
        entry.name, plain if plain in ("bool", "int", "float", "str") else "typing.Any")
    return f"{entry.name}: {kind}" + ("" if entry.default is entry.empty else " = ...")


def function(name, value, owner=""):
    words, starred = [], False
    for entry in inspect.signature(value).parameters.values():
        if entry.kind == entry.KEYWORD_ONLY and not starred:
            words.append("*")
        starred = starred or entry.kind in (entry.KEYWORD_ONLY, entry.VAR_POSITIONAL)
        words.append(entry.name if entry.name == "self" else parameter(entry, owner + name))
    default = "None" if name in ("__init__", "close", "save") else "int" if name == "__len__" else "Array" if owner in ("Robot.", "Generated.") else "typing.Any"
    return f"def {name}({', '.join(words)}) -> {RESULTS.get(owner + name, default)}: ..."


def spell(kind):
    if kind is np.ndarray:
        return "Array"
    if kind is dict:
        return "dict[str, typing.Any]"
    return kind.__name__ if isinstance(kind, type) else re.sub(r"linkwork\.(_\w+\.)?", "", str(kind)).replace(
        "numpy.ndarray", "Array").replace("Optional[dict]", "Optional[dict[str, typing.Any]]")


def members(kind):
    lines = ATTRIBUTES.get(kind.__name__, "").splitlines()
    if dataclasses.is_dataclass(kind):
        return [f"{field.name}: {spell(field.type)}" for field in dataclasses.fields(kind)] + [
            f"@property\ndef {name}(self) -> {PROPERTIES.get(name, 'typing.Any')}: ..." for name, value in vars(kind).items()
            if isinstance(value, property)]
    seen = {name: value for base in reversed(kind.__mro__) if base.__module__.startswith("linkwork") for name, value in vars(base).items()}
    for name, value in seen.items():
        if isinstance(value, property):
            lines.append(f"@property\ndef {name}(self) -> {PROPERTIES.get(name, 'typing.Any')}: ...")
        elif inspect.isfunction(value) and (not name.startswith("_") or name in (
                "__init__", "__call__", "__getitem__", "__len__", "__getattr__")):
            if name == "__init__" and (kind.__name__ in ("Robot", "Snake", "Run", "SnakeRun", "Solution", "Trajectory", "Parts", "Generated", "Study",
                                                             "StudyResult", "Cylinders", "Excitation", "FastestMotion")):
                continue  # created by the library only
            lines.append(function(name, value, f"{kind.__name__}."))
    lines = [line for line in lines if not line.startswith("def __enter__")]
    if "close" in seen:
        lines += [f"def __enter__(self) -> {kind.__name__}: ...", "def __exit__(self, *_: object) -> None: ..."]
    return lines or ["..."]


def base_of(kind, names):
    for base in kind.__mro__[1:]:
        if base.__name__ in names and base.__module__ == "linkwork":
            return base.__name__
    builtin = next((base for base in kind.__mro__[1:] if base.__module__ == "builtins" and base is not object), None)
    if kind.__name__ in ("NamedArray", "Exact", "Table"):
        return "np.ndarray[typing.Any, typing.Any]"
    if builtin is list:
        return f"list[{LISTS[kind.__name__]}]"
    if builtin is tuple and hasattr(kind, "_fields"):
        return "typing.NamedTuple"
    return builtin.__name__ if builtin else "object"


def main(out):
    sys.path[0] = str(pathlib.Path(out).resolve().parent)  # the built package, not the source beside this file
    import linkwork
    lines, names = [HEAD], linkwork.__all__
    for name in names:
        value = getattr(linkwork, name)
        if inspect.isclass(value):
            base = base_of(value, names)
            body = [f"{field}: Array" for field in getattr(value, "_fields", ())] + [
                line for line in members(value) if not (base == "typing.NamedTuple" and "__init__" in line)]
            lines.append(f"class {name}({base}):\n" + "\n".join("    " + line.replace("\n", "\n    ") for line in body) + "\n")
        elif inspect.isroutine(value):
            lines.append(function(name, value) + "\n")
        else:
            lines.append(f"{name}: {type(value).__name__}\n")
    pathlib.Path(out, "__init__.pyi").write_text("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
