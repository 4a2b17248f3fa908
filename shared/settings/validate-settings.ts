import {
  PATTERN_FAULTS,
  type PatternFault,
  validateMatchPattern,
  validateNewMatchPattern,
} from '../redact/match-pattern.ts';
import { validateTemplateRule } from '../redact/template-rules.ts';
import { type DocumentProblem, repeatedIds } from '../vocabulary/document-problem.ts';
import { compileValidator, explainMismatch } from '../vocabulary/explain-mismatch.ts';
import { isPlainText, UNSEEN_FAULT, UNSEEN_HINT } from '../vocabulary/plain-text.ts';
import { alertProblems } from './alert-problems.ts';
import { hostProblems, unlockProblems } from './canonical-hosts.ts';
import { validateExclusionPath, validateNewExclusionPath } from './exclusion-rules.ts';
import { privateContentProblems, probeProblems } from './probe-problems.ts';
import { readRetention, shorterResolution } from './read-retention.ts';
import { reportProblems } from './report-problems.ts';
import { secretProblems } from './secret-problems.ts';
import { type Settings, SettingsSchema } from './settings-schema.ts';
import { siteProblems } from './site-problems.ts';

export type SettingsVerdict =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] };

/** Size of a document as JSON. One with 200 targets of ten patterns and rules each takes half of it. */
export const MAX_SETTINGS_BYTES = 512 * 1024;
/** A document with more problems than this is not a settings document. */
const MAX_PROBLEMS = 20;
const CORRECT_FIRST = 'Correct these first; the others may be consequences.';

/** Validates any JSON value. Only the collector imports this file: typebox's checks need a Function constructor. */
export function validateSettings(document: unknown): SettingsVerdict {
  if (!compileValidator(SettingsSchema).Check(document)) return { ok: false, problems: schemaProblems(document) };
  const settings = document;
  const meaning = [
    ...textProblems(settings, (text) => text.isWellFormed()),
    ...patternProblems(settings, validateMatchPattern),
    ...templateRuleProblems(settings),
    ...exclusionProblems(settings, validateExclusionPath),
    ...repeatedIds('/targets', settings.targets, 'Samples carry the id of their target, so each needs its own.'),
    ...retentionProblems(settings),
    ...probeProblems(settings.probes, settings.targets),
    ...alertProblems(settings.alerts, settings.targets, settings.reports?.mail, settings.probes?.schedule ?? []),
    ...reportProblems(settings.reports),
    ...siteProblems(settings.sites),
    ...unlockProblems(settings),
  ];
  return meaning.length > 0 ? { ok: false, problems: firstOf(meaning) } : { ok: true, settings };
}

/**
 * Validates a document before it takes effect. Stricter than `validateSettings`, which also checks stored documents: a
 * secret reference that is no longer allowed must not stop an upgraded collector from measuring.
 */
export function validateNewSettings(document: unknown): SettingsVerdict {
  const verdict = validateSettings(document);
  if (!verdict.ok) return verdict;
  const { settings } = verdict;
  const problems = [
    ...textProblems(settings, isPlainText),
    ...patternProblems(settings, validateNewMatchPattern),
    ...exclusionProblems(settings, validateNewExclusionPath),
    ...hostProblems(settings),
    ...switchedOff(settings),
  ];
  return problems.length > 0 ? { ok: false, problems: firstOf(problems) } : verdict;
}

/** Problems of stored settings that earlier versions accepted: measuring continues without what they concern. */
export function switchedOff(settings: Settings): DocumentProblem[] {
  return [...secretProblems(settings), ...privateContentProblems(settings.probes)];
}

function firstOf(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const more = problems.length - MAX_PROBLEMS;
  if (more <= 0) return [...problems];
  return [
    ...problems.slice(0, MAX_PROBLEMS),
    { path: '', message: `and ${more} more`, hint: CORRECT_FIRST, code: 'more' },
  ];
}

/** The meaning of a document with another shape is unknown, so other problems are not looked for. */
function schemaProblems(document: unknown): DocumentProblem[] {
  const found: DocumentProblem[] = [];
  for (const problem of explainMismatch(SettingsSchema, document)) {
    if (found.length === MAX_PROBLEMS) {
      return [...found, { path: '', message: 'and more', hint: CORRECT_FIRST, code: 'more' }];
    }
    found.push(problem);
  }
  const unexplained = {
    path: '',
    message: 'not a settings document',
    hint: 'docs/operations.md shows a complete one.',
    code: 'not_settings',
  };
  return found.length === 0 ? [unexplained] : found;
}

/**
 * Of every text but what a probe expects, which is another server's. A lone surrogate passes any `maxLength`, and cannot be
 * written as UTF-8: into a mail, a policy, a database.
 */
function textProblems(settings: Settings, accepts: (text: string) => boolean): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  // The path is joined only for a problem: documents contain tens of thousands of values.
  const path: string[] = [];
  const walk = (value: unknown) => {
    if (typeof value === 'string') {
      const isExpected = path[0] === 'probes' && path.at(-1) === 'text';
      if (isExpected ? value.isWellFormed() : accepts(value)) return;
      problems.push({ path: `/${path.join('/')}`, message: UNSEEN_FAULT, hint: UNSEEN_HINT, code: 'invalid_text' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        path.push(name);
        walk(inner);
        path.pop();
      }
    }
  };
  walk(settings);
  return problems;
}

function patternProblems({ targets }: Settings, validate: (pattern: string) => PatternFault | null): DocumentProblem[] {
  return targets.flatMap(({ match }, target) =>
    match.flatMap((pattern, index) => {
      const kind = validate(pattern);
      if (kind === null) return [];
      const fault = PATTERN_FAULTS[kind];
      const hint = 'A match pattern has a scheme, a host and a path: https://erp.example.com/*';
      const path = `/targets/${target}/match/${index}`;
      return [{ path, message: `${pattern} ${fault}`, hint, code: 'match_pattern', values: { pattern, fault, kind } }];
    }),
  );
}

function templateRuleProblems({ targets }: Settings): DocumentProblem[] {
  return targets.flatMap(({ templateRules = [] }, target) =>
    templateRules.flatMap((rule, index) => {
      const fault = validateTemplateRule(rule);
      if (fault === null) return [];
      const hint = 'A rule is a path made of words, {name}, * and a final **: /users/{user}/orders/*';
      const path = `/targets/${target}/templateRules/${index}`;
      return [{ path, message: `${rule} ${fault}`, hint, code: 'template_rule', values: { rule, fault } }];
    }),
  );
}

function exclusionProblems({ targets }: Settings, validate: typeof validateNewExclusionPath): DocumentProblem[] {
  return targets.flatMap(({ exclude = [], templateRules = [] }, target) =>
    exclude.flatMap(({ path = '' }, index) => {
      const fault = path === '' ? null : validate(path, templateRules);
      if (fault === null) return [];
      const hint = 'Write it as pages appear in reports: /health/**, /orders/{n}, /api/*/ping';
      const at = `/targets/${target}/exclude/${index}/path`;
      return [{ path: at, message: `${path} ${fault}`, hint, code: 'exclusion_path', values: { path, fault } }];
    }),
  );
}

function retentionProblems(settings: Settings): DocumentProblem[] {
  const shorter = shorterResolution(readRetention(settings));
  if (shorter === null) return [];
  const message = 'a coarse resolution must be kept at least as long as the finer one it is made from';
  const hint = 'Keep sampleDays ≤ hourDays ≤ dayDays ≤ monthDays; the defaults are 30, 90, 731 and forever.';
  return [{ path: `/retention/${shorter}`, message, hint, code: 'retention_order' }];
}
