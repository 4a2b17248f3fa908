import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { BatchColumns } from '../storage/columns/batch-columns.ts';

export interface KnownMetrics {
  /** The very same object where nothing is dropped. */
  readonly columns: BatchColumns;
  /** Columns that were left out. */
  readonly dropped: number;
}

/** Names of Server-Timing metrics that the settings ask browsers for. */
export function metricNamesOf({ targets }: Pick<Settings, 'targets'>): ReadonlySet<string> {
  return new Set(targets.flatMap(({ serverTimingMetrics = [] }) => serverTimingMetrics));
}

/**
 * Leaves out metrics the settings don't ask for. Each name makes a column as long as the whole group that is committed
 * with it, so a few small batches of invented names would cost megabytes.
 */
export function knownMetrics(columns: BatchColumns, names: ReadonlySet<string>): KnownMetrics {
  if (columns.metrics.every(([name]) => names.has(name))) return { columns, dropped: 0 };
  const metrics = columns.metrics.filter(([name]) => names.has(name));
  return { columns: { ...columns, metrics }, dropped: columns.metrics.length - metrics.length };
}
