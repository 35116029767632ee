import type { Schemas } from "@/api/schemas";

import type { LinkFigure } from "./workers-search";

type Cost = Schemas["LinkCost"];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A pair of workers, listed once; the link is null if it was not measured. */
export interface Pair {
  readonly key: string;
  readonly one: Named;
  readonly other: Named;
  readonly link: Cost | null;
}

export function pairs(workers: readonly Named[], links: readonly Cost[]): readonly Pair[] {
  const found = new Map(links.map((link) => [keyOf(link.between), link]));
  return workers.flatMap((one, index) =>
    workers.slice(index + 1).map((other) => {
      const key = keyOf([one.id, other.id]);
      return { key, one, other, link: found.get(key) ?? null };
    }),
  );
}

function keyOf(between: readonly string[]): string {
  return [...between].sort().join(" ");
}

const MICROS = 1e6;
const MEGA = 1e6;

/** Returns the latency of the shortest message in microseconds, or the bandwidth of a long one in MB/s. */
export function figureOf({ alphaSeconds, betaSecondsPerByte }: Cost, figure: LinkFigure): number | null {
  if (figure === "latency") {
    return alphaSeconds * MICROS;
  }
  return betaSecondsPerByte > 0 ? 1 / (betaSecondsPerByte * MEGA) : null;
}

export interface Cell {
  readonly column: number;
  readonly row: number;
  /** Null if the pair was not measured. */
  readonly value: number | null;
}

/** Returns both halves of the matrix, because a link is symmetric, without the diagonal. */
export function cells(workers: readonly Named[], all: readonly Pair[], figure: LinkFigure): readonly Cell[] {
  const places = new Map(workers.map(({ id }, index) => [id, index]));
  return all.flatMap(({ one, other, link }) => {
    const value = link === null ? null : figureOf(link, figure);
    const [a, b] = [places.get(one.id) ?? 0, places.get(other.id) ?? 0];
    return [
      { column: a, row: b, value },
      { column: b, row: a, value },
    ];
  });
}
