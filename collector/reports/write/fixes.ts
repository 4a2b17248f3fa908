import type { SummaryCell, VerdictWord } from '../../analysis/summary/summary-document.ts';
import type { Fix } from '../document/monthly-document.ts';
import { waitedMs } from './cell-sums.ts';

/**
 * Time of the server, the download and the browser itself cannot be removed entirely: this fraction is assumed to be
 * avoidable.
 */
const POSSIBLE_PART = 0.5;

/**
 * The best fix for each host and type, largest saving first. Only one each, because two fixes for the same requests
 * would save some of the same time, whereas savings for different requests add up.
 */
export function fixesOf(cells: readonly SummaryCell[], minN: number): Fix[] {
  const all = cells.reduce((sum, cell) => sum + waitedMs(cell), 0);
  return cells
    .filter(({ phases }) => (phases.ttlb?.n ?? 0) >= minN)
    .flatMap((cell): Fix[] => {
      const best = bestOf(cell);
      return best === null || best.savedMs <= 0 || all === 0
        ? []
        : [
            {
              host: cell.host ?? '',
              type: cell.type ?? '',
              ...best,
              share: best.savedMs / all,
              n: cell.phases.ttlb?.n ?? 0,
            },
          ];
    })
    .sort((a, b) => b.savedMs - a.savedMs || (`${a.host} ${a.type}` < `${b.host} ${b.type}` ? -1 : 1));
}

type Best = Pick<Fix, 'kind' | 'savedMs' | 'tailPhase' | 'tailFrom'>;

function bestOf({ gap, verdict, phases }: SummaryCell): Best | null {
  if (gap === null) return null;
  const waited = waitedMs({ phases });
  const part = (name: VerdictWord) =>
    name === 'unknown' ? 0 : POSSIBLE_PART * waited * Math.max(0, verdict.shares?.[name] ?? 0);
  const other = { tailPhase: null, tailFrom: null };
  const candidates: Best[] = [
    { kind: 'connections', savedMs: gap.setup * gap.n, ...other },
    { kind: 'tail', savedMs: gap.tail * gap.n, tailPhase: gap.tailPhase, tailFrom: gap.tailFrom },
    { kind: 'server', savedMs: part('server'), ...other },
    { kind: 'download', savedMs: part('download'), ...other },
    { kind: 'client', savedMs: part('client'), ...other },
  ];
  return candidates.reduce((best, candidate) => (candidate.savedMs > best.savedMs ? candidate : best));
}

/** Usable navigations, by which savings are divided. 0 if the filters leave none. */
export function pageViewsOf(cells: readonly SummaryCell[]): number {
  return cells.filter(({ type }) => type === 'document').reduce((sum, { phases }) => sum + (phases.ttlb?.n ?? 0), 0);
}
