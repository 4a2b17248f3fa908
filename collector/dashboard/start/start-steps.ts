import { PATTERN_FAULTS, validateNewMatchPattern } from '../../../shared/redact/match-pattern.ts';
import { idFor, otherIds } from '../model/item-id.ts';
import type { Json } from '../model/settings-diff.ts';
import { toItems, valueAt, withValue } from '../model/settings-path.ts';
import { hostName, wholeSite } from '../model/whole-site.ts';

/** As long as the schema of settings allows. */
const MAX_NAME_LENGTH = 100;

export const START_STEPS = ['apps', 'key', 'package', 'install', 'numbers'] as const;
export type StartStep = (typeof START_STEPS)[number];

/** What the collector says of itself; undefined while it is not known. */
export interface StartFacts {
  readonly settings: Json | undefined;
  readonly tokens: readonly { readonly role: string }[] | undefined;
  readonly packages: { readonly packaged: object | null; readonly missing: readonly string[] } | undefined;
  /** Browsers heard from lately; null if that may not be shown. */
  readonly browsers: number | null | undefined;
}

/** The steps from an empty collector to the first numbers that are done. */
export function doneSteps({ settings, tokens, packages, browsers }: StartFacts): ReadonlySet<StartStep> {
  const hasReported = (browsers ?? 0) > 0;
  const done: readonly (readonly [StartStep, boolean])[] = [
    ['apps', toItems(valueAt(settings, ['targets'])).length > 0],
    ['key', tokens?.some(({ role }) => role === 'ingest') ?? false],
    // An unpacked extension can report without a package.
    ['package', hasReported || packageFits(packages)],
    ['install', hasReported],
  ];
  return new Set(done.flatMap(([step, isDone]) => (isDone ? [step] : [])));
}

/** Whether a package is known that has every host of the apps. */
export function packageFits(packages: StartFacts['packages']): boolean {
  return packages !== undefined && packages.packaged !== null && packages.missing.length === 0;
}

type NoApp =
  | { readonly problem: 'noAddress' | 'several' | 'known' }
  /** With what the words for this problem of the settings say. */
  | { readonly problem: 'pattern'; readonly values: Readonly<Record<'pattern' | 'kind' | 'fault', string>> };

/** The settings with one more app, whose address is all that was typed, or why there is none. */
export function withApp(settings: Json, typed: string): { readonly document: Json } | NoApp {
  const line = typed.trim();
  const parts = line.split(/[\s,;]+/).filter((part) => part !== '');
  // A comma may be part of a path, and words with spaces between are no addresses.
  const isSeveral = parts.length > 1 && parts.every((part) => /[.:]/.test(part) && toPattern(part) !== null);
  if (isSeveral) return { problem: 'several' };
  const pattern = toPattern(line);
  if (pattern === null) return { problem: 'noAddress' };
  const kind = validateNewMatchPattern(pattern);
  if (kind !== null) return { problem: 'pattern', values: { pattern: line, kind, fault: PATTERN_FAULTS[kind] } };
  const targets = toItems(valueAt(settings, ['targets']));
  if (targets.some(({ match }) => Array.isArray(match) && match.includes(pattern))) return { problem: 'known' };
  const name = hostName(pattern).slice(0, MAX_NAME_LENGTH);
  const app = { id: idFor(name, 'app', otherIds(targets, null)), name, match: [pattern] };
  return { document: withValue(settings, ['targets', targets.length], app) };
}

/** `*.example.com` is meant as `https://*.example.com/*`. Null for what is no address. */
function toPattern(line: string): string | null {
  if (!line.includes('*')) return wholeSite(line);
  const pattern = line.includes('://') ? line : `https://${line}`;
  return /:\/\/.*\//.test(pattern) ? pattern : `${pattern}/*`;
}

/** Whether no other machine can reach this address. */
export function isOnlyHere(address: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|\/|$)/i.test(address.trim());
}
