// French.

import type { Texts } from "../texts.ts";
import { endings } from "./fr/endings.ts";
import { faults } from "./fr/faults.ts";
import { page } from "./fr/page.ts";
import { picker } from "./fr/picker.ts";
import { pools } from "./fr/pools.ts";
import { routes } from "./fr/routes.ts";
import { solana } from "./fr/solana.ts";
import { transfer } from "./fr/transfer.ts";
import { wallets } from "./fr/wallets.ts";

export const french: Texts = {
  ...endings,
  ...faults,
  ...page,
  ...picker,
  ...pools,
  ...routes,
  ...solana,
  ...transfer,
  ...wallets,
};
