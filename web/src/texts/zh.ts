// Chinese, simplified.

import type { Texts } from "../texts.ts";
import { endings } from "./zh/endings.ts";
import { faults } from "./zh/faults.ts";
import { page } from "./zh/page.ts";
import { picker } from "./zh/picker.ts";
import { pools } from "./zh/pools.ts";
import { routes } from "./zh/routes.ts";
import { solana } from "./zh/solana.ts";
import { transfer } from "./zh/transfer.ts";
import { wallets } from "./zh/wallets.ts";

export const chinese: Texts = {
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
