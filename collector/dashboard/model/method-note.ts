import { splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatMoment } from '../state/time-range.ts';
import { t } from '../text/t.ts';

/** How the numbers on the page were computed, so that they can be reproduced. */
export interface MethodNote {
  /** Exact or sketched, with the error bound. */
  readonly precision: string;
  /** What was folded for the user's role; null if nothing was. */
  readonly folded: string | null;
  readonly lines: readonly (readonly [term: string, text: string])[];
  readonly rules: readonly string[];
  readonly hash: string;
}

export function methodNote(method: SummaryMethod): MethodNote {
  const filters = Object.entries(method.filters).filter(([, values]) => values.length > 0);
  return {
    precision: precisionOf(method),
    folded: method.folded == null ? null : t.folded(method.folded),
    lines: [
      ['Range', `${formatMoment(Date.parse(method.from))} to ${formatMoment(Date.parse(method.to))}, end exclusive`],
      [
        'Filters',
        filters.length === 0 ? 'none' : filters.map(([name, values]) => filterWords(name, values)).join('; '),
      ],
      [
        'Versions',
        Object.entries(method.versions)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ') || 'not stated',
      ],
    ],
    rules: method.rules,
    hash: method.dataHash,
  };
}

function filterWords(name: string, values: readonly string[]): string {
  const { dimension, excludes } = splitFilterName(name);
  const label = wordFor(t.dimensions, dimension);
  return excludes ? `${label} is not ${values.join(' or ')}` : `${label} = ${values.join(' or ')}`;
}

/** Exact or sketched, with the error bound. */
export function precisionOf({ exact, bound }: Pick<SummaryMethod, 'exact' | 'bound'>): string {
  return exact ? 'Exact' : `Sketched: quantiles within ${percent(bound)} of the exact value`;
}

function percent(bound: number): string {
  return `${t.numbers.upTo(bound * 100, 2)} %`;
}
