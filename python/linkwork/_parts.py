# SPDX-License-Identifier: MIT
"""Mass properties of links from the shapes of their parts."""

import ctypes
import os

import numpy as np

from ._library import Closable, Findings, constant, declared, encode, lib, make, text
from ._registry import unknown
from ._robot import Record


class Solid(Record):
    """volume (m^3), com (3, m) and inertia (3, 3, m^5, for 1 kg/m^3, about com), in the frame of the shape."""


class Piece(Record):
    """One section of a part, in link axes: part, section, material, shape, copy, hole, volume (m^3), density, mass
    (kg), com (3) and its share of the inertia (3, 3) about the centre of mass of the link."""


class PartsLink(Record):
    """name, mass (kg), com (3, m), inertia (3, 3, kg m^2, about com), computed (mass before weighing, kg) and pieces."""


def _tensor(six):
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def solids():
    """The shapes of parts files: {name: (names of the dimensions, in m)}."""
    found = (lib.lw_solid_info(i).contents for i in range(constant["LW_SOLID_COUNT"]))
    return {text(info.name): tuple(text(size.name) for size in info.sizes[:info.count]) for info in found}


def solid(shape, **sizes):
    """Volume, centre and inertia of a shape for 1 kg/m^3: solid('cylinder', radius=0.05, length=0.3), sizes in m."""
    known = solids()
    if shape not in known:
        raise unknown("shape", shape, list(known))
    names = known[shape]
    for name in sizes:
        if name not in names:
            raise unknown(f"size of a {shape}", name, list(names))
    values = (ctypes.c_double * constant["LW_SOLID_MAX_SIZES"])(*(float(sizes.get(name, 0)) for name in names))
    made = declared.lwSolid()
    with Findings() as findings:
        findings.require(lib.lw_solid_of(list(known).index(shape), values, findings.pointer, ctypes.byref(made)))
    return Solid(volume=made.volume, com=np.array(made.com), inertia=_tensor(made.inertia))


def mesh(path, scale=1.0):
    """Volume, centre and inertia of a closed triangle mesh (STL) for 1 kg/m^3; `scale` is its unit of length in m."""
    made = declared.lwSolid()
    with Findings() as findings:
        findings.require(lib.lw_mesh_read_file(encode(path), float(scale), findings.pointer, ctypes.byref(made)),
                         os.fspath(path))
    return Solid(volume=made.volume, com=np.array(made.com), inertia=_tensor(made.inertia))


class Parts(Closable):
    """The links of a parts file: parts["trunk"] is a PartsLink; names lists them."""

    def __init__(self, owned, diagnostics):
        self._owned, self.diagnostics = owned, diagnostics
        self.name = text(lib.lw_parts_name(owned.pointer))
        self.names = [text(self._link(i).body.name) for i in range(lib.lw_parts_count(owned.pointer))]

    def _link(self, i):
        return lib.lw_parts_link(self._pointer(), i).contents

    def __getitem__(self, name):
        place = lib.lw_parts_find(self._pointer(), encode(name))
        if place < 0:
            raise unknown("link", name, self.names)
        link = self._link(place)
        pieces = [Piece(part=text(p.part), section=text(p.section), material=text(p.material),
                        shape=text(lib.lw_solid_info(p.shape).contents.name), copy=p.copy, hole=bool(p.hole),
                        volume=p.volume, density=p.density, mass=p.mass, com=np.array(p.com), inertia=_tensor(p.inertia))
                  for p in link.pieces[:link.count]]
        return PartsLink(name=name, mass=link.body.mass, com=np.array(link.body.com), inertia=_tensor(link.body.inertia),
                         computed=link.computed, pieces=pieces)

    def __iter__(self):
        return iter(self.names)

    def __len__(self):
        return len(self.names)

    def __repr__(self):
        return "<linkwork.Parts, closed>" if self.closed else f"<linkwork.Parts '{self.name}': {', '.join(self.names)}>"


def parts(path, *, strict=False):
    """Reads a parts file, or the text of one (with a line break); mesh paths are relative to it."""
    lint = declared.lwLint(strict=bool(strict))
    if isinstance(path, str) and "\n" in path:
        words = path.encode()
        owned, findings = make(lib.lw_parts_read_text, lib.lw_parts_destroy, b"parts", words, len(words), ctypes.byref(lint))
        return Parts(owned, findings)
    owned, findings = make(lib.lw_parts_read_file, lib.lw_parts_destroy, encode(path), ctypes.byref(lint),
                           what=os.fspath(path))
    return Parts(owned, findings)
