import { countRoundTrips } from '../../analysis/summary/handshake-round-trips.ts';
import type { SummaryCell, TimeStatistics } from '../../analysis/summary/summary-document.ts';
import { DASH, formatCount, formatMs, formatShare } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';

/** A number and its meaning. */
interface Fact {
  readonly label: string;
  readonly value: string;
  readonly meaning: string;
  readonly doubtful?: boolean;
}

const words = HOST;

/** Set-up costs, round trips of a handshake, reuse, and the server's share: numbers in large type, each with its meaning. */
export function ConnectionFacts({ cell }: { readonly cell: SummaryCell }) {
  return (
    <section class="panel facts">
      <div class="panel-head">
        <h2>{words.facts}</h2>
      </div>
      <dl class="fact-grid">
        {factsOf(cell).map(({ label, value, meaning, doubtful = false }) => (
          <div key={label} class={`fact${doubtful ? ' doubtful' : ''}`}>
            <dt>{label}</dt>
            <dd>
              <span class="value">{value}</span>
              <span class="quiet small">{meaning}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(cell: SummaryCell): readonly Fact[] {
  return [
    setup(words.setupPerConnection, cell.setup.perConnection, words.setupPerConnectionMeans),
    setup(words.setupPerRequest, cell.setup.perRequest, words.setupPerRequestMeans),
    ...tlsPerRequest(cell),
    roundTrips(cell),
    requestsPerConnection(cell),
    serverPart(cell),
    ...above(cell),
  ];
}

function setup(label: string, statistics: TimeStatistics | null, meaning: string): Fact {
  if (statistics === null) return { label, value: DASH, meaning: words.setupUnknown(meaning) };
  const { median, mean, n, keepMeasuring } = statistics;
  return {
    label,
    value: `${formatMs(median)} / ${formatMs(mean)} ms`,
    meaning: words.setup(meaning, n, keepMeasuring.length > 0),
    doubtful: keepMeasuring.length > 0,
  };
}

function tlsPerRequest({ perRequest, perRequestMedian }: SummaryCell): readonly Fact[] {
  if (perRequest.tls === null) return [];
  return [
    {
      label: words.tlsPerRequest,
      value: `${formatMs(perRequestMedian.tls ?? 0)} / ${formatMs(perRequest.tls)} ms`,
      meaning: words.tlsPerRequestMeans,
    },
  ];
}

function roundTrips({ handshakeRoundTrips: found }: SummaryCell): Fact {
  const label = words.roundTrips;
  if (!found || found.roundTrips === null) {
    return { label, value: DASH, meaning: words.roundTripsUnknown[found?.reason ?? 'no_tls'] };
  }
  return {
    label,
    value: t.numbers.fixed(found.roundTrips, 1),
    meaning: words.roundTripsMean(found.n, words.roundTripsMeanings[countRoundTrips(found.roundTrips)]),
    doubtful: found.n < 30,
  };
}

function requestsPerConnection({ requestsPerConnection: ratio, connections }: SummaryCell): Fact {
  return {
    label: words.requestsPerConnection,
    value: ratio === null || ratio === undefined ? DASH : ratio < 10 ? t.numbers.fixed(ratio, 1) : formatCount(ratio),
    meaning:
      ratio === null || ratio === undefined
        ? words.noNewConnection
        : words.requestsPerConnectionMeans(connections.new ?? 0),
  };
}

function serverPart({ serverShares }: SummaryCell): Fact {
  const label = words.serverShare;
  const best = serverShares?.onNewConnections;
  if (!serverShares || !best) return { label, value: DASH, meaning: words.notMeasured };
  if (best.median === null) {
    return { label, value: DASH, meaning: words.notMeasurable[best.notMeasurable ?? 'no_samples'] };
  }
  const interval =
    best.interval === null ? null : words.interval(formatMs(best.interval[0]), formatMs(best.interval[1]));
  return {
    label,
    value: `${formatMs(best.median)} ms`,
    meaning: words.serverShareMeans(interval, best.n),
    doubtful: best.n < 30,
  };
}

function above({ sharesAbove }: SummaryCell): readonly Fact[] {
  return (sharesAbove ?? []).map(({ threshold, share, count }) => ({
    label: words.over(
      threshold >= 1000 ? `${t.numbers.upTo(threshold / 1000, 3)} s` : `${t.numbers.upTo(threshold, 3)} ms`,
    ),
    value: formatShare(share),
    meaning: words.overMeans(count),
  }));
}
