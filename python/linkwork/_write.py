# SPDX-License-Identifier: MIT
"""Converts robots between placements (origin and axis, Denavit-Hartenberg) and writes robot files."""

import ctypes
import os
import tempfile

from ._library import constant, lib, make
from ._errors import LinkworkError
from ._registry import unknown
from ._robot import Robot, model_options

FORMS = {"dh-modified": "LW_PLACEMENT_DH_MODIFIED", "dh-standard": "LW_PLACEMENT_DH_STANDARD",
         "axes": "LW_PLACEMENT_ORIGIN_AXIS"}
FORMATS = {"yaml": "LW_ROBOT_FORMAT_YAML", "urdf": "LW_ROBOT_FORMAT_URDF", "mjcf": "LW_ROBOT_FORMAT_MJCF"}


def robot_text(robot, form):
    if form not in FORMATS:
        raise unknown("format", form, list(FORMATS))
    description = robot._description()
    owned, _ = make(lib.lw_robot_text, lib.lw_text_destroy, ctypes.byref(description), constant[FORMATS[form]])
    data = ctypes.string_at(lib.lw_text_bytes(owned.pointer), lib.lw_text_length(owned.pointer))
    owned.close()
    return data.decode()


def convert(self, form):
    """The same robot with every joint placed by 'dh-modified', 'dh-standard' or 'axes' (origin and axis, as in URDF).

    Moving joints keep their names, order and the meaning of q; link frames move if the form requires it.
    """
    if form not in FORMS:
        raise unknown("form", form, list(FORMS))
    description = self._description()
    expressed, _ = make(lib.lw_robot_express, lib.lw_expressed_destroy, ctypes.byref(description), constant[FORMS[form]])
    options, _ = model_options(allow_bad_inertia=True, allow_inert=True)
    owned, _ = make(lib.lw_model_create, lib.lw_model_destroy, lib.lw_expressed_robot(expressed.pointer),
                    ctypes.byref(options))
    expressed.close()
    return Robot(owned, (), self._threads)


def to_yaml(self):
    """The robot as the text of a YAML robot file."""
    return robot_text(self, "yaml")


def to_urdf(self):
    """The robot as the text of a URDF file. Motors, gravity and notes are lost: URDF has no place for them."""
    return robot_text(self, "urdf")


def save(self, path):
    """Writes a robot file atomically: URDF if its name ends with .urdf, else YAML."""
    name = os.fspath(path)
    form = "urdf" if os.fsdecode(name).endswith(".urdf") else "yaml"
    words = robot_text(self, form)
    folder = os.path.dirname(os.path.realpath(name)) or "."
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".linkwork-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(words)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, os.path.realpath(name))
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise LinkworkError(f"{os.fsdecode(name)}: {error.strerror}") from error


Robot.convert, Robot.to_yaml, Robot.to_urdf, Robot.save = convert, to_yaml, to_urdf, save
