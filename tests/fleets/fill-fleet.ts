import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { markAbandoned } from '../../collector/ingest/decode/mark-abandoned.ts';
import { createLongLivedMarks } from '../../collector/ingest/long-lived/long-lived-marks.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { generateFleet } from './generate-fleet.ts';
import type { FleetPlan } from './plan.ts';

const GROUP_BATCHES = 400;
const ROLL_UP_SAMPLES = 500_000;
const DAY_MS = 24 * 3_600_000;
/** Nothing of it is ever too old to be shown. */
const KEPT_DAYS = 36_500;

/** What a store is filled with, from whichever world. */
export interface FleetSource {
  /** First day, UTC midnight, epoch ms. */
  readonly from: number;
  readonly days: number;
  readonly settings: Settings;
  /** In the order in which they are sent, day by day. */
  batches(): Iterable<{ readonly wire: WireBatch }>;
}

/** The first world's. */
export function toSource(plan: FleetPlan): FleetSource {
  return { from: plan.from, days: plan.days, settings: settingsOf(plan), batches: () => generateFleet(plan) };
}

export function endOf({ from, days }: Pick<FleetSource, 'from' | 'days'>): number {
  return from + days * DAY_MS;
}

/** Stores the fleet's samples as a server would have over its days, and the settings that go with them. */
export async function fillFleet(store: Store, fleet: FleetSource, progress: (line: string) => void): Promise<number> {
  const markLongLived = createLongLivedMarks();
  let group: AcceptedBatch[] = [];
  let done = 0;
  let rolledUp = 0;
  let day = 0;
  const append = async () => {
    await store.samples.append(group);
    group = [];
  };
  for (const { wire } of fleet.batches()) {
    const batch = decodeBatch(wire, wire.sentAt);
    if (!batch.ok) throw new Error(`A generated batch was refused: ${batch.message}.`);
    const [rejected] = batch.rejected;
    if (rejected !== undefined) throw new Error(`A generated sample was rejected: ${rejected.code}.`);
    const { batchId: id, origin, clockCorrection, columns, status } = batch;
    group.push({
      id,
      receivedAt: wire.sentAt,
      clockCorrection,
      origin,
      status,
      columns: markLongLived(markAbandoned(columns)),
    });
    done += columns.n;
    if (group.length < GROUP_BATCHES) continue;
    await append();
    if (done - rolledUp >= ROLL_UP_SAMPLES) {
      await store.maintenance.rollUp();
      rolledUp = done;
    }
    const reached = Math.floor((wire.sentAt - fleet.from) / DAY_MS);
    if (reached >= day + 5) {
      day = reached;
      progress(`${day} of ${fleet.days} days, ${done} samples`);
    }
  }
  await append();
  progress(`${done} samples; finalizing the days and the month`);
  await store.maintenance.finalize(endOf(fleet));
  await store.settings.write(fleet.settings, null, endOf(fleet));
  return done;
}

/** What the admin of such a fleet would have set. */
export function settingsOf(plan: FleetPlan): Settings {
  const schemes = new Map(plan.hosts.map(({ name, scheme }) => [name, scheme]));
  return {
    version: 1,
    targets: plan.apps.map(({ id, name, host }) => ({
      id,
      name,
      match: [`${schemes.get(host) ?? 'https'}://${host}/*`],
    })),
    probes: {
      enabled: true,
      schedule: plan.probes.map(({ id, app, host, template, sites, everyMinutes }) => ({
        id,
        target: app,
        url: `https://${host}${template}`,
        everyMinutes,
        sites: [...sites],
      })),
    },
    alerts: {
      webhooks: [],
      rules: plan.apps
        .slice(0, 1)
        .map(({ id, host }) => ({ id: `${id}-slow`, target: id, host, statistic: 'p95', aboveMs: 800 })),
    },
    retention: { sampleDays: KEPT_DAYS, hourDays: KEPT_DAYS, dayDays: KEPT_DAYS, monthDays: null },
  };
}
