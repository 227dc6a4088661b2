// SPDX-License-Identifier: MIT
// The list of all methods, one line each; the registry and every table of kernels are made from it.
//   X(identifier, name, aliases, citation, order of growth, printed count)
#ifndef LW_KERNELS_METHOD_LIST_H
#define LW_KERNELS_METHOD_LIST_H

#define LW_ALIAS(name)                                                                             \
  (const char* const[])                                                                            \
  {                                                                                                \
    name, NULL                                                                                     \
  }
#define LW_NO_ALIAS                                                                                \
  (const char* const[])                                                                            \
  {                                                                                                \
    NULL                                                                                           \
  }

#define LW_NOT_PRINTED                                                                             \
  {                                                                                                \
    {0}, {0}, NULL                                                                                 \
  }

#define LW_INVERSE_METHODS(X)                                                                      \
  X(newton_euler, "newton-euler", LW_ALIAS("rnea"),                                                \
    "Luh, Walker & Paul 1980; swartz1982 (1)-(10)", "n",                                           \
    {{-48, 150}, {-48, 131}, "Luh, Walker & Paul; mata2002 table 1"})                              \
  X(newton_euler_grouped, "newton-euler-grouped", LW_NO_ALIAS,                                     \
    "Khalil & Kleinfinger 1987; Gautier & Khalil 1990; Luh, Walker & Paul 1980", "n",              \
    LW_NOT_PRINTED)                                                                                \
  X(lagrange_uicker_kahn, "lagrange-uicker-kahn", LW_NO_ALIAS,                                     \
    "Uicker 1965; Kahn 1969; silver1981 (1.2)", "n^4", LW_NOT_PRINTED)                             \
  X(lagrange_hollerbach_4x4, "lagrange-hollerbach-4x4", LW_NO_ALIAS, "Hollerbach 1980", "n",       \
    {{-592, 830}, {-464, 675}, "Hollerbach 1980"})                                                 \
  X(lagrange_hollerbach_3x3, "lagrange-hollerbach-3x3", LW_NO_ALIAS, "Hollerbach 1980", "n",       \
    {{-277, 412}, {-201, 320}, "Hollerbach 1980"})                                                 \
  X(lagrange_omega, "lagrange-omega", LW_NO_ALIAS, "silver1981 (3.11)-(3.16)", "n",                \
    LW_NOT_PRINTED)                                                                                \
  X(gibbs_appell, "gibbs-appell", LW_NO_ALIAS, "mata2002, section 4.1", "n",                       \
    {{-101, 96}, {-100, 84}, "mata2002 table 1"})                                                  \
  X(kane, "kane", LW_NO_ALIAS, "Kane & Levinson 1983; Angeles, Ma & Rojas 1989", "n",              \
    {{-109, 105}, {-105, 90}, "Angeles, Ma & Rojas; mata2002 table 1"})                            \
  X(balafoutis_patel, "balafoutis-patel", LW_NO_ALIAS, "Balafoutis & Patel 1991", "n",             \
    {{-69, 93}, {-66, 81}, "Balafoutis & Patel; mata2002 table 1"})                                \
  X(closed_form, "closed-form", LW_NO_ALIAS, "grigorov2013 (12)", "n^3", LW_NOT_PRINTED)           \
  X(stepanenko_vukobratovic, "stepanenko-vukobratovic", LW_NO_ALIAS,                               \
    "Stepanenko & Vukobratovic 1976, by silver1981 section 1.3", "n", LW_NOT_PRINTED)              \
  X(orin_mcghee, "orin-mcghee", LW_NO_ALIAS,                                                       \
    "Orin, McGhee, Vukobratovic & Hartoch 1979, by silver1981 section 1.3", "n", LW_NOT_PRINTED)   \
  X(vukobratovic_potkonjak, "vukobratovic-potkonjak", LW_NO_ALIAS,                                 \
    "Vukobratovic & Potkonjak 1982, by mata2002 (17)", "n^3", LW_NOT_PRINTED)                      \
  X(gibbs_appell_sum, "gibbs-appell-sum", LW_NO_ALIAS, "mata2002 (13)", "n^2", LW_NOT_PRINTED)     \
  X(reference_newton_euler, "reference-newton-euler", LW_NO_ALIAS,                                 \
    "Luh, Walker & Paul 1980; swartz1982 (1)-(10)", "n", LW_NOT_PRINTED)                           \
  X(reference_gibbs_appell, "reference-gibbs-appell", LW_NO_ALIAS, "mata2002, section 4.1", "n",   \
    LW_NOT_PRINTED)                                                                                \
  X(reference_kane, "reference-kane", LW_NO_ALIAS, "Kane & Levinson 1983", "n^2", LW_NOT_PRINTED)

