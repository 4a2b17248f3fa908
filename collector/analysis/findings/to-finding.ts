import type { RequestGroup } from '../../reductions/request-table.ts';
import { type Axes, BIN_MINUTES } from './axes.ts';
import { ANYWHERE, type Finding, type FindingPlace, type Remedy } from './finding.ts';
import { findMedian } from './like-medians.ts';
import type { Quantity, QuantityName } from './quantities.ts';
import type { Judgement, Suspect } from './scan.ts';
import { dayName, type Waits } from './waits.ts';

const HOURS = 24;
/** Of the time that a place costs: then it is the phase to name. */
const LEADING = 0.6;
const NEARLY_ALL = 0.9;
/** A whole ordinary page is about 2 MB: a single answer of one is large. */
const LARGE_BYTES = 1_000_000;
/** Times its usual time: a request that takes longer because of a norm or a tail. */
const LONGER = 1.2;

export function toPlace({ axis, where, run }: Suspect, axes: Axes): FindingPlace {
  const place = { ...ANYWHERE, ...(axis === null ? {} : axes[axis].place(run[0])) };
  for (const [name, code] of where) Object.assign(place, axes[name].place(code));
  const [from, to] = run;
  if (axis === 'hour') return { ...place, hours: [from, to] };
  if (axis === 'minutes') return { ...place, minutes: [from * BIN_MINUTES, to * BIN_MINUTES] };
  if (axis !== 'weekHour') return place;
  const hours = [from % HOURS, ((to - 1) % HOURS) + 1] as const;
  return {
    ...place,
    weekdays: [Math.floor(from / HOURS), Math.floor((to - 1) / HOURS) + 1],
    // A run over midnight is told by its days.
    hours: hours[0] < hours[1] ? hours : null,
  };
}

/** Puts a suspect into the answer's terms. @param quantities before its time is taken away */
export function toFinding(
  suspect: Suspect,
  judgement: Judgement,
  waits: Waits,
  axes: Axes,
  quantities: readonly Quantity[],
): Finding {
  const { rows, like, quantity, shape, direction, axis, since, sinceInterval } = suspect;
  // What can't be measured costs nothing by itself.
  const savedMs = quantity.name === 'unmeasurable' ? 0 : judgement.savedMs;
  const place = named(toPlace(suspect, axes), suspect, axes);
  const name = quantity.name === 'ttlb' ? leadingPhase(suspect, quantities) : quantity.name;
  const isPart = suspect.norm === true || shape === 'tail' || quantity.name === 'unmeasurable';
  const affected = isPart
    ? rows.filter((row) => (quantity.values[row] as number) > LONGER * (like[row] as number))
    : rows;
  const browsers = new Set(affected.map((row) => waits.table.browser[row] as number)).size;
  const onDays = axis === 'day' ? affected.map((row) => waits.day[row] as number) : [];
  const [first, last] = [Math.min(...onDays), Math.max(...onDays)];
  return {
    kind: remedyFor(suspect, name, place, waits),
    shape,
    direction,
    quantity: name,
    place,
    affectedRequests: affected.length,
    affectedShare: affected.length / waits.requests,
    affectedBrowsersShare: place.client === null ? browsers / waits.browsers : null,
    savedMs,
    savedInterval: [savedMs, savedMs],
    savedShare: savedMs / waits.totalMs,
    perRequestMs: savedMs / Math.max(1, affected.length),
    since: axis === 'day' ? dayName(first) : since === null ? null : dayName(since),
    until: axis === 'day' ? dayName(last) : null,
    sinceInterval:
      since === null || sinceInterval === null ? null : [dayName(sinceInterval[0]), dayName(sinceInterval[1])],
    facts: factsAbout(suspect, affected, waits),
  };
}

/** The numbers of its sentence: what is, what is usual, and the requests' share of their place. */
function factsAbout(
  { rows, quantity, observed, expected, slope }: Suspect,
  affected: readonly number[],
  { table }: Waits,
) {
  const occurs = rows.filter((row) => (quantity.values[row] as number) > 0).length;
  const share = occurs / Math.max(1, rows.length);
  const bytes = findMedian(Float64Array.from(affected, (row) => table.size[row] as number));
  const idle = affected.reduce((least, row) => Math.min(least, table.idle[row] as number), Number.POSITIVE_INFINITY);
  const from = affected.reduce(
    (least, row) => Math.min(least, quantity.values[row] as number),
    Number.POSITIVE_INFINITY,
  );
  return {
    nowMs: observed / rows.length,
    usualMs: expected / rows.length,
    share,
    usualShare: observed === 0 ? 0 : share * (expected / observed),
    partOfPlace: affected.length / Math.max(1, rows.length),
    ...(Number.isFinite(from) ? { fromMs: from } : {}),
    ...(Number.isNaN(bytes) ? {} : { bytes }),
    ...(Number.isFinite(idle) ? { idleMs: idle } : {}),
    ...(slope === undefined ? {} : { perDay: slope }),
  };
}

