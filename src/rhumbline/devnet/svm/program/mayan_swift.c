// Mayan's SWIFT of the second version, as far as orders begin on Solana: what was paid into the order's own token
// account is an order, whose hash its address is made of. It stays there; how orders end is left out.
//
// Accounts and data: swap-sdk 15.2.0 (github.com/mayan-finance/swap-sdk at cd5a34c), read 2026-11-22. Hash, size of the
// order's account, the question to the fee manager and the event: a transaction of 2026-09-21 (slot 449137703). The
// program's source is not published: what it refuses is what follows from these, and errors from 6000 on are ours.

#include "runtime.h"

enum { NOT_KNOWN = 101, NOT_READ = 102, NOT_WRITABLE = 2000, SEEDS = 2006, TOKEN_OWNER = 2015, TOO_FEW = 3005,
       NOT_THE_PROGRAM = 3008, NOT_SIGNED = 3010, ALREADY_STARTED = 6000, TOO_LITTLE = 6001, WRONG_SHARE = 6002,
       WRONG_INPUT = 6003, WRONG_MODE = 6004, LEFT_OUT = 6005 };
enum { TRADER, RELAYER, STATE, HOLDER, RELAYER_HOLDER, PAYLOAD, MINT, FEE_MANAGER, TOKEN_PROGRAM, SYSTEM, COUNT };

#define INIT_ORDER 0xdb84a2270c294c20ULL   // of "global:init_order"
#define INITIALIZED 0x512819a6f92c76b4ULL  // of "event:OrderInitialized"
#define SHARE_OF 0x982c32ea04d65e8bULL     // of "global:get_protocol_fee_rate_swift_v2"
#define STATE_SIZE 10
#define DATA_SIZE 198
#define SOLANA 1  // by Wormhole
// Where the data has what.
enum { AMOUNT = 8, NATIVE = 16, SUBMIT = 17, TO = 25, CHAIN = 57, TOKEN_OUT = 59, MIN_OUT = 91, DEADLINE = 123,
       REFERRER = 131, REFERRER_SHARE = 163, MAYAN_SHARE = 164, MODE = 165, RANDOM = 166 };

extern u64 sol_keccak256(const Seed *, u64 parts, u8 *hash);

INLINE void copy(u8 *to, const u8 *from, u64 count) { LOOP for (u64 i = 0; i < count; i++) to[i] = from[i]; }

INLINE void turn(u8 *to, const u8 *from, u64 count) { LOOP for (u64 i = 0; i < count; i++) to[i] = from[count - 1 - i]; }

// keccak256 of the order, packed, numbers big-endian; between the payload's kind (1) and its hash (none).
APART void hash_order(const Input *input, u8 *hash) {
  u8 packed[272];
  const u8 *data = input->data;
  LOOP for (u64 i = 0; i < 272; i++) packed[i] = 0;
  packed[0] = 1;
  copy(packed + 1, (const u8 *)input->account[TRADER].key, 32);
  packed[34] = SOLANA;
  if (!data[NATIVE]) copy(packed + 35, (const u8 *)input->account[MINT].key, 32);
  copy(packed + 67, data + TO, 32);
  turn(packed + 99, data + CHAIN, 2);
  copy(packed + 101, data + TOKEN_OUT, 32);
  LOOP for (u64 i = 0; i < 5; i++) turn(packed + 133 + 8 * i, data + MIN_OUT + 8 * i, 8);
  copy(packed + 173, data + REFERRER, 32);
  packed[205] = data[REFERRER_SHARE];
  packed[206] = data[MAYAN_SHARE];
  packed[207] = data[MODE];
  copy(packed + 208, data + RANDOM, 32);
  Seed part;
  set_bytes(&part, packed, 272);
  sol_keccak256(&part, 1, hash);
}

