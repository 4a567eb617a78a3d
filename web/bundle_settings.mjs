// How the element is bundled, wherever it is served from.

/**
 * viem's functions stand in one module with others that load more on demand. Nothing here calls those, and still esbuild
 * would bundle what they load, and move what both need into a chunk that every visitor loads.
 */
const uncalled = {
  name: "uncalled",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, importer, path }) =>
      kind === "dynamic-import" && /node_modules\/viem\//.test(importer) ? { path, external: true } : undefined,
    );
  },
};

const WALLETCONNECT = "rhumbline-swap-walletconnect";

/** WalletConnect is bundled by itself, so that it shares no chunk with what is loaded without it. */
const walletConnectApart = {
  name: "walletconnect-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/walletconnect-link\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${WALLETCONNECT}.js`, external: true } : undefined,
    );
  },
};

/** What is bundled beside the element, because it is loaded when it is chosen. */
export const remoteWallets = {
  entryPoints: { [WALLETCONNECT]: "src/wallet/walletconnect-link.ts" },
  chunkNames: `${WALLETCONNECT}-[hash]`,
  plugins: [],
};

export const bundled = {
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  plugins: [uncalled, walletConnectApart],
};

/** Throws where a bundle would load what `uncalled` left out. */
export function refuseMissing({ outputs }) {
  const missing = Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external))
    .filter(({ kind, path }) => kind === "dynamic-import" && path !== `./${WALLETCONNECT}.js`);
  if (missing.length) throw new Error(`called after all: ${missing.map(({ path }) => path).join()}`);
}
