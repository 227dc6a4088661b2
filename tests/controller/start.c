// SPDX-License-Identifier: MIT
// Start-up code for an emulated Cortex-M: the vector table, enabling the floating-point unit, then
// the C library's start-up.
#include <stdint.h>

extern uint32_t end_of_stack;
extern void _start(void);  // of newlib, with files and exit by semihosting

static void begin(void)
{
  volatile uint32_t* coprocessors = (volatile uint32_t*)0xE000ED88;
  *coprocessors |= 0xFu << 20;
  __asm__ volatile("dsb\n\tisb");
  _start();
}

// Any fault ends the program with an error, by the semihosting call SYS_EXIT with a reason other
// than ADP_Stopped_ApplicationExit.
static void fault(void)
{
  __asm__ volatile("mov r0, #0x18\n\tldr r1, =0x20023\n\tbkpt 0xAB");
  for (;;) continue;
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &end_of_stack, begin, fault, fault, fault, fault, fault, 0, 0, 0, 0,
    fault,         fault, 0,     fault, fault};
