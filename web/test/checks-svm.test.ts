// What a Solana transaction may do, on transactions that @solana/kit has made.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type Instruction,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { svmFault } from "../src/checks-svm.ts";
import { signedBy } from "../src/wallet/svm-message.ts";
import { step } from "./made.ts";

const SYSTEM = address("11111111111111111111111111111111");
const TOKENS = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const ASSOCIATED = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const BUDGET = address("ComputeBudget111111111111111111111111111111");
const WRAPPED = address("So11111111111111111111111111111111111111112");
const [OWNER, VENUE, STRANGER, MINT, HELD] = [
  "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8",
  "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4",
  "SysvarC1ock11111111111111111111111111111111",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "SysvarRent111111111111111111111111111111111",
].map((text) => address(text)) as [Address, Address, Address, Address, Address];
const { WRITABLE, READONLY, WRITABLE_SIGNER, READONLY_SIGNER } = AccountRole;

const bytes = (...parts: (number | bigint)[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "number"
        ? [part]
        : Array.from({ length: 8 }, (_, place) => Number((part >> BigInt(8 * place)) & 255n)),
    ),
  );
const call = (programAddress: Address, data: Uint8Array, ...accounts: [Address, AccountRole][]): Instruction => ({
  programAddress,
  data,
  accounts: accounts.map(([each, role]) => ({ address: each, role })),
});
const venue = call(VENUE, bytes(1), [OWNER, WRITABLE_SIGNER], [HELD, WRITABLE]);
const pay = (lamports: bigint, to = STRANGER): Instruction =>
  call(SYSTEM, bytes(2, 0, 0, 0, lamports), [OWNER, WRITABLE_SIGNER], [to, WRITABLE]);
const transfer = (amount: bigint, mint = MINT): Instruction =>
  call(
    TOKENS,
    bytes(12, amount, 6),
    [HELD, WRITABLE],
    [mint, READONLY],
    [STRANGER, WRITABLE],
    [OWNER, READONLY_SIGNER],
  );

