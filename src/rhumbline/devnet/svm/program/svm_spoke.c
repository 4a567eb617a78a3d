// The SvmSpoke of Across as far as the sandbox needs it: deposits, fills, and refunds.
//
// Discriminators, data, accounts, derived addresses, events and errors are those of across-protocol/contracts,
// programs/svm-spoke at 8ab0730 of 2026-06-11, read 2026-11-22. Unlike the real one it makes no token accounts, takes
// fills with their data in the instruction only, runs no handlers, and refunds at its owner's word, without the hub's
// root bundles: a refund's data are amount, receiver, numbers of bundle and leaf.

#include "runtime.h"

extern u64 sol_keccak256(const Seed *, u64 count, u8 *hash);

#define INITIALIZE 0xed9b980d1f6dafafULL
#define DEPOSIT 0xb6f2e15289c623f2ULL
#define FILL_RELAY 0xde3ad16a5ade5464ULL
#define REFUND 0xa47b447ff09f881bULL
#define EVENT 0x1d9acb512ea545e4ULL
#define FUNDS_DEPOSITED 0x4403643b5f64d19dULL
#define FILLED_RELAY 0x75a0633200b63a19ULL
#define EXECUTED_REFUNDS 0xf0040322aff8a7c6ULL
#define IS_STATE 0xb1b64b685e6b92d8ULL
#define IS_FILL 0x89b2931823585969ULL

// What Anchor answers, and the program itself.
enum { UNKNOWN = 101, DATA = 102, NOT_WRITABLE = 2000, SEEDS = 2006, ASSOCIATED = 2009, KEYS = 3005, SIGNER = 3010,
       QUOTE_TIME = 6000, FILL_DEADLINE = 6001, EXCLUSIVE = 6002, FILLED = 6004, EXPIRED = 6006, PAUSED = 6011,
       NO_RELAYER = 6014, NO_TOKEN = 6015, NOT_OWNER = 6000, RELAY_HASH = 6001, MINT = 6007, DELEGATE = 6017 };

// The state: its kind, two switches, owner, seed, deposits, chain, time, domain, admin, bundles, two buffers.
#define STATE_SIZE 114
#define OWNER 10
#define DEPOSITS 50
#define CHAIN 54
#define QUOTE_BUFFER 106
#define FILL_BUFFER 110
#define LONGEST_SPAN 31536000
// A fill's account: its kind, status, relayer, deadline.
#define FILL_SIZE 45
#define STATUS_FILLED 2
#define MOST_EVENT 900

INLINE void copy(u8 *to, const u8 *from, u64 size) { LOOP for (u64 i = 0; i < size; i++) to[i] = from[i]; }

INLINE int is_zero(const u8 *at) { return is_key((const Key *)at, 0, 0, 0, 0); }

APART u64 now(void) {
  u64 clock[5];
  return sol_get_clock_sysvar(clock) ? 0 : clock[4];
}

// Whether an account is the state of this pool; `bump` is the seed to add for signing.
APART int is_state(const Input *input, const Account *account, u8 *bump) {
  u64 zero = 0;
  u8 word[5];
  word[0] = 's'; word[1] = 't'; word[2] = 'a'; word[3] = 't'; word[4] = 'e';
  Seed seeds[2];
  set_bytes(&seeds[0], word, 5);
  set_bytes(&seeds[1], (const u8 *)&zero, 8);
  return is_derived(input, account, seeds, 2, bump);
}

// Whether an account is this pool's event authority; it signs with one seed more, the bump.
APART int is_event_authority(const Input *input, const Account *account, u8 *word, u8 *bump) {
  word[0] = '_'; word[1] = '_'; word[2] = 'e'; word[3] = 'v'; word[4] = 'e'; word[5] = 'n'; word[6] = 't';
  word[7] = '_'; word[8] = 'a'; word[9] = 'u'; word[10] = 't'; word[11] = 'h'; word[12] = 'o'; word[13] = 'r';
  word[14] = 'i'; word[15] = 't'; word[16] = 'y';
  Seed seeds[1];
  set_bytes(&seeds[0], word, 17);
  return is_derived(input, account, seeds, 1, bump);
}

