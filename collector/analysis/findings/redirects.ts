import { OUTCOME } from '../../reductions/request-table.ts';
import { type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE } from './finding.ts';

/** Of a host's documents: single redirects after a login are ordinary. */
const MIN_SHARE = 0.2;
const MIN_ROWS = 20;

/** A host whose pages are reached over redirects. */
export const findRedirects: Detector = ({ table, left, host, hosts, groupOf }) => {
  const rows = hosts.map(() => [] as number[]);
  const all = new Int32Array(hosts.length);
  for (let row = 0; row < table.n; row++) {
    const outcome = table.outcome[row];
    if ((outcome !== OUTCOME.redirected && outcome !== OUTCOME.usable) || groupOf(row).type !== 'document') continue;
    const one = host[row] as number;
    all[one] = (all[one] as number) + 1;
    if ((left.redirect[row] as number) > 0) rows[one]?.push(row);
  }
  return hosts.flatMap((name, one) => {
    const own = rows[one] as number[];
    if (own.length < MIN_ROWS || own.length < MIN_SHARE * (all[one] as number)) return [];
    const sums = new UnitSums();
    let placeMs = 0;
    for (const row of own) {
      sums.add(table.browser[row] as number, left.redirect[row] as number);
      placeMs += (left.redirect[row] as number) + (left.ttlb[row] as number);
    }
    return [
      {
        kind: 'redirects' as const,
        place: { ...ANYWHERE, host: name, type: 'document' },
        phase: 'redirect' as const,
        since: null,
        facts: { redirectedShare: own.length / (all[one] as number) },
        affectedRequests: own.length,
        units: sums.units(),
        placeMs,
        cure() {
          for (const row of own) left.redirect[row] = 0;
        },
      },
    ];
  });
};
