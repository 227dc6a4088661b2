# SPDX-License-Identifier: MIT
"""Builds the package: finds an installed liblinkwork of the same version, or builds its own.

LINKWORK_LIBRARY selects it:
    auto       (default) the library that pkg-config finds if its version is that of this source, else 'own'
    installed  the library that pkg-config finds, or an error
    own        build the C sources beside this folder with CMake; the library and the program are put into the package
    FOLDER     a build folder of CMake with lib/liblinkwork.so, such as build/release; its library is put into the package
    shared:FOLDER  the same without the library, for packages: nothing says where it will be found
LINKWORK_LICENSES names a folder with the licences of libraries that are linked statically, for the package.
LINKWORK_CMAKE has further words for CMake with 'own', and LINKWORK_PYTHON_FLAGS for the compiler of the C module.

A source distribution has the C sources in the folder `library`. A wheel gets the platform tag that platform_tag.py computes.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "library" if (HERE / "library").exists() else HERE.parent
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
sys.path.insert(0, str(HERE))
import declarations  # noqa: E402
import platform_tag  # noqa: E402

# What CMake reads to build the library and the program, without tests, besides the folders that CMakeLists.txt adds
SOURCES = ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "cmake",
           "docs/Doxyfile", "include", "parts", "robots", "scenarios", "studies", "tools/manual", "web/wasm", "web/dist/page.html")
NOT_BUILT = {"fuzz", "tests", "web/npm"}
LEFT_OUT = re.compile(r"(^|/)(\.[^/]*|__pycache__|results|.*\.(py|png|svg|pyc|o))$")
DATA = ("robots", "parts", "scenarios", "studies", "examples/cycles")  # as cmake/install.cmake installs them


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
    """Where the headers are, what to link with, and files for the package: {path in it: source}."""

    def __init__(self, include, words, files=()):
        self.include, self.words, self.files = pathlib.Path(include), words, dict(files)


def shared_library(folder, program=None):
    """The shared library of a build folder, which is copied into the package, as `lib/linkwork` in an installation."""
    found = next((path for path in (pathlib.Path(folder) / f"liblinkwork{ending}" for ending in (".so", ".dylib")) if path.exists()), None)
    if found is None:
        raise SystemExit(f"linkwork: no liblinkwork.so in {folder}")
    soname = found if not found.is_symlink() else found.with_name(os.readlink(found))
    files = {f"lib/linkwork/{soname.name}": found.resolve()}
    if program:
        files["bin/linkwork"] = pathlib.Path(program)
    files.update({f"share/linkwork/{path}": ROOT / path for folder in DATA for path in listed(folder)
                  if path.endswith((".yaml", ".urdf", ".stl", ".csv"))})
    if "LINKWORK_LICENSES" in os.environ:
        files.update({f"share/licenses/{path.name}": path for path in sorted(pathlib.Path(os.environ["LINKWORK_LICENSES"]).iterdir())})
    return Library(ROOT / "include", [f"-L{folder}", "-llinkwork", f"-Wl,-rpath,{ORIGIN}/lib/linkwork"], files)


def listed(folder):
    """The files of a folder of the source, or that file, as paths from ROOT."""
    top = ROOT / folder
    files = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.is_file()) if top.is_dir() else []
    names = [path.relative_to(ROOT).as_posix() for path in files]
    return [name for name in names if not any(LEFT_OUT.search(part) for part in name.split("/"))]


def installed_library(version):
    found = pkg_config("--modversion", "linkwork")
    if not found or found[0] != version:
        return None
    folders = [word[2:] for word in pkg_config("--libs-only-L", "--keep-system-libs", "linkwork") or []]
    include = pkg_config("--variable=includedir", "linkwork")[0]
    return Library(include, [*(f"-L{folder}" for folder in folders), *(f"-Wl,-rpath,{folder}" for folder in folders),
                             "-llinkwork"])


def own_library():
    """Compiles the library, and the program linked to it; where objects are not ELF, the program contains the library."""
    if not (ROOT / "CMakeLists.txt").exists():
        raise SystemExit("linkwork: the C sources are not beside this folder; install liblinkwork first")
    shared = sys.platform != "darwin"
    build, rpath = ROOT / "build/pip", f"{ORIGIN}/../lib/linkwork"
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DLINKWORK_TESTS=OFF",
                 f"-DLINKWORK_SHARED_PROGRAMS={'ON' if shared else 'OFF'}", "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
                 f"-DCMAKE_INSTALL_RPATH={rpath}", "-DCMAKE_INSTALL_LIBDIR=lib", *os.environ.get("LINKWORK_CMAKE", "").split()]
    if not shutil.which("make"):
        configure += ["-G", "Ninja"]
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "linkwork_testing" if shared else "linkwork", "--target",
                    "linkwork_program", "--parallel", str(os.cpu_count() or 1)], check=True)
    return shared_library(build / "lib", build / "bin/linkwork")


def choose_library(version):
    wish = os.environ.get("LINKWORK_LIBRARY", "auto")
    if wish in ("auto", "installed"):
        library = installed_library(version)
        if library or wish == "installed":
            if library:
                return library
            raise SystemExit(f"linkwork: pkg-config finds no liblinkwork {version}")
    if wish in ("auto", "own"):
        return own_library()
    if wish.startswith("shared:"):
        return Library(ROOT / "include", [f"-L{pathlib.Path(wish[7:]) / 'lib'}", "-llinkwork", "-Wl,-s"])
    return shared_library(pathlib.Path(wish).resolve() / "lib")


class BuildNative(build_ext):
    def build_extension(self, extension):
        temporary = pathlib.Path(self.build_temp).resolve()
        library = choose_library(VERSION)
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        declarations.main(library.include, temporary)
        package.mkdir(parents=True, exist_ok=True)
        shutil.copy(temporary / "_declarations.py", package)
        for folder in ("bin", "lib", "share"):
            shutil.rmtree(package / folder, ignore_errors=True)
        for name, source in library.files.items():
            (package / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, package / name)
            if name.startswith(("bin/", "lib/")) and "-fsanitize" not in os.environ.get("LINKWORK_PYTHON_FLAGS", ""):
                subprocess.run(["strip", "-x" if sys.platform == "darwin" else "--strip-unneeded", str(package / name)], check=True)
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


class Sources(sdist):
    """The package and, in `library`, all that CMake needs to build the library and the program."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        added = set(re.findall(r"^ *add_subdirectory\((\S+)\)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)) - NOT_BUILT
        for folder in (*SOURCES, *sorted(added)):
            for name in listed(folder):
                place = pathlib.Path(base_dir, "library", name)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, place)
        shutil.copy(ROOT / "LICENSE", base_dir)


class Wheel(bdist_wheel):
    """Its tag is computed from what the built files need."""

    def get_tag(self):
        implementation, abi, platform = super().get_tag()
        built = pathlib.Path(self.get_finalized_command("build_ext").build_lib) / "linkwork"
        if sys.platform == "linux" and built.exists():
            platform, why = platform_tag.judge(platform_tag.read([built]))
            print(f"linkwork: {platform}: {why}")
        return implementation, abi, platform


VERSION = source_version()
setup(
    version=VERSION,
    ext_modules=[Extension("linkwork._native", ["linkwork/_native.c"], py_limited_api=True)],
    scripts=["scripts/linkwork"],
    cmdclass={"build_ext": BuildNative, "sdist": Sources, "bdist_wheel": Wheel},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
    zip_safe=False,
)
