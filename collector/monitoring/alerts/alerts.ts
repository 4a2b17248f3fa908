import { randomUUID } from 'node:crypto';
import { DEFAULT_ALERT_SECONDS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertSettings } from '../../../shared/settings/alert-settings.ts';
import { appNames, type NamesOfApps } from '../../../shared/settings/app-names.ts';
import type { MailSettings } from '../../../shared/settings/report-settings.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { viewerRuleFor } from '../../questions/viewer-rule.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import type { KeyValueState, Role, Store } from '../../storage/store.ts';
import { counter, gauge, type MetricFamily } from '../metrics/metric-family.ts';
import {
  type AlertMemory,
  type Delivery,
  findState,
  MAIL,
  readMemory,
  toDelivery,
  toMailDelivery,
  writeMemory,
} from './alert-memory.ts';
import { type AlertState, nextState } from './alert-state.ts';
import { alertMessage, testMessage } from './alert-text.ts';
import { type Attempt, afterFailure, attempt, attemptMail, isDue } from './deliver.ts';
import { hostBehind, journeysBehind, readRule } from './read-rule.ts';

const DAY_MS = 86_400_000;
/** Interval between checks for what is due, ms. */
const TICK_MS = 5000;
/** Beyond it the oldest messages are dropped, and counted. */
const MAX_QUEUE = 1000;

export interface AlertsDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly version: string;
  readonly outgoing: Outgoing;
  /** Called with errors of reading and storing, which are retried. */
  readonly failed: (error: unknown) => void;
}

export interface Alerts {
  /** Evaluates all rules once, and queues the messages. */
  evaluate(): Promise<void>;
  /** Attempts every delivery that is due. */
  deliver(): Promise<void>;
  /** Evaluates and delivers, as far as due. */
  tick(): Promise<void>;
  /** Sends a test to a webhook, at once and without retry; null if there is none with this id. */
  test(webhook: string): Promise<Attempt | null>;
  /** Sends a test to the recipients of a rule's mails; null if there is no such rule, or if it sends none. */
  testMail(rule: string): Promise<Attempt | null>;
  /** The state of every rule, without what the role may not see. */
  status(role: Role): Promise<{ readonly rules: readonly RuleStatus[]; readonly deliveries: readonly Delivery[] }>;
  families(): MetricFamily[];
  start(): void;
  stop(): Promise<void>;
}

export interface RuleStatus extends Pick<AlertState, 'on' | 'since' | 'at' | 'value'> {
  readonly id: string;
  /** Samples of the last evaluation; null, like the value, if they may come from few browsers. */
  readonly n: number | null;
}

/** As long as this collector leads without a break. */
interface Term {
  readonly state: KeyValueState;
  memory: AlertMemory;
  /** Resolves after the last save. */
  saved: Promise<unknown>;
}

interface CurrentSettings extends AlertSettings {
  readonly mail: MailSettings | undefined;
  readonly apps: NamesOfApps;
  readonly journeys: ReadonlyMap<string, string>;
}

