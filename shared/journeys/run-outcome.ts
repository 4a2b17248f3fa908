import { parseHttpUrl } from '../redact/http-url.ts';
import { toTemplate } from '../redact/path-template.ts';
import type { Breakage } from './breakage.ts';
import type { StepType } from './recording.ts';
import type { VariableValues } from './variables.ts';

export interface StepOutcome {
  /** From 1. */
  readonly step: number;
  readonly type: StepType;
  readonly name: string;
  /** From its event to the last byte that it caused; null where it caused no request, and where it broke. */
  readonly ms: number | null;
  readonly requests: number;
  readonly connections: number;
  /** Over the network, headers included as far as the browser counts them. */
  readonly bytes: number;
  /** Requests that were taken for polls and not waited for. */
  readonly polls: number;
  readonly thresholdMs: number | null;
}

export interface NamedElement {
  readonly role: string;
  readonly name: string;
}

export interface RunOutcome {
  readonly up: boolean;
  /** The sum of all steps' times, without think time; null if the run broke. */
  readonly ms: number | null;
  /** Up to the step that broke, which is the last one. */
  readonly steps: readonly StepOutcome[];
  readonly broke: Breakage | null;
}

const MAX_TEXT = 80;
/** Only the first characters of a text are redacted and shown: a page's title can have any length. */
const MAX_READ = 1_000;
/** A value this short would be found everywhere. */
const MIN_VALUE = 3;

/** Text of a page that may leave the browser: without the values of variables, and without what looks like data. */
export function redactText(text: string, values: VariableValues = {}): string {
  const line = toLine(hideValues(text, values))
    .slice(0, MAX_READ)
    .replace(/[^\s@]+@[^\s@]+/g, '{email}')
    .replace(/\d(?:[\d .,:/-]*\d)?/g, (digits) => (digits.replace(/\D/g, '').length > 2 ? '{n}' : digits))
    .replace(/[^\s{}]{25,}/g, '{token}');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).toWellFormed()}…` : line;
}

/** Replaces the values of variables in every text of an outcome, so that no page can leak them into it. */
export function hideValuesIn<T>(outcome: T, values: VariableValues): T {
  if (typeof outcome === 'string') return toLine(hideValues(outcome, values)) as T;
  if (Array.isArray(outcome)) return outcome.map((each) => hideValuesIn(each, values)) as T;
  if (typeof outcome !== 'object' || outcome === null) return outcome;
  return Object.fromEntries(Object.entries(outcome).map(([name, each]) => [name, hideValuesIn(each, values)])) as T;
}

/** Without what would begin another line, or tell a terminal something. */
export function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Pages show a value in capitals, with other spaces, and within addresses. */
function hideValues(text: string, values: VariableValues): string {
  const forms = Object.entries(values)
    .filter(([, value]) => value.trim().length >= MIN_VALUE)
    .flatMap(([name, value]) => {
      const template = toTemplate(`/${value}`).slice(1);
      // Of a template that is hardly more than placeholders, every address has a part.
      const isTelling = template.replace(/\{\w+\}/g, '').length >= MIN_VALUE;
      const forms = [value.trim(), encodeURIComponent(value), ...(isTelling ? [template] : [])];
      return forms.map((form) => ({ name, form }));
    })
    .sort((a, b) => b.form.length - a.form.length);
  return forms.reduce((result, { name, form }) => {
    const words = form
      .normalize('NFC')
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .split(/\s+/);
    return result.replace(new RegExp(words.join('\\s+'), 'giu'), () => `{{${name}}}`);
  }, text.normalize('NFC'));
}

/** The page's address as it may leave the browser; empty for a page that is none of the web. */
export function redactAddress(address: string): string {
  const url = parseHttpUrl(address);
  return url === null ? '' : url.origin + toTemplate(url.pathname);
}
