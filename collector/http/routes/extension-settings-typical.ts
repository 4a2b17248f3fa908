import type { Settings, TypicalTime } from '../../../shared/settings/settings-schema.ts';
import { summary } from '../../questions/summary.ts';
import { readJson } from '../../storage/json-bytes.ts';
import type { Store } from '../../storage/store.ts';

const HOUR_MS = 3_600_000;
/** Fewer browsers than this could tell about one of them. */
const MIN_BROWSERS = 5;
const FIGURES = 2;

/**
 * What users may compare their own times with. Computed once an hour, over full hours and to two figures, so that the
 * document's entity tag changes once an hour at most and a poll stays as cheap as it was. The first poll of an hour
 * starts the work and nobody waits for it: until it is done the hour before is told.
 */
export function createTypicalTimes(
  store: Store,
  version: string,
): (now: number, settings: Settings) => readonly TypicalTime[] {
  let known: readonly TypicalTime[] = [];
  let hour = Number.NaN;
  /** The same object until it says something else. */
  let told: { known: typeof known; targets: Settings['targets']; times: typeof known } | null = null;

  async function compute(end: number): Promise<void> {
    const iso = (at: number) => new Date(at).toISOString();
    const query = summary.parse(
      {
        from: iso(end - 24 * HOUR_MS),
        to: iso(end),
        by: 'target,type',
        type: ['document', 'fetch'],
        source: 'page',
        connection: ['new', 'reused'],
      },
      end,
    );
    const { cells } = readJson(await summary.ask({ store, version }, query));
    known = cells.flatMap(({ target, type, browsers, phases }) => {
      const median = phases.ttlb?.median;
      if (!target || !type || browsers === null || browsers < MIN_BROWSERS || median === undefined || median === null)
        return [];
      return [{ target, type, medianMs: Number(median.toPrecision(FIGURES)), browsers: roughly(browsers) }];
    });
  }

  return (now, { targets }) => {
    const current = Math.floor(now / HOUR_MS) * HOUR_MS;
    if (current !== hour) {
      hour = current;
      compute(current).catch(() => {
        hour = Number.NaN; // the next poll tries again; what was known stays
      });
    }
    if (told?.known !== known || told.targets !== targets) {
      const ids = new Set(targets.map(({ id }) => id));
      told = { known, targets, times: known.filter(({ target }) => ids.has(target)) };
    }
    return told.times;
  };
}

/** 5 to 9 exactly, then to one figure downwards: an exact count would make a new document of every new browser. */
function roughly(browsers: number): number {
  const unit = 10 ** Math.floor(Math.log10(browsers));
  return Math.floor(browsers / unit) * unit;
}
