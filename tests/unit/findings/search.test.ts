import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../collector/analysis/findings/finding.ts';
import { searchWaits } from '../../../collector/analysis/findings/search.ts';
import { createWaits } from '../../../collector/analysis/findings/waits.ts';
import { findingWords } from '../../../collector/analysis/text/finding-words.ts';
import { LANGUAGES } from '../../../collector/analysis/text/language.ts';
import { DAYS, FIRST, ordinaryRows, type RequestRow, tableOf } from './request-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function causesIn(rows: readonly RequestRow[]): Finding[] {
  return searchWaits(createWaits(tableOf(rows), () => 0));
}

type Times = Partial<RequestRow['times']>;

/** The same rows, some of them changed. */
function changed(
  when: (row: RequestRow, index: number) => boolean,
  change: (row: RequestRow) => Partial<Omit<RequestRow, 'times'>> & { times?: Times },
) {
  return ordinaryRows().map((row, index): RequestRow => {
    if (!when(row, index)) return row;
    const { times, ...others } = change(row);
    return { ...row, ...others, times: { ...row.times, ...times } };
  });
}

const isNew = ({ connection }: RequestRow) => connection === 'new';
const hourOf = ({ at }: RequestRow) => new Date(at).getUTCHours();
const dayOf = ({ at }: RequestRow) => Math.floor((at - FIRST) / DAY);

