import type { HttpsCost } from '../summary/summary-document.ts';
import { numberWords } from './numbers.ts';

const { amount, count, ms, wholeShare } = numberWords('en');
/** Without the unit; a cost may be tiny. */
const price = (value: number) => (value < 0.05 ? ms(value) : amount(value));

/** What HTTPS costs the users of each app, in English. */
export const ENGLISH_HTTPS_COST = {
  title: 'What HTTPS costs',
  all: (apps: number) => `All ${count(apps)} apps`,
  /** @param app null for requests that belong to none, undefined for all together */
  users: (app: string | null | undefined) =>
    app === undefined ? 'users' : app === null ? 'users outside the apps' : `${app}’s users`,
  costs: (users: string, mean: number, part: number | null, interval: readonly [low: number, high: number] | null) => {
    const known = [
      ...(part === null ? [] : [wholeShare(part)]),
      ...(interval === null ? [] : [`95 %: ${price(interval[0])} to ${price(interval[1])} ms`]),
    ];
    return `HTTPS costs ${users} ${price(mean)} ms per request${known.length === 0 ? '' : ` (${known.join('; ')})`}: `;
  },
  parts: (median: number, perConnection: number, opened: number) =>
    `${price(median)}${median === 0 ? '' : ' ms'} at the median, ${price(perConnection)} ms on the ${wholeShare(opened)} that open a connection.`,
  nothing: (users: string, requests: number) =>
    `HTTPS costs ${users} nothing: none of ${count(requests)} requests opened a connection.`,
  untold: (users: string, reason: string) => `What HTTPS costs ${users} can’t be told: ${reason}.`,
  noInterval: (reason: string) => ` No interval: ${reason}.`,
  busiest: (part: number) => ` One browser makes ${wholeShare(part)} of the requests.`,
  hidden: (part: number) => ` Not counted: the ${wholeShare(part)} whose phases the browser hides.`,
  reasons: {
    no_samples: 'no request has known phases',
    plain_http: 'all is plain HTTP',
    merged_h3: 'HTTP/3 sets up transport and TLS in one exchange',
    not_measured: 'no TLS handshake was measured',
    few_browsers: 'fewer than 10 browsers, or a few of them make most requests',
    few_connections: 'fewer than 30 new connections were measured',
    samples_expired: 'single requests of this range are no longer kept',
  } as Readonly<Record<NonNullable<HttpsCost['reason']>, string>>,
};
