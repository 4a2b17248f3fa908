import type { SummaryMethod } from '../../../shared/summary/summary-document.ts';
import { formatMoment } from '../state/time-range.ts';
import { DIMENSION_LABELS, wordFor } from './words.ts';

/** How the numbers on the screen came about, line by line, so that they can be made again. */
export interface MethodNote {
  /** Exact or sketched, with its bound. */
  readonly precision: string;
  readonly lines: readonly (readonly [term: string, text: string])[];
  readonly rules: readonly string[];
  readonly hash: string;
}

export function methodNote(method: SummaryMethod): MethodNote {
  const filters = Object.entries(method.filters).filter(([, values]) => values.length > 0);
  return {
    precision: method.exact ? 'Exact' : `Sketched: quantiles within ${percent(method.bound)} of the exact value`,
    lines: [
      ['Range', `${formatMoment(Date.parse(method.from))} to ${formatMoment(Date.parse(method.to))}, end excluded`],
      [
        'Filters',
        filters.length === 0
          ? 'none'
          : filters.map(([name, values]) => `${wordFor(DIMENSION_LABELS, name)} = ${values.join(' or ')}`).join('; '),
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

function percent(bound: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(bound * 100)} %`;
}
