import type { TimeRange } from '../../shared/summary/dimensions.ts';
import { currentSettings } from '../store/current-settings.ts';
import type { Role, Store, Watch } from '../store/store.ts';

/** Behind fewer browsers than this a person could be told. */
export const FOLD_BELOW_BROWSERS = 5;
/** Unless the settings say otherwise, folding is on from so many browsers: below, nothing would be left to see. */
export const FOLD_FROM_BROWSERS = 20;
/** Browsers are counted over this time before now as well as over the range, so that a short range can't turn it off. */
const FLEET_DAYS_MS = 7 * 24 * 3_600_000;
/** A fleet grows slowly; counting it for every question would cost as much as the question. */
const FLEET_KEPT_MS = 60_000;

export interface Audience {
  readonly role: Role;
  /** Epoch ms. */
  readonly now: number;
}

/** A command beside the data. */
export const EVERYTHING: Audience = { role: 'admin', now: 0 };

/** Groups of fewer browsers are not shown by themselves; 0 shows all. */
export async function foldBelowFor(
  store: Store,
  { role, now }: Audience,
  range: TimeRange,
  { signal, token }: Watch = {},
): Promise<number> {
  if (role === 'admin') return 0;
  const { settings } = await currentSettings(store.settings);
  const wanted = settings.privacy?.foldSmallGroups;
  if (wanted !== undefined) return wanted ? FOLD_BELOW_BROWSERS : 0;
  const watch: Watch = { signal, token };
  const recent = { from: now - FLEET_DAYS_MS, to: now };
  const large = (await fleetSize(store, recent, now, watch)) >= FOLD_FROM_BROWSERS;
  return large || (await countBrowsers(store, range, watch)) >= FOLD_FROM_BROWSERS ? FOLD_BELOW_BROWSERS : 0;
}

const known = new WeakMap<Store, { readonly at: number; readonly size: number }>();

async function fleetSize(store: Store, range: TimeRange, now: number, watch: Watch): Promise<number> {
  const before = known.get(store);
  if (before !== undefined && Math.abs(now - before.at) < FLEET_KEPT_MS) return before.size;
  const size = await countBrowsers(store, range, watch);
  known.set(store, { at: now, size });
  return size;
}

function countBrowsers(store: Store, range: TimeRange, watch: Watch): Promise<number> {
  return store.samples.compute('browsers', { range }, watch);
}
