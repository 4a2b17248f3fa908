import type { SettingsProblem } from '../../../shared/settings/settings-problem.ts';
import { sentence } from '../api/describe-error.ts';
import { texts } from '../text/settings.ts';

/** An error in the reader's language; in the collector's words if it has a code that this page does not know. */
export function problemText({ code, values, message, hint }: SettingsProblem): string {
  return texts.problems[code]?.(values ?? {}) ?? `${sentence(message)} ${hint}`;
}
