import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { NEWCOMER_MS } from '../../storage/ingestion.ts';
import { bucketOf, bucketStart, DAY_MS } from '../../storage/rollups/resolutions.ts';
import type { RequestOptions, Role, Store } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { reading } from '../computations.ts';
import type { FoldRule } from '../viewer/small-groups.ts';

/** Behind fewer browsers than this a person could be told. */
export const FOLD_BELOW_BROWSERS = 5;
/** Unless the settings say otherwise, folding is on once a calendar month had so many: in a smaller fleet nothing is left to see. */
export const FOLD_FROM_BROWSERS = 20;
/** Under this name the store keeps that the fleet was once so large. */
const ONCE_LARGE = 'foldSmallGroups';
/** Older months are not looked at. */
const MAX_MONTHS = 60;
/** Samples may be a week late, so the month before the newest one may still grow. */
const GROWING_MONTHS = 2;
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
  { signal, token }: RequestOptions = {},
): Promise<FoldRule> {
  if (role === 'admin') return SHOW_ALL;
  const { settings } = await currentSettings(store.settings);
  const wanted = settings.privacy?.foldSmallGroups;
  if (wanted === false) return SHOW_ALL;
  const watch: RequestOptions = { signal, token };
  const fleet = await fleetAt(store, now, watch);
  const folds =
    wanted === true ||
    fleet.onceLarge ||
    (await store.samples.read(reading('browsers'), { range }, watch)) >= FOLD_FROM_BROWSERS;
  return folds ? { foldBelow: FOLD_BELOW_BROWSERS, freshSince: fleet.freshSince } : SHOW_ALL;
}

interface Fleet {
  /** Stays true: a quiet week, a wrong clock or an erased month must not show viewers what they could not see before. */
  readonly onceLarge: boolean;
  /** null while all browsers count. */
  readonly freshSince: number | null;
}

const known = new WeakMap<Store, Fleet & { readonly at: number }>();

async function fleetAt(store: Store, now: number, watch: RequestOptions): Promise<Fleet> {
  const before = known.get(store);
  if (before !== undefined && Math.abs(now - before.at) < FLEET_KEPT_MS) return before;
  const [onceLarge, freshSince] = await Promise.all([
    before?.onceLarge || wasOnceLarge(store, before === undefined ? MAX_MONTHS : GROWING_MONTHS, watch),
    freshSinceAt(store, now, watch),
  ]);
  const fleet = { at: now, onceLarge, freshSince };
  known.set(store, fleet);
  return fleet;
}

/** Asks what is stored, not the clock. Browsers change their numbers each month, so months are counted one by one. */
async function wasOnceLarge(store: Store, months: number, watch: RequestOptions): Promise<boolean> {
  if ((await store.keyValues.read(ONCE_LARGE)) !== null) return true;
  const kept = await store.samples.read(reading('kept'), {}, watch);
  if (kept === null) return false;
  const newest = bucketOf('month', kept.to - 1);
  const oldest = Math.max(newest - months + 1, bucketOf('month', kept.from));
  for (let month = newest; month >= oldest; month--) {
    const range = { from: bucketStart('month', month), to: bucketStart('month', month + 1) };
    const browsers = await store.samples.read(reading('browsers'), { range }, watch);
    if (browsers < FOLD_FROM_BROWSERS) continue;
    await keepOnceLarge(store, { month: new Date(range.from).toISOString().slice(0, 7), browsers });
    return true;
  }
  return false;
}

async function keepOnceLarge(
  store: Store,
  found: { readonly month: string; readonly browsers: number },
): Promise<void> {
  try {
    await store.keyValues.write(ONCE_LARGE, found);
  } catch (error) {
    // A question must not fail because the disk is full. This process remembers it; the next one counts again.
    if (!(error instanceof StoreError)) throw error;
  }
}

/** null where too few browsers are known long enough: in a pilot's first days nothing would be left to see. */
async function freshSinceAt(store: Store, now: number, watch: RequestOptions): Promise<number | null> {
  const month = new Date(now);
  const monthStart = Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  const since = Math.max(now - NEWCOMER_MS, monthStart + RENUMBERED_MS);
  if (since >= now) return null;
  const established = await store.samples.read(
    reading('firstHeard'),
    { range: { from: monthStart, to: since } },
    watch,
  );
  return established >= FOLD_FROM_BROWSERS ? since : null;
}
