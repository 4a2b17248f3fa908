import { expect, onTestFinished, test } from 'vitest';
import { sendBatches } from '../../collector/lab/send-batches.ts';
import { startTestCollector } from '../browser/fixture/test-collector.ts';
import { makeSample } from '../unit/summary/make-sample.ts';

test('handshakes of each key exchange have their round trips, where those are long enough to divide by', async () => {
  const collector = await startTestCollector([{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }]);
  onTestFinished(() => collector.close());
  const handshakes = (keyExchange: string, tcp: number, tls: number) =>
    Array.from({ length: 40 }, (_, i) => {
      const times = { tcp: tcp + i * 10, tls, wait: 1000 };
      const facts = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', keyExchange, issuer: null };
      const { origin: _origin, ...sample } = makeSample({ at: Date.now() - i, connection: 'new', times, tls: facts });
      return sample;
    });
  const samples = [
    ...handshakes('x25519', 20_000, 21_000),
    ...handshakes('mlkem768x25519', 20_000, 41_000),
    ...handshakes('P256', 500, 1000),
  ];
  const origin = { client: 'browser-1', site: 'Wien', browser: 'firefox', browserVersion: '150.0' } as const;
  const to = { collector: collector.origin, key: collector.key };
  expect(await sendBatches(to, { ...origin, extensionVersion: '0.1.0', clockStep: 1000 }, samples)).toBeNull();
  const range = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
  const { rows } = (await collector.ask(`/api/v1/tls?${range}`)) as {
    rows: { fact: string; value: string; roundTrips: number | null }[];
  };
  const trips = Object.fromEntries(
    rows.filter(({ fact }) => fact === 'keyExchange').map(({ value, roundTrips }) => [value, roundTrips]),
  );
  expect(trips).toEqual({ x25519: expect.closeTo(1.04, 1), mlkem768x25519: expect.closeTo(2.03, 1), P256: null });
});
