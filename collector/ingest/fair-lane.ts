import { createFairLine } from '../fair-line.ts';
import type { NetworkAccount } from './client-accounts.ts';
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
  const line = createFairLine<NetworkAccount, () => void>();
  let running = 0;

  async function start<T>(intake: Intake, job: () => Promise<T>): Promise<T> {
    running++;
    try {
      // Those that came together with it may have used up everything while it waited.
      intake.checkRate();
      return await job();
    } finally {
      running--;
      line.shift()?.();
    }
  }

  return {
    async run(intake, job) {
      if (running < concurrency) return start(intake, job);
      const { network } = intake;
      if (line.waiting(network) >= waitingPerClient) intake.refuseBusy();
      return new Promise((resolve, reject) => {
        line.push(network, () => void start(intake, job).then(resolve, reject));
      });
    },
  };
}