// Tell an event of `size` bytes, which lie in the heap behind room for its names, in a call of itself.
APART u64 tell(const Input *input, u64 authority, u64 event, u64 size) {
  u8 word[17], bump;
  const Account *signing = &input->account[authority], *program = signing + 1;
  if (!is_event_authority(input, signing, word, &bump)) return SEEDS;
  if (!same(program->key, input->self)) return KEYS;
  write_u64(HEAP->bytes, EVENT);
  write_u64(HEAP->bytes + 8, event);
  Seed seeds[2];
  set_bytes(&seeds[0], word, 17);
  set_bytes(&seeds[1], &bump, 1);
  Signer signer = {seeds, 2};
  Role roles[1] = {{signing->key, 0, 1}};
  return invoke(input, program, roles, 1, HEAP->bytes, 16 + size, &signer);
}

typedef struct { const Account *program, *from, *mint, *to, *delegate; u64 amount; } Move;

// Move tokens by the delegate that is derived from the hash of `data`: for anything else there is no such leave.
APART u64 take(const Input *input, const Move *move, const u8 *data, u64 size) {
  u8 hash[32], word[8], bump;
  Seed seeds[3];
  set_bytes(&seeds[0], data, size);
  if (sol_keccak256(seeds, 1, hash)) return DATA;
  word[0] = 'd'; word[1] = 'e'; word[2] = 'l'; word[3] = 'e'; word[4] = 'g'; word[5] = 'a'; word[6] = 't'; word[7] = 'e';
  set_bytes(&seeds[0], word, 8);
  set_bytes(&seeds[1], hash, 32);
  if (!is_derived(input, move->delegate, seeds, 2, &bump)) return DELEGATE;
  set_bytes(&seeds[2], &bump, 1);
  Signer signer = {seeds, 3};
  return transfer_tokens(input, move->program, move->from, move->mint, move->to, move->delegate, move->amount, &signer);
}

// Accounts: who pays and owns, state, System Program. Data: seed, deposits, chain, domain, admin, two buffers.
APART u64 initialize(const Input *input) {
  const u8 *data = input->data + 8;
  Account *accounts = input->account;
  u8 bump, word[5];
  u64 zero = 0;
  if (input->count < 3) return KEYS;
  if (input->size != 8 + 8 + 4 + 8 + 4 + 32 + 4 + 4 || read_u64(data)) return DATA;
  if (!accounts[0].signer) return SIGNER;
  if (!is_state(input, &accounts[1], &bump) || accounts[1].size) return SEEDS;
  word[0] = 's'; word[1] = 't'; word[2] = 'a'; word[3] = 't'; word[4] = 'e';
  Seed seeds[3];
  set_bytes(&seeds[0], word, 5);
  set_bytes(&seeds[1], (const u8 *)&zero, 8);
  set_bytes(&seeds[2], &bump, 1);
  Signer signer = {seeds, 3};
  u64 failed = create_account(input, &accounts[2], &accounts[0], &accounts[1], STATE_SIZE, &signer);
  if (failed) return failed;
  u8 *state = accounts[1].data;
  write_u64(state, IS_STATE);
  copy(state + OWNER, (const u8 *)accounts[0].key, 32);
  copy(state + DEPOSITS, data + 8, 4);
  copy(state + CHAIN, data + 12, 8);
  copy(state + QUOTE_BUFFER, data + 56, 8);
  return 0;
}

enum { AT_SIGNER, AT_STATE, AT_DELEGATE, AT_SOURCE, AT_VAULT, AT_MINT, AT_TOKENS, AT_ASSOCIATED, AT_SYSTEM, AT_TELLS };

