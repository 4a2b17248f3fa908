import { createOutgoing, type Outgoing } from '../../outgoing/outgoing.ts';
import type { OtlpPush } from '../otlp/otlp-push.ts';
import type { Metrics } from './collect-metrics.ts';
import type { MetricFamily } from './metric-family.ts';

export interface MetricsPush {
  start(): Promise<void>;
  stop(): Promise<void>;
  families(): MetricFamily[];
}

interface PushDeps {
  /** null or absent pushes nothing. */
  readonly otlpUrl?: string | null;
  readonly outgoing?: Outgoing;
  /** Lastbyte's own. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Pushing, if it was asked for. @param failed told once whenever it begins to fail, and not each time */
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
      // Costs nothing where nobody asks for it.
      const { startOtlpPush } = await import('../otlp/otlp-push.ts');
      push = startOtlpPush({ url: otlpUrl, metrics, guard: outgoing.operatorGuard, version, clock, pushed });
    },
    async stop() {
      // Where nobody takes it a last attempt would only hold up the end.
      await push?.stop(!failing);
      push = null;
    },
    families: () =>
      otlpUrl === null
        ? []
        : [
            {
              name: 'lastbyte_otlp_pushes_total',
              help: 'Attempts to push metrics by OTLP.',
              type: 'counter',
              unit: '1',
              series: Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
            },
          ],
  };
}
