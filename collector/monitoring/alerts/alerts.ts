import { randomUUID } from 'node:crypto';
import { DEFAULT_ALERT_SECONDS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertSettings, Webhook } from '../../../shared/settings/alert-settings.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { viewerRuleFor } from '../../questions/viewer-rule.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { Role, Store } from '../../storage/store.ts';
import { gauge } from '../metrics/health-families.ts';
import type { MetricFamily } from '../metrics/metric-family.ts';
import { type AlertMemory, type Delivery, deliveryOf, readMemory, stateOf, writeMemory } from './alert-memory.ts';
import { type AlertState, nextState } from './alert-state.ts';
import { alertMessage, testMessage } from './alert-text.ts';
import { type Attempt, afterFailure, attempt, isDue } from './deliver.ts';
import { readRule } from './read-rule.ts';

const DAY_MS = 86_400_000;
/** How often it is looked whether something is due, ms. */
const TICK_MS = 5000;
/** Beyond it the oldest messages are dropped, and counted. */
const MAX_QUEUE = 1000;

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  readonly outgoing: Outgoing;
  /** Told what could not be read or kept; it is tried again. */
  readonly failed: (error: unknown) => void;
}

export interface Alerts {
  /** Looks at all rules once, and notes what has to be told. */
  evaluate(): Promise<void>;
  /** Tries every delivery that is due. */
  deliver(): Promise<void>;
  /** Does what of the two is due. */
  tick(): Promise<void>;
  /** Sends a test to a webhook, at once and once; null where there is none of this id. */
  test(webhook: string): Promise<Attempt | null>;
  /** The state of every rule, without what the audience may not see. */
  status(role: Role): Promise<{ readonly rules: readonly RuleStatus[]; readonly deliveries: readonly Delivery[] }>;
  families(): MetricFamily[];
  start(): void;
  stop(): Promise<void>;
}

export interface RuleStatus extends Pick<AlertState, 'on' | 'since' | 'at' | 'value'> {
  readonly id: string;
  /** Samples of the last look; null, as the value is, where few browsers may be behind them. */
  readonly n: number | null;
}

/** Watches thresholds and tells webhooks. What it knows is written down before it is told, so a restart loses nothing. */
export function createAlerts({ store, clock, version, outgoing, failed }: AlertsDeps): Alerts {
  let memory: AlertMemory | null = null;
  let evaluatedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  const stopped = new AbortController();
  const counts = { delivered: 0, failed: 0, dropped: 0 };

  const remembered = async () => {
    memory ??= await readMemory(store.kept);
    return memory;
  };
  const settings = async (): Promise<AlertSettings> =>
    (await currentSettings(store.settings)).settings.alerts ?? { webhooks: [], rules: [] };

  async function remember(next: AlertMemory): Promise<void> {
    const queue = next.queue.slice(-MAX_QUEUE);
    counts.dropped += next.queue.length - queue.length;
    memory = { ...next, queue };
    await writeMemory(store.kept, memory);
  }

  async function evaluate(): Promise<void> {
    const now = clock();
    evaluatedAt = now;
    const { rules, webhooks } = await settings();
    const before = await remembered();
    if (rules.length === 0 && Object.keys(before.states).length === 0) return;
    const states: Record<string, AlertState> = {};
    const fresh: Delivery[] = [];
    for (const rule of rules) {
      const reading = await readRule(store.samples, rule, now);
      const { state, change } = nextState(rule, stateOf(before.states, rule.id), reading, now);
      states[rule.id] = state;
      if (change === null) continue;
      const message = alertMessage(rule, change, reading, now);
      for (const id of rule.webhooks ?? webhooks.map((webhook) => webhook.id)) fresh.push(deliveryOf(id, message, now));
    }
    // Deliveries may have gone on meanwhile.
    await remember({ states, queue: [...(await remembered()).queue, ...fresh] });
  }

  async function deliver(): Promise<void> {
    const due = (await remembered()).queue.filter(({ nextAt }) => isDue(nextAt, clock()));
    if (due.length === 0) return;
    const { webhooks } = await settings();
    const byWebhook = new Map<string, Delivery[]>();
    for (const one of due) byWebhook.set(one.webhook, [...(byWebhook.get(one.webhook) ?? []), one]);
    // One that hangs holds up its own messages only.
    await Promise.all([...byWebhook].map(([id, deliveries]) => deliverTo(webhooks, id, deliveries)));
  }

  async function deliverTo(webhooks: readonly Webhook[], id: string, deliveries: readonly Delivery[]): Promise<void> {
    const webhook = webhooks.find((one) => one.id === id);
    for (const delivery of deliveries) {
      if (stopped.signal.aborted) return;
      const { delivered, error } =
        webhook === undefined
          ? { delivered: false, error: 'there is no such webhook in the settings any more' }
          : await attempt(webhook, delivery.message, { outgoing, id: delivery.id, version, signal: stopped.signal });
      if (stopped.signal.aborted) return;
      counts[delivered ? 'delivered' : 'failed']++;
      const after = delivered || webhook === undefined ? null : afterFailure(delivery, error ?? '', clock());
      if (!delivered && after === null) counts.dropped++;
      const { states, queue } = await remembered();
      await remember({ states, queue: queue.flatMap((one) => (one.id === delivery.id ? (after ?? []) : [one])) });
      // Messages to one place stay in order; the next would fail as well.
      if (!delivered && webhook !== undefined) return;
    }
  }

  async function tick(): Promise<void> {
    const { everySeconds = DEFAULT_ALERT_SECONDS } = await settings();
    // A clock that went back does not keep it from looking.
    if (Math.abs(clock() - evaluatedAt) >= everySeconds * 1000) await evaluate();
    await deliver();
  }

  return {
    evaluate,
    deliver,
    tick,
    async test(id) {
      const webhook = (await settings()).webhooks.find((one) => one.id === id);
      return webhook === undefined
        ? null
        : attempt(webhook, testMessage(clock()), { outgoing, id: randomUUID(), version });
    },
    async status(role) {
      const now = clock();
      const [{ rules }, { states, queue }] = await Promise.all([settings(), remembered()]);
      // A rule may watch one person's site for a minute: whether it is over its threshold is all that a viewer is told.
      const { minGroupSize } = await viewerRuleFor(store, { role, now }, { from: now - DAY_MS, to: now });
      const untold = minGroupSize > 1 ? { value: null, n: null } : {};
      return { rules: rules.map(({ id }) => ({ id, ...stateOf(states, id), ...untold })), deliveries: queue };
    },
    families: () => [
      gauge(
        'lastbyte_alert_active',
        '1 while the rule is over its threshold.',
        '1',
        Object.entries(memory?.states ?? {}).map(([rule, { on }]) => [{ rule }, on ? 1 : 0]),
      ),
      gauge('lastbyte_alerts_active', 'How many rules are over their threshold.', '1', [
        [{}, Object.values(memory?.states ?? {}).filter(({ on }) => on).length],
      ]),
      gauge('lastbyte_webhook_queue', 'Messages that wait for a webhook.', '1', [[{}, memory?.queue.length ?? 0]]),
      {
        name: 'lastbyte_webhook_deliveries_total',
        help: 'Attempts to tell a webhook, and messages that were given up.',
        type: 'counter',
        unit: '1',
        series: Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
    start() {
      timer = setInterval(() => {
        running ??= tick()
          .catch(failed)
          .finally(() => {
            running = null;
          });
      }, TICK_MS);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      stopped.abort();
      await running;
    },
  };
}
