// SPDX-License-Identifier: MIT
// Passes NumPy arrays to lw_answer() and lw_batch_answer(): the part of the package where
// microseconds count. Everything else goes through ctypes.
//
// Uses CPython's stable ABI of 3.9 and reads arrays through __array_struct__, the C side of NumPy's
// array interface. So one binary works with every later Python and every NumPy, and NumPy's headers
// are not needed.
//
// A Solver is a model with methods, a precision and a frame. It keeps a pool of idle batches; a
// call takes or makes one and returns it, so that any number of threads can share a Solver. The GIL
// is released while the library computes.
#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "_layout.h"  // all public headers, and asserts that ctypes has their struct layouts

enum
{
  INPUTS       = 5,   // q, qd, qdd, tau, wrench, in the order of lwStates
  QUATERNION   = 4,   // entries x y z w
  MAX_AXES     = 32,  // of an array, as in NumPy
  METHOD_NAMES = 3,
  MANY = 1024,  // states from which threads pay off: fewer are done before the threads wake up
};

// Content of __array_struct__: PyArrayInterface in NumPy's documentation of the array interface.
typedef struct Interface
{
  int two;  // always 2, for checking
  int nd;
  char typekind;  // 'f'
  int itemsize;
  int flags;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  void* data;
  PyObject* descr;
} Interface;

enum
{
  C_CONTIGUOUS = 0x1,
  ALIGNED      = 0x100,
  NOT_SWAPPED  = 0x200,
  WRITEABLE    = 0x400,
  PLAIN        = C_CONTIGUOUS | ALIGNED | NOT_SWAPPED
};

static PyObject *array_struct, *ndarray, *numpy_empty, *single_type, *native_error, *not_finite;
static PyTypeObject* solver_type;

// A contiguous array of doubles, or of floats.
typedef struct Array
{
  double* data;   // NULL: not given
  float* single;  // in its place
  int axes;
  Py_ssize_t shape[MAX_AXES];
  Py_ssize_t size;  // entries
} Array;

typedef enum Taken
{
  TAKEN,
  NOT_TAKEN,  // not contiguous doubles: the caller must convert it
  FAILED      // a Python exception is set
} Taken;

static Taken take_array(PyObject* object, int flags, int itemsize, Array* array)
{
  array->data   = NULL;
  array->single = NULL;
  if (object == Py_None) return TAKEN;
  if ((PyObject*)Py_TYPE(object) != ndarray) return NOT_TAKEN;
  PyObject* capsule = PyObject_GetAttr(object, array_struct);
  if (!capsule) return FAILED;
  const Interface* face = PyCapsule_GetPointer(capsule, NULL);
  Taken taken           = face ? NOT_TAKEN : FAILED;
  if (face && face->two == 2 && face->typekind == 'f' && face->itemsize == itemsize &&
      (face->flags & flags) == flags && face->nd >= 1 && face->nd <= MAX_AXES)
  {
    taken       = TAKEN;
    array->axes = face->nd;
    if (itemsize == sizeof(double))
      array->data = face->data;
    else
      array->single = face->data;
    array->size = 1;
    memcpy(array->shape, face->shape, (size_t)face->nd * sizeof *face->shape);
    for (int i = 0; i < face->nd; ++i) array->size *= face->shape[i];
  }
  Py_DECREF(capsule);
  return taken;
}

// --- solvers

// An idle batch.
typedef struct Spare
{
  struct Spare* next;
  lwBatch* batch;
  pid_t process;  // threads do not survive a fork
} Spare;

typedef struct Solver
{
  PyObject_HEAD;
  PyObject* owner;  // keeps the model alive
  const lwModel* model;
  lwWorkspaceDef def;
  char names[METHOD_NAMES][64];  // of methods, referenced by def
  bool framed;
  lwFrame frame;
  int place_count;  // of wrenches
  lwWrenchPlace* places;
  int threads;  // for large batches; 0: all
  Py_ssize_t widths[INPUTS];
  Py_ssize_t outputs[LW_QUESTION_COUNT];
  PyObject* shapes[LW_QUESTION_COUNT];  // tuples, of one answer
  int quaternion_count;
  int* quaternions;  // where they begin in q
  Spare* spare[2];   // for one thread, and for several
} Solver;