APART u64 ask_share(const Input *input, u64 amount) {
  u8 *asked = HEAP->bytes, answer[1];
  Key program;
  const u8 *data = input->data;
  write_u64(asked, SHARE_OF);
  copy(asked + 8, data + REFERRER, 33);
  copy(asked + 41, (const u8 *)input->account[MINT].key, 32);
  write_u64(asked + 73, amount);
  copy(asked + 81, data + TOKEN_OUT, 32);
  copy(asked + 113, data + CHAIN, 2);
  copy(asked + 115, data + MIN_OUT, 8);
  asked[123] = data[MODE];
  u64 failed = invoke_with(input, &input->account[FEE_MANAGER], TRADER, 1, asked, 124, 0);
  if (failed) return failed;
  if (sol_get_return_data(answer, 1, &program) != 1 || !same(&program, input->account[FEE_MANAGER].key)) {
    return WRONG_SHARE;
  }
  return answer[0] == data[MAYAN_SHARE] ? 0 : WRONG_SHARE;
}

APART u64 start(const Input *input, const u8 *hash) {
  Seed seeds[4];
  Signer signer = {seeds, 4};
  u8 bump = 0, word[12];
  write_u64(word, 0x4f535f4554415453ULL);  // "STATE_SOURCE"
  write_bytes(word + 8, 0x45435255ULL, 4);
  set_bytes(&seeds[0], word, 12);
  set_bytes(&seeds[1], hash, 32);
  set_bytes(&seeds[2], input->data + CHAIN, 2);
  set_bytes(&seeds[3], &bump, 1);
  const Account *state = &input->account[STATE];
  if (!is_derived(input, state, seeds, 3, &bump)) return SEEDS;
  if (state->size) return ALREADY_STARTED;
  return create_account(input, &input->account[SYSTEM], &input->account[RELAYER], state, STATE_SIZE, &signer);
}

APART u64 check(const Input *input) {
  const Account *accounts = input->account, *mint = &accounts[MINT], *holder = &accounts[HOLDER];
  if (!accounts[RELAYER].signer) return NOT_SIGNED;
  if (!accounts[RELAYER].writable || !accounts[STATE].writable || !holder->writable) return NOT_WRITABLE;
  if (!is_token_program(&accounts[TOKEN_PROGRAM]) || !is_system_program(&accounts[SYSTEM])) return NOT_THE_PROGRAM;
  if (!is_key(accounts[FEE_MANAGER].key, 0x4f3722485921d542ULL, 0xa4be852e91458b0dULL, 0x9ba29ca8ea80ed67ULL,
              0xc1c6cef6d077d2d1ULL)) return NOT_THE_PROGRAM;
  // A payload would be another account's data, and sending for the wallet would be paid for.
  if (!same(accounts[PAYLOAD].key, input->self) || read_u64(input->data + SUBMIT)) return LEFT_OUT;
  if (!is_tokens(holder, mint, &accounts[TOKEN_PROGRAM]) || !is_owned_by(holder, accounts[STATE].key)) {
    return TOKEN_OWNER;
  }
  int wrapped = is_key(mint->key, 0x8481abfe57889b06ULL, 0x35c01846637f68fbULL, 0x553beb1adc39c4daULL,
                       0x100000000f0a098ULL);
  if (input->data[NATIVE] > 1 || (input->data[NATIVE] && !wrapped)) return WRONG_INPUT;
  if (!input->data[MODE] || input->data[MODE] > 3) return WRONG_MODE;
  u64 least = read_u64(input->data + AMOUNT);
  return least && amount_of(holder) >= least ? 0 : TOO_LITTLE;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || input.count < COUNT) return TOO_FEW;
  if (input.size < 8 || read_u64(input.data) != INIT_ORDER) return NOT_KNOWN;
  if (input.size != DATA_SIZE) return NOT_READ;
  u64 wrong = check(&input);
  if (wrong) return wrong;
  u8 hash[32], *event = HEAP->bytes + 128;
  hash_order(&input, hash);
  wrong = start(&input, hash);
  if (wrong) return wrong;
  u64 amount = amount_of(&input.account[HOLDER]);
  wrong = ask_share(&input, amount);
  if (wrong) return wrong;
  write_u64(event, INITIALIZED);
  copy(event + 8, hash, 32);
  write_u64(event + 40, amount);
  Seed line;
  set_bytes(&line, event, 48);
  sol_log_data(&line, 1);
  return 0;
}
