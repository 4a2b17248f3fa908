import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateSamples, createAggregator } from '../../../collector/analysis/summary/aggregate-samples.ts';
import type { Verdict } from '../../../collector/analysis/summary/summary-document.ts';
import { toVerdict } from '../../../collector/analysis/summary/verdict.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { ARBITRARY_SAMPLES } from './arbitrary-sample.ts';
import { makeSample } from './make-sample.ts';

type Times = Partial<StoredSample['times']>;
type Origin = Partial<StoredSample['origin']>;

const opened = (times: Times, origin: Origin = {}) =>
  makeSample({ connection: 'new', times: { tcp: 40_000, tls: 40_000, ...times }, origin });
const kept = (times: Times, origin: Origin = {}) => makeSample({ times, origin });

function verdict(samples: StoredSample[]): Verdict {
  const [cell] = aggregateSamples(samples, []);
  if (!cell) throw new Error('There is no cell.');
  return toVerdict(cell);
}

function times(n: number, sample: StoredSample): StoredSample[] {
  return Array.from({ length: n }, () => sample);
}

describe('the largest part leads', () => {
  test.each([
    ['server', [opened({ wait: 340_000 })]],
    ['network', [opened({ tls: 20_000, wait: 42_000 })]],
    ['tls', [opened({ tcp: 10_000, tls: 145_000, wait: 12_000 })]],
    ['download', [opened({ wait: 45_000, receive: 400_000 })]],
    ['client', [opened({ blocked: 400_000, wait: 45_000 })]],
  ] as const)('%s', (word, samples) => {
    expect(verdict([...samples])).toMatchObject({ verdict: word, reason: null, coverage: 1 });
  });
});

test('one round trip of the wait belongs to the network, on reused connections a borrowed one', () => {
  const { verdict: word, shares } = verdict([opened({ wait: 42_000 }), ...times(99, kept({ wait: 42_000 }))]);
  expect(word).toBe('network');
  expect(shares?.network).toBeCloseTo((40 + 100 * 40) / (80 + 100 * 42), 10);
  expect(shares?.server).toBeCloseTo((100 * 2) / (80 + 100 * 42), 10);
});

test('each site has the round trip of its own, so a near and a far one are divided as if they stood alone', () => {
  const from = (site: string, tcp: number, n: number) => [
    opened({ tcp, tls: tcp, wait: tcp + 50_000 }, { site }),
    ...times(n - 1, kept({ wait: tcp + 50_000 }, { site })),
  ];
  const { shares } = verdict([...from('near', 10_000, 30), ...from('far', 200_000, 10)]);
  // Forty servers' shares of 50 ms. One median for all, 10 ms, would have left the far ones 240 ms each.
  expect(shares?.server).toBeCloseTo((40 * 50) / (30 * 60 + 10 * 250 + 2 * (10 + 200)), 10);
});

describe('a connect that was sent again after a second is no round trip', () => {
  const plain = (times: Times) =>
    makeSample({ connection: 'new', scheme: 'http', times, unknown: { tls: 'plain_http' } });

  test('three of a hundred new connections', () => {
    const { shares } = verdict([
      ...times(97, plain({ tcp: 40_000, tls: null, wait: 140_000 })),
      ...times(3, plain({ tcp: 1_040_000, tls: null, wait: 140_000 })),
    ]);
    expect(shares?.network).toBeCloseTo(11 / 21, 9);
    expect(shares?.server).toBeCloseTo(10 / 21, 9);
  });

  test('one of ten, beside many requests that have nobody to borrow a round trip from', () => {
    const { verdict: word, shares } = verdict([
      ...times(9, plain({ tcp: 40_000, tls: null, wait: 240_000 })),
      plain({ tcp: 3_040_000, tls: null, wait: 240_000 }),
      ...times(
        990,
        makeSample({ scheme: 'http', times: { wait: 240_000, tls: null }, origin: { client: 'other', site: '' } }),
      ),
    ]);
    expect(word).toBe('server');
    expect(shares?.server).toBeCloseTo(200_000 / 243_400, 9);
  });

  test('a wait shorter than the round trip is all of it, and leaves the server none', () => {
    const { shares } = verdict([...times(3, plain({ tcp: 40_000, tls: null, wait: 10_000 }))]);
    expect(shares).toMatchObject({ network: 1, server: 0 });
  });
});

