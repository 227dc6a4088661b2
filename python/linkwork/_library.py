# SPDX-License-Identifier: MIT
"""liblinkwork through ctypes: functions, structs and constants as the public headers declare them."""

import ctypes
import errno
import os
import weakref

import numpy as np

from . import _declarations as declared
from . import _native
from ._errors import LinkworkError, diagnostics_of


class _Library:
    """Functions by name; argument types are set at first use. Calls release the GIL."""

    def __init__(self):
        self._handle = ctypes.CDLL(_native.__file__)  # contains the library, or is linked with it

    def __getattr__(self, name):
        if name not in declared.FUNCTIONS:
            raise AttributeError(name)
        function = getattr(self._handle, name)
        function.restype, function.argtypes = declared.FUNCTIONS[name]
        setattr(self, name, function)
        return function


lib = _Library()
constant = declared.CONSTANTS
OK = constant["LW_OK"]

_version = lib.lw_version().decode()
if _version != _native.version:
    raise ImportError(f"linkwork {_native.version} was built for liblinkwork {_native.version}, but {_version} is loaded; "
                      "install the package again")


def text(value):
    """bytes from the library as str; None stays None."""
    return None if value is None else value.decode("utf-8", "replace")


def encode(value):
    """A path or text as bytes for the library; None stays None."""
    if value is None or isinstance(value, bytes):
        return value
    value = os.fspath(value)
    data = value if isinstance(value, bytes) else os.fsencode(value)
    if b"\0" in data:
        raise ValueError("a text for the library must not contain a zero byte")
    return data


def doubles(address, *shape):
    """A copy of numbers owned by the library."""
    count = int(np.prod(shape)) if shape else 1
    if not address or count == 0:
        return np.zeros(shape)
    return np.array((ctypes.c_double * count).from_address(address)).reshape(shape)


def numbers(value, shape, what):
    """value as contiguous doubles of that shape; None in the shape means any size."""
    array = real_array(value, what)
    wanted = len(shape) == array.ndim and all(w is None or w == s for w, s in zip(shape, array.shape))
    if not wanted:
        spelt = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{what} has the shape {array.shape}, expected ({spelt}{',' if len(shape) == 1 else ''})")
    array = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(array).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{what}[{', '.join(map(str, place))}] is {array[place]}, expected finite numbers")
    return array


def real_array(value, what):
    """value as an array of real numbers of any type."""
    if np.ma.is_masked(value):
        raise ValueError(f"{what} has masked entries, expected numbers everywhere: fill or leave them out")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{what} has the type {array.dtype}, expected real numbers")
    return array


def address(array):
    """Address of contiguous doubles. The caller must keep the array alive."""
    return None if array is None else array.ctypes.data


class Findings:
    """The diagnostics of a library call; require() raises them if the call failed."""

    def __init__(self):
        self.pointer = lib.lw_diag_create()
        if not self.pointer:
            raise MemoryError("linkwork: out of memory")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib.lw_diag_destroy(self.pointer)
        self.pointer = None

    def diagnostics(self):
        return diagnostics_of(lib, self.pointer)

    def require(self, status, what=None):
        if status == OK:
            return
        if status == constant["LW_ERROR_MEMORY"]:
            raise MemoryError("linkwork: out of memory")
        if status == constant["LW_ERROR_FILE"]:
            self._missing(what)
        raise LinkworkError(text(lib.lw_status_text(status)), self.diagnostics(), what)

    def _missing(self, what):
        for name in [*(finding.file for finding in self.diagnostics()), what]:
            if name and not os.path.exists(os.fsdecode(name)):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fsdecode(name))


class Owned:
    """A pointer owned by Python and its destroy function, called at close() or when the last reference goes."""

    def __init__(self, pointer, destroy, *kept):
        self.pointer = pointer
        self.process = os.getpid()
        self.kept = kept  # objects that must live as long
        self._finalizer = weakref.finalize(self, destroy, pointer)
        self._finalizer.atexit = False  # threads may still use it; the system frees the memory at exit

    def close(self):
        self._finalizer()
        self.pointer, self.kept = None, ()


def make(function, destroy, *arguments, kept=(), what=None, diag=True):
    """Calls f(arguments.., diag, &made) and returns the result as Owned, and its diagnostics."""
    made = ctypes.c_void_p()
    with Findings() as findings:
        ends = (findings.pointer, ctypes.byref(made)) if diag else (ctypes.byref(made),)
        findings.require(function(*arguments, *ends), what)
        return Owned(made.value, destroy, *kept), findings.diagnostics()


class Closable:
    """An object that owns a library object."""

    _owned = None

    def close(self):
        """Frees the library's memory of this object. Using it afterwards is an error; closing it again is allowed."""
        owned, self._owned = self._owned, None
        if owned is not None:
            owned.close()

    @property
    def closed(self):
        """True after close()."""
        return self._owned is None

    def _pointer(self):
        owned = self._owned
        if owned is None:
            raise LinkworkError(f"this {type(self).__name__} is closed")
        return owned.pointer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
