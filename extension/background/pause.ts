import type { StateStore } from './local-state.ts';

export type PauseLength = 'hour' | 'restart' | 'forever';

/** The user's own wish: nothing is measured, probed or sent meanwhile. */
export interface Pause {
  /** Epoch ms, or the browser's next start, or until the user ends it. */
  readonly until: number | 'restart' | 'forever';
  /** When it began, epoch ms. */
  readonly from: number;
}

const HOUR_MS = 3_600_000;

export interface PauseParts {
  readonly state: StateStore;
  readonly now: () => number;
  /** Whether the organisation lets users pause for good; an hour and until restart nobody can forbid. */
  readonly mayPauseForGood: () => Promise<boolean>;
}

export class PauseSwitch {
  readonly #parts: PauseParts;

  constructor(parts: PauseParts) {
    this.#parts = parts;
  }

  /** The pause in force now; null while measuring is allowed. */
  async current(): Promise<Pause | null> {
    const { state, now, mayPauseForGood } = this.#parts;
    const pause = await state.read('paused');
    if (!pause) return null;
    if (pause.until === 'forever') return (await mayPauseForGood()) ? pause : null;
    if (typeof pause.until !== 'number') return pause;
    const at = now();
    if (at >= pause.until) return null;
    // A clock that was set back must not make an hour longer than an hour from then.
    if (at < pause.from) {
      const anew = { from: at, until: at + HOUR_MS };
      await state.write('paused', anew);
      return anew;
    }
    return pause;
  }

  /** False where the organisation forbids it. */
  async begin(length: PauseLength): Promise<boolean> {
    const { state, now, mayPauseForGood } = this.#parts;
    if (length === 'forever' && !(await mayPauseForGood())) return false;
    const from = now();
    await state.write('paused', { from, until: length === 'hour' ? from + HOUR_MS : length });
    return true;
  }

  end(): Promise<void> {
    return this.#parts.state.forget('paused');
  }

  /** The browser has just started. */
  async restarted(): Promise<void> {
    if ((await this.#parts.state.read('paused'))?.until === 'restart') await this.end();
  }
}