/** Watches thresholds, posts to webhooks and sends mails. Messages are stored before they are sent, so a restart loses none. */
export function createAlerts({ store, clock, version, outgoing, failed }: AlertsDeps): Alerts {
  let term: Term | null = null;
  let evaluatedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  const stopped = new AbortController();
  const counts = { delivered: 0, failed: 0, dropped: 0 };

  const settings = async (): Promise<CurrentSettings> => {
    const { settings: current } = await currentSettings(store.settings);
    const { alerts = { webhooks: [], rules: [] }, reports, targets, probes } = current;
    const journeys = new Map(probes?.schedule.map(({ id, name = id }) => [id, name]));
    return { ...alerts, mail: reports?.mail, apps: appNames(targets), journeys };
  };

  /** Only one of several collectors evaluates and delivers. */
  async function asLeader(work: (current: Term) => Promise<void>): Promise<void> {
    const led = await store.leadership.lead(async (state) => {
      if (term?.state !== state) term = { state, memory: await readMemory(state), saved: Promise.resolve() };
      await work(term);
      return true;
    });
    if (led === null) term = null;
  }

  /** One after the other. A change counts once it is stored: what a successor would not know must not be sent. */
  function save(current: Term, change: (memory: AlertMemory) => AlertMemory): Promise<void> {
    const bounded = (memory: AlertMemory) => ({ ...memory, queue: memory.queue.slice(-MAX_QUEUE) });
    const saved = current.saved.then(async () => {
      await writeMemory(current.state, bounded(change(current.memory)));
      // Messages may have been attempted in the meantime.
      const next = change(current.memory);
      current.memory = bounded(next);
      counts.dropped += next.queue.length - current.memory.queue.length;
    });
    current.saved = saved.catch(alreadyReported);
    return saved;
  }

  async function evaluate(current: Term): Promise<void> {
    const now = clock();
    evaluatedAt = now;
    const { rules, webhooks, ...how } = await settings();
    const before = current.memory;
    if (rules.length === 0 && Object.keys(before.states).length === 0) return;
    const states: Record<string, AlertState> = {};
    const fresh: Delivery[] = [];
    for (const rule of rules) {
      const reading = await readRule(store.samples, rule, now);
      const { state, change } = nextState(rule, findState(before.states, rule.id), reading, now);
      states[rule.id] = state;
      if (change === null) continue;
      const host = change === 'firing' ? await hostBehind(store.samples, rule, now) : null;
      const journeys = change === 'firing' ? await journeysBehind(store.samples, rule, now) : [];
      const message = alertMessage(rule, change, { ...reading, host, journeys }, now, how);
      for (const id of rule.webhooks ?? webhooks.map((webhook) => webhook.id)) fresh.push(toDelivery(id, message, now));
      if (rule.mailTo !== undefined) fresh.push(toMailDelivery(message, now));
    }
    await save(current, ({ queue }) => ({ states, queue: [...queue, ...fresh] }));
  }

  async function deliver(current: Term): Promise<void> {
    const due = current.memory.queue.filter(({ nextAt }) => isDue(nextAt, clock()));
    if (due.length === 0) return;
    const recipients = await settings();
    const byRecipient = new Map<string, Delivery[]>();
    for (const one of due) {
      // Mails of one rule wait for each other, since they have the same recipients.
      const recipient = JSON.stringify(one.channel === 'mail' ? [MAIL, one.message.rule] : [one.webhook]);
      byRecipient.set(recipient, [...(byRecipient.get(recipient) ?? []), one]);
    }
    // A recipient that hangs delays only its own messages.
    const all = [...byRecipient.values()].map((deliveries) => deliverInOrder(current, recipients, deliveries));
    // Not before the last attempt has ended, or the next tick would repeat it beside this one.
    const failure = (await Promise.allSettled(all)).find(({ status }) => status === 'rejected');
    if (failure !== undefined) throw (failure as PromiseRejectedResult).reason;
  }

  /** One attempt; null if the settings no longer have the recipient. */
  function attemptOne({ webhooks, rules, mail, lang }: CurrentSettings, delivery: Delivery): Promise<Attempt> | null {
    const { id, message } = delivery;
    const how = { outgoing, id, version, now: clock(), signal: stopped.signal };
    if (delivery.channel !== 'mail') {
      const webhook = webhooks.find((one) => one.id === delivery.webhook);
      return webhook === undefined ? null : attempt(webhook, message, how);
    }
    const to = rules.find((one) => one.id === message.rule)?.mailTo;
    return to === undefined || mail === undefined ? null : attemptMail({ mail, to, lang }, message, how);
  }

  async function deliverInOrder(
    current: Term,
    recipients: CurrentSettings,
    deliveries: readonly Delivery[],
  ): Promise<void> {
    for (const delivery of deliveries) {
      if (stopped.signal.aborted) return;
      const attempted = attemptOne(recipients, delivery);
      const { delivered, error } = (await attempted) ?? { delivered: false, error: null };
      if (stopped.signal.aborted) return;
      counts[delivered ? 'delivered' : 'failed']++;
      const after = delivered || attempted === null ? null : afterFailure(delivery, error ?? '', clock());
      if (!delivered && after === null) counts.dropped++;
      const { states, queue } = current.memory;
      // Even if it cannot be stored: a full disk must not repeat it at every tick.
      current.memory = { states, queue: queue.flatMap((one) => (one.id === delivery.id ? (after ?? []) : [one])) };
      await save(current, (memory) => memory);
      // Messages to one recipient stay in order; the next would fail as well.
      if (!delivered && attempted !== null) return;
    }
  }

  async function tick(current: Term): Promise<void> {
    const { everySeconds = DEFAULT_ALERT_SECONDS } = await settings();
    // Also evaluates after the clock has been set back.
    if (Math.abs(clock() - evaluatedAt) >= everySeconds * 1000) await evaluate(current);
    await deliver(current);
  }

  return {
    evaluate: () => asLeader(evaluate),
    deliver: () => asLeader(deliver),
    tick: () => asLeader(tick),
    async test(id) {
      const current = await settings();
      const webhook = current.webhooks.find((one) => one.id === id);
      return webhook === undefined
        ? null
        : attempt(webhook, testMessage(clock(), current), { outgoing, id: randomUUID(), version });
    },
    async testMail(rule) {
      const { rules, mail, ...how } = await settings();
      const to = rules.find((one) => one.id === rule)?.mailTo;
      if (to === undefined || mail === undefined) return null;
      const message = testMessage(clock(), how);
      return attemptMail({ mail, to, lang: how.lang }, message, { outgoing, id: randomUUID(), now: clock() });
    },
    async status(role) {
      const now = clock();
      const { rules } = await settings();
      const { states, queue } = term?.memory ?? (await readMemory(store.keyValues));
      // A rule may watch one person's site for a minute: viewers only see whether it is over its threshold.
      const { minGroupSize } = await viewerRuleFor(store, { role, now }, { from: now - DAY_MS, to: now });
      const hidden = minGroupSize > 1 ? { value: null, n: null } : {};
      return { rules: rules.map(({ id }) => ({ id, ...findState(states, id), ...hidden })), deliveries: queue };
    },
    families: () => [
      gauge(
        'lastbyte_alert_active',
        '1 while the rule is over its threshold.',
        '1',
        Object.entries(term?.memory.states ?? {}).map(([rule, { on }]) => [{ rule }, on ? 1 : 0]),
      ),
      gauge('lastbyte_alerts_active', 'Number of rules over their threshold.', '1', [
        [{}, Object.values(term?.memory.states ?? {}).filter(({ on }) => on).length],
      ]),
      gauge('lastbyte_webhook_queue', 'Messages waiting for a webhook or the mail server.', '1', [
        [{}, term?.memory.queue.length ?? 0],
      ]),
      counter(
        'lastbyte_webhook_deliveries_total',
        'Attempts to deliver to a webhook or by mail, and messages that were given up.',
        '1',
        Object.entries(counts).map(([outcome, value]) => [{ outcome }, value]),
      ),
    ],
    start() {
      timer = setInterval(() => {
        running ??= asLeader(tick)
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

/** The caller of that save handles its failure. */
function alreadyReported(): void {}
