import { describe, expect, it } from 'vitest';
import { replayTickets } from '../../../collector/analysis/findings/replay-tickets.ts';
import { type RowChanges, row, START, waitsOf } from '../what-if/request-row.ts';

const FIREFOX = { engine: 'firefox', tls: 'before13' } as const;

/** A full handshake of 65 ms, after 20 ms of connecting; the time is ms after the first. */
function handshake(at: number, changes: RowChanges = {}) {
  return row({
    at: START + at,
    connection: 'new',
    handshake: 'full',
    idle: at === 0 ? Number.NaN : 1000,
    times: { tcp: 20, tls: 65 },
    ...changes,
  });
}

const likely = (...rows: ReturnType<typeof handshake>[]) => [...replayTickets(waitsOf(rows))];

/*
 * Firefox 153 and Chromium 156 visited a server with TLS 1.2 and tickets twelve times, one connection each: full and resumed in turns in
 * Firefox, all resumed in Chromium. Of six connections that a page opened at once, as many were resumed as tickets had come before.
 */
describe('session tickets', () => {
  it('resume every other handshake of TLS 1.2 in Firefox, which uses each once', () => {
    const visits = [0, 1000, 2000, 3000];
    expect(likely(...visits.map((at) => handshake(at, FIREFOX)))).toEqual([0, 1, 0, 1]);
  });

  it('resume every later handshake in Chromium, and with TLS 1.3', () => {
    const visits = [0, 1000, 2000, 3000];
    expect(likely(...visits.map((at) => handshake(at)))).toEqual([0, 1, 1, 1]);
    expect(likely(...visits.map((at) => handshake(at, { ...FIREFOX, tls: 'from13' })))).toEqual([0, 1, 1, 1]);
  });

  it('are not there before the handshake that brings them has ended', () => {
    // Each begins 20 ms after its request; the first one ends after 85 ms.
    expect(likely(handshake(0), handshake(10), handshake(60), handshake(70))).toEqual([0, 0, 0, 1]);
  });

  it('are as many as there were full handshakes', () => {
    const page = (at: number) => [at, at + 1, at + 2].map((one) => handshake(one, FIREFOX));
    expect(likely(...page(0), ...page(1000), ...page(2000))).toEqual([0, 0, 0, 1, 1, 1, 0, 0, 0]);
  });

  it('are forgotten after an hour', () => {
    expect(likely(handshake(0), handshake(1000, { idle: 3_700_000 }), handshake(2000))).toEqual([0, 0, 1]);
  });

  it('were there as often as not if Firefox shook hands before, and always in Chromium', () => {
    const later = [1000, 2000, 3000];
    expect(likely(...later.map((at) => handshake(at, FIREFOX)))).toEqual([0.5, 0.5, 0.5]);
    expect(likely(...later.map((at) => handshake(at)))).toEqual([1, 1, 1]);
  });

  it('were there if the session was resumed, and are used up', () => {
    const resumed = handshake(1000, { ...FIREFOX, handshake: 'resumed' });
    expect(likely(resumed, handshake(2000, FIREFOX), handshake(3000, FIREFOX))).toEqual([1, 0, 1]);
  });

  it('are for one host', () => {
    const elsewhere = handshake(1000, { ...FIREFOX, host: 'cdn.example.com' });
    expect(likely(handshake(0, FIREFOX), elsewhere)).toEqual([0, 0.5]);
  });

  it('belong to one browser; requests on open connections and plain HTTP have none', () => {
    expect(
      likely(
        handshake(0),
        handshake(1000, { client: 'browser-1', idle: Number.NaN }),
        handshake(3000, { connection: 'reused' }),
        handshake(4000, { handshake: 'unknown', times: { tcp: 20, tls: 0 } }),
        handshake(5000),
      ),
    ).toEqual([0, 0, Number.NaN, Number.NaN, 1]);
  });
});
