// SPDX-License-Identifier: MIT
// An expression that is used once is written where it is used, unless it is long; the others are
// variables. Sines come first, all together. Everything else is computed as late as possible:
// outputs that need little come first, and of two operands the one that needs more values at once
// (Sethi & Ullman 1970), so that few values are alive at a time. From this order schedule.c departs
// where a statement would wait for the one before it.
#include "generate/plan.h"

#include <stdlib.h>

static const int INLINE_OPERATIONS = 7;  // most operations of one statement

typedef struct Planner
{
  const lwProgram* program;
  lwPlan* plan;
  struct
  {
    int need;        // values needed at once for it
    int operations;  // written in the place of use, itself included
    bool placed;
  } * node;  // (nodes)
} Planner;

// Operand k of a node, as a number.
static int32_t operand_number(const lwGraphNode* node, int k)
{
  return lw_expr_number(lw_node_operand(node, k));
}

// Numbers of constants are given first, in the order in which they are needed.
static void name_nodes(Planner* planner)
{
  const lwGraph* graph = &planner->program->graph;
  lwPlan* plan         = planner->plan;
  for (int32_t i = 1; i < graph->count; ++i)
    if (plan->uses[i] && graph->nodes[i].kind == LW_GRAPH_NODE_CONSTANT)
      plan->name[i] = ++plan->names;
  plan->constants = plan->names;
  for (int32_t i = 0; i < graph->count; ++i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    int operands = lw_node_operands(node), inside = 1;
    if (!plan->uses[i] || !operands) continue;
    for (int k = 0; k < operands; ++k)
    {
      int32_t number = operand_number(node, k);
      inside += plan->name[number] ? 0 : planner->node[number].operations;
    }
    planner->node[i].operations = inside;
    bool call                   = operands == 1;
    if (plan->uses[i] > 1 || inside >= INLINE_OPERATIONS || call) plan->name[i] = ++plan->names;
  }
}

static void find_needs(Planner* planner)
{
  const lwGraph* graph = &planner->program->graph;
  for (int32_t i = 0; i < graph->count; ++i)
  {
    const lwGraphNode* node = &graph->nodes[i];
    if (!lw_node_operands(node)) continue;
    int a = planner->node[operand_number(node, 0)].need;
    int b = lw_node_operands(node) > 1 ? planner->node[operand_number(node, 1)].need : 0;
    planner->node[i].need = a == b ? a + 1 : a > b ? a : b;
  }
}

static void place_node(Planner* planner, int32_t number)
{
  const lwGraphNode* node = &planner->program->graph.nodes[number];
  lwPlan* plan            = planner->plan;
  int operands            = lw_node_operands(node);
  if (planner->node[number].placed || !operands) return;
  planner->node[number].placed = true;
  int32_t a = operand_number(node, 0), b = operand_number(node, operands - 1);
  bool later = planner->node[b].need > planner->node[a].need;
  place_node(planner, later ? b : a);
  place_node(planner, later ? a : b);
  if (plan->name[number]) plan->statements[plan->count++] = (lwStatement){number, -1};
}

// Nodes that are needed for an output and not yet computed: outputs with few of them come first.
static int needed_nodes(Planner* planner, int32_t number, int32_t* seen, int32_t mark)
{
  const lwGraphNode* node = &planner->program->graph.nodes[number];
  if (seen[number] == mark || !lw_node_operands(node)) return 0;
  int size     = 1;
  seen[number] = mark;
  for (int k = 0; k < lw_node_operands(node); ++k)
    size += needed_nodes(planner, operand_number(node, k), seen, mark);
  return size;
}

typedef struct RankedNode
{
  int output, size;
} RankedNode;

static int by_size(const void* a, const void* b)
{
  const RankedNode *left = a, *right = b;
  if (left->size != right->size) return left->size < right->size ? -1 : 1;
  return left->output < right->output ? -1 : left->output > right->output;
}

static bool place_outputs(Planner* planner)
{
  const lwProgram* program = planner->program;
  lwPlan* plan             = planner->plan;
  RankedNode* ranked       = calloc((size_t)program->output_count + 1, sizeof *ranked);
  int32_t* seen            = calloc((size_t)program->graph.count, sizeof *seen);
  bool enough              = ranked && seen;
  for (int k = 0; enough && k < program->output_count; ++k)
    ranked[k] = (RankedNode){
        k, needed_nodes(planner, lw_expr_number(program->outputs[k]), seen, (int32_t)k + 1)};
  for (int turns = 0; enough && turns < 2; ++turns)  // angles, then their sines and cosines
    for (int32_t i = 0; i < program->graph.count; ++i)
    {
      const lwGraphNode* node = &program->graph.nodes[i];
      if (plan->uses[i] && lw_node_is_turn(node))
        place_node(planner, turns ? i : lw_expr_number(node->a));
    }
  int fixed = plan->count;
  if (enough) qsort(ranked, (size_t)program->output_count, sizeof *ranked, by_size);
  for (int k = 0; enough && k < program->output_count; ++k)
  {
    int output = ranked[k].output;
    place_node(planner, lw_expr_number(program->outputs[output]));
    plan->statements[plan->count++] = (lwStatement){-1, output};
  }
  free(ranked);
  free(seen);
  return enough && lw_schedule(program, plan, fixed);
}

bool lw_plan_create(const lwProgram* program, lwPlan* plan)
{
  size_t count     = (size_t)program->graph.count;
  *plan            = (lwPlan){0};
  Planner planner  = {.program = program, .plan = plan};
  planner.node     = calloc(count, sizeof *planner.node);
  plan->name       = calloc(count, sizeof *plan->name);
  plan->statements = calloc(count + (size_t)program->output_count, sizeof *plan->statements);
  bool enough =
      planner.node && plan->name && plan->statements && lw_program_uses(program, &plan->uses);
  if (enough)
  {
    name_nodes(&planner);
    find_needs(&planner);
    enough   = place_outputs(&planner);
    int next = plan->constants;
    for (int k = 0; k < plan->count; ++k)  // in the order of computation; sines have other names
    {
      int32_t number = plan->statements[k].node;
      if (number >= 0 && !lw_node_is_turn(&program->graph.nodes[number]))
        plan->name[number] = ++next;
    }
  }
  free(planner.node);
  if (!enough) lw_plan_free(plan);
  return enough;
}

void lw_plan_free(lwPlan* plan)
{
  free(plan->uses);
  free(plan->name);
  free(plan->statements);
  *plan = (lwPlan){0};
}