describe('the causes of waiting', () => {
  it('are none where nothing is wrong', () => {
    expect(causesIn(ordinaryRows())).toEqual([]);
  });

  it('are not a file that comes as fast as its line', () => {
    const isFile = (row: RequestRow) => row.host === 'api.shop.example.com' && row.template === '/items';
    expect(causesIn(changed(isFile, () => ({ size: 2_000_000, times: { receive: 330 } })))).toEqual([]);
  });

  it('are not what takes longer now and then, wherever it is', () => {
    const now = (_: RequestRow, index: number) => (index * 7919) % 31 === 0;
    expect(causesIn(changed(now, ({ times }) => ({ times: { wait: times.wait * 5 } })))).toEqual([]);
  });

  it.each<[name: string, rows: () => RequestRow[], kind: Finding['kind'], place: Partial<Finding['place']>]>([
    [
      'one request that its server takes long for',
      () =>
        changed(
          (row) => row.host === 'api.erp.example.com' && row.template === '/items',
          ({ times }) => ({ times: { wait: times.wait * 8 } }),
        ),
      'slow_server',
      { target: 'erp', host: 'api.erp.example.com', template: '/items' },
    ],
    [
      'a host that answers everything slowly',
      () =>
        changed(
          ({ host, type }) => host === 'erp.example.com' && type === 'document',
          ({ times }) => ({ times: { wait: times.wait * 4 } }),
        ),
      'slow_server',
      { target: 'erp', host: 'erp.example.com', template: null },
    ],
    [
      'a third party of which only the total is known',
      () =>
        changed(
          ({ host, type }) => host === 'shop.example.com' && type === 'image',
          () => ({ host: 'ads.example.net', outcome: 'opaque' as const, times: { wait: 900 } }),
        ),
      'slow_third_party',
      { target: 'shop', host: 'ads.example.net', template: '/logo.png' },
    ],
    [
      'an hour in which a host is overloaded',
      () =>
        changed(
          (row) => row.host === 'api.shop.example.com' && hourOf(row) === 10,
          ({ times }) => ({ times: { wait: times.wait * 6 } }),
        ),
      'slow_hours',
      { host: 'api.shop.example.com', hours: [10, 11] },
    ],
    [
      'a host that loses packets',
      () =>
        changed(
          (row, i) => row.host === 'erp.example.com' && isNew(row) && i % 7 === 0,
          ({ times }) => ({ times: { tcp: times.tcp + 1000 } }),
        ),
      'packet_loss',
      { host: 'erp.example.com', site: null },
    ],
    [
      'a site that loses packets',
      () =>
        changed(
          (row, i) => row.site === 'Lyon' && isNew(row) && i % 7 === 0,
          ({ times }) => ({ times: { tcp: times.tcp + 1000 } }),
        ),
      'packet_loss',
      { host: null, site: 'Lyon' },
    ],
    [
      'a server that closes connections after five seconds',
      () =>
        changed(
          ({ host, idle }) => host === 'shop.example.com' && idle > 12_000,
          () => ({ idle: 13_000 }),
        ).map((row) =>
          row.host !== 'shop.example.com'
            ? row
            : row.outcome === 'usable' && dayOf(row) % 2 === 0
              ? { ...row, idle: 7000, connection: 'new', times: { ...row.times, dns: 8, tcp: 20, tls: 25 } }
              : { ...row, idle: 2000, connection: 'reused', times: { ...row.times, dns: 0, tcp: 0, tls: 0 } },
        ),
      'early_close',
      { host: 'shop.example.com' },
    ],
    [
      'a server that resumes no sessions',
      () =>
        changed(
          (row) => row.host === 'api.erp.example.com' && isNew(row),
          ({ times }) => ({ handshake: 'full' as const, times: { tls: times.tls + 90 } }),
        ),
      'full_handshakes',
      { host: 'api.erp.example.com' },
    ],
    [
      'a proxy at one site that speaks HTTP/1.1 for all hosts',
      () =>
        changed(
          ({ site }) => site === 'Oslo',
          (row) => ({ protocol: 'http/1.1', times: isNew(row) ? { tcp: 2, tls: row.times.tls + 120 } : {} }),
        ),
      'inspection',
      { site: 'Oslo' },
    ],
    [
      'a site on another continent',
      () =>
        changed(
          ({ site }) => site === 'Turin',
          (row) => ({ times: { wait: row.times.wait + 130, ...(isNew(row) ? { tcp: 150, tls: 160 } : {}) } }),
        ),
      'far_site',
      { site: 'Turin' },
    ],
    [
      'slow lookups at one site',
      () =>
        changed(
          (row) => row.site === 'Lyon' && isNew(row),
          () => ({ times: { dns: 300 } }),
        ),
      'slow_dns',
      { site: 'Lyon' },
    ],
    [
      'an answer of several megabytes',
      () =>
        changed(
          (row) => row.host === 'api.shop.example.com' && row.template === '/items',
          () => ({ size: 5_000_000, times: { receive: 600 } }),
        ),
      'large_download',
      { target: 'shop', host: 'api.shop.example.com', template: '/items' },
    ],
    [
      'requests that wait for one of six connections',
      () =>
        changed(
          ({ host }) => host === 'old.erp.example.com',
          () => ({ times: { blocked: 150 } }),
        ),
      'queueing',
      { target: 'erp', host: 'old.erp.example.com', template: '/report' },
    ],
    [
      'files that no browser may keep',
      () =>
        changed(
          ({ target, outcome }) => target === 'erp' && outcome === 'cache',
          () => ({ outcome: 'usable' as const }),
        ),
      'cold_cache',
      { target: 'erp' },
    ],
    [
      'a site whose browsers keep no files',
      () =>
        changed(
          ({ site, outcome }) => site === 'Lyon' && outcome === 'cache',
          () => ({ outcome: 'usable' as const }),
        ),
      'cold_cache',
      { site: 'Lyon', protocol: null },
    ],
    [
      'a server that holds back the last packet of every third answer',
      () =>
        changed(
          () => true,
          (row) => ({
            size: 4000,
            times: row.host === 'api.shop.example.com' && row.times.wait % 3 < 1 ? { receive: 40 } : {},
          }),
        ),
      'held_back',
      { target: 'shop', host: 'api.shop.example.com' },
    ],
    [
      'one browser that holds everything back',
      () =>
        changed(
          ({ client }) => client === 'Berlin-1',
          () => ({ times: { blocked: 700 } }),
        ),
      'slow_browser',
      { site: 'Berlin', client: 'Berlin-1' },
    ],
    [
      'a line that is full in the morning',
      () =>
        changed(
          (row) => row.site === 'Oslo' && hourOf(row) < 11,
          () => ({ times: { receive: 90 } }),
        ),
      'busy_line',
      { site: 'Oslo', hours: [9, 11] },
    ],
    [
      'a day of errors',
      () =>
        changed(
          (row, i) => row.host === 'erp.example.com' && row.outcome === 'usable' && dayOf(row) === 3 && i % 2 === 0,
          () => ({ outcome: 'error' as const }),
        ),
      'errors',
      { host: 'erp.example.com' },
    ],
    [
      'a server that asks for credentials before every fourth answer',
      () =>
        changed(
          ({ host }, index) => host === 'api.shop.example.com' && Math.floor(index / 16) % 4 === 0,
          () => ({ outcome: 'challenged' as const, times: { blocked: 45 } }),
        ),
      'challenges',
      { target: 'shop', host: 'api.shop.example.com' },
    ],
    [
      'pages behind redirects',
      () =>
        changed(
          ({ host, type }) => host === 'shop.example.com' && type === 'document',
          () => ({ outcome: 'redirected' as const, times: { redirect: 150 } }),
        ),
      'redirects',
      { target: 'shop', host: 'shop.example.com' },
    ],
  ])('%s', (_, rows, kind, place) => {
    const found = causesIn(rows());
    expect(found.map((finding) => finding.kind)).toEqual([kind]);
    expect(found[0]?.place).toMatchObject(place);
    // It has every number of its sentences.
    for (const language of LANGUAGES) {
      const { title, saves, action } = findingWords(found[0] as Finding, (id) => id, language);
      expect(`${title}. ${saves} ${action}`).not.toMatch(/NaN|undefined|null/);
    }
  });
});

