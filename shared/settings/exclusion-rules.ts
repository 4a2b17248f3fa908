import { toTemplate } from '../redact/path-template.ts';
import type { Sample } from '../sample/sample.ts';
import type { ResourceType } from '../vocabulary/vocabulary.ts';

/** Requests of a target that are counted but excluded from times. All conditions of a rule have to hold. */
export interface ExclusionRule {
  /** As in `URL.hostname`. */
  readonly host?: string;
  /** Matched against the template: `/health/**`, `/api/*\/ping`, `/orders/{n}`. `*` is one part, a final `**` any. */
  readonly path?: string;
  readonly type?: ResourceType;
}

/** Null if the rule is valid, else what is wrong with it. */
export function validateExclusionPath(path: string): string | null {
  if (!path.startsWith('/')) return 'has to start with /, such as /health/**';
  if (/[?#\s]/.test(path)) return 'must not contain ?, # or spaces: only paths leave the browser';
  const parts = path.slice(1).split('/');
  const wrong = parts.find(
    (part, i) => part.includes('*') && part !== '*' && !(part === '**' && i === parts.length - 1),
  );
  return wrong === undefined ? null : `has the part ${wrong}: * stands for a whole part, ** for everything after it`;
}

/**
 * Stricter: a part that no template contains, such as `/orders/4711`, matches nothing. An open path may be named by a rule of
 * the target that it matches only in part, so it is accepted if there is one.
 */
export function validateNewExclusionPath(path: string, templateRules: readonly string[]): string | null {
  const fault = validateExclusionPath(path);
  const parts = path.split('/');
  if (fault !== null || (path.includes('*') && templateRules.length > 0)) return fault;
  const folded = toTemplate(path, templateRules).split('/');
  const named = folded.map((part, i) => (parts[i]?.startsWith('*') ? parts[i] : part)).join('/');
  return named === path ? null : `matches no request: write ${named}, as paths are named`;
}

/** Whether one of the rules matches this sample. */
export function isExcludedByRule(
  { host, template, type }: Pick<Sample, 'host' | 'template' | 'type'>,
  rules: readonly ExclusionRule[] | undefined,
): boolean {
  return (rules ?? []).some(
    (rule) =>
      (rule.host === undefined || rule.host === host) &&
      (rule.type === undefined || rule.type === type) &&
      (rule.path === undefined || matchesPath(template, rule.path)),
  );
}

function matchesPath(template: string, path: string): boolean {
  const asked = template.slice(1).split('/');
  const parts = path.slice(1).split('/');
  const open = parts.at(-1) === '**';
  const fixed = open ? parts.slice(0, -1) : parts;
  if (open ? asked.length < fixed.length : asked.length !== fixed.length) return false;
  return fixed.every((part, i) => part === '*' || part === asked[i]);
}
