import type { Target, TypicalTime } from '../../shared/settings/settings-schema.ts';
import { type OwnMedian, TYPICAL_TYPES } from './sent-log.ts';
import type { ComparedTime } from './status.ts';

/** The user's own medians beside everybody's, app by app; kinds of requests nobody knows anything of are left out. */
export function compareTimes(
  targets: readonly Pick<Target, 'id'>[],
  medians: readonly OwnMedian[],
  typical: readonly TypicalTime[],
): readonly ComparedTime[] {
  return targets.flatMap(({ id }) =>
    TYPICAL_TYPES.flatMap((type): ComparedTime[] => {
      const own = medians.find((each) => each.target === id && each.type === type);
      const all = typical.find((each) => each.target === id && each.type === type);
      if (!own && !all) return [];
      return [
        {
          target: id,
          type,
          own: own ? { median: own.median, n: own.n } : null,
          all: all ? { median: all.medianMs, browsers: all.browsers } : null,
        },
      ];
    }),
  );
}
