// Mayan's proxy, through which its SDK makes every call: the first account is the program to call, and the others and
// the data are that program's own. Seen in a transaction of 2026-09-21 (slot 449137703).

#include "runtime.h"

enum { TOO_FEW = 3005, NOT_THE_PROGRAM = 3008 };

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || !input.count) return TOO_FEW;
  const Account *program = &input.account[0];
  if (!program->executable) return NOT_THE_PROGRAM;
  return invoke_with(&input, program, 1, input.count - 1, (u8 *)input.data, input.size, 0);
}
