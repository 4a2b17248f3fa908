import { Settings as TypeBox } from 'typebox/system';
import { Value } from 'typebox/value';
import { validateMatchPattern } from '../redact/match-pattern.ts';
import { validateTemplateRule } from '../redact/template-rules.ts';
import { alertProblems } from './alert-problems.ts';
import { validateExclusionPath } from './exclusion-rules.ts';
import { probeProblems } from './probe-problems.ts';
import { reportProblems } from './report-problems.ts';
import { retentionOf, shorterLevel } from './retention-of.ts';
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

/** A document with more faults than this is not a settings document. */
const MAX_PROBLEMS = 20;
// Unknown names are reported twice each; by default explaining stops after eight reports.
TypeBox.Set({ maxErrors: 10 * MAX_PROBLEMS });

/** Judges any JSON value. Only the collector imports this file: typebox's checks need a Function constructor. */
export function validateSettings(document: unknown): SettingsVerdict {
  // Check decides and Errors only explains: Errors stops after a few, and might have none left to show.
  if (!Value.Check(SettingsSchema, document)) return { ok: false, problems: schemaProblems(document) };
  const settings = document;
  const meaning = [
    ...textProblems(settings, ''),
    ...patternProblems(settings),
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

function firstOf(problems: readonly SettingsProblem[]): SettingsProblem[] {
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return [...problems];
  const hint = 'Correct these first; the rest may follow from them.';
  return [...problems.slice(0, MAX_PROBLEMS), { path: '', message: `and ${more} more`, hint }];
}

function schemaProblems(document: unknown): SettingsProblem[] {
  const found = Value.Errors(SettingsSchema, document)
    // Said twice for each unknown name; the other one names it.
    .filter(({ keyword }) => keyword !== 'boolean')
    .map((error): SettingsProblem => {
      const path = error.instancePath;
      switch (error.keyword) {
        case 'additionalProperties':
          return {
            path,
            message: `unknown name ${error.params.additionalProperties.join(', ')}`,
            hint: 'Check the spelling; docs/operations.md lists every setting.',
          };
        case 'required':
          return {
            path,
            message: `${error.params.requiredProperties.join(', ')} is missing`,
            hint: 'Add it; docs/operations.md shows a whole document.',
          };
        case 'const':
          return { path, message: error.message, hint: `The only value known here is ${error.params.allowedValue}.` };
        default:
          return { path, message: error.message, hint: 'Correct the value; docs/operations.md says what it may be.' };
      }
    });
  const unexplained = { path: '', message: 'not a settings document', hint: 'docs/operations.md shows a whole one.' };
  return found.length === 0 ? [unexplained] : firstOf(found);
}

/** Half of a surrogate pair passes any `maxLength`, and can't be written as UTF-8: into a mail, a policy, a database. */
function textProblems(value: unknown, path: string): SettingsProblem[] {
  if (typeof value === 'string') {
    const hint = 'Type the text again: half of a surrogate pair was left of a character.';
    return value.isWellFormed() ? [] : [{ path, message: 'not well-formed Unicode', hint }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textProblems(inner, `${path}/${name}`));
}

function patternProblems({ targets }: Settings): SettingsProblem[] {
  return targets.flatMap(({ match }, target) =>
    match.flatMap((pattern, place) => {
      const fault = validateMatchPattern(pattern);
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
