import { createOutgoing, type Outgoing } from '../../outgoing/outgoing.ts';
import type { Metrics } from '../metrics/collect-metrics.ts';
import { counter, type MetricFamily } from '../metrics/metric-family.ts';
import type { OtlpPush } from './otlp-push.ts';

export interface MetricsPush {
  start(): Promise<void>;
  stop(): Promise<void>;
  families(): MetricFamily[];
}

interface PushDeps {
  /** null or absent: nothing is pushed. */
  readonly otlpUrl?: string | null;
  readonly outgoing?: Outgoing;
  /** Lastbyte's version. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/**
 * Pushes metrics if there is an address.
 * @param failed called when pushing begins to fail, not for each attempt
 */
export function pushMetrics(
  { otlpUrl = null, outgoing = createOutgoing(), version, clock }: PushDeps,
  metrics: Metrics,
  failed: (error: unknown) => void,
): MetricsPush {
  const counts = { taken: 0, failed: 0 };
  let failing = false;
  let push: OtlpPush | null = null;

  const pushed = (error: unknown) => {
    counts[error === null ? 'taken' : 'failed']++;
    if (error !== null && !failing) failed(error);
    failing = error !== null;
  };

  return {
    async start() {
      if (otlpUrl === null) return;
      // Imported only if needed: it is large.
      const { startOtlpPush } = await import('./otlp-push.ts');
      push = startOtlpPush({ url: otlpUrl, metrics, guard: outgoing.operatorGuard, version, clock, pushed });
    },
    async stop() {
      // If pushing fails, a last attempt would only delay the exit.
      await push?.stop(!failing);
      push = null;
    },
    families: () =>
      otlpUrl === null
        ? []
        : [
            counter(
              'lastbyte_otlp_pushes_total',
              'Attempts to push metrics by OTLP.',
              '1',
              Object.entries(counts).map(([outcome, value]) => [{ outcome }, value]),
            ),
          ],
  };
}
