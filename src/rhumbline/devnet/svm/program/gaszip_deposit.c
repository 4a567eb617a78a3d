// Gas.zip's deposit program as far as its documentation tells: lamports of the signer go to its one wallet, and the
// data says to which chains and whom.
//
// Accounts and data: "Code Example for Solana Deposit" of https://dev.gas.zip, read 2026-11-22. What the real program
// refuses is not documented: here it is what would lose a deposit.

#include "runtime.h"

enum { NOT_KNOWN = 101, NOT_READ = 102, NOT_WRITABLE = 2000, ADDRESS = 2012, TOO_FEW = 3005, NOT_THE_PROGRAM = 3008,
       NOT_SIGNED = 3010 };
enum { SENDER, SYSTEM, WALLET, COUNT };

#define DEPOSIT 0xb6f2e15289c623f2ULL
#define CHAINS_OFFSET 20  // after the discriminator, the lamports and how many short IDs follow

u64 entrypoint(const u8 *from) {
  Input input;
  if (!read_input(from, &input) || input.count < COUNT) return TOO_FEW;
  if (input.size < 8 || read_u64(input.data) != DEPOSIT) return NOT_KNOWN;
  if (input.size < CHAINS_OFFSET) return NOT_READ;
  u64 chains = read_bytes(input.data + 16, 4);
  if (!chains || input.size != CHAINS_OFFSET + 2 * chains + 32) return NOT_READ;
  const Account *sender = &input.account[SENDER], *system = &input.account[SYSTEM], *wallet = &input.account[WALLET];
  if (!sender->signer) return NOT_SIGNED;
  if (!sender->writable || !wallet->writable) return NOT_WRITABLE;
  if (!is_system_program(system)) return NOT_THE_PROGRAM;
  if (!is_key(wallet->key, 0xf1d9d2fc4ef3230aULL, 0x633d2b5ac6e003a2ULL, 0xe855bc61c7270957ULL, 0x68e5abe100517ff9ULL)) {
    return ADDRESS;
  }
  return transfer_lamports(&input, system, sender, wallet, read_u64(input.data + 8), 0);
}
