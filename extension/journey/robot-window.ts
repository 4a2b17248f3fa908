import type { StateStore } from '../background/state-store.ts';
import { platform } from '../platform.ts';
import { cleanUp, noteTabs } from './clean-up.ts';
import type { RobotOrder, RobotResult, RobotRun } from './robot-run.ts';

const PAGE = 'robot.html';
/** No run takes longer, whatever its steps say. */
const LIMIT_MS = 30 * 60_000;

interface Running {
  readonly order: RobotOrder;
  readonly isWanted: () => Promise<boolean>;
  /** The tab of the robot's page. */
  readonly tab: Promise<number | undefined>;
  readonly finish: (result: RobotResult | null) => void;
  /** A page that is loaded again must not begin again: a form may have been sent. */
  isTaken: boolean;
}

/** Opens the page of a robot, which replays one journey at a time, keeps what it tells, and cleans up after it. */
export class RobotWindow {
  readonly #state: StateStore<{ readonly run: RobotRun }>;
  #running: Running | null = null;

  constructor(state: StateStore<{ readonly run: RobotRun }>) {
    this.#state = state;
  }

  /** Resolves once the run is over; to null if nobody could tell how it went. */
  async replay(order: RobotOrder, isWanted: () => Promise<boolean>): Promise<RobotResult | null> {
    const { id } = order.journey;
    await this.#state.write('run', { id, at: order.at, steps: [], endedAt: null });
    const { tabs, windows } = platform;
    let finish: Running['finish'] = () => {};
    const over = new Promise<RobotResult | null>((resolve) => {
      finish = resolve;
    });
    const opened = windows.create({ url: PAGE, type: 'popup', width: 480, height: 260 });
    const tab = opened.then((window) => window.tabs?.[0]?.id);
    this.#running = { order, isWanted, tab, finish, isTaken: false };
    const limit = setTimeout(finish, LIMIT_MS, null);
    const closed = async (removed: number) => {
      if (removed === (await tab)) finish(null);
    };
    tabs.onRemoved.addListener(closed);
    try {
      const own = await tab;
      if (own !== undefined) await noteTabs([own]);
      return await over;
    } finally {
      clearTimeout(limit);
      tabs.onRemoved.removeListener(closed);
      this.#running = null;
      await this.#state.change('run', (run) => ({ ...(run as RobotRun), endedAt: Date.now() }));
      await cleanUp();
    }
  }

  /** Once, to the page that was opened for it; null to any other. */
  async order(asking: number | undefined): Promise<RobotOrder | null> {
    const running = this.#running;
    if (running === null || asking === undefined || asking !== (await running.tab)) return null;
    if (running.isTaken) running.finish(null);
    const { isTaken } = running;
    running.isTaken = true;
    return isTaken ? null : running.order;
  }

  /** Whether to go on. */
  async isWanted(): Promise<boolean> {
    return (await this.#running?.isWanted()) ?? false;
  }

  /** The journey is replayed in this tab. */
  async opened(replayed: number): Promise<void> {
    const own = await this.#running?.tab;
    await noteTabs(own === undefined ? [replayed] : [own, replayed]);
  }

  async begun(step: number, at: number): Promise<void> {
    if (this.#running === null) return;
    await this.#state.change('run', (run) => {
      const before = run as RobotRun;
      const steps = Array.from({ length: step }, (_, index) =>
        index === step - 1 ? at : (before.steps[index] ?? null),
      );
      return { ...before, steps };
    });
  }

  finish(result: RobotResult | null): void {
    this.#running?.finish(result);
  }
}