test('a handshake that few pay weighs little', () => {
  const rare = verdict([opened({ tls: 900_000, wait: 140_000 }), ...times(199, kept({ wait: 140_000 }))]);
  expect(rare.verdict).toBe('server');
  expect(rare.shares?.tls).toBeLessThan(0.04);
});

test('40 % and 1.5 times the second, or nobody leads', () => {
  const parts = (tls: number, receive: number, blocked: number) =>
    verdict([makeSample({ connection: 'new', times: { tcp: 1000, tls, wait: 1000, receive, blocked } })]);
  expect(parts(400_000, 260_000, 338_000)).toMatchObject({ verdict: 'unknown', reason: 'no_leader' });
  expect(parts(450_000, 290_000, 258_000)).toMatchObject({ verdict: 'tls' });
  expect(parts(380_000, 210_000, 200_000).verdict).toBe('tls');
  expect(parts(390_000, 250_000, 358_000)).toMatchObject({ verdict: 'unknown', reason: 'no_leader' });
});

test('near the limits: 39 % and 1.4 times the second are too little', () => {
  const parts = (tls: number, receive: number, blocked: number, dns: number) =>
    verdict([makeSample({ connection: 'new', times: { tcp: 1000, wait: 1000, tls, receive, blocked, dns } })]).verdict;
  expect(parts(390_000, 200_000, 200_000, 208_000)).toBe('unknown');
  expect(parts(405_000, 200_000, 200_000, 193_000)).toBe('tls');
  expect(parts(580_000, 414_000, 2000, 2000)).toBe('unknown');
  expect(parts(602_000, 394_000, 1000, 1000)).toBe('tls');
});

describe('the handshake of HTTP/3 is transport and TLS in one', () => {
  const merged = (tls: number) =>
    makeSample({
      connection: 'new',
      protocol: 'h3',
      unknown: { tcp: 'merged_h3' },
      times: { tcp: null, tls, wait: 1000, blocked: 1000 },
    });

  test('alone it is the network and not TLS', () => {
    expect(verdict(times(9, merged(50_000)))).toMatchObject({ verdict: 'network', shares: { tls: 0 } });
  });

  test('beside others it may be either, so only a leader either way is one', () => {
    const long = opened({ tcp: 1000, tls: 50_000, wait: 1000 });
    expect(verdict([...times(5, merged(50_000)), ...times(5, long)])).toMatchObject({
      verdict: 'unknown',
      shares: { tls: null, network: null },
    });
    expect(verdict([...times(5, merged(50_000)), ...times(5, opened({ wait: 900_000 }))]).verdict).toBe('server');
  });
});

describe('where no round trip was seen', () => {
  test('a wait that leads is not blamed on anybody', () => {
    expect(verdict(times(50, kept({ wait: 300_000 })))).toMatchObject({
      verdict: 'unknown',
      reason: 'no_round_trip',
      shares: { network: null, server: null, tls: 0 },
    });
  });

  test('another part still leads if it does either way', () => {
    expect(verdict(times(50, kept({ wait: 30_000, receive: 300_000 }))).verdict).toBe('download');
  });
});

test('nothing usable is unknown with no shares', () => {
  const nothing = { verdict: 'unknown', reason: 'no_samples', shares: null };
  expect(verdict([makeSample({ excluded: 'status', status: 401 })])).toEqual({
    ...nothing,
    coverage: 0,
    n: 0,
    typical: nothing,
  });
});

