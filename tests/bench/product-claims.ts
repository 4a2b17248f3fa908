import { readJson } from '../../collector/lib/json-bytes.ts';
import { VERSION } from '../../collector/lib/version.ts';
import { findings } from '../../collector/questions/findings.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { GradedFinding } from './grade-findings.ts';

const DAY_MS = 24 * 3_600_000;
/** UTC+1, in which the plans give the servers' hours. */
const SERVERS_ZONE = 'Etc/GMT-1';

/**
 * Everything in the product's list of findings for that range, best first. The only place of the bench that knows how the
 * product puts its findings.
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
  return answer.findings.map(({ kind, shape, quantity, place, since, savedShare, savedInterval }) => {
    const { client, engine, weekdays, ...said } = place;
    const browser = client === null ? undefined : numberOf(client);
    const [name = null, version] = engine?.split(' ') ?? [];
    return {
      kind,
      shape,
      quantity,
      place: {
        ...said,
        engine: name as 'chromium' | 'firefox' | null,
        ...(version === undefined ? {} : { engineVersion: version }),
        ...(weekdays === null ? {} : { weekdays: weekdaysIn(weekdays) }),
        ...(browser === undefined ? {} : { browser }),
      },
      since: since === null ? null : Math.round((Date.parse(since) - range.from) / DAY_MS),
      savedShare,
      savedInterval: [savedInterval[0] / waitedMs, savedInterval[1] / waitedMs],
    };
  });
}

/** The product's weeks begin on Monday, the truth's on Sunday. */
function weekdaysIn([from, to]: readonly [number, number]): number[] {
  return Array.from({ length: to - from }, (_, i) => (from + i + 1) % 7);
}