static void destroy_spare(Spare* spare)
{
  // A batch made before a fork has no threads in this process to join; its memory is freed at exit.
  if (spare->process == getpid() || lw_batch_threads(spare->batch) == 1)
    lw_batch_destroy(spare->batch);
  PyMem_Free(spare);
}

static void raise_status(lwStatus status, const lwDiag* diag)
{
  const char* text = lw_status_text(status);
  if (diag && lw_diag_size(diag) > 0) text = lw_diag_message(diag, 0)->text;
  PyErr_Format(native_error, "%s", text);
}

static lwStatus set_frames(Solver* solver, lwBatch* batch, lwDiag* diag)
{
  lwStatus status = LW_OK;
  for (int i = 0; solver->framed && i < lw_batch_threads(batch) && status == LW_OK; ++i)
    status =
        lw_workspace_set_frame(lw_batch_workspace(batch, i), solver->model, &solver->frame, diag);
  for (int i = 0; solver->places && i < lw_batch_threads(batch) && status == LW_OK; ++i)
    status = lw_workspace_set_wrench_places(lw_batch_workspace(batch, i), solver->model,
                                            solver->place_count, solver->places, diag);
  return status;
}

static Spare* make_spare(Solver* solver, int many)
{
  Spare* spare = PyMem_Malloc(sizeof *spare);
  lwDiag* diag = lw_diag_create();
  if (!spare || !diag)
  {
    PyMem_Free(spare);
    lw_diag_destroy(diag);
    return (Spare*)PyErr_NoMemory();
  }
  *spare = (Spare){.process = getpid()};
  lwStatus status =
      lw_batch_create(solver->model, &solver->def, many ? solver->threads : 1, diag, &spare->batch);
  if (status == LW_OK) status = set_frames(solver, spare->batch, diag);
  if (status != LW_OK)
  {
    raise_status(status, diag);
    lw_batch_destroy(spare->batch);
    PyMem_Free(spare);
    spare = NULL;
  }
  lw_diag_destroy(diag);
  return spare;
}

static Spare* take_spare(Solver* solver, int many)
{
  while (solver->spare[many])
  {
    Spare* spare        = solver->spare[many];
    solver->spare[many] = spare->next;
    if (!many || spare->process == getpid()) return spare;
    destroy_spare(spare);
  }
  return make_spare(solver, many);
}

static void give_back(Solver* solver, int many, Spare* spare)
{
  spare->next         = solver->spare[many];
  solver->spare[many] = spare;
}

