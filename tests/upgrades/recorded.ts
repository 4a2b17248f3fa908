import type { ExtensionStatus } from './profile-browser.ts';

/** By question; null where the release has no such route. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Keys {
  readonly admin: string;
  readonly read: string;
  readonly ingest: string;
}

/** recorded.json.br beside a data folder. */
export interface RecordedFolder {
  /** What the clock said when it was asked, RFC 3339. */
  readonly now: string;
  readonly keys: Keys;
  /** What `lastbyte check --json` printed. */
  readonly check: unknown;
  readonly answers: Answers;
}

/** recorded.json.br beside an extension's storage. */
export interface RecordedProfile {
  /** When the browser ended, RFC 3339. */
  readonly now: string;
  /** What the extension may measure. */
  readonly match: string;
  /** A token of the collector whose data folder was recorded too. */
  readonly admin: string;
  /** What the extension said of itself last. */
  readonly status: ExtensionStatus;
  /** Of all its samples, each of which there is once. */
  readonly templates: readonly string[];
}