/** The phase that has most of what a whole request takes longer, or the whole. */
function leadingPhase({ rows, observed, expected }: Suspect, quantities: readonly Quantity[]): QuantityName {
  const inside = new Set(rows);
  const more = quantities
    .filter(({ name }) => ['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive'].includes(name))
    .map(({ name, values, stratum, strata }) => {
      const n = new Float64Array(strata);
      const sums = new Float64Array(strata);
      for (const [row, value] of values.entries()) {
        if (Number.isNaN(value) || inside.has(row)) continue;
        const one = stratum[row] as number;
        n[one] = (n[one] as number) + 1;
        sums[one] = (sums[one] as number) + value;
      }
      let ms = 0;
      for (const row of rows) {
        const one = stratum[row] as number;
        const value = values[row] as number;
        if (!Number.isNaN(value) && (n[one] as number) > 0) ms += value - (sums[one] as number) / (n[one] as number);
      }
      return { name, ms: Math.abs(ms) };
    })
    .sort((a, b) => b.ms - a.ms)[0];
  return more !== undefined && more.ms >= LEADING * Math.abs(observed - expected) ? more.name : 'ttlb';
}

/** With what follows from it: the app of a host that only one uses, the site of a browser, the path of a host that has no other. */
function named(place: FindingPlace, suspect: Suspect, axes: Axes): FindingPlace {
  const { rows } = suspect;
  const only = (name: 'path' | 'site' | 'target') => {
    const codes = new Set(rows.map((row) => axes[name].codes[row] as number));
    const [code = -1] = codes;
    return codes.size === 1 && code >= 0 ? axes[name].place(code) : {};
  };
  if (place.client !== null) return { ...place, ...only('site') };
  const host = place.target === null ? {} : leadingHost(suspect, axes);
  return place.host === null ? { ...place, ...host } : { ...place, ...only('target'), ...only('path') };
}

/** The host that has nearly all of it: an app's others are asked too little to make it stand out less. */
function leadingHost({ rows, quantity, like, observed, expected }: Suspect, { host }: Axes): Partial<FindingPlace> {
  const more = new Float64Array(host.size);
  for (const row of rows) {
    const code = host.codes[row] as number;
    more[code] = (more[code] as number) + (quantity.values[row] as number) - (like[row] as number);
  }
  const code = more.findIndex((ms) => ms / (observed - expected) >= NEARLY_ALL);
  return code < 0 ? {} : host.place(code);
}

const BY_QUANTITY: Readonly<Partial<Record<QuantityName, Remedy>>> = {
  blocked: 'queueing',
  dns: 'slow_dns',
  tls: 'full_handshakes',
  redirect: 'redirects',
  challenged: 'challenges',
  new_connections: 'early_close',
  cached: 'cold_cache',
  unmeasurable: 'unmeasurable',
  errors: 'errors',
};

/** What to do follows from what differs and where. */
function remedyFor(
  { axis, norm, shape, rows, quantity }: Suspect,
  name: QuantityName,
  place: FindingPlace,
  waits: Waits,
): Remedy {
  if (name === 'errors') return 'errors';
  if (norm === true && name === 'tcp') return 'packet_loss';
  if (norm === true && name === 'receive') return 'held_back';
  if (axis === 'client') return 'slow_browser';
  if (axis === 'engine' || axis === 'version') return 'slow_engine';
  if (name === 'tls' && place.site !== null) return 'inspection';
  const own = BY_QUANTITY[name];
  if (shape === 'tail') return name === 'tcp' ? 'packet_loss' : 'slow_group';
  if (own !== undefined) return own;
  if (shape !== 'level') return name === 'receive' && isLarge(rows, waits) ? 'large_download' : 'change';
  if (axis === 'hour' || axis === 'minutes' || axis === 'weekHour' || axis === 'day') {
    return place.host === null && place.site !== null ? 'busy_line' : 'slow_hours';
  }
  if (place.site !== null && place.type === null) return 'far_site';
  if (name === 'receive') return 'large_download';
  return place.host !== null && isForeign(place.host, waits, quantity) ? 'slow_third_party' : 'slow_server';
}

function isLarge(rows: readonly number[], { table }: Waits): boolean {
  return findMedian(Float64Array.from(rows, (row) => table.size[row] as number)) >= LARGE_BYTES;
}

/** No page comes from its domain. */
function isForeign(host: string, { table }: Waits, _: Quantity): boolean {
  // The last two labels. Where three make a domain (co.uk), a third party of the same suffix counts as one's own.
  const domainIn = (name: string) => name.split('.').slice(-2).join('.');
  return !table.groups.some(
    (group: RequestGroup) => group.type === 'document' && domainIn(group.host) === domainIn(host),
  );
}
