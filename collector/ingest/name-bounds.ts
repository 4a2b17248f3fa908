import { type EntryNumbers, NULL, TEXT_INDEX, type TextColumn } from '../../shared/sample/sample-columns.ts';
import { MAX_HOSTS_PER_TARGET, MAX_TEMPLATES_PER_HOST, OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../storage/columns/batch-columns.ts';
import { CalendarMonth } from './calendar-month.ts';
import { NameCandidates } from './name-candidates.ts';
import { isConfirmed, isSafe, KnownName, NameRoom, type NameSender } from './name-room.ts';

/** Targets that the settings don't name: browsers with older settings still send those of former ones. */
const MAX_OTHER_TARGETS = 100;
/** Of hosts that the settings don't name, of all targets. */
const MAX_HOSTS = 20_000;
/** Of all hosts that the settings name, and of all others: the names of a month fit into some tens of megabytes. */
const MAX_CONFIGURED_TEMPLATES = 100_000;
const MAX_OTHER_TEMPLATES = 50_000;
/** Hosts of a target, and templates of a host, that are kept even if others have filled those totals. */
const GUARANTEED_HOSTS = 32;
const GUARANTEED_TEMPLATES = { configured: 100, other: 4 };

export interface NameLimits {
  readonly otherTargets: number;
  readonly hostsPerTarget: number;
  readonly templatesPerHost: number;
  readonly hosts: number;
  readonly configuredTemplates: number;
  readonly otherTemplates: number;
  readonly guaranteedHosts: number;
  readonly guaranteedTemplates: { readonly configured: number; readonly other: number };
}

const LIMITS: NameLimits = {
  otherTargets: MAX_OTHER_TARGETS,
  hostsPerTarget: MAX_HOSTS_PER_TARGET,
  templatesPerHost: MAX_TEMPLATES_PER_HOST,
  hosts: MAX_HOSTS,
  configuredTemplates: MAX_CONFIGURED_TEMPLATES,
  otherTemplates: MAX_OTHER_TEMPLATES,
  guaranteedHosts: GUARANTEED_HOSTS,
  guaranteedTemplates: GUARANTEED_TEMPLATES,
};

/** The text columns whose words are bounded, in the order in which one contains the next. */
const NAMES = [TEXT_INDEX.target, TEXT_INDEX.host, TEXT_INDEX.template] as const;
const [TARGET, HOST, TEMPLATE] = NAMES;
type Kept = 0 | 1 | 2 | 3;

export interface BoundNames {
  /** The same columns, names beyond the limits folded into `(other)`. The very same object where nothing is folded. */
  readonly columns: BatchColumns;
  /** Rows with a folded name. */
  readonly folded: number;
}

export interface NameBounds {
  bound(columns: BatchColumns, now: number, sender: NameSender | null): BoundNames;
  /** Hosts by target that the settings name: these, and only these, are kept apart whatever else is sent. */
  configure(hosts: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** What was confirmed while every browser counted has to be confirmed again; until then it is on probation. */
  doubtConfirmed(): void;
  /** Names in memory. */
  size(): { readonly targets: number; readonly hosts: number; readonly templates: number };
}

/**
 * Browsers bound their names themselves; this is for keys in the wrong hands, since every host and template costs the
 * collector memory for as long as it is kept. Names are remembered in memory only: for a calendar month (UTC), and the next
 * one too if several browsers of standing sent them. What is folded today may have its own name again.
 */
export function createNameBounds(limits: NameLimits = LIMITS): NameBounds {
  const candidates = new NameCandidates();
  const hostTotal = { used: 0, max: limits.hosts };
  const configuredTotal = { used: 0, max: limits.configuredTemplates };
  const otherTotal = { used: 0, max: limits.otherTemplates };
  const seen = new SeenTemplates();
  const month = new CalendarMonth();

  const targetLimits = { perKey: limits.otherTargets, guaranteed: 0, total: { used: 0, max: Number.MAX_SAFE_INTEGER } };
  const hostLimits = { perKey: limits.hostsPerTarget, guaranteed: limits.guaranteedHosts, total: hostTotal };
  const templateLimits = {
    configured: {
      perKey: limits.templatesPerHost,
      guaranteed: limits.guaranteedTemplates.configured,
      total: configuredTotal,
    },
    other: { perKey: limits.templatesPerHost, guaranteed: limits.guaranteedTemplates.other, total: otherTotal },
  };

  const newHost = (by: NameSender | null) =>
    new KnownHost(by, new NameRoom(templateLimits.other, candidates, (sender) => new KnownName(sender)));
  const newTarget = (by: NameSender | null) =>
    new KnownTarget(by, new NameRoom(hostLimits, candidates, newHost, ({ templates }) => templates.clear()));
  const targets = new NameRoom(targetLimits, candidates, newTarget, ({ hosts }) => hosts.clear());

  /** How many of target, host and template keep their names. */
  function admit(target: string, host: string, template: string, sender: NameSender | null): Kept {
    const knownTarget = targets.admit(target, sender);
    if (knownTarget === undefined) return 0;
    const knownHost = knownTarget.hosts.admit(host, sender);
    if (knownHost === undefined) return 1;
    return knownHost.templates.admit(template, sender) === undefined ? 2 : 3;
  }

  function beginMonth(): void {
    targets.beginMonth();
    for (const { hosts } of targets.names.values()) {
      hosts.beginMonth();
      for (const host of hosts.names.values()) {
        host.mark = ++lastMark;
        host.templates.beginMonth();
      }
    }
  }

  return {
    bound(columns, now, sender) {
      if (month.turns(now)) beginMonth();
      if (allKnown(columns, seen, targets, sender)) return { columns, folded: 0 };
      candidates.beginBody();
      const kept = keptNames(columns, (target, host, template) => admit(target, host, template, sender));
      if (kept === null) return { columns, folded: 0 };
      return { columns: foldNames(columns, kept), folded: kept.filter((names) => names < NAMES.length).length };
    },
    configure(configured) {
      targets.configure(new Set(configured.keys()));
      for (const [target, { hosts }] of targets.names) {
        hosts.configure(configured.get(target) ?? new Set());
        for (const host of hosts.names.values()) {
          host.templates.limit(host.configured ? templateLimits.configured : templateLimits.other);
        }
      }
    },
    doubtConfirmed() {
      targets.doubt();
      for (const { hosts } of targets.names.values()) {
        hosts.doubt();
        for (const host of hosts.names.values()) {
          host.mark = ++lastMark;
          host.templates.doubt();
        }
      }
    },
    size() {
      const all = [...targets.names.values()].flatMap(({ hosts }) => [...hosts.names.values()]);
      return {
        targets: targets.names.size,
        hosts: all.length,
        templates: all.reduce((sum, { templates }) => sum + templates.names.size, 0),
      };
    },
  };
}

class KnownTarget extends KnownName {
  readonly hosts: NameRoom<KnownHost>;

  constructor(by: NameSender | null, hosts: NameRoom<KnownHost>) {
    super(by);
    this.hosts = hosts;
  }
}

class KnownHost extends KnownName {
  /** No other has the same, whatever month. */
  mark = ++lastMark;
  readonly templates: NameRoom;

  constructor(by: NameSender | null, templates: NameRoom) {
    super(by);
    this.templates = templates;
  }
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

/**
 * Whether there is nothing to decide, as in nearly every batch: one look at each template, one at each pair of the others.
 * Only templates that never give way are remembered by their numbers: by the host's mark once they are confirmed, by its
 * negative while only browsers of standing need to be noted, as when every browser has just taken a new number.
 */
function allKnown(
  { n, texts }: BatchColumns,
  seen: SeenTemplates,
  targets: NameRoom<KnownTarget>,
  sender: NameSender | null,
): boolean {
  const [target, host, template] = [texts[TARGET], texts[HOST], texts[TEMPLATE]];
  if (target === undefined || host === undefined || template === undefined) return false;
  const { numbers } = template;
  const seenAt = numbers === undefined ? null : seen.marksOf(numbers);
  const known: (KnownHost | undefined)[] = [];
  for (let row = 0; row < n; row++) {
    const t = target.codes[row] as number;
    const h = host.codes[row] as number;
    const pair = t * host.entries.length + h;
    let at = known[pair];
    if (at === undefined) {
      const of = targets.names.get(target.entries[t] as string);
      at = of?.hosts.names.get(host.entries[h] as string);
      if (of === undefined || at === undefined) return false;
      if (!isConfirmed(of)) targets.note(of, sender);
      if (!isConfirmed(at)) of.hosts.note(at, sender);
      known[pair] = at;
    }
    const code = template.codes[row] as number;
    const number = numbers?.of[code];
    if (seenAt !== null && number !== undefined) {
      const mark = seenAt[number];
      if (mark === at.mark || (mark === -at.mark && (sender === null || sender.vote === 0))) continue;
    }
    const name = at.templates.names.get(template.entries[code] as string);
    if (name === undefined) return false;
    if (!isConfirmed(name)) at.templates.note(name, sender);
    if (seenAt !== null && number !== undefined && isSafe(name))
      seenAt[number] = isConfirmed(name) ? at.mark : -at.mark;
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

function foldText({ entries, codes }: TextColumn, keeps: (row: number) => boolean): TextColumn {
  const other = entries.length;
  return {
    entries: [...entries, OVERFLOW_NAME],
    codes: codes.map((code, row) => (code === NULL || keeps(row) ? code : other)),
  };
}

function foldNames(columns: BatchColumns, kept: readonly Kept[]): BatchColumns {
  const texts = [...columns.texts];
  for (const [position, place] of NAMES.entries()) {
    const text = columns.texts[place];
    if (text === undefined) continue;
    texts[place] = foldText(text, (row) => (kept[row] ?? 0) > position);
  }
  return { ...columns, texts };
}
