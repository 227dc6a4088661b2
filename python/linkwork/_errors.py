# SPDX-License-Identifier: MIT
"""Errors and diagnostics."""

import ctypes
import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One finding about a file or a description. str() shows it as the program does."""

    severity: str
    """'error' or 'warning'."""
    file: typing.Optional[str]
    """Name of the file as given, or None."""
    line: int
    """Line, from 1; 0 if unknown."""
    column: int
    """Column in bytes, from 1."""
    text: str
    """What is wrong and what was expected."""
    source: typing.Optional[str]
    """The line of the file, or None."""
    hint: typing.Optional[str]
    """What to do about it, or None."""
    id: typing.Optional[str]
    """Name under which a robot file can accept the warning, or None."""
    formatted: str = dataclasses.field(repr=False, compare=False, default="")

    def __str__(self):
        return self.formatted or self.text


class LinkworkError(ValueError):
    """The library refused something. diagnostics has every finding, with file, line and column where they are known."""

    def __init__(self, message, diagnostics=(), what=None):
        self.diagnostics = list(diagnostics)
        errors = [finding for finding in self.diagnostics if finding.severity == "error"] or self.diagnostics
        words = "\n".join(str(finding) for finding in errors) or (f"{what}: {message}" if what else message)
        super().__init__(words)

    def __reduce__(self):
        return _restore, (str(self), self.diagnostics)


def _restore(words, diagnostics):
    error = LinkworkError(words)
    error.diagnostics = diagnostics
    return error


def diagnostics_of(lib, pointer):
    """The findings in an lwDiag."""
    return [_diagnostic(lib, lib.lw_diag_message(pointer, i)) for i in range(lib.lw_diag_size(pointer))]


def _diagnostic(lib, message):
    length = lib.lw_message_format(message, None, 0) + 1
    buffer = ctypes.create_string_buffer(length)
    lib.lw_message_format(message, buffer, length)
    found = message.contents

    def word(value):
        return None if value is None else value.decode("utf-8", "replace")

    return Diagnostic("warning" if found.severity else "error", word(found.file), found.place.line, found.place.column,
                      word(found.text), word(found.source), word(found.hint), word(found.id),
                      buffer.value.decode("utf-8", "replace").rstrip("\n"))
