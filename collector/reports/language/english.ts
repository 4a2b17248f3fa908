import { numbersOf } from './number-words.ts';
import type { Words } from './words.ts';

const { count } = numbersOf('en');

export const ENGLISH: Words = {
  nothing: 'Nothing to show.',
  empty: {
    requests: [
      'Nothing was measured in this range.',
      'There are no samples between these times that pass these filters. Choose another range with --from and --to (from and to over HTTP), or fewer filters.',
    ],
    probes: [
      'No probe ran in this range.',
      'There are no samples of probes between these times that pass these filters. Choose another range with --from and --to (from and to over HTTP), or fewer filters; probes are set up in the settings (docs/probes.md).',
    ],
  },
  figures: 'In short',
  tables: 'Tables',
  notes: 'Notes',
  method: 'Method',
  rules: 'What counts, and what does not',
  moreRows: (left) =>
    `${count(left)} more ${left === 1 ? 'row is' : 'rows are'} not shown here; the formats csv and json have all of them.`,
  madeAt: (time) => `Made at ${time}.`,
  page: (page, pages) => `Page ${page} of ${pages}`,
  period: (from, to, zone) => `${from} to ${to} (${zone}, end excluded)`,
  only: (filters) => `Only ${filters}`,
  terms: {
    range: 'Range',
    before: 'Compared with',
    filters: 'Filters',
    noFilters: 'none',
    samples: 'Requests seen',
    leftOut: 'Left out of the times',
    nothingLeftOut: 'nothing',
    precision: 'Precision',
    versions: 'Made by',
    settings: 'settings revision',
    hash: 'Data',
    command: 'To make it again',
    folded: 'Too few browsers',
    accounting: 'Accounting method',
  },
  exact: 'Exact: every value was read.',
  sketched: (bound) =>
    `Medians and percentiles from sketches, each within ${bound} of the exact value; counts and averages are exact.`,
  hash: (hash) => `SHA-256 ${hash}`,
};
