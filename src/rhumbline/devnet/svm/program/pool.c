// A constant-product pool of two tokens, as a program of Solana's (sBPF version 0, no SDK, no memory of its own).
//
// A pool is an account of this program's. Its two vaults are token accounts of an address that only this program signs
// for, derived from the pool's. Nobody takes liquidity out again: pools belong to local chains.
//
// Amounts are measured, not believed: what came in is what the vault gained, what went out is what the destination
// gained, so a mint that takes a fee of transfers is priced by what arrives. Roundings favour the pool:
//   net = floor(received * (1000000 - fee) / 1000000),  out = floor(reserve_out * net / (reserve_in + net)).
//
// Built by `make program`, whose linker takes one function and no data sections: all others are inlined.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
#define INLINE static __attribute__((always_inline)) inline
#define LOOP _Pragma("clang loop unroll(disable)")

// What is refused, as the custom error of the instruction.
enum {
  ACCOUNTS = 1,        // not as many accounts as the instruction has
  DUPLICATE = 2,       // one account in two places
  DATA = 3,            // not an instruction of this program's
  POOL = 4,            // not a pool of this program's, or one that has been made already
  FEE = 5,             // more than a tenth
  AUTHORITY = 6,       // not the address that the pool's vaults belong to
  VAULT = 7,           // not the pool's vault, or one that is not the authority's alone
  MINT = 8,            // not the pool's mint
  TOKEN_PROGRAM = 9,   // not the mint's token program
  SIGNER = 10,         // a signature is missing
  SOURCE = 11,         // not the signer's account of the token that goes in
  DESTINATION = 12,    // not an account of the token that comes out
  AMOUNT = 13,         // nothing goes in, nothing comes out, or a side of the pool is empty
  MINIMUM = 14,        // less arrives than was demanded
};

typedef struct { u64 word[4]; } Key;
typedef struct {
  Key *key; u64 *lamports; u64 size; u8 *data; Key *owner; u64 rent_epoch; u8 signer, writable, executable;
} Account;
typedef struct { Key *key; u8 writable, signer; } Role;
typedef struct { Key *program; Role *roles; u64 role_count; u8 *data; u64 size; } Call;
typedef struct { const u8 *data; u64 size; } Seed;
typedef struct { const Seed *seeds; u64 count; } Signer;

extern u64 sol_invoke_signed_c(const Call *, const Account *, u64 accounts, const Signer *, u64 signers);
extern u64 sol_create_program_address(const Seed *, u64 seeds, const Key *program, Key *address);
extern u64 sol_set_return_data(const u8 *, u64);

// The pool's account.
typedef struct { Key vault, mint, program; } Side;
typedef struct { u64 magic; u32 fee; u8 bump, unused[3]; Key authority; Side side[2]; } Pool;
#define MAGIC 0x314c4f4f50424852ULL  // "RHBPOOL1"
#define WHOLE 1000000ULL
#define LARGEST_FEE 100000

// Places of accounts: the first eight are those of both instructions.
enum { AT_POOL, AT_AUTHORITY, AT_VAULT, AT_MINT = 4, AT_PROGRAM = 6, AT_SOURCE = 8, AT_DESTINATION, AT_OWNER };
#define MOST 11

// A token account: mint, owner, amount, an optional delegate, state, whether native, delegated amount, close authority.
#define TOKEN_ACCOUNT_SIZE 165
#define OWNER_OFFSET 32
#define AMOUNT_OFFSET 64
#define DELEGATE_OFFSET 72
#define STATE_OFFSET 108
#define CLOSER_OFFSET 129
#define KIND_OFFSET 165  // in accounts of Token-2022 with extensions: 2 for a token account
#define MINT_SIZE 82
#define DECIMALS_OFFSET 44

INLINE u64 read_u64(const u8 *from) { return *(const u64 *)from; }

INLINE u64 read_bytes(const u8 *from, u64 count) {
  u64 value = 0;
  LOOP for (u64 i = 0; i < count; i++) value |= (u64)from[i] << (8 * i);
  return value;
}

INLINE void write_u64(u8 *to, u64 value) {
  LOOP for (u64 i = 0; i < 8; i++) to[i] = (u8)(value >> (8 * i));
}

INLINE int same(const Key *a, const Key *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2] && a->word[3] == b->word[3];
}

INLINE int is_token_program(const Account *account) {
  Key spl = {{0x93a165d7e1f6dd06ULL, 0xac79ebce46e1cbd9ULL, 0x91375b5fed85b41cULL, 0xa900ff7e85f58c3aULL}};
  Key spl_2022 = {{0xde8f75eee1f6dd06ULL, 0xdacd6ce4bc5d4218ULL, 0x270db9834dfc1ab6ULL, 0xfc8ba1d828f9bdfeULL}};
  return account->executable && (same(account->key, &spl) || same(account->key, &spl_2022));
}

