import type { TimeRange } from '../../shared/summary/dimensions.ts';
import { currentSettings } from '../store/current-settings.ts';
import { NEWCOMER_MS } from '../store/newcomer.ts';
import type { FoldRule } from '../store/query/small-groups.ts';
import { DAY_MS } from '../store/rollup/time-buckets.ts';
import type { Role, Store, Watch } from '../store/store.ts';

/** Behind fewer browsers than this a person could be told. */
export const FOLD_BELOW_BROWSERS = 5;
/** Unless the settings say otherwise, folding is on from so many browsers: below, nothing would be left to see. */
export const FOLD_FROM_BROWSERS = 20;
/** Browsers are counted over this time before now as well as over the range, so that a short range can't turn it off. */
const FLEET_DAYS_MS = 7 * DAY_MS;
/**
 * Every browser takes a new number on the first of the month (UTC). Those first heard of on these days count at once: until
 * most people are back. After 1 January 2026, a Thursday with a weekend behind it, that was Monday the 5th.
 */
const RENUMBERED_MS = 5 * DAY_MS;
/** A fleet grows slowly; counting it for every question would cost as much as the question. */
const FLEET_KEPT_MS = 60_000;

export interface Audience {
  readonly role: Role;
  /** Epoch ms. */
  readonly now: number;
}

/** A command beside the data. */
export const EVERYTHING: Audience = { role: 'admin', now: 0 };

const SHOW_ALL: FoldRule = { foldBelow: 0, freshSince: null };

/** Which groups an audience may see. Everything that answers viewers asks here. */
export async function foldRuleFor(
  store: Store,
  { role, now }: Audience,
  range: TimeRange,
  { signal, token }: Watch = {},
): Promise<FoldRule> {
  if (role === 'admin') return SHOW_ALL;
  const { settings } = await currentSettings(store.settings);
  const wanted = settings.privacy?.foldSmallGroups;
  if (wanted === false) return SHOW_ALL;
  const watch: Watch = { signal, token };
  const fleet = await fleetAt(store, now, watch);
  const folds =
    wanted === true ||
    fleet.size >= FOLD_FROM_BROWSERS ||
    (await store.samples.compute('browsers', { range }, watch)) >= FOLD_FROM_BROWSERS;
  return folds ? { foldBelow: FOLD_BELOW_BROWSERS, freshSince: fleet.freshSince } : SHOW_ALL;
}

interface Fleet {
  readonly size: number;
  /** null while all browsers count. */
  readonly freshSince: number | null;
}

const known = new WeakMap<Store, Fleet & { readonly at: number }>();

async function fleetAt(store: Store, now: number, watch: Watch): Promise<Fleet> {
  const before = known.get(store);
  if (before !== undefined && Math.abs(now - before.at) < FLEET_KEPT_MS) return before;
  const [size, freshSince] = await Promise.all([
    store.samples.compute('browsers', { range: { from: now - FLEET_DAYS_MS, to: now } }, watch),
    freshSinceAt(store, now, watch),
  ]);
  const fleet = { at: now, size, freshSince };
  known.set(store, fleet);
  return fleet;
}

/** null where too few browsers are known long enough: in a pilot's first days nothing would be left to see. */
async function freshSinceAt(store: Store, now: number, watch: Watch): Promise<number | null> {
  const month = new Date(now);
  const monthStart = Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  const since = Math.max(now - NEWCOMER_MS, monthStart + RENUMBERED_MS);
  if (since >= now) return null;
  const established = await store.samples.compute('firstHeard', { range: { from: monthStart, to: since } }, watch);
  return established >= FOLD_FROM_BROWSERS ? since : null;
}
