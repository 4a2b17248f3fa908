import type { ClientInfo, StoredSample } from '../../shared/sample/sample.ts';
import type { SampleColumns } from '../../shared/sample/sample-columns.ts';
import type { Retention } from '../../shared/settings/retention-of.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import type { AggregateQuery, CellKey, SampleQuery } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../shared/vocabulary/time-names.ts';
import type { BrowserStatus, ProbeRun } from '../../shared/wire/browser-status.ts';
import type { CellAggregate } from '../reductions/cell-aggregate.ts';
import type { ClockStatus } from './clock-watch.ts';
import type { BatchColumns } from './columns/batch-columns.ts';
import type { Ingestion } from './ingestion.ts';
import type { Reading } from './passes/reading-source.ts';

export interface StoreOptions {
  readonly folder: string;
  /** Makes folder and data where there are none; otherwise that is an error. True unless given. */
  readonly create?: boolean;
  /** `server` holds the folder for itself among servers and keeps rollups up to date; `command` works beside one. */
  readonly as: 'server' | 'command';
  /** The built job-thread.ts: long reads run there. null runs them in the calling thread, as commands do. */
  readonly threadScript?: URL | null;
  /** The database may not grow past this; then it is as if the disk were full. null leaves that to the disk. */
  readonly maxBytes?: number | null;
  /** Told what went wrong in the background, and with which work; it is tried again. */
  readonly onMaintenanceError?: (error: unknown, job: MaintenanceJob) => void;
  /** Told in one sentence what an operator has to know, such as that the clock jumped. */
  readonly onNotice?: (text: string) => void;
  /** Epoch milliseconds; the system's clock unless given. */
  readonly clock?: () => number;
  /** Milliseconds that nobody can set; `performance.now` unless given. */
  readonly monotonic?: () => number;
}

/** In bytes. */
export interface FreeSpace {
  /** What can still be stored, room inside the store's files included. */
  readonly bytes: number;
  /** What the disk has left once all that is stored is in its place. */
  readonly onDisk: number;
  /** Of the disk, or of what the store may take of it. */
  readonly size: number;
}

/**
 * The one interface between the collector and where its data lies. Every method is asynchronous, because an engine
 * may be a server; every method either does what it says or throws a StoreError, and never logs and goes on.
 * One conformance suite (tests/collector/store-conformance.ts) runs against every engine.
 */
export interface Store {
  readonly samples: SampleStore;
  readonly settings: SettingsStore;
  readonly tokens: TokenStore;
  readonly sessions: SessionStore;
  readonly keyValues: KeyValueState;
  readonly maintenance: StoreMaintenance;
  readonly clock: ClockStore;
  /** Resolves if the store can read and write now; throws a StoreError otherwise. */
  ready(): Promise<void>;
  /** Finishes what is under way, then releases files and locks. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface SampleStore {
  /**
   * Stores all batches in one transaction and resolves once they are durable (they survive a power cut). A batch
   * whose id is stored already, or comes twice in one call, is `duplicate` and its rows are stored only once.
   * If it throws, none of the batches is stored.
   */
  append(batches: readonly AcceptedBatch[]): Promise<readonly AppendOutcome[]>;
  /**
   * Runs an ingestion where the store writes, off the event loop in a server: what it appends is durable once this resolves.
   * Throws a StoreError; then nothing is stored.
   */
  ingest<B, O>(ingestion: Ingestion<B, O>, bodies: B): Promise<O>;
  /** Groups the samples of the range and says whether the distributions inside are exact. Order: by key. */
  aggregate(query: AggregateQuery, options?: QueryOptions): Promise<AggregateAnswer>;
  /** One time only, at a fraction of the cost. Groups without a value of it are left out. Order: by key. */
  distributions(query: DistributionQuery, options?: QueryOptions): Promise<DistributionAnswer>;
  /**
   * Runs a reading where the data are, off the event loop in a server. Throws a StoreError, or the signal's reason once it is
   * aborted.
   */
  read<Q, A>(reading: Reading<Q, A>, question: Q, watch?: RequestOptions): Promise<A>;
  /** Every sample of the range that passes the filters, oldest first, in blocks of at most 5,000. */
  scan(query: SampleQuery): AsyncIterable<readonly StoredSample[]>;
  /** The same samples as columns, in blocks of some thousands, never empty: for who reads very many, such as an export. */
  scanColumns(query: SampleQuery): AsyncIterable<SampleColumns>;
}

