// Rise's program as far as the sandbox needs it: purchases and sales, through one of the sandbox's pools.
//
// Discriminators, data and accounts are those of github.com/riserich/rise-docs, idl/idl.json of 2026-06-13. The real
// program keeps a curve of its own, and mints; here a pool stands for it, whose accounts lie where that has others:
// the pool program at mayTenant, the pool at market, its authority at marketMeta, its vaults at liqVaultMain and
// revEscrowGroup. What the vendor's program answers below a minimum is not known.

#include "runtime.h"

#define BUY 0xf792a236145ff835ULL
#define SELL 0x5468a8c56d628d1bULL

enum { UNKNOWN = 101, DATA = 102, FIXED = 2006, SIGNER = 3010, KEYS = 3005, MINIMUM = 7000 };
enum { AT_USER, AT_MARKET = 2, AT_POOLS = 4, AT_META = 6 };
// Places that differ: of mints, accounts, vaults and token programs, what is paid in (main) and the token.
typedef struct { u64 count, size, token, main, token_account, main_account, main_vault, token_vault, main_program,
                 token_program, mayflower, events; } Places;

INLINE void set_role(const Input *input, u64 i, u64 place, u8 writable, u8 signer) {
  HEAP->role[i].key = input->account[place].key;
  HEAP->role[i].writable = writable;
  HEAP->role[i].signer = signer;
}

// Trade in the pool; `buys` tells which way.
APART u64 trade(const Input *input, const Places *at, int buys, u64 amount) {
  u8 data[17];
  data[0] = 1;
  write_u64(data + 1, amount);
  write_u64(data + 9, 0);
  set_role(input, 0, AT_MARKET, 0, 0);
  set_role(input, 1, AT_META, 0, 0);
  set_role(input, 2, buys ? at->main_vault : at->token_vault, 1, 0);
  set_role(input, 3, buys ? at->token_vault : at->main_vault, 1, 0);
  set_role(input, 4, buys ? at->main : at->token, 0, 0);
  set_role(input, 5, buys ? at->token : at->main, 0, 0);
  set_role(input, 6, buys ? at->main_program : at->token_program, 0, 0);
  set_role(input, 7, buys ? at->token_program : at->main_program, 0, 0);
  set_role(input, 8, buys ? at->main_account : at->token_account, 1, 0);
  set_role(input, 9, buys ? at->token_account : at->main_account, 1, 0);
  set_role(input, 10, AT_USER, 0, 1);
  return invoke(input, &input->account[AT_POOLS], HEAP->role, 11, data, sizeof data, 0);
}

APART int is_event_authority(const Input *input, const Account *account) {
  u8 word[17], bump;
  Seed seeds[1];
  write_u64(word, 0x5f746e6576655f5fULL);
  write_u64(word + 8, 0x7469726f68747561ULL);
  word[16] = 'y';
  set_bytes(&seeds[0], word, 17);
  return is_derived(input, account, seeds, 1, &bump);
}

APART void set_places(Places *at, int buys) {
  at->count = buys ? 24 : 23;
  at->size = buys ? 88 : 24;
  at->token = buys ? 9 : 8;
  at->main = at->token + 1;
  at->token_account = buys ? 11 : 10;
  at->main_account = buys ? 12 : 11;
  at->main_vault = buys ? 13 : 12;
  at->token_vault = at->main_vault + 1;
  at->main_program = at->main_vault + 3;
  at->token_program = at->main_vault + 4;
  at->mayflower = at->main_vault + 5;
  at->events = at->count - 2;
}

u64 entrypoint(const u8 *from) {
  Input input;
  Places at;
  if (!read_input(from, &input)) return KEYS;
  if (input.size < 8) return UNKNOWN;
  u64 kind = read_u64(input.data);
  if (kind != BUY && kind != SELL) return UNKNOWN;
  int buys = kind == BUY;
  set_places(&at, buys);
  if (input.size != at.size) return DATA;
  if (input.count != at.count) return KEYS;
  if (!input.account[AT_USER].signer) return SIGNER;
  if (!input.account[at.mayflower].executable || !same(input.account[at.events + 1].key, input.self)) return KEYS;
  if (!is_event_authority(&input, &input.account[at.events])) return FIXED;
  const Account *target = &input.account[buys ? at.token_account : at.main_account];
  if (target->size < TOKEN_ACCOUNT_SIZE) return KEYS;
  u64 before = amount_of(target), failed = trade(&input, &at, buys, read_u64(input.data + 8));
  if (failed) return failed;
  return amount_of(target) - before < read_u64(input.data + 16) ? MINIMUM : 0;
}
