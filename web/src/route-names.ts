// What routes are called where one tool has several: by the tokens between, then by how many steps they take. Pure.

import type { Deed, Route, Step } from "./api.ts";
import { texts } from "./texts.ts";

/** Returns all that a step does: its own deed, or what several tools do in its transaction. */
export function deedsOf({ type, tool, action, estimate, includedSteps }: Step): Deed[] {
  if (includedSteps?.length) return includedSteps;
  const { fromToken, toToken, fromAmount } = action;
  return [{ type, tool, fromToken, toToken, fromAmount, toAmount: estimate.toAmount }];
}

/** Returns the symbols of the tokens that a route passes, without those at its ends. */
export function tokensBetween({ steps }: Route): string[] {
  const deeds = steps.flatMap(deedsOf);
  const ends = [deeds[0]?.fromToken, deeds.at(-1)?.toToken].map((token) => `${token?.chainId}:${token?.address}`);
  const passed = deeds.slice(1).map(({ fromToken }) => fromToken);
  const between = passed.filter(({ chainId, address }) => !ends.includes(`${chainId}:${address}`));
  return [...new Set(between.map(({ symbol }) => symbol))];
}

/** Returns a name for each route, by its ID; two routes never have the same one. */
export function routeNames(routes: readonly Route[], toolName: (key: string) => string): Map<string, string> {
  const plain = (route: Route): string => toolName(route.adapter);
  const via = (route: Route): string => {
    const between = tokensBetween(route);
    return between.length ? texts.routeVia(plain(route), between.join(", ")) : plain(route);
  };
  const stepped = (route: Route): string => texts.routeInSteps(via(route), route.steps.length);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const route of routes) {
    const alone = [plain, via, stepped].find((way) => routes.filter((other) => way(other) === way(route)).length === 1);
    let name = (alone ?? stepped)(route);
    for (let number = 2; taken.has(name); number += 1) name = `${(alone ?? stepped)(route)} #${number}`;
    taken.add(name);
    names.set(route.id, name);
  }
  return names;
}
