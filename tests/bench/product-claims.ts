import { changeEvents } from '../../collector/analysis/changes/change-events.ts';
import { ofCauses, toPlace } from '../../collector/analysis/changes/change-findings.ts';
import { changedWait } from '../../collector/analysis/changes/group-change.ts';
import type { FindingKind } from '../../collector/analysis/findings/finding.ts';
import { readJson } from '../../collector/lib/json-bytes.ts';
import { VERSION } from '../../collector/lib/version.ts';
import { changes } from '../../collector/questions/changes.ts';
import { findings } from '../../collector/questions/findings.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import type { Store } from '../../collector/storage/store.ts';

/** What the product says is the matter, as far as it says so. A place that it doesn't name is absent. */
export interface Claim {
  readonly about: FindingKind;
  readonly phase?: string;
  readonly app?: string;
  readonly host?: string;
  readonly type?: string;
  readonly template?: string;
  readonly site?: string;
  readonly browser?: number;
  /** The first, in which it happens every day. */
  readonly hour?: number;
  /** Day of the fleet from which something differs. */
  readonly day?: number;
  /** Share of all waiting that it would save. */
  readonly saves: number;
}

const DAY_MS = 24 * 3_600_000;
/** UTC+1, in which the plans give the servers' hours. */
const SERVERS_ZONE = 'Etc/GMT-1';

/**
 * Everything in the product's list of findings for that range, best first; and what got faster, which is in the list of changes
 * only, by what it saved. The only place of the bench that knows how the
 * product puts its findings.
 *
 * @param numberOf a browser's number in the fleet, by its random number of the month
 */
export async function productClaims(
  store: Store,
  range: { from: number; to: number },
  numberOf: (client: string) => number | undefined,
): Promise<Claim[]> {
  const given = { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString(), zone: SERVERS_ZONE };
  const context = { store, version: VERSION, viewer: SEES_EVERYTHING, clock: () => range.to };
  const answer = readJson(await findings.ask(context, findings.parse(given, range.to)));
  const { changes: found } = readJson(await changes.ask(context, changes.parse(given, range.to)));
  const faster = ofCauses(changeEvents(found))
    .filter(({ lead }) => lead.direction === 'faster')
    .map((event) => {
      const { since } = event.lead;
      const savedShare = changedWait(event.lead) / answer.waitedMs;
      return { kind: 'change' as const, place: toPlace(event), phase: null, since, savedShare };
    });
  const all = [...answer.findings, ...faster].sort((a, b) => b.savedShare - a.savedShare);
  return all.map(({ kind, place, phase, since, savedShare }): Claim => {
    const { target, host, type, template, site, client, hours } = place;
    const browser = client === null ? undefined : numberOf(client);
    return {
      about: kind,
      ...(phase === null ? {} : { phase }),
      ...(target === null ? {} : { app: target }),
      ...(host === null ? {} : { host }),
      ...(type === null ? {} : { type }),
      ...(template === null ? {} : { template }),
      ...(site === null ? {} : { site }),
      ...(browser === undefined ? {} : { browser }),
      ...(hours === null ? {} : { hour: hours[0] }),
      ...(since === null ? {} : { day: Math.round((Date.parse(since) - range.from) / DAY_MS) }),
      saves: savedShare,
    };
  });
}