/** A validated batch; `columns` hold only accepted rows, their `at` corrected to the collector's clock. */
export interface AcceptedBatch {
  /** UUID. */
  readonly id: string;
  readonly receivedAt: number;
  /** Id of the ingest key it was sent with; null for what a command wrote. */
  readonly key?: string | null;
  /** What was added to every `at`, milliseconds. */
  readonly clockCorrection: number;
  readonly origin: ClientInfo;
  /** What the browser said of itself, taken in from a duplicate too; null where it said nothing. */
  readonly status?: BrowserStatus | null;
  readonly columns: BatchColumns;
  /** More rows of it, which belong to the site `(other)` (ingest/cell-bounds.ts). */
  readonly folded?: BatchColumns | null;
  /** Its rows are stored under the browser `(other)`, since its key introduced too many (ingest/client-bounds.ts). */
  readonly sharesClient?: boolean;
  /** Read from a recording by an admin: its id is never forgotten, and no browser is heard of. */
  readonly imported?: boolean;
}

export interface AppendOutcome {
  readonly id: string;
  readonly duplicate: boolean;
}

/** Who waits for an answer. */
export interface RequestOptions {
  /** Aborting it rejects with the signal's reason and ends the work soon. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Told now and then which part of the samples there are to read has been read, 0…1, never less than before; not at all
   * where that is quickly done.
   */
  readonly progress?: ((part: number) => void) | undefined;
  /** Id of the token that asks: those that wait take turns token by token. Undefined for the collector itself. */
  readonly token?: string | undefined;
}

export interface QueryOptions extends Pick<RequestOptions, 'signal' | 'token'> {
  /** Read every value; without it an engine may answer from sketches, within `bound`. */
  readonly exact?: boolean;
}

export interface DistributionQuery extends AggregateQuery {
  readonly time: SummaryTime;
}

export interface AnswerMethod {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 of what identifies the samples of the range: the same ones give the same, however they came. */
  readonly dataHash: string;
  /** Samples in the range, filters aside. */
  readonly samples: number;
}

export interface AggregateAnswer extends AnswerMethod {
  readonly cells: readonly CellAggregate[];
}

export interface DistributionAnswer extends AnswerMethod {
  readonly cells: readonly { readonly key: CellKey; readonly values: Distribution }[];
}

/** What keeps answers fast and data no longer than wished. A server does it by itself; tests and commands ask for it. */
export interface StoreMaintenance {
  /** Brings every rollup up to date with the samples that were appended before. */
  rollUp(): Promise<void>;
  /** Finishes days and months that are over at `now` (epoch ms): coarse rollups, exact values, large chunks. */
  finalize(now: number): Promise<void>;
  /**
   * Removes what is older than its level is kept, and gives the room back: of each level at most the oldest day that holds
   * anything, of months the oldest, so that a mistake costs little and is seen. Nothing while the clock is in doubt.
   */
  prune(now: number, retention: Retention): Promise<void>;
  /**
   * Removes every sample of one browser, or all that was written with one ingest key, and computes again what was made from
   * them. `progress` is told which part of the days is done.
   */
  erase(whose: ErasedBy, watch?: Pick<RequestOptions, 'progress'>): Promise<ErasedSamples>;
  /** Samples before this time (epoch ms) were removed because of their age; 0 where none ever were. */
  keptFrom(): Promise<number>;
  /** Writes a copy of everything, consistent, while the store is in use. Refuses a file that exists. */
  backup(file: string): Promise<void>;
  /** Everything that is wrong with what is stored, in words; empty where nothing is. */
  check(): Promise<readonly string[]>;
  /** Makes the rollups of days again that are not what their samples give; which days these were, such as 2026-02-26. */
  repair(): Promise<readonly string[]>;
  /** What was set aside because it can't be processed: its samples are in no answer that reads samples. */
  quarantine(): Promise<readonly QuarantinedChunk[]>;
  /** null where the engine can't tell. */
  freeSpace(): Promise<FreeSpace | null>;
  /** Bytes by what they hold. */
  sizes(): Promise<Readonly<Record<'chunks' | 'hour' | 'day' | 'month' | 'exact' | 'total', number>>>;
}

