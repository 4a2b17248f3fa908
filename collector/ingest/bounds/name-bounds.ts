import { NULL, TEXT_INDEX, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { MAX_HOSTS_PER_TARGET, MAX_TEMPLATES_PER_HOST, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { CalendarMonth } from './calendar-month.ts';

/** Per key. Browsers with older settings still send former targets. */
const MAX_OTHER_TARGETS = 20;
/** Shared by all hosts of a target that the settings don't name, per key. */
const MAX_OTHER_TEMPLATES = 10_000;

export interface NameLimits {
  /** Targets that the settings don't name. */
  readonly otherTargets: number;
  /** Hosts of a target that the settings don't name. */
  readonly otherHosts: number;
  readonly templatesPerHost: number;
  /** Templates of all those other hosts of a target. */
  readonly otherTemplates: number;
}

const LIMITS: NameLimits = {
  otherTargets: MAX_OTHER_TARGETS,
  otherHosts: MAX_HOSTS_PER_TARGET,
  templatesPerHost: MAX_TEMPLATES_PER_HOST,
  otherTemplates: MAX_OTHER_TEMPLATES,
};

/** The bounded text columns, from outer to inner. */
const NAMES = [TEXT_INDEX.target, TEXT_INDEX.host, TEXT_INDEX.template] as const;
/** How many of target, host and template keep their names. */
type Kept = 0 | 1 | 2 | 3;

export interface BoundNames {
  /** With names beyond the limits folded into `(other)`; the same object if none is. */
  readonly columns: BatchColumns;
  /** Rows with a folded name. */
  readonly folded: number;
}

export interface NameBounds {
  /** @param key id of the ingest key; imports have none */
  bound(columns: BatchColumns, now: number, key: string): BoundNames;
  /** Hosts that the settings name, by target: they are kept, whatever else is sent. */
  configure(hosts: ReadonlyMap<string, ReadonlySet<string>>): void;
}

/** The names of one target that came with one key. */
interface TargetNames {
  readonly templates: Map<string, Set<string>>;
  otherHosts: number;
  otherTemplates: number;
}

/**
 * Browsers bound their names themselves; this guards against leaked keys, since every host and template costs the
 * collector memory for as long as it is kept. Each key has a limit of its own for each target, so that one key takes
 * nothing from another. Names are kept in memory only, for a calendar month (UTC).
 */
export function createNameBounds(limits: NameLimits = LIMITS): NameBounds {
  const month = new CalendarMonth();
  const byKey = new Map<string, Map<string, TargetNames>>();
  let configured: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  function admitTarget(targets: Map<string, TargetNames>, target: string): TargetNames | undefined {
    const known = targets.get(target);
    if (known !== undefined) return known;
    if (!configured.has(target)) {
      const others = [...targets.keys()].filter((name) => !configured.has(name)).length;
      if (others >= limits.otherTargets) return undefined;
    }
    const names = { templates: new Map(), otherHosts: 0, otherTemplates: 0 };
    targets.set(target, names);
    return names;
  }

  function admit(targets: Map<string, TargetNames>, target: string, host: string, template: string): Kept {
    const names = admitTarget(targets, target);
    if (names === undefined) return 0;
    const isOther = configured.get(target)?.has(host) !== true;
    let templates = names.templates.get(host);
    if (templates === undefined) {
      if (isOther && names.otherHosts >= limits.otherHosts) return 1;
      if (isOther) names.otherHosts++;
      templates = new Set();
      names.templates.set(host, templates);
    }
    if (templates.has(template)) return 3;
    if (templates.size >= limits.templatesPerHost) return 2;
    if (isOther && names.otherTemplates >= limits.otherTemplates) return 2;
    if (isOther) names.otherTemplates++;
    templates.add(template);
    return 3;
  }

  return {
    bound(columns, now, key) {
      if (month.turns(now)) byKey.clear();
      const targets = byKey.get(key) ?? new Map<string, TargetNames>();
      byKey.set(key, targets);
      const kept = keptNames(columns, (target, host, template) => admit(targets, target, host, template));
      if (kept === null) return { columns, folded: 0 };
      return { columns: foldNames(columns, kept), folded: kept.filter((names) => names < NAMES.length).length };
    },
    configure(hosts) {
      configured = hosts;
    },
  };
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
