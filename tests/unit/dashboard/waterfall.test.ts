import { describe, expect, it } from 'vitest';
import { formatRequests, parseRequests, samplesQuery } from '../../../collector/dashboard/model/requests-behind.ts';
import { waterfallParts, waterfallSpan } from '../../../collector/dashboard/model/waterfall.ts';

const phases = { blocked: 1, dns: null, tcp: 9, tls: null, wait: 40, receive: 0 };

describe('a waterfall', () => {
  it('starts each request at its offset, after its redirects', () => {
    const parts = waterfallParts({ phases, ttlb: 50, redirect: 30 }, 20, 100);
    expect(parts.map(({ phase, from, share }) => [phase, from, share])).toEqual([
      ['blocked', 0.5, 0.01],
      ['tcp', 0.51, 0.09],
      ['wait', 0.6, 0.4],
    ]);
  });

  it('shows the time of unknown phases as the rest', () => {
    const parts = waterfallParts({ phases: { ...phases, wait: null }, ttlb: 50, redirect: null }, 0, 100);
    expect(parts.at(-1)).toMatchObject({ phase: 'rest', value: 40 });
    expect(waterfallParts({ phases: { ...phases, wait: null }, ttlb: null, redirect: null }, 0, 100)).toHaveLength(2);
  });

  it('names the start-up of a service worker', () => {
    const waited = { ...phases, tcp: null, wait: null, blocked: 430 };
    const parts = waterfallParts({ phases: waited, ttlb: 440, redirect: null, connection: 'worker' }, 0, 440);
    expect(parts.map(({ name, value }) => [name, value])).toEqual([
      ['workerStart', 430],
      ['rest', 10],
    ]);
  });

  it('ends with its last request', () => {
    expect(waterfallSpan([{ phases, ttlb: 50, redirect: 30, offsetMs: 20 }])).toBe(100);
    expect(waterfallSpan([])).toBe(1);
  });
});

describe('the requests behind a mark', () => {
  const behind = { min: '64', max: '76.1', connection: ['new', 'reused'] };

  it('survive the address', () => {
    expect(parseRequests(formatRequests(behind))).toEqual(behind);
  });

  it('may not ask for anything else', () => {
    expect(parseRequests('min=1&host=other.test&limit=99999')).toEqual({ min: '1' });
  });

  it('replace the bounds of the page', () => {
    const query = new URLSearchParams(samplesQuery('from=a&to=b&connection=cache&host=erp', { ...behind, from: 'c' }));
    expect([query.get('from'), query.get('to'), query.get('host')]).toEqual(['c', 'b', 'erp']);
    expect(query.getAll('connection')).toEqual(['new', 'reused']);
  });
});
