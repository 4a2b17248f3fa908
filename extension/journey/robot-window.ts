import type { StateStore } from '../background/state-store.ts';
import { platform } from '../platform.ts';
import type { RobotOrder, RobotResult, RobotRun } from './robot-run.ts';

const PAGE = 'robot.html';

/** Opens the page of a robot, which replays one journey at a time, and keeps what it tells. */
export class RobotWindow {
  readonly #state: StateStore<{ readonly run: RobotRun }>;
  #order: RobotOrder | null = null;
  #finish: (result: RobotResult | null) => void = () => {};

  constructor(state: StateStore<{ readonly run: RobotRun }>) {
    this.#state = state;
  }

  /** Resolves once the run is over; to null if its page was closed before it could tell how it went. */
  async replay(order: RobotOrder): Promise<RobotResult | null> {
    const { id } = order.journey;
    await this.#state.write('run', { id, at: order.at, steps: [], endedAt: null });
    const over = new Promise<RobotResult | null>((resolve) => {
      this.#finish = resolve;
    });
    this.#order = order;
    const { tabs, windows } = platform;
    const opened = await windows.create({ url: PAGE, type: 'popup', width: 480, height: 260 });
    const tab = opened.tabs?.[0]?.id;
    const closed = (removed: number) => {
      if (removed === tab) this.#finish(null);
    };
    tabs.onRemoved.addListener(closed);
    try {
      return await over;
    } finally {
      tabs.onRemoved.removeListener(closed);
      this.#order = null;
      await this.#state.change('run', (run) => ({ ...(run as RobotRun), endedAt: Date.now() }));
      // The user may have closed it.
      if (tab !== undefined) await tabs.remove(tab).catch(() => {});
    }
  }

  /** null if there is nothing to replay. */
  order(): RobotOrder | null {
    return this.#order;
  }

  async begun(step: number, at: number): Promise<void> {
    if (this.#order === null) return;
    await this.#state.change('run', (run) => {
      const before = run as RobotRun;
      const steps = Array.from({ length: step }, (_, index) =>
        index === step - 1 ? at : (before.steps[index] ?? null),
      );
      return { ...before, steps };
    });
  }

  finish(result: RobotResult | null): void {
    this.#finish(result);
  }
}
