import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { NEWCOMER_MS } from '../storage/ingestion.ts';
import type { Reading } from '../storage/passes/reading-source.ts';
import type { RequestOptions, Role, Store } from '../storage/store.ts';
import { StoreError } from '../storage/store-error.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const DAY_MS = 24 * 3_600_000;

/** Fewer browsers than this could identify a person. */
export const MIN_GROUP_SIZE = 5;
/**
 * Unless the settings say otherwise, folding begins once a calendar month has had this many browsers: in a smaller
 * fleet it would leave nothing to see.
 */
export const FOLD_FROM_BROWSERS = 20;
/** Key in the store under which it is remembered that the fleet has reached this size. */
const REACHED_FOLDING_SIZE = 'foldSmallGroups';
/** Older months are not counted. */
const MAX_MONTHS = 60;
/** Samples may be a week late, so the month before the newest one may still grow. */
const GROWING_MONTHS = 2;
/**
 * Every browser takes a new number on the first of the month (UTC). Browsers first heard from in these days count at
 * once, until most people are back: after 1 January 2026, a Thursday before a weekend, that was Monday the 5th.
 */
const RENUMBERED_MS = 5 * DAY_MS;
/** A fleet grows slowly; counting it for every query would cost as much as the query. */
const FLEET_CACHED_MS = 60_000;

/** How many browsers sent samples in a range. */
const BROWSERS: Reading<{ readonly range: TimeRange }, number> = {
  name: 'browsers',
  takesLong: () => false,
  async read(source, { range }) {
    const pass = (await source.open(range, 'sketches')).reader().pass();
    const browsers = pass.browsers(pass.groups([], {}));
    await pass.run();
    return browsers.of(0).browsers;
  },
};

/** How many browsers were first heard from in a range. */
const FIRST_HEARD: Reading<{ readonly range: TimeRange }, number> = {
  name: 'firstHeard',
  takesLong: () => false,
  read: async ({ fleet }, { range }) => fleet.firstHeard(range),
};

/** From the first kept sample or rollup to the end of the newest; null if there is none. */
export const KEPT: Reading<Record<never, never>, TimeRange | null> = {
  name: 'kept',
  takesLong: () => false,
  read: (source) => source.kept(),
};

export const VIEWER_READINGS = [BROWSERS, FIRST_HEARD, KEPT] as const;

/** The recipient of an answer. */
export interface Viewer {
  readonly role: Role;
  /** Epoch ms. */
  readonly now: number;
}

/** A command on the machine that holds the data. */
export const SEES_EVERYTHING: Viewer = { role: 'admin', now: 0 };

const SHOW_ALL: ViewerRule = { minGroupSize: 0, freshSince: null };

/**
 * Which groups a viewer may see. Everything that answers viewers uses this.
 * @param settings current settings; read from the store by default
 */
export async function viewerRuleFor(
  store: Store,
  { role, now }: Viewer,
  range: TimeRange,
  { signal, token }: RequestOptions = {},
  settings = async (): Promise<Settings> => (await currentSettings(store.settings)).settings,
): Promise<ViewerRule> {
  if (role === 'admin') return SHOW_ALL;
  const wanted = (await settings()).privacy?.foldSmallGroups;
  if (wanted === false) return SHOW_ALL;
  const options: RequestOptions = { signal, token };
  const fleet = await fleetAt(store, now, options);
  const folds =
    wanted === true ||
    fleet.reachedFoldingSize ||
    (await store.samples.read(BROWSERS, { range }, options)) >= FOLD_FROM_BROWSERS;
  return folds ? { minGroupSize: MIN_GROUP_SIZE, freshSince: fleet.freshSince } : SHOW_ALL;
}

interface Fleet {
  /** Never reset: a quiet week, a wrong clock or an erased month must not show viewers what was hidden before. */
  readonly reachedFoldingSize: boolean;
  /** null while all browsers count. */
  readonly freshSince: number | null;
}

const cached = new WeakMap<Store, Fleet & { readonly at: number }>();

async function fleetAt(store: Store, now: number, options: RequestOptions): Promise<Fleet> {
  const before = cached.get(store);
  if (before !== undefined && Math.abs(now - before.at) < FLEET_CACHED_MS) return before;
  const [reachedFoldingSize, freshSince] = await Promise.all([
    before?.reachedFoldingSize ||
      hasReachedFoldingSize(store, before === undefined ? MAX_MONTHS : GROWING_MONTHS, options),
    freshSinceAt(store, now, options),
  ]);
  // While it is unknown, viewers see no more than of a large fleet.
  const fleet = { at: now, reachedFoldingSize: reachedFoldingSize ?? before?.reachedFoldingSize ?? true, freshSince };
  if (reachedFoldingSize !== null) cached.set(store, fleet);
  return fleet;
}

/**
 * Decided by what is stored, not by the clock. Browsers change their numbers every month, so months are counted separately.
 * null if what was decided before can't be read.
 */
async function hasReachedFoldingSize(store: Store, months: number, options: RequestOptions): Promise<boolean | null> {
  try {
    if ((await store.keyValues.read(REACHED_FOLDING_SIZE)) !== null) return true;
  } catch (error) {
    // Questions are answered without the control database.
    if (!(error instanceof StoreError)) throw error;
    return null;
  }
  const kept = await store.samples.read(KEPT, {}, options);
  if (kept === null) return false;
  const newest = kept.to - 1;
  for (let before = 0; before < months; before++) {
    const range = { from: monthStart(newest, -before), to: monthStart(newest, 1 - before) };
    if (range.to <= kept.from) break;
    const browsers = await store.samples.read(BROWSERS, { range }, options);
    if (browsers < FOLD_FROM_BROWSERS) continue;
    await keepReachedFoldingSize(store, { month: new Date(range.from).toISOString().slice(0, 7), browsers });
    return true;
  }
  return false;
}

async function keepReachedFoldingSize(
  store: Store,
  found: { readonly month: string; readonly browsers: number },
): Promise<void> {
  try {
    await store.keyValues.write(REACHED_FOLDING_SIZE, found);
  } catch (error) {
    // A query must not fail because the disk is full. This process remembers the result; the next one counts again.
    if (!(error instanceof StoreError)) throw error;
  }
}

/** null if too few browsers have been known long enough: in a pilot's first days nothing would be left to see. */
async function freshSinceAt(store: Store, now: number, options: RequestOptions): Promise<number | null> {
  const month = monthStart(now);
  const since = Math.max(now - NEWCOMER_MS, month + RENUMBERED_MS);
  if (since >= now) return null;
  const established = await store.samples.read(FIRST_HEARD, { range: { from: month, to: since } }, options);
  return established >= FOLD_FROM_BROWSERS ? since : null;
}

/** The start of the calendar month (UTC) of `at`, moved by a number of months. */
function monthStart(at: number, later = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}
