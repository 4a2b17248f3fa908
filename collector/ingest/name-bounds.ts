import { type EntryNumbers, TEXT_PLACES, type TextColumn } from '../../shared/sample/sample-columns.ts';
import type { BatchColumns } from '../../shared/wire/batch-columns.ts';
import { MAX_HOSTS_PER_TARGET, MAX_TEMPLATES_PER_HOST, OVERFLOW_NAME } from '../../shared/wire/wire-limits.ts';

/** Targets a collector keeps apart at most: five times what the settings allow, since targets come and go. */
const MAX_TARGETS = 1_000;
/** Templates of all hosts together, so that the names of a month fit into some tens of megabytes. */
const MAX_TEMPLATES = 200_000;

export interface NameLimits {
  readonly targets: number;
  readonly hostsPerTarget: number;
  readonly templatesPerHost: number;
  readonly templates: number;
}

const LIMITS: NameLimits = {
  targets: MAX_TARGETS,
  hostsPerTarget: MAX_HOSTS_PER_TARGET,
  templatesPerHost: MAX_TEMPLATES_PER_HOST,
  templates: MAX_TEMPLATES,
};

/** The text columns whose words are bounded, in the order in which one contains the next. */
const NAMES = [TEXT_PLACES.target, TEXT_PLACES.host, TEXT_PLACES.template] as const;
const [TARGET, HOST, TEMPLATE] = NAMES;
type Kept = 0 | 1 | 2 | 3;

export interface NameBounds {
  /** The same columns, names beyond the limits folded into `(other)`. The very same object where nothing is folded. */
  bound(columns: BatchColumns, now: number): BatchColumns;
}

/**
 * Browsers bound their names themselves; this is for keys in the wrong hands, since every host and template costs the
 * collector memory for as long as it is kept. Names are remembered for a calendar month (UTC) and in memory only, so
 * that what is folded today may have its own name again.
 */
export function createNameBounds(limits: NameLimits = LIMITS): NameBounds {
  let targets = new Map<string, Map<string, HostTemplates>>();
  let templates = 0;
  const seen = new SeenTemplates();
  let monthStart = 0;
  let monthEnd = 0;

  /** How many of target, host and template keep their names. */
  function admit(target: string, host: string, template: string): Kept {
    let hosts = targets.get(target);
    if (hosts === undefined) {
      if (targets.size >= limits.targets) return 0;
      hosts = new Map();
      targets.set(target, hosts);
    }
    let known = hosts.get(host);
    if (known === undefined) {
      if (hosts.size >= limits.hostsPerTarget) return 1;
      known = { mark: ++lastMark, names: new Set() };
      hosts.set(host, known);
    }
    const { names } = known;
    if (names.has(template)) return 3;
    if (names.size >= limits.templatesPerHost || templates >= limits.templates) return 2;
    names.add(template);
    templates++;
    return 3;
  }

  return {
    bound(columns, now) {
      if (now < monthStart || now >= monthEnd) {
        targets = new Map();
        templates = 0;
        const date = new Date(now);
        monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
        monthEnd = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
      }
      if (allKnown(columns, seen, (target, host) => targets.get(target)?.get(host))) return columns;
      const kept = keptNames(columns, admit);
      return kept === null ? columns : foldNames(columns, kept);
    },
  };
}

/** What is known of one host of one target. */
interface HostTemplates {
  /** No other has the same, whatever month. */
  readonly mark: number;
  readonly names: Set<string>;
}
let lastMark = 0;

/** At which host each of the reader's templates was found last: most are found nowhere else, and a set is a slow look. */
class SeenTemplates {
  private edition = 0;
  private marks = new Int32Array(0);

  /** Marks by the numbers of these entries. */
  marksOf({ edition, of }: EntryNumbers): Int32Array {
    if (edition !== this.edition) this.marks.fill(0);
    this.edition = edition;
    const last = of.reduce((most, number) => Math.max(most, number), 0);
    if (last >= this.marks.length) {
      const grown = new Int32Array(2 * last + 1);
      grown.set(this.marks);
      this.marks = grown;
    }
    return this.marks;
  }
}

/** Whether there is nothing to decide, as in nearly every batch: one look at each template, one at each pair of the others. */
function allKnown(
  { n, texts }: BatchColumns,
  seen: SeenTemplates,
  templatesOf: (target: string, host: string) => HostTemplates | undefined,
): boolean {
  const [target, host, template] = [texts[TARGET], texts[HOST], texts[TEMPLATE]];
  if (target === undefined || host === undefined || template === undefined) return false;
  const { numbers } = template;
  const seenAt = numbers === undefined ? null : seen.marksOf(numbers);
  const known: (HostTemplates | undefined)[] = [];
  for (let row = 0; row < n; row++) {
    const t = target.codes[row] as number;
    const h = host.codes[row] as number;
    const pair = t * host.entries.length + h;
    const templates = known[pair] ?? templatesOf(target.entries[t] as string, host.entries[h] as string);
    if (templates === undefined) return false;
    known[pair] = templates;
    const code = template.codes[row] as number;
    const number = numbers?.of[code];
    if (seenAt !== null && number !== undefined && seenAt[number] === templates.mark) continue;
    if (!templates.names.has(template.entries[code] as string)) return false;
    if (seenAt !== null && number !== undefined) seenAt[number] = templates.mark;
  }
  return true;
}

/** Row by row; null if every name is kept. */
function keptNames(
  { n, texts }: BatchColumns,
  admit: (target: string, host: string, template: string) => Kept,
): readonly Kept[] | null {
  const [target, host, template] = NAMES.map((place) => texts[place]);
  const word = (text: TextColumn | undefined, row: number) => text?.entries[text.codes[row] as number] ?? '';
  const hosts = host?.entries.length ?? 1;
  const templates = template?.entries.length ?? 1;
  const decided = new Map<number, Kept>();
  const kept: Kept[] = [];
  let folds = false;
  for (let row = 0; row < n; row++) {
    const place = ((target?.codes[row] ?? 0) * hosts + (host?.codes[row] ?? 0)) * templates;
    const key = place + (template?.codes[row] ?? 0);
    let names = decided.get(key);
    if (names === undefined) {
      names = admit(word(target, row), word(host, row), word(template, row));
      decided.set(key, names);
    }
    if (names < NAMES.length) folds = true;
    kept.push(names);
  }
  return folds ? kept : null;
}

function foldNames(columns: BatchColumns, kept: readonly Kept[]): BatchColumns {
  const texts = [...columns.texts];
  for (const [position, place] of NAMES.entries()) {
    const text = columns.texts[place];
    if (text === undefined) continue;
    const other = text.entries.length;
    texts[place] = {
      entries: [...text.entries, OVERFLOW_NAME],
      codes: text.codes.map((code, row) => ((kept[row] ?? 0) > position ? code : other)),
    };
  }
  return { ...columns, texts };
}