function made(instructions: Instruction[], payer = OWNER): string {
  const life = { blockhash: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi" as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(payer, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(life, each),
    (each) => appendTransactionMessageInstructions(instructions, each),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

function asked(data: string, fromToken: string = MINT, to: string = VENUE): ReturnType<typeof step> {
  const whole = step({ transactionRequest: { to, value: "0", data } });
  whole.action.fromToken = { ...whole.action.fromToken, address: fromToken };
  return whole;
}

const fault = (instructions: Instruction[], fromToken?: string): string =>
  svmFault(asked(made(instructions), fromToken), OWNER);

test("what a route needs may be signed", () => {
  const own = call(
    ASSOCIATED,
    bytes(1),
    [OWNER, WRITABLE_SIGNER],
    [HELD, WRITABLE],
    [OWNER, READONLY],
    [WRAPPED, READONLY],
    [SYSTEM, READONLY],
    [TOKENS, READONLY],
  );
  assert.equal(fault([call(BUDGET, bytes(2, 64, 13, 3, 0)), call(BUDGET, bytes(3, 1000n)), venue]), "");
  assert.equal(fault([transfer(10_000_000n), venue, pay(0n)]), "");
  assert.equal(fault([pay(10_000_000n), venue], SYSTEM), "");
  assert.equal(
    fault([
      own,
      pay(99_000_000n, HELD),
      call(TOKENS, bytes(17), [HELD, WRITABLE]),
      venue,
      call(TOKENS, bytes(9), [HELD, WRITABLE], [OWNER, WRITABLE], [OWNER, READONLY_SIGNER]),
    ]),
    "",
  );
});

test("what pays more than was agreed is refused", () => {
  assert.match(fault([transfer(10_000_001n), venue]), /more than was agreed/);
  assert.match(fault([transfer(5_000_001n), transfer(5_000_000n), venue]), /more than was agreed/);
  assert.match(fault([pay(1n), venue]), /more than was agreed/);
  assert.match(fault([pay(10_000_001n), venue], SYSTEM), /more than was agreed/);
  assert.match(fault([transfer(1n, STRANGER), venue]), /other tokens/);
  assert.match(
    fault([
      call(TOKENS, bytes(4, 10_000_001n), [HELD, WRITABLE], [STRANGER, READONLY], [OWNER, READONLY_SIGNER]),
      venue,
    ]),
    /more than was agreed/,
  );
  assert.match(fault([call(BUDGET, bytes(2, 64, 66, 15, 0)), call(BUDGET, bytes(3, 10n ** 9n)), venue]), /network/);
});

test("what gives an account away is refused", () => {
  assert.match(
    fault([call(TOKENS, bytes(9), [HELD, WRITABLE], [STRANGER, WRITABLE], [OWNER, READONLY_SIGNER]), venue]),
    /in favour of somebody else/,
  );
  assert.match(
    fault([call(TOKENS, bytes(6, 2, 0), [HELD, WRITABLE], [OWNER, READONLY_SIGNER]), venue]),
    /no route needs/,
  );
  assert.match(fault([call(SYSTEM, bytes(1, 0, 0, 0), [OWNER, WRITABLE_SIGNER]), venue]), /no route needs/);
});

test("who else signs has signed", async () => {
  const other = await generateKeyPairSigner();
  const both = [call(VENUE, bytes(1), [OWNER, WRITABLE_SIGNER], [other.address, READONLY_SIGNER])];
  assert.match(fault(both), /somebody else has to sign/);
  assert.match(svmFault(asked(made([call(VENUE, bytes(1))], STRANGER)), OWNER), /another wallet/);
  const life = { blockhash: "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi" as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(OWNER, each),
    (each) => setTransactionMessageLifetimeUsingBlockhash(life, each),
    (each) => appendTransactionMessageInstructions(both, each),
  );
  const signed = await partiallySignTransaction([other.keyPair], compileTransaction(message));
  assert.equal(svmFault(asked(getBase64EncodedWireTransaction(signed)), OWNER), "");
});

test("what is no transaction is refused", () => {
  const whole = Buffer.from(made([venue]), "base64");
  assert.match(svmFault(asked(made([venue]), MINT, STRANGER), OWNER), /does not call what it says/);
  for (let length = 0; length < whole.length; length += 1)
    assert.match(svmFault(asked(whole.subarray(0, length).toString("base64")), OWNER), /cannot be read/);
  for (const text of [
    Buffer.concat([whole, Buffer.alloc(1)]).toString("base64"),
    "",
    "§",
    Buffer.alloc(1233).toString("base64"),
  ])
    assert.match(svmFault(asked(text), OWNER), /cannot be read/);
});

test("a tip that was chosen may be paid, and no lamport more", () => {
  const paid = (lamports: bigint, tip?: string): string =>
    svmFault(asked(made([pay(lamports), venue])), OWNER, { tip });
  assert.equal(paid(100_000n, "100000"), "");
  assert.match(paid(100_001n, "100000"), /more than was agreed/);
  assert.match(paid(1n), /more than was agreed/);
});

test("a sponsor signs what was asked for, and nothing else", async () => {
  const [sponsor, wallet] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const call = (signer: Address, venue = VENUE): Instruction => ({
    programAddress: venue,
    data: bytes(1),
    accounts: [{ address: signer, role: READONLY_SIGNER }],
  });
  const data = made([call(wallet.address)], sponsor.address);
  assert.match(svmFault(asked(data), wallet.address), /somebody else has to sign/);
  assert.equal(svmFault(asked(data), wallet.address, { sponsor: sponsor.address }), "");
  const signing = async (text: string, ...signers: (typeof sponsor)[]): Promise<string> => {
    const whole = getTransactionDecoder().decode(Buffer.from(text, "base64"));
    const keys = signers.map(({ keyPair }) => keyPair);
    return getBase64EncodedWireTransaction(await partiallySignTransaction(keys, whole));
  };
  assert.equal(signedBy(data, await signing(data, sponsor), sponsor.address), true);
  assert.equal(signedBy(data, data, sponsor.address), false, "without a signature");
  assert.equal(signedBy(data, await signing(data, sponsor, wallet), sponsor.address), false, "another signature");
  const other = await signing(made([call(wallet.address, STRANGER)], sponsor.address), sponsor);
  assert.equal(signedBy(data, other, sponsor.address), false, "another transaction");
});
