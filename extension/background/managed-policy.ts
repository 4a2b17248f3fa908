import type { KeyValueStorage } from './state-store.ts';

export interface ManagedPolicySources {
  /** storage.managed; throws in Firefox where no policy is set. */
  readonly managed: Pick<KeyValueStorage, 'get'>;
  readonly local: KeyValueStorage;
  /** In storage.session, which ends with the browser rather than with the background. */
  readonly session: KeyValueStorage;
  /** Epoch ms. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

type Policy = Record<string, unknown>;

/** In `local`: the policy as last read. */
const CACHE = 'policy';
/** In `session`: since when the browser has reported no policy, epoch ms. */
const EMPTY_SINCE = 'policyEmptySince';
/** Chromium has been seen to report none for up to four seconds after a start. */
const BELIEVED_AFTER_MS = 60_000;
/** Wait for an answer if an earlier policy is known. Chromium has been seen to take 14 seconds for its first answer. */
const PATIENCE_MS = 2_000;
/** Wait if none is known. Without this limit, a missing answer would keep the background from ever fetching settings. */
const LONGEST_MS = 30_000;

/**
 * The administrator's policy, with the keys of managed-schema.json; empty if there is none. Never throws. Chromium reads it
 * late after a start and reports `{}` until then. During that time the last known policy applies, or a browser would be
 * enrolled again, or not at all, each morning.
 */
export function managedPolicy(sources: ManagedPolicySources): Pick<KeyValueStorage, 'get'> {
  return {
    async get(keys) {
      const policy = await read(sources);
      if (keys === null) return policy;
      return keys in policy ? { [keys]: policy[keys] } : {};
    },
  };
}

/** A robot's page reads these itself, so that they are never on disk. */
function withoutSecrets({ variables: _, authorization: __, ...policy }: Policy): Policy {
  return policy;
}

async function read({ managed, local, session, now, sleep }: ManagedPolicySources): Promise<Policy> {
  const asked = managed.get(null).catch(() => null); // Firefox throws where there is definitely none
  const cached = (await local.get(CACHE))[CACHE] as Policy | undefined;
  const [patience, meanwhile] = cached === undefined ? [LONGEST_MS, {}] : [PATIENCE_MS, cached];
  const found = await Promise.race([asked, sleep(patience).then(() => meanwhile)]);
  const policy = found && withoutSecrets(found);
  if (policy !== null && Object.keys(policy).length > 0) {
    if (JSON.stringify(policy) !== JSON.stringify(cached)) await local.set({ [CACHE]: policy });
    await session.remove(EMPTY_SINCE);
    return policy;
  }
  if (cached === undefined) return {};
  if (policy !== null) {
    const since = (await session.get(EMPTY_SINCE))[EMPTY_SINCE];
    if (typeof since !== 'number') {
      await session.set({ [EMPTY_SINCE]: now() });
      return cached;
    }
    const ago = now() - since;
    if (ago >= 0 && ago < BELIEVED_AFTER_MS) return cached;
  }
  await local.remove(CACHE);
  return {};
}
