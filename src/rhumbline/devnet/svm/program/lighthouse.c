// Lighthouse's assertions as far as wallets and the service append them, with the real program's numbers: of an
// account's lamports, length and owner, and of a token account. Each instruction names the one account that it is about.
//
// Form and errors: github.com/Jac0xb/lighthouse, programs/lighthouse/src, commit 4c57947 of 2025-04-27. Data: the kind,
// a log level (of which nothing is written here), and one assertion, or their number and each of them.

#include "runtime.h"

enum { INFO = 5, INFOS = 6, TOKENS = 9, TOKENS_ALL = 10 };
enum { UNKNOWN = 6000, FAILED = 6001, ACCOUNTS = 6002, TOO_SHORT = 6005, NO_TOKENS = 6009, FAILED_OF_SEVERAL = 0x1900 };
enum { EQUAL, UNEQUAL, GREATER, LESS, AT_LEAST, AT_MOST, CONTAINS, CONTAINS_NOT };
enum { LAMPORTS, LENGTH, OWNER, KNOWN_OWNER };
enum { MINT, HOLDER, AMOUNT, DELEGATE, STATE, RESERVE, DELEGATED, CLOSER, HOLDER_IS_DERIVED };
#define DELEGATED_OFFSET 121
#define LEVELS 7
#define KEY_SIZE 32

// What is left of the data; `at` moves on as assertions are read.
typedef struct { const u8 *at, *end; } Rest;

INLINE int lacks(const Rest *rest, u64 size) { return (u64)(rest->end - rest->at) < size; }

INLINE u64 verdict(int holds) { return holds ? 0 : FAILED; }

APART u64 compare(u64 actual, u64 wanted, u64 operator) {
  switch (operator) {
    case EQUAL: return verdict(actual == wanted);
    case UNEQUAL: return verdict(actual != wanted);
    case GREATER: return verdict(actual > wanted);
    case LESS: return verdict(actual < wanted);
    case AT_LEAST: return verdict(actual >= wanted);
    case AT_MOST: return verdict(actual <= wanted);
    case CONTAINS: return verdict((actual & wanted) == wanted);
    case CONTAINS_NOT: return verdict(!(actual & wanted));
  }
  return UNKNOWN;
}

// Compare with a number of `size` bytes that comes next, and its operator.
APART u64 compare_number(Rest *rest, u64 actual, u64 size) {
  if (lacks(rest, size + 1)) return UNKNOWN;
  u64 wanted = read_bytes(rest->at, size), operator = rest->at[size];
  rest->at += size + 1;
  return compare(actual, wanted, operator);
}

INLINE u64 same_bytes(const u8 *a, const u8 *b, u64 size) {
  LOOP for (u64 i = 0; i < size; i++) if (a[i] != b[i]) return 0;
  return 1;
}

INLINE u64 compare_truth(Rest *rest, u64 equal) {
  u64 operator = *rest->at++;
  return operator > UNEQUAL ? UNKNOWN : verdict(operator == EQUAL ? equal : !equal);
}

APART u64 compare_key(Rest *rest, const u8 *actual) {
  if (lacks(rest, KEY_SIZE + 1)) return UNKNOWN;
  u64 equal = same_bytes(actual, rest->at, KEY_SIZE);
  rest->at += KEY_SIZE;
  return compare_truth(rest, equal);
}

// Compare a field of a token account that may be missing; in the data a byte tells whether there is a value.
APART u64 compare_optional(Rest *rest, const u8 *field, u64 size) {
  if (lacks(rest, 2)) return UNKNOWN;
  u64 there = *rest->at++;
  if (there > 1 || lacks(rest, there * size + 1)) return UNKNOWN;
  u64 equal = read_bytes(field, 4) == there && (!there || same_bytes(field + 4, rest->at, size));
  rest->at += there * size;
  return compare_truth(rest, equal);
}

