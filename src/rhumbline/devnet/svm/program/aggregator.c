// An aggregator of the sandbox's pools: the pattern that programs in vendors' names are written by.
//
// Data: the number of steps (8 bits), the amount that goes in, the least that comes out (64 bits each).
// Accounts: the user, who signs; the token account in which the minimum is measured; then twelve for each step
// (`swap_step`). What a step brings goes into the next; the user's own accounts lie between them.

#include "runtime.h"

enum { ACCOUNTS = 1, DATA = 2, SIGNER = 3, DESTINATION = 4, WAY = 5, MINIMUM = 6 };
enum { AT_USER, AT_DESTINATION, AT_STEPS };

// Swap `amount` in step `i` and leave in it what `next` gained.
APART u64 step(const Input *input, u64 i, const Account *next, u64 *amount) {
  u64 before = amount_of(next);
  u64 failed = swap_step(input, AT_STEPS + i * STEP, *amount, 0, 0);
  *amount = amount_of(next) - before;
  return failed;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || input.count < AT_STEPS + STEP) return ACCOUNTS;
  if (input.size != 17) return DATA;
  u64 steps = input.data[0], amount = read_u64(input.data + 1), minimum = read_u64(input.data + 9);
  const Account *accounts = input.account, *user = &accounts[AT_USER], *target = &accounts[AT_DESTINATION];
  if (input.count != AT_STEPS + steps * STEP) return ACCOUNTS;
  if (!user->signer) return SIGNER;
  if (target->size < TOKEN_ACCOUNT_SIZE) return DESTINATION;
  u64 held = amount_of(target);
  LOOP for (u64 i = 0; i < steps; i++) {
    const Account *own = &accounts[AT_STEPS + i * STEP];
    const Account *next = i + 1 < steps ? own + STEP + STEP_SOURCE : target;
    if (!same(own[STEP_OWNER].key, user->key) || !same(own[STEP_DESTINATION].key, next->key)) return WAY;
    if (next->size < TOKEN_ACCOUNT_SIZE) return WAY;
    u64 failed = step(&input, i, next, &amount);
    if (failed) return failed;
  }
  return amount_of(target) - held < minimum ? MINIMUM : 0;
}
