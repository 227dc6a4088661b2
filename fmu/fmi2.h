// SPDX-License-Identifier: MIT
// The types and functions of FMI 2.0 (Functional Mock-up Interface for Model Exchange and Co-
// Simulation, Modelica Association, 2014, sections 2.1, 3.2 and 4.2), as far as a unit needs them.
// Names, order of members and values of enumerators are those of the standard, since importers are
// compiled against it.
#ifndef LW_FMU_FMI2_H
#define LW_FMU_FMI2_H

#include <stddef.h>

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

typedef enum
{
  fmi2OK,
  fmi2Warning,
  fmi2Discard,
  fmi2Error,
  fmi2Fatal,
  fmi2Pending
} fmi2Status;

typedef enum
{
  fmi2ModelExchange,
  fmi2CoSimulation
} fmi2Type;

typedef enum
{
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;

typedef void fmi2CallbackLogger(fmi2ComponentEnvironment, fmi2String instance, fmi2Status,
                                fmi2String category, fmi2String message, ...);

typedef struct
{
  fmi2CallbackLogger* logger;
  void* (*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void*);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct
{
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

// Of a unit: X(result, name, parameters)
#define FMI2_FUNCTIONS(X)                                                                          \
  X(const char*, GetTypesPlatform, (void))                                                         \
  X(const char*, GetVersion, (void))                                                               \
  X(fmi2Status, SetDebugLogging,                                                                   \
    (fmi2Component, fmi2Boolean on, size_t count, const fmi2String categories[]))                  \
  X(fmi2Component, Instantiate,                                                                    \
    (fmi2String name, fmi2Type, fmi2String guid, fmi2String resources,                             \
     const fmi2CallbackFunctions*, fmi2Boolean visible, fmi2Boolean logging))                      \
  X(void, FreeInstance, (fmi2Component))                                                           \
  X(fmi2Status, SetupExperiment,                                                                   \
    (fmi2Component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,                 \
     fmi2Boolean has_stop, fmi2Real stop))                                                         \
  X(fmi2Status, EnterInitializationMode, (fmi2Component))                                          \
  X(fmi2Status, ExitInitializationMode, (fmi2Component))                                           \
  X(fmi2Status, Terminate, (fmi2Component))                                                        \
  X(fmi2Status, Reset, (fmi2Component))                                                            \
  X(fmi2Status, GetReal, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]))          \
  X(fmi2Status, GetInteger, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]))    \
  X(fmi2Status, GetBoolean, (fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]))    \
  X(fmi2Status, GetString, (fmi2Component, const fmi2ValueReference[], size_t, fmi2String[]))      \
  X(fmi2Status, SetReal, (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]))    \
  X(fmi2Status, SetInteger,                                                                        \
    (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[]))                      \
  X(fmi2Status, SetBoolean,                                                                        \
    (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]))                      \
  X(fmi2Status, SetString,                                                                         \
    (fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]))                       \
  X(fmi2Status, GetFMUstate, (fmi2Component, fmi2FMUstate*))                                       \
  X(fmi2Status, SetFMUstate, (fmi2Component, fmi2FMUstate))                                        \
  X(fmi2Status, FreeFMUstate, (fmi2Component, fmi2FMUstate*))                                      \
  X(fmi2Status, SerializedFMUstateSize, (fmi2Component, fmi2FMUstate, size_t*))                    \
  X(fmi2Status, SerializeFMUstate, (fmi2Component, fmi2FMUstate, fmi2Byte[], size_t))              \
  X(fmi2Status, DeSerializeFMUstate, (fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate*))     \
  X(fmi2Status, GetDirectionalDerivative,                                                          \
    (fmi2Component, const fmi2ValueReference unknown[], size_t unknowns,                           \
     const fmi2ValueReference known[], size_t knowns, const fmi2Real along[], fmi2Real change[]))  \
  X(fmi2Status, EnterEventMode, (fmi2Component))                                                   \
  X(fmi2Status, NewDiscreteStates, (fmi2Component, fmi2EventInfo*))                                \
  X(fmi2Status, EnterContinuousTimeMode, (fmi2Component))                                          \
  X(fmi2Status, CompletedIntegratorStep,                                                           \
    (fmi2Component, fmi2Boolean final, fmi2Boolean * enter_event_mode, fmi2Boolean * terminate))   \
  X(fmi2Status, SetTime, (fmi2Component, fmi2Real))                                                \
  X(fmi2Status, SetContinuousStates, (fmi2Component, const fmi2Real[], size_t))                    \
  X(fmi2Status, GetDerivatives, (fmi2Component, fmi2Real[], size_t))                               \
  X(fmi2Status, GetEventIndicators, (fmi2Component, fmi2Real[], size_t))                           \
  X(fmi2Status, GetContinuousStates, (fmi2Component, fmi2Real[], size_t))                          \
  X(fmi2Status, GetNominalsOfContinuousStates, (fmi2Component, fmi2Real[], size_t))                \
  X(fmi2Status, SetRealInputDerivatives,                                                           \
    (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer order[],                 \
     const fmi2Real[]))                                                                            \
  X(fmi2Status, GetRealOutputDerivatives,                                                          \
    (fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer order[], fmi2Real[]))    \
  X(fmi2Status, DoStep, (fmi2Component, fmi2Real t, fmi2Real step, fmi2Boolean no_return))         \
  X(fmi2Status, CancelStep, (fmi2Component))                                                       \
  X(fmi2Status, GetStatus, (fmi2Component, const fmi2StatusKind, fmi2Status*))                     \
  X(fmi2Status, GetRealStatus, (fmi2Component, const fmi2StatusKind, fmi2Real*))                   \
  X(fmi2Status, GetIntegerStatus, (fmi2Component, const fmi2StatusKind, fmi2Integer*))             \
  X(fmi2Status, GetBooleanStatus, (fmi2Component, const fmi2StatusKind, fmi2Boolean*))             \
  X(fmi2Status, GetStringStatus, (fmi2Component, const fmi2StatusKind, fmi2String*))

#endif
