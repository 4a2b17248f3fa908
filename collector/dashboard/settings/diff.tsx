import { Spoken } from '../components/spoken.tsx';
import { type Difference, type Json, settingsDiff } from '../model/settings-diff.ts';
import { texts } from '../text/settings.ts';

const words = texts.diff;

/** Differences as a list of removed and added values. */
export function Diff({ before, after }: { readonly before: Json | undefined; readonly after: Json | undefined }) {
  const differences = settingsDiff(before, after);
  if (differences.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <ul class="diff">
      {differences.map((difference) => {
        const { removed, added } = changes(difference);
        return (
          <li key={difference.path.join('/')}>
            <span class="quiet small">{difference.path.join(' › ') || words.whole}</span>
            {removed.map((value, i) => (
              <del key={i}>
                <Spoken>{words.removed}</Spoken>
                {textOf(value)}
              </del>
            ))}
            {added.map((value, i) => (
              <ins key={i}>
                <Spoken>{words.added}</Spoken>
                {textOf(value)}
              </ins>
            ))}
          </li>
        );
      })}
    </ul>
  );
}

/** For two lists of texts, only the items that are not in both, unless only the order differs. */
function changes({ before, after }: Difference): { removed: readonly Json[]; added: readonly Json[] } {
  if (isTexts(before) && isTexts(after)) {
    const removed = before.filter((text) => !after.includes(text));
    const added = after.filter((text) => !before.includes(text));
    if (removed.length + added.length > 0) return { removed, added };
  }
  return { removed: before === undefined ? [] : [before], added: after === undefined ? [] : [after] };
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, typeof value === 'object' ? 1 : 0);
}