// Whether an account is a token account of this mint, in use, of the mint's token program.
INLINE int is_tokens(const Account *account, const Account *mint, const Account *program) {
  return same(account->owner, program->key) && account->size >= TOKEN_ACCOUNT_SIZE &&
         (account->size == TOKEN_ACCOUNT_SIZE || account->data[KIND_OFFSET] == 2) &&
         account->data[STATE_OFFSET] == 1 && same((Key *)account->data, mint->key);
}

INLINE int is_owned_by(const Account *tokens, const Key *owner) {
  return same((Key *)(tokens->data + OWNER_OFFSET), owner);
}

INLINE u64 amount_of(const Account *tokens) { return read_u64(tokens->data + AMOUNT_OFFSET); }

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

// Move tokens of one side of the pool; `side` is 0 for what goes in, 1 for what comes out.
INLINE u64 transfer(const Account *accounts, int side, int from, int to, int authority, u64 amount,
                    const Signer *signer, u64 signers) {
  u8 data[10];
  data[0] = 12;  // TransferChecked, which names the mint: Token-2022 refuses any other where it takes a fee.
  write_u64(data + 1, amount);
  data[9] = accounts[AT_MINT + side].data[DECIMALS_OFFSET];
  Role roles[4] = {{accounts[from].key, 1, 0}, {accounts[AT_MINT + side].key, 0, 0}, {accounts[to].key, 1, 0},
                   {accounts[authority].key, 0, 1}};
  Call call = {accounts[AT_PROGRAM + side].key, roles, 4, data, sizeof data};
  return sol_invoke_signed_c(&call, accounts, MOST, signer, signers);
}

INLINE void set_seeds(Seed *seeds, u8 *word, const Key *pool, const u8 *bump) {
  word[0] = 'v'; word[1] = 'a'; word[2] = 'u'; word[3] = 'l'; word[4] = 't';
  seeds[0].data = word; seeds[0].size = 5;
  seeds[1].data = (const u8 *)pool; seeds[1].size = sizeof(Key);
  seeds[2].data = bump; seeds[2].size = 1;
}

// Read the accounts from the runtime's buffer and return what follows them; 0 with the reason in `error`.
// One account may stand in two places only where both are the token program of a side.
INLINE const u8 *read_accounts(const u8 *at, u64 count, Account *accounts, u64 *error) {
  LOOP for (u64 i = 0; i < count; i++) {
    if (at[0] != 0xff) {
      if (i != AT_PROGRAM + 1 || at[0] != AT_PROGRAM) { *error = DUPLICATE; return 0; }
      accounts[i] = accounts[AT_PROGRAM];
      at += 8;
      continue;
    }
    u64 size = read_u64(at + 80);
    accounts[i].signer = at[1];
    accounts[i].writable = at[2];
    accounts[i].executable = at[3];
    accounts[i].key = (Key *)(at + 8);
    accounts[i].owner = (Key *)(at + 40);
    accounts[i].lamports = (u64 *)(at + 72);
    accounts[i].size = size;
    accounts[i].data = (u8 *)(at + 88);
    at += 88 + size + 10240;  // Room to grow, which the runtime leaves behind the data of every account.
    at = (const u8 *)(((u64)at + 7) & ~7ULL);
    accounts[i].rent_epoch = read_u64(at);
    at += 8;
  }
  return at;
}

// Make a pool of an account that signs, is this program's and is still empty; the vaults may hold tokens already.
// Data: 0, the authority's bump, the fee in millionths (32 bits).
INLINE u64 make(const Account *accounts, const u8 *data, u64 size, const Key *self) {
  if (size != 6) return DATA;
  u64 fee = read_bytes(data + 2, 4);
  if (fee > LARGEST_FEE) return FEE;
  Pool *pool = (Pool *)accounts[AT_POOL].data;
  if (!accounts[AT_POOL].signer) return SIGNER;
  if (accounts[AT_POOL].size != sizeof(Pool) || !accounts[AT_POOL].writable || pool->magic) return POOL;
  u8 word[5], bump = data[1];
  Seed seeds[3];
  set_seeds(seeds, word, accounts[AT_POOL].key, &bump);
  Key authority;
  if (sol_create_program_address(seeds, 3, self, &authority)) return AUTHORITY;
  if (!same(&authority, accounts[AT_AUTHORITY].key)) return AUTHORITY;
  LOOP for (int side = 0; side < 2; side++) {
    const Account *vault = &accounts[AT_VAULT + side], *mint = &accounts[AT_MINT + side];
    const Account *program = &accounts[AT_PROGRAM + side];
    if (!is_token_program(program)) return TOKEN_PROGRAM;
    if (!same(mint->owner, program->key) || mint->size < MINT_SIZE) return MINT;
    if (!is_tokens(vault, mint, program) || !is_owned_by(vault, &authority)) return VAULT;
    if (read_bytes(vault->data + DELEGATE_OFFSET, 4) || read_bytes(vault->data + CLOSER_OFFSET, 4)) return VAULT;
    pool->side[side].vault = *vault->key;
    pool->side[side].mint = *mint->key;
    pool->side[side].program = *program->key;
  }
  pool->magic = MAGIC;
  pool->fee = (u32)fee;
  pool->bump = bump;
  pool->authority = authority;
  return 0;
}

