import type { NamesOfApps } from '../../../shared/settings/app-names.ts';
import { type ChangeEvent, keyOfChange } from '../changes/change-events.ts';
import type { Explanation } from '../changes/explaining-annotation.ts';
import type { GroupChange } from '../changes/group-change.ts';
import type { ENGLISH_CHANGES } from './english-changes.ts';
import { wordFor } from './word-for.ts';

export type ChangeWords = typeof ENGLISH_CHANGES;

/** More are counted. */
const NAMED_OTHERS = 4;

interface Names {
  readonly apps: NamesOfApps;
  /** Words for types of requests. */
  readonly types: Readonly<Record<string, string>>;
  /** A date, `2026-03-01`, as the reader writes it. */
  day(date: string): string;
}

/** What got slower or faster since when, and what else is known of it. */
export function changeEventText(
  { lead, others }: ChangeEvent,
  explanation: Explanation | null,
  words: ChangeWords,
  names: Names,
): { readonly subject: string; readonly title: string; readonly detail: string } {
  const [first, last] = lead.sinceInterval;
  const named = others.slice(0, NAMED_OTHERS).map((change) => subjectOf(change, words, names));
  const subject = subjectOf(lead, words, names);
  return {
    subject,
    title: words.title(subject, lead, names.day(lead.since)),
    detail: [
      explanation === null ? null : words.after(explanation),
      words.numbers(lead),
      first === last ? null : words.days(names.day(first), names.day(last)),
      named.length === 0 ? null : words.others(named, others.length - named.length),
    ]
      .filter((part) => part !== null)
      .join(' '),
  };
}

function subjectOf(change: GroupChange, words: ChangeWords, { apps, types }: Names): string {
  const { target, host, type, site } = keyOfChange(change);
  if (target != null) return apps.get(target) ?? target;
  if (host == null) return words.site(site ?? null);
  return type == null ? host : `${host}, ${wordFor(types, type)}`;
}