describe('a cause', () => {
  const slow = () =>
    changed(
      (row) => row.host === 'api.erp.example.com' && row.template === '/items',
      ({ times }) => ({ times: { wait: times.wait + 500 } }),
    );

  it('says how many requests it affects, how much each, and what share of all waiting it is', () => {
    const [finding] = causesIn(slow()) as [Finding];
    expect(finding.affectedRequests).toBe(20 * DAYS * 4);
    expect(finding.affectedBrowsersShare).toBe(1);
    // Typical of its peers is 76 ms, and it took about 595 before.
    expect(finding.perRequestMs).toBeGreaterThan(500);
    expect(finding.perRequestMs).toBeLessThan(540);
    expect(finding.savedMs).toBeCloseTo(finding.perRequestMs * finding.affectedRequests, 6);
    expect(finding.savedInterval[0]).toBeLessThan(finding.savedMs);
    expect(finding.savedInterval[1]).toBeGreaterThan(finding.savedMs);
    expect(finding.savedShare).toBeGreaterThan(0.2);
  });

  it('is not compared with fewer than five browsers', () => {
    const rows = changed(
      ({ site }) => site === 'Turin',
      (row) => (isNew(row) ? { times: { dns: 400 } } : {}),
    );
    expect(causesIn(rows).map(({ kind }) => kind)).toEqual(['slow_dns']);
    expect(causesIn(rows.filter(({ client }) => client !== 'Turin-0'))).toEqual([]);
  });

  it('is not credited with what another one explains', () => {
    // Slow lookups at the far site: neither hides the other, and together they save no more than there is.
    const rows = changed(
      ({ site }) => site === 'Turin',
      (row) => ({ times: { wait: row.times.wait + 130, ...(isNew(row) ? { tcp: 150, tls: 160, dns: 300 } : {}) } }),
    );
    const found = causesIn(rows);
    expect(found.map(({ kind }) => kind)).toEqual(['far_site', 'slow_dns']);
    // One of four sites.
    expect(found[0]?.affectedBrowsersShare).toBe(1 / 4);
    const ordinary = ordinaryRows();
    const more = rows.reduce((sum, row, i) => {
      const before = ordinary[i] as RequestRow;
      return row.outcome === 'usable' ? sum + totalOf(row) - totalOf(before) : sum;
    }, 0);
    const saved = found.reduce((sum, { savedMs }) => sum + savedMs, 0);
    expect(saved).toBeLessThan(1.1 * more);
    expect(saved).toBeGreaterThan(0.8 * more);
  });

  it('is not made of requests that last by design', () => {
    const live: RequestRow[] = ordinaryRows()
      .filter(({ template }) => template === '/user')
      .map((row) => ({ ...row, template: '/events', times: { ...row.times, wait: 30_000 } }));
    expect(causesIn([...ordinaryRows(), ...live])).toEqual([]);
  });

  it('is not claimed for beacons, which nobody waits for', () => {
    const beacons: RequestRow[] = ordinaryRows()
      .filter(({ template }) => template === '/user')
      .map((row) => ({ ...row, type: 'beacon', template: '/collect', times: { ...row.times, wait: 3000 } }));
    expect(causesIn([...ordinaryRows(), ...beacons])).toEqual([]);
  });

  it('has the day from which sessions are no longer resumed', () => {
    const rows = changed(
      (row) => row.host === 'api.erp.example.com' && isNew(row) && dayOf(row) >= 5,
      ({ times }) => ({ handshake: 'full' as const, times: { tls: times.tls + 90 } }),
    );
    expect(causesIn(rows)).toMatchObject([{ kind: 'full_handshakes', since: '2026-09-12' }]);
  });
});

