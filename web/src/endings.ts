// What comes after a transfer: the same once more, something else, and never the same twice by accident.

import type { StepToken } from "./api.ts";
import type { Catalog } from "./catalog.ts";
import { amountOf, type Form, fixedOf } from "./form.ts";
import type { Transfer } from "./history.ts";
import { sidesOf, type Wanted } from "./links.ts";
import { plainAmount } from "./money.ts";
import type { Transfers } from "./transfers.ts";

interface Visited {
  readonly form: Form;
  readonly catalog: Catalog;
  readonly transfers: Transfers;
  edit(changes: Partial<Form>): void;
  set(changes: object): void;
}

const wanted = ({ chainId, address }: StepToken): Wanted => ({ chainId, token: address });

export class Endings {
  /** What was agreed to be sent although the same is on its way. */
  private agreedTo = "";
  private readonly visit: Visited;

  constructor(visit: Visited) {
    this.visit = visit;
  }

  /** What is under way already and asks for the same as the form. */
  get repeated(): Transfer | null {
    const { form, transfers } = this.visit;
    return form.amount ? transfers.alike(form) : null;
  }

  get agreed(): boolean {
    return this.agreedTo === this.key;
  }

  /** Whether somebody has to say yes before the same is sent a second time. */
  get blocks(): boolean {
    return this.repeated !== null && !this.agreed;
  }

  accept(agreed: boolean): void {
    this.agreedTo = agreed ? this.key : "";
    this.visit.set({});
  }

  /** Takes the finished one away from beside the form. */
  clear(): void {
    this.visit.transfers.clear();
  }

  /** Fills the form with what was sent; its receiver was for that one. */
  async again({ pay, get, amount, wanted: output }: Transfer): Promise<void> {
    this.clear();
    const sides = await sidesOf(this.visit.catalog, { from: wanted(pay), to: wanted(get), amount: "" });
    const paid = { amount: plainAmount(BigInt(amount), pay.decimals), fixed: "pay" as const };
    const asked = output ? { amount: plainAmount(BigInt(output), get.decimals), fixed: "get" as const } : paid;
    this.visit.edit({ ...sides, ...asked, receiver: "" });
  }

  private get key(): string {
    const { pay, get } = this.visit.form;
    const sides = [pay.token, get.token].map((token) => `${token?.chainId}:${token?.address}`);
    return [...sides, fixedOf(this.visit.form), amountOf(this.visit.form), this.repeated?.id].join();
  }
}
