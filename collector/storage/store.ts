import type { StoredSample } from '../../shared/sample/sample.ts';
import type { SampleColumns } from '../../shared/sample/sample-columns.ts';
import type { Retention } from '../../shared/settings/read-retention.ts';
import type { Distribution } from '../../shared/statistics/distribution.ts';
import type { AggregateQuery, CellKey, SampleQuery } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../shared/vocabulary/time-names.ts';
import type { CellAggregate } from '../reductions/cell-aggregate.ts';
import type { ClickHouseAddress } from './clickhouse/clickhouse-address.ts';
import type { ClockStatus } from './clock-watch.ts';
import type { AcceptedBatch, Ingestion } from './ingestion.ts';
import type { Reading } from './passes/reading-source.ts';

export type { ClickHouseAddress };

export interface StoreOptions {
  readonly folder: string;
  /** Creates a missing folder; if false, a missing folder is an error. True by default. */
  readonly create?: boolean;
  /** `server` locks the folder against other servers and keeps rollups up to date; `command` may run alongside one. */
  readonly as: 'server' | 'command';
  /** Address of a PostgreSQL database that holds the control data of several collectors; by default the folder does. */
  readonly control?: string | undefined;
  /** A script that calls `runStoreThread`, for long reads. null runs them in the calling thread, as commands do. */
  readonly threadScript?: URL | null;
  /** Where samples are forwarded to and read from; null keeps them in `folder`. The folder remembers it. */
  readonly samples?: ClickHouseAddress | null;
  /** For ClickHouse, if the folder names it: a command need not be told where a server keeps samples. */
  readonly samplesPassword?: string | undefined;
  /** Reaching this size is treated like a full disk. null is limited by the disk alone. */
  readonly maxBytes?: number | null;
  /** Called with each failure in the background and the work that failed, which will be retried. */
  readonly onMaintenanceError?: (error: unknown, job: MaintenanceJob) => void;
  /** Called with one sentence for the operator, for example that the clock jumped. */
  readonly onNotice?: (text: string) => void;
  /** Epoch ms; the system clock by default. */
  readonly clock?: () => number;
  /** Monotonic time, ms; `performance.now` by default. */
  readonly monotonic?: () => number;
}

/** In bytes. */
export interface FreeSpace {
  /** How much can still be stored, including free space inside the store's files. */
  readonly bytes: number;
  /** Disk space left once the log has been copied into the database. */
  readonly onDisk: number;
  /** Size of the disk, or of the part of it that the store may use. */
  readonly size: number;
}

/**
 * The interface between the collector and its storage engine. All methods are asynchronous, because an engine may be a
 * server. A method does what it says or throws a StoreError; it never logs an error and continues. One conformance suite
 * (tests/collector/store-conformance.ts) runs against every engine.
 */
export interface Store extends ControlStore {
  readonly samples: SampleStore;
  readonly maintenance: StoreMaintenance;
  readonly clock: ClockStore;
  /** Resolves if the store can read and write now; throws a StoreError otherwise. */
  ready(): Promise<void>;
  /** Finishes running work, then releases files and locks. Idempotent. */
  close(): Promise<void>;
}

/** What several collectors share, or one keeps in its data folder. */
export interface ControlStore {
  readonly settings: SettingsStore;
  readonly tokens: TokenStore;
  readonly views: ViewStore;
  readonly annotations: AnnotationStore;
  readonly sessions: SessionStore;
  readonly keyValues: KeyValueState;
  readonly leadership: Leadership;
  /** null if the data folder holds it. */
  controlStatus(): ControlStatus | null;
}

/** Of a database that collectors share. */
export interface ControlStatus {
  /** Since when it has been unreachable, epoch ms; null while it is reachable. */
  readonly awaySince: number | null;
  /** Whether this collector runs what must run on one collector only. */
  readonly leads: boolean;
}

export interface SampleStore {
  /**
   * Stores all batches in one transaction and resolves when they would survive a power cut. A batch whose id is already
   * stored, or occurs twice in one call, is `duplicate`, and its rows are stored only once. If this throws, no batch is
   * stored.
   */
  append(batches: readonly AcceptedBatch[]): Promise<readonly AppendOutcome[]>;
  /**
   * Runs an ingestion where the store writes, in a server off the event loop. Appended batches are durable when this
   * resolves. Throws a StoreError; then nothing is stored.
   */
  ingest<B, O>(ingestion: Ingestion<B, O>, bodies: B): Promise<O>;
  /** Groups the samples of the range. Order: by key. */
  aggregate(query: AggregateQuery, options?: QueryOptions): Promise<AggregateAnswer>;
  /** Only one time, at a fraction of the cost. Groups without a value of it are omitted. Order: by key. */
  distributions(query: DistributionQuery, options?: QueryOptions): Promise<DistributionAnswer>;
  /** Runs a reading where the data are, in a server off the event loop. Throws a StoreError, or the signal's reason. */
  read<Q, A>(reading: Reading<Q, A>, question: Q, options?: RequestOptions): Promise<A>;
  /** All samples of the range that pass the filters, oldest first, in blocks of at most 5,000. */
  scan(query: SampleQuery): AsyncIterable<readonly StoredSample[]>;
  /** The same samples as columns, in non-empty blocks of a few thousand: for reading very many, as an export does. */
  scanColumns(query: SampleQuery): AsyncIterable<SampleColumns>;
}

