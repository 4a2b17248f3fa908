import type { ControlCopy, ControlCopyData } from '../local-store.ts';
import type { ControlStore, StoredSettings, StoredToken } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { ControlLink, ControlVersions } from './control-link.ts';

/** How often a server looks for changes by others, ms. */
const POLL_EVERY_MS = 1000;
/** How long tokens are accepted without having seen the control database, in which they may have been revoked, ms. */
const COPY_VALID_MS = 24 * 3_600_000;

export interface ControlWatchDeps {
  readonly link: ControlLink;
  /** The control database itself. */
  readonly source: Pick<ControlStore, 'settings' | 'tokens'>;
  readonly copy: ControlCopy;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly monotonic: () => number;
  /** Called with one sentence for the operator. */
  readonly notice: (text: string) => void;
}

/** Settings and tokens of a shared control database, followed by a copy with which batches are accepted while it is away. */
export interface ControlWatch {
  /** Stays the same object until there is a newer revision. */
  settings(): StoredSettings | null;
  /** Throws a StoreError if the token may have been revoked more than COPY_VALID_MS ago, or created while it is away. */
  token(hash: string): Promise<StoredToken | null>;
  tokens(): readonly StoredToken[];
  /** Resolves once the copy has everything that was written before the call. Throws a StoreError. */
  refresh(): Promise<void>;
  /** Epoch ms; null while it is reachable. */
  awaySince(): number | null;
  stop(): Promise<void>;
}

/** Throws a StoreError if there is neither a control database nor a copy of it. */
export async function watchControl(deps: ControlWatchDeps): Promise<ControlWatch> {
  const { link, source, copy, clock, monotonic, notice } = deps;
  let known: ControlCopyData | null = copy.read();
  let byHash = tokensByHash(known);
  /** What `known` has; null before the first poll. */
  let versions: ControlVersions | null = null;
  let away: { readonly since: number; readonly error: StoreError } | null = null;
  let seenAt = monotonic();
  let led = false;
  let underWay: Promise<unknown> = Promise.resolve();
  /** The poll that will begin after the current one; null if none is asked for. */
  let next: Promise<void> | null = null;

  async function follow(newest: ControlVersions): Promise<void> {
    if (versions?.settings === newest.settings && versions.tokens === newest.tokens) return;
    const [settings, tokens] = await Promise.all([source.settings.read(), source.tokens.list()]);
    known = { settings, tokens };
    byHash = tokensByHash(known);
    copy.write(known);
    versions = newest;
  }

  async function poll(): Promise<void> {
    next = null;
    try {
      await follow(await link.poll());
      seenAt = monotonic();
      if (away !== null) notice('the control database can be reached again');
      away = null;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (away === null) notice(`${error.message}: ${UNTIL_THEN}`);
      away = { since: away?.since ?? clock(), error };
      throw error;
    } finally {
      const leads = link.leading() !== null;
      if (leads !== led) notice(leads ? LEADS : LEADS_NO_MORE);
      led = leads;
    }
  }

  function refresh(): Promise<void> {
    if (next !== null) return next;
    const started = underWay.then(poll, poll);
    next = started;
    underWay = started;
    return started;
  }

  try {
    await refresh();
  } catch (error) {
    const canWait = error instanceof StoreError && error.code === 'control_unreachable';
    if (!canWait || known === null) {
      await link.close();
      throw error;
    }
  }
  const timer = setInterval(() => void refresh().catch(alreadyReported), POLL_EVERY_MS);
  timer.unref();

  return {
    settings: () => known?.settings ?? null,
    async token(hash) {
      if (away !== null && monotonic() - seenAt > COPY_VALID_MS) throw away.error;
      const token = byHash.get(hash);
      if (token !== undefined) return token;
      if (away !== null) throw away.error;
      await refresh();
      return byHash.get(hash) ?? null;
    },
    tokens: () => known?.tokens ?? [],
    refresh,
    awaySince: () => away?.since ?? null,
    async stop() {
      clearInterval(timer);
      await underWay.catch(alreadyReported);
      await link.close();
    },
  };
}

const UNTIL_THEN = 'batches are accepted with the settings and keys known so far, and nothing else can be changed';
const LEADS = 'this collector runs the alerts and scheduled reports';
const LEADS_NO_MORE = 'this collector no longer runs the alerts and scheduled reports';

function tokensByHash(data: ControlCopyData | null): ReadonlyMap<string, StoredToken> {
  return new Map(data?.tokens.map((token) => [token.hash, token]));
}

/** `poll` has told the operator, and the next one tries again. */
function alreadyReported(): void {}
