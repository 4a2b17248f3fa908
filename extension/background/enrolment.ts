import { isSiteLabel } from '../../shared/vocabulary/client-fields.ts';
import type { KeyValueStorage } from './state-store.ts';

/** A package without enrolment and a browser too busy to read it fail in the same way, so reading is retried. */
const ATTEMPTS = 3;
const RETRY_MS = 500;

/** Which collector this browser belongs to, and where that was configured. */
export interface Enrolment {
  /** Origin and path prefix without a trailing slash. */
  readonly collector: string;
  readonly key: string;
  readonly site: string;
  readonly source: 'policy' | 'user' | 'package';
}

export interface EnrolmentSources {
  /** storage.managed, or `managedPolicy` around it; storage.managed throws in Firefox where no policy is set. */
  readonly managed: Pick<KeyValueStorage, 'get'>;
  readonly local: Pick<KeyValueStorage, 'get'>;
  /** enrolment.json of the package; null if there is none. */
  readonly packaged: () => Promise<unknown>;
}

/**
 * The administrator's policy takes precedence over what a user entered, and that over what the package contains. Collector
 * and key belong together and are never mixed; a policy may set only the site.
 */
export async function readEnrolment(sources: EnrolmentSources): Promise<Enrolment | null> {
  const managed = await sources.managed.get(null).catch((): Record<string, unknown> => ({}));
  const fromPolicy = complete(managed, 'policy');
  if (fromPolicy) return fromPolicy;
  const { enrolment } = await sources.local.get('enrolment');
  const other = complete(enrolment, 'user') ?? complete(await sources.packaged(), 'package');
  const { site } = managed;
  return other && readSite(site) !== '' ? { ...other, site: readSite(site) } : other;
}

function complete(value: unknown, source: Enrolment['source']): Enrolment | null {
  if (typeof value !== 'object' || value === null) return null;
  const { collector, key, site } = value as Record<string, unknown>;
  if (typeof collector !== 'string' || typeof key !== 'string' || key === '') return null;
  if (!/^https?:\/\//.test(collector)) return null;
  return { collector: collector.replace(/\/+$/, ''), key, site: readSite(site), source };
}

/** Collectors refuse a batch with another label. */
function readSite(site: unknown): string {
  return typeof site === 'string' && isSiteLabel(site) ? site : '';
}

export interface PackageDeps {
  /** Reads the package's enrolment.json; throws if there is none. */
  readonly read: () => Promise<unknown>;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * The package's enrolment; null if it has none. A package does not change while its background runs, so a result is cached.
 * Retries with waiting happen once; later calls make a single attempt each.
 */
export function packagedEnrolment({ read, sleep }: PackageDeps): () => Promise<unknown> {
  let known: unknown = null;
  let first: Promise<unknown> | null = null;

  async function readFirst(): Promise<unknown> {
    for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
      const found = await read().catch(() => null);
      if (found !== null) return found;
      await sleep(RETRY_MS);
    }
    return null;
  }

  return async () => {
    first ??= readFirst();
    known ??= (await first) ?? (await read().catch(() => null));
    return known;
  };
}