export interface AppendOutcome {
  readonly id: string;
  readonly duplicate: boolean;
}

export interface RequestOptions {
  /** Aborting it rejects with its reason and ends the work soon. */
  readonly signal?: AbortSignal | undefined;
  /** Called periodically with the share of the samples read so far, 0…1, never decreasing; not for quick reads. */
  readonly progress?: ((part: number) => void) | undefined;
  /** Id of the requesting token: waiting requests take turns by token. Undefined for the collector itself. */
  readonly token?: string | undefined;
}

export interface QueryOptions extends Pick<RequestOptions, 'signal' | 'token'> {
  /** Reads every value; otherwise an engine may answer from sketches, within `bound`. */
  readonly exact?: boolean;
}

export interface DistributionQuery extends AggregateQuery {
  readonly time: SummaryTime;
}

export interface AnswerMethod {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 of what identifies the samples of the range: equal for equal samples, in whatever order they arrived. */
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

/** Work that keeps answers fast and enforces retention. A server does it on its own, tests and commands on demand. */
export interface StoreMaintenance {
  /** Brings every rollup up to date with the samples appended so far. */
  rollUp(): Promise<void>;
  /** Finishes days and months that are over at `now` (epoch ms): coarse rollups, exact values, large chunks. */
  finalize(now: number): Promise<void>;
  /**
   * Removes expired data and releases its space: at most the oldest non-empty day of each resolution and the oldest
   * month, so that a mistake costs little and is noticed. Removes nothing while the clock is in doubt.
   */
  prune(now: number, retention: Retention): Promise<void>;
  /**
   * Removes all samples of one browser, or of one ingest key, and recomputes everything derived from them. `progress` gets
   * the part of the days that is done.
   */
  erase(whose: ErasedBy, options?: Pick<RequestOptions, 'progress'>): Promise<ErasedSamples>;
  /** Samples before this time (epoch ms) were removed because of their age; 0 if none ever were. */
  keptFrom(): Promise<number>;
  /** Writes a consistent copy of everything while the store is in use. Refuses an existing file. */
  backup(file: string): Promise<void>;
  /** All faults of the stored data, in words. */
  check(): Promise<readonly string[]>;
  /** Rebuilds the rollups of days that don't match their samples. Returns these days, such as 2026-02-26. */
  repair(): Promise<readonly string[]>;
  /** Chunks that were set aside because they can't be processed. No answer that reads samples includes theirs. */
  quarantine(): Promise<readonly QuarantinedChunk[]>;
  /** Samples that wait to be forwarded, which no answer has yet; null where samples stay in the data folder. */
  backlog(): Promise<Backlog | null>;
  /** null if the engine doesn't know. */
  freeSpace(): Promise<FreeSpace | null>;
  /** Bytes by content. */
  sizes(): Promise<Readonly<Record<'chunks' | 'hour' | 'day' | 'month' | 'exact' | 'total', number>>>;
}

export interface Backlog {
  readonly samples: number;
  readonly bytes: number;
  /** Time of the oldest of them, epoch ms; null if none waits. */
  readonly oldest: number | null;
}

/** Whether the collector's clock is trusted: see clock-watch.ts. */
export interface ClockStore {
  status(): Promise<ClockStatus>;
  /** An operator confirms the clock; a server running alongside this process adopts that within seconds. */
  confirm(): Promise<ClockStatus>;
}

export type ErasedBy = { readonly client: string } | { readonly key: string };

export interface ErasedSamples {
  readonly samples: number;
  readonly days: number;
  /** Samples in quarantine, whose browser is unknown; the erased browser's are removed if they are ever released. */
  readonly quarantined: number;
}

export interface QuarantinedChunk {
  readonly id: number;
  /** Times of its samples, epoch ms, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly samples: number;
  /** Epoch ms. */
  readonly since: number;
  readonly reason: string;
}

/** Background work. No job depends on the success of another. */
export type MaintenanceJob = 'rollup' | 'forward' | 'finalize' | 'prune' | 'quarantine' | 'log' | 'clock';

/** The settings document is opaque here; `shared/settings` validates it before it is written. */
export interface SettingsStore {
  /** The newest revision, the same object until there is a newer one; null before the first write. */
  read(): Promise<StoredSettings | null>;
  /**
   * Writes a new revision if `expected` is still the newest (null: if there is none yet) and returns it; returns null if
   * another write came first. Earlier revisions are kept.
   */
  write(document: unknown, expected: number | null, at: number, author?: string): Promise<StoredSettings | null>;
  /** The newest revisions first, at most `limit`, without their documents. */
  history(limit: number): Promise<readonly SettingsRevision[]>;
  /** null if there is no such revision. */
  readRevision(revision: number): Promise<StoredSettings | null>;
}

export interface SettingsRevision {
  readonly revision: number;
  readonly at: number;
  /** The label of a token, or `command line`; empty if unknown. */
  readonly author: string;
}

export interface StoredSettings {
  readonly revision: number;
  readonly at: number;
  readonly document: unknown;
}

export const ROLES = ['ingest', 'read', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Tokens are stored as SHA-256 only; the token itself is shown once, when it is created. */
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

/** More than anyone would look through. */
export const MAX_SAVED_VIEWS = 200;

/** Named views of the dashboard. */
export interface ViewStore {
  /** By name. */
  list(): Promise<readonly SavedView[]>;
  /**
   * Adds a view, or replaces the one with its id. Writes nothing if another view has the name, in whatever case (ASCII), or
   * if there are MAX_SAVED_VIEWS others.
   */
  write(view: SavedView): Promise<'written' | 'name_taken' | 'full'>;
  /** True if there was such a view. */
  remove(id: string): Promise<boolean>;
}

export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** Query string of the dashboard's address. */
  readonly query: string;
  /** Epoch ms. */
  readonly at: number;
  /** The label of a token. */
  readonly author: string;
}

/** Several for each day of a year. */
export const MAX_ANNOTATIONS = 1000;

/** Notes at moments, such as a release, that explain a change. */
export interface AnnotationStore {
  /** Those that touch the range, in order of time. @param to exclusive; null leaves that end open */
  list(range: { readonly from: number | null; readonly to: number | null }): Promise<readonly Annotation[]>;
  /** Writes nothing if there are MAX_ANNOTATIONS already. */
  add(annotation: Annotation): Promise<'written' | 'full'>;
  /** True if there was such an annotation. */
  remove(id: string): Promise<boolean>;
}

export interface Annotation {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  /** Epoch ms, later than `at`; null for a moment. */
  readonly until: number | null;
  readonly text: string;
  /** The app that it is about; null for all. */
  readonly target: string | null;
  /** The host that it is about; null for all. */
  readonly host: string | null;
  /** The label of a token, or `command line`. */
  readonly author: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** State of background work that survives a restart, such as active alerts. Small JSON values by name. */
export interface KeyValueState {
  /** null before the first write. */
  read(name: string): Promise<unknown>;
  write(name: string, value: unknown): Promise<void>;
  /** Replaces the value by what `change` makes of it; nothing else is written in between. `change` may run again. */
  update(name: string, change: (value: unknown) => unknown): Promise<void>;
}

/** Which of several collectors does what must be done once: alerts and scheduled reports. */
export interface Leadership {
  /**
   * Runs `work` if this collector leads, otherwise resolves to null. Writes to `state`, which is the same object as long as
   * this collector leads without a break, fail once another collector may lead.
   */
  lead<T>(work: (state: KeyValueState) => Promise<T>): Promise<T | null>;
}

/** Per token, which a team may share. Beyond this the token's oldest session is ended. */
export const MAX_SESSIONS_OF_TOKEN = 500;
/** Across all tokens. Beyond this the oldest session of the token with the most sessions is ended. */
export const MAX_SESSIONS = 10_000;

/** Sign-ins from browsers. Both hashes are SHA-256, hexadecimal: of the cookie's id and of the token. */
export interface SessionStore {
  /** Resolves once the session is stored. Removes sessions that have ended at `now`. Times in epoch ms. */
  open(hash: string, tokenHash: string, until: number, now: number): Promise<void>;
  /**
   * The token's hash; null if there is no such session at `now` (epoch ms), or if it would last beyond `latest`: then it
   * was opened by a clock that ran ahead.
   */
  find(hash: string, now: number, latest: number): Promise<string | null>;
  close(hash: string, now: number): Promise<void>;
}
