// Relay's depository as far as deposits go: a signer's lamports or tokens go into the program's vault under the ID of
// an order, and an event tells of it. Withdrawals need the allocator's signature and are left out, and with them the
// state account, of which the address alone is compared here.
//
// Accounts, instructions, event and errors: relay-depository at 8c46f72d, packages/solana-vm/programs/relay-depository,
// an Anchor program (errors from 2000 on are Anchor's own, from 6000 on the program's), read 2026-11-22.

#include "runtime.h"

enum { NOT_KNOWN = 101, NOT_READ = 102, NOT_WRITABLE = 2000, SEEDS = 2006, TOKEN_OWNER = 2015, ASSOCIATED_ACCOUNT = 2009,
       TOO_FEW = 3005, NOT_THE_PROGRAM = 3008, NOT_SIGNED = 3010, WRONG_MINT = 6001, WRONG_TOKEN_PROGRAM = 6002,
       WRONG_HOLDER = 6010 };
enum { STATE, SENDER, DEPOSITOR, VAULT, SYSTEM_OF_NATIVE, NATIVE_COUNT };
enum { MINT = 4, SOURCE, HOLDER, TOKEN_PROGRAM, ASSOCIATED, SYSTEM_OF_TOKEN, TOKEN_COUNT };

// The first eight bytes of the hashes of "global:deposit_native", "global:deposit_token" and "event:DepositEvent".
#define DEPOSIT_NATIVE 0x061cd55fdf0d9e0dULL
#define DEPOSIT_TOKEN 0x13b4a327da609c0bULL
#define DEPOSITED 0x906b8e1f533df878ULL
#define DATA_SIZE 48  // what is called, the amount, 32 bytes of the order's ID
#define ID_OFFSET 16

APART u64 check_places(const Input *input) {
  Seed seed;
  u8 bump, word[16];
  write_u64(word, 0x65645f79616c6572ULL);  // "relay_depository"
  write_u64(word + 8, 0x79726f7469736f70ULL);
  set_bytes(&seed, word, 16);
  if (!is_derived(input, &input->account[STATE], &seed, 1, &bump)) return SEEDS;
  write_bytes(word, 0x746c756176ULL, 5);  // "vault"
  set_bytes(&seed, word, 5);
  if (!is_derived(input, &input->account[VAULT], &seed, 1, &bump)) return SEEDS;
  if (!input->account[SENDER].signer) return NOT_SIGNED;
  return input->account[SENDER].writable ? 0 : NOT_WRITABLE;
}

APART u64 tell(const Input *input, const Key *token, u64 amount) {
  u8 *event = HEAP->bytes, *at = event + 40;
  write_u64(event, DEPOSITED);
  LOOP for (u64 i = 0; i < 4; i++) write_u64(event + 8 + 8 * i, input->account[DEPOSITOR].key->word[i]);
  *at++ = token ? 1 : 0;
  if (token) {
    LOOP for (u64 i = 0; i < 4; i++) write_u64(at + 8 * i, token->word[i]);
    at += 32;
  }
  write_u64(at, amount);
  LOOP for (u64 i = 0; i < 32; i++) at[8 + i] = input->data[ID_OFFSET + i];
  Seed line;
  set_bytes(&line, event, (u64)(at + 40 - event));
  sol_log_data(&line, 1);
  return 0;
}

APART u64 deposit_native(const Input *input, u64 amount) {
  if (input->count < NATIVE_COUNT) return TOO_FEW;
  u64 wrong = check_places(input);
  if (wrong) return wrong;
  const Account *system = &input->account[SYSTEM_OF_NATIVE], *vault = &input->account[VAULT];
  if (!is_system_program(system)) return NOT_THE_PROGRAM;
  if (!vault->writable) return NOT_WRITABLE;
  u64 failed = transfer_lamports(input, system, &input->account[SENDER], vault, amount, 0);
  return failed ? failed : tell(input, 0, amount);
}

// Make the vault's token account, at the sender's cost.
APART u64 make_holder(const Input *input) {
  const Account *accounts = input->account;
  u8 data[1] = {0};
  Role roles[6] = {{accounts[SENDER].key, 1, 1}, {accounts[HOLDER].key, 1, 0}, {accounts[VAULT].key, 0, 0},
                   {accounts[MINT].key, 0, 0}, {accounts[SYSTEM_OF_TOKEN].key, 0, 0},
                   {accounts[TOKEN_PROGRAM].key, 0, 0}};
  return invoke(input, &accounts[ASSOCIATED], roles, 6, data, sizeof data, 0);
}

APART u64 deposit_token(const Input *input, u64 amount) {
  if (input->count < TOKEN_COUNT) return TOO_FEW;
  const Account *mint = &input->account[MINT], *source = &input->account[SOURCE], *holder = &input->account[HOLDER];
  const Account *program = &input->account[TOKEN_PROGRAM], *associated = &input->account[ASSOCIATED];
  const Account *sender = &input->account[SENDER];
  u64 wrong = check_places(input);
  if (wrong) return wrong;
  if (!is_token_program(program)) return WRONG_TOKEN_PROGRAM;
  if (!is_mint(mint, program)) return WRONG_MINT;
  if (!is_key(associated->key, 0xf189244e8f25978cULL, 0x830d8e1429103dbbULL, 0x8410ffda99135a0bULL,
              0x59f8e9dbd87b8e04ULL) || !is_system_program(&input->account[SYSTEM_OF_TOKEN])) return NOT_THE_PROGRAM;
  if (!source->writable || !holder->writable) return NOT_WRITABLE;
  if (!is_tokens(source, mint, program) || !is_owned_by(source, sender->key)) return TOKEN_OWNER;
  if (!is_associated(source, sender->key, mint, program, associated)) return ASSOCIATED_ACCOUNT;
  if (!holder->size) {
    wrong = make_holder(input);
    if (wrong) return wrong;
  }
  if (!is_associated(holder, input->account[VAULT].key, mint, program, associated)) return WRONG_HOLDER;
  u64 before = amount_of(holder);
  wrong = transfer_tokens(input, program, source, mint, holder, sender, amount, 0);
  return wrong ? wrong : tell(input, mint->key, amount_of(holder) - before);
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input)) return TOO_FEW;
  if (input.size < 8) return NOT_KNOWN;
  u64 called = read_u64(input.data);
  if (called != DEPOSIT_NATIVE && called != DEPOSIT_TOKEN) return NOT_KNOWN;
  if (input.size < DATA_SIZE) return NOT_READ;
  u64 amount = read_u64(input.data + 8);
  return called == DEPOSIT_NATIVE ? deposit_native(&input, amount) : deposit_token(&input, amount);
}
