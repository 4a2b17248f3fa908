import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { WIRE_VERSION } from '../../../shared/wire/wire-batch.ts';
import type { FoldedCells, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import type { Language } from '../../analysis/text/language.ts';
import { textsOf } from '../../analysis/text/texts.ts';
import { answeredRange } from '../../storage/passes/plan-range.ts';
import type { RequestOptions, Store } from '../../storage/store.ts';
import { keptPart } from './kept-part.ts';
import { type Audience, EVERYTHING, foldRuleFor } from './privacy.ts';

/** Who asks what store. A command reads its own files and sees everything. */
export interface Asker extends RequestOptions {
  readonly store: Store;
  /** Lastbyte's own. */
  readonly version: string;
  readonly audience?: Audience;
  /** Of the views' tables and of the rules; English unless a report wants another. */
  readonly language?: Language;
  /** Epoch ms: an open range ends when its answer is there. Without it, when it was asked. */
  readonly clock?: () => number;
}

interface Asked {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by?: readonly AnyDimension[];
}

interface Answered {
  readonly exact: boolean;
  readonly bound: number;
  readonly dataHash: string;
  readonly folded: FoldedCells | null;
}

/** What every question needs beside itself: the part of its range that is answered, the settings, what may be shown. */
export async function prepare(asker: Asker, whole: TimeRange) {
  const { store, version, audience = EVERYTHING, clock, language = 'en' } = asker;
  const { exclusionRules, otherRules, quarantined, folded: foldedText } = textsOf(language);
  const range = await keptPart(asker, whole);
  const settings = await store.settings.read();
  const rule = await foldRuleFor(store, audience, range, asker);
  const quarantine = await store.maintenance.quarantine();
  /** Part of the samples may lie outside the range; how many, nothing can read. */
  const quarantineRule = (from: number, to: number) => {
    const chunks = quarantine.filter((chunk) => chunk.to >= from && chunk.from < to);
    const samples = chunks.reduce((sum, chunk) => sum + chunk.samples, 0);
    return samples === 0 ? [] : [quarantined(samples)];
  };
  const rulesOf = ({ from, to }: TimeRange, folded: FoldedCells | null) => [
    ...Object.values(exclusionRules),
    ...otherRules,
    ...quarantineRule(from, to),
    ...(folded === null ? [] : [`${foldedText(folded)}.`]),
  ];
  return {
    range,
    rule,
    nameBrowsers: audience.role === 'admin',
    method: (asked: Asked, { exact, bound, dataHash, folded }: Answered): SummaryMethod => ({
      from: isoOf(asked.range.from),
      to: isoOf(endOf(asked.range, clock)),
      ...(range === whole ? {} : { asked: { from: isoOf(whole.from), to: isoOf(whole.to) } }),
      by: asked.by ?? [],
      filters: asked.filters,
      rules: rulesOf(asked.range, folded),
      versions: { lastbyte: version, wire: WIRE_VERSION, settings: settings?.revision ?? 0 },
      exact,
      bound,
      dataHash,
      ...(folded === null ? {} : { folded }),
    }),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** Who waited past the end of the hour got nothing of the next one. */
function endOf(range: TimeRange, clock: Asker['clock']): number {
  return range.open && clock ? Math.min(clock(), answeredRange(range).to) : range.to;
}