/** Whether the collector's clock can be believed: see clock-watch.ts. */
export interface ClockStore {
  status(): Promise<ClockStatus>;
  /** An operator says that the clock is right; a server beside this process takes it over within seconds. */
  confirm(): Promise<ClockStatus>;
}

export type ErasedBy = { readonly client: string } | { readonly key: string };

export interface ErasedSamples {
  readonly samples: number;
  readonly days: number;
  /** In quarantine, where nobody can tell whose they are; the browser's are erased if they are ever released. */
  readonly quarantined: number;
}

export interface QuarantinedChunk {
  readonly id: number;
  /** Of its samples, epoch ms, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly samples: number;
  /** Epoch ms. */
  readonly since: number;
  readonly reason: string;
}

/** Work in the background. None waits for another one to succeed. */
export type MaintenanceJob = 'rollup' | 'finalize' | 'prune' | 'quarantine' | 'log' | 'clock';

/** The settings document is opaque here: `shared/settings` validates it before it is written. */
export interface SettingsStore {
  /** The newest revision, the same object until there is a newer one; null before the first was written. */
  read(): Promise<StoredSettings | null>;
  /**
   * Writes a new revision if `expected` is still the newest (null: if there is none yet), and returns it; returns
   * null where somebody else was faster. Earlier revisions are kept.
   */
  write(document: unknown, expected: number | null, at: number, author?: string): Promise<StoredSettings | null>;
  /** The newest revisions first, at most `limit`, without their documents. */
  history(limit: number): Promise<readonly SettingsRevision[]>;
  /** null where there is no such revision. */
  readRevision(revision: number): Promise<StoredSettings | null>;
}

export interface SettingsRevision {
  readonly revision: number;
  readonly at: number;
  /** The label of a token, or `command line`; empty where it was not kept. */
  readonly author: string;
}

export interface StoredSettings {
  readonly revision: number;
  readonly at: number;
  readonly document: unknown;
}

export const ROLES = ['ingest', 'read', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Tokens are kept as SHA-256 only; the token itself is shown once, by the one who made it. */
export interface TokenStore {
  create(token: StoredToken): Promise<void>;
  findByHash(hash: string): Promise<StoredToken | null>;
  list(): Promise<readonly StoredToken[]>;
  /** True if there was such a token. */
  revoke(id: string): Promise<boolean>;
}

export interface StoredToken {
  readonly id: string;
  readonly role: Role;
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string;
  readonly createdAt: number;
  readonly label: string;
}

/** What work in the background has to know after a restart, such as which alerts are on. Small JSON values by name. */
export interface KeyValueState {
  /** null where nothing was written yet. */
  read(name: string): Promise<unknown>;
  write(name: string, value: unknown): Promise<void>;
}

/** Who is signed in with a browser. Both hashes are SHA-256, hexadecimal: of the cookie's id and of the token. */
export interface SessionStore {
  /** Resolves once the session is stored. Forgets those that have ended at `now`. Times in epoch ms. */
  open(hash: string, tokenHash: string, until: number, now: number): Promise<void>;
  /**
   * The token's hash; null where there is no such session at `now` (epoch ms) any more, or it would last beyond `latest`:
   * then it was opened by a clock that ran ahead.
   */
  find(hash: string, now: number, latest: number): Promise<string | null>;
  close(hash: string, now: number): Promise<void>;
}

/** What a browser last said of itself. */
export interface StoredBrowser {
  readonly client: string;
  readonly site: string;
  readonly browser: ClientInfo['browser'];
  readonly browserVersion: string;
  readonly extensionVersion: string;
  /** When the collector first and last heard of it, epoch ms. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Of its last batch, ms. */
  readonly clockCorrection: number;
  /** null where it never said. */
  readonly status: Omit<BrowserStatus, 'turns'> | null;
}

export interface StoredProbeRun extends ProbeRun {
  readonly client: string;
  readonly site: string;
}
