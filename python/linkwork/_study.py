# SPDX-License-Identifier: MIT
"""Studies: robots and tasks with uncertain numbers, computed and read as arrays."""

import ctypes
import os

import numpy as np

from ._errors import LinkworkError
from ._library import Closable, Findings, constant, declared, encode, lib, make, text
from ._running import Bridge, Columns, NamedArray

STATES = [text(lib.lw_sample_word(i)) for i in range(constant["LW_SAMPLE_STATE_COUNT"])]
CHUNK = 64  # samples between looks at Ctrl-C


class StudyResult(Columns):
    """Samples of a study as arrays.

    sample      (m,) numbers of the samples
    parameters  (m, parameters); result.parameters["load"] is a column
    measures    (m, measures), nan where there is none; result.measures["time"]
    state       list of 'done', 'impossible' or 'failed'; why: the reasons
    passed      (m,) bool: every criterion is met
    """

    def __init__(self, parameter_names, measure_names, rows):
        self.sample = np.array([row[0] for row in rows], dtype=np.int64)
        self.state, self.why = [row[1] for row in rows], [row[3] for row in rows]
        self.passed = np.array([row[2] for row in rows], dtype=bool)
        values = np.array([row[4] for row in rows]).reshape(len(rows), len(parameter_names) + len(measure_names))
        self.parameters = NamedArray(values[:, :len(parameter_names)], parameter_names)
        self.measures = NamedArray(values[:, len(parameter_names):], measure_names)

    def __len__(self):
        return len(self.sample)

    def columns(self):
        """{name: column}: sample, parameters, measures, passed."""
        return {"sample": self.sample, **{name: self.parameters[name] for name in self.parameters.names},
                **{name: self.measures[name] for name in self.measures.names}, "passed": self.passed}

    def to_dataframe(self):
        """A pandas DataFrame with sample, parameters, measures, passed, state and why."""
        import pandas
        return pandas.DataFrame({**self.columns(), "state": self.state, "why": self.why})

    def __repr__(self):
        return (f"<linkwork.StudyResult: {len(self)} samples, {self.parameters.shape[1]} parameters, "
                f"{self.measures.shape[1]} measures, {int(self.passed.sum())} passed>")


class Study(Closable):
    """A study file: names of parameters and measures, and samples, how many there are. linkwork.study() reads one."""

    def __init__(self, owned, diagnostics, name):
        self._owned, self.diagnostics, self.name = owned, diagnostics, name
        pointer = owned.pointer
        self.parameters = [text(lib.lw_study_parameter(pointer, i)) for i in range(lib.lw_study_parameter_count(pointer))]
        self.measures = [text(lib.lw_study_measure_name(pointer, i)) for i in range(lib.lw_study_measure_count(pointer))]

    @property
    def samples(self):
        """How many samples there are in all."""
        return lib.lw_study_samples(self._pointer())

    @property
    def command(self):
        """The program that the study starts, or None."""
        return text(lib.lw_study_command(self._pointer()))

    def draw(self, k):
        """The parameters of sample k; -1: the nominal ones."""
        if not -1 <= k < self.samples:
            raise ValueError(f"k is {k}, expected -1 to {self.samples - 1}")
        out = np.empty(len(self.parameters))
        lib.lw_study_draw(self._pointer(), int(k), out.ctypes.data)
        return NamedArray(out, self.parameters)

    def run(self, database=None, *, resume=False, threads=0):
        """Computes the samples and returns them as a StudyResult. With a database (SQLite), they are stored in it as by `linkwork
        study`, which can report on it; with resume, an existing one is continued. Ctrl-C ends the run; what is stored stays."""
        if database is not None:
            self._run_into(os.fspath(database), resume, threads)
        return self.compute(0, self.samples)

    def compute(self, first, count):
        """Samples first .. first + count - 1 as a StudyResult, on this thread."""
        if not 0 <= first <= first + count <= self.samples:
            raise ValueError(f"samples {first} to {first + count - 1}: there are 0 to {self.samples - 1}")
        bridge = Bridge()
        worker, _ = make(lambda diag, made: lib.lw_study_worker_create(self._pointer(), ctypes.byref(bridge.stop), diag, made),
                         lib.lw_study_worker_destroy, kept=(self._owned, bridge))
        rows = bridge.run(lambda: self._rows(worker.pointer, int(first), int(count), bridge))
        worker.close()
        return StudyResult(self.parameters, self.measures, rows)

    def _rows(self, worker, first, count, bridge):
        size, width = lib.lw_study_row_bytes(self._pointer()), len(self.parameters) + len(self.measures)
        block, rows = ctypes.create_string_buffer(size * CHUNK), []
        for begin in range(first, first + count, CHUNK):
            chunk = min(CHUNK, first + count - begin)
            if bridge.stop.value:
                break
            if lib.lw_study_work(worker, begin, chunk, block) != 0:
                raise MemoryError("linkwork: out of memory")
            base = ctypes.addressof(block)
            rows += [_row(base + i * size, width) for i in range(chunk)]
        return rows

    def _run_into(self, path, resume, threads):
        if not lib.lw_results_possible():
            raise LinkworkError("this library was built without SQLite, so there are no databases")
        bridge = Bridge()
        results, _ = make(lib.lw_results_open, lib.lw_results_close, self._pointer(), encode(path), bool(resume), what=path)
        try:
            with Findings() as findings:
                status = bridge.run(lambda: lib.lw_study_run(self._pointer(), results.pointer, int(threads),
                                                             ctypes.byref(bridge.stop), declared.lwStudyTell(), None,
                                                             findings.pointer))
                findings.require(status, path)
        finally:
            results.close()

    def __repr__(self):
        return "<linkwork.Study, closed>" if self.closed else f"<linkwork.Study '{self.name}': {self.samples} samples>"


def _row(address, width):
    row = declared.lwStudyRow.from_address(address)
    numbers = lib.lw_study_row_numbers(ctypes.byref(row))
    values = list((ctypes.c_double * width).from_address(numbers)) if width else []
    return row.sample, STATES[row.state], bool(getattr(row, "pass")), text(row.why), values


def study(what, *, points=None, allow_commands=False):
    """Reads a study file, or the text of one (with a line break), whose paths are then relative to the current folder.

    points          number of points; None: that of the file
    allow_commands  the study may start the program that it names: only for studies that you trust
    """
    if isinstance(what, str) and "\n" in what:
        words = what.encode()
        owned, findings = make(lib.lw_study_read_text, lib.lw_study_destroy, b"study", words, len(words))
        name = "study"
    else:
        owned, findings = make(lib.lw_study_read_file, lib.lw_study_destroy, encode(what), what=os.fspath(what))
        name = os.path.basename(os.fsdecode(os.fspath(what)))
    if points is not None:
        with Findings() as report:
            report.require(lib.lw_study_set_samples(owned.pointer, int(points), report.pointer))
    if allow_commands:
        lib.lw_study_allow_commands(owned.pointer, encode(_program()))
    return Study(owned, findings, name)


def _program():
    from ._program import find
    return find(required=False)


def merge(path, databases):
    """Puts the rows of several databases of one study into a new one."""
    names = [encode(name) for name in databases]
    listed = (ctypes.c_char_p * max(1, len(names)))(*names)
    bridge = Bridge()
    with Findings() as findings:
        status = bridge.run(lambda: lib.lw_results_merge(encode(path), len(names), listed, ctypes.byref(bridge.stop),
                                                         findings.pointer))
        findings.require(status, os.fspath(path))
