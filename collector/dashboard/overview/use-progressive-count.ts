import { useEffect, useState } from 'preact/hooks';

/** Minimum number of rows per idle period. */
const BATCH = 12;
/** The browser lays out the whole table for each batch, so a batch adds at least this part of it. */
const GROWTH = 0.5;
/** Time to draw a row, ms. */
const ROW_MS = 0.5;
/** Part of an idle period reserved for the browser's layout of the rows, ms. */
const RESERVE = 6;
/** Continue after this time even if the page is never idle, ms. */
const PATIENCE = 300;

interface Progress {
  /** Identifies the rows and their order; a new list starts with its first rows. */
  readonly list: string;
  /** No further rows are drawn. */
  readonly paused: boolean;
  /** Number of rows to draw at once. */
  first(): number;
}

/**
 * How many of `total` rows to draw: the first ones at once, the others in idle time. A screen shows about twenty of
 * several hundred, and the browser takes most of a second to lay them all out. Printing draws all of them first.
 */
export function useProgressiveCount(total: number, { list, paused, first }: Progress): number {
  const [drawn, setDrawn] = useState(() => ({ list, count: first() }));
  if (drawn.list !== list) setDrawn({ list, count: first() });
  const growing = drawn.count < total && !paused;
  useEffect(() => {
    if (!growing) return;
    let current = true;
    callIdle((left) => {
      if (!current) return;
      const more = Math.max(BATCH, Math.floor(drawn.count * GROWTH), Math.floor((left - RESERVE) / ROW_MS));
      setDrawn({ ...drawn, count: drawn.count + more });
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

/**
 * Calls back when the page is idle, with the time left, ms. Safari lacks requestIdleCallback:
 * https://developer.mozilla.org/docs/Web/API/Window/requestIdleCallback
 */
function callIdle(act: (left: number) => void): void {
  if ('requestIdleCallback' in window) {
    requestIdleCallback((deadline) => act(deadline.timeRemaining()), { timeout: PATIENCE });
  } else setTimeout(() => act(10), 20);
}