// Of known programs the System Program alone, number 0, has a meaning here.
INLINE u64 compare_known_owner(Rest *rest, const Account *account) {
  if (lacks(rest, 2) || *rest->at++) return UNKNOWN;
  return compare_truth(rest, is_key(account->owner, 0, 0, 0, 0));
}

APART u64 assert_info(Rest *rest, const Account *account) {
  if (lacks(rest, 1)) return UNKNOWN;
  switch (*rest->at++) {
    case LAMPORTS: return compare_number(rest, *account->lamports, 8);
    case LENGTH: return compare_number(rest, account->size, 8);
    case OWNER: return compare_key(rest, (const u8 *)account->owner);
    case KNOWN_OWNER: return compare_known_owner(rest, account);
  }
  return UNKNOWN;
}

// Whether the account is the associated token account of who owns it now.
INLINE u64 assert_derived(const Account *account) {
  Key associated, address;
  Seed seeds[3];
  u8 bump;
  associated.word[0] = 0xf189244e8f25978cULL;
  associated.word[1] = 0x830d8e1429103dbbULL;
  associated.word[2] = 0x8410ffda99135a0bULL;
  associated.word[3] = 0x59f8e9dbd87b8e04ULL;
  set_key(&seeds[0], (const Key *)(account->data + OWNER_OFFSET));
  set_key(&seeds[1], account->owner);
  set_key(&seeds[2], (const Key *)account->data);
  u64 failed = sol_try_find_program_address(seeds, 3, &associated, &address, &bump);
  return verdict(!failed && same(&address, account->key));
}

APART u64 assert_tokens(Rest *rest, const Account *account) {
  if (lacks(rest, 1)) return UNKNOWN;
  const u8 *data = account->data;
  switch (*rest->at++) {
    case MINT: return compare_key(rest, data);
    case HOLDER: return compare_key(rest, data + OWNER_OFFSET);
    case AMOUNT: return compare_number(rest, read_u64(data + AMOUNT_OFFSET), 8);
    case DELEGATE: return compare_optional(rest, data + DELEGATE_OFFSET, KEY_SIZE);
    case STATE: return compare_number(rest, data[STATE_OFFSET], 1);
    case RESERVE: return compare_optional(rest, data + STATE_OFFSET + 1, 8);
    case DELEGATED: return compare_number(rest, read_u64(data + DELEGATED_OFFSET), 8);
    case CLOSER: return compare_optional(rest, data + CLOSER_OFFSET, KEY_SIZE);
    case HOLDER_IS_DERIVED: return assert_derived(account);
  }
  return UNKNOWN;
}

INLINE int is_of_a_token_program(const Account *account) {
  const Key *key = account->owner;
  return is_key(key, 0x93a165d7e1f6dd06ULL, 0xac79ebce46e1cbd9ULL, 0x91375b5fed85b41cULL, 0xa900ff7e85f58c3aULL) ||
         is_key(key, 0xde8f75eee1f6dd06ULL, 0xdacd6ce4bc5d4218ULL, 0x270db9834dfc1ab6ULL, 0xfc8ba1d828f9bdfeULL);
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || !input.count) return ACCOUNTS;
  const Account *account = input.account;
  Rest rest = {input.data, input.data + input.size};
  if (lacks(&rest, 3)) return UNKNOWN;
  u64 kind = rest.at[0], several = kind == INFOS || kind == TOKENS_ALL, tokens = kind >= TOKENS, count = 1;
  if ((kind != INFO && kind != TOKENS && !several) || rest.at[1] >= LEVELS) return UNKNOWN;
  rest.at += 2;
  if (several) count = *rest.at++;
  if (count > 127) return UNKNOWN;
  if (tokens && !is_of_a_token_program(account)) return NO_TOKENS;
  if (tokens && account->size < TOKEN_ACCOUNT_SIZE) return TOO_SHORT;
  LOOP for (u64 i = 0; i < count; i++) {
    u64 failed = tokens ? assert_tokens(&rest, account) : assert_info(&rest, account);
    if (failed) return failed == FAILED && several ? FAILED_OF_SEVERAL + i : failed;
  }
  return 0;
}
