import { NULL, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { MAX_HOSTS_PER_TARGET, MAX_TEMPLATES_PER_HOST, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { NameCandidates, type NameSender } from './confirmations.ts';
import { CalendarMonth, isConfirmed, KnownName, NameSet } from './name-set.ts';

/** Targets that the settings don't name: browsers with older settings still send former ones. */
const MAX_OTHER_TARGETS = 100;
/** Hosts that the settings don't name, of all targets. */
const MAX_HOSTS = 20_000;
/**
 * Templates of all hosts that the settings name, and of all others: a month's names fit into a few tens of megabytes.
 */
const MAX_CONFIGURED_TEMPLATES = 100_000;
const MAX_OTHER_TEMPLATES = 50_000;
/** Hosts of a target, and templates of a host, that are kept even if others have used up those totals. */
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

/** The bounded text columns, from outer to inner. */
const NAMES = [TEXT_INDEX.target, TEXT_INDEX.host, TEXT_INDEX.template] as const;
const [TARGET, HOST, TEMPLATE] = NAMES;
type Kept = 0 | 1 | 2 | 3;

export interface BoundNames {
  /** With names beyond the limits folded into `(other)`; the same object if none is. */
  readonly columns: BatchColumns;
  /** Rows with a folded name. */
  readonly folded: number;
}

export interface NameBounds {
  bound(columns: BatchColumns, now: number, sender: NameSender | null): BoundNames;
  /** Hosts that the settings name, by target: only these are kept regardless of what is sent. */
  configure(hosts: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Puts names on probation that were confirmed while every browser counted. */
  doubtConfirmed(): void;
  /** Names in memory. */
  size(): { readonly targets: number; readonly hosts: number; readonly templates: number };
}

/**
 * Browsers bound their names themselves; this guards against leaked keys, since every host and template costs the
 * collector memory for as long as it is kept. Names are kept in memory only: for a calendar month (UTC), and for the
 * next one too if several established browsers sent them. A name that is folded today may be kept later.
 */
export function createNameBounds(limits: NameLimits = LIMITS): NameBounds {
  const candidates = new NameCandidates();
  const hostTotal = { used: 0, max: limits.hosts };
  const configuredTotal = { used: 0, max: limits.configuredTemplates };
  const otherTotal = { used: 0, max: limits.otherTemplates };
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
    new KnownHost(by, new NameSet(templateLimits.other, candidates, (sender) => new KnownName(sender)));
  const newTarget = (by: NameSender | null) =>
    new KnownTarget(by, new NameSet(hostLimits, candidates, newHost, ({ templates }) => templates.clear()));
  const targets = new NameSet(targetLimits, candidates, newTarget, ({ hosts }) => hosts.clear());

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
        host.templates.beginMonth();
      }
    }
  }

  return {
    bound(columns, now, sender) {
      if (month.turns(now)) beginMonth();
      if (allKnown(columns, targets, sender)) return { columns, folded: 0 };
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
  readonly hosts: NameSet<KnownHost>;

  constructor(by: NameSender | null, hosts: NameSet<KnownHost>) {
    super(by);
    this.hosts = hosts;
  }
}

class KnownHost extends KnownName {
  readonly templates: NameSet;

  constructor(by: NameSender | null, templates: NameSet) {
    super(by);
    this.templates = templates;
  }
}

/** The fast path of nearly every batch: whether all names are kept, by one lookup per template and one per pair of target and host. */
function allKnown({ n, texts }: BatchColumns, targets: NameSet<KnownTarget>, sender: NameSender | null): boolean {
  const [target, host, template] = [texts[TARGET], texts[HOST], texts[TEMPLATE]];
  if (target === undefined || host === undefined || template === undefined) return false;
  const known: (KnownHost | undefined)[] = [];
  for (let row = 0; row < n; row++) {
    const t = target.codes[row] as number;
    const h = host.codes[row] as number;
    const pair = t * host.strings.length + h;
    let at = known[pair];
    if (at === undefined) {
      const of = targets.names.get(target.strings[t] as string);
      at = of?.hosts.names.get(host.strings[h] as string);
      if (of === undefined || at === undefined) return false;
      if (!isConfirmed(of)) targets.note(of, sender);
      if (!isConfirmed(at)) of.hosts.note(at, sender);
      known[pair] = at;
    }
    const code = template.codes[row] as number;
    const name = at.templates.names.get(template.strings[code] as string);
    if (name === undefined) return false;
    if (!isConfirmed(name)) at.templates.note(name, sender);
  }
  return true;
}

/** Row by row; null if every name is kept. */
function keptNames(
  { n, texts }: BatchColumns,
  admit: (target: string, host: string, template: string) => Kept,
): readonly Kept[] | null {
  const [target, host, template] = NAMES.map((index) => texts[index]);
  const stringAt = (text: TextColumn | undefined, row: number) => text?.strings[text.codes[row] as number] ?? '';
  const hosts = host?.strings.length ?? 1;
  const templates = template?.strings.length ?? 1;
  const decided = new Map<number, Kept>();
  const kept: Kept[] = [];
  let folds = false;
  for (let row = 0; row < n; row++) {
    const pair = ((target?.codes[row] ?? 0) * hosts + (host?.codes[row] ?? 0)) * templates;
    const key = pair + (template?.codes[row] ?? 0);
    let names = decided.get(key);
    if (names === undefined) {
      names = admit(stringAt(target, row), stringAt(host, row), stringAt(template, row));
      decided.set(key, names);
    }
    if (names < NAMES.length) folds = true;
    kept.push(names);
  }
  return folds ? kept : null;
}

function foldText({ strings, codes }: TextColumn, keeps: (row: number) => boolean): TextColumn {
  const other = strings.length;
  return {
    strings: [...strings, OVERFLOW_NAME],
    codes: codes.map((code, row) => (code === NULL || keeps(row) ? code : other)),
  };
}

function foldNames(columns: BatchColumns, kept: readonly Kept[]): BatchColumns {
  const texts = [...columns.texts];
  for (const [position, index] of NAMES.entries()) {
    const text = columns.texts[index];
    if (text === undefined) continue;
    texts[index] = foldText(text, (row) => (kept[row] ?? 0) > position);
  }
  return { ...columns, texts };
}
