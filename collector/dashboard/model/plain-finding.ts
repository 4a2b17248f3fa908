import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import { formatMs, formatShare, plural } from './format.ts';
import { KEEP_MEASURING_WORDS, VERDICT_LABELS, wordFor } from './words.ts';

export interface PlainFinding {
  /** Host and type with median and average: the first thing read. */
  readonly lead: string;
  /** Why they differ, what TLS costs, how sure this is. */
  readonly sentences: readonly string[];
}

const TYPE_PLURALS: Readonly<Record<string, string>> = {
  document: 'documents',
  script: 'scripts',
  style: 'style sheets',
  image: 'images',
  font: 'fonts',
  fetch: 'fetches',
  iframe: 'frames',
  media: 'media',
  beacon: 'beacons',
  other: 'other requests',
};

/** What a cell says, in words that need no documentation. Null where nothing was usable. */
export function plainFinding(cell: SummaryCell): PlainFinding | null {
  const { ttlb } = cell.phases;
  if (ttlb === null) return null;
  const kind = cell.type === undefined || cell.type === null ? 'all requests' : wordFor(TYPE_PLURALS, cell.type);
  return {
    lead: `${cell.host ?? 'All hosts'}, ${kind}: median ${formatMs(ttlb.median)} ms, average ${formatMs(ttlb.mean)} ms.`,
    sentences: [gapSentence(cell), tlsSentence(cell), verdictSentence(cell), doubtSentence(cell)].filter(
      (sentence) => sentence !== null,
    ),
  };
}

function gapSentence(cell: SummaryCell): string | null {
  const { gap } = cell;
  if (gap === null || gap.median === 0) return null;
  if (Math.abs(gap.gap) < 0.05 * gap.median) return 'Median and average agree: there is no hidden slow part.';
  const parts: string[] = [];
  if (Math.abs(gap.tail) >= 0.05) {
    const slowest =
      gap.tailSamples === 1 ? 'the slowest request' : `the slowest 1 % (${plural(gap.tailSamples, 'request')})`;
    parts.push(`${formatMs(gap.tail)} ms from ${slowest}`);
  }
  if (Math.abs(gap.setup) >= 0.05) parts.push(`${formatMs(gap.setup)} ms from setting up connections`);
  if (Math.abs(gap.spread) >= 0.05) parts.push(`${formatMs(gap.spread)} ms from the spread of ordinary requests`);
  const ratio = (gap.mean / gap.median).toFixed(1);
  return `The average is ${ratio} times the median; of the ${formatMs(gap.gap)} ms between them, ${joinWords(parts)}.`;
}

function tlsSentence(cell: SummaryCell): string | null {
  const perRequest = cell.perRequest.tls;
  const { tls } = cell.phases;
  if (perRequest === null || tls === null) return null;
  const { new: opened = 0, reused = 0 } = cell.connections;
  const share = opened + reused === 0 ? '' : ` (${formatShare(opened / (opened + reused))} of requests)`;
  return `TLS costs ${formatMs(perRequest)} ms per request on average, and ${formatMs(tls.median)} ms at the median per new connection${share}.`;
}

function verdictSentence(cell: SummaryCell): string {
  const { verdict, shares } = cell.verdict;
  const share = verdict === 'unknown' || shares === null ? null : shares[verdict];
  if (share === null) return 'No single cause stands out.';
  return `${VERDICT_LABELS[verdict]} takes ${formatShare(share)} of the average.`;
}

function doubtSentence(cell: SummaryCell): string | null {
  const doubts = cell.phases.ttlb?.keepMeasuring ?? [];
  if (doubts.length === 0) return null;
  return `Keep measuring: ${doubts.map((word) => KEEP_MEASURING_WORDS[word]).join(', ')}.`;
}

function joinWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
