# SPDX-License-Identifier: MIT
"""What is in the package, and the platform tag that is computed from it."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import linkwork as lw
from conftest import ROOT

sys.path.insert(0, str(ROOT / "python"))
import platform_tag  # noqa: E402

PACKAGE = pathlib.Path(lw.__file__).parent
ELVES = [path for path in PACKAGE.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tags of Linux")


@pytest.mark.parametrize("path", [*ELVES, pathlib.Path("/bin/sh"), pathlib.Path(sys.executable).resolve()], ids=lambda path: path.name)
def test_elf_files_are_read_as_objdump_reads_them(path):
    if not shutil.which("objdump"):
        pytest.skip("no objdump")
    words = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    elf = platform_tag.Elf(path.read_bytes())
    assert elf.needed == re.findall(r"^\s+NEEDED\s+(\S+)", words, re.MULTILINE)
    found, library = set(), None
    for line in words.partition("Version References:")[2].splitlines():
        if begun := re.match(r"\s+required from (\S+):", line):
            library = begun[1]
        elif version := re.match(r"\s+0x[0-9a-f]+ 0x[0-9a-f]+ \d+ (\S+)", line):
            found.add((library, version[1]))
    assert elf.versions == found


def test_the_tag_is_that_of_the_newest_version():
    tag, why = platform_tag.judge({"sh": pathlib.Path("/bin/sh").read_bytes()})
    newest = max(tuple(map(int, version[6:].split("."))) for _, version in platform_tag.Elf(pathlib.Path("/bin/sh").read_bytes()).versions
                 if re.match(r"GLIBC_\d", version))
    assert re.fullmatch(rf"manylinux_{newest[0]}_{newest[1]}_\w+", tag) and why == f"sh needs GLIBC_{newest[0]}.{newest[1]}"


def test_libraries_of_this_machine_are_named():
    python = pathlib.Path(sys.executable).resolve().read_bytes()
    foreign = [name for name in platform_tag.Elf(python).needed if name not in platform_tag.GLIBC]
    if not foreign:
        pytest.skip("this Python needs glibc only")
    tag, why = platform_tag.judge({"python": python})
    assert tag.startswith("linux_") and all(name in why for name in foreign)


def test_the_package_finds_its_own_library_and_examples():
    if not (PACKAGE / "lib").exists():
        pytest.skip("the package is built on an installed library")
    library, = (PACKAGE / "lib/linkwork").iterdir()
    mapped = pathlib.Path("/proc/self/maps").read_text()
    assert str(library) in mapped
    assert lw.load(lw.example("robots/panda.yaml")).dof == 7 and "scenarios/puma_computed_torque.yaml" in lw.examples()
    with pytest.raises(ValueError, match="panda"):
        lw.example("robots/panda.yml")


def test_the_program_of_a_wheel_is_linked_to_its_library():
    program = PACKAGE / "bin/linkwork"
    if not program.exists():
        pytest.skip("the package was built without the program")
    library, = (PACKAGE / "lib/linkwork").iterdir()
    assert library.name in platform_tag.Elf(program.read_bytes()).needed
    assert str(library) in subprocess.run(["ldd", program], capture_output=True, text=True).stdout.replace("/bin/../", "/")
    words = subprocess.run([sys.executable, "-m", "linkwork", "--version"], capture_output=True, text=True)
    assert words.returncode == 0 and lw.__version__ in words.stdout
    script = pathlib.Path(sys.executable).with_name("linkwork")
    if script.exists():
        copied = subprocess.run([script, "info", ROOT / "robots/panda.yaml"], capture_output=True, text=True)
        assert copied.returncode == 0 and "Panda" in copied.stdout
