import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import { MAX_AGE_MS } from '../../shared/vocabulary/wire-limits.ts';
import { batchId, encodeBatch } from '../../shared/wire/encode-batch.ts';
import type { Enrolment } from './enrolment.ts';
import type { Environment } from './environment.ts';
import { type PostOutcome, postBatch } from './post-batch.ts';
import type { QueueLimits, SampleQueue } from './sample-queue.ts';
import type { SentLog } from './sent-log.ts';
import type { StateStore } from './state-store.ts';
import type { StatusReport } from './status-report.ts';

/** Well below the wire's limit, so that a batch of long templates also stays below the byte limits. */
const MAX_BATCH_ROWS = 1_000;
const MAX_WAITING_ROWS = 50_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Waits between attempts. */
const FIRST_MS = 2_000;
const LONGEST_MS = 15 * 60_000;

export interface DeliveryState {
  readonly lastSentAt: number | null;
  readonly sent: number;
  /** Rows that never arrived, by reason: `full`, or the collector's error code. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Rows that the collector rejected individually, by its code. */
  readonly rejected: Readonly<Record<string, number>>;
  readonly failures: number;
  readonly lastError: string | null;
  /** Nothing is sent before this time, epoch ms. */
  readonly notBefore: number;
  /** The collector itself set `notBefore`. */
  readonly ordered: boolean;
  /** Key and collector that were refused; nothing is sent until one of them changes. */
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
 * Sends queued samples, one batch after another. A batch is finalized on disk under its id before its first attempt, so that
 * after any crash the collector sees the same batch again and counts it once.
 */
export class Delivery {
  readonly #queue: SampleQueue;
  readonly #state: StateStore<{ readonly delivery: DeliveryState }>;
  readonly #environment: Environment;
  readonly #report: StatusReport | null;
  readonly #log: SentLog | null;
  #running: Promise<void> | null = null;

  constructor(
    queue: SampleQueue,
    state: StateStore<{ readonly delivery: DeliveryState }>,
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

  /** A call during a run joins it. */
  run(enrolment: Enrolment, origin: ClientInfo): Promise<void> {
    this.#running ??= this.#send(enrolment, origin).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * The collector has just accepted this key for settings, so an earlier refusal is void and a guessed delay ends. A
   * delay that the collector asked for continues.
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
      // After the clock was set back, this browser must not stay silent for longer than the longest wait.
      else if (now < state.notBefore && state.notBefore - now <= MAX_AGE_MS) return;
      const batch = await this.#queue.finalize(this.#newId(), origin, MAX_BATCH_ROWS);
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
      if (status !== null && answer.outcome === 'stored') await this.#report?.acknowledged(status);
      if (!batch || next.failures > 0 || next.refused !== null) return;
    }
  }

  #newId(): string {
    return batchId(this.#environment.now(), this.#environment.uuid());
  }

  #settled(state: DeliveryState, answer: PostOutcome, rows: number, enrolled: string): DeliveryState {
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

  /** Drops and counts what exceeds the limits. */
  async trim(): Promise<void> {
    const oldest = this.#environment.now() - MAX_AGE_MS;
    await this.#drop({ maxRows: MAX_WAITING_ROWS, maxBytes: MAX_WAITING_BYTES, oldest });
  }

  /** Called when the disk is full: drops the older half of what may be dropped. False if there was nothing. */
  async makeRoom(): Promise<boolean> {
    const maxRows = Math.floor((await this.#queue.countDroppable()) / 2);
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

  /** Serialized, because settings may arrive and space may be freed while a batch is in flight. */
  #change(by: (state: DeliveryState) => DeliveryState): Promise<DeliveryState> {
    return this.#state.change('delivery', (state) => by(whole(state)));
  }
}

function whole(state: DeliveryState | null): DeliveryState {
  return { ...FRESH_DELIVERY, ...state };
}

/** A sample later than now was taken before the clock was set back; the collector would refuse it as in the future. */
function notAfter(now: number, samples: readonly Sample[]): readonly Sample[] {
  return samples.map((sample) => (sample.at > now ? { ...sample, at: now } : sample));
}

/**
 * How long to wait after the nth failure in a row (n ≥ 1), ms: doubled each time and drawn from the upper half, so that
 * browsers that lost the collector together do not return together.
 */
export function backOff(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return longest / 2 + (longest / 2) * random;
}

/** Retry-After is seconds or an HTTP date (RFC 9110 §10.2.3); null if it is neither. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Math.min(Number(header) * 1000, LONGEST_MS * 4);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - now), LONGEST_MS * 4);
}
