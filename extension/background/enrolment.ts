import type { KeyValueStorage } from './local-state.ts';

/** A package that brings no enrolment and a browser too busy to read it fail alike: it is tried so often, and so far apart. */
const ATTEMPTS = 3;
const RETRY_MS = 500;

/** Which collector this browser belongs to, and who said so. */
export interface Enrolment {
  /** Origin and path prefix without a slash at its end. */
  readonly collector: string;
  readonly key: string;
  readonly site: string;
  readonly source: 'policy' | 'user' | 'package';
}

export interface EnrolmentSources {
  /** storage.managed, or `managedPolicy` around it; storage.managed throws in Firefox where no policy is set. */
  readonly managed: Pick<KeyValueStorage, 'get'>;
  readonly local: Pick<KeyValueStorage, 'get'>;
  /** enrolment.json of the package; null where there is none. */
  readonly packaged: () => Promise<unknown>;
}

/**
 * The administrator's policy wins over what a user typed in, and that over what the package brings along. Collector and
 * key belong together and are never mixed; a policy may name the site alone.
 */
export async function readEnrolment(sources: EnrolmentSources): Promise<Enrolment | null> {
  const managed = await sources.managed.get(null).catch((): Record<string, unknown> => ({}));
  const fromPolicy = complete(managed, 'policy');
  if (fromPolicy) return fromPolicy;
  const { enrolment } = await sources.local.get('enrolment');
  const other = complete(enrolment, 'user') ?? complete(await sources.packaged(), 'package');
  const { site } = managed;
  return other && typeof site === 'string' && site !== '' ? { ...other, site } : other;
}

function complete(value: unknown, source: Enrolment['source']): Enrolment | null {
  if (typeof value !== 'object' || value === null) return null;
  const { collector, key, site } = value as Record<string, unknown>;
  if (typeof collector !== 'string' || typeof key !== 'string' || key === '') return null;
  if (!/^https?:\/\//.test(collector)) return null;
  return { collector: collector.replace(/\/+$/, ''), key, site: typeof site === 'string' ? site : '', source };
}

export interface PackageDeps {
  /** Reads enrolment.json of the package; throws where there is none. */
  readonly read: () => Promise<unknown>;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * What the package says of its collector, null where it says nothing. A package does not change while its background runs, so
 * what was read is kept; the wait for an answer happens once at most, and later calls try once more each.
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
