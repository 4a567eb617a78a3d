// Jupiter's two routes with an exact input, in the forms of its own interface description, over the sandbox's pools.
//
// `route_v2` trades from and to the user's own accounts, `shared_accounts_route_v2` through accounts of an address that
// is derived from a number. Both fail unless the account that is paid gains the quoted output less the slippage.
// Arguments: amount, quoted output (64 bits each), slippage, platform's fee, share of what is above the quote (16 bits
// each, in bps), the number of steps (32 bits) and the steps, of which nothing is read. The steps' accounts follow the
// instruction's own (`swap_step`).

#include "runtime.h"

enum { ACCOUNTS = 1, DATA = 2, SIGNER = 3, TOKENS = 4, PROGRAM = 5, WAY = 6, FEE = 7, SLIPPAGE = 6001 };
#define ROUTE 0x14afc431ccfa64bbULL
#define SHARED_ROUTE 0xe9d8fe7c935398d1ULL
#define ARGUMENTS 26
#define WHOLE 10000

typedef struct { u64 user, source, paid, mint_in, mint_out, program_in, program_out, event_authority, program; } Places;

INLINE void write_word(u8 *to) {  // "__event_authority"
  write_u64(to, 0x5f746e6576655f5fULL);
  write_u64(to + 8, 0x7469726f68747561ULL);
  to[16] = 'y';
}

INLINE u64 check(const Input *input, const Places *at) {
  const Account *accounts = input->account;
  const Account *mint_in = &accounts[at->mint_in], *mint_out = &accounts[at->mint_out];
  const Account *program_in = &accounts[at->program_in], *program_out = &accounts[at->program_out];
  if (!accounts[at->user].signer) return SIGNER;
  if (!is_token_program(program_in) || !is_token_program(program_out)) return TOKENS;
  if (!is_mint(mint_in, program_in) || !is_mint(mint_out, program_out)) return TOKENS;
  if (!is_tokens(&accounts[at->source], mint_in, program_in)) return TOKENS;
  if (!is_owned_by(&accounts[at->source], accounts[at->user].key)) return TOKENS;
  if (!is_tokens(&accounts[at->paid], mint_out, program_out)) return TOKENS;
  u8 word[17], bump;
  Seed seed;
  write_word(word);
  set_bytes(&seed, word, sizeof word);
  if (!same(accounts[at->program].key, input->self)) return PROGRAM;
  return is_derived(input, &accounts[at->event_authority], &seed, 1, &bump) ? 0 : PROGRAM;
}

// Trade through all steps from the place `first` on; what the last one pays is left in `amount`.
INLINE u64 trade(const Input *input, u64 first, u64 *amount, const Account *owner, const Signer *signer) {
  u64 count = (input->count - first) / STEP;
  if (!count || input->count != first + count * STEP) return ACCOUNTS;
  LOOP for (u64 i = 0; i < count; i++) {
    const Account *step = &input->account[first + i * STEP], *target = step + STEP_DESTINATION;
    if (!same(step[STEP_OWNER].key, owner->key) || target->size < TOKEN_ACCOUNT_SIZE) return WAY;
    if (i + 1 < count && !same(target->key, step[STEP + STEP_SOURCE].key)) return WAY;
    u64 before = amount_of(target);
    u64 failed = swap_step(input, first + i * STEP, *amount, 0, signer);
    if (failed) return failed;
    *amount = amount_of(target) - before;
  }
  return 0;
}

INLINE u64 last_of(const Input *input) { return input->count - STEP + STEP_DESTINATION; }

INLINE u64 route(const Input *input, const u8 *told, u64 *amount) {
  const Account *accounts = input->account;
  Places at = {0, 1, 2, 3, 4, 5, 6, 8, 9};
  if (!same(accounts[7].key, input->self)) at.paid = 7;
  u64 failed = check(input, &at);
  if (failed) return failed;
  if (!same(accounts[10 + STEP_SOURCE].key, accounts[1].key)) return WAY;
  if (!same(accounts[last_of(input)].key, accounts[at.paid].key)) return WAY;
  u64 held = amount_of(&accounts[at.paid]);
  *amount = read_u64(told);
  failed = trade(input, 10, amount, &accounts[0], 0);
  *amount = amount_of(&accounts[at.paid]) - held;
  return failed;
}

INLINE u64 shared_route(const Input *input, const u8 *told, u64 *amount) {
  const Account *accounts = input->account;
  Places at = {1, 2, 5, 6, 7, 8, 9, 10, 11};
  u64 failed = check(input, &at);
  if (failed) return failed;
  u8 word[9], number = input->data[8], bump;
  Seed seeds[3];
  write_u64(word, 0x7469726f68747561ULL);  // "authority"
  word[8] = 'y';
  set_bytes(&seeds[0], word, sizeof word);
  set_bytes(&seeds[1], &number, 1);
  if (!is_derived(input, &accounts[0], seeds, 2, &bump)) return PROGRAM;
  set_bytes(&seeds[2], &bump, 1);
  Signer signer = {seeds, 3};
  if (!same(accounts[12 + STEP_SOURCE].key, accounts[3].key)) return WAY;
  if (!same(accounts[last_of(input)].key, accounts[4].key)) return WAY;
  if (accounts[3].size < TOKEN_ACCOUNT_SIZE) return TOKENS;
  u64 had = amount_of(&accounts[3]), held = amount_of(&accounts[5]);
  failed = transfer_tokens(input, &accounts[8], &accounts[2], &accounts[6], &accounts[3], &accounts[1],
                           read_u64(told), 0);
  if (failed) return failed;
  *amount = amount_of(&accounts[3]) - had;
  failed = trade(input, 12, amount, &accounts[0], &signer);
  if (failed) return failed;
  failed = transfer_tokens(input, &accounts[9], &accounts[4], &accounts[7], &accounts[5], &accounts[0], *amount,
                           &signer);
  *amount = amount_of(&accounts[5]) - held;
  return failed;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || input.count < 12 + STEP - 2) return ACCOUNTS;
  if (input.size < 8 + ARGUMENTS) return DATA;
  u64 kind = read_u64(input.data);
  if (kind != ROUTE && kind != SHARED_ROUTE) return DATA;
  const u8 *told = input.data + 8 + (kind == SHARED_ROUTE);
  if (input.size < (u64)(told - input.data) + ARGUMENTS) return DATA;
  u64 quoted = read_u64(told + 8), slippage = read_bytes(told + 16, 2), amount = 0;
  if (slippage > WHOLE || !read_bytes(told + 22, 4)) return DATA;
  if (read_bytes(told + 18, 4)) return FEE;  // Fees need an account to pay them to, which these forms do not have.
  u64 failed = kind == ROUTE ? route(&input, told, &amount) : shared_route(&input, told, &amount);
  if (failed) return failed;
  return amount < quoted - share(quoted, slippage, WHOLE) ? SLIPPAGE : 0;
}
