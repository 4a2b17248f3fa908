import { secretProblems } from './secret-problems.ts';
import { type SettingsVerdict, validateSettings } from './validate-settings.ts';

/**
 * Judges a document that is to be put in force. It asks for more than `validateSettings`, which also judges what is stored: a
 * secret that may not be read any more must not stop an upgraded collector from measuring.
 */
export function validateNewSettings(document: unknown): SettingsVerdict {
  const verdict = validateSettings(document);
  const problems = verdict.ok ? secretProblems(verdict.settings) : [];
  return problems.length > 0 ? { ok: false, problems } : verdict;
}