static void solver_dealloc(PyObject* self)
{
  Solver* solver     = (Solver*)self;
  PyTypeObject* type = Py_TYPE(self);
  for (int many = 0; many < 2; ++many)
    while (solver->spare[many])
    {
      Spare* spare        = solver->spare[many];
      solver->spare[many] = spare->next;
      destroy_spare(spare);
    }
  for (int i = 0; i < LW_QUESTION_COUNT; ++i) Py_XDECREF(solver->shapes[i]);
  PyMem_Free(solver->quaternions);
  PyMem_Free(solver->places);
  Py_XDECREF(solver->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static bool copy_name(char to[64], const char* name)
{
  if (strlen(name) < 64)
  {
    strcpy(to, name);
    return true;
  }
  PyErr_Format(native_error, "no method has the name '%s'", name);
  return false;
}

static bool take_shapes(Solver* solver, PyObject* shapes)
{
  for (int i = 0; i < LW_QUESTION_COUNT; ++i)
  {
    PyObject* shape = PySequence_GetItem(shapes, i);
    if (!shape) return false;
    solver->shapes[i]  = shape;
    solver->outputs[i] = (Py_ssize_t)lw_question_outputs(solver->model, (lwQuestion)i);
  }
  return true;
}

static bool take_quaternions(Solver* solver, PyObject* places)
{
  Py_ssize_t count    = PyTuple_Size(places);
  solver->quaternions = PyMem_Malloc((size_t)(count + 1) * sizeof *solver->quaternions);
  if (count < 0 || !solver->quaternions) return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    solver->quaternions[i] = (int)PyLong_AsLong(PyTuple_GetItem(places, i));
  solver->quaternion_count = (int)count;
  return !PyErr_Occurred();
}

// The places of wrenches from the bytes of an array of lwWrenchPlace; None: the last link.
static bool take_places(Solver* solver, PyObject* places)
{
  char* bytes;
  Py_ssize_t size;
  if (places == Py_None) return true;
  if (PyBytes_AsStringAndSize(places, &bytes, &size) != 0) return false;
  solver->places = PyMem_Malloc((size_t)size + 1);
  if (!solver->places) return PyErr_NoMemory() != NULL;
  memcpy(solver->places, bytes, (size_t)size);
  solver->place_count = (int)((size_t)size / sizeof *solver->places);
  solver->widths[INPUTS - 1] *= solver->place_count;
  return true;
}

// Solver(model, owner, nq, shapes, (inverse, inertia, forward),
//        single, rotors, refine, frame, threads, quaternions, places)
static PyObject* solver_new(PyTypeObject* type, PyObject* args, PyObject* kwargs)
{
  (void)kwargs;
  unsigned long long model;
  PyObject *owner, *shapes, *frame, *quaternions, *places;
  const char* names[METHOD_NAMES];
  int nq, single, refine, rotors, threads;
  if (!PyArg_ParseTuple(args, "KOiO(sss)ppiOiOO", &model, &owner, &nq, &shapes, &names[0],
                        &names[1], &names[2], &single, &rotors, &refine, &frame, &threads,
                        &quaternions, &places))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  Solver* solver     = (Solver*)allocate(type, 0);
  if (!solver) return NULL;
  Py_INCREF(owner);
  solver->owner = owner;
  solver->model = (const lwModel*)(uintptr_t)model;
  solver->def   = lw_workspace_def();
  // Robot refuses questions about robots with loops unless open_tree is given
  solver->def.open_tree = true;
  bool sound            = true;
  for (int i = 0; i < METHOD_NAMES && sound; ++i) sound = copy_name(solver->names[i], names[i]);
  solver->def.inverse   = solver->names[0];
  solver->def.inertia   = solver->names[1];
  solver->def.forward   = solver->names[2];
  solver->def.precision = single ? LW_PRECISION_SINGLE : LW_PRECISION_DOUBLE;
  solver->def.rotors    = rotors;
  solver->def.refine    = refine;
  solver->threads       = threads;
  int dof               = lw_model_dof(solver->model);
  Py_ssize_t widths[]   = {nq, dof, dof, dof, 6};
  memcpy(solver->widths, widths, sizeof widths);
  double* x = solver->frame.xyz;
  double* r = solver->frame.rpy;
  if (sound && frame != Py_None)
  {
    solver->framed = true;
    sound = PyArg_ParseTuple(frame, "idddddd", &solver->frame.joint, &x[0], &x[1], &x[2], &r[0],
                             &r[1], &r[2]);
  }
  if (sound)
    sound = take_shapes(solver, shapes) && take_quaternions(solver, quaternions) &&
            take_places(solver, places);
  Spare* first = sound ? make_spare(solver, 0) : NULL;  // reports errors in the methods
  if (!first)
  {
    Py_DECREF(solver);
    return NULL;
  }
  give_back(solver, 0, first);
  return (PyObject*)solver;
}

// --- answers

// A call: the arrays, their common leading axes, and the number of states.
typedef struct Call
{
  int question;
  Array inputs[INPUTS];
  Array out;
  int axes;  // leading ones
  const Py_ssize_t* shape;
  Py_ssize_t count;
} Call;

// All arrays must have the same leading axes; Python handles broadcasting.
static bool same_states(const Solver* solver, Call* call)
{
  bool first  = true;
  call->count = 1;
  for (int i = 0; i < INPUTS; ++i)
  {
    const Array* array = &call->inputs[i];
    if (array->axes == 0) continue;
    if (array->shape[array->axes - 1] != solver->widths[i]) return false;
    if (first)
    {
      call->axes  = array->axes - 1;
      call->shape = array->shape;
      for (int k = 0; k < call->axes; ++k) call->count *= array->shape[k];
      first = false;
    }
    else if (array->axes - 1 != call->axes ||
             memcmp(array->shape, call->shape, (size_t)call->axes * sizeof *call->shape) != 0)
      return false;
  }
  return true;
}

static bool overlaps(const Array* a, const Array* b)
{
  return a->data && a->data < b->data + b->size && b->data < a->data + a->size;
}

// out must have the shape of the answers and must not overlap the inputs.
static bool out_fits(const Solver* solver, const Call* call)
{
  PyObject* answer = solver->shapes[call->question];
  int axes         = (int)PyTuple_Size(answer);
  if (call->out.axes != call->axes + axes) return false;
  if (memcmp(call->out.shape, call->shape, (size_t)call->axes * sizeof *call->shape) != 0)
    return false;
  for (int i = 0; i < axes; ++i)
    if (PyLong_AsSsize_t(PyTuple_GetItem(answer, i)) != call->out.shape[call->axes + i])
      return false;
  for (int i = 0; i < INPUTS; ++i)
    if (overlaps(&call->inputs[i], &call->out)) return false;
  return true;
}

static PyObject* out_shape(const Solver* solver, const Call* call)
{
  PyObject* answer = solver->shapes[call->question];
  if (call->axes == 0)
  {
    Py_INCREF(answer);
    return answer;
  }
  Py_ssize_t axes = PyTuple_Size(answer);
  PyObject* shape = PyTuple_New(call->axes + axes);
  for (Py_ssize_t i = 0; shape && i < call->axes + axes; ++i)
  {
    PyObject* size;
    if (i < call->axes)
      size = PyLong_FromSsize_t(call->shape[i]);
    else
    {
      size = PyTuple_GetItem(answer, i - call->axes);
      Py_INCREF(size);
    }
    if (!size || PyTuple_SetItem(shape, i, size) != 0) Py_CLEAR(shape);
  }
  return shape;
}

static PyObject* make_out(const Solver* solver, Call* call)
{
  PyObject* shape = out_shape(solver, call);
  if (!shape) return NULL;
  PyObject* out = PyObject_CallFunctionObjArgs(numpy_empty, shape, NULL);
  Py_DECREF(shape);
  if (!out) return NULL;
  if (take_array(out, PLAIN | WRITEABLE, sizeof(double), &call->out) == TAKEN) return out;
  Py_DECREF(out);
  if (!PyErr_Occurred()) PyErr_SetString(native_error, "numpy.empty() gave no array of doubles");
  return NULL;
}

static bool all_finite(const double* numbers, Py_ssize_t count)
{
  int bad = 0;
  for (Py_ssize_t i = 0; i < count; ++i) bad |= !(numbers[i] - numbers[i] == 0);
  return !bad;
}

static const double* shifted(const Solver* solver, const Call* call, int i, Py_ssize_t first)
{
  const double* data = call->inputs[i].data;
  return data ? data + first * solver->widths[i] : NULL;
}

// Answers all states without holding the GIL; returns the first whose answer is not finite, or -1.
static Py_ssize_t compute(const Solver* solver, const Call* call, lwBatch* batch)
{
  Py_ssize_t outputs = solver->outputs[call->question];
  lwQuestion asked   = (lwQuestion)call->question;
  for (Py_ssize_t first = 0; first < call->count;)
  {
    Py_ssize_t left = call->count - first;
    int count       = left > INT_MAX / 2 ? INT_MAX / 2 : (int)left;
    double* out     = call->out.data + first * outputs;
    lwStates states = {shifted(solver, call, 0, first), shifted(solver, call, 1, first),
                       shifted(solver, call, 2, first), shifted(solver, call, 3, first),
                       shifted(solver, call, 4, first)};
    int bad         = -1;
    if (call->count == 1)
    {
      lw_answer(solver->model, lw_batch_workspace(batch, 0), asked, &states, out);
      if (!all_finite(out, outputs)) bad = 0;
    }
    else
      bad = lw_batch_answer_checked(batch, asked, count, &states, out);
    if (bad >= 0) return first + bad;
    first += count;
  }
  return -1;
}

// Finds the first input entry of that state that is not finite. False: all are finite.
static bool find_cause(const Solver* solver, const Call* call, Py_ssize_t state, int* input,
                       Py_ssize_t* entry)
{
  for (int i = 0; i < INPUTS; ++i)
  {
    const double* row = shifted(solver, call, i, state);
    for (Py_ssize_t k = 0; row && k < solver->widths[i]; ++k)
    {
      if (row[k] - row[k] == 0) continue;
      *input = i;
      *entry = k;
      return true;
    }
  }
  return false;
}

static bool raise_not_finite(const Solver* solver, const Call* call, Py_ssize_t state)
{
  int input;
  Py_ssize_t entry;
  for (Py_ssize_t k = state; k < call->count; ++k)
  {
    if (!find_cause(solver, call, k, &input, &entry)) continue;
    PyObject* value = Py_BuildValue("inn", input, k, entry);
    if (value) PyErr_SetObject(not_finite, value);
    Py_XDECREF(value);
    return true;
  }
  return false;  // finite but too large: the answer overflowed
}

// Whether all quaternions have the length 1, to within 1e-6; Python says which one has not.
static bool quaternions_are_unit(const Solver* solver, const Call* call)
{
  const double* q = call->inputs[0].data;
  for (Py_ssize_t k = 0; q && k < call->count && solver->quaternion_count; ++k)
    for (int i = 0; i < solver->quaternion_count; ++i)
    {
      const double* x = q + k * solver->widths[0] + solver->quaternions[i];
      double square   = 0;
      for (int j = 0; j < QUATERNION; ++j) square += x[j] * x[j];
      if (!(square > 1 - 2.000001e-6 && square < 1 + 2.000002e-6)) return false;
    }
  return true;
}

static bool answer(Solver* solver, Call* call, bool checked)
{
  if (call->count == 0) return true;
  int many     = call->count >= MANY && solver->threads != 1;
  Spare* spare = take_spare(solver, many);
  if (!spare) return false;
  Py_ssize_t bad;
  Py_BEGIN_ALLOW_THREADS bad = compute(solver, call, spare->batch);
  Py_END_ALLOW_THREADS give_back(solver, many, spare);
  return bad < 0 || !checked || !raise_not_finite(solver, call, bad);
}

// Floats become doubles in memory of their own; the caller frees *memory.
static bool widen_inputs(Call* call, double** memory)
{
  size_t size = 1, at = 0;
  for (int i = 0; i < INPUTS; ++i) size += call->inputs[i].axes ? (size_t)call->inputs[i].size : 0;
  *memory = PyMem_Malloc(size * sizeof **memory);
  if (!*memory) return PyErr_NoMemory() != NULL;
  for (int i = 0; i < INPUTS; ++i)
  {
    Array* array = &call->inputs[i];
    if (array->axes == 0) continue;
    array->data = *memory + at;
    for (Py_ssize_t k = 0; k < array->size; ++k) array->data[k] = (double)array->single[k];
    at += (size_t)array->size;
  }
  return true;
}

// A new array of floats with the numbers of an array of doubles.
static PyObject* narrow(const Solver* solver, const Call* call)
{
  Array to;
  PyObject* shape = out_shape(solver, call);
  PyObject* out =
      shape ? PyObject_CallFunctionObjArgs(numpy_empty, shape, single_type, NULL) : NULL;
  Py_XDECREF(shape);
  if (!out || take_array(out, PLAIN | WRITEABLE, sizeof(float), &to) != TAKEN)
  {
    Py_XDECREF(out);
    return NULL;
  }
  for (Py_ssize_t k = 0; k < to.size; ++k) to.single[k] = (float)call->out.data[k];
  return out;
}

// Answers where all arrays are floats, computed in single precision: floats again.
static PyObject* answer_single(Solver* solver, Call* call, bool checked)
{
  double* memory;
  PyObject *wide = NULL, *out = NULL;
  if (!widen_inputs(call, &memory)) return NULL;
  bool unit = quaternions_are_unit(solver, call);
  if (unit) wide = make_out(solver, call);
  if (wide && answer(solver, call, checked)) out = narrow(solver, call);
  Py_XDECREF(wide);
  PyMem_Free(memory);
  if (unit) return out;
  Py_RETURN_NOTIMPLEMENTED;
}

static PyObject* answer_double(Solver* solver, Call* call, PyObject* out, bool checked)
{
  if (!quaternions_are_unit(solver, call)) Py_RETURN_NOTIMPLEMENTED;
  if (out == Py_None)
    out = make_out(solver, call);
  else
  {
    Taken taken = take_array(out, PLAIN | WRITEABLE, sizeof(double), &call->out);
    if (taken == FAILED) return NULL;
    if (taken == NOT_TAKEN || !out_fits(solver, call)) Py_RETURN_NOTIMPLEMENTED;
    Py_INCREF(out);
  }
  if (!out || answer(solver, call, checked)) return out;
  Py_DECREF(out);
  return NULL;
}

// answer(question, q, qd, qdd, tau, wrench, out, checked): the answers, or NotImplemented if an
// array needs conversion. A solver of single precision takes floats and returns floats, or doubles.
static PyObject* solver_answer(PyObject* self, PyObject* args)
{
  Solver* solver = (Solver*)self;
  if (PyTuple_Size(args) != 3 + INPUTS)
  {
    PyErr_SetString(PyExc_TypeError, "answer() takes a question, five arrays, out and checked");
    return NULL;
  }
  Call call;
  call.question = (int)PyLong_AsLong(PyTuple_GetItem(args, 0));
  if (call.question < 0 || call.question >= LW_QUESTION_COUNT)
  {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "there is no such question");
    return NULL;
  }
  call.axes     = 0;
  PyObject* out = PyTuple_GetItem(args, 1 + INPUTS);
  int itemsize  = sizeof(double);
  for (int i = 0; i < INPUTS; ++i)
  {
    PyObject* object    = PyTuple_GetItem(args, 1 + i);
    call.inputs[i].axes = 0;
    Taken taken         = take_array(object, PLAIN, itemsize, &call.inputs[i]);
    if (i == 0 && taken == NOT_TAKEN && out == Py_None &&
        solver->def.precision == LW_PRECISION_SINGLE)
      taken = take_array(object, PLAIN, itemsize = sizeof(float), &call.inputs[i]);
    if (taken == FAILED) return NULL;
    if (taken == NOT_TAKEN) Py_RETURN_NOTIMPLEMENTED;
  }
  if (!same_states(solver, &call)) Py_RETURN_NOTIMPLEMENTED;
  bool checked = PyObject_IsTrue(PyTuple_GetItem(args, 2 + INPUTS)) == 1;
  return itemsize == sizeof(double) ? answer_double(solver, &call, out, checked)
                                    : answer_single(solver, &call, checked);
}

static PyObject* solver_method(PyObject* self, PyObject* question)
{
  Solver* solver = (Solver*)self;
  long asked     = PyLong_AsLong(question);
  if (asked < 0 || asked >= LW_QUESTION_COUNT) Py_RETURN_NONE;
  const char* name =
      lw_workspace_method(lw_batch_workspace(solver->spare[0]->batch, 0), (lwQuestion)asked);
  if (!name) Py_RETURN_NONE;
  return PyUnicode_FromString(name);
}

static PyMethodDef solver_methods[] = {
    {"answer", solver_answer, METH_VARARGS,
     "answer(question, q, qd, qdd, tau, wrench, out, checked)"},
    {"method", solver_method, METH_O,
     "method(question): the name of the method, after 'auto' was resolved"},
    {NULL, NULL, 0, NULL}};

static PyType_Slot solver_slots[] = {{Py_tp_new, solver_new},
                                     {Py_tp_dealloc, solver_dealloc},
                                     {Py_tp_methods, solver_methods},
                                     {Py_tp_doc, "A model with methods, a precision and a frame."},
                                     {0, NULL}};

static PyType_Spec solver_spec = {"linkwork._native.Solver", sizeof(Solver), 0, Py_TPFLAGS_DEFAULT,
                                  solver_slots};

// --- the module

// address(array, writeable): address of the doubles of a contiguous array, or None.
static PyObject* native_address(PyObject* self, PyObject* args)
{
  (void)self;
  PyObject* object;
  int writeable = 0;
  Array array;
  if (!PyArg_ParseTuple(args, "O|p", &object, &writeable)) return NULL;
  array.axes  = 0;
  Taken taken = take_array(object, writeable ? PLAIN | WRITEABLE : PLAIN, sizeof(double), &array);
  if (taken == FAILED) return NULL;
  if (taken == NOT_TAKEN || array.axes == 0) Py_RETURN_NONE;
  return PyLong_FromVoidPtr(array.data);
}

// time_single(solver, question, q, qd, qdd, calls): seconds for that many lw_answer() calls, for
// bench/python.py.
static PyObject* native_time_single(PyObject* self, PyObject* args)
{
  (void)self;
  PyObject *object, *given[3];
  int question, calls;
  Array arrays[3];
  if (!PyArg_ParseTuple(args, "OiOOOi", &object, &question, &given[0], &given[1], &given[2],
                        &calls))
    return NULL;
  if (!PyObject_TypeCheck(object, solver_type) || question < 0 || question >= LW_QUESTION_COUNT)
    return PyErr_Format(PyExc_TypeError, "expected a Solver and a question");
  Solver* solver = (Solver*)object;
  for (int i = 0; i < 3; ++i)
    if (take_array(given[i], PLAIN, sizeof(double), &arrays[i]) != TAKEN ||
        arrays[i].size != solver->widths[i])
      return PyErr_Format(PyExc_TypeError, "expected one state");
  double* out  = PyMem_Malloc((size_t)solver->outputs[question] * sizeof *out + 1);
  Spare* spare = out ? take_spare(solver, 0) : (Spare*)PyErr_NoMemory();
  if (!spare)
  {
    PyMem_Free(out);
    return NULL;
  }
  lwStates states = {.q = arrays[0].data, .qd = arrays[1].data, .qdd = arrays[2].data};
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < calls; ++i)
    lw_answer(solver->model, lw_batch_workspace(spare->batch, 0), (lwQuestion)question, &states,
              out);
  clock_gettime(CLOCK_MONOTONIC, &end);
  give_back(solver, 0, spare);
  PyMem_Free(out);
  return PyFloat_FromDouble((double)(end.tv_sec - begin.tv_sec) +
                            1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
}

// convert_rotations(rotations, out): roll, pitch and yaw of each rotation if out has 3 numbers for
// each, a quaternion if it has 4.
static PyObject* native_convert_rotations(PyObject* self, PyObject* args)
{
  (void)self;
  PyObject* given[2];
  Array R, out;
  if (!PyArg_ParseTuple(args, "OO", &given[0], &given[1])) return NULL;
  bool taken = take_array(given[0], PLAIN, sizeof(double), &R) == TAKEN &&
               take_array(given[1], PLAIN | WRITEABLE, sizeof(double), &out) == TAKEN;
  Py_ssize_t count = taken ? R.size / 9 : 0, size = count > 0 ? out.size / count : 0;
  if (!taken || 9 * count != R.size || (count > 0 && size != 3 && size != 4))
    return PyErr_Format(PyExc_TypeError, "expected rotations, and 3 or 4 numbers for each");
  const double* from = R.data;
  double* to         = out.data;
  for (Py_ssize_t i = 0; i < count; ++i)
    (size == 3 ? lw_rotation_to_rpy : lw_rotation_to_quaternion)(from + 9 * i, to + size * i);
  Py_RETURN_NONE;
}

static PyMethodDef native_methods[] = {
    {"time_single", native_time_single, METH_VARARGS,
     "time_single(solver, question, q, qd, qdd, calls): seconds, in C"},
    {"address", native_address, METH_VARARGS,
     "address(array, writeable=False): of contiguous doubles, or None"},
    {"convert_rotations", native_convert_rotations, METH_VARARGS,
     "convert_rotations(rotations, out): as roll, pitch, yaw or as quaternions"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef native_module = {PyModuleDef_HEAD_INIT,
                                           "linkwork._native",
                                           "Passes NumPy arrays to liblinkwork.",
                                           -1,
                                           native_methods,
                                           NULL,
                                           NULL,
                                           NULL,
                                           NULL};

static bool add(PyObject* module, const char* name, PyObject* object)
{
  if (!object) return false;
  Py_INCREF(object);
  if (PyModule_AddObject(module, name, object) == 0) return true;
  Py_DECREF(object);
  return false;
}

static bool find_numpy(void)
{
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (!numpy) return false;
  ndarray     = PyObject_GetAttrString(numpy, "ndarray");
  numpy_empty = PyObject_GetAttrString(numpy, "empty");
  single_type = PyObject_GetAttrString(numpy, "float32");
  Py_DECREF(numpy);
  array_struct = PyUnicode_InternFromString("__array_struct__");
  return ndarray && numpy_empty && single_type && array_struct;
}

PyMODINIT_FUNC PyInit__native(void)
{
  if (!find_numpy()) return NULL;
  PyObject* module = PyModule_Create(&native_module);
  if (!module) return NULL;
  native_error = PyErr_NewException("linkwork._native.Error", PyExc_ValueError, NULL);
  not_finite   = PyErr_NewException("linkwork._native.NotFinite", PyExc_ValueError, NULL);
  solver_type  = (PyTypeObject*)PyType_FromSpec(&solver_spec);
  bool complete =
      add(module, "Error", native_error) && add(module, "NotFinite", not_finite) &&
      add(module, "Solver", (PyObject*)solver_type) &&
      add(module, "version",
          PyUnicode_FromFormat("%d.%d.%d", LW_VERSION_MAJOR, LW_VERSION_MINOR, LW_VERSION_PATCH));
  if (complete) return module;
  Py_DECREF(module);
  return NULL;
}
