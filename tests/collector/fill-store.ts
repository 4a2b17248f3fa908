import { randomUUID } from 'node:crypto';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import type { BrowserStatus, ProbeRun } from '../../shared/wire/browser-status.ts';
import { NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';

/** Puts samples of one browser into a store. */
export async function fill(
  store: Store,
  samples: readonly Sample[],
  origin: Partial<ClientInfo> = {},
  clockCorrection = 0,
  status: BrowserStatus | null = null,
): Promise<void> {
  const columns = toBatchColumns(samples);
  await store.samples.append([
    { id: randomUUID(), receivedAt: NOW - 1, clockCorrection, origin: { ...ORIGIN, ...origin }, status, columns },
  ]);
}

/** Id of the n-th browser. */
export function browserId(n: number): string {
  return `c0ffee00-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** Puts runs of journeys, as one browser reports them, into a store. */
export async function fillRuns(
  store: Store,
  runs: readonly Pick<ProbeRun, 'at' | 'steps' | 'stepTimes'>[],
  { journey = 'order', ...origin }: Partial<ClientInfo> & { readonly journey?: string } = {},
): Promise<void> {
  const common = { probe: journey, target: 'erp', skipped: null, scenarios: [] };
  const turns = runs.map((run) => ({ ...common, ...run }));
  const status = { state: 'collecting', waiting: 0, dropped: {}, rejected: {}, lost: {}, turns } as const;
  await fill(store, [], origin, 0, status);
}
