import type { SummaryCell, TimeStatistics } from '../../analysis/summary/summary-document.ts';
import { DASH, formatCount, formatMs, formatShare } from '../text/format.ts';

/** A number and its meaning. */
interface Fact {
  readonly label: string;
  readonly value: string;
  readonly meaning: string;
  readonly doubtful?: boolean;
}

const NOT_MEASURABLE = {
  no_samples: 'no round trip was measured that could be subtracted',
  few_samples: 'fewer than 6 requests',
  interval_contains_zero: 'the interval contains 0, so the difference is not measurable',
} as const;

/** Set-up costs, round trips of a handshake, reuse, and the server's share: numbers in large type, each with its meaning. */
export function ConnectionFacts({ cell }: { readonly cell: SummaryCell }) {
  return (
    <section class="panel facts">
      <div class="panel-head">
        <h2>Connections, TLS and the server</h2>
      </div>
      <dl class="fact-grid">
        {factsOf(cell).map(({ label, value, meaning, doubtful = false }) => (
          <div key={label} class={`fact${doubtful ? ' doubtful' : ''}`}>
            <dt>{label}</dt>
            <dd>
              <span class="value">{value}</span>
              <span class="meaning">{meaning}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(cell: SummaryCell): readonly Fact[] {
  return [
    setup('Set-up per connection', cell.setup.perConnection, 'DNS + TCP + TLS over new connections only'),
    setup(
      'Set-up per request',
      cell.setup.perRequest,
      'DNS + TCP + TLS over all requests; a reused connection counts 0',
    ),
    ...tlsPerRequest(cell),
    roundTrips(cell),
    requestsPerConnection(cell),
    serverPart(cell),
    ...above(cell),
  ];
}

function setup(label: string, statistics: TimeStatistics | null, meaning: string): Fact {
  if (statistics === null) return { label, value: DASH, meaning: `${meaning}. No new connection was measured.` };
  const { median, mean, n, keepMeasuring } = statistics;
  return {
    label,
    value: `${formatMs(median)} / ${formatMs(mean)} ms`,
    meaning: `Median / average. ${meaning}, n ${formatCount(n)}${keepMeasuring.length > 0 ? '; keep measuring' : ''}.`,
    doubtful: keepMeasuring.length > 0,
  };
}

function tlsPerRequest({ perRequest, perRequestMedian }: SummaryCell): readonly Fact[] {
  if (perRequest.tls === null) return [];
  return [
    {
      label: 'TLS per request',
      value: `${formatMs(perRequestMedian.tls ?? 0)} / ${formatMs(perRequest.tls)} ms`,
      meaning: 'Median / average over all requests: the overall cost of TLS handshakes.',
    },
  ];
}

function roundTrips({ handshakeRoundTrips: found }: SummaryCell): Fact {
  const label = 'Handshake round trips';
  if (!found || found.roundTrips === null) {
    const reasons = {
      no_tls: 'No TLS handshake was measured.',
      mixed: 'Plain HTTP or HTTP/3 is mixed with TLS over TCP. Filter by scheme or protocol.',
      below_clock_step: 'A round trip is below what these browsers can measure.',
      round_trip_too_short: 'Not measurable: on a path this short, computing takes longer than the round trips.',
    } as const;
    return { label, value: DASH, meaning: reasons[found?.reason ?? 'no_tls'] };
  }
  return {
    label,
    value: found.roundTrips.toFixed(1),
    meaning: `Median TLS ÷ median TCP, n ${formatCount(found.n)}. ${found.meaning ?? ''}`,
    doubtful: found.n < 30,
  };
}

function requestsPerConnection({ requestsPerConnection: ratio, connections }: SummaryCell): Fact {
  return {
    label: 'Requests per connection',
    value: ratio === null || ratio === undefined ? DASH : ratio < 10 ? ratio.toFixed(1) : formatCount(ratio),
    meaning:
      ratio === null || ratio === undefined
        ? 'No new connection was seen.'
        : `Requests ÷ new connections (${formatCount(connections.new ?? 0)}), an estimate: browsers do not identify connections.`,
  };
}

function serverPart({ serverShares }: SummaryCell): Fact {
  const label = 'Server’s share of the wait';
  const best = serverShares?.onNewConnections;
  if (!serverShares || !best) return { label, value: DASH, meaning: 'Not measured.' };
  if (best.median === null) {
    return { label, value: DASH, meaning: `Not measurable: ${NOT_MEASURABLE[best.notMeasurable ?? 'no_samples']}.` };
  }
  const interval =
    best.interval === null ? '' : ` (${formatMs(best.interval[0])} to ${formatMs(best.interval[1])} ms, 95 %)`;
  return {
    label,
    value: `${formatMs(best.median)} ms`,
    meaning: `Wait minus one round trip on new connections, median${interval}, n ${formatCount(best.n)}. ${serverShares.meaning}`,
    doubtful: best.n < 30,
  };
}

function above({ sharesAbove }: SummaryCell): readonly Fact[] {
  return (sharesAbove ?? []).map(({ threshold, share, count }) => ({
    label: `Over ${threshold >= 1000 ? `${threshold / 1000} s` : `${threshold} ms`}`,
    value: formatShare(share),
    meaning: `${formatCount(count)} requests took longer to the last byte.`,
  }));
}