// Data: depositor, recipient, input and output token, input amount, output amount (256 bits, the highest byte first),
// destination, exclusive relayer, quote's time, fill's deadline, exclusivity, message.
APART u64 deposit(const Input *input) {
  const u8 *data = input->data + 8;
  Account *accounts = input->account;
  u8 bump;
  if (input->count < 11) return KEYS;
  if (input->size < 8 + 224) return DATA;
  u64 message = read_bytes(data + 220, 4);
  if (input->size != 8 + 224 + message || message > MOST_EVENT - 300) return DATA;
  Account *state = &accounts[AT_STATE];
  if (!accounts[AT_SIGNER].signer) return SIGNER;
  if (!is_state(input, state, &bump) || !same(state->owner, input->self)) return SEEDS;
  if (!state->writable || !accounts[AT_SOURCE].writable || !accounts[AT_VAULT].writable) return NOT_WRITABLE;
  if (state->data[8]) return PAUSED;
  const Account *mint = &accounts[AT_MINT], *tokens = &accounts[AT_TOKENS], *associated = &accounts[AT_ASSOCIATED];
  if (!is_token_program(tokens) || !is_mint(mint, tokens) || !same(mint->key, (const Key *)(data + 64))) return MINT;
  if (!is_associated(&accounts[AT_SOURCE], (const Key *)data, mint, tokens, associated)) return ASSOCIATED;
  if (!is_associated(&accounts[AT_VAULT], state->key, mint, tokens, associated)) return ASSOCIATED;
  if (!is_tokens(&accounts[AT_SOURCE], mint, tokens) || !is_tokens(&accounts[AT_VAULT], mint, tokens)) return ASSOCIATED;
  u64 time = now(), quoted = read_bytes(data + 208, 4), deadline = read_bytes(data + 212, 4);
  u64 exclusivity = read_bytes(data + 216, 4);
  if (is_zero(data + 96)) return NO_TOKEN;
  if (quoted > time || time - quoted > read_bytes(state->data + QUOTE_BUFFER, 4)) return QUOTE_TIME;
  if (deadline > time + read_bytes(state->data + FILL_BUFFER, 4)) return FILL_DEADLINE;
  if (exclusivity) {
    if (exclusivity <= LONGEST_SPAN) exclusivity += time;
    if (is_zero(data + 176)) return NO_RELAYER;
  }
  Move move = {tokens, &accounts[AT_SOURCE], mint, &accounts[AT_VAULT], &accounts[AT_DELEGATE], read_u64(data + 128)};
  u64 failed = take(input, &move, data, input->size - 8);
  if (failed) return failed;
  u64 number = read_bytes(state->data + DEPOSITS, 4) + 1;
  write_bytes(state->data + DEPOSITS, number, 4);
  u8 *event = HEAP->bytes + 16;
  copy(event, data + 64, 64 + 8 + 32 + 8);
  LOOP for (u64 i = 0; i < 28; i++) event[112 + i] = 0;
  LOOP for (u64 i = 0; i < 4; i++) event[140 + i] = (u8)(number >> (8 * (3 - i)));
  copy(event + 144, data + 208, 8);
  write_bytes(event + 152, exclusivity, 4);
  copy(event + 156, data, 64);
  copy(event + 220, data + 176, 32);
  copy(event + 252, data + 220, 4 + message);
  return tell(input, AT_TELLS, FUNDS_DEPOSITED, 256 + message);
}

enum { FILL_SIGNER, FILL_PARAMS, FILL_STATE, FILL_DELEGATE, FILL_MINT, FILL_SOURCE, FILL_TARGET, FILL_STATUS,
       FILL_TOKENS, FILL_ASSOCIATED, FILL_SYSTEM, FILL_TELLS };

