import { validateMatchPattern, validateNewMatchPattern } from '../redact/match-pattern.ts';
import { validateTemplateRule } from '../redact/template-rules.ts';
import { alertProblems } from './alert-problems.ts';
import { validateExclusionPath } from './exclusion-rules.ts';
import { explainMismatch, validatorOf } from './explain-mismatch.ts';
import { probeProblems } from './probe-problems.ts';
import { reportProblems } from './report-problems.ts';
import { retentionOf, shorterLevel } from './retention-of.ts';
import { secretProblems } from './secret-problems.ts';
import { type Settings, SettingsSchema } from './settings-schema.ts';

/** One thing to put right. `path` is a JSON pointer into the document; empty for the document itself. */
export interface SettingsProblem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

export type SettingsVerdict =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/** Of a document as JSON. One of 200 targets with ten patterns and rules each has half of it. */
export const MAX_SETTINGS_BYTES = 512 * 1024;
/** A document with more faults than this is not a settings document. */
const MAX_PROBLEMS = 20;
const CORRECT_FIRST = 'Correct these first; the rest may follow from them.';

/** Judges any JSON value. Only the collector imports this file: typebox's checks need a Function constructor. */
export function validateSettings(document: unknown): SettingsVerdict {
  if (!validatorOf(SettingsSchema).Check(document)) return { ok: false, problems: schemaProblems(document) };
  const settings = document;
  const meaning = [
    ...textProblems(settings),
    ...patternProblems(settings, validateMatchPattern),
    ...templateRuleProblems(settings),
    ...exclusionProblems(settings),
    ...repeatedIds(settings),
    ...retentionProblems(settings),
    ...probeProblems(settings.probes, settings.targets),
    ...alertProblems(settings.alerts, settings.targets),
    ...reportProblems(settings.reports),
  ];
  return meaning.length > 0 ? { ok: false, problems: firstOf(meaning) } : { ok: true, settings };
}

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

function firstOf(problems: readonly SettingsProblem[]): SettingsProblem[] {
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS), { path: '', message: `and ${more} more`, hint: CORRECT_FIRST }];
}

/** What a document of another shape means is anybody's guess, so the rest is not looked for. */
function schemaProblems(document: unknown): SettingsProblem[] {
  const found: SettingsProblem[] = [];
  for (const problem of explainMismatch(SettingsSchema, document)) {
    if (found.length === MAX_PROBLEMS) {
      return [...found, { path: '', message: 'and more', hint: CORRECT_FIRST }];
    }
    found.push(problem);
  }
  const unexplained = { path: '', message: 'not a settings document', hint: 'docs/operations.md shows a whole one.' };
  return found.length === 0 ? [unexplained] : found;
}

/** Half of a surrogate pair passes any `maxLength`, and can't be written as UTF-8: into a mail, a policy, a database. */
function textProblems(settings: Settings): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  // A place becomes text only where something is wrong with it: documents hold tens of thousands.
  const place: string[] = [];
  const walk = (value: unknown) => {
    if (typeof value === 'string') {
      if (value.isWellFormed()) return;
      const hint = 'Type the text again: half of a surrogate pair was left of a character.';
      problems.push({ path: `/${place.join('/')}`, message: 'not well-formed Unicode', hint });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        place.push(name);
        walk(inner);
        place.pop();
      }
    }
  };
  walk(settings);
  return problems;
}

function patternProblems({ targets }: Settings, validate: (pattern: string) => string | null): SettingsProblem[] {
  return targets.flatMap(({ match }, target) =>
    match.flatMap((pattern, place) => {
      const fault = validate(pattern);
      if (fault === null) return [];
      const hint = 'Match patterns name scheme, host and path: https://erp.example.com/*';
      return [{ path: `/targets/${target}/match/${place}`, message: `${pattern} ${fault}`, hint }];
    }),
  );
}

function templateRuleProblems({ targets }: Settings): SettingsProblem[] {
  return targets.flatMap(({ templateRules = [] }, target) =>
    templateRules.flatMap((rule, place) => {
      const fault = validateTemplateRule(rule);
      if (fault === null) return [];
      const hint = 'A rule is a path of words, {name}, * and a final **: /users/{user}/orders/*';
      return [{ path: `/targets/${target}/templateRules/${place}`, message: `${rule} ${fault}`, hint }];
    }),
  );
}

function exclusionProblems({ targets }: Settings): SettingsProblem[] {
  return targets.flatMap(({ exclude = [] }, target) =>
    exclude.flatMap(({ path }, place) => {
      const fault = path === undefined ? null : validateExclusionPath(path);
      if (fault === null) return [];
      const hint = 'Write it as the reports name pages: /health/**, /orders/{n}, /api/*/ping';
      return [{ path: `/targets/${target}/exclude/${place}/path`, message: `${path} ${fault}`, hint }];
    }),
  );
}

function retentionProblems(settings: Settings): SettingsProblem[] {
  const level = shorterLevel(retentionOf(settings));
  if (level === null) return [];
  const message = 'a coarse level may not be gone before the finer one it is made from';
  const hint = 'Keep sampleDays ≤ hourDays ≤ dayDays ≤ monthDays; what is left out is 30, 90, 731 and for ever.';
  return [{ path: `/retention/${level}`, message, hint }];
}

function repeatedIds({ targets }: Settings): SettingsProblem[] {
  const seen = new Set<string>();
  return targets.flatMap(({ id }, place) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [
      {
        path: `/targets/${place}/id`,
        message: `the id ${id} is used twice`,
        hint: 'Samples carry the id of their target, so each needs its own.',
      },
    ];
  });
}
