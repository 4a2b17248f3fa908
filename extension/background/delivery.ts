import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import { MAX_AGE_MS } from '../../shared/vocabulary/wire-limits.ts';
import { batchId } from '../../shared/wire/batch-id.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { backOff, retryAfter } from './back-off.ts';
import type { Environment } from './environment.ts';
import type { StateStore } from './local-state.ts';
import { postBatch } from './post-batch.ts';
import type { Enrolment } from './read-enrolment.ts';
import type { QueueLimits, SampleQueue } from './sample-queue.ts';
import type { SentLog } from './sent-log.ts';
import type { StatusReport } from './status-report.ts';

/** Well below the wire's limit, so that a batch of long templates stays below the limits in bytes too. */
const MAX_BATCH_ROWS = 1_000;
const MAX_WAITING_ROWS = 50_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export interface DeliveryState {
  readonly lastSentAt: number | null;
  readonly sent: number;
  /** Rows that never arrived, by reason: `full`, or the collector's error code. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Rows the collector refused one by one, by its code. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly lastError: string | null;
  /** Epoch milliseconds before which nothing is sent. */
  readonly notBefore: number;
  /** The collector itself named that time. */
  readonly ordered: boolean;
  /** Key and collector that were refused: nothing is sent until one of them changes. */
  readonly refused: string | null;
}

export const FRESH_DELIVERY: DeliveryState = {
  lastSentAt: null,
  sent: 0,
  dropped: {},
  rejected: {},
  failures: 0,
  lastError: null,
  notBefore: 0,
  ordered: false,
  refused: null,
};

/**
 * Sends what waits, one batch after the other. A batch is sealed under its id on disk before it is sent first, so
 * that whatever dies in between, the collector sees the same batch again and counts it once.
 */
export class Delivery {
  readonly #queue: SampleQueue;
  readonly #state: StateStore;
  readonly #environment: Environment;
  readonly #report: StatusReport | null;
  readonly #log: SentLog | null;
  #running: Promise<void> | null = null;

  constructor(
    queue: SampleQueue,
    state: StateStore,
    environment: Environment,
    report: StatusReport | null = null,
    log: SentLog | null = null,
  ) {
    this.#queue = queue;
    this.#state = state;
    this.#environment = environment;
    this.#report = report;
    this.#log = log;
  }

  /** One run at a time; a call during a run joins it. */
  run(enrolment: Enrolment, origin: ClientInfo): Promise<void> {
    this.#running ??= this.#send(enrolment, origin).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * The collector has just given settings for this key: whatever refused the key before does so no more, and a wait that
   * only guessed how long it would be away is over. One the collector asked for is not.
   */
  async collectorAnswered(): Promise<void> {
    await this.#change((state) => {
      if (state.refused !== null) return { ...state, refused: null, lastError: null };
      return state.failures > 0 && !state.ordered ? { ...state, notBefore: 0 } : state;
    });
  }

  async #send(enrolment: Enrolment, origin: ClientInfo): Promise<void> {
    await this.trim();
    const enrolled = `${enrolment.collector} ${enrolment.key}`;
    for (;;) {
      const now = this.#environment.now();
      const state = await this.#read();
      if (state.refused === enrolled) return;
      if (state.refused !== null) await this.#change((was) => ({ ...was, refused: null, notBefore: 0, failures: 0 }));
      // A clock set back must not silence this browser for longer than the longest wait.
      else if (now < state.notBefore && state.notBefore - now <= MAX_AGE_MS) return;
      const batch = await this.#queue.seal(this.#newId(), origin, MAX_BATCH_ROWS);
      const status = (await this.#report?.status()) ?? null;
      if (!batch && (status === null || !(await this.#report?.isDue(status)))) return;
      const { id, samples, origin: from } = batch ?? { id: this.#newId(), samples: [], origin };
      const sentAt = this.#environment.now();
      const body = encodeBatch(from, id, sentAt, notAfter(sentAt, samples), status);
      const answer = await postBatch(enrolment, body, this.#environment);
      if (answer.outcome === 'stored' && samples.length > 0) {
        const refused = new Set(answer.rejected.map(({ row }) => row));
        await this.#log?.note(
          samples.filter((_, row) => !refused.has(row)),
          sentAt,
        );
      }
      if (answer.outcome === 'stored' || answer.outcome === 'refused_batch') await this.#queue.remove(id);
      const next = await this.#change((was) => this.#settled(was, answer, samples.length, enrolled));
      if (status !== null && answer.outcome === 'stored') await this.#report?.told(status);
      if (!batch || next.failures > 0 || next.refused !== null) return;
    }
  }

  #newId(): string {
    return batchId(this.#environment.now(), this.#environment.uuid());
  }

  #settled(
    state: DeliveryState,
    answer: Awaited<ReturnType<typeof postBatch>>,
    rows: number,
    enrolled: string,
  ): DeliveryState {
    const now = this.#environment.now();
    switch (answer.outcome) {
      case 'stored': {
        const rejected = { ...state.rejected };
        for (const { code } of answer.rejected) rejected[code] = (rejected[code] ?? 0) + 1;
        const sent = state.sent + rows - answer.rejected.length;
        return { ...state, sent, rejected, lastSentAt: now, failures: 0, lastError: null, notBefore: 0 };
      }
      case 'refused_key':
        return { ...state, refused: enrolled, lastError: answer.code };
      case 'refused_batch': {
        const dropped = { ...state.dropped, [answer.code]: (state.dropped[answer.code] ?? 0) + rows };
        return { ...state, dropped, lastError: answer.code, failures: 0 };
      }
      case 'later': {
        const failures = state.failures + 1;
        const ordered = retryAfter(answer.retryAfter, now);
        const wait = ordered ?? backOff(failures, this.#environment.random());
        return { ...state, failures, lastError: answer.code, notBefore: now + wait, ordered: ordered !== null };
      }
    }
  }

  /** Drops and counts what is beyond the bounds. */
  async trim(): Promise<void> {
    const oldest = this.#environment.now() - MAX_AGE_MS;
    await this.#drop({ maxRows: MAX_WAITING_ROWS, maxBytes: MAX_WAITING_BYTES, oldest });
  }

  /** The disk is full: drops the older half of what may be dropped. False if there was nothing. */
  async makeRoom(): Promise<boolean> {
    const maxRows = Math.floor((await this.#queue.countUnsealed()) / 2);
    return (await this.#drop({ maxRows, maxBytes: MAX_WAITING_BYTES, oldest: 0 })) > 0;
  }

  async #drop(limits: QueueLimits): Promise<number> {
    const rows = await this.#queue.trim(limits);
    if (rows === 0) return 0;
    await this.#change((state) => ({
      ...state,
      dropped: { ...state.dropped, full: (state.dropped.full ?? 0) + rows },
    }));
    return rows;
  }

  async #read(): Promise<DeliveryState> {
    return whole(await this.#state.read('delivery'));
  }

  /** Settings may come, and room may have to be made, while a batch is on its way. */
  #change(by: (state: DeliveryState) => DeliveryState): Promise<DeliveryState> {
    return this.#state.change('delivery', (state) => by(whole(state)));
  }
}

function whole(state: DeliveryState | null): DeliveryState {
  return { ...FRESH_DELIVERY, ...state };
}

/** A sample later than now was made before the clock was set back, and the collector would refuse it as in the future. */
function notAfter(now: number, samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => (sample.at > now ? { ...sample, at: now } : sample));
}
