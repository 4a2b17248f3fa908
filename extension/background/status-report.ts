import type { ScheduledProbe } from '../../shared/settings/probe-settings.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { BrowserState, BrowserStatus, ProbeRun } from '../../shared/wire/browser-status.ts';
import type { ProbeRun as OwnRun, ProbeState } from '../probe/probe-schedule.ts';
import type { CaptureState } from './capture-registration.ts';
import type { SampleQueue } from './sample-queue.ts';
import type { StateStore } from './state-store.ts';

/** A browser with nothing to send reports at least this often, ms, so that "last seen" is not older. */
const QUIET_MS = 6 * 3_600_000;

export interface ReportedStatus {
  /** Epoch ms. */
  readonly at: number;
  readonly state: BrowserState;
  /** Start of each probe's last reported run, by probe id. */
  readonly turns: Readonly<Record<string, number>>;
}

type Counts = Readonly<Record<string, number>>;

/** Its part of LocalState. */
interface ToldState {
  readonly told: ReportedStatus;
  readonly delivery: { readonly dropped: Counts; readonly rejected: Counts };
  readonly lost: Counts;
  readonly ignored: Counts;
  readonly probes: ProbeState;
}

interface StatusDeps {
  readonly state: StateStore<ToldState>;
  readonly queue: SampleQueue;
  readonly now: () => number;
  readonly settings: () => Promise<ExtensionSettings | null>;
  readonly capture: () => Promise<CaptureState>;
}

/** Reports this browser's status to the collector: with each batch, and without one when it has changed. */
export class StatusReport {
  readonly #deps: StatusDeps;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
  }

  /** null if nothing is watched: then there is nothing to report. */
  async status(): Promise<BrowserStatus | null> {
    const { state, queue } = this.#deps;
    const settings = await this.#deps.settings();
    if (settings === null || settings.targets.length === 0) return null;
    const [capture, waiting, delivery, lost, ignored, probes, reported] = await Promise.all([
      this.#deps.capture(),
      queue.count(),
      state.read('delivery'),
      state.read('lost'),
      state.read('ignored'),
      state.read('probes'),
      state.read('told'),
    ]);
    const { schedule: probed = [], journeys = [] } = settings.probes ?? {};
    const schedule = new Map([...probed, ...journeys].map((probe) => [probe.id, probe]));
    const turns = Object.entries(probes?.last ?? {}).flatMap(([id, run]) => {
      const probe = schedule.get(id);
      return probe === undefined || reported?.turns[id] === run.at ? [] : [runOf(probe, run)];
    });
    return {
      state: capture.missing.length > 0 ? 'degraded' : 'collecting',
      waiting,
      dropped: delivery?.dropped ?? {},
      rejected: delivery?.rejected ?? {},
      lost: lost ?? {},
      ignored: ignored ?? {},
      turns,
    };
  }

  /** Whether it warrants a request of its own. */
  async isDue(status: BrowserStatus): Promise<boolean> {
    const reported = await this.#deps.state.read('told');
    if (reported === null || reported.state !== status.state || status.turns.length > 0) return true;
    // Also reports after the clock was set back.
    return Math.abs(this.#deps.now() - reported.at) >= QUIET_MS;
  }

  /** The collector has stored this status. */
  async acknowledged({ state, turns }: BrowserStatus): Promise<void> {
    const before = await this.#deps.state.read('told');
    const all = { ...before?.turns, ...Object.fromEntries(turns.map(({ probe, at }) => [probe, at])) };
    await this.#deps.state.write('told', { at: this.#deps.now(), state, turns: all });
  }
}

/** Without URLs: the probe's id identifies them to anyone who may read the settings. */
function runOf({ id, target }: ScheduledProbe, run: OwnRun): ProbeRun {
  const made = { probe: id, target, at: run.at, skipped: run.skipped, scenarios: [], steps: [] };
  if (run.skipped !== null) return made;
  const { report } = run;
  return 'steps' in report
    ? {
        ...made,
        steps: report.steps.map(({ reason }) => reason),
        stepTimes: report.steps.map(({ time }) => time),
        ...(run.broke && { broke: run.broke }),
      }
    : { ...made, scenarios: report.scenarios };
}
