# SPDX-License-Identifier: MIT
"""Builds the package: finds an installed liblinkwork of the same version, or builds its own.

LINKWORK_LIBRARY selects it:
    auto       (default) the library that pkg-config finds if its version is that of this source, else 'own'
    installed  the library that pkg-config finds, or an error
    own        build the C sources beside this folder with CMake, with the options in CMAKE_ARGS
    FOLDER     a build folder of CMake with lib/liblinkwork.a, such as build/release
    shared:FOLDER  the same with lib/liblinkwork.so, for packages: nothing says where it will be found
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "c" if (HERE / "c/CMakeLists.txt").exists() else HERE.parent  # a source distribution has the C sources in c/
sys.path.insert(0, str(HERE))
import declarations  # noqa: E402


def header_version(include):
    text = pathlib.Path(include, "linkwork/base.h").read_text()
    return ".".join(re.search(rf"#define LW_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def pkg_config(*words):
    tool = shutil.which("pkg-config")
    if not tool:
        return None
    result = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return result.stdout.split() if result.returncode == 0 else None


def source_version():
    """The version of the sources beside this folder, else of the installed library."""
    if (ROOT / "include/linkwork/base.h").exists():
        return header_version(ROOT / "include")
    installed = pkg_config("--modversion", "linkwork")
    if not installed:
        raise SystemExit("linkwork: no C sources beside this folder, and pkg-config does not find liblinkwork")
    return installed[0]


class Library:
    """Where the headers are, and what to link with."""

    def __init__(self, include, words):
        self.include, self.words = pathlib.Path(include), words


def static_library(folder):
    # Link every object: ctypes looks functions up by name.
    needs = pkg_config("--libs", "yaml-0.1", "libxml-2.0") or ["-lyaml", "-lxml2"]
    for optional in ("lapack", "sqlite3", "zlib"):  # optional dependencies of the library
        needs += pkg_config("--libs", optional) or []
    archive = str(pathlib.Path(folder) / "lib/liblinkwork.a")
    return Library(ROOT / "include", ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", *needs, "-pthread", "-lm"])


def installed_library(version):
    found = pkg_config("--modversion", "linkwork")
    if not found or found[0] != version:
        return None
    folders = [word[2:] for word in pkg_config("--libs-only-L", "--keep-system-libs", "linkwork") or []]
    include = pkg_config("--variable=includedir", "linkwork")[0]
    return Library(include, [*(f"-L{folder}" for folder in folders), *(f"-Wl,-rpath,{folder}" for folder in folders),
                             "-llinkwork"])


def own_library(build):
    if not (ROOT / "CMakeLists.txt").exists():
        raise SystemExit("linkwork: the C sources are not beside this folder; install liblinkwork first")
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DLINKWORK_TESTS=OFF",
                 "-DLINKWORK_WEB=OFF", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
    if shutil.which("ninja"):
        configure += ["-G", "Ninja"]
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "linkwork-static", "--parallel",
                    str(os.cpu_count() or 1)], check=True)
    return static_library(build)


def choose_library(version, build):
    wish = os.environ.get("LINKWORK_LIBRARY", "auto")
    if wish in ("auto", "installed"):
        library = installed_library(version)
        if library or wish == "installed":
            if library:
                return library
            raise SystemExit(f"linkwork: pkg-config finds no liblinkwork {version}")
    if wish in ("auto", "own"):
        return own_library(build)
    if wish.startswith("shared:"):
        return Library(ROOT / "include", [f"-L{pathlib.Path(wish[7:]) / 'lib'}", "-llinkwork", "-Wl,-s"])
    return static_library(wish)


class BuildNative(build_ext):
    def build_extension(self, extension):
        temporary = pathlib.Path(self.build_temp).resolve()
        library = choose_library(VERSION, temporary / "linkwork")
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        declarations.main(library.include, temporary)
        package.mkdir(parents=True, exist_ok=True)
        shutil.copy(temporary / "_declarations.py", package)
        extension.include_dirs += [str(library.include), str(temporary)]
        extension.extra_compile_args += ["-std=c17", "-O2", "-Wall", "-Wextra", *os.environ.get("LINKWORK_PYTHON_FLAGS", "").split()]
        extension.extra_link_args += [*library.words, *os.environ.get("LINKWORK_PYTHON_FLAGS", "").split()]
        self.force = True  # headers or library may have changed
        super().build_extension(extension)
        self.write_stubs(package)

    def write_stubs(self, package):
        """Writes the type stubs with the package just built, because they list the library's registry."""
        if not (package / "__init__.py").exists() or "-fsanitize" in os.environ.get("LINKWORK_PYTHON_FLAGS", ""):
            self.warn("no type stubs: the package cannot be imported from its build folder")
            return
        subprocess.run([sys.executable, str(HERE / "stubs.py"), str(package)], check=True,
                       env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


VERSION = source_version()
setup(
    version=VERSION,
    ext_modules=[Extension("linkwork._native", ["linkwork/_native.c"], py_limited_api=True)],
    cmdclass={"build_ext": BuildNative},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
    zip_safe=False,
)
