// SPDX-License-Identifier: MIT
// What varies in a study: parameters, their distributions and
// correlations, and how samples are chosen.
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "math/symmetric.h"
#include "study/study_internal.h"

// --- numbers

// A list of numbers in the arena; NULL after reporting that it is not one.
static double* number_list(lwStudyReader* reader, const char* key, const lwNode* node, int* count)
{
  lwKey as = {.name = key, .kind = LW_VALUE_NUMBER};
  int i    = 0;
  if (node->kind != LW_NODE_LIST || node->count == 0)
  {
    char found[LW_DESCRIPTION_SIZE];
    lw_study_error(reader, node->place, "'%s' must be a list of numbers, found %s", key,
                   lw_node_describe(node, found));
    return NULL;
  }
  double* values = lw_keep_take(reader->keep, (size_t)node->count, sizeof *values);
  if (!values) return NULL;
  for (const lwItem* item = node->items; item; item = item->next, ++i)
    if (!lw_node_number(&reader->document, item->value, &as, i + 1, &values[i])) return NULL;
  *count = node->count;
  return values;
}

// --- distributions

typedef struct VaryText
{
  lwNode *set, *scale, *add;
  const char* form;
  lwNode* distribution[LW_DISTRIBUTION_KINDS];
  lwNode *weights, *within, *choice;
  double levels;
  lwPlace places[2];
} VaryText;

static const lwKey vary_keys[] = {
    LW_NODE_KEY(VaryText, set),
    LW_NODE_KEY(VaryText, scale),
    LW_NODE_KEY(VaryText, add),
    LW_KEY(VaryText, form, .kind = LW_VALUE_NAME),
    LW_KEY_AS("uniform", VaryText, distribution[LW_DISTRIBUTION_UNIFORM], .kind = LW_VALUE_NODE),
    LW_KEY_AS("normal", VaryText, distribution[LW_DISTRIBUTION_NORMAL], .kind = LW_VALUE_NODE),
    LW_KEY_AS("log-normal", VaryText, distribution[LW_DISTRIBUTION_LOGNORMAL],
              .kind = LW_VALUE_NODE),
    LW_KEY_AS("triangular", VaryText, distribution[LW_DISTRIBUTION_TRIANGULAR],
              .kind = LW_VALUE_NODE),
    LW_KEY_AS("discrete", VaryText, distribution[LW_DISTRIBUTION_DISCRETE], .kind = LW_VALUE_NODE),
    LW_NODE_KEY(VaryText, choice),
    LW_NODE_KEY(VaryText, weights),
    LW_NODE_KEY(VaryText, within),
    LW_KEY(VaryText, levels, .slot = 1),
};
static const lwTable vary_table = LW_TABLE("a parameter", vary_keys);

// How many numbers a distribution has, and what they are.
static const struct
{
  const char* name;
  int count;
  const char* what;
} distribution_words[LW_DISTRIBUTION_KINDS] = {
    [LW_DISTRIBUTION_UNIFORM]    = {"uniform", 2, "[low, high]"},
    [LW_DISTRIBUTION_NORMAL]     = {"normal", 2, "[mean, deviation]"},
    [LW_DISTRIBUTION_LOGNORMAL]  = {"log-normal", 2, "[median, sigma]"},
    [LW_DISTRIBUTION_TRIANGULAR] = {"triangular", 3, "[low, mode, high]"},
    [LW_DISTRIBUTION_DISCRETE]   = {"discrete", 0, "[value, ..]"}};

static bool distribution_is_right(lwStudyReader* reader, const lwDistribution* s, lwPlace place)
{
  const char* wrong = NULL;
  if (s->kind == LW_DISTRIBUTION_UNIFORM && !(s->a <= s->b)) wrong = "low must not be above high";
  if (s->kind == LW_DISTRIBUTION_NORMAL && !(s->b > 0)) wrong = "the deviation must be above 0";
  if (s->kind == LW_DISTRIBUTION_LOGNORMAL && !(s->a > 0 && s->b > 0))
    wrong = "median and sigma must be above 0";
  if (s->kind == LW_DISTRIBUTION_TRIANGULAR && !(s->a <= s->b && s->b <= s->c && s->a < s->c))
    wrong = "expected low <= mode <= high";
  if (wrong) lw_study_error(reader, place, "%s: %s", distribution_words[s->kind].name, wrong);
  return !wrong;
}