describe('one cause', () => {
  const since = (row: RequestRow) => dayOf(row) >= 5;

  it('is told once, at the place that its paths have in common', () => {
    const rows = changed(
      (row) => row.site === 'Oslo' && row.outcome === 'cache' && since(row),
      () => ({ outcome: 'usable' as const, times: { wait: 300 } }),
    );
    const found = causesIn(rows);
    expect(found).toMatchObject([
      { quantity: 'cached', since: '2026-09-12', place: { site: 'Oslo', host: null, type: null, template: null } },
    ]);
    const more = rows.filter(({ times }) => times.wait === 300).length;
    // Those that had to be fetched anyway count too.
    expect(found[0]?.affectedRequests).toBeGreaterThan(more);
    expect(found[0]?.perRequestMs).toBeCloseTo((found[0]?.savedMs ?? 0) / (found[0]?.affectedRequests ?? 0), 9);
  });

  it('is told once and in full, where a longer way shows in every phase', () => {
    const rows = changed(
      (row) => row.site === 'Oslo' && row.host === 'api.erp.example.com' && since(row),
      (row) => ({ times: { wait: row.times.wait + 60, ...(isNew(row) ? { tcp: 90, tls: 95 } : {}) } }),
    );
    const found = causesIn(rows);
    expect(found).toMatchObject([{ since: '2026-09-12', place: { site: 'Oslo', host: 'api.erp.example.com' } }]);
    const ordinary = ordinaryRows();
    const more = rows.reduce((sum, row, i) => sum + totalOf(row) - totalOf(ordinary[i] as RequestRow), 0);
    expect((found[0] as Finding).savedMs / more).toBeGreaterThan(0.85);
    expect((found[0] as Finding).savedMs / more).toBeLessThan(1.15);
  });

  it('is two, where two paths of an app have always been slow', () => {
    const rows = changed(
      ({ template, target }) => target === 'erp' && (template === '/items' || template === '/report'),
      ({ times }) => ({ times: { wait: times.wait + 700 } }),
    );
    expect(causesIn(rows).map(({ place }) => place.template)).toEqual(['/items', '/report']);
  });

  it('has the requests of small fleets too, which make few of each kind', () => {
    const rows = ordinaryRows()
      .filter((row, i) => row.target === 'shop' && i % 7 === 0)
      .map((row, i) => ({ ...row, template: `${row.template}${i % 20}` }))
      .map((row) => (since(row) ? { ...row, times: { ...row.times, wait: row.times.wait * 4 } } : row));
    const slow = rows.filter((row) => since(row) && row.outcome === 'usable').length;
    const [finding] = causesIn(rows);
    expect(finding).toMatchObject({ quantity: 'wait', since: '2026-09-12', place: { host: null } });
    expect((finding as Finding).affectedRequests / slow).toBeGreaterThan(0.8);
  });

  it('is a share of all waiting, redirects among it', () => {
    const rows = changed(
      ({ host, type }) => host === 'shop.example.com' && type === 'document',
      () => ({ outcome: 'redirected' as const, times: { redirect: 150 } }),
    );
    const all = rows.reduce((sum, row) => sum + (row.outcome === 'cache' ? 0 : totalOf(row) + row.times.redirect), 0);
    const [finding] = causesIn(rows) as [Finding];
    expect(finding.savedShare).toBeCloseTo(finding.savedMs / all, 4);
  });

  it('is told where redirects across origins hide the times from a day on', () => {
    const rows = changed(
      (row) => row.host === 'shop.example.com' && row.type === 'document' && since(row),
      () => ({ outcome: 'redirected' as const, times: { redirect: Number.NaN } }),
    );
    expect(causesIn(rows)).toMatchObject([
      { quantity: 'unmeasurable', since: '2026-09-12', place: { host: 'shop.example.com' } },
    ]);
  });
});

