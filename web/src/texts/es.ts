// Spanish.

import type { Texts } from "../texts.ts";
import { endings } from "./es/endings.ts";
import { faults } from "./es/faults.ts";
import { page } from "./es/page.ts";
import { picker } from "./es/picker.ts";
import { pools } from "./es/pools.ts";
import { routes } from "./es/routes.ts";
import { solana } from "./es/solana.ts";
import { transfer } from "./es/transfer.ts";
import { wallets } from "./es/wallets.ts";

export const spanish: Texts = {
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
