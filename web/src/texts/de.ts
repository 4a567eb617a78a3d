// German.

import type { Texts } from "../texts.ts";
import { endings } from "./de/endings.ts";
import { faults } from "./de/faults.ts";
import { page } from "./de/page.ts";
import { picker } from "./de/picker.ts";
import { pools } from "./de/pools.ts";
import { routes } from "./de/routes.ts";
import { solana } from "./de/solana.ts";
import { transfer } from "./de/transfer.ts";
import { wallets } from "./de/wallets.ts";

export const german: Texts = {
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
