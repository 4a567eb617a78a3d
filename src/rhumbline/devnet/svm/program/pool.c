// A constant-product pool of two tokens.
//
// A pool is an account of this program's. Its two vaults are token accounts of an address that only this program signs
// for, derived from the pool's. Nobody takes liquidity out again: pools belong to local chains.
//
// Amounts are measured, not believed: what came in is what the vault gained, what went out is what the destination
// gained, so a mint that takes a fee of transfers is priced by what arrives. Roundings favour the pool:
//   net = floor(received * (1000000 - fee) / 1000000),  out = floor(reserve_out * net / (reserve_in + net)).

#include "runtime.h"

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

// The pool's account.
typedef struct { Key vault, mint, program; } Side;
typedef struct { u64 magic; u32 fee; u8 bump, unused[3]; Key authority; Side side[2]; } Pool;
#define MAGIC 0x314c4f4f50424852ULL  // "RHBPOOL1"
#define WHOLE 1000000ULL
#define LARGEST_FEE 100000

// Places of accounts: the first eight are those of both instructions.
enum { AT_POOL, AT_AUTHORITY, AT_VAULT, AT_MINT = 4, AT_PROGRAM = 6, AT_SOURCE = 8, AT_DESTINATION, AT_OWNER };
#define ALL 11

// Move tokens of one side of the pool; `side` is 0 for what goes in, 1 for what comes out.
INLINE u64 transfer(const Input *input, int side, int from, int to, int authority, u64 amount, const Signer *signer) {
  const Account *accounts = input->account;
  return transfer_tokens(input, &accounts[AT_PROGRAM + side], &accounts[from], &accounts[AT_MINT + side], &accounts[to],
                         &accounts[authority], amount, signer);
}

INLINE void set_seeds(Seed *seeds, u8 *word, const Key *pool, const u8 *bump) {
  word[0] = 'v'; word[1] = 'a'; word[2] = 'u'; word[3] = 'l'; word[4] = 't';
  seeds[0].data = word; seeds[0].size = 5;
  seeds[1].data = (const u8 *)pool; seeds[1].size = sizeof(Key);
  seeds[2].data = bump; seeds[2].size = 1;
}

// One account may stand in two places only where both are the token program of a side.
INLINE int has_duplicates(const Input *input) {
  LOOP for (u64 i = 0; i < input->count; i++) {
    u64 place = input->account[i].place;
    if (place != i && (i != AT_PROGRAM + 1 || place != AT_PROGRAM)) return 1;
  }
  return 0;
}

// Make a pool of an account that signs, is this program's and is still empty; the vaults may hold tokens already.
// Data: 0, the authority's bump, the fee in millionths (32 bits).
INLINE u64 make(const Input *input) {
  const Account *accounts = input->account;
  const u8 *data = input->data;
  if (input->size != 6) return DATA;
  u64 fee = read_bytes(data + 2, 4);
  if (fee > LARGEST_FEE) return FEE;
  Pool *pool = (Pool *)accounts[AT_POOL].data;
  if (!accounts[AT_POOL].signer) return SIGNER;
  if (accounts[AT_POOL].size != sizeof(Pool) || !accounts[AT_POOL].writable || pool->magic) return POOL;
  u8 word[5], bump = data[1];
  Seed seeds[3];
  set_seeds(seeds, word, accounts[AT_POOL].key, &bump);
  Key authority;
  if (sol_create_program_address(seeds, 3, input->self, &authority)) return AUTHORITY;
  if (!same(&authority, accounts[AT_AUTHORITY].key)) return AUTHORITY;
  LOOP for (int side = 0; side < 2; side++) {
    const Account *vault = &accounts[AT_VAULT + side], *mint = &accounts[AT_MINT + side];
    const Account *program = &accounts[AT_PROGRAM + side];
    if (!is_token_program(program)) return TOKEN_PROGRAM;
    if (!is_mint(mint, program)) return MINT;
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
INLINE u64 swap(const Input *input) {
  const Account *accounts = input->account;
  const u8 *data = input->data;
  if (input->size != 17) return DATA;
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
  u64 failed = transfer(input, 0, AT_SOURCE, AT_VAULT, AT_OWNER, amount, 0);
  if (failed) return failed;
  u64 net = share(amount_of(vault_in) - reserve_in, WHOLE - pool->fee, WHOLE);
  u64 out = share(reserve_out, net, reserve_in + net);  // The sum is at most what the vault holds now: 64 bits.
  if (!out) return AMOUNT;
  u8 word[5], bump = pool->bump;
  Seed seeds[3];
  set_seeds(seeds, word, accounts[AT_POOL].key, &bump);
  Signer signer = {seeds, 3};
  failed = transfer(input, 1, AT_VAULT + 1, AT_DESTINATION, AT_AUTHORITY, out, &signer);
  if (failed) return failed;
  u64 arrived = amount_of(destination) - held;
  if (arrived < minimum) return MINIMUM;
  sol_set_return_data((const u8 *)&arrived, sizeof arrived);
  return 0;
}

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || (input.count != AT_SOURCE && input.count != ALL)) return ACCOUNTS;
  if (has_duplicates(&input)) return DUPLICATE;
  if (!same(input.account[AT_POOL].owner, input.self)) return POOL;
  if (!input.size) return DATA;
  if (input.data[0] == 0 && input.count == AT_SOURCE) return make(&input);
  if (input.data[0] == 1 && input.count == ALL) return swap(&input);
  return input.data[0] > 1 ? DATA : ACCOUNTS;
}