#define LW_INERTIA_METHODS(X)                                                                      \
  X(composite_body, "composite-body", LW_ALIAS("crba"),                                            \
    "Walker & Orin 1982, method 3; Featherstone 2008, table 6.2", "n^2",                           \
    {{-27, 56, 12}, {-56, 67, 7}, "Walker & Orin; mata2002 table 2"})                              \
  X(walker_orin_1, "walker-orin-1", LW_NO_ALIAS, "Walker & Orin 1982, method 1; swartz1982",       \
    "n^2", LW_NOT_PRINTED)                                                                         \
  X(walker_orin_2, "walker-orin-2", LW_NO_ALIAS, "Walker & Orin 1982, method 2", "n^2",            \
    LW_NOT_PRINTED)                                                                                \
  X(walker_orin_3, "walker-orin-3", LW_NO_ALIAS,                                                   \
    "Walker & Orin 1982, method 3; swartz1982 (16)-(26)", "n^2",                                   \
    {{-27, 56, 12}, {-56, 67, 7}, "Walker & Orin; mata2002 table 2"})                              \
  X(orthogonal_complement, "orthogonal-complement", LW_ALIAS("noc"), "Angeles & Ma 1988", "n^3",   \
    {{8, -21, 17, 1}, {5, -16, 14, 1}, "Angeles & Ma; mata2002 table 2"})                          \
  X(common_frame, "common-frame", LW_NO_ALIAS, "Walker & Orin 1982, method 3, in one frame",       \
    "n^2", LW_NOT_PRINTED)                                                                         \
  X(gibbs_appell_inertia, "gibbs-appell", LW_NO_ALIAS, "mata2002, section 4.2", "n^2",             \
    {{-49, 19.5, 11.5}, {-69, 31.5, 8.5}, "mata2002 table 2"})                                     \
  X(closed_form_inertia, "closed-form", LW_NO_ALIAS, "grigorov2013 (10)", "n^3", LW_NOT_PRINTED)   \
  X(gibbs_appell_inertia_sum, "gibbs-appell-sum", LW_NO_ALIAS, "mata2002 (21)", "n^3",             \
    LW_NOT_PRINTED)                                                                                \
  X(reference_composite_body, "reference-composite-body", LW_NO_ALIAS,                             \
    "Walker & Orin 1982, method 3; Featherstone 2008, table 6.2", "n^2", LW_NOT_PRINTED)

// Printed counts of forward dynamics through each of them. mata2002 table 4 has numbers for n = 6
// only of two others, 1627 and 1261 through composite bodies (with 7n^2 + 67n - 53 additions,
// erratum 1-21), 1353 and 1165 through the orthogonal complement.
#define LW_PRINTED_THROUGH_composite_body           LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_walker_orin_1            LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_walker_orin_2            LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_walker_orin_3            LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_orthogonal_complement    LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_common_frame             LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_closed_form_inertia      LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_gibbs_appell_inertia_sum LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_reference_composite_body LW_NOT_PRINTED
#define LW_PRINTED_THROUGH_gibbs_appell_inertia                                                    \
  {                                                                                                \
    {-157, 695.0 / 6, 13, 1.0 / 6}, {-174, 683.0 / 6, 10, 1.0 / 6}, "mata2002 table 3"             \
  }

// Forward dynamics without an inertia matrix. Every inertia method gives one more, of its own name.
#define LW_FORWARD_METHODS(X)                                                                      \
  X(articulated_body, "articulated-body", LW_ALIAS("aba"),                                         \
    "Featherstone 1983; Featherstone 2008, table 7.1", "n",                                        \
    {{-267, 300}, {-259, 279}, "Featherstone 1987; mata2002 table 4 (n = 6)"})                     \
  X(walker_orin_4, "walker-orin-4", LW_NO_ALIAS, "Walker & Orin 1982, method 4", "n^3",            \
    LW_NOT_PRINTED)                                                                                \
  X(vereshchagin, "vereshchagin", LW_NO_ALIAS,                                                     \
    "Vereshchagin 1974, by mata2002 section 1 and the documentation of Orocos KDL", "n",           \
    LW_NOT_PRINTED)                                                                                \
  X(armstrong, "armstrong", LW_NO_ALIAS,                                                           \
    "Armstrong 1979; Armstrong & Green 1985; grigorov2013 section 1", "n", LW_NOT_PRINTED)         \
  X(saha, "saha", LW_NO_ALIAS, "Saha 1997, by mata2002 section 1", "n", LW_NOT_PRINTED)            \
  X(reference_articulated_body, "reference-articulated-body", LW_NO_ALIAS,                         \
    "Featherstone 2008, table 7.1", "n", LW_NOT_PRINTED)

// Derivatives of inverse dynamics. Each gives those of forward dynamics, too, under the same name.
// The first is the default.
#define LW_DERIVATIVE_METHODS(X)                                                                   \
  X(singh_russell_wensing, "singh-russell-wensing", LW_ALIAS("closed-form"),                       \
    "Singh, Russell & Wensing 2022", "n^2", LW_NOT_PRINTED)                                        \
  X(newton_euler_derivatives, "newton-euler", LW_ALIAS("rnea"),                                    \
    "Luh, Walker & Paul 1980, differentiated; Carpentier & Mansard 2018", "n^2", LW_NOT_PRINTED)