static void read_weights(lwStudyReader* reader, const lwNode* node, lwDistribution* distribution)
{
  int count       = 0;
  double* weights = number_list(reader, "weights", node, &count);
  double sum      = 0;
  bool right =
      weights && count == distribution->count && distribution->kind == LW_DISTRIBUTION_DISCRETE;
  for (int i = 0; i < count && right; ++i)
  {
    right = weights[i] >= 0;
    sum += weights[i];
  }
  if (weights && (!right || !(sum > 0)))
    return lw_study_error(reader, node->place,
                          "'weights' are one number above 0 for each value of 'discrete'");
  for (int i = 0; i < count && right; ++i) weights[i] /= sum;
  distribution->weights = weights;
}

static void read_within(lwStudyReader* reader, const lwNode* node, lwDistribution* distribution)
{
  int count    = 0;
  double* ends = number_list(reader, "within", node, &count);
  if (!ends) return;
  bool cut = distribution->kind == LW_DISTRIBUTION_NORMAL ||
             distribution->kind == LW_DISTRIBUTION_LOGNORMAL;
  if (count != 2 || !(ends[0] < ends[1]) || !cut)
    return lw_study_error(reader, node->place,
                          "'within' is [low, high], for a normal or log-normal distribution");
  distribution->low  = ends[0];
  distribution->high = ends[1];
}

static void read_distribution(lwStudyReader* reader, const VaryText* text, lwNode* node,
                              lwParameterDef* parameter)
{
  lwDistribution* distribution = &parameter->distribution;
  int kind = 0, count = 0, kinds = lw_nodes_given(text->distribution, LW_DISTRIBUTION_KINDS, &kind);
  if (kinds != 1)
    return lw_study_error(reader, node->place,
                          "parameter '%s' has %d distributions, expected one of uniform, normal, "
                          "log-normal, triangular, discrete and choice",
                          parameter->name, kinds);
  const lwNode* given = text->distribution[kind];
  double* numbers     = number_list(reader, distribution_words[kind].name, given, &count);
  int needed          = distribution_words[kind].count;
  if (!numbers) return;
  if (needed > 0 && count != needed)
    return lw_study_error(reader, given->place, "'%s' must be %s, found %d numbers",
                          distribution_words[kind].name, distribution_words[kind].what, count);
  *distribution = (lwDistribution){.kind   = (lwDistributionKind)kind,
                                   .low    = -INFINITY,
                                   .high   = INFINITY,
                                   .values = numbers,
                                   .count  = count,
                                   .a      = numbers[0],
                                   .b      = needed > 1 ? numbers[1] : 0,
                                   .c      = needed > 2 ? numbers[2] : 0};
  if (!distribution_is_right(reader, distribution, given->place)) return;
  if (text->within) read_within(reader, text->within, distribution);
}

// --- a parameter that is one of several named sets of numbers: motors of a catalogue, grippers
//
//   choice: {small: {joints.elbow.gear: 50, joints.elbow.current: 4},
//            large: {joints.elbow.gear: 100}}

static void take_choices(lwStudyReader* reader, lwNode* node, lwParameterDef* parameter)
{
  int count = node->kind == LW_NODE_MAPPING ? node->count : 0, i = 0;
  if (count < 1)
    return lw_document_error(
        &reader->document, node->place,
        "choice: {small: {joints.elbow.gear: 50}, large: {joints.elbow.gear: 100}}",
        "'choice' must be a mapping of names to numbers of the robot or scenario");
  double* values     = lw_keep_take(reader->keep, (size_t)count, sizeof *values);
  parameter->choices = lw_keep_take(reader->keep, (size_t)count, sizeof *parameter->choices);
  if (!values || !parameter->choices) return;
  for (const lwItem* item = node->items; item; item = item->next, ++i)
  {
    values[i]             = i + 1;
    parameter->choices[i] = lw_keep_text(reader->keep, item->key->text);
  }
  parameter->distribution = (lwDistribution){.kind   = LW_DISTRIBUTION_DISCRETE,
                                             .low    = -INFINITY,
                                             .high   = INFINITY,
                                             .values = values,
                                             .count  = count};
}

