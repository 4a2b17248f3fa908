import { parseHttpUrl } from '../../../shared/redact/http-url.ts';
import { exactHost } from '../../../shared/redact/match-pattern.ts';
import type { ClientInfo } from '../../../shared/sample/sample.ts';
import { NULL, TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { MAX_ISSUERS, MAX_JOURNEYS, MAX_SITES, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { CalendarMonth } from './calendar-month.ts';
import { createCellBounds } from './cell-bounds.ts';
import { createNameBounds } from './name-bounds.ts';
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
  startGroup(settings: Settings | null): void;
  bound(
    batch: { readonly origin: ClientInfo; readonly columns: BatchColumns },
    now: number,
    from: NetworkSender,
  ): BoundBatch;
}

/**
 * Bounds everything in a batch that a sender can invent: names, issuers, journeys, metrics, sites, cells and browsers. Each new one
 * costs the collector memory or disk space, and an ingest key is easily leaked.
 *
 * @param isNumbered whether a browser already has a number
 */
export function createBatchBounds(isNumbered: (client: string) => boolean): BatchBounds {
  const names = createNameBounds();
  const boundSites = createLabelBounds(MAX_SITES);
  const boundIssuers = createLabelBounds(MAX_ISSUERS);
  const boundJourneys = createLabelBounds(MAX_JOURNEYS);
  const boundCells = createCellBounds();
  const isCountedAlone = createClientBounds(isNumbered);
  let metricNames: ReadonlySet<string> = new Set();
  let configuredBy: Settings | null = null;

  return {
    startGroup(settings) {
      if (settings !== configuredBy) {
        names.configure(settings === null ? new Map() : configuredHosts(settings));
        metricNames = new Set(settings?.targets.flatMap(({ serverTimingMetrics = [] }) => serverTimingMetrics));
        configuredBy = settings;
      }
    },
    bound({ origin, columns }, now, from) {
      const named = names.bound(columns, now, from.key);
      const issued = boundLabels(named.columns, 'tlsIssuer', (issuers) => boundIssuers(issuers, now, from.key));
      const gone = boundLabels(issued.columns, 'journey', (journeys) => boundJourneys(journeys, now, from.key));
      const known = knownMetrics(gone.columns, metricNames);
      const [site = OVERFLOW_NAME] = boundSites([origin.site], now, from.key);
      const { n } = known.columns;
      const cells = boundCells(known.columns, site, now, from);
      return {
        origin: site === origin.site ? origin : { ...origin, site },
        columns: cells.columns,
        coarse: cells.coarse,
        sharesClient: n > 0 && !isCountedAlone(origin.client, now, from),
        folded: site === origin.site ? Math.max(named.folded, issued.folded, gone.folded) : n,
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
 * Certificate issuers and journeys are the only strings of a sample that are not bounded elsewhere; a fleet has a few dozen of
 * them.
 *
 * @returns the same columns if all are kept, and in how many rows one became `(other)`
 */
export function boundLabels(
  columns: BatchColumns,
  name: 'tlsIssuer' | 'journey',
  bound: (labels: readonly string[]) => readonly string[],
): { readonly columns: BatchColumns; readonly folded: number } {
  const column = columns.texts[TEXT_INDEX[name]];
  if (column === undefined) return { columns, folded: 0 };
  const { strings, codes } = column;
  // A label that no row has must not use up the space of another.
  const used = new Uint8Array(strings.length);
  for (const code of codes) if (code !== NULL) used[code] = 1;
  const known = used.includes(0) ? strings.map((entry, code) => (used[code] === 1 ? entry : '')) : strings;
  const kept = bound(known);
  if (kept === known) return { columns, folded: 0 };
  const texts = [...columns.texts];
  texts[TEXT_INDEX[name]] = { strings: kept, codes };
  const folded = codes.reduce((sum, code) => sum + (code >= 0 && kept[code] !== strings[code] ? 1 : 0), 0);
  return { columns: { ...columns, texts }, folded };
}

/** Returns the stored form of labels, in their order; the same list if all are kept. */
type LabelBounds = (labels: readonly string[], now: number, key: string) => readonly string[];

/**
 * Bounds labels, which are free text to the collector and multiply what is stored: those beyond what a key may introduce a
 * month become `(other)`.
 */
function createLabelBounds(perKey: number): LabelBounds {
  const byKey = new Map<string, Set<string>>();
  const month = new CalendarMonth();

  return (labels, now, key) => {
    if (month.turns(now)) byKey.clear();
    const known = byKey.get(key) ?? new Set();
    byKey.set(key, known);
    const bound = labels.map((label) => {
      if (label === '' || label === OVERFLOW_NAME || known.has(label)) return label;
      if (known.size >= perKey) return OVERFLOW_NAME;
      known.add(label);
      return label;
    });
    return bound.every((label, index) => label === labels[index]) ? labels : bound;
  };
}
