import type { Environment } from './environment.ts';
import type { StateStore } from './state-store.ts';

export type PauseLength = 'hour' | 'restart' | 'forever';

/** Set by the user, or because the policy's share leaves this browser out: nothing is measured, probed or sent meanwhile. */
export interface Pause {
  /** Epoch ms, the browser's next start, until the user ends it, or until the policy's share reaches this browser. */
  readonly until: number | 'restart' | 'forever' | 'turn';
  /** When it began, epoch ms. */
  readonly from: number;
}

/** A past pause, epoch ms. */
interface PauseSpan {
  readonly from: number;
  readonly to: number;
}

const HOUR_MS = 3_600_000;
/** Pages that were open during a pause still hold their entries, which must not be collected afterwards. */
const MAX_SPANS = 50;

/** Its part of LocalState. */
export interface PauseState {
  /** In force. */
  readonly paused: Pause;
  /** Past ones. */
  readonly pauses: readonly PauseSpan[];
  /** 0 … 99, drawn once. Says nothing about anyone, and is never sent. */
  readonly draw: number;
}

export interface PauseDeps extends Pick<Environment, 'now' | 'random'> {
  readonly state: StateStore<PauseState>;
  /** The policy's `share`: percentage of browsers that measure. undefined for all. */
  readonly share: () => Promise<unknown>;
  /** Whether the organisation allows pausing indefinitely; an hour and until restart are always allowed. */
  readonly mayPauseForGood: () => Promise<boolean>;
}

export class PauseSwitch {
  readonly #deps: PauseDeps;

  constructor(deps: PauseDeps) {
    this.#deps = deps;
  }

  /** The pause in force now; null while measuring is allowed. */
  async current(): Promise<Pause | null> {
    const { state, now, mayPauseForGood } = this.#deps;
    const pause = await state.read('paused');
    if (!(await this.#isInShare())) {
      if (!pause) await state.write('paused', { until: 'turn', from: now() });
      return { until: 'turn', from: pause?.from ?? now() };
    }
    if (!pause) return null;
    if (pause.until === 'turn') {
      await this.end();
      return null;
    }
    if (pause.until === 'forever') return (await mayPauseForGood()) ? pause : null;
    if (typeof pause.until !== 'number') return pause;
    const at = now();
    if (at >= pause.until) {
      await this.#close(pause.from, pause.until);
      return null;
    }
    // If the clock was set back, a pause of an hour must still end within an hour.
    if (at >= pause.from) return pause;
    await this.begin('hour');
    return state.read('paused');
  }

  /** False if the organisation forbids it. */
  async begin(length: PauseLength): Promise<boolean> {
    const { state, now, mayPauseForGood } = this.#deps;
    if (length === 'forever' && !(await mayPauseForGood())) return false;
    const from = now();
    await state.write('paused', { from, until: length === 'hour' ? from + HOUR_MS : length });
    return true;
  }

  async end(): Promise<void> {
    const { state, now } = this.#deps;
    const pause = await state.read('paused');
    if (pause) await this.#close(pause.from, Math.max(now(), pause.from));
  }

  /** A predicate: whether this time, epoch ms, lies in a past pause. */
  async covers(): Promise<(at: number) => boolean> {
    const spans = (await this.#deps.state.read('pauses')) ?? [];
    return (at) => spans.some(({ from, to }) => at >= from && at <= to);
  }

  /** As the share grows, browsers join and none leaves. Nothing is measured under a share that is not a number. */
  async #isInShare(): Promise<boolean> {
    const { state, random, share } = this.#deps;
    const percent = await share();
    if (percent === undefined) return true;
    let draw = await state.read('draw');
    if (draw === null) draw = await state.change('draw', (kept) => kept ?? Math.floor(random() * 100));
    return draw < Number(percent);
  }

  async #close(from: number, to: number): Promise<void> {
    const { state } = this.#deps;
    const spans = (await state.read('pauses')) ?? [];
    await state.write('pauses', [...spans.filter((span) => span.from !== from), { from, to }].slice(-MAX_SPANS));
    await state.forget('paused');
  }

  /** The browser has just started. */
  async restarted(): Promise<void> {
    if ((await this.#deps.state.read('paused'))?.until === 'restart') await this.end();
  }
}
