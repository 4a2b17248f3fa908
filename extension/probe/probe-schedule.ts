import type { Breakage } from '../../shared/journeys/breakage.ts';
import { isInShare } from '../../shared/probes/fleet-share.ts';
import { asksPrivateContent } from '../../shared/probes/private-content.ts';
import {
  countRequests,
  DEFAULT_REQUESTS_PER_HOUR,
  leftToSpend,
  SCHEDULED_REPETITIONS,
  type Spent,
  stillSpent,
} from '../../shared/probes/probe-budget.ts';
import {
  DEFAULT_PAUSE_MS,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_WARMUPS,
  type SequenceRequest,
  toOtherScheme,
} from '../../shared/probes/sequence-request.ts';
import type { ScheduledJourney, ScheduledProbe } from '../../shared/settings/probe-settings.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { ScriptReport, SequenceReport, StepOutcome } from '../../shared/vocabulary/probe-words.ts';
import type { SkipReason } from '../../shared/wire/browser-status.ts';
import type { SampleQueue } from '../background/sample-queue.ts';
import type { StateStore } from '../background/state-store.ts';
import { type RobotRun, toStepOutcomes } from '../journey/robot-run.ts';
import type { RobotWindow } from '../journey/robot-window.ts';
import type { ProbeEdges } from './probe-edges.ts';
import { runScript, type ScriptResult } from './run-script.ts';
import { runSequence, type SequenceResult } from './run-sequence.ts';

const ALARM_PREFIX = 'probe/';
/** Between two runs of a recording that does not say that it may be repeated; alarms come early by a little, ms. */
const LEAST_MS = 59 * 60_000;

export interface ProbeState {
  readonly spent: readonly Spent[];
  /** The last run of each probe, by id. */
  readonly last: Readonly<Record<string, ProbeRun>>;
}

export type ProbeRun =
  | { readonly at: number; readonly skipped: SkipReason }
  | {
      readonly at: number;
      readonly skipped: null;
      readonly report: SequenceReport | ScriptReport;
      readonly broke?: Breakage | null;
    };

/** The part of the alarms API in use. */
export interface Alarms {
  getAll(): Promise<readonly { readonly name: string; readonly periodInMinutes?: number | undefined }[]>;
  create(name: string, when: { delayInMinutes: number; periodInMinutes: number }): void;
  clear(name: string): Promise<unknown>;
}

export interface ProbeScheduleDeps {
  /** No run starts before this has settled. */
  readonly ready: Promise<unknown>;
  readonly state: StateStore<{ readonly probes: ProbeState; readonly run: RobotRun }>;
  readonly queue: SampleQueue;
  readonly alarms: Alarms;
  /** null before the first settings, and when the collector refused the key. */
  readonly settings: () => Promise<ExtensionSettings | null>;
  readonly browser: () => Promise<{ readonly client: string; readonly site: string }>;
  readonly isIdle: () => Promise<boolean>;
  /** null if the browser does not report it. */
  readonly isOnPower: () => Promise<boolean | null>;
  readonly edges: () => ProbeEdges;
  /** Whether this machine declares its browser a robot: no other browser replays a recording. */
  readonly isRobot: () => Promise<boolean>;
  readonly robot: Pick<RobotWindow, 'replay'>;
  readonly deliver: () => Promise<unknown>;
  readonly now: () => number;
  readonly random: () => number;
  readonly uuid: () => string;
}

/** Runs the settings' probes on schedule: one alarm each, and no other wake-ups. */
export class ProbeSchedule {
  readonly #deps: ProbeScheduleDeps;
  #running: Promise<unknown>;

  constructor(deps: ProbeScheduleDeps) {
    this.#deps = deps;
    this.#running = deps.ready.catch(() => {}); // the caller handles it
  }

