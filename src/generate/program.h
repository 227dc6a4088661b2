// SPDX-License-Identifier: MIT
// A straight-line program: a graph of expressions, and which of them are the answers.
//
//   model --record--> program --passes--> program --emit--> text
#ifndef LW_GENERATE_PROGRAM_H
#define LW_GENERATE_PROGRAM_H

#include "linkwork/generate.h"
#include "linkwork/methods.h"
#include "math/graph.h"

// Arrays that a program reads, in the order of the generated function's arguments.
typedef enum lwArgument
{
  LW_ARGUMENT_Q,
  LW_ARGUMENT_QD,
  LW_ARGUMENT_QDD,
  LW_ARGUMENT_TAU,
  LW_ARGUMENT_WRENCH,
  LW_ARGUMENT_GRAVITY,
  LW_ARGUMENT_PAYLOAD,
  LW_ARGUMENT_COUNT,
  LW_ARGUMENT_COSINE,  // of q, where sines are given; no inputs of the graph
  LW_ARGUMENT_SINE,
  LW_ARGUMENT_LETTER  // numbers of the robot as letters (generate/letters.h)
} lwArgument;

// An input of the graph is entry `index` of an argument.
enum
{
  LW_ARGUMENT_STRIDE = 1 << 20
};

static inline int lw_input_number(lwArgument argument, int index)
{
  return (int)argument * LW_ARGUMENT_STRIDE + index;
}

static inline lwArgument lw_input_argument(const lwGraphNode* node)
{
  return (lwArgument)(node->a / LW_ARGUMENT_STRIDE);
}

static inline int lw_input_index(const lwGraphNode* node)
{
  return node->a % LW_ARGUMENT_STRIDE;
}

typedef struct lwProgram
{
  lwGraph graph;
  lwExpr* outputs;  // (output_count)
  int output_count;
} lwProgram;

// Operands of a node: none of a number or an input, two of sums, products and ratios.
static inline int lw_node_operands(const lwGraphNode* node)
{
  bool leaf = node->kind == LW_GRAPH_NODE_CONSTANT || node->kind == LW_GRAPH_NODE_INPUT;
  bool pair = node->kind == LW_GRAPH_NODE_ADD || node->kind == LW_GRAPH_NODE_MUL ||
              node->kind == LW_GRAPH_NODE_DIV;
  return leaf ? 0 : pair ? 2 : 1;
}

static inline lwExpr lw_node_operand(const lwGraphNode* node, int k)
{
  return k == 0 ? node->a : node->b;
}

// A sine or a cosine.
static inline bool lw_node_is_turn(const lwGraphNode* node)
{
  return node->kind == LW_GRAPH_NODE_SIN || node->kind == LW_GRAPH_NODE_COS;
}

// Memory for this many outputs; false if memory ran out.
bool lw_program_open(lwProgram* program, int output_count);
void lw_program_close(lwProgram* program);

// Operations of the nodes that are used; `executed` and folded counts are equal.
lwCount lw_program_count(const lwProgram* program, const int32_t* uses);

// How often a live node is used, outputs included; 0: it is not needed. (graph.count) entries;
// false if memory ran out.
bool lw_program_uses(const lwProgram* program, int32_t** uses);

// Keeps what the outputs need, in an order in which operands come first.
bool lw_program_compact(lwProgram* program);

// The program goes on with a graph that its outputs have moved to, if that is complete (enough);
// otherwise that graph is freed.
bool lw_program_adopt(lwProgram* program, lwGraph* fresh, bool enough);

// Values of the outputs for arguments (LW_ARGUMENT_COUNT); NULL
// stands for zeros. False: out of memory.
bool lw_program_evaluate(const lwProgram* program, const double* const* arguments, double* out);

#endif
