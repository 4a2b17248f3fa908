import { useEffect, useState } from 'preact/hooks';
import { idle } from '../components/idle.ts';

/** Minimum number of rows per idle period. */
const BATCH = 12;
/** Time to draw a row, ms. */
const ROW_MS = 0.5;
/** Part of an idle period reserved for the browser's layout of the rows, ms. */
const RESERVE = 6;

interface Progress {
  /** Identifies the rows and their order. */
  readonly list: string;
  /** Rows that `first` returns are drawn at once; called again for each new list. */
  readonly first: () => number;
  /** No further rows are drawn. */
  readonly paused: boolean;
}

/**
 * How many of `total` rows to draw: the first ones at once, the others in idle time. A screen shows about twenty of hundreds,
 * and the browser takes most of a second to lay them all out. Printing draws all of them first.
 */
export function useProgressiveCount(total: number, { list, first, paused }: Progress): number {
  const [drawn, setDrawn] = useState(() => ({ list, count: first() }));
  if (drawn.list !== list) setDrawn({ list, count: first() });
  const growing = drawn.count < total && !paused;
  useEffect(() => {
    if (!growing) return;
    let current = true;
    idle().then((left) => {
      if (!current) return;
      const more = Math.max(BATCH, Math.floor((left() - RESERVE) / ROW_MS));
      setDrawn({ list: drawn.list, count: drawn.count + more });
    });
    return () => {
      current = false;
    };
  }, [growing, drawn]);
  useEffect(() => {
    const drawAll = () => setDrawn((before) => ({ ...before, count: Number.POSITIVE_INFINITY }));
    window.addEventListener('beforeprint', drawAll);
    return () => window.removeEventListener('beforeprint', drawAll);
  }, []);
  return Math.min(total, drawn.count);
}
