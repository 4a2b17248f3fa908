import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Backlog, ControlStatus, Store } from '../../storage/store.ts';
import { counter, gauge, type MetricFamily } from './metric-family.ts';

/** How long sizes are cached, ms: reading them takes longer than everything else together. */
const SIZES_CACHED_MS = 60_000;

export interface Health {
  families(now: number): Promise<MetricFamily[]>;
  stop(): void;
}

/** The collector's own health. @param startedAt epoch ms */
export function watchHealth(store: Store, version: string, startedAt: number): Health {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let sizes: { readonly at: number; readonly bytes: Readonly<Record<string, number>> } | null = null;

  async function storeBytes(now: number): Promise<Readonly<Record<string, number>>> {
    if (sizes === null || Math.abs(now - sizes.at) >= SIZES_CACHED_MS)
      sizes = { at: now, bytes: await store.maintenance.sizes() };
    return sizes.bytes;
  }

  return {
    async families(now) {
      const ready = await store.ready().then(
        () => 1,
        () => 0,
      );
      const { total, ...parts } = await storeBytes(now);
      const aside = await store.maintenance.quarantine();
      const backlog = await store.maintenance.backlog();
      const { expected } = await store.clock.status();
      const control = store.controlStatus();
      const cpu = process.cpuUsage();
      const lag = { '50': delay.percentile(50) / 1e9, '99': delay.percentile(99) / 1e9 };
      delay.reset();
      return [
        gauge('lastbyte_build_info', 'Always 1; the labels name the versions.', '1', [
          [{ version, node: process.version }, 1],
        ]),
        gauge('lastbyte_store_ready', '1 while the store can be read and written.', '1', [[{}, ready]]),
        gauge(
          'lastbyte_clock_in_doubt',
          '1 while the clock is in doubt: nothing is removed until it is right or confirmed.',
          '1',
          [[{}, expected === null ? 0 : 1]],
        ),
        ...(control === null ? [] : controlFamilies(control)),
        gauge(
          'lastbyte_store_bytes',
          'Stored bytes by kind.',
          'By',
          Object.entries(parts).map(([part, bytes]) => [{ part }, bytes]),
        ),
        gauge('lastbyte_quarantined_chunks', "Chunks set aside because they can't be processed.", '1', [
          [{}, aside.length],
        ]),
        gauge('lastbyte_quarantined_samples', 'Samples in quarantined chunks, which no query can read.', '1', [
          [{}, aside.reduce((sum, { samples }) => sum + samples, 0)],
        ]),
        ...(backlog === null ? [] : backlogFamilies(backlog, now)),
        gauge('lastbyte_store_file_bytes', 'The database file in use.', 'By', [[{}, total ?? 0]]),
        gauge(
          'lastbyte_event_loop_lag_seconds',
          'Delay of the event loop since the last scrape.',
          's',
          Object.entries(lag).map(([percentile, seconds]) => [{ percentile }, Number.isNaN(seconds) ? 0 : seconds]),
        ),
        gauge('process_resident_memory_bytes', 'Resident memory.', 'By', [[{}, process.memoryUsage.rss()]]),
        gauge('process_start_time_seconds', 'When the collector started, Unix time.', 's', [[{}, startedAt / 1000]]),
        counter('process_cpu_seconds_total', 'CPU time, user and system.', 's', [[{}, (cpu.user + cpu.system) / 1e6]]),
      ];
    },
    stop: () => delay.disable(),
  };
}

function controlFamilies({ awaySince, leads }: ControlStatus): MetricFamily[] {
  return [
    gauge('lastbyte_control_reachable', '1 while the shared control database can be reached.', '1', [
      [{}, awaySince === null ? 1 : 0],
    ]),
    gauge('lastbyte_leads', '1 on the collector that runs alerts and scheduled reports.', '1', [[{}, leads ? 1 : 0]]),
  ];
}

/** Samples that wait for ClickHouse. */
function backlogFamilies({ samples, bytes, oldest }: Backlog, now: number): MetricFamily[] {
  const age = oldest === null ? 0 : Math.max(0, now - oldest) / 1000;
  return [
    gauge('lastbyte_forward_backlog_samples', 'Samples that wait to be forwarded to ClickHouse.', '1', [[{}, samples]]),
    gauge('lastbyte_forward_backlog_bytes', 'Their bytes in the data folder.', 'By', [[{}, bytes]]),
    gauge('lastbyte_forward_backlog_age_seconds', 'Age of the oldest of them.', 's', [[{}, age]]),
  ];
}