// Questions with methods of their own: X(identifier, name, aliases, citation,
// order of growth, printed count, question)
#define LW_FURTHER_METHODS(X)                                                                      \
  X(inertia_inverse, "composite-body", LW_ALIAS("crba"),                                           \
    "Walker & Orin 1982, method 3; Featherstone 2008, tables 6.2-6.5", "n^3", LW_NOT_PRINTED,      \
    LW_QUESTION_INERTIA_INVERSE)                                                                   \
  X(articulated_inverse, "articulated-body", LW_NO_ALIAS, "Featherstone 2008, table 7.1", "n^2",   \
    LW_NOT_PRINTED, LW_QUESTION_INERTIA_INVERSE)                                                   \
  X(coriolis_matrix, "echeandia-wensing", LW_NO_ALIAS, "Echeandia & Wensing 2021", "n^2",          \
    LW_NOT_PRINTED, LW_QUESTION_CORIOLIS_MATRIX)                                                   \
  X(centroidal, "orin-goswami-lee", LW_NO_ALIAS, "Orin, Goswami & Lee 2013", "n", LW_NOT_PRINTED,  \
    LW_QUESTION_CENTROIDAL)                                                                        \
  X(jacobian_rate, "newton-euler", LW_ALIAS("rnea"), "Luh, Walker & Paul 1980", "n",               \
    LW_NOT_PRINTED, LW_QUESTION_JACOBIAN_RATE)                                                     \
  X(regressor, "atkeson-an-hollerbach", LW_NO_ALIAS, "Atkeson, An & Hollerbach 1986", "n^2",       \
    LW_NOT_PRINTED, LW_QUESTION_REGRESSOR)

// Joints from which on M^-1 and M^-1 B come from articulated bodies instead of composite bodies and
// factors: faster from 16 to 20 on, and as accurate from 25 on. Operation counts of shorter chains
// are polynomials in n (linkwork count).
enum
{
  LW_PANELS_FROM = 25
};

// Motion of a snake. The first is the default.
#define LW_SNAKE_METHODS(X)                                                                        \
  X(snake_kane_linear, "kane-linear", LW_NO_ALIAS, "nia2005 (8) in closed form", "n",              \
    LW_NOT_PRINTED)                                                                                \
  X(snake_kane, "kane", LW_NO_ALIAS, "nia2005 (6)-(21)", "n^2",                                    \
    {{-21, 48.5, 7.5}, {-27, 24, 3}, "nia2005 table I, formulas swapped back"})                    \
  X(snake_lagrange, "lagrange", LW_NO_ALIAS, "nia2005 (22)-(27)", "n^3",                           \
    {{-11, 19.5, 15.5, 3}, {-2, 15.5, 11, 1.5}, "nia2005 table I"})                                \
  X(snake_newton_euler, "newton-euler", LW_NO_ALIAS,                                               \
    "Walker & Orin 1982, method 3; nia2005 section V", "n^3",                                      \
    {{-43, 617.0 / 3, 25, 4.0 / 3},                                                                \
     {-50, 1057.0 / 6, 16.5, 4.0 / 3},                                                             \
     "nia2005 table I, formulas swapped back"})                                                    \
  X(reference_snake, "reference-snake", LW_NO_ALIAS, "nia2005 (6)-(14)", "n", LW_NOT_PRINTED)

// Kernels that answer a question in one way only.
#define LW_SINGLE_KERNELS(X)                                                                       \
  X(energy)                                                                                        \
  X(pose)                                                                                          \
  X(jacobian)                                                                                      \
  X(reactions)                                                                                     \
  X(gravity) X(pushed_torques) X(gibbs) X(poses) X(velocities) X(accelerations) X(control)

// Index of every kernel in the tables of table.c and registry.c.
#define LW_KERNEL_INDEX(id, ...)         LW_KERNEL_##id,
#define LW_FORWARD_KERNEL_INDEX(id, ...) LW_KERNEL_forward_##id,
enum
{
  LW_INVERSE_METHODS(LW_KERNEL_INDEX) LW_INERTIA_METHODS(LW_KERNEL_INDEX)
      LW_FORWARD_METHODS(LW_KERNEL_INDEX) LW_INERTIA_METHODS(LW_FORWARD_KERNEL_INDEX)
          LW_DERIVATIVE_METHODS(LW_KERNEL_INDEX) LW_DERIVATIVE_METHODS(LW_FORWARD_KERNEL_INDEX)
              LW_FURTHER_METHODS(LW_KERNEL_INDEX) LW_METHOD_COUNT,
  LW_KERNEL_BEFORE_SINGLE = LW_METHOD_COUNT - 1,
  LW_SINGLE_KERNELS(LW_KERNEL_INDEX) LW_KERNEL_COUNT
};
enum
{
  LW_SNAKE_METHODS(LW_KERNEL_INDEX) LW_SNAKE_METHOD_COUNT
};
#undef LW_KERNEL_INDEX
#undef LW_FORWARD_KERNEL_INDEX

#endif
