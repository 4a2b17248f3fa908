import type { ScheduledProbe } from '../../shared/settings/probe-settings.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { BrowserState, BrowserStatus, ProbeRun } from '../../shared/wire/browser-status.ts';
import type { ProbeRun as OwnRun } from '../probe/probe-schedule.ts';
import type { CaptureState } from './capture-registration.ts';
import { FRESH_DELIVERY } from './delivery.ts';
import type { StateStore } from './local-state.ts';
import type { SampleQueue } from './sample-queue.ts';

/** A browser that has nothing to send says so this often, ms: "last seen" is not older than that. */
const QUIET_MS = 6 * 3_600_000;

export interface ToldStatus {
  /** Epoch ms. */
  readonly at: number;
  readonly state: BrowserState;
  /** When each probe's turn began that was told, by id. */
  readonly turns: Readonly<Record<string, number>>;
}

interface StatusDeps {
  readonly state: StateStore;
  readonly queue: SampleQueue;
  readonly now: () => number;
  readonly settings: () => Promise<ExtensionSettings | null>;
  readonly capture: () => Promise<CaptureState>;
}

/** Tells the collector how this browser is doing: with each batch, and without one where it has changed. */
export class StatusReport {
  readonly #deps: StatusDeps;

  constructor(deps: StatusDeps) {
    this.#deps = deps;
  }

  /** null where nothing is watched: then there is nothing to say. */
  async status(): Promise<BrowserStatus | null> {
    const { state, queue } = this.#deps;
    const settings = await this.#deps.settings();
    if (settings === null || settings.targets.length === 0) return null;
    const [capture, waiting, delivery, lost, probes, told] = await Promise.all([
      this.#deps.capture(),
      queue.count(),
      state.read('delivery'),
      state.read('lost'),
      state.read('probes'),
      state.read('told'),
    ]);
    const { dropped, rejected } = delivery ?? FRESH_DELIVERY;
    const schedule = new Map(settings.probes?.schedule.map((probe) => [probe.id, probe]));
    const turns = Object.entries(probes?.last ?? {}).flatMap(([id, turn]) => {
      const probe = schedule.get(id);
      return probe === undefined || told?.turns[id] === turn.at ? [] : [turnOf(probe, turn)];
    });
    return {
      state: capture.missing.length > 0 ? 'degraded' : 'collecting',
      waiting,
      dropped,
      rejected,
      lost: lost ?? {},
      turns,
    };
  }

  /** Whether it is worth a request of its own. */
  async isDue(status: BrowserStatus): Promise<boolean> {
    const told = await this.#deps.state.read('told');
    if (told === null || told.state !== status.state || status.turns.length > 0) return true;
    // A clock that was set back must not silence it.
    return Math.abs(this.#deps.now() - told.at) >= QUIET_MS;
  }

  /** The collector has it. */
  async told({ state, turns }: BrowserStatus): Promise<void> {
    const before = await this.#deps.state.read('told');
    const all = { ...before?.turns, ...Object.fromEntries(turns.map(({ probe, at }) => [probe, at])) };
    await this.#deps.state.write('told', { at: this.#deps.now(), state, turns: all });
  }
}

/** Without addresses: the probe's id names them for whoever may read the settings. */
function turnOf({ id, target }: ScheduledProbe, turn: OwnRun): ProbeRun {
  const made = { probe: id, target, at: turn.at, skipped: turn.skipped, scenarios: [], steps: [] };
  if (turn.skipped !== null) return made;
  const { report } = turn;
  return 'steps' in report
    ? { ...made, steps: report.steps.map(({ reason }) => reason) }
    : { ...made, scenarios: report.scenarios };
}
