// DFlow's swap program as far as the sandbox needs it: swaps to the user's own account, another's, or as SOL.
//
// Discriminators, actions, terms, fixed accounts and errors are those of the vendor's IDL (swap_orchestrator 0.1.0, as
// read by others 2026-09-27); a genuine order of 2026-08-22 has the same layout. It wraps, makes accounts and trades at
// one kind of venue, which stands for the sandbox's pools. Where the accounts of actions stand is this program's own,
// since the IDL does not say: wrapping takes the wrapped account and the mint, making takes account, owner, mint and
// the mint's program, unwrapping takes the wrapped account, a trade takes a step of `runtime.h`.
//
// As the real one, it does not tie the output to the user: what the last trade's destination gained is measured. A trade
// of all ones takes what the one before brought.

#include "runtime.h"

#define SWAP 0xc88775e1919ec6f8ULL
#define SWAP_WITH_DESTINATION 0x65879cc54d18aca8ULL
#define SWAP_WITH_DESTINATION_NATIVE 0xc3c420f16c7f4dcdULL
#define ALL 0xffffffffffffffffULL
#define WHOLE 10000ULL
#define MOST_ACTIONS 16

// Anchor's errors, and the program's own.
enum { UNKNOWN = 101, DATA = 102, SIGNER = 3010, KEYS = 3005, FIXED = 2012,
       SLIPPAGE = 15001, NO_INPUT = 15004, DESTINATION = 15005 };
// Actions by their tags.
enum { TOKEN_SWAP = 28, RECORD_ID = 37, RECORD_ID_2 = 38, WRAP_SOL = 51, UNWRAP_SOL = 52, INIT_ATA = 60 };
enum { AT_TOKEN, AT_ASSOCIATED, AT_SYSTEM, AT_USER, AT_NAMED };

// Where the reading of data and accounts is, and what the last trade brought to `target`.
typedef struct { const Input *input; u64 data, next, gained; const Account *target; } Run;

INLINE const Account *at(const Run *run, u64 place) { return &run->input->account[place]; }

// Take `count` bytes of the data as a number; all ones in `failed` where they end.
INLINE u64 take(Run *run, u64 count, u64 *failed) {
  if (run->data + count > run->input->size) { *failed = DATA; return 0; }
  u64 value = read_bytes(run->input->data + run->data, count > 8 ? 8 : count);
  run->data += count;
  return value;
}

// The runtime tells a new size only in the copy that it was given.
INLINE void share_size(const Input *input, const Account *made) {
  u64 size = input->account[made->place].size;
  LOOP for (u64 i = 0; i < input->count; i++) {
    if (input->account[i].place == made->place && input->account[i].size > size) size = input->account[i].size;
  }
  LOOP for (u64 i = 0; i < input->count; i++) {
    if (input->account[i].place == made->place) input->account[i].size = size;
  }
}

// Make an owner's associated account where there is none; the user pays.
APART u64 make_account(const Run *run, const Account *account, const Account *owner, const Account *mint,
                       const Account *program) {
  const Input *input = run->input;
  u8 data[1];
  data[0] = 1;
  Role roles[6] = {{at(run, AT_USER)->key, 1, 1}, {account->key, 1, 0}, {owner->key, 0, 0}, {mint->key, 0, 0},
                   {at(run, AT_SYSTEM)->key, 0, 0}, {program->key, 0, 0}};
  u64 failed = invoke(input, at(run, AT_ASSOCIATED), roles, 6, data, 1, 0);
  if (!failed) share_size(input, account);
  return failed;
}

// Wrap lamports of the user's into an account of the user's own, made if need be.
APART u64 wrap(Run *run, u64 lamports) {
  const Account *user = at(run, AT_USER), *account = at(run, run->next), *mint = at(run, run->next + 1);
  if (run->next + 2 > run->input->count) return KEYS;
  run->next += 2;
  u64 failed = make_account(run, account, user, mint, at(run, AT_TOKEN));
  if (!failed) failed = transfer_lamports(run->input, at(run, AT_SYSTEM), user, account, lamports, 0);
  if (failed) return failed;
  u8 data[1];
  data[0] = 17;
  Role roles[1] = {{account->key, 1, 0}};
  return invoke(run->input, at(run, AT_TOKEN), roles, 1, data, 1, 0);
}

