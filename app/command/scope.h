// SPDX-License-Identifier: MIT
// What a command holds while it runs: memory, robots, files. All of it is released when the command
// ends, also where something is wrong, so that commands neither pass errors on nor clean up.
#ifndef APP_SCOPE_H
#define APP_SCOPE_H

#include "command/list.h"
#include "io/exit.h"
#include "io/lines.h"
#include "io/output.h"
#include "linkwork/express.h"
#include "linkwork/linkwork.h"
#include "linkwork/proof.h"
#include "linkwork/snake.h"
#include "report/answer_writer.h"
#include "report/plot/plot_table.h"
#include "text/csv_table.h"
#include "text/out.h"
#include "text/table_writer.h"

// Runs work(context); its exit code, or that of the leave() inside it. Scopes nest: the shell is a
// command that runs commands.
int scope_run(int (*work)(void* context), void* context);

// Runs a command in a scope of its own.
int command_run(const Options* options);

// Reads the arguments behind the command's name and runs it, or prints its help; all in a scope.
int command_line_run(const struct Command* command, int count, char** arguments,
                     int (*run)(const Options* options));

// Ends the work under way with this exit code; what is wrong has been printed.
_Noreturn void leave(int code);

// Prints `linkwork: error: ...` as one line and ends the work under way.
_Noreturn void stop(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Each ends the work under way if something is wrong: a code that is not DONE; a status that is not
// LW_OK, which is printed, by the second one with what it is about and the first message.
void need(int code);
void need_ok(lwStatus status);
void need_made(lwStatus status, const char* about, const lwDiag* diag);

// As need_ok() for a file that was read: prints the errors, with `warnings` these, too, and knows
// the file for an input.
void need_read(lwStatus status, const char* path, const lwDiag* diag, bool warnings);

// Zeroed memory, and a copy of a text.
void* allocate(size_t count, size_t size);
char* text_copy(const char* text);

// realloc() of memory that comes from here, or of NULL; the scope holds it.
void* reallocate(void* memory, size_t count, size_t size);

// --- objects of the library: hold_model(model) returns the model, which lw_model_destroy()
// releases

#define HELD_LIST(X)                                                                               \
  X(answers, lwAnswers, lw_answers_end)                                                            \
  X(arena, lwArena, lw_arena_free)                                                                 \
  X(arm_run, lwArmRun, lw_arm_run_destroy)                                                         \
  X(batch, lwBatch, lw_batch_destroy)                                                              \
  X(csv, lwCsvFile, lw_csv_close)                                                                  \
  X(cylinders, lwCylinders, lw_cylinders_destroy)                                                  \
  X(diag, lwDiag, lw_diag_destroy)                                                                 \
  X(excitation, lwExcitation, lw_excitation_destroy)                                               \
  X(expressed, lwExpressed, lw_expressed_destroy)                                                  \
  X(gait, lwSerpenoidDrive, lw_serpenoid_destroy)                                                  \
  X(guide, lwSnakeGuideDrive, lw_snake_guide_destroy)                                              \
  X(generated, lwGenerated, lw_generated_destroy)                                                  \
  X(identified, lwIdentified, lw_identified_destroy)                                               \
  X(ik, lwIk, lw_ik_destroy)                                                                       \
  X(law, lwLaw, lw_law_destroy)                                                                    \
  X(linear, lwLinear, lw_linear_destroy)                                                           \
  X(loads, lwLoads, lw_loads_destroy)                                                              \
  X(log, lwLog, lw_log_destroy)                                                                    \
  X(loops, lwLoops, lw_loops_destroy)                                                              \
  X(memory, lwOut, lw_out_free)                                                                    \
  X(model, lwModel, lw_model_destroy)                                                              \
  X(parameters, lwParameters, lw_parameters_destroy)                                               \
  X(parts, lwParts, lw_parts_destroy)                                                              \
  X(plot, lwPlotTable, lw_plot_table_destroy)                                                      \
  X(proof, lwProof, lw_proof_destroy)                                                              \
  X(quad_workspace, lwQuadWorkspace, lw_quad_workspace_destroy)                                    \
  X(results, lwResults, lw_results_close)                                                          \
  X(rows, lwRows, lw_rows_end)                                                                     \
  X(scenario, lwScenario, lw_scenario_destroy)                                                     \
  X(schedule, lwSchedule, lw_schedule_destroy)                                                     \
  X(snake, lwSnake, lw_snake_destroy)                                                              \
  X(snake_run, lwSnakeRun, lw_snake_run_destroy)                                                   \
  X(snake_workspace, lwSnakeWorkspace, lw_snake_workspace_destroy)                                 \
  X(study, lwStudy, lw_study_destroy)                                                              \
  X(text, lwText, lw_text_destroy)                                                                 \
  X(trajectory, lwTrajectory, lw_trajectory_destroy)                                               \
  X(worker, lwStudyWorker, lw_study_worker_destroy)                                                \
  X(workspace, lwWorkspace, lw_workspace_destroy)

#define HELD_DECLARATION(name, type, destroy) type* hold_##name(type* object);
HELD_LIST(HELD_DECLARATION)
#undef HELD_DECLARATION

// Any other object; NULL is nothing.
void* hold(void* object, void (*release)(void* object));
void unhold(const void* object);  // it outlives the scope

lwDiag* hold_messages(void);  // an empty one

// A table with these groups of columns, `rows` of it at a time, and its next rows; false at its
// end.
lwCsvFile* csv_of(const char* path, const lwColumnGroup* groups, int count, int rows);
bool csv_more(lwCsvFile* csv);
void csv_keep_text(lwCsvFile* csv);  // lw_csv_block_keep_text()

// All of a file, and a 0; ends the command if it cannot be read.
unsigned char* file_bytes(const char* path, size_t* size);

lwOut* hold_file(void);        // an output in memory
void file_flush(lwOut* file);  // lw_out_finish()

// A table for the rows of a picture, picture_begin(), and how it is drawn: picture_draw().
lwPlotTable* plot_begin(const char* path, size_t columns);
void plot_name(lwPlotTable* plot, size_t c, const char* name, const char* label);

// --- what commands begin with

lwFormat format_of(const Options* options);  // by default a table on a terminal and csv elsewhere
lwModel* robot_of(const Options* options);   // robot_read() of the operand
lwWorkspace* tree_of(const lwModel* model);  // for what keeps loops closed by other means
lwPrecision precision_of(const Options* options);                   // double by default
lwPrecision precision_or_quad(const Options* options, bool* quad);  // double, too, for 113 bits

// --- and end with

// out_open(). A file appears when output_end() is reached.
lwOut* output_of(const Options* options);  // --out
lwOut* output(const char* path);
int output_end(lwOut* out, int code);  // the code, or INPUT if it could not be written

// A whole file.
void output_bytes(const char* path, const char* bytes, size_t length);

// Notes for people on standard error, where programs read the output.
void notes_aside(void (*write)(void* context, lwOut* out), void* context);

// A copy of the rows, which begin, and their end. Like all that a scope holds, the context of the
// rows must come from allocate().
lwRows* rows_begin(lwRows rows);
lwRows* rows_hold(lwRows* rows);                         // in place, in memory of allocate()
void rows_keep(lwRows* rows, lwCsvFile* csv, bool all);  // lw_rows_keep(), before they begin
void rows_end(lwRows* rows);

// A sheet alone, in the format asked for, to --out.
int sheet_print(const Options* options, lwFormat format, const lwSheet* sheet);

#endif