describe('a place that nobody thought of', () => {
  it('is told from the day on which it changed, and what got faster last', () => {
    const rows = changed(
      (row) => (row.host === 'api.erp.example.com' || row.host === 'old.shop.example.com') && dayOf(row) >= 5,
      ({ host, times }) => ({ times: { wait: host === 'api.erp.example.com' ? times.wait * 2 : times.wait / 2 } }),
    );
    expect(causesIn(rows)).toMatchObject([
      { shape: 'step', direction: 'slower', quantity: 'wait', since: '2026-09-12', place: { target: 'erp' } },
      { shape: 'step', direction: 'faster', quantity: 'wait', since: '2026-09-12', place: { target: 'shop' } },
    ]);
  });

  it('is a drift without a day where every day is a little slower', () => {
    const rows = changed(
      ({ host }) => host === 'api.erp.example.com',
      (row) => ({ times: { wait: row.times.wait * 1.08 ** dayOf(row) } }),
    );
    const [finding, ...others] = causesIn(rows);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ shape: 'drift', since: null, place: { host: 'api.erp.example.com' } });
    expect(finding?.facts.perDay).toBeCloseTo(Math.log(1.08), 2);
  });

  it('is a few requests that take far longer than their like', () => {
    const rows = changed(
      (row, i) => row.host === 'api.shop.example.com' && i % 9 === 0,
      ({ times }) => ({ times: { wait: times.wait + 900 } }),
    );
    expect(causesIn(rows)).toMatchObject([
      { shape: 'tail', kind: 'slow_group', quantity: 'wait', place: { host: 'api.shop.example.com', site: null } },
    ]);
  });

  it('is some minutes of each hour', () => {
    const isThen = (row: RequestRow, i: number) => row.host === 'api.erp.example.com' && i % 3 === 0;
    const rows = ordinaryRows().map((row, i): RequestRow => {
      const at = row.at + (isThen(row, i) ? 22 : 40) * 60_000;
      return { ...row, at, times: { ...row.times, wait: row.times.wait * (isThen(row, i) ? 9 : 1) } };
    });
    expect(causesIn(rows)).toMatchObject([{ kind: 'slow_hours', place: { minutes: [20, 25] } }]);
  });

  it('can no longer be measured from a day on', () => {
    const rows = changed(
      (row) => row.target === 'shop' && dayOf(row) >= 5 && row.outcome !== 'cache',
      () => ({ outcome: 'worker' as const }),
    );
    expect(causesIn(rows)).toMatchObject([
      { kind: 'unmeasurable', since: '2026-09-12', savedMs: 0, place: { target: 'shop' } },
    ]);
  });
});