APART u64 trade(Run *run, u64 amount) {
  const Account *step = at(run, run->next), *target = step + STEP_DESTINATION;
  if (run->next + STEP > run->input->count) return KEYS;
  if (!same(step[STEP_OWNER].key, at(run, AT_USER)->key)) return KEYS;
  if (amount == ALL) amount = run->gained;
  if (!amount) return NO_INPUT;
  if (target->size < TOKEN_ACCOUNT_SIZE) return DESTINATION;
  u64 before = amount_of(target), failed = swap_step(run->input, run->next, amount, 0, 0);
  run->next += STEP;
  run->gained = amount_of(target) - before;
  run->target = target;
  return failed;
}

APART u64 act(Run *run) {
  u64 failed = 0, tag = take(run, 1, &failed);
  if (failed) return failed;
  if (tag == RECORD_ID) take(run, 76, &failed);
  else if (tag == RECORD_ID_2) take(run, 4, &failed);
  else if (tag == WRAP_SOL) {
    u64 lamports = take(run, 8, &failed);
    if (!failed) failed = wrap(run, lamports);
  } else if (tag == UNWRAP_SOL) {
    if (run->next >= run->input->count) return KEYS;
    const Account *user = at(run, AT_USER);
    failed = close_tokens(run->input, at(run, AT_TOKEN), at(run, run->next++), user, user, 0);
  } else if (tag == INIT_ATA) {
    const Account *first = at(run, run->next);
    if (run->next + 4 > run->input->count) return KEYS;
    run->next += 4;
    failed = make_account(run, first, first + 1, first + 2, first + 3);
  } else if (tag == TOKEN_SWAP) {
    u64 amount = take(run, 8, &failed);
    take(run, 1, &failed);
    if (!failed) failed = trade(run, amount);
  } else {
    return DATA;
  }
  return failed;
}

// Whether the accounts at the beginning are those that every swap has.
APART u64 check_fixed(const Run *run, u64 named) {
  const Input *input = run->input;
  u8 word[17], bump;
  Seed seeds[1];
  if (input->count < AT_NAMED + named + 2) return KEYS;
  if (!is_token_program(at(run, AT_TOKEN)) || !is_system_program(at(run, AT_SYSTEM))) return FIXED;
  if (!is_key(at(run, AT_ASSOCIATED)->key, 0xf189244e8f25978cULL, 0x830d8e1429103dbbULL, 0x8410ffda99135a0bULL,
              0x59f8e9dbd87b8e04ULL)) return FIXED;
  if (!at(run, AT_USER)->signer) return SIGNER;
  write_u64(word, 0x5f746e6576655f5fULL);
  write_u64(word + 8, 0x7469726f68747561ULL);
  word[16] = 'y';
  set_bytes(&seeds[0], word, 17);
  if (!is_derived(input, at(run, AT_NAMED + named), seeds, 1, &bump)) return FIXED;
  return same(at(run, AT_NAMED + named + 1)->key, input->self) ? 0 : KEYS;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input)) return KEYS;
  Run run = {&input, 0, 0, 0, 0};
  u64 failed = 0, kind = take(&run, 8, &failed), named = 0;
  if (kind == SWAP_WITH_DESTINATION) named = 3;
  else if (kind == SWAP_WITH_DESTINATION_NATIVE) named = 1;
  else if (kind != SWAP) return UNKNOWN;
  if (!failed) failed = check_fixed(&run, named);
  run.next = AT_NAMED + named + 2;
  u64 count = take(&run, 4, &failed);
  if (failed) return failed;
  if (count > MOST_ACTIONS) return DATA;
  LOOP for (u64 i = 0; i < count; i++) {
    failed = act(&run);
    if (failed) return failed;
  }
  u64 quoted = take(&run, 8, &failed), slippage = take(&run, 2, &failed), fee = take(&run, 2, &failed);
  if (failed || slippage > WHOLE || fee) return DATA;
  if (!run.target) return NO_INPUT;
  if (run.gained < quoted - share(quoted, slippage, WHOLE)) return SLIPPAGE;
  if (named == 3 && !same(run.target->key, at(&run, AT_NAMED)->key)) return DESTINATION;
  if (named != 1) return 0;
  // As SOL: what was wrapped before comes back to the user, and what was gained goes on.
  const Account *user = at(&run, AT_USER);
  u64 gained = run.gained;
  failed = close_tokens(&input, at(&run, AT_TOKEN), run.target, user, user, 0);
  return failed ? failed : transfer_lamports(&input, at(&run, AT_SYSTEM), user, at(&run, AT_NAMED), gained, 0);
}
