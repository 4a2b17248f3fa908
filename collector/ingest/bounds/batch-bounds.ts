import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import { exactHost } from '../../../shared/redact/match-pattern.ts';
import type { ClientInfo } from '../../../shared/sample/sample.ts';
import { NULL, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { MAX_ISSUERS, MAX_SITES, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import type { BrowserStanding } from '../../storage/ingestion.ts';
import { createCellBounds } from './cell-bounds.ts';
import { NameCandidates, NameSender } from './confirmations.ts';
import { createNameBounds } from './name-bounds.ts';
import { CalendarMonth, KnownName, NameSet } from './name-set.ts';
import { createClientBounds, type NetworkSender } from './network-shares.ts';

export interface BoundBatch {
  readonly origin: ClientInfo;
  readonly columns: BatchColumns;
  /** Rows in a coarser cell, of the site `(other)`; null if there are none. */
  readonly coarse: BatchColumns | null;
  /** Its browser is not counted individually. */
  readonly sharesClient: boolean;
  /** Rows in which a name became `(other)`. */
  readonly folded: number;
  /** Columns of metrics that the settings don't name. */
  readonly droppedMetrics: number;
}

export interface BatchBounds {
  /** Call before each group of batches. */
  startGroup(settings: Settings | null, now: number): void;
  bound(
    batch: { readonly origin: ClientInfo; readonly columns: BatchColumns },
    now: number,
    from: NetworkSender,
  ): BoundBatch;
}

/**
 * Bounds everything in a batch that a sender can invent: names, issuers, metrics, sites, cells and browsers. Each new one
 * costs the collector memory or disk space, and an ingest key is easily leaked.
 */
export function createBatchBounds(standing: BrowserStanding): BatchBounds {
  const names = createNameBounds();
  const boundSites = createLabelBounds(MAX_SITES, standing.sitesByAge);
  const boundIssuerLabels = createLabelBounds(MAX_ISSUERS);
  const boundCells = createCellBounds();
  const isCountedAlone = createClientBounds(standing.isNumbered);
  let metricNames: ReadonlySet<string> = new Set();
  let configuredBy: Settings | null = null;
  let established = false;

  return {
    startGroup(settings, now) {
      if (settings !== configuredBy) {
        names.configure(settings === null ? new Map() : configuredHosts(settings));
        metricNames = new Set(settings?.targets.flatMap(({ serverTimingMetrics = [] }) => serverTimingMetrics));
        configuredBy = settings;
      }
      if (!established && standing.isEstablished(now)) {
        established = true;
        names.doubtConfirmed();
      }
    },
    bound({ origin, columns }, now, from) {
      const sender = new NameSender(from.key, origin.client, standing.counts);
      const named = names.bound(columns, now, sender);
      const issued = boundIssuers(named.columns, (issuers) => boundIssuerLabels(issuers, now, sender));
      const known = knownMetrics(issued.columns, metricNames);
      const [site = OVERFLOW_NAME] = boundSites([origin.site], now, sender);
      const { n } = known.columns;
      const cells = boundCells(known.columns, site, now, from);
      return {
        origin: site === origin.site ? origin : { ...origin, site },
        columns: cells.columns,
        coarse: cells.coarse,
        sharesClient: n > 0 && !isCountedAlone(origin.client, now, from),
        folded: site === origin.site ? Math.max(named.folded, issued.folded) : n,
        droppedMetrics: known.dropped,
      };
    },
  };
}

/** Hosts that the settings name explicitly, by target: those of patterns without a wildcard and of probes. */
function configuredHosts({ targets, probes }: Settings): Map<string, Set<string>> {
  const hosts = new Map(
    targets.map(({ id, match, unlockTimings = [] }) => [
      id,
      new Set([...match.map(exactHost).filter((host) => host !== null), ...unlockTimings]),
    ]),
  );
  for (const { target, url, otherUrl, steps = [] } of probes?.schedule ?? []) {
    for (const address of [url, otherUrl, ...steps.map((step) => step.url)]) {
      const host = address === undefined ? null : (parseHttpUrl(address)?.hostname ?? null);
      if (host !== null) hosts.get(target)?.add(host);
    }
  }
  return hosts;
}

/**
 * Leaves out metrics that the settings don't ask for. Each name makes a column as long as the whole group that it is
 * committed with, so a few small batches of invented names would cost megabytes.
 */
function knownMetrics(columns: BatchColumns, names: ReadonlySet<string>) {
  if (columns.metrics.every(([name]) => names.has(name))) return { columns, dropped: 0 };
  const metrics = columns.metrics.filter(([name]) => names.has(name));
  return { columns: { ...columns, metrics }, dropped: columns.metrics.length - metrics.length };
}

/**
 * Certificate issuers are the only strings of a sample that are not bounded elsewhere; a fleet sees a few dozen of
 * them.
 *
 * @returns the same columns if all issuers are kept, and in how many rows one became `(other)`
 */
export function boundIssuers(
  columns: BatchColumns,
  bound: (issuers: readonly string[]) => readonly string[],
): { readonly columns: BatchColumns; readonly folded: number } {
  const issuer = columns.texts[TEXT_INDEX.tlsIssuer];
  if (issuer === undefined) return { columns, folded: 0 };
  const { strings, codes } = issuer;
  // An issuer that no row has must not use up the space of another.
  const used = new Uint8Array(strings.length);
  for (const code of codes) if (code !== NULL) used[code] = 1;
  const known = used.includes(0) ? strings.map((entry, code) => (used[code] === 1 ? entry : '')) : strings;
  const kept = bound(known);
  if (kept === known) return { columns, folded: 0 };
  const texts = [...columns.texts];
  texts[TEXT_INDEX.tlsIssuer] = { strings: kept, codes };
  const folded = codes.reduce((sum, code) => sum + (code >= 0 && kept[code] !== strings[code] ? 1 : 0), 0);
  return { columns: { ...columns, texts }, folded };
}

/** How often the long-known labels are read again, and only while a label doesn't fit, ms. */
const REFRESH_MS = 3_600_000;

/** Returns the stored form of labels, in their order; the same list if all are kept. */
type LabelBounds = (labels: readonly string[], now: number, sender: NameSender) => readonly string[];

/**
 * Bounds labels, which are free text to the collector and multiply what is stored: those beyond a key's limit become
 * `(other)`. As with other names, those confirmed by several long-known browsers are never displaced.
 *
 * @param perKey labels that a key may introduce a month; all keys together twice as many
 * @param longKnown labels that are kept in any case, the longest known first: a site of one or two browsers is never
 *   confirmed by several, but takes precedence over invented labels by its age
 */
function createLabelBounds(perKey: number, longKnown: (limit: number) => readonly string[] = () => []): LabelBounds {
  const candidates = new NameCandidates();
  const total = { used: 0, max: 2 * perKey };
  const kept = new NameSet({ perKey, guaranteed: 0, total }, candidates, (sender) => new KnownName(sender));
  const month = new CalendarMonth();
  let refreshedAt = Number.NEGATIVE_INFINITY;

  function stored(label: string, now: number, sender: NameSender): string {
    if (label === '' || label === OVERFLOW_NAME || kept.admit(label, sender) !== undefined) return label;
    if (Math.abs(now - refreshedAt) >= REFRESH_MS) {
      refreshedAt = now;
      kept.configure(new Set(longKnown(perKey / 2)));
    }
    return kept.names.has(label) ? label : OVERFLOW_NAME;
  }

  return (labels, now, sender) => {
    if (month.turns(now)) kept.beginMonth();
    candidates.beginBody();
    const bound = labels.map((label) => stored(label, now, sender));
    return bound.every((label, index) => label === labels[index]) ? labels : bound;
  };
}
