import type { EntryGroup } from '../packed-group.ts';
import { platform } from '../platform.ts';
import type { Agent } from './agent.ts';
import { showBadge } from './badge.ts';
import type { Environment } from './environment.ts';
import type { PauseSwitch } from './pause.ts';
import { drainPending, type PageStorage } from './pending-groups.ts';

/** A background stays awake for half a minute, the shortest period allowed: with that period it would never sleep. */
const ALARM_MINUTES = { deliver: 1, settings: 5 };
/**
 * Set at each start and cleared once nothing is missing: it brings the background back if it is stopped before it has its
 * settings. Minutes; the shortest the browsers allow.
 */
const RECOVERY_ALARM = 'recovery';
const RECOVERY_MINUTES = 0.5;
/** Ends a pause of an hour. */
const PAUSE_ALARM = 'pause';
/** Longer than the background stays awake; by then the alarm has fired. */
const LONGEST_SECONDS = 60;
/** A group on disk was most likely sent as a message too, which knows its frame, so the message should come first. */
const MESSAGE_FIRST_MS = 1_000;

export interface SchedulerDeps {
  readonly agent: Agent;
  readonly pause: PauseSwitch;
  readonly storage: PageStorage;
  /** The migration: until it is done, storage.local may hold the state of an older version. */
  readonly ready: Promise<unknown>;
  readonly random: Environment['random'];
}

/** Runs the agent's work: at alarms, after events, and some time after the first of several samples. */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  #scheduled = false;
  #drainSoon: ReturnType<typeof setTimeout> | null = null;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** The background has started. `recover` has to be the listener of tabs.onUpdated. */
  begin(): void {
    // First and without awaiting anything: a background may be stopped at any moment, and in a new profile Chromium has
    // been seen to take 14 seconds for the first read of storage.managed alone.
    this.#setRecoveryAlarm();
    reportFailure(this.#keepAlarms());
    this.recover();
  }

  alarm(name: string): void {
    if (name === 'deliver') {
      this.recover();
      this.drain();
    }
    if (name === 'settings') this.#refreshThen(() => this.deliver());
    if (name === RECOVERY_ALARM) this.recover();
    if (name === PAUSE_ALARM) reportFailure(this.pauseChanged());
  }

  /** The browser has started, or the extension was installed or updated. */
  start(): void {
    this.enrolmentChanged();
    this.drain();
  }

  enrolmentChanged(): void {
    this.#refreshThen(() => this.badge());
  }

  permissionsChanged(): void {
    reportFailure(this.#deps.agent.register().then(() => this.badge()));
  }

  /** A bound function, so that it can be removed from the event. */
  readonly recover = (): void => {
    reportFailure(
      this.#deps.agent.recover().then(async (nothingMissing) => {
        if (!nothingMissing) return this.#setRecoveryAlarm();
        platform.tabs.onUpdated.removeListener(this.recover); // else every page of every tab would wake the background
        await platform.alarms.clear(RECOVERY_ALARM);
      }),
    );
  };

  /** A page has left entries on disk. */
  pendingChanged(): void {
    this.#drainSoon ??= setTimeout(() => {
      this.#drainSoon = null;
      this.drain();
    }, MESSAGE_FIRST_MS);
  }

  drain(): void {
    const { agent, storage, ready } = this.#deps;
    const take = (group: EntryGroup) => agent.take(group, null);
    const drained = ready.then(() => drainPending(storage, take, (lost) => agent.count(lost)));
    reportFailure(drained.then(() => this.deliver()));
  }

  /** While the background is awake, delivery need not wait for the alarm. */
  scheduleDelivery(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const seconds = this.#deps.agent.settings().then(
      (settings) => settings?.delivery.intervalSeconds,
      () => undefined, // the alarm delivers too
    );
    reportFailure(seconds.then((known = LONGEST_SECONDS) => this.#deliverAfter(1000 * known)));
  }

  async deliver(): Promise<void> {
    const wait = await this.#deps.agent.deliver();
    await this.badge();
    if (wait !== null && !this.#scheduled) this.#deliverAfter(wait);
  }

  /** Capture, probes and the alarm that ends a pause follow at once. */
  async pauseChanged(): Promise<void> {
    const inForce = await this.#deps.pause.current();
    if (typeof inForce?.until === 'number') platform.alarms.create(PAUSE_ALARM, { when: inForce.until });
    else await platform.alarms.clear(PAUSE_ALARM);
    await this.#deps.agent.register();
    if (!inForce) this.drain();
    await this.badge();
  }

  async badge(): Promise<void> {
    await showBadge(await this.#deps.agent.status());
  }

  #refreshThen(next: () => Promise<void>): void {
    reportFailure(this.#deps.agent.refresh().then(next));
  }

  #setRecoveryAlarm(): void {
    platform.alarms.create(RECOVERY_ALARM, { delayInMinutes: RECOVERY_MINUTES });
  }

  /** Browsers may lose alarms at a restart. The first alarm is at a random moment, because all browsers start at nine. */
  async #keepAlarms(): Promise<void> {
    for (const [name, minutes] of Object.entries(ALARM_MINUTES)) {
      if (await platform.alarms.get(name)) continue;
      const delayInMinutes = minutes * (1 + this.#deps.random());
      platform.alarms.create(name, { periodInMinutes: minutes, delayInMinutes });
    }
  }

  #deliverAfter(ms: number): void {
    this.#scheduled = true;
    setTimeout(() => {
      this.#scheduled = false;
      reportFailure(this.deliver());
    }, ms);
  }
}

/** For work that is not awaited. The next event retries; the browser's extension console shows the error. */
export function reportFailure(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.error(error));
}
