// Mayan's MCTP and FAST_MCTP, as far as transfers begin on Solana: USDC that was paid into a ledger's own token account
// is to be carried on by a relayer, for the fee that the ledger grants it. It stays there; burning it is left out. One
// program stands for both: what is called tells which is meant.
//
// Accounts and data: swap-sdk 15.2.0 (github.com/mayan-finance/swap-sdk at cd5a34c), read 2026-11-22. The programs'
// sources are not published: what they refuse is what follows from these, and errors from 6000 on are ours.

#include "runtime.h"

enum { NOT_KNOWN = 101, NOT_READ = 102, NOT_WRITABLE = 2000, SEEDS = 2006, TOKEN_OWNER = 2015, TOO_FEW = 3005,
       NOT_THE_PROGRAM = 3008, NOT_SIGNED = 3010, ALREADY_STARTED = 6000, TOO_LITTLE = 6001, WRONG_MODE = 6002,
       LEFT_OUT = 6003 };

#define MCTP_BRIDGE 0x457b09faa4a73536ULL  // of "global:init_bridge_ledger_gasless"
#define MCTP_ORDER 0xada9e95ed9da6ca0ULL   // of "global:init_order_ledger_gasless"
#define FAST_BRIDGE 0x4cba76796a8066a7ULL  // of "global:init_bridge_ledger"
#define FAST_ORDER 0x4d865ad3c2fceb8fULL   // of "global:init_order_ledger"
enum { USER, LEDGER };
#define AMOUNT 40  // where all of the four have the least amount

// Where one of the four has what: sizes and places in the data, places of accounts.
typedef struct {
  u64 size, key, key_size, mode, first_mode, last_mode, fee, count, holder, relayer, payload, mint, system;
  int order;
} Form;

APART int find_form(u64 called, Form *form) {
  form->payload = 0;
  form->relayer = 0;
  form->order = called == MCTP_ORDER || called == FAST_ORDER;
  if (called == MCTP_BRIDGE || called == MCTP_ORDER) {
    form->size = form->order ? 188 : 107;
    form->key = 74;
    form->key_size = 32;
    form->mode = 106;
    form->first_mode = form->order ? 3 : 1;
    form->last_mode = form->order ? 3 : 2;
    form->fee = 64;
    form->holder = 2;
    if (!form->order) form->payload = 3;
    form->mint = form->order ? 3 : 4;
    form->system = form->mint + 1;
    form->relayer = form->mint + 2;
    form->count = form->order ? 6 : 8;
    return 1;
  }
  if (called != FAST_BRIDGE && called != FAST_ORDER) return 0;
  form->size = form->order ? 180 : 124;
  form->key = form->order ? 84 : 109;
  form->key_size = 2;
  form->mode = form->order ? 86 : 123;
  form->first_mode = form->last_mode = form->order ? 2 : 1;
  form->fee = form->order ? 72 : 64;
  form->relayer = 2;
  form->holder = 3;
  if (!form->order) form->payload = 4;
  form->mint = form->order ? 4 : 5;
  form->system = form->mint + 1;
  form->count = form->system + 1;
  return 1;
}

// Make the ledger's account, which keeps what was told.
APART u64 start(const Input *input, const Form *form) {
  Seed seeds[4];
  Signer signer = {seeds, 4};
  u8 bump = 0, word[13];
  write_u64(word, form->order ? 0x4f5f52454744454cULL : 0x425f52454744454cULL);  // "LEDGER_ORDER", "LEDGER_BRIDGE"
  write_bytes(word + 8, form->order ? 0x52454452ULL : 0x4547444952ULL, 5);
  set_bytes(&seeds[0], word, form->order ? 12 : 13);
  set_key(&seeds[1], input->account[USER].key);
  set_bytes(&seeds[2], input->data + form->key, form->key_size);
  set_bytes(&seeds[3], &bump, 1);
  const Account *ledger = &input->account[LEDGER];
  if (!is_derived(input, ledger, seeds, 3, &bump)) return SEEDS;
  if (ledger->size) return ALREADY_STARTED;
  return create_account(input, &input->account[form->system], &input->account[form->relayer], ledger, form->size,
                        &signer);
}

APART u64 check(const Input *input, const Form *form) {
  const Account *accounts = input->account, *holder = &accounts[form->holder], *relayer = &accounts[form->relayer];
  if (!accounts[USER].signer || !relayer->signer) return NOT_SIGNED;
  if (!accounts[USER].writable || !relayer->writable || !accounts[LEDGER].writable) return NOT_WRITABLE;
  if (!is_system_program(&accounts[form->system])) return NOT_THE_PROGRAM;
  if (form->payload && !same(accounts[form->payload].key, input->self)) return LEFT_OUT;
  if (!is_key(holder->owner, 0x93a165d7e1f6dd06ULL, 0xac79ebce46e1cbd9ULL, 0x91375b5fed85b41cULL,
              0xa900ff7e85f58c3aULL) || holder->size != TOKEN_ACCOUNT_SIZE) return TOKEN_OWNER;
  if (!same((Key *)holder->data, accounts[form->mint].key)) return TOKEN_OWNER;
  if (!is_owned_by(holder, accounts[LEDGER].key)) return TOKEN_OWNER;
  u64 mode = input->data[form->mode], least = read_u64(input->data + AMOUNT);
  if (mode < form->first_mode || mode > form->last_mode) return WRONG_MODE;
  if (!least || amount_of(holder) < least) return TOO_LITTLE;
  return read_u64(input->data + form->fee) < least ? 0 : TOO_LITTLE;
}

u64 entrypoint(const u8 *from) {
  Input input;
  Form form;
  if (!read_input(from, &input)) return TOO_FEW;
  if (input.size < 8 || !find_form(read_u64(input.data), &form)) return NOT_KNOWN;
  if (input.size != form.size) return NOT_READ;
  if (input.count < form.count) return TOO_FEW;
  u64 wrong = check(&input, &form);
  return wrong ? wrong : start(&input, &form);
}
