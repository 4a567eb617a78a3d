// A plan over pools as a diagram: tokens as bars in columns, pools as bands between them. Pure; x in hundredths of the
// width, from the start to the end, y in pixels.

import { type PoolHop, WHOLE } from "./pool-plan.ts";

export interface Bar {
  /** Of the token. */
  address: string;
  x: number;
  top: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Band {
  /** Of the hop, in the plan. */
  place: number;
  thickness: number;
  /** From the bar that pays to the one that is paid, by way of the columns between. */
  points: Point[];
  /** Where its number stands. */
  badge: Point;
}

export interface Diagram {
  height: number;
  bars: Bar[];
  bands: Band[];
}

/** All of the input as a band. */
const ALL = 48;
const THINNEST = 1.5;
/** What a band takes at least, so that numbers do not touch. */
const SLOT = 20;
const CLEAR = 4;
/** For the name above a bar. */
const NAME = 24;
const BETWEEN = 8;
const FOOT = 4;
/** Numbers nearer than this would touch; a hundredth is 2.8 pixels where the page is narrowest. */
const NEAR = { x: 7, y: 17 };
const ALONG = [0.5, 0.3, 0.7];
const SWEEPS = 4;

/** A token in its column, or the place where a band passes a column. */
interface Stop {
  column: number;
  token: string | null;
  height: number;
  y: number;
}

interface Path {
  place: number;
  thickness: number;
  stops: Stop[];
}

/** Returns the column of each token, the longest way from the input; null where hops are not in order. */
function columnsOf(hops: readonly PoolHop[]): Map<string, number> | null {
  const columns = new Map([[hops[0]?.tokenIn.address ?? "", 0]]);
  for (const { tokenIn, tokenOut } of hops) {
    const from = columns.get(tokenIn.address);
    if (from === undefined) return null;
    columns.set(tokenOut.address, Math.max(columns.get(tokenOut.address) ?? 0, from + 1));
  }
  const forward = hops.every(
    ({ tokenIn, tokenOut }) => (columns.get(tokenIn.address) ?? 0) < (columns.get(tokenOut.address) ?? 0),
  );
  return forward ? columns : null;
}

const slotOf = (thickness: number): number => Math.max(SLOT, thickness + CLEAR);

function pathsOf(hops: readonly PoolHop[], shares: readonly number[], columns: Map<string, number>): Path[] {
  const tokens = new Map<string, Stop>();
  const stopAt = (token: string): Stop => {
    const stop = tokens.get(token) ?? { column: columns.get(token) ?? 0, token, height: 0, y: 0 };
    tokens.set(token, stop);
    return stop;
  };
  return hops.map(({ tokenIn, tokenOut }, place) => {
    const thickness = Math.max(THINNEST, (ALL * (shares[place] ?? 0)) / WHOLE);
    const [from, to] = [stopAt(tokenIn.address), stopAt(tokenOut.address)];
    const between = Array.from({ length: to.column - from.column - 1 }, (_, turn) => ({
      column: from.column + 1 + turn,
      token: null,
      height: slotOf(thickness),
      y: 0,
    }));
    return { place, thickness, stops: [from, ...between, to] };
  });
}

/** Returns the stops by column, the ones of a column in the order in which bands cross least. */
function ordered(paths: readonly Path[]): Stop[][] {
  const stops = [...new Set(paths.flatMap((path) => path.stops))];
  const columns: Stop[][] = [];
  for (const stop of stops) columns[stop.column] = [...(columns[stop.column] ?? []), stop];
  const links = paths.flatMap((path) =>
    path.stops.slice(1).map((to, place) => [path.stops[place] as Stop, to] as const),
  );
  const settle = (column: Stop[], side: 0 | 1): void => {
    const middle = new Map(
      column.map((stop, at) => {
        const others = links.filter((link) => link[1 - side] === stop).map((link) => link[side].y);
        return [stop, others.length ? others.reduce((sum, y) => sum + y, 0) / others.length : at] as const;
      }),
    );
    column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    column.forEach((stop, at) => {
      stop.y = at - (column.length - 1) / 2;
    });
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of columns) settle(column, 0);
    for (const column of [...columns].reverse()) settle(column, 1);
  }
  return columns;
}