  /**
   * Updates the alarms to match the settings. The first run is at a random moment of the period, so that a fleet that
   * starts at nine does not probe at nine.
   */
  async sync(): Promise<void> {
    const { alarms, random } = this.#deps;
    const wanted = new Map((await this.#own()).map((probe) => [ALARM_PREFIX + probe.id, probe.everyMinutes]));
    for (const { name, periodInMinutes } of await alarms.getAll()) {
      if (!name.startsWith(ALARM_PREFIX)) continue;
      if (wanted.get(name) === periodInMinutes) wanted.delete(name);
      else await alarms.clear(name);
    }
    for (const [name, periodInMinutes] of wanted) {
      alarms.create(name, { periodInMinutes, delayInMinutes: Math.max(0.5, periodInMinutes * random()) });
    }
  }

  /** Handles any alarm. Probes run one at a time, since they would measure each other. */
  alarm(name: string): Promise<void> {
    return name.startsWith(ALARM_PREFIX) ? this.run(name.slice(ALARM_PREFIX.length), false) : Promise.resolve();
  }

  /** The same without waiting for its time. @param isAsked somebody wants it now */
  run(id: string, isAsked = true): Promise<void> {
    const run = this.#running.then(() => this.#run(id, isAsked));
    this.#running = run.catch(() => {}); // the caller handles it; the next run is unaffected
    return run;
  }

  async #run(id: string, isAsked: boolean): Promise<void> {
    const { edges, queue, deliver, now, uuid, isIdle, isOnPower, isRobot } = this.#deps;
    const probe = await this.#find(id);
    if (!probe) return;
    const at = now();
    if (probe.recording && !(await isRobot())) return this.#refuse(id, at);
    if (!isAsked && (await this.#isTooSoon(probe, at))) return;
    if (asksPrivateContent(probe)) return this.#note(id, { at, skipped: 'text_with_cookies' });
    if (probe.onlyWhenIdle && !(await isIdle())) return this.#note(id, { at, skipped: 'not_idle' });
    const powered = probe.onlyOnPower ? await isOnPower() : true;
    if (powered !== true) return this.#note(id, { at, skipped: powered === null ? 'power_unknown' : 'on_battery' });
    if (!(await this.#spend({ at, requests: countRequests(probe) }))) return this.#note(id, { at, skipped: 'budget' });
    const settings = await this.#deps.settings();
    if (probe.recording) return this.#replay(probe as ScheduledJourney, at, settings?.targets ?? []);
    const isWanted = async () => (await this.#find(id)) !== null;
    const { report, samples } = await runProbe(probe, at, settings, edges(), isWanted);
    await this.#settle(at, report.requests);
    await this.#note(id, { at, skipped: null, report });
    if (samples.length > 0) await queue.add(uuid(), samples, now());
    await deliver();
  }

  async #replay(journey: ScheduledJourney, at: number, targets: ExtensionSettings['targets']): Promise<void> {
    const { robot, now, deliver, state, isRobot } = this.#deps;
    const patterns = targets.find(({ id }) => id === journey.target)?.match ?? [];
    const isWanted = async () => (await this.#find(journey.id)) !== null && (await isRobot());
    const result = await robot.replay({ journey, at, patterns }, isWanted);
    if (result?.skipped != null) await this.#note(journey.id, { at, skipped: result.skipped });
    else {
      const steps = result ? toStepOutcomes(result.outcome) : interruptedSteps(await state.read('run'), 'page_closed');
      const report = { probe: journey.id, startedAt: at, endedAt: now(), requests: steps.length, steps, stopped: null };
      await this.#note(journey.id, { at, skipped: null, report, broke: result?.outcome.broke ?? null });
    }
    await deliver();
  }

  /** The browser, or the background, has ended in the middle of a run. */
  async recover(): Promise<void> {
    const run = await this.#deps.state.read('run');
    if (run === null || run.endedAt !== null) return;
    const { id, at, steps: begun } = run;
    await this.#deps.state.write('run', { ...run, endedAt: begun.at(-1) ?? at });
    const steps = interruptedSteps(run, 'browser_quit');
    const report = { probe: id, startedAt: at, endedAt: at, requests: steps.length, steps, stopped: null };
    await this.#note(id, { at, skipped: null, report });
  }

  /** A browser that is started anew begins its periods anew, and what a journey has sent must not be sent again so soon. */
  async #isTooSoon({ id, recording }: ScheduledProbe, at: number): Promise<boolean> {
    if (!recording || recording.lastbyte?.repeatable === true) return false;
    const last = (await this.#read()).last[id];
    return last?.skipped === null && Math.abs(at - last.at) < LEAST_MS;
  }

  /** Once: a browser that is no robot need not say so every hour. */
  async #refuse(id: string, at: number): Promise<void> {
    if ((await this.#read()).last[id]?.skipped === 'not_robot') return;
    await this.#note(id, { at, skipped: 'not_robot' });
    await this.#deps.deliver();
  }

  /** The probes this browser has to run now. */
  async #own(): Promise<readonly ScheduledProbe[]> {
    const probes = (await this.#deps.settings())?.probes;
    if (!probes?.enabled) return [];
    const { client, site } = await this.#deps.browser();
    return [...probes.schedule, ...(probes.journeys ?? [])].filter(
      ({ id, share = 1, sites }) => (sites === undefined || sites.includes(site)) && isInShare(client, id, share),
    );
  }

  async #find(id: string): Promise<ScheduledProbe | null> {
    return (await this.#own()).find((probe) => probe.id === id) ?? null;
  }

  /** Counts all of a run's requests beforehand, so that they are spent even if the background dies midway. */
  async #spend(planned: Spent): Promise<boolean> {
    const perHour = (await this.#deps.settings())?.probes?.requestsPerHour ?? DEFAULT_REQUESTS_PER_HOUR;
    const state = await this.#read();
    if (leftToSpend(state.spent, perHour, planned.at) < planned.requests) return false;
    await this.#write({ ...state, spent: [...stillSpent(state.spent, planned.at), planned] });
    return true;
  }

  async #settle(at: number, requests: number): Promise<void> {
    const state = await this.#read();
    await this.#write({ ...state, spent: state.spent.map((each) => (each.at === at ? { at, requests } : each)) });
  }

  async #note(id: string, run: ProbeRun): Promise<void> {
    const [state, own] = await Promise.all([this.#read(), this.#own()]);
    // Probes that are no longer in the settings are dropped here.
    const kept = Object.entries(state.last).filter(([other]) => own.some((probe) => probe.id === other));
    await this.#write({ ...state, last: { ...Object.fromEntries(kept), [id]: run } });
  }

  async #read(): Promise<ProbeState> {
    return (await this.#deps.state.read('probes')) ?? { spent: [], last: {} };
  }

  async #write(state: ProbeState): Promise<void> {
    await this.#deps.state.write('probes', state);
  }
}

/** The steps of a run that nobody could follow to its end. */
function interruptedSteps(run: RobotRun | null, reason: 'page_closed' | 'browser_quit'): StepOutcome[] {
  const count = Math.max(1, run?.steps.length ?? 0);
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    return { url: '', ok: !isLast, reason: isLast ? reason : null, time: null };
  });
}

/** A probe with one URL is a probe sequence; one with steps is a script. */
function runProbe(
  probe: ScheduledProbe,
  at: number,
  settings: ExtensionSettings | null,
  edges: ProbeEdges,
  isWanted: () => Promise<boolean>,
): Promise<SequenceResult | ScriptResult> {
  const common = {
    id: probe.id,
    target: probe.target,
    cookies: probe.cookies ?? false,
    pauseMs: DEFAULT_PAUSE_MS,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    // With the user's cookies, a server's own numbers may be about what only that user may see.
    serverTimingMetrics:
      (!probe.cookies && settings?.targets.find(({ id }) => id === probe.target)?.serverTimingMetrics) || [],
  };
  if (probe.url === undefined) return runScript({ ...common, at, steps: probe.steps ?? [] }, edges, isWanted);
  const url = withoutFragment(probe.url);
  const request: SequenceRequest = {
    ...common,
    url,
    otherUrl: withoutFragment(probe.otherUrl ?? toOtherScheme(url)),
    repetitions: probe.repetitions ?? SCHEDULED_REPETITIONS,
    warmups: DEFAULT_WARMUPS,
    wildcard: probe.wildcard ?? false,
    idleWaitMs: probe.idleWaitSeconds === undefined ? null : probe.idleWaitSeconds * 1000,
    maxRequests: countRequests(probe),
  };
  return runSequence(request, edges, isWanted);
}

/** Fragments never leave the browser, and entries' names do not contain them. */
function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? '';
}
