/** A package that brings no enrolment and a browser too busy to read it fail alike: it is tried so often, and so far apart. */
const ATTEMPTS = 3;
const RETRY_MS = 500;

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