INLINE u64 check_side(const Account *accounts, int place, const Side *side) {
  const Account *vault = &accounts[AT_VAULT + place], *mint = &accounts[AT_MINT + place];
  const Account *program = &accounts[AT_PROGRAM + place];
  if (!same(program->key, &side->program)) return TOKEN_PROGRAM;
  if (!same(mint->key, &side->mint)) return MINT;
  if (!same(vault->key, &side->vault) || !is_tokens(vault, mint, program)) return VAULT;
  return 0;
}

// Swap `amount` of the token of the first vault for at least `minimum` of the other's; the return data is what arrived.
// Data: 1, amount, minimum (64 bits each).
INLINE u64 swap(const Account *accounts, const u8 *data, u64 size) {
  if (size != 17) return DATA;
  const Pool *pool = (const Pool *)accounts[AT_POOL].data;
  if (accounts[AT_POOL].size != sizeof(Pool) || pool->magic != MAGIC) return POOL;
  if (!same(accounts[AT_AUTHORITY].key, &pool->authority)) return AUTHORITY;
  int turned = same(accounts[AT_VAULT].key, &pool->side[1].vault);
  LOOP for (int place = 0; place < 2; place++) {
    u64 wrong = check_side(accounts, place, &pool->side[turned ? 1 - place : place]);
    if (wrong) return wrong;
  }
  const Account *vault_in = &accounts[AT_VAULT], *vault_out = &accounts[AT_VAULT + 1];
  const Account *source = &accounts[AT_SOURCE], *destination = &accounts[AT_DESTINATION];
  if (!accounts[AT_OWNER].signer) return SIGNER;
  if (!is_tokens(source, &accounts[AT_MINT], &accounts[AT_PROGRAM])) return SOURCE;
  if (!is_owned_by(source, accounts[AT_OWNER].key)) return SOURCE;
  if (!is_tokens(destination, &accounts[AT_MINT + 1], &accounts[AT_PROGRAM + 1])) return DESTINATION;
  u64 amount = read_bytes(data + 1, 8), minimum = read_bytes(data + 9, 8);
  u64 reserve_in = amount_of(vault_in), reserve_out = amount_of(vault_out), held = amount_of(destination);
  if (!amount || !reserve_in || !reserve_out) return AMOUNT;
  u64 failed = transfer(accounts, 0, AT_SOURCE, AT_VAULT, AT_OWNER, amount, 0, 0);
  if (failed) return failed;
  u64 net = share(amount_of(vault_in) - reserve_in, WHOLE - pool->fee, WHOLE);
  u64 out = share(reserve_out, net, reserve_in + net);  // The sum is at most what the vault holds now: 64 bits.
  if (!out) return AMOUNT;
  u8 word[5], bump = pool->bump;
  Seed seeds[3];
  set_seeds(seeds, word, accounts[AT_POOL].key, &bump);
  Signer signer = {seeds, 3};
  failed = transfer(accounts, 1, AT_VAULT + 1, AT_DESTINATION, AT_AUTHORITY, out, &signer, 1);
  if (failed) return failed;
  u64 arrived = amount_of(destination) - held;
  if (arrived < minimum) return MINIMUM;
  sol_set_return_data((const u8 *)&arrived, sizeof arrived);
  return 0;
}

u64 entrypoint(const u8 *input) {
  Account accounts[MOST];
  u64 count = read_u64(input), error = 0;
  if (count != AT_SOURCE && count != MOST) return ACCOUNTS;
  const u8 *at = read_accounts(input + 8, count, accounts, &error);
  if (error) return error;
  u64 size = read_u64(at);
  const u8 *data = at + 8;
  const Key *self = (const Key *)(data + size);
  if (!same(accounts[AT_POOL].owner, self)) return POOL;
  if (!size) return DATA;
  if (data[0] == 0 && count == AT_SOURCE) return make(accounts, data, size, self);
  if (data[0] == 1 && count == MOST) return swap(accounts, data, size);
  return data[0] > 1 ? DATA : ACCOUNTS;
}
