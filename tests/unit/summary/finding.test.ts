import { describe, expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { toFinding } from '../../../collector/analysis/summary/finding.ts';
import { summarizeCell } from '../../../collector/analysis/summary/summarize-cell.ts';
import { ENGLISH, type Texts } from '../../../collector/analysis/text/english.ts';
import { findingText } from '../../../collector/analysis/text/finding-text.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import { makeSample } from './make-sample.ts';

function found(samples: readonly StoredSample[], by: readonly Dimension[]) {
  const [cell] = aggregateSamples(of(samples, 5), by);
  return cell ? toFinding(summarizeCell(cell)) : null;
}

/** The same samples, of that many browsers. */
function of(samples: readonly StoredSample[], browsers: number): StoredSample[] {
  return samples.map((sample, i) => ({ ...sample, origin: { ...sample.origin, client: `browser-${i % browsers}` } }));
}

function say(samples: readonly StoredSample[], by: readonly Dimension[] = ['host', 'type']): string[] {
  const finding = found(samples, by);
  return finding ? findingText(finding, ENGLISH) : [];
}

const times = (n: number, sample: StoredSample) => Array.from({ length: n }, () => sample);
const kept = (wait: number) => makeSample({ times: { wait } });
const opened = makeSample({ connection: 'new', times: { dns: 59_000, tcp: 30_000, tls: 92_000, wait: 83_000 } });

test('median, average, why they differ, what TLS costs, and who is to blame', () => {
  // 1,000 requests: 38 pay 181 ms of set-up (6.9 ms each), 10 wait 2.8 s longer (28 ms each).
  const samples = [...times(952, kept(83_000)), ...times(38, opened), ...times(10, kept(2_883_000))];
  expect(say(samples)).toEqual([
    'erp.example.com, documents: median 83 ms, average 118 ms.',
    'The average is 1.4 times the median: 1.0 % of requests take over 2.9 s (waiting for the server); they make 28 of the 35 ms between median and average, 6.9 ms come from the 3.8 % of requests that pay for a new connection (median 181 ms, TLS 92 of it).',
    'Per request, TLS costs 3.5 ms on average and 0 at the median.',
    'Verdict for a typical request and for the average: server.',
  ]);
});

test('33 requests or fewer are said beside the times that they carry', () => {
  expect(say(times(33, kept(83_000)))[1]).toBe('Median and average agree. That is from 33 requests only.');
  expect(say(times(34, kept(83_000)))[1]).toBe('Median and average agree.');
});

test('new connections of all requests are no share of them', () => {
  const slower = makeSample({ connection: 'new', times: { dns: 59_000, tcp: 30_000, tls: 92_000, wait: 183_000 } });
  const samples = [...times(60, opened), ...times(40, slower)];
  expect(say(samples)[1]).toContain('the new connections of all requests (median 181 ms, TLS 92 of it) add');
  const finding = found(samples, ['host', 'type']);
  expect(finding && findingText(finding, GERMAN)[1]).toContain('neuen Verbindungen aller Anfragen (Median 181 ms');
});

describe('a part that pulls the average down', () => {
  // 60 at the median, 39 that wait 30 ms less each, one that waits 2 s more.
  const raised = [...times(60, kept(83_000)), ...times(39, kept(53_000)), kept(2_083_000)];
  // Nothing but the spread: 40 of 100 wait 50 ms less.
  const lowered = [...times(60, kept(83_000)), ...times(40, kept(33_000))];

  test('is said to take off what it takes, in both languages', () => {
    expect(say(raised)[1]).toBe(
      'The average is 1.1 times the median, 8.3 ms above it: the 1.0 % of requests over 2.1 s (waiting for the server) add 20 ms, the spread of ordinary requests takes 12 ms off.',
    );
    const finding = found(raised, ['host', 'type']);
    expect(finding && findingText(finding, GERMAN)[1]).toBe(
      'Der Mittelwert ist das 1,1-Fache des Medians, 8,3 ms darüber: die 1,0 % der Anfragen über 2,1 s (Warten auf den Server) bringen 20 ms hinzu, die Streuung gewöhnlicher Anfragen nimmt 12 ms weg.',
    );
  });

  test('may leave the average below the median', () => {
    expect(say(lowered)[1]).toBe('The average is 0.8 times the median, 20 ms below it.');
    const finding = found(lowered, ['host', 'type']);
    expect(finding && findingText(finding, GERMAN)[1]).toBe(
      'Der Mittelwert ist das 0,8-Fache des Medians, 20 ms darunter.',
    );
  });
});

test('plain HTTP has no sentence on TLS', () => {
  const plain = makeSample({ scheme: 'http', times: { wait: 20_000, tls: null }, unknown: { tls: 'plain_http' } });
  expect(say(times(40, plain))).toEqual([
    'erp.example.com, documents: median 20 ms, average 20 ms.',
    'Median and average agree.',
    'Verdict: unknown, no new connection was seen, so network and server cannot be separated.',
  ]);
});

test('HTTP/3 has one handshake for transport and TLS, which is not called TLS', () => {
  const merged = makeSample({
    connection: 'new',
    protocol: 'h3',
    unknown: { tcp: 'merged_h3' },
    times: { tcp: null, tls: 60_000, wait: 10_000 },
  });
  const lines = say([...times(40, merged), ...times(60, kept(10_000))]);
  expect(lines).toContain('HTTP/3 combines TCP and TLS in one handshake, so the cost of TLS per request is unknown.');
  expect(lines.join(' ')).not.toMatch(/on average and|TLS 60/);
});

test('where most requests open a connection, TLS costs the median request something', () => {
  const lines = say([...times(70, opened), ...times(30, kept(83_000))]);
  expect(lines).toContain('Per request, TLS costs 64 ms on average and 92 at the median.');
});

describe('a TCP end point near the users', () => {
  const verdict = (tcp: number, tls: number) => {
    const paid = makeSample({ connection: 'new', times: { dns: 0, tcp, tls, wait: 900_000 } });
    return say([...times(10, paid), ...times(90, kept(900_000))]).find((line) =>
      line.startsWith('Verdict for a typical request and for the average: server'),
    );
  };
  const HEDGED =
    /^Verdict for a typical request and for the average: server, or the path to it\. TCP ends at a proxy, VPN or CDN near the users/;

  test('shows by a TLS handshake far longer than its round trips, and the verdict says what it covers', () => {
    expect(verdict(200, 62_000)).toMatch(HEDGED);
  });

  test('is not seen in two slow round trips, nor in a server that signs slowly', () => {
    expect(verdict(40_000, 92_000)).toBe('Verdict for a typical request and for the average: server.');
    expect(verdict(300, 9_000)).toBe('Verdict for a typical request and for the average: server.');
  });
});

describe('a typical request may have another verdict than the average', () => {
  const far = [
    ...times(8, makeSample({ connection: 'new', times: { tcp: 140_000, tls: 1000, wait: 228_000 } })),
    ...times(172, kept(228_000)),
    ...times(9, kept(10_228_000)),
  ];

  test('both are said', () => {
    const finding = found(far, []);
    expect(finding && findingText(finding, ENGLISH)).toContain(
      'Verdict: network for a typical request, server for the average.',
    );
    expect(finding && findingText(finding, GERMAN)).toContain(
      'Hauptursache: Netz bei einer typischen Anfrage, Server im Mittel.',
    );
  });

  test('and what "server" covers where TCP ends near the users', () => {
    const finding = found(far, []);
    expect(finding && findingText({ ...finding, nearbyEndpoint: true }, ENGLISH).join(' ')).toContain(
      'server for the average. TCP ends at a proxy, VPN or CDN near the users, and “server” is everything behind that.',
    );
  });
});

describe('doubts and scope', () => {
  test('few samples ask for more', () => {
    expect(say([...times(3, kept(83_000)), ...times(3, kept(84_000))]).at(-1)).toBe(
      'Keep measuring: there are fewer than 30 samples.',
    );
    const [cell] = aggregateSamples(of(times(40, kept(83_000)), 4), []);
    const finding = cell ? toFinding(summarizeCell(cell)) : null;
    expect(finding && findingText(finding, ENGLISH).at(-1)).toBe('Keep measuring: there are fewer than 5 browsers.');
    expect(finding && findingText(finding, GERMAN).at(-1)).toBe('Weiter messen: es sind weniger als 5 Browser.');
  });

  test('times that vary widely are described, and no reason to measure more', () => {
    const spread = Array.from({ length: 2000 }, (_, i) => kept(50_000 + 50 * i));
    const finding = found(spread, []);
    expect(finding && findingText(finding, ENGLISH).slice(-1)).toEqual([
      'Times vary widely: the middle half takes 75 to 125 ms.',
    ]);
    expect(finding && findingText(finding, GERMAN).at(-1)).toBe(
      'Die Zeiten streuen stark: die mittlere Hälfte dauert 75 bis 125 ms.',
    );
  });

  test('a summary over everything says so, large times have their thousands parted', () => {
    expect(say(times(40, kept(12_345_678)), [])[0]).toBe('All requests: median 12,346 ms, average 12,346 ms.');
  });

  test('each group is called by what it was cut by', () => {
    const samples = ['berlin', 'porto', ''].flatMap((site) =>
      times(40, kept(83_000)).map((sample) => ({ ...sample, origin: { ...sample.origin, site } })),
    );
    const leads = (by: Parameters<typeof aggregateSamples>[1]) =>
      aggregateSamples(samples, by).flatMap((cell) => {
        const finding = toFinding(summarizeCell(cell));
        return finding === null
          ? []
          : [findingText(finding, ENGLISH)[0]?.split(':')[0], findingText(finding, GERMAN)[0]?.split(':')[0]];
      });
    expect(leads(['site'])).toEqual([
      ...['All requests, site berlin', 'Alle Anfragen, Standort berlin'],
      ...['All requests, site porto', 'Alle Anfragen, Standort porto'],
      ...['All requests, site (none)', 'Alle Anfragen, Standort (keine)'],
    ]);
    expect(leads(['host', 'protocol'])[0]).toBe('erp.example.com, all requests, protocol http/1.1');
  });

  test('says which part was cut off where it is more than 5 %', () => {
    const cutOff = (n: number) => times(n, makeSample({ connection: 'failed', excluded: 'abandoned' }));
    const because = (n: number, texts: Texts) => {
      const finding = found([...times(95, kept(83_000)), ...cutOff(n)], []);
      return finding && findingText(finding, texts)[1];
    };
    expect(because(5, ENGLISH)).toBe('Median and average agree.');
    expect(because(10, ENGLISH)).toBe(
      'Median and average agree. 9.5 % of the requests were abandoned by the page before they ended: the slowest may be missing.',
    );
    expect(because(10, GERMAN)).toContain('9,5 % der Anfragen brach die Seite vor ihrem Ende ab');
  });

  test('an app is called by its name, or by its id once it is removed', () => {
    const finding = found(times(40, kept(83_000)), ['host', 'target']);
    const lead = (apps: ReadonlyMap<string, string>, texts: Texts) =>
      finding && findingText(finding, texts, apps)[0]?.split(':')[0];
    const apps = new Map([['erp', 'Order system']]);
    expect([lead(apps, ENGLISH), lead(apps, GERMAN), lead(new Map(), ENGLISH)]).toEqual([
      'erp.example.com, all requests, app Order system',
      'erp.example.com, alle Anfragen, App Order system',
      'erp.example.com, all requests, app erp',
    ]);
  });

  test('nothing usable says nothing', () => {
    expect(say([makeSample({ excluded: 'status', status: 401 })])).toEqual([]);
  });
});
