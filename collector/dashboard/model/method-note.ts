import { splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import { formatMoment } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { type AppNames, valueLabel } from './value-label.ts';

const words = t.components.method;

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

export function methodNote(method: SummaryMethod, names: AppNames): MethodNote {
  const filters = Object.entries(method.filters).filter(([, values]) => values.length > 0);
  return {
    precision: describePrecision(method),
    folded: method.folded == null ? null : t.folded(method.folded),
    lines: [
      [words.range, words.rangeOf(formatMoment(Date.parse(method.from)), formatMoment(Date.parse(method.to)))],
      [
        words.filters,
        filters.length === 0
          ? words.noFilters
          : filters.map(([name, values]) => filterWords(name, values, names)).join('; '),
      ],
      [
        words.versions,
        Object.entries(method.versions)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ') || words.noVersions,
      ],
    ],
    rules: method.rules,
    hash: method.dataHash,
  };
}

function filterWords(name: string, values: readonly string[], names: AppNames): string {
  const { dimension, excludes } = splitFilterName(name);
  const label = wordFor(t.dimensions, dimension);
  const labels = values.map((value) => valueLabel(dimension, value, names));
  return excludes ? words.exclusion(label, labels) : words.filter(label, labels);
}

/** Exact or sketched, with the error bound. */
export function describePrecision({ exact, bound }: Pick<SummaryMethod, 'exact' | 'bound'>): string {
  return exact ? words.exact : words.sketched(`${t.numbers.upTo(bound * 100, 2)} %`);
}
