// Japanese.

import type { Texts } from "../texts.ts";
import { endings } from "./ja/endings.ts";
import { faults } from "./ja/faults.ts";
import { page } from "./ja/page.ts";
import { picker } from "./ja/picker.ts";
import { pools } from "./ja/pools.ts";
import { routes } from "./ja/routes.ts";
import { solana } from "./ja/solana.ts";
import { transfer } from "./ja/transfer.ts";
import { wallets } from "./ja/wallets.ts";

export const japanese: Texts = {
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
