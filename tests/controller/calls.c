// SPDX-License-Identifier: MIT
// Counts the instructions of a call of generated code: the emulator runs one instruction per
// nanosecond (-icount shift=0), and the processor's timer runs at 25 MHz, so a tick is 40
// instructions.
#include <stdint.h>
#include <stdio.h>

#include "arm.h"

enum
{
  DOF      = ROBOT_DOF,
  CALLS    = 2000,
  PER_TICK = 40
};

static volatile uint32_t* const timer = (volatile uint32_t*)0xE000E010;  // control, reload, value

static float q[DOF], qd[DOF], qdd[DOF], tau[DOF], M[DOF * DOF];

static void call_nothing(void)
{
  __asm__ volatile("" ::: "memory");
}

static void call_inverse(void)
{
  arm_inverse(q, qd, qdd, tau);
}

static void call_inertia(void)
{
  arm_inertia(q, M);
}

static void call_forward(void)
{
  arm_forward(q, qd, tau, qdd);
}

static void call_gravity(void)
{
  arm_gravity(q, tau);
}

static long ticks_of(void (*call)(void))
{
  timer[1]        = 0xFFFFFF;
  timer[2]        = 0;
  timer[0]        = 5;  // enable, with the processor's clock
  uint32_t before = timer[2];
  for (int i = 0; i < CALLS; ++i)
  {
    for (int k = 0; k < DOF; ++k) q[k] = 0.1f * (float)((i + 7 * k) % 60) - 3.0f;
    for (int k = 0; k < DOF; ++k) qd[k] = qdd[k] = tau[k] = 0.5f;
    call();
  }
  return (long)((before - timer[2]) & 0xFFFFFF);
}

int main(void)
{
  static const struct
  {
    const char* name;
    void (*call)(void);
  } questions[] = {{"inverse", call_inverse},
                   {"inertia", call_inertia},
                   {"forward", call_forward},
                   {"gravity", call_gravity}};
  long nothing  = ticks_of(call_nothing);
  for (unsigned k = 0; k < sizeof questions / sizeof *questions; ++k)
    printf("%s %ld\n", questions[k].name,
           (ticks_of(questions[k].call) - nothing) * PER_TICK / CALLS);
  return 0;
}