static void choice_targets(lwStudyReader* reader, int parameter, const lwNode* node)
{
  lwKey key   = {.name = "choice", .kind = LW_VALUE_NUMBER};
  lwPatch def = {.parameter = parameter, .op = LW_PATCH_SET};
  for (const lwItem* set = node->items; set; set = set->next)
  {
    ++def.choice;
    if (set->value->kind != LW_NODE_MAPPING)
    {
      lw_study_error(reader, set->value->place,
                     "choice '%s' must be a mapping of targets to numbers", set->key->text);
      continue;
    }
    for (const lwItem* item = set->value->items; item; item = item->next)
      if (lw_node_number(&reader->document, item->value, &key, 0, &def.chosen))
        lw_study_find_target(reader, &def, item->key);
  }
}

// --- parameters

static void read_targets(lwStudyReader* reader, int i, lwPatchOp op, const lwNode* node,
                         const char* form)
{
  lwPatch def = {.parameter = i, .op = op, .form = form ? lw_keep_text(reader->keep, form) : NULL};
  if (!node) return;
  if (node->kind != LW_NODE_LIST)
    lw_study_find_target(reader, &def, node);
  else
    for (const lwItem* item = node->items; item; item = item->next)
      lw_study_find_target(reader, &def, item->value);
}

bool lw_study_new_name(lwStudyReader* reader, const lwNode* key)
{
  static const char* const words[] = {"sample", "state", "pass", "why", "pi", "t"};
  const lwStudy* study             = reader->study;
  bool word =
      key->kind == LW_NODE_SCALAR && isalpha((unsigned char)key->text[0]) && key->count < 64;
  bool taken = false, known = false;
  for (const char* s = word ? key->text : ""; *s; ++s)
    word = word && (isalnum((unsigned char)*s) || *s == '_');
  for (int i = 0; i < (int)(sizeof words / sizeof *words) && word; ++i)
    taken = taken || !strcasecmp(key->text, words[i]);
  if (word) known = lw_study_find_column(study, key->text) >= 0;
  for (int i = 0; i < study->parameter_count && word; ++i)
    known = known || !strcasecmp(study->parameters[i].name, key->text);
  for (int i = 0; i < study->measure_count && word; ++i)
    known = known || !strcasecmp(study->measures[i].name, key->text);
  if (!word)
    lw_study_error(reader, key->place,
                   "a name here has letters, digits and '_', begins with a letter and has at "
                   "most 63 of them");
  else if (taken)
    lw_study_error(reader, key->place, "'%s' is a column of the results already", key->text);
  else if (known)
    lw_study_error(reader, key->place, "'%s' is a parameter, a measure or a column already",
                   key->text);
  return word && !taken && !known;
}

static void read_parameter(lwStudyReader* reader, const lwItem* item)
{
  lwStudy* study = reader->study;
  VaryText text  = {0};
  if (!lw_study_new_name(reader, item->key)) return;
  if (!lw_document_fill(&reader->document, item->value, &vary_table, &text, text.places)) return;
  int i                     = study->parameter_count;
  lwParameterDef* parameter = &study->parameters[i];
  parameter->name           = lw_keep_text(reader->keep, item->key->text);
  parameter->place          = item->key->place;
  int before                = reader->document.errors;
  if (text.choice)
  {
    // One of several named sets of numbers: it has no targets beside those of the sets.
    bool other = text.set || text.scale || text.add || text.form || text.within;
    for (int k = 0; k < LW_DISTRIBUTION_KINDS; ++k) other = other || text.distribution[k];
    if (other)
      lw_document_error(&reader->document, item->value->place,
                        "choice: {small: {joints.elbow.gear: 50}, large: {joints.elbow.gear: 100}}",
                        "parameter '%s': 'choice' is a distribution with targets of its own; only "
                        "'weights' may stand beside it",
                        parameter->name);
    else
      take_choices(reader, text.choice, parameter);
  }
  else
    read_distribution(reader, &text, item->value, parameter);
  if (reader->document.errors == before && text.weights)
    read_weights(reader, text.weights, &parameter->distribution);
  if (reader->document.errors == before)
  {
    bool given = text.places[1].line > 0;
    if (given) lw_study_check_whole(reader, "levels", text.levels, 1, 1e6, text.places[1]);
    parameter->levels = given ? (int)fmin(text.levels, 1e6) : 3;
    if (parameter->distribution.kind == LW_DISTRIBUTION_DISCRETE)
      parameter->levels = parameter->distribution.count;
  }
  ++study->parameter_count;
  if (text.choice && reader->document.errors == before) choice_targets(reader, i, text.choice);
  read_targets(reader, i, LW_PATCH_SET, text.set, text.form);
  read_targets(reader, i, LW_PATCH_SCALE, text.scale, text.form);
  read_targets(reader, i, LW_PATCH_ADD, text.add, text.form);
}

