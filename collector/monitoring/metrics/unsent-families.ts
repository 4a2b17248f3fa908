import { gauge } from './health-families.ts';
import { counter } from './intake-families.ts';
import type { MetricFamily } from './metric-family.ts';

/** What answers hold until their clients take them, and what was done about slow ones. */
export function unsentFamilies({
  held,
  refused,
  slow,
}: {
  readonly held: number;
  readonly refused: number;
  readonly slow: number;
}): MetricFamily[] {
  return [
    gauge('lastbyte_unsent_answer_bytes', 'Answers that their clients have not taken yet.', 'By', [[{}, held]]),
    counter('lastbyte_unsent_refused_total', 'Requests refused because their client leaves answers unread.', '1', [
      { labels: {}, value: refused },
    ]),
    counter('lastbyte_slow_readers_total', 'Answers and exports ended because they were read too slowly.', '1', [
      { labels: {}, value: slow },
    ]),
  ];
}