/** Gives stops their heights and places, and returns the height of all. */
function placed(columns: Stop[][], paths: readonly Path[]): number {
  const sum = (stop: Stop, end: 0 | -1): number =>
    paths.filter(({ stops }) => stops.at(end) === stop).reduce((total, { thickness }) => total + slotOf(thickness), 0);
  for (const stop of columns.flat()) if (stop.token !== null) stop.height = Math.max(sum(stop, 0), sum(stop, -1));
  const above = ({ token }: Stop): number => (token === null ? BETWEEN : NAME);
  const heights = columns.map((column) => column.reduce((total, stop) => total + above(stop) + stop.height, 0));
  const height = Math.max(...heights);
  columns.forEach((column, place) => {
    let y = (height - (heights[place] ?? 0)) / 2;
    for (const stop of column) {
      stop.y = y + above(stop);
      y = stop.y + stop.height;
    }
  });
  return height + FOOT;
}

const middleOf = (stop: Stop): number => stop.y + stop.height / 2;

/** Returns for each path where it leaves its first stop (end 0) or reaches its last (end -1). */
function ends(paths: readonly Path[], end: 0 | -1): Map<Path, number> {
  const found = new Map<Path, number>();
  const next = ({ stops }: Path): number => middleOf(stops.at(end === 0 ? 1 : -2) as Stop);
  for (const stop of new Set(paths.map(({ stops }) => stops.at(end) as Stop))) {
    const here = paths.filter(({ stops }) => stops.at(end) === stop);
    here.sort((a, b) => next(a) - next(b) || a.place - b.place);
    const all = here.reduce((total, { thickness }) => total + slotOf(thickness), 0);
    let y = middleOf(stop) - all / 2;
    for (const path of here) {
      found.set(path, y + slotOf(path.thickness) / 2);
      y += slotOf(path.thickness);
    }
  }
  return found;
}

/** Returns a point of the curve between two points, level at both. */
function along(from: Point, to: Point, t: number): Point {
  const x = 1.5 * t * (1 - t) + t ** 3;
  const y = t * t * (3 - 2 * t);
  return { x: from.x + (to.x - from.x) * x, y: from.y + (to.y - from.y) * y };
}

/** Returns where a band's number stands without touching another's, its middle before all. */
function badgeOf(points: readonly Point[], taken: readonly Point[]): Point {
  const places = points.slice(1).flatMap((to, turn) => ALONG.map((t) => along(points[turn] as Point, to, t)));
  const free = ({ x, y }: Point): boolean =>
    taken.every((other) => Math.abs(other.x - x) >= NEAR.x || Math.abs(other.y - y) >= NEAR.y);
  return places.find(free) ?? (places[0] as Point);
}

/** Draws hops with their shares (of all that is paid, in tenths of a percent); null where they are not in order. */
export function diagramOf(hops: readonly PoolHop[], shares: readonly number[]): Diagram | null {
  const columns = columnsOf(hops);
  if (!columns) return null;
  const paths = pathsOf(hops, shares, columns);
  const stops = ordered(paths);
  const height = placed(stops, paths);
  const x = ({ column }: Stop): number => (100 * column) / (stops.length - 1);
  const [starts, finishes] = [ends(paths, 0), ends(paths, -1)];
  const badges: Point[] = [];
  const bands = paths.map((path) => {
    const points = path.stops.map((stop) => ({ x: x(stop), y: middleOf(stop) }));
    points[0] = { x: points[0]?.x ?? 0, y: starts.get(path) ?? 0 };
    points[points.length - 1] = { x: points.at(-1)?.x ?? 0, y: finishes.get(path) ?? 0 };
    const badge = badgeOf(points, badges);
    badges.push(badge);
    return { place: path.place, thickness: path.thickness, points, badge };
  });
  const bars = stops
    .flat()
    .filter(({ token }) => token !== null)
    .map((stop) => ({ address: stop.token ?? "", x: x(stop), top: stop.y, height: stop.height }));
  return { height, bars, bands };
}