// --- dependence

typedef struct GroupText
{
  lwNode *of, *correlation;
} GroupText;

static const lwKey group_keys[] = {
    LW_KEY(GroupText, of, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(GroupText, correlation, .kind = LW_VALUE_NODE, .required = true),
};
static const lwTable group_table = LW_TABLE("a correlated group", group_keys);

static int find_parameter(lwStudyReader* reader, const lwNode* name)
{
  char found[LW_DESCRIPTION_SIZE];
  for (int i = 0; i < reader->study->parameter_count; ++i)
    if (lw_node_is_word(name, reader->study->parameters[i].name)) return i;
  lw_study_error(reader, name->place, "there is no parameter %s", lw_node_describe(name, found));
  return -1;
}

// The matrix as it is written: one number for all pairs, or rows.
static bool read_correlations(lwStudyReader* reader, const lwNode* node, int n, double* matrix)
{
  double all = 0;
  int row    = 0;
  lwKey key  = {.name = "correlation", .kind = LW_VALUE_NUMBER};
  if (node->kind != LW_NODE_LIST)
  {
    if (!lw_node_number(&reader->document, node, &key, 0, &all)) return false;
    for (int i = 0; i < n * n; ++i) matrix[i] = i % (n + 1) == 0 ? 1 : all;
    return true;
  }
  for (const lwItem* item = node->items; item; item = item->next, ++row)
  {
    int count      = 0;
    double* values = number_list(reader, "correlation", item->value, &count);
    if (!values) return false;
    if (count != n || node->count != n)
    {
      lw_study_error(reader, node->place, "'correlation' must be one number or %d rows of %d", n,
                     n);
      return false;
    }
    memcpy(matrix + row * n, values, (size_t)n * sizeof *values);
  }
  return true;
}

// L L^T = matrix, in place; false: it is not a correlation matrix.
static bool cholesky_correlation(int n, double* m)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (m[i * n + j] != m[j * n + i] || (i == j && m[i * n + j] != 1)) return false;
  return lw_cholesky(n, n, m, 1e-12) == n;
}

static void read_group(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study = reader->study;
  GroupText text = {0};
  int i          = 0;
  if (!lw_document_fill(&reader->document, node, &group_table, &text, NULL)) return;
  int n = text.of->kind == LW_NODE_LIST ? text.of->count : 0;
  if (n < 2 || n > LW_STUDY_MAX_GROUP)
    return lw_study_error(reader, text.of->place, "'of' must be a list of 2 to %d parameters",
                          LW_STUDY_MAX_GROUP);
  lwGroup* group = &study->groups[study->group_count];
  group->count   = n;
  group->members = lw_keep_take(reader->keep, (size_t)n, sizeof *group->members);
  group->factor  = lw_keep_take(reader->keep, (size_t)n * (size_t)n, sizeof *group->factor);
  if (!group->members || !group->factor) return;
  for (const lwItem* item = text.of->items; item; item = item->next, ++i)
  {
    group->members[i] = find_parameter(reader, item->value);
    for (int g = 0; g <= study->group_count; ++g)
      for (int k = 0; k < (g < study->group_count ? study->groups[g].count : i); ++k)
        if (group->members[i] >= 0 && study->groups[g].members[k] == group->members[i])
          lw_study_error(reader, item->value->place, "'%s' is in a correlated group already",
                         item->value->text);
  }
  ++study->group_count;
  if (!read_correlations(reader, text.correlation, n, group->factor)) return;
  if (!cholesky_correlation(n, group->factor))
    lw_study_error(reader, text.correlation->place,
                   "this is no correlation matrix: expected ones on the diagonal, symmetric and "
                   "positive definite");
}

void lw_study_read_parameters(lwStudyReader* reader, lwNode* vary, lwNode* correlated)
{
  lwStudy* study = reader->study;
  if (!vary) return;
  if (vary->kind != LW_NODE_MAPPING || vary->count > LW_STUDY_MAX_PARAMETERS)
    return lw_study_error(reader, vary->place,
                          "'vary' must be a mapping of at most %d parameters by name",
                          LW_STUDY_MAX_PARAMETERS);
  study->parameters =
      lw_keep_take(reader->keep, (size_t)vary->count + 1, sizeof *study->parameters);
  if (!study->parameters) return;
  for (const lwItem* item = vary->items; item; item = item->next) read_parameter(reader, item);
  if (!correlated) return;
  if (correlated->kind != LW_NODE_LIST)
    return lw_study_error(reader, correlated->place, "'correlated' must be a list");
  study->groups = lw_keep_take(reader->keep, (size_t)correlated->count + 1, sizeof *study->groups);
  if (!study->groups) return;
  for (const lwItem* item = correlated->items; item; item = item->next)
    read_group(reader, item->value);
}

