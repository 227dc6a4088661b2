// SPDX-License-Identifier: MIT
// Runs files through a fuzz target without libFuzzer: fuzz_replay FILES...
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum
{
  LARGEST = 1 << 20  // bytes of a seed
};

static int replay(const char* path)
{
  FILE* file = fopen(path, "rb");
  if (!file)
  {
    perror(path);
    return 1;
  }
  uint8_t* data = malloc(LARGEST);
  size_t size   = data ? fread(data, 1, LARGEST, file) : 0;
  fclose(file);
  printf("%s (%zu bytes)\n", path, size);
  fflush(stdout);  // shows which file it was if the target crashes
  // a copy of exactly this size, so that sanitizers notice reads beyond the end
  uint8_t* exact = malloc(size ? size : 1);
  for (size_t i = 0; exact && i < size; ++i) exact[i] = data[i];
  if (exact) LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  free(data);
  return 0;
}

int main(int count, char** arguments)
{
  int failed = 0;
  for (int i = 1; i < count; ++i) failed |= replay(arguments[i]);
  return failed;
}
