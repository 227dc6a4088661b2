// SPDX-License-Identifier: MIT
// The begin of a program on an emulated Cortex-M: its vectors, the floating-point unit switched on,
// then the C library's start.
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

// Any fault: end with an error, by the semihosting call SYS_EXIT with a reason
// that is not ADP_Stopped_ApplicationExit.
static void fault(void)
{
  __asm__ volatile("mov r0, #0x18\n\tldr r1, =0x20023\n\tbkpt 0xAB");
  for (;;) continue;
}

__attribute__((section(".vectors"), used)) static const void* const vectors[16] = {
    &end_of_stack, begin, fault, fault, fault, fault, fault, 0, 0, 0, 0,
    fault,         fault, 0,     fault, fault};
