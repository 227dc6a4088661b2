// SPDX-License-Identifier: MIT
// A statement that follows the one whose result it needs waits for it, and a processor looks ahead
// only so far. So the next statement is one whose operands are ready, or will be soonest; of these,
// one after which more values are needed no longer; of these, the first in the order so far, which
// keeps few values alive. (List scheduling: Gibbons & Muchnick 1986.)
#include <stdlib.h>

#include "generate/plan.h"

enum
{
  // In thirds of a cycle, as processors begin about three operations in a cycle.
  LATENCY       = 12,  // from the begin of an operation to its result
  LONGEST_CHAIN = 3,   // operations of a statement that wait for each other, at most
  CANDIDATES    = 64   // statements that are ready and looked at
};

typedef struct ScheduleTask
{
  int first, count;  // of its operands in Scheduler.operands
  int missing;       // operands that are not scheduled yet
  int uses;          // of its value that are not scheduled yet
  int operations;
  long ready;  // time at which all operands are known
  int user;    // first of the tasks that use it, as an index of Scheduler.users; -1: none
} ScheduleTask;

typedef struct User
{
  int task, next;
} User;

typedef struct Scheduler
{
  const lwProgram* program;
  lwPlan* plan;
  int fixed, count;  // tasks are the statements behind the fixed ones
  ScheduleTask* tasks;
  int* task_of;   // (nodes) that computes it, or -1
  int* operands;  // tasks
  User* users;    // as many
  int links, capacity;
  int* ready;  // tasks that may be next, in their old order
  int ready_count;
  lwStatement* order;
} Scheduler;

// --- who needs whom

static bool add_link(Scheduler* s, int task, int operand)
{
  ScheduleTask* user = &s->tasks[task];
  for (int k = user->first; k < user->first + user->count; ++k)
    if (s->operands[k] == operand) return true;
  if (s->links == s->capacity)
  {
    int capacity  = 2 * s->capacity + 64;
    int* operands = realloc(s->operands, (size_t)capacity * sizeof *operands);
    if (operands) s->operands = operands;
    User* users = realloc(s->users, (size_t)capacity * sizeof *users);
    if (users) s->users = users;
    if (!operands || !users) return false;
    s->capacity = capacity;
  }
  s->operands[s->links]  = operand;
  s->users[s->links]     = (User){task, s->tasks[operand].user};
  s->tasks[operand].user = s->links++;
  ++s->tasks[operand].uses;
  ++user->count;
  return true;
}

// Operands of what is written in this statement, and its operations.
static bool link_expression(Scheduler* s, int task, int32_t number, bool named)
{
  const lwGraphNode* node = &s->program->graph.nodes[number];
  if (named && s->task_of[number] >= 0) return add_link(s, task, s->task_of[number]);
  int operands = lw_node_operands(node);
  if (!operands || (named && s->plan->name[number])) return true;
  ++s->tasks[task].operations;
  for (int k = 0; k < operands; ++k)
    if (!link_expression(s, task, lw_expr_number(lw_node_operand(node, k)), true)) return false;
  return true;
}

static bool link_tasks(Scheduler* s)
{
  for (int32_t i = 0; i < s->program->graph.count; ++i) s->task_of[i] = -1;
  for (int k = 0; k < s->count; ++k)
  {
    lwStatement statement = s->plan->statements[s->fixed + k];
    s->tasks[k]           = (ScheduleTask){.first = s->links, .user = -1};
    bool output           = statement.node < 0;
    int32_t number =
        output ? lw_expr_number(s->program->outputs[statement.output]) : statement.node;
    if (!link_expression(s, k, number, output)) return false;
    if (!output) s->task_of[number] = k;
    s->tasks[k].missing = s->tasks[k].count;
  }
  return true;
}

// --- order

// Keeps the old order.
static void make_ready(Scheduler* s, int task)
{
  int at = s->ready_count++;
  for (; at > 0 && s->ready[at - 1] > task; --at) s->ready[at] = s->ready[at - 1];
  s->ready[at] = task;
}

// Index in the list of ready tasks: the one that waits least, then that with most last uses.
static int best_ready(const Scheduler* s, long now)
{
  int best = 0, best_last = 0;
  long best_wait = 0;
  for (int k = 0; k < s->ready_count && k < CANDIDATES; ++k)
  {
    const ScheduleTask* task = &s->tasks[s->ready[k]];
    long wait                = task->ready > now ? task->ready - now : 0;
    int last                 = 0;
    for (int u = task->first; u < task->first + task->count; ++u)
      last += s->tasks[s->operands[u]].uses == 1;
    bool better = wait < best_wait || (wait == best_wait && last > best_last);
    if (k == 0 || better) best = k, best_wait = wait, best_last = last;
  }
  return best;
}

static void finish_task(Scheduler* s, ScheduleTask* task, long now)
{
  int chain    = task->operations < LONGEST_CHAIN ? task->operations : LONGEST_CHAIN;
  long started = task->ready > now ? task->ready : now;
  for (int k = task->first; k < task->first + task->count; ++k) --s->tasks[s->operands[k]].uses;
  for (int u = task->user; u >= 0; u = s->users[u].next)
  {
    ScheduleTask* user = &s->tasks[s->users[u].task];
    long known         = started + chain * LATENCY;
    if (known > user->ready) user->ready = known;
    if (--user->missing == 0) make_ready(s, s->users[u].task);
  }
}

static void order_tasks(Scheduler* s)
{
  long now  = 0;
  int count = 0;
  for (int k = 0; k < s->count; ++k)
    if (s->tasks[k].missing == 0) make_ready(s, k);
  while (s->ready_count > 0)
  {
    int at = best_ready(s, now), next = s->ready[at];
    --s->ready_count;
    for (int k = at; k < s->ready_count; ++k) s->ready[k] = s->ready[k + 1];
    s->order[count++] = s->plan->statements[s->fixed + next];
    finish_task(s, &s->tasks[next], now);
    now += s->tasks[next].operations;
  }
  for (int k = 0; k < count; ++k) s->plan->statements[s->fixed + k] = s->order[k];
}

bool lw_schedule(const lwProgram* program, lwPlan* plan, int fixed)
{
  Scheduler s = {.program = program, .plan = plan, .fixed = fixed, .count = plan->count - fixed};
  size_t capacity = (size_t)s.count + 1;
  s.tasks         = calloc(capacity, sizeof *s.tasks);
  s.ready         = calloc(capacity, sizeof *s.ready);
  s.order         = calloc(capacity, sizeof *s.order);
  s.task_of       = calloc((size_t)program->graph.count + 1, sizeof *s.task_of);
  bool enough     = s.tasks && s.ready && s.order && s.task_of && link_tasks(&s);
  if (enough) order_tasks(&s);
  free(s.tasks);
  free(s.ready);
  free(s.order);
  free(s.task_of);
  free(s.operands);
  free(s.users);
  return enough;
}
