import { studentPoint95 } from '../../../shared/statistics/student-tail.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { TlsPaid } from '../../reductions/set-up.ts';
import { countOpened, countRequestsWith, isMostlyMerged, perRequestMean, perRequestMedian } from './per-request.ts';
import type { HttpsCost } from './summary-document.ts';

/** Below it, how much browsers differ is not known well enough; counted as if all made equally many requests. */
const MIN_BROWSERS = 10;
/** New connections; below it, the few long handshakes that decide a mean may not have been among them. */
const MIN_CONNECTIONS = 30;

/**
 * What TLS adds to the requests of a cell.
 *
 * @param browsers of samples of the range, for the interval; null if none are kept
 */
export function toHttpsCost(aggregate: CellAggregate, browsers: readonly TlsPaid[] | null): HttpsCost {
  const { times, evidence, unknown } = aggregate;
  const known = {
    requests: countRequestsWith(aggregate, 'tls') ?? 0,
    opened: countOpened(aggregate, 'tls'),
    busiest: browsers === null || browsers.length === 0 ? null : busiestShare(browsers),
  };
  const mean = perRequestMean(aggregate, 'tls');
  const unpriced = { ...known, mean: null, share: null, median: null, perConnection: null, interval: null };
  if (evidence.usable === 0) return { ...unpriced, reason: 'no_samples' };
  if ((unknown.tls?.plain_http ?? 0) >= evidence.usable) return { ...unpriced, reason: 'plain_http' };
  if (isMostlyMerged(aggregate)) return { ...unpriced, reason: 'merged_h3' };
  if (mean === null) return { ...unpriced, reason: 'not_measured' };
  const error = browsers === null ? 'samples_expired' : relativeError(browsers);
  return {
    ...known,
    mean,
    share: times.ttlb.sum === 0 ? null : (1000 * mean * times.ttlb.n) / times.ttlb.sum,
    median: perRequestMedian(aggregate, 'tls'),
    perConnection: times.tls.n === 0 ? null : times.tls.sum / (1000 * times.tls.n),
    interval: typeof error === 'string' ? null : [Math.max(0, mean * (1 - error)), mean * (1 + error)],
    reason: typeof error === 'string' ? error : null,
  };
}

function busiestShare(browsers: readonly TlsPaid[]): number {
  const [most, all] = browsers.reduce(([max, sum], { requests }) => [Math.max(max, requests), sum + requests], [0, 0]);
  return most / all;
}

/**
 * Half the width of the 95 % interval ÷ the mean. The mean is (time ÷ measured) · (opened ÷ requests), so its relative error is
 * that of two ratios of a sample of browsers, linearized: the requests of one browser share its path and habits.
 */
function relativeError(browsers: readonly TlsPaid[]): number | 'few_browsers' | 'few_connections' {
  const sum = (name: keyof TlsPaid) => browsers.reduce((total, browser) => total + browser[name], 0);
  const [requests, opened, measured, time] = [sum('requests'), sum('opened'), sum('measured'), sum('time')];
  const squares = browsers.reduce((total, browser) => total + browser.requests ** 2, 0);
  const alike = squares === 0 ? 0 : requests ** 2 / squares;
  if (alike < MIN_BROWSERS) return 'few_browsers';
  if (measured < MIN_CONNECTIONS || time === 0) return 'few_connections';
  const variance = browsers.reduce((total, browser) => {
    const deviation =
      browser.time / time - browser.measured / measured + browser.opened / opened - browser.requests / requests;
    return total + deviation ** 2;
  }, 0);
  const n = browsers.length;
  return studentPoint95(alike - 1) * Math.sqrt((variance * n) / (n - 1));
}
