# SPDX-License-Identifier: MIT
"""The platform tag that a wheel may carry: the oldest glibc that has every symbol version which its files need.

    python3 platform_tag.py FILE..      ELF files, or a wheel: prints the tag and what decides it

A wheel that needs libraries besides those of glibc is for this machine only: its tag stays linux_ARCH.
"""

import pathlib
import struct
import sys
import zipfile

GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACHINES = {62: "x86_64", 183: "aarch64"}
DT_NEEDED, DT_STRTAB, DT_SONAME, DT_VERNEED, DT_VERNEEDNUM = 1, 5, 14, 0x6FFFFFFE, 0x6FFFFFFF
PT_LOAD, PT_DYNAMIC = 1, 2


class Elf:
    """machine, soname, needed [library], and versions {(library, "GLIBC_2.34"), ..} of a 64-bit little-endian ELF file."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("not a 64-bit little-endian ELF file")
        self.data = data
        self.machine = MACHINES.get(struct.unpack_from("<H", data, 18)[0], "unknown")
        start, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        segments = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]  # type flags offset address .. size
        self.loaded = [(address, offset, length) for kind, _, offset, address, _, length in segments if kind == PT_LOAD]
        entries = []
        for kind, _, offset, _, _, length in segments:
            if kind == PT_DYNAMIC:
                entries = [struct.unpack_from("<QQ", data, offset + i) for i in range(0, length, 16)]
        fields = dict(entries)
        strings = self._offset(fields[DT_STRTAB]) if DT_STRTAB in fields else 0
        self.needed = [self._text(strings + value) for tag, value in entries if tag == DT_NEEDED]
        self.soname = self._text(strings + fields[DT_SONAME]) if DT_SONAME in fields else None
        self.versions = set()
        at = self._offset(fields[DT_VERNEED]) if DT_VERNEED in fields else 0
        for _ in range(fields.get(DT_VERNEEDNUM, 0)):
            _, count, file, first, following = struct.unpack_from("<HHIII", data, at)
            entry = at + first
            for _ in range(count):
                _, _, _, name, beyond = struct.unpack_from("<IHHII", data, entry)
                self.versions.add((self._text(strings + file), self._text(strings + name)))
                entry += beyond
            at += following

    def _offset(self, address):
        return next(offset + address - base for base, offset, length in self.loaded if base <= address < base + length)

    def _text(self, at):
        return self.data[at:self.data.index(b"\0", at)].decode()


def judge(files):
    """The tag of files {name: bytes}, and a sentence that says why."""
    elves = {name: Elf(data) for name, data in files.items() if data[:4] == b"\x7fELF"}
    machine, = {elf.machine for elf in elves.values()}
    inside = {elf.soname for elf in elves.values()} | {pathlib.PurePath(name).name for name in elves}
    foreign = sorted({library for elf in elves.values() for library in elf.needed} - inside - GLIBC)
    if foreign:
        return f"linux_{machine}", f"needs {', '.join(foreign)} of this machine"
    needs = [(tuple(map(int, version[6:].split("."))), name) for name, elf in elves.items()
             for library, version in elf.versions if library in GLIBC and version.startswith("GLIBC_") and version[6].isdigit()]
    (major, minor, *_), name = max(needs)
    return f"manylinux_{major}_{minor}_{machine}", f"{name} needs GLIBC_{major}.{minor}"


def read(paths):
    files = {}
    for path in map(pathlib.Path, paths):
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                files.update({name: wheel.read(name) for name in wheel.namelist()})
        elif path.is_dir():
            files.update({str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()})
        else:
            files[path.name] = path.read_bytes()
    return files


if __name__ == "__main__":
    print(*judge(read(sys.argv[1:])), sep=": ")
