// OKX's swap with the minimum of a business (`swap_tob`), in the form of its own interface description, over the
// sandbox's pools: it takes the input of the payer's account and fails unless the output account gains the expected
// output less the slippage.
// Arguments: order, amount, expected output (64 bits each), slippage (16 bits, in bps), the number of steps (32 bits),
// for each the kind of exchange (8 bits), its weight (16) and its place in the graph (8); then commission (32),
// platform's fee (16) and trim (8). The steps' accounts follow the instruction's sixteen (`swap_step`).

#include "runtime.h"

enum { ACCOUNTS = 1, DATA = 2, SIGNER = 3, TOKENS = 4, PROGRAM = 5, WAY = 6, FEE = 7, MINIMUM = 6001 };
enum { PAYER, SOURCE, DESTINATION, MINT_IN, MINT_OUT, COMMISSION, PLATFORM, PROGRAM_IN = 10, PROGRAM_OUT,
       EVENTS = 14, SELF, STEPS };
#define SWAP_TOB 0x351f5084b15529aaULL
#define WHOLE 10000
#define STEP_SIZE 4
#define HEAD 38
#define TAIL 7

INLINE void write_word(u8 *to) {  // "__event_authority"
  write_u64(to, 0x5f746e6576655f5fULL);
  write_u64(to + 8, 0x7469726f68747561ULL);
  to[16] = 'y';
}

INLINE u64 check(const Input *input) {
  const Account *at = input->account;
  if (!at[PAYER].signer) return SIGNER;
  if (!is_token_program(&at[PROGRAM_IN]) || !is_token_program(&at[PROGRAM_OUT])) return TOKENS;
  if (!is_mint(&at[MINT_IN], &at[PROGRAM_IN]) || !is_mint(&at[MINT_OUT], &at[PROGRAM_OUT])) return TOKENS;
  if (!is_tokens(&at[SOURCE], &at[MINT_IN], &at[PROGRAM_IN])) return TOKENS;
  if (!is_owned_by(&at[SOURCE], at[PAYER].key)) return TOKENS;
  if (!is_tokens(&at[DESTINATION], &at[MINT_OUT], &at[PROGRAM_OUT])) return TOKENS;
  u8 word[17], bump;
  Seed seed;
  write_word(word);
  set_bytes(&seed, word, sizeof word);
  if (!same(at[SELF].key, input->self) || !is_derived(input, &at[EVENTS], &seed, 1, &bump)) return PROGRAM;
  return 0;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || input.count < STEPS + STEP) return ACCOUNTS;
  if (input.size < HEAD + TAIL || read_u64(input.data) != SWAP_TOB) return DATA;
  u64 amount = read_u64(input.data + 16), expected = read_u64(input.data + 24);
  u64 slippage = read_bytes(input.data + 32, 2), steps = read_bytes(input.data + 34, 4);
  if (slippage > WHOLE || !steps || input.size != HEAD + steps * STEP_SIZE + TAIL) return DATA;
  if (input.count != STEPS + steps * STEP) return ACCOUNTS;
  if (read_bytes(input.data + input.size - TAIL, 6)) return FEE;  // Commissions have no account to be paid to here.
  u64 failed = check(&input);
  if (failed) return failed;
  const Account *at = input.account;
  if (!same(at[STEPS + STEP_SOURCE].key, at[SOURCE].key)) return WAY;
  if (!same(at[input.count - STEP + STEP_DESTINATION].key, at[DESTINATION].key)) return WAY;
  u64 held = amount_of(&at[DESTINATION]);
  LOOP for (u64 i = 0; i < steps; i++) {
    const Account *step = &at[STEPS + i * STEP], *target = step + STEP_DESTINATION;
    if (!same(step[STEP_OWNER].key, at[PAYER].key) || target->size < TOKEN_ACCOUNT_SIZE) return WAY;
    if (i + 1 < steps && !same(target->key, step[STEP + STEP_SOURCE].key)) return WAY;
    u64 before = amount_of(target);
    failed = swap_step(&input, STEPS + i * STEP, amount, 0, 0);
    if (failed) return failed;
    amount = amount_of(target) - before;
  }
  return amount_of(&at[DESTINATION]) - held < share(expected, WHOLE - slippage, WHOLE) ? MINIMUM : 0;
}
