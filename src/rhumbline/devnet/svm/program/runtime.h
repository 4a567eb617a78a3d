// What the programs of the sandbox's Solana chain share: how the runtime hands accounts over, calls of other programs,
// token accounts, derived addresses. sBPF version 0, no SDK.
//
// A program is one C file with `u64 entrypoint(const u8 *input)`. The linker (`sbf_linker.py`) takes code and no data:
// no strings, no tables, no constants that do not fit into an instruction. Functions that are `INLINE` cost no call;
// `APART` ones are called, take at most five arguments, and have a stack of their own (4 KiB each).
// An address is compared by its four words; they are printed by
//   struct.unpack("<4Q", bytes(Pubkey.from_string("...")))

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#define INLINE static __attribute__((always_inline)) inline
#define APART static __attribute__((noinline))
#define LOOP _Pragma("clang loop unroll(disable)")

typedef struct { u64 word[4]; } Key;
// An account in the runtime's own form, but for `place`: where the instruction names the account first.
typedef struct {
  Key *key; u64 *lamports; u64 size; u8 *data; Key *owner; u64 rent_epoch; u8 signer, writable, executable, place;
} Account;
typedef struct { Key *key; u8 writable, signer; } Role;
typedef struct { Key *program; Role *roles; u64 role_count; u8 *data; u64 size; } Call;
typedef struct { const u8 *data; u64 size; } Seed;
typedef struct { const Seed *seeds; u64 count; } Signer;

extern u64 sol_invoke_signed_c(const Call *, const Account *, u64 accounts, const Signer *, u64 signers);
extern u64 sol_create_program_address(const Seed *, u64 seeds, const Key *program, Key *address);
extern u64 sol_try_find_program_address(const Seed *, u64 seeds, const Key *program, Key *address, u8 *bump);
extern u64 sol_set_return_data(const u8 *, u64);
extern u64 sol_get_return_data(u8 *, u64, Key *program);
extern u64 sol_log_data(const Seed *, u64);  // What Anchor's programs emit events by.
extern u64 sol_get_clock_sysvar(void *);

// The heap, 32 KiB of zeros at the beginning of each call, holds the accounts and the roles of calls.
#define MOST 64
typedef struct { Account account[MOST]; Role role[MOST]; u8 bytes[1024]; } Heap;
#define HEAP ((Heap *)0x300000000ULL)

// What an instruction was called with.
typedef struct { Account *account; u64 count; const u8 *data; u64 size; const Key *self; } Input;

INLINE u64 read_bytes(const u8 *from, u64 count) {
  u64 value = 0;
  LOOP for (u64 i = 0; i < count; i++) value |= (u64)from[i] << (8 * i);
  return value;
}

INLINE u64 read_u64(const u8 *from) { return read_bytes(from, 8); }

INLINE void write_bytes(u8 *to, u64 value, u64 count) {
  LOOP for (u64 i = 0; i < count; i++) to[i] = (u8)(value >> (8 * i));
}

INLINE void write_u64(u8 *to, u64 value) { write_bytes(to, value, 8); }

INLINE int same(const Key *a, const Key *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] && a->word[3] == b->word[3];
}

INLINE int is_key(const Key *key, u64 a, u64 b, u64 c, u64 d) {
  return key->word[0] == a && key->word[1] == b && key->word[2] == c && key->word[3] == d;
}

