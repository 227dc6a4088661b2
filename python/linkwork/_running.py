# SPDX-License-Identifier: MIT
"""Long calls of the library: callbacks into Python, and interruption by Ctrl-C."""

import ctypes
import threading
import warnings

import numpy as np

from ._errors import LinkworkError


class NumericalError(LinkworkError, ArithmeticError):
    """A run failed: the state became not finite, or the step too small. `run` holds the records up to there."""

    run = None


class NamedArray(np.ndarray):
    """An array whose last axis has names: run.q["elbow"] is a column. Otherwise an ordinary array."""

    def __new__(cls, values, names):
        array = np.asarray(values).view(cls)
        array.names = list(names)
        return array

    def __array_finalize__(self, other):
        self.names = getattr(other, "names", None)

    def __getitem__(self, key):
        if isinstance(key, str):
            if self.names is None or key not in self.names or self.shape[-1:] != (len(self.names),):
                raise KeyError(f"no column '{key}'; there are: {', '.join(self.names or [])}")
            return np.asarray(self)[..., self.names.index(key)]
        found = np.asarray(self)[key]
        return found


class Columns:
    """What has columns(): as a structured array, and as a data frame."""

    def to_array(self):
        """A NumPy structured array, one row per record: run.to_array()["q.elbow"]."""
        columns = self.columns()
        table = np.empty(len(self), dtype=[(name, np.asarray(column).dtype) for name, column in columns.items()])
        for name, column in columns.items():
            table[name] = column
        return table

    def to_dataframe(self):
        """A pandas DataFrame of the columns."""
        import pandas
        return pandas.DataFrame(self.columns())


def record_times(duration, record):
    """Times of records, s: k record, each one product, and the duration itself as the last."""
    count = int(np.ceil(duration / record - 1e-9))
    return np.append(record * np.arange(count), float(duration))


class Bridge:
    """Lets the library call Python. The first exception ends the run and is re-raised after it."""

    def __init__(self):
        self.stop = ctypes.c_int(0)
        self.error = None

    def guard(self, function):
        """Wraps function so that it never raises: its exception is kept, and the library is told to stop."""
        def guarded(*arguments):
            try:
                if self.error is None:
                    function(*arguments)
            except BaseException as error:  # KeyboardInterrupt too
                self.error = self.error or error
                self.stop.value = 1
        return guarded

    def reraise(self):
        error, self.error = self.error, None
        if error is not None:
            raise error

    def run(self, work):
        """Calls work(), which ends soon after `stop` is set.

        Python raises KeyboardInterrupt on the main thread only, and not while the library runs. So the main thread waits
        where it can be interrupted, and work(), with its callables, runs on a second thread. Called from another thread,
        work() stays on that thread.
        """
        if threading.current_thread() is threading.main_thread():
            result = self._beside(work)
        else:
            result = work()
        self.reraise()
        return result

    def _beside(self, work):
        done, lock, outcome, state = threading.Event(), threading.Lock(), {}, {}

        def body():
            with lock:
                if "cancelled" in state:
                    return
                state["begun"] = True
            try:
                outcome["result"] = work()
            except BaseException as error:
                outcome["error"] = error
            finally:
                done.set()

        try:
            threading.Thread(target=body, name="linkwork", daemon=True).start()
            done.wait()
        except BaseException:
            self.stop.value = 1
            with lock:
                state["cancelled"] = True
            while "begun" in state and not done.is_set():
                try:
                    done.wait()
                except KeyboardInterrupt:  # Ctrl-C again while the run ends
                    continue
            raise
        if "error" in outcome:
            raise outcome["error"]
        return outcome["result"]


def view(address, count):
    """Numbers owned by the library, not copied: valid during the call only."""
    return np.frombuffer((ctypes.c_double * count).from_address(address), np.float64) if count else np.empty(0)


def fill(target, value, what):
    """Writes the result of a Python callable into the library's memory."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} must return {target.size} real numbers: {error}") from None
    if array.shape != target.shape:
        raise ValueError(f"{what} returned the shape {array.shape}, expected {target.shape}")
    target[...] = array


def distrust(audit):
    """Warns if S says that a run is not to be trusted."""
    if not audit["trusted"]:
        warnings.warn(f"S moved by {audit['worst_S']:.3g} J, beyond its bound of {audit['bound']:.3g} J: the run is not to be "
                      "trusted; take shorter steps, a smaller tolerance or another integrator", RuntimeWarning, stacklevel=4)
