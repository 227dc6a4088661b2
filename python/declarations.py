# SPDX-License-Identifier: MIT
"""Turns the public headers of liblinkwork into ctypes declarations.

    python3 declarations.py INCLUDE_FOLDER OUT_FOLDER

writes OUT_FOLDER/_declarations.py, and OUT_FOLDER/_layout.h: static assertions that compare the size of every struct and
the offset of every field with those of ctypes. So the package follows the headers at its next build, and a layout that
differs is a build error, not a crash of a program.
"""

import ctypes
import os
import pathlib
import re
import shlex
import subprocess
import sys

TOKENS = re.compile(r"[A-Za-z_]\w*|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|\"[^\"]*\"|<<|>>|[^\s]")
SCALARS = {
    ("double",): "c_double", ("float",): "c_float", ("int",): "c_int", ("_Bool",): "c_bool", ("bool",): "c_bool",
    ("char",): "c_char", ("long",): "c_long", ("unsigned",): "c_uint", ("unsigned", "int"): "c_uint",
    ("unsigned", "long"): "c_ulong", ("unsigned", "long", "long"): "c_ulonglong", ("long", "long"): "c_longlong",
    ("size_t",): "c_size_t", ("sig_atomic_t",): "c_int", ("unsigned", "char"): "c_ubyte", ("void",): None,
    ("uint64_t",): "c_uint64", ("int64_t",): "c_int64", ("uint32_t",): "c_uint32", ("int32_t",): "c_int32",
}
IGNORED = {"const", "volatile", "struct", "enum", "extern", "inline"}


def includes(include):
    """Lines that include every public header."""
    names = sorted(path.name for path in pathlib.Path(include, "linkwork").glob("*.h"))
    return "".join(f'#include "linkwork/{name}"\n' for name in names)