// floor(a * b / divisor); the caller sees to it that this fits into 64 bits (b < divisor is enough).
INLINE u64 share(u64 a, u64 b, u64 divisor) {
  u64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  u64 low = a0 * b0, cross = a0 * b1;
  __asm__("" : "+r"(low), "+r"(cross));  // Else the compiler sees a product of 128 bits, and calls what is not there.
  u64 middle = a1 * b0 + (low >> 32) + (cross & 0xffffffff);
  u64 rest = a1 * b1 + (cross >> 32) + (middle >> 32);
  low = (low & 0xffffffff) | (middle << 32);
  u64 quotient = 0;
  LOOP for (int bit = 63; bit >= 0; bit--) {
    u64 carry = rest >> 63;
    rest = (rest << 1) | ((low >> bit) & 1);
    quotient <<= 1;
    if (carry || rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

// Read what the runtime hands over; 0 for more than `MOST` accounts. An account that is named twice is there twice:
// its copies share all but `size`, which a call of another program changes in the copy that it was given.
INLINE int read_input(const u8 *from, Input *input) {
  u64 count = *(const u64 *)from;
  const u8 *at = from + 8;
  Account *accounts = HEAP->account;
  if (count > MOST) return 0;
  LOOP for (u64 i = 0; i < count; i++) {
    if (at[0] != 0xff) {
      accounts[i] = accounts[at[0]];
      at += 8;
      continue;
    }
    u64 size = *(const u64 *)(at + 80);
    accounts[i].signer = at[1];
    accounts[i].writable = at[2];
    accounts[i].executable = at[3];
    accounts[i].place = (u8)i;
    accounts[i].key = (Key *)(at + 8);
    accounts[i].owner = (Key *)(at + 40);
    accounts[i].lamports = (u64 *)(at + 72);
    accounts[i].size = size;
    accounts[i].data = (u8 *)(at + 88);
    at += 88 + size + 10240;  // Room to grow, which the runtime leaves behind the data of every account.
    at = (const u8 *)(((u64)at + 7) & ~7ULL);
    accounts[i].rent_epoch = *(const u64 *)at;
    at += 8;
  }
  input->account = accounts;
  input->count = count;
  input->size = *(const u64 *)at;
  input->data = at + 8;
  input->self = (const Key *)(input->data + input->size);
  return 1;
}

// Call a program by what `roles` says; all accounts of the instruction are handed on, as the runtime wants it.
INLINE u64 invoke(const Input *input, const Account *program, Role *roles, u64 count, u8 *data, u64 size,
                  const Signer *signer) {
  Call call = {program->key, roles, count, data, size};
  return sol_invoke_signed_c(&call, input->account, input->count, signer, signer ? 1 : 0);
}

// Call a program with `count` of the accounts in their order and roles, from the place `first` on.
INLINE u64 invoke_with(const Input *input, const Account *program, u64 first, u64 count, u8 *data, u64 size,
                       const Signer *signer) {
  LOOP for (u64 i = 0; i < count; i++) {
    const Account *each = &input->account[first + i];
    HEAP->role[i].key = each->key;
    HEAP->role[i].writable = each->writable;
    HEAP->role[i].signer = each->signer;
  }
  return invoke(input, program, HEAP->role, count, data, size, signer);
}

// ---- Tokens. A token account: mint, owner, amount, an optional delegate, state, whether native, delegated amount,
// an optional close authority.
#define TOKEN_ACCOUNT_SIZE 165
#define OWNER_OFFSET 32
#define AMOUNT_OFFSET 64
#define DELEGATE_OFFSET 72
#define STATE_OFFSET 108
#define CLOSER_OFFSET 129
#define KIND_OFFSET 165  // in accounts of Token-2022 with extensions: 2 for a token account
#define MINT_SIZE 82
#define DECIMALS_OFFSET 44

INLINE int is_system_program(const Account *account) { return is_key(account->key, 0, 0, 0, 0); }

INLINE int is_token_program(const Account *account) {
  const Key *key = account->key;
  return account->executable &&
         (is_key(key, 0x93a165d7e1f6dd06ULL, 0xac79ebce46e1cbd9ULL, 0x91375b5fed85b41cULL, 0xa900ff7e85f58c3aULL) ||
          is_key(key, 0xde8f75eee1f6dd06ULL, 0xdacd6ce4bc5d4218ULL, 0x270db9834dfc1ab6ULL, 0xfc8ba1d828f9bdfeULL));
}

// Whether an account is a token account in use, of whatever mint, of a token program's.
INLINE int holds_tokens(const Account *account, const Account *program) {
  return same(account->owner, program->key) && account->size >= TOKEN_ACCOUNT_SIZE &&
         (account->size == TOKEN_ACCOUNT_SIZE || account->data[KIND_OFFSET] == 2) && account->data[STATE_OFFSET] == 1;
}

// Whether an account is a token account of this mint, in use, of the mint's token program.
INLINE int is_tokens(const Account *account, const Account *mint, const Account *program) {
  return holds_tokens(account, program) && same((Key *)account->data, mint->key);
}

INLINE int is_mint(const Account *mint, const Account *program) {
  return same(mint->owner, program->key) && mint->size >= MINT_SIZE;
}

INLINE int is_owned_by(const Account *tokens, const Key *owner) {
  return same((Key *)(tokens->data + OWNER_OFFSET), owner);
}

INLINE u64 amount_of(const Account *tokens) { return *(const u64 *)(tokens->data + AMOUNT_OFFSET); }

// TransferChecked, which names the mint: Token-2022 refuses any other where it takes a fee.
INLINE u64 transfer_tokens(const Input *input, const Account *program, const Account *from, const Account *mint,
                           const Account *to, const Account *authority, u64 amount, const Signer *signer) {
  u8 data[10];
  data[0] = 12;
  write_u64(data + 1, amount);
  data[9] = mint->data[DECIMALS_OFFSET];
  Role roles[4] = {{from->key, 1, 0}, {mint->key, 0, 0}, {to->key, 1, 0}, {authority->key, 0, 1}};
  return invoke(input, program, roles, 4, data, sizeof data, signer);
}

INLINE u64 burn_tokens(const Input *input, const Account *program, const Account *from, const Account *mint,
                       const Account *authority, u64 amount, const Signer *signer) {
  u8 data[9];
  data[0] = 8;
  write_u64(data + 1, amount);
  Role roles[3] = {{from->key, 1, 0}, {mint->key, 1, 0}, {authority->key, 0, 1}};
  return invoke(input, program, roles, 3, data, sizeof data, signer);
}

// Close a token account that is empty, or holds wrapped SOL; its lamports go to `to`.
INLINE u64 close_tokens(const Input *input, const Account *program, const Account *account, const Account *to,
                        const Account *authority, const Signer *signer) {
  u8 data[1];
  data[0] = 9;
  Role roles[3] = {{account->key, 1, 0}, {to->key, 1, 0}, {authority->key, 0, 1}};
  return invoke(input, program, roles, 3, data, 1, signer);
}

// ---- Lamports. `system` is the System Program among the accounts.
INLINE u64 transfer_lamports(const Input *input, const Account *system, const Account *from, const Account *to,
                             u64 lamports, const Signer *signer) {
  u8 data[12];
  write_bytes(data, 2, 4);
  write_u64(data + 4, lamports);
  Role roles[2] = {{from->key, 1, 1}, {to->key, 1, 0}};
  return invoke(input, system, roles, 2, data, sizeof data, signer);
}

// Make an account of this program's, whose address signs or is one that `signer` derives.
INLINE u64 create_account(const Input *input, const Account *system, const Account *payer, const Account *made,
                          u64 size, const Signer *signer) {
  u8 data[52];
  write_bytes(data, 0, 4);
  write_u64(data + 4, (size + 128) * 6960);  // What the runtime asks for, so that the account is kept.
  write_u64(data + 12, size);
  LOOP for (u64 i = 0; i < 4; i++) write_u64(data + 20 + 8 * i, input->self->word[i]);
  Role roles[2] = {{payer->key, 1, 1}, {made->key, 1, 1}};
  return invoke(input, system, roles, 2, data, sizeof data, signer);
}

// ---- Derived addresses.
INLINE void set_key(Seed *seed, const Key *key) { seed->data = (const u8 *)key; seed->size = sizeof(Key); }

INLINE void set_bytes(Seed *seed, const u8 *bytes, u64 size) { seed->data = bytes; seed->size = size; }

// Whether an account lies where this program derives it from `seeds`; then `bump` is the seed to add for signing.
INLINE int is_derived(const Input *input, const Account *account, const Seed *seeds, u64 count, u8 *bump) {
  Key address;
  return !sol_try_find_program_address(seeds, count, input->self, &address, bump) && same(&address, account->key);
}

// Whether an account is the associated token account of an owner; `associated` is that program among the accounts.
INLINE int is_associated(const Account *account, const Key *owner, const Account *mint, const Account *program,
                         const Account *associated) {
  Seed seeds[3];
  u8 bump;
  Key address;
  set_key(&seeds[0], owner);
  set_key(&seeds[1], program->key);
  set_key(&seeds[2], mint->key);
  return !sol_try_find_program_address(seeds, 3, associated->key, &address, &bump) && same(&address, account->key);
}

// ---- The sandbox's pools (pool.c). A step is twelve accounts from the place `first` on: the pool program, pool,
// authority, vaults in and out, mints in and out, token programs in and out, source, destination, owner.
#define STEP 12
enum { STEP_PROGRAM, STEP_POOL, STEP_VAULT_IN = 3, STEP_MINT_IN = 5, STEP_MINT_OUT, STEP_SOURCE = 9,
       STEP_DESTINATION, STEP_OWNER };

// Swap through a pool for at least `minimum`; `signer` where the owner is an address of this program's.
INLINE u64 swap_step(const Input *input, u64 first, u64 amount, u64 minimum, const Signer *signer) {
  u8 data[17];
  data[0] = 1;
  write_u64(data + 1, amount);
  write_u64(data + 9, minimum);
  LOOP for (u64 i = 1; i < STEP; i++) {
    const Account *each = &input->account[first + i];
    HEAP->role[i].key = each->key;
    HEAP->role[i].writable = i == 3 || i == 4 || i == STEP_SOURCE || i == STEP_DESTINATION;
    HEAP->role[i].signer = i == STEP_OWNER;
  }
  return invoke(input, &input->account[first + STEP_PROGRAM], HEAP->role + 1, STEP - 1, data, sizeof data, signer);
}
