import { describe, expect, it } from 'vitest';
import { classifyHandshake } from '../../../shared/classify/handshake.ts';
import { toScenario, toScenarioLabel } from '../../../shared/sample/scenario.ts';
import { CHROMIUM, entryWith, FIREFOX, NEW_HTTP, NEW_HTTPS, observedAt } from '../timing/entries.ts';

const told = (description: string) => entryWith({ serverTiming: [{ name: 'TLS', duration: 0, description }] });
const UNKNOWN = { handshake: 'unknown', evidence: null };

describe('classifyHandshake', () => {
  it('believes the server, and nginx as it writes it', () => {
    for (const [word, handshake] of [
      ['resumed', 'resumed'],
      ['Full', 'full'],
      ['r', 'resumed'],
      ['.', 'full'],
    ] as const) {
      expect(classifyHandshake(told(word), CHROMIUM, 'new')).toEqual({ handshake, evidence: 'server_timing' });
    }
    expect(classifyHandshake(told('constructor'), CHROMIUM, 'new')).toEqual(UNKNOWN);
  });

  it('takes what a probe proves before anything else', () => {
    expect(classifyHandshake(told('resumed'), CHROMIUM, 'new', 'full')).toEqual({
      handshake: 'full',
      evidence: 'probe',
    });
    expect(classifyHandshake(told('resumed'), CHROMIUM, 'new', 'unknown').handshake).toBe('resumed');
  });

  it('never tells it from the clock, except in Firefox on TLS 1.2', () => {
    const full = entryWith({ connectEnd: 148 + 84 });
    const at = (version: string) => ({ ...FIREFOX, observed: observedAt(100, 283, version) });
    expect(classifyHandshake(full, { ...CHROMIUM, observed: observedAt(100, 283, 'TLSv1.2') }, 'new')).toEqual(UNKNOWN);
    expect(classifyHandshake(full, at('TLSv1.3'), 'new')).toEqual(UNKNOWN);
    expect(classifyHandshake(full, at('TLSv1.2'), 'new')).toEqual(UNKNOWN);
    expect(classifyHandshake(NEW_HTTPS, at('TLSv1.2'), 'new').handshake).toBe('resumed');
    expect(classifyHandshake(entryWith({ connectEnd: 148 + 60 }), at('TLSv1.2'), 'new')).toEqual(UNKNOWN);
    const near = entryWith({ connectStart: 144, connectEnd: 156 });
    expect(classifyHandshake(near, at('TLSv1.2'), 'new')).toEqual(UNKNOWN);
  });

  it('counts no round trips by a connect that held a queue, or by one that others undercut', () => {
    const at = { ...FIREFOX, observed: observedAt(100, 283, 'TLSv1.2') };
    const full = entryWith({ connectStart: 100, domainLookupStart: 100, domainLookupEnd: 100, connectEnd: 148 + 60 });
    expect(classifyHandshake(full, at, 'new')).toEqual(UNKNOWN);
    const late = entryWith({
      connectStart: 84,
      fetchStart: 80,
      domainLookupStart: 81,
      domainLookupEnd: 82,
      connectEnd: 148 + 82,
    });
    expect(classifyHandshake(late, at, 'new').handshake).toBe('resumed');
    expect(classifyHandshake(late, { ...at, leastTcpMs: 41 }, 'new')).toEqual(UNKNOWN);
  });

  it('does not take a server that took its time for a full handshake', () => {
    const at = { ...FIREFOX, observed: observedAt(100, 283, 'TLSv1.2') };
    const slow = { requestStart: 250, connectEnd: 148 + 95 };
    expect(classifyHandshake(entryWith(slow), at, 'new')).toEqual(UNKNOWN);
  });

  it('has none without a new https connection', () => {
    expect(classifyHandshake(told('full'), CHROMIUM, 'reused')).toEqual(UNKNOWN);
    expect(classifyHandshake({ ...NEW_HTTP, serverTiming: told('full').serverTiming }, CHROMIUM, 'new')).toEqual(
      UNKNOWN,
    );
  });
});

describe('toScenario', () => {
  it('is one of four, or none', () => {
    expect(toScenario({ scheme: 'http', connection: 'new' })).toBe('http-new');
    expect(toScenario({ scheme: 'https', connection: 'reused' })).toBe('https-reused');
    for (const connection of ['cache', 'opaque', 'worker', 'failed', 'unknown'] as const) {
      expect(toScenario({ scheme: 'https', connection })).toBeNull();
    }
  });

  it('carries the handshake as a label where it is known', () => {
    const sample = { scheme: 'https', connection: 'new' } as const;
    expect(toScenarioLabel({ ...sample, handshake: 'resumed' })).toBe('https-new-resumed');
    expect(toScenarioLabel({ ...sample, handshake: 'unknown' })).toBe('https-new');
    expect(toScenarioLabel({ scheme: 'https', connection: 'cache', handshake: 'full' })).toBeNull();
  });
});
