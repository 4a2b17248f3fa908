import type { Store } from '../../collector/storage/store.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';

export type PlainSample = typeof PLAIN_SAMPLE;
const DAY = 86_400_000;

/** A request with its phases in ms: on a kept connection unless it is told what the set-up took. */
export function request(
  at: number,
  { wait, receive = 0, tcp = 0, tls = 0 }: { wait: number; receive?: number; tcp?: number; tls?: number },
  more: Partial<PlainSample> = {},
): PlainSample {
  const [w, r, c, s] = [wait, receive, tcp, tls].map((ms) => Math.round(ms * 1000)) as [number, number, number, number];
  return {
    ...PLAIN_SAMPLE,
    at,
    connection: c + s > 0 ? 'new' : 'reused',
    times: {
      redirect: 0,
      blocked: 0,
      dns: 0,
      tcp: c,
      tls: s,
      wait: w,
      receive: r,
      ttfb: c + s + w,
      ttlb: c + s + w + r,
    },
    unknown: {},
    ...more,
  };
}

/** The last minute before noon of a day counted from the first of the month before `NOW` (February 2026). */
function dayOfLastMonth(day: number): number {
  return Date.UTC(2026, 1, 1 + day, 11, 59);
}

/**
 * A small fleet over January and February, as every view wants it: two hosts, pages, scripts and images, all four
 * scenarios, the cache, refusals, failures and probes; slower by half in February.
 */
export async function fillTwoMonths(store: Store, browsers = 8): Promise<void> {
  for (let browser = 0; browser < browsers; browser++) {
    const samples: PlainSample[] = [];
    for (let day = -28; day < 28; day += 2) {
      const slow = day < 0 ? 1 : 1.5;
      const at = dayOfLastMonth(day) + browser;
      const own = 20 + browser + (day % 5);
      const erp = { host: 'erp.example.com', template: '/orders/{n}', type: 'document' as const };
      const shop = { host: 'shop.example.com', template: '/logo.png', type: 'image' as const, scheme: 'http' as const };
      samples.push(
        request(at, { wait: own * 3 * slow, receive: 4, tcp: own, tls: own }, erp),
        request(at + 1, { wait: own * 2 * slow, receive: 6 }, { ...erp, template: '/a|b', type: 'script' }),
        request(at + 2, { wait: own * 2 * slow, receive: 2 }, erp),
        request(at + 3, { wait: own, receive: 9 }, { ...shop, unknown: {} }),
        request(at + 4, { wait: own, receive: 9, tcp: own }, shop),
        request(at + 5, { wait: own }, { ...erp, template: '/logo.png', type: 'image', encodedBodySize: 1000 }),
        request(at + 6, { wait: 1 }, { ...erp, status: 401, excluded: 'status' }),
        request(at + 7, { wait: own, tcp: own, tls: own }, { ...erp, source: 'probe-https-new' }),
        request(at + 8, { wait: own }, { ...erp, source: 'probe-script', template: '/login' }),
      );
    }
    await fill(store, samples, { client: browserId(browser), site: browser % 2 === 0 ? 'Berlin' : '=cmd()' });
  }
}

/** 999 requests of 10 ms and one of 3,000 ms: the golden numbers of the seed, median 10 and average 12.99. */
export function goldenSamples(): PlainSample[] {
  const first = NOW - 2 * DAY;
  return Array.from({ length: 1000 }, (_, i) => request(first + i * 1000, { wait: i === 500 ? 3000 : 10 }));
}
