import { validateNewMatchPattern } from '../redact/match-pattern.ts';
import { secretProblems } from './secret-problems.ts';
import { firstOf, patternProblems, type SettingsVerdict, validateSettings } from './validate-settings.ts';

/**
 * Judges a document that is to be put in force. It asks for more than `validateSettings`, which also judges what is stored: a
 * secret that may not be read any more must not stop an upgraded collector from measuring.
 */
export function validateNewSettings(document: unknown): SettingsVerdict {
  const verdict = validateSettings(document);
  if (!verdict.ok) return verdict;
  const { settings } = verdict;
  const problems = [...patternProblems(settings, validateNewMatchPattern), ...secretProblems(settings)];
  return problems.length > 0 ? { ok: false, problems: firstOf(problems) } : verdict;
}