describe('the typical request has a verdict of its own', () => {
  // 140 of 228 ms are a round trip; one in twenty waits 10 s longer for the server.
  const far = [
    ...times(8, opened({ tcp: 140_000, wait: 228_000 })),
    ...times(172, kept({ wait: 228_000 })),
    ...times(9, kept({ wait: 10_228_000 })),
  ];

  test('which the few that lift the average do not decide', () => {
    const { verdict: word, typical } = verdict(far);
    expect(word).toBe('server');
    expect(typical.verdict).toBe('network');
    expect(typical.shares?.network).toBeCloseTo(140 / 228, 9);
    expect(typical.shares?.server).toBeCloseTo(88 / 228, 9);
  });

  test('from a sketch within its bound', () => {
    const sketched = createAggregator([], () => new Sketch());
    for (const sample of far) sketched.add(sample);
    const [cell] = sketched.cells();
    const shares = cell && toVerdict(cell).typical.shares;
    expect(Math.abs((shares?.network ?? 0) - 140 / 228)).toBeLessThan(0.016);
  });

  test('in which set-up counts where the middle half pays it, and not where few do', () => {
    const paid = (n: number) =>
      verdict([
        ...times(n, opened({ tcp: 20_000, tls: 300_000, wait: 60_000 })),
        ...times(100 - n, kept({ wait: 60_000 })),
      ]).typical;
    expect(paid(20).shares?.tls).toBe(0);
    expect(paid(90)).toMatchObject({ verdict: 'tls' });
    expect(paid(90).shares?.tls).toBeCloseTo(300 / 380, 9);
    // Of 50 that pay, the middle half has 25 of 50.
    expect(paid(50).shares?.tls).toBeCloseTo(150 / 220, 9);
  });

  test('in which an undivided set-up is network', () => {
    const earlier = makeSample({
      connection: 'new',
      times: { tcp: null, tls: 20_000, wait: 10_000, ttlb: 130_000 },
      unknown: { tcp: 'begun_earlier' },
    });
    const { typical } = verdict([...times(9, earlier), opened({ tcp: 100_000, tls: 20_000, wait: 10_000 })]);
    expect(typical.shares?.network).toBeCloseTo(110 / 130, 9);
  });

  test('and an HTTP/3 handshake too, or either where they are mixed', () => {
    const merged = makeSample({
      connection: 'new',
      protocol: 'h3',
      unknown: { tcp: 'merged_h3' },
      times: { tcp: null, tls: 50_000, wait: 1000, blocked: 1000 },
    });
    expect(verdict(times(9, merged)).typical).toMatchObject({ verdict: 'network', shares: { tls: 0 } });
    const mixed = [...times(5, merged), ...times(5, opened({ tcp: 1000, tls: 50_000, wait: 1000 }))];
    expect(verdict(mixed).typical).toMatchObject({ verdict: 'unknown', shares: { tls: null, network: null } });
  });

  test('whose shares never exceed the whole, whatever the samples', () => {
    fc.assert(
      fc.property(ARBITRARY_SAMPLES, (samples) => {
        const { shares } = verdict([makeSample({ times: { wait: 5 } }), ...samples]).typical;
        const sum = Object.values(shares ?? {}).reduce<number>((total, share) => total + (share ?? 0), 0);
        expect(sum).toBeLessThanOrEqual(1 + 1e-9);
        for (const share of Object.values(shares ?? {})) expect(share ?? 0).toBeGreaterThanOrEqual(-1e-9);
      }),
    );
  });
});

test('the shares add up to all of the wait where all of it is accounted for', () => {
  fc.assert(
    fc.property(ARBITRARY_SAMPLES, (samples) => {
      const { shares, coverage } = verdict([makeSample({ times: { wait: 5 } }), ...samples]);
      if (!shares || shares.network === null || shares.server === null || coverage < 1) return;
      const sum = Object.values(shares).reduce<number>((total, share) => total + (share ?? 0), 0);
      expect(sum).toBeCloseTo(1, 9);
    }),
  );
});

test('what was waited for a connection counts, though nobody can divide it', () => {
  const earlier = makeSample({
    connection: 'new',
    times: { tcp: null, tls: 20_000, wait: 10_000, ttlb: 130_000 },
    unknown: { tcp: 'begun_earlier' },
  });
  const told = opened({ tcp: 10_000, tls: 20_000, wait: 10_000 });
  const { verdict: word, shares } = verdict([...times(9, earlier), told]);
  expect(word).toBe('network');
  expect(shares?.network).toBeCloseTo((9 * 110_000 + 20_000) / (9 * 130_000 + 40_000), 9);
});