// Make the account in which a fill is kept, unless it is there; the status that it has.
APART u64 fill_account(const Input *input, const u8 *hash, u64 *status) {
  u8 word[5], bump;
  Account *account = &input->account[FILL_STATUS];
  word[0] = 'f'; word[1] = 'i'; word[2] = 'l'; word[3] = 'l'; word[4] = 's';
  Seed seeds[3];
  set_bytes(&seeds[0], word, 5);
  set_bytes(&seeds[1], hash, 32);
  if (!is_derived(input, account, seeds, 2, &bump)) return SEEDS;
  if (account->size == FILL_SIZE && same(account->owner, input->self)) {
    *status = account->data[8];
    return 0;
  }
  set_bytes(&seeds[2], &bump, 1);
  Signer signer = {seeds, 3};
  *status = 0;
  return create_account(input, &input->account[FILL_SYSTEM], &input->account[FILL_SIGNER], account, FILL_SIZE, &signer);
}

// Whether `hash` is that of the relay with an empty message, to this pool's chain.
APART int is_relay(const u8 *hash, const u8 *relay, const u8 *chain) {
  u64 none[4] = {0, 0, 0, 0};
  u8 found[32];
  Seed parts[3];
  set_bytes(&parts[0], relay, 248);
  set_bytes(&parts[1], (const u8 *)none, 32);
  set_bytes(&parts[2], chain, 8);
  return !sol_keccak256(parts, 3, found) && same((const Key *)found, (const Key *)hash);
}

// Data: the relay's hash; 1, then depositor, recipient, exclusive relayer, input and output token, input amount (256
// bits), output amount, origin, deposit, deadline, exclusivity's end, message; 1, repayment's chain; 1, its address.
APART u64 fill_relay(const Input *input) {
  const u8 *hash = input->data + 8, *relay = hash + 33, *repayment = relay + 252;
  Account *accounts = input->account;
  u8 bump, seed[72];
  if (input->count < 13) return KEYS;
  if (input->size != 8 + 32 + 1 + 252 + 9 + 33 || hash[32] != 1 || read_bytes(relay + 248, 4)) return DATA;
  if (repayment[0] != 1 || repayment[9] != 1) return DATA;
  if (!accounts[FILL_SIGNER].signer) return SIGNER;
  Account *state = &accounts[FILL_STATE];
  if (!is_state(input, state, &bump) || !same(state->owner, input->self)) return SEEDS;
  if (!is_relay(hash, relay, state->data + CHAIN)) return RELAY_HASH;
  const Account *mint = &accounts[FILL_MINT], *tokens = &accounts[FILL_TOKENS];
  if (!is_token_program(tokens) || !is_mint(mint, tokens) || !same(mint->key, (const Key *)(relay + 128))) return MINT;
  if (!is_associated(&accounts[FILL_TARGET], (const Key *)(relay + 32), mint, tokens, &accounts[FILL_ASSOCIATED]))
    return ASSOCIATED;
  u64 time = now(), ends = read_bytes(relay + 240, 4), alone = read_bytes(relay + 244, 4), status = 0;
  if (!same((const Key *)(relay + 64), accounts[FILL_SIGNER].key) && alone >= time && !is_zero(relay + 64))
    return EXCLUSIVE;
  if (ends < time) return EXPIRED;
  u64 failed = fill_account(input, hash, &status);
  if (failed) return failed;
  if (status == STATUS_FILLED) return FILLED;
  copy(seed, hash, 32);
  copy(seed + 32, repayment + 1, 8);
  copy(seed + 40, repayment + 10, 32);
  Move move = {tokens, &accounts[FILL_SOURCE], mint, &accounts[FILL_TARGET], &accounts[FILL_DELEGATE],
               read_u64(relay + 192)};
  failed = take(input, &move, seed, 72);
  if (failed) return failed;
  u8 *kept = accounts[FILL_STATUS].data, *event = HEAP->bytes + 16;
  write_u64(kept, IS_FILL);
  kept[8] = STATUS_FILLED;
  copy(kept + 9, (const u8 *)accounts[FILL_SIGNER].key, 32);
  copy(kept + 41, relay + 240, 4);
  copy(event, relay + 96, 96 + 8);
  copy(event + 104, repayment + 1, 8);
  copy(event + 112, relay + 200, 48);
  copy(event + 160, relay + 64, 32);
  copy(event + 192, repayment + 10, 32);
  copy(event + 224, relay, 64);
  LOOP for (u64 i = 288; i < 320; i++) event[i] = event[i + 64] = 0;
  copy(event + 320, relay + 32, 32);
  copy(event + 384, relay + 192, 8);
  event[392] = status ? 1 : 0;
  return tell(input, FILL_TELLS, FILLED_RELAY, 393);
}