def preprocess(include):
    """The text of the public headers alone, as the compiler sees it."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    result = subprocess.run([*compiler, "-E", "-I", str(include), "-x", "c", "-"], input=includes(include), text=True, check=True,
                            stdout=subprocess.PIPE)
    kept, ours = [], False
    for line in result.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = re.search(r"linkwork/[^/]*\.h$", marker[1]) is not None
        elif ours and not line.startswith("#"):
            kept.append(line)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", "\n".join(kept))


class Type:
    """A C type: its words, the stars after them, the sizes of arrays."""

    def __init__(self, words, stars=0, sizes=()):
        self.words, self.stars, self.sizes = tuple(words), stars, tuple(sizes)


class Reader:
    """Reads declarations, in the forms that the public headers use."""

    def __init__(self, text):
        self.tokens = TOKENS.findall(text)
        self.at = 0
        self.constants, self.enums, self.structs, self.opaque = {}, set(), {}, set()
        self.callbacks, self.functions = {}, {}

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if expected is not None and token != expected:
            around = " ".join(self.tokens[max(0, self.at - 12):self.at + 4])
            raise SyntaxError(f"expected '{expected}', found '{token}' in: {around}")
        self.at += 1
        return token

    def read(self):
        while self.peek() is not None:
            if self.peek() == ";":
                self.take()
            elif self.peek() == "typedef":
                self.take()
                self.read_typedef()
            elif self.peek() == "enum" and self.peek(1) == "{":
                self.take()
                self.read_enumerators()
                self.take(";")
            elif self.peek() == "struct" and self.peek(2) == ";":
                self.take(), self.opaque.add(self.take()), self.take(";")
            else:
                self.read_function()
        return self

    def read_typedef(self):
        if self.peek() == "enum":
            self.take()
            if self.peek() != "{":
                self.take()
            self.read_enumerators()
            self.enums.add(self.take())
        elif self.peek() == "struct" and self.peek(2) == "{":
            self.take(), self.take()
            fields = self.read_fields()
            self.structs[self.take()] = fields
        elif self.peek() == "struct" and self.peek(3) == ";":
            self.take(), self.take()
            self.opaque.add(self.take())
        else:
            result, name = self.read_declarator()
            self.callbacks[name] = (result, self.read_parameters())
        self.take(";")

    def read_enumerators(self):
        self.take("{")
        value = -1
        while self.peek() != "}":
            name = self.take()
            value += 1
            if self.peek() == "=":
                self.take()
                words = []
                while self.peek() not in (",", "}"):
                    words.append(re.sub(r"(?<=\d)[uUlL]+$", "", self.take()))
                value = eval(" ".join(words), {}, self.constants)  # constants of our own headers
            self.constants[name] = value
            if self.peek() == ",":
                self.take()
        self.take("}")

    def read_base(self):
        words = []
        while True:
            token = self.peek()
            if token in IGNORED:
                self.take()
            elif re.match(r"[A-Za-z_]", token) and (not words or token in ("unsigned", "long", "int", "char")):
                words.append(self.take())
            else:
                return words

    def read_stars(self):
        stars = 0
        while self.peek() in ("*", "const", "volatile", "restrict"):
            stars += self.take() == "*"
        return stars

    def read_declarator(self, words=None):
        words = words or self.read_base()
        stars = self.read_stars()
        name = self.take() if re.match(r"[A-Za-z_]", self.peek()) else None
        sizes = []
        while self.peek() == "[":
            self.take()
            expression = []
            while self.peek() != "]":
                expression.append(self.take())
            self.take("]")
            sizes.append(eval(" ".join(expression), {}, self.constants) if expression else 0)
        return Type(words, stars, sizes), name

    def read_fields(self):
        self.take("{")
        fields = []
        while self.peek() != "}":
            words = self.read_base()
            while True:
                kind, name = self.read_declarator(words)
                fields.append((name, kind))
                if self.take() == ";":
                    break
        self.take("}")
        return fields

    def read_parameters(self):
        self.take("(")
        parameters = []
        while self.peek() != ")":
            kind, name = self.read_declarator()
            if kind.words != ("void",) or kind.stars:
                if kind.sizes:  # an array as a parameter is a pointer
                    kind = Type(kind.words, kind.stars + 1)
                parameters.append((name, kind))
            if self.peek() == ",":
                self.take()
        self.take(")")
        return parameters

    def read_function(self):
        result, name = self.read_declarator()
        self.functions[name] = (result, self.read_parameters())
        self.take(";")

    # --- as ctypes

    def spell(self, kind):
        text = self.spell_plain(kind)
        for size in reversed(kind.sizes):
            text = f"({text} * {size})"
        return text

    def spell_plain(self, kind):
        name, stars = kind.words[0], kind.stars
        if name in self.callbacks and stars == 1:
            return name
        if kind.words == ("char",) and stars == 1:
            return "c_char_p"
        if name in self.structs:
            return "POINTER(" * stars + name + ")" * stars
        if name in self.enums:
            base = "c_int"
        elif name in self.opaque:
            base, stars = "c_void_p", stars - 1
        elif kind.words in SCALARS:
            base = SCALARS[kind.words]
        else:
            raise SyntaxError(f"the type {' '.join(kind.words)} is not known to the package")
        if stars == 0:
            return str(base)
        if base in ("c_void_p", "c_int") or (kind.words == ("char",) and stars > 1):
            base = "c_char_p" if kind.words == ("char",) else base
            stars -= kind.words == ("char",)
            return "POINTER(" * stars + base + ")" * stars
        return "c_void_p"  # arrays of numbers are passed by address

    def write_python(self):
        lines = ['"""The public headers of liblinkwork as ctypes declarations. Made by declarations.py."""', "",
                 "from ctypes import *  # noqa: F403", "", "CONSTANTS = {"]
        lines += [f"    {name!r}: {value}," for name, value in self.constants.items()]
        lines += ["}", ""]
        lines += [f"class {name}(Structure): pass" for name in self.structs]
        for name, (result, parameters) in self.callbacks.items():
            words = [self.spell(result), *(self.spell(kind) for _, kind in parameters)]
            lines.append(f"{name} = CFUNCTYPE({', '.join(words)})")
        for name, fields in self.structs.items():
            lines.append(f"{name}._fields_ = [")
            lines += [f"    ({field!r}, {self.spell(kind)})," for field, kind in fields]
            lines.append("]")
        lines += ["", f"STRUCTS = [{', '.join(self.structs)}]", "", "FUNCTIONS = {"]
        for name, (result, parameters) in self.functions.items():
            words = ", ".join(self.spell(kind) for _, kind in parameters)
            lines.append(f"    {name!r}: ({self.spell(result)}, [{words}]),")
        return "\n".join([*lines, "}", ""])


def write_layout(include, module):
    """Static assertions that ctypes and the compiler lay out the structs alike."""
    lines = ["// Made by declarations.py: the compiler checks the layouts that ctypes computed.", "#include <stddef.h>",
             includes(include)]
    for struct in module["STRUCTS"]:
        name = struct.__name__
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");')
        for field, *_ in struct._fields_:
            place = getattr(struct, field).offset
            lines.append(f'_Static_assert(offsetof({name}, {field}) == {place}, "{name}.{field}");')
    return "\n".join([*lines, ""])


def main(include, out):
    text = Reader(preprocess(include)).read().write_python()
    module = {}
    exec(text, module)
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "_declarations.py").write_text(text)
    (out / "_layout.h").write_text(write_layout(include, module))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
