import { changeEvents } from '../../collector/analysis/changes/change-events.ts';
import { ofCauses, toPlace } from '../../collector/analysis/changes/change-findings.ts';
import { changedWait } from '../../collector/analysis/changes/group-change.ts';
import { readJson } from '../../collector/lib/json-bytes.ts';
import { VERSION } from '../../collector/lib/version.ts';
import { changes } from '../../collector/questions/changes.ts';
import { findings } from '../../collector/questions/findings.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { GradedFinding } from './grade-findings.ts';

const DAY_MS = 24 * 3_600_000;
/** UTC+1, in which the plans give the servers' hours. */
const SERVERS_ZONE = 'Etc/GMT-1';

/** A finding as the product gives it, as far as it gives it. */
interface Told {
  readonly kind: string;
  readonly shape?: string | null;
  readonly quantity?: string | null;
  readonly phase: string | null;
  readonly since: string | null;
  readonly savedShare: number;
  /** ms, of all waiting that the answer is about. */
  readonly savedInterval?: readonly [number, number] | null;
  readonly place: object;
}

/**
 * Everything in the product's list of findings for that range, best first; and what got faster, which is in the list of changes
 * only. The only place of the bench that knows how the product puts its findings.
 *
 * @param numberOf a browser's number in the fleet, by its random number of the month
 */
export async function productFindings(
  store: Store,
  range: { from: number; to: number },
  numberOf: (client: string) => number | undefined,
): Promise<GradedFinding[]> {
  const given = { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString(), zone: SERVERS_ZONE };
  const context = { store, version: VERSION, viewer: SEES_EVERYTHING, clock: () => range.to };
  const answer = readJson(await findings.ask(context, findings.parse(given, range.to)));
  const { waitedMs } = answer;
  const { changes: found } = readJson(await changes.ask(context, changes.parse(given, range.to)));
  const faster = ofCauses(changeEvents(found))
    .filter(({ lead }) => lead.direction === 'faster')
    .map((event): Told => {
      const { since } = event.lead;
      const savedShare = changedWait(event.lead) / waitedMs;
      return { kind: 'change', place: toPlace(event), phase: null, since, savedShare };
    });
  const all: readonly Told[] = [...answer.findings, ...faster].sort((a, b) => b.savedShare - a.savedShare);
  return all.map(({ kind, shape, quantity, phase, place, since, savedShare, savedInterval }) => {
    const { client, ...said } = place as Record<string, unknown>;
    const browser = typeof client === 'string' ? numberOf(client) : undefined;
    return {
      kind,
      shape: shape ?? null,
      // What has no phase is about the whole time.
      quantity: quantity ?? phase ?? 'ttlb',
      place: { ...said, ...(browser === undefined ? {} : { browser }) },
      since: since === null ? null : Math.round((Date.parse(since) - range.from) / DAY_MS),
      savedShare,
      savedInterval: savedInterval ? [savedInterval[0] / waitedMs, savedInterval[1] / waitedMs] : null,
    };
  });
}