enum { BACK_SIGNER, BACK_STATE, BACK_VAULT, BACK_MINT, BACK_TOKENS, BACK_ASSOCIATED, BACK_TARGET, BACK_TELLS };

// Data: amount, receiver, numbers of bundle and leaf (32 bits each).
APART u64 refund(const Input *input) {
  const u8 *data = input->data + 8;
  Account *accounts = input->account;
  u8 bump, word[5];
  u64 zero = 0;
  if (input->count < 9) return KEYS;
  if (input->size != 8 + 48) return DATA;
  Account *state = &accounts[BACK_STATE];
  if (!accounts[BACK_SIGNER].signer) return SIGNER;
  if (!is_state(input, state, &bump) || !same(state->owner, input->self)) return SEEDS;
  if (!same(accounts[BACK_SIGNER].key, (const Key *)(state->data + OWNER))) return NOT_OWNER;
  const Account *mint = &accounts[BACK_MINT], *tokens = &accounts[BACK_TOKENS];
  if (!is_token_program(tokens) || !is_mint(mint, tokens)) return MINT;
  if (!is_associated(&accounts[BACK_TARGET], (const Key *)(data + 8), mint, tokens, &accounts[BACK_ASSOCIATED]))
    return ASSOCIATED;
  word[0] = 's'; word[1] = 't'; word[2] = 'a'; word[3] = 't'; word[4] = 'e';
  Seed seeds[3];
  set_bytes(&seeds[0], word, 5);
  set_bytes(&seeds[1], (const u8 *)&zero, 8);
  set_bytes(&seeds[2], &bump, 1);
  Signer signer = {seeds, 3};
  u64 failed = transfer_tokens(input, tokens, &accounts[BACK_VAULT], mint, &accounts[BACK_TARGET], state,
                               read_u64(data), &signer);
  if (failed) return failed;
  u8 *event = HEAP->bytes + 16;
  write_u64(event, 0);
  copy(event + 8, state->data + CHAIN, 8);
  write_bytes(event + 16, 1, 4);
  copy(event + 20, data, 8);
  copy(event + 28, data + 40, 8);
  copy(event + 36, (const u8 *)mint->key, 32);
  write_bytes(event + 68, 1, 4);
  copy(event + 72, data + 8, 32);
  event[104] = 0;
  copy(event + 105, (const u8 *)accounts[BACK_SIGNER].key, 32);
  return tell(input, BACK_TELLS, EXECUTED_REFUNDS, 137);
}

// A call of itself by which it tells an event: nobody else can have the authority sign.
APART u64 told(const Input *input) {
  u8 word[17], bump;
  if (!input->count || !input->account[0].signer) return SIGNER;
  return is_event_authority(input, &input->account[0], word, &bump) ? 0 : SEEDS;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input)) return KEYS;
  if (input.size < 8) return UNKNOWN;
  u64 kind = read_u64(input.data);
  if (kind == EVENT) return told(&input);
  if (kind == DEPOSIT) return deposit(&input);
  if (kind == FILL_RELAY) return fill_relay(&input);
  if (kind == REFUND) return refund(&input);
  if (kind == INITIALIZE) return initialize(&input);
  return UNKNOWN;
}
