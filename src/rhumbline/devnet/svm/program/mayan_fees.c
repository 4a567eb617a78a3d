// Mayan's fee manager, as far as SWIFT asks it: it answers the share of an order in basis points, as one byte.
//
// What is asked (124 bytes) and answered is as in a transaction of 2026-09-21 (slot 449137703), which was told 0. Here
// it is 3 for everybody, which is what Mayan's documentation says.

#include "runtime.h"

enum { NOT_KNOWN = 101, NOT_READ = 102, TOO_FEW = 3005 };

#define SWIFT_SHARE 0x982c32ea04d65e8bULL  // of "global:get_protocol_fee_rate_swift_v2"
#define DATA_SIZE 124

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input)) return TOO_FEW;
  if (input.size < 8 || read_u64(input.data) != SWIFT_SHARE) return NOT_KNOWN;
  if (input.size != DATA_SIZE) return NOT_READ;
  u8 answer[1];
  answer[0] = 3;
  sol_set_return_data(answer, 1);
  return 0;
}