describe('what looks like a cause', () => {
  it('is no far site where round trips are long for a few of its requests only', () => {
    // Oslo makes its calls in the morning, when its line is full, and opens its pages later.
    const isCall = ({ host }: RequestRow) => host.startsWith('api.');
    const rows = changed(
      (row) => row.site === 'Oslo' && hourOf(row) < 11,
      (row) => ({ times: { wait: row.times.wait + 130, ...(isNew(row) ? { tcp: 300 } : {}) } }),
    ).filter((row) => row.site !== 'Oslo' || isCall(row) === hourOf(row) < 11);
    expect(causesIn(rows).map(({ kind }) => kind)).not.toContain('far_site');
  });

  it('is no host that one site has a bad route to, where the site takes as much longer to all hosts', () => {
    // A picture takes 10 ms elsewhere, so that 45 more are many times its usual time.
    const pictures = ordinaryRows()
      .filter(({ template }) => template === '/logo.png')
      .flatMap((row) => [0, 1, 2].map((i) => ({ ...row, host: 'img.example.com', template: `/${i}.png` })));
    const rows = [...ordinaryRows(), ...pictures].map((row) =>
      row.site === 'Oslo' ? { ...row, times: { ...row.times, wait: row.times.wait + 45 } } : row,
    );
    expect(causesIn(rows)).toEqual([]);
  });

  it('is one run of hours, where one between two slow ones has too few requests to tell', () => {
    const rows = changed(
      (row) => row.host === 'api.shop.example.com' && hourOf(row) < 12,
      ({ times }) => ({ times: { wait: times.wait * 6 } }),
    )
      .filter((row) => hourOf(row) !== 10 || row.client === 'Lyon-0')
      .flatMap((row) =>
        hourOf(row) === 14 ? [0, 1, 2, 3].map((more) => ({ ...row, at: row.at + more * HOUR })) : [row],
      );
    expect(causesIn(rows)).toMatchObject([{ kind: 'slow_hours', place: { hours: [9, 12] } }]);
  });

  it('is an hour of the day, where the host is hardly slower at another one too', () => {
    const asked = (row: RequestRow) =>
      row.host !== 'old.shop.example.com' || hourOf(row) > 9 || row.client.endsWith('0');
    const again = (row: RequestRow) =>
      hourOf(row) === 9 && row.host === 'old.shop.example.com'
        ? [0, 1].map((more) => ({ ...row, at: row.at + more }))
        : [row];
    const other = ordinaryRows().map((row) => ({ ...row, target: 'crm', host: `crm.${row.host}` }));
    const rows = changed(
      (row) => row.host === 'old.shop.example.com' && (hourOf(row) === 9 || hourOf(row) === 14),
      (row) => ({ times: { wait: row.times.wait * (hourOf(row) === 9 ? 1.55 : 6) } }),
    );
    expect(causesIn([...rows.filter(asked).flatMap(again), ...other])).toMatchObject([
      { kind: 'slow_hours', place: { hours: [14, 15] } },
    ]);
  });

  it('is no slow host of pages that take longer than calls, as long as pages do elsewhere', () => {
    const pages = ['crm', 'hr'].flatMap((target) =>
      ordinaryRows()
        .filter((row) => row.target === 'erp' && row.type === 'document')
        .map((row) => ({ ...row, target, host: `${target}.example.com` })),
    );
    const calls = [50, 55, 60, 70, 70, 80, 90, 95].map((wait, i) =>
      ordinaryRows()
        .filter(({ template }) => template === '/report')
        .map((row) => ({
          ...row,
          template: `/call${i}`,
          times: { ...row.times, wait: (row.times.wait * wait) / 70 },
        })),
    );
    const rows = [...ordinaryRows(), ...pages, ...calls.flat()].map((row) =>
      row.type === 'document'
        ? { ...row, times: { ...row.times, wait: row.times.wait * (row.target === 'crm' ? 3 : 2.4) } }
        : row,
    );
    expect(causesIn(rows)).toEqual([]);
  });

  it('is a browser that is held back in three of its minutes, and none in one moment', () => {
    const only = (minutes: number) =>
      changed(
        ({ client }) => client === 'Berlin-1',
        () => ({ times: { blocked: 2500 } }),
      )
        .filter((row) => row.client !== 'Berlin-1' || (row.at - FIRST) / HOUR < 9.5 + (minutes === 1 ? 0 : DAYS * 24))
        .filter((row) => row.client !== 'Berlin-1' || hourOf(row) === 9)
        .filter((row) => row.client !== 'Berlin-1' || dayOf(row) < minutes);
    expect(causesIn(only(3)).map(({ kind }) => kind)).toEqual(['slow_browser']);
    expect(causesIn(only(1))).toEqual([]);
  });

  it('is an outage that four browsers met, and none that one met who reloads', () => {
    const first = (row: RequestRow) => dayOf(row) === 3 && hourOf(row) === 9 && row.template === '/';
    const errors = (clients: readonly string[], times: number) =>
      ordinaryRows().flatMap((row) => {
        if (row.host !== 'erp.example.com' || dayOf(row) !== 3) return [row];
        if (!first(row)) return [];
        const isError = clients.includes(row.client);
        return Array.from({ length: isError ? times : 1 }, (_, i): RequestRow => {
          return { ...row, at: row.at + i, outcome: isError ? 'error' : row.outcome };
        });
      });
    expect(causesIn(errors(['Lyon-0', 'Oslo-1', 'Turin-2', 'Berlin-3'], 1)).map(({ kind }) => kind)).toEqual([
      'errors',
    ]);
    expect(causesIn(errors(['Lyon-0'], 4))).toEqual([]);
  });

  it('matters by what has been waited for since it began', () => {
    const since = (first: number, more: number) =>
      causesIn(
        changed(
          (row) => row.host === 'api.erp.example.com' && isNew(row) && dayOf(row) >= first,
          ({ times }) => ({ handshake: 'full' as const, times: { tls: times.tls + more } }),
        ),
      ).map(({ kind }) => kind);
    // 12 ms on one request of eight, one of four: 0.4 % of all, 0.5 % of what was waited for since.
    expect(since(4, 24)).toEqual(['full_handshakes']);
    expect(since(4, 4)).toEqual([]);
  });
});

function totalOf({ times }: RequestRow): number {
  const { blocked, dns, tcp, tls, wait, receive } = times;
  return blocked + dns + tcp + tls + wait + receive;
}
