import type { ClientAccount } from './client-accounts.ts';
import type { Intake } from './intake.ts';

export interface LaneLimits {
  /** Jobs at work at once. */
  readonly concurrency: number;
  /** Jobs of one client that wait. */
  readonly waitingPerClient: number;
}

export interface FairLane {
  /** Rejects with an IntakeRefusal where too many of this client wait. */
  run<T>(intake: Intake, job: () => Promise<T>): Promise<T>;
}

/** Runs a few jobs at once. Clients take turns, so that many jobs of one never stand before the first of another. */
export function createFairLane({ concurrency, waitingPerClient }: LaneLimits): FairLane {
  /** In the order of their turns; a client is here while it has jobs waiting. */
  const turns = new Map<ClientAccount, (() => void)[]>();
  let running = 0;

  function next(): void {
    const [turn] = turns;
    if (turn === undefined || running >= concurrency) return;
    const [client, waiting] = turn;
    turns.delete(client);
    const start = waiting.shift();
    if (waiting.length > 0) turns.set(client, waiting);
    start?.();
  }

  async function start<T>(intake: Intake, job: () => Promise<T>): Promise<T> {
    running++;
    try {
      // Those that came together with it may have used up everything while it waited.
      intake.checkRate();
      return await job();
    } finally {
      running--;
      next();
    }
  }

  return {
    async run(intake, job) {
      if (running < concurrency) return start(intake, job);
      const { client } = intake;
      const waiting = turns.get(client) ?? [];
      if (waiting.length >= waitingPerClient) intake.refuseBusy();
      turns.set(client, waiting);
      return new Promise((resolve, reject) => {
        waiting.push(() => void start(intake, job).then(resolve, reject));
      });
    },
  };
}
