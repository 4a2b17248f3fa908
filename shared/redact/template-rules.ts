import { PLACEHOLDERS } from './fold-segment.ts';

/**
 * An admin's own rule for one shape of path, such as `/users/{user}/orders/*`: `{name}` matches one segment and is written
 * as it is; `*` is one segment folded by the ordinary rules; a final `**` is any number of them; anything else matches
 * literally, and stays even if it looks like a number.
 *
 * Case is ignored, and so is a trailing `/`: a rule exists to hide something, and many servers treat these alike.
 */
export type TemplateRule = string;

const MAX_RULE_LENGTH = 200;
const LITERAL = /^[$]?[\p{L}\p{M}0-9_.~-]{1,64}$/u;
const CAPTURE = /^\{[a-z]{1,24}\}$/;

/** Null if the rule is valid, else what is wrong with it. */
export function validateTemplateRule(rule: TemplateRule): string | null {
  if (!rule.startsWith('/')) return 'has to start with /, such as /users/{user}';
  if (rule.length > MAX_RULE_LENGTH) return `is longer than ${MAX_RULE_LENGTH} characters`;
  const parts = rule.slice(1).split('/');
  const wrong = parts.findIndex((part, index) => !isPart(part, index === parts.length - 1));
  return wrong < 0
    ? null
    : `has a part that is neither a word, {name}, * nor a final **: ${JSON.stringify(parts[wrong])}`;
}

/**
 * Template of `segments` by the first rule that matches all of them; null if none does. `fold` handles `*` and `**`. Rules
 * that `validateTemplateRule` refuses match nothing.
 */
export function applyTemplateRules(
  segments: readonly string[],
  rules: readonly TemplateRule[],
  fold: (segment: string) => string,
): string[] | null {
  for (const rule of rules) {
    const matched = validateTemplateRule(rule) === null ? applyRule(segments, rule.slice(1).split('/'), fold) : null;
    if (matched !== null) return matched;
  }
  return null;
}

function applyRule(
  segments: readonly string[],
  parts: readonly string[],
  fold: (segment: string) => string,
): string[] | null {
  const open = parts.at(-1) === '**';
  const fixed = open ? parts.slice(0, -1) : withoutEnd(parts);
  const asked = withoutEnd(segments);
  if (open ? asked.length < fixed.length : asked.length !== fixed.length) return null;
  const result: string[] = [];
  for (const [index, segment] of asked.entries()) {
    const part = fixed[index];
    if (part === undefined || part === '*') result.push(fold(segment));
    else if (CAPTURE.test(part) ? segment !== '' : isSame(part, segment)) result.push(part.normalize('NFC'));
    else return null;
  }
  return asked.length < segments.length ? [...result, ''] : result;
}

/** Without the empty segment of a trailing `/`; that of `/` alone stays. */
function withoutEnd(segments: readonly string[]): readonly string[] {
  return segments.length > 1 && segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

/** The path has been normalised; a rule is as typed. */
function isSame(part: string, segment: string): boolean {
  return part.normalize('NFC').toLowerCase() === segment.toLowerCase();
}

function isPart(part: string, last: boolean): boolean {
  if (part === '*' || (part === '' && last) || (part === '**' && last)) return true;
  return CAPTURE.test(part) || PLACEHOLDERS.some((placeholder) => part.includes(placeholder)) || LITERAL.test(part);
}