// --- sampling

enum
{
  AT_METHOD = 1,
  AT_SAMPLES,
  AT_SEED,
  AT_END
};

typedef struct SamplingText
{
  int method;
  double samples, seed;
} SamplingText;

static const lwKey sampling_keys[] = {
    LW_KEY(SamplingText, method, .words = LW_DESIGN_WORDS, .slot = AT_METHOD),
    LW_KEY(SamplingText, samples, .slot = AT_SAMPLES),
    LW_KEY(SamplingText, seed, .slot = AT_SEED),
};
static const lwTable sampling_table = LW_TABLE("a sampling", sampling_keys);

void lw_study_check_whole(lwStudyReader* reader, const char* key, double value, double least,
                          double most, lwPlace place)
{
  if (!(value >= least && value <= most && value == floor(value)))
    lw_study_error(reader, place, "'%s' must be a whole number from %g to %g, found %g", key, least,
                   most, value);
}

static void check_design(lwStudyReader* reader, lwPlace place)
{
  const lwStudy* study = reader->study;
  bool levels          = study->design == LW_DESIGN_FACTORIAL || study->design == LW_DESIGN_CORNERS;
  bool saltelli        = study->design == LW_DESIGN_SALTELLI;
  int most             = saltelli ? LW_SOBOL_DIMENSIONS / 2 : LW_SOBOL_DIMENSIONS;
  // The corners and levels of a box need one.
  if (levels)
  {
    for (int d = 0; d < study->parameter_count; ++d)
    {
      double low, high;
      lw_distribution_ends(&study->parameters[d].distribution, &low, &high);
      if (!isfinite(low) || !isfinite(high))
        lw_document_error(&reader->document, study->parameters[d].place,
                          "give 'within: [low, high]'",
                          "'%s' has no ends, which the design '%s' needs",
                          study->parameters[d].name, lw_design_word(study->design));
    }
  }
  if ((levels || saltelli) && study->group_count > 0)
    lw_study_error(reader, place,
                   "the design '%s' needs independent parameters, without 'correlated'",
                   lw_design_word(study->design));
  if ((saltelli || study->design == LW_DESIGN_SOBOL) && study->parameter_count > most)
    lw_document_error(&reader->document, place, "latin-hypercube and monte-carlo take more",
                      "the design '%s' takes at most %d parameters, found %d",
                      lw_design_word(study->design), most, study->parameter_count);
}

void lw_study_read_sampling(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study         = reader->study;
  SamplingText text      = {.method = LW_DESIGN_SOBOL, .samples = 1024, .seed = 1};
  lwPlace places[AT_END] = {{0}};
  if (node && !lw_document_fill(&reader->document, node, &sampling_table, &text, places)) return;
  lw_study_check_whole(reader, "samples", text.samples, 1, LW_STUDY_MAX_SAMPLES,
                       places[AT_SAMPLES]);
  lw_study_check_whole(reader, "seed", text.seed, 0, 9007199254740992.0, places[AT_SEED]);
  if (reader->document.errors > 0) return;
  lwPlace place = places[AT_METHOD].line > 0 ? places[AT_METHOD] : reader->document.root->place;
  study->design = (lwDesign)text.method;
  study->seed   = (uint64_t)text.seed;
  study->base   = (long)text.samples;
  study->sobol  = lw_keep_take(reader->keep, 1, sizeof *study->sobol);
  if (!study->sobol) return;
  lw_sobol_init(study->sobol);
  check_design(reader, place);
  bool few = lw_study_set_samples(study, 0, NULL) == LW_OK && study->samples > 0 &&
             study->samples <= LW_STUDY_MAX_SAMPLES;
  if (!few && reader->document.errors == 0)
    lw_study_error(reader, place, "the design '%s' has more than %d samples",
                   lw_design_word(study->design), LW_STUDY_MAX_SAMPLES);
}
