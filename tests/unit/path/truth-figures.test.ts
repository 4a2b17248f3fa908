import { expect, test } from 'vitest';
import type { EntryContext } from '../../../shared/timing/entry-context.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import type { PathRequest } from '../../path/record-path.ts';
import { compareRequest, truthFigures } from '../../path/truth-figures.ts';
import type { WireConnection } from '../../path/wire-connection.ts';
import { CHROMIUM, entryWith, FIREFOX, REUSED_HTTPS } from '../timing/entries.ts';

const ZERO = CHROMIUM.timeOrigin * 1000;
/** What NEW_HTTPS tells, as packets: SYN at 108 ms, opened at 148, ready at 190. */
const WIRE: WireConnection = {
  clientPort: 40_000,
  serverPort: 443,
  synAt: ZERO + 108_000,
  synAckAt: ZERO + 148_000,
  clientHelloAt: ZERO + 148_500,
  readyAt: ZERO + 190_000,
  requestAt: ZERO + 193_000,
  firstByteAt: ZERO + 283_000,
  lastByteAt: ZERO + 293_000,
  retried: false,
};

function requestWith(
  entry: TimingEntry,
  context: EntryContext = CHROMIUM,
  wire: Partial<WireConnection> = {},
  nth = 1,
): PathRequest {
  return {
    kind: 'tls13',
    entry,
    context,
    options: { idleMs: null, frameIsObserved: false },
    served: { kind: 'tls13', url: 'x', at: 0, clientPort: 40_000, serverPort: 443, nth, handshake: 'full' },
    wire: { ...WIRE, ...wire },
  };
}

test('what agrees with the packets has no error', () => {
  expect(compareRequest(requestWith(entryWith({})))).toMatchObject({
    trueClass: 'new',
    tcpError: 0,
    tlsError: 0,
    setupError: 0,
    handshakeWrong: false,
  });
});

test('a tcp that the packets contradict is as wrong as it is outside of them', () => {
  const early = requestWith(entryWith({}), CHROMIUM, { synAt: ZERO + 98_000 });
  expect(compareRequest(early).tcpError).toBe(-10);
  const late = requestWith(entryWith({}), CHROMIUM, { synAt: ZERO + 128_000 });
  expect(compareRequest(late).tcpError).toBe(19.5);
});

test('a connection that was there before the request is a reused one, and every time of its own wrong', () => {
  const handedOver = requestWith(REUSED_HTTPS, CHROMIUM, {
    synAt: ZERO,
    synAckAt: ZERO + 40_000,
    readyAt: ZERO + 90_000,
  });
  expect(compareRequest(handedOver)).toMatchObject({ trueClass: 'reused', tcpError: null });
  const second = requestWith(entryWith({}), CHROMIUM, {}, 2);
  expect(compareRequest(second)).toMatchObject({ trueClass: 'reused', tcpError: 40, tlsError: 42 });
});

test('figures count what is told, what is right and what is lost', () => {
  const queued = entryWith({ domainLookupStart: 100, domainLookupEnd: 100, connectStart: 100 });
  const requests = [
    requestWith(entryWith({}), FIREFOX),
    requestWith(queued, FIREFOX),
    requestWith(REUSED_HTTPS, FIREFOX),
  ];
  const lost = [requests[0]?.served].filter((served) => served !== undefined);
  const { tls13 } = truthFigures({ version: '153', requests, lost, connections: {} }, 'firefox');
  expect(tls13).toMatchObject({ connections: 3, told: 1 / 3, tcpWithin: 1, requests: 3, classRight: 2 / 3, lost: 1 });
});
