import { useState } from "react";
import { RhumblineSwap } from "@rhumbline/element/react";

export interface Wanted {
  api: string;
  from: string;
  to: string;
}

export function App({ api, from, to }: Wanted) {
  const [said, setSaid] = useState("nothing");
  return (
    <main>
      <p id="said">{said}</p>
      <RhumblineSwap
        {...{ api, from, to }}
        className="swap"
        layout="compact"
        headingFont="monospace"
        onChoice={({ from: paid }) => setSaid(`chosen ${paid?.symbol}`)}
        onDone={({ state }) => setSaid(`done ${state}`)}
      />
    </main>
  );
}
