import { CLIENT_BITS, CONFIRMED, isConfirming, type NameCandidates, type NameSender } from './confirmations.ts';

/** Once a key has used half of its quota, each browser may have introduced at most a sixteenth of it. */
const FREE_SHARE = 1 / 2;
const CLIENT_SHARE = 1 / 16;
/** By how much confirmed names may exceed a total that unconfirmed names in other sets have filled. */
const CONFIRMED_TOTAL_FACTOR = 2;

export class KnownName {
  /** Bitmap of the established browsers that sent it this month, or CONFIRMED. */
  clients: number;
  /** Confirmed last month: permanent this month too. */
  vouched = false;
  /** Named by the settings: it isn't counted and never displaced. */
  configured = false;
  /** The sender that introduced it; empty and -1 if there is none. */
  readonly key: string;
  readonly client: number;

  constructor(by: NameSender | null) {
    this.key = by?.key ?? '';
    this.client = by?.client ?? -1;
    this.clients = by?.vote ?? 0;
  }
}

export function isConfirmed(name: KnownName): boolean {
  return name.clients === CONFIRMED;
}

/** A limit shared by several sets. */
export interface NameTotal {
  used: number;
  readonly max: number;
}

export interface NameSetLimits {
  /** Names that a key may introduce; all keys together twice as many, so that one key leaves room for another. */
  readonly perKey: number;
  /** Names that are kept even if the total is used up. */
  readonly guaranteed: number;
  readonly total: NameTotal;
}

let lastMark = 0;

/**
 * A bounded set of names of one kind, such as the templates of a host. Ingest keys are shared and client ids are free text,
 * so no sender is trusted: a new name is on probation until several established browsers have sent it. Once the set is full,
 * names on probation are displaced by new ones that have been confirmed in the meantime, and confirmed names stay. So a month
 * stores at most twice as many names as the limits allow.
 */
export class NameSet<Name extends KnownName = KnownName> {
  readonly names = new Map<string, Name>();
  readonly #mark = ++lastMark;
  #limits: NameSetLimits;
  readonly #candidates: NameCandidates;
  readonly #make: (by: NameSender | null) => Name;
  /** Called for a name that was displaced or ended with its month. */
  readonly #gone: (name: Name) => void;
  /** Counted names. */
  #size = 0;
  #byKey = new Map<string, number>();
  /** Numbers of names on probation by the browser that introduced them. */
  #byClient: Uint16Array | null = null;
  /** Keys for which no name can be displaced, which saves searching again. */
  readonly #exhausted = new Set<string>();

  constructor(
    limits: NameSetLimits,
    candidates: NameCandidates,
    make: (by: NameSender | null) => Name,
    gone: (name: Name) => void = () => {},
  ) {
    this.#limits = limits;
    this.#candidates = candidates;
    this.#make = make;
    this.#gone = gone;
  }

  /** The name if it is kept; undefined if it has to be folded. */
  admit(text: string, sender: NameSender | null): Name | undefined {
    const known = this.names.get(text);
    if (known !== undefined) {
      this.note(known, sender);
      return known;
    }
    if (this.#hasSpace(sender)) return this.#add(text, this.#make(sender));
    if (sender === null || this.#exhausted.has(sender.key)) return undefined;
    if (sender.vote === 0) return undefined;
    if (!isConfirming(this.#candidates.see(this.#mark, text, sender.vote)) || !this.#displace(sender)) return undefined;
    const name = this.#make(sender);
    name.clients = CONFIRMED;
    return this.#add(text, name);
  }

  /** Counts a sender of a kept name. Cheap once it is confirmed. */
  note(name: KnownName, sender: NameSender | null): void {
    if (sender === null || name.clients === CONFIRMED) return;
    // Before asking whether the browser counts: most unconfirmed names come from the few that sent them before.
    if ((name.clients & (1 << sender.client)) !== 0) return;
    const clients = name.clients | sender.vote;
    if (clients === name.clients) return;
    if (isConfirming(clients)) {
      if (!isPermanent(name)) this.#probation(name, -1);
      name.clients = CONFIRMED;
    } else name.clients = clients;
  }

  /** The settings name exactly these. Those that they named before stay, as if confirmed, for this month. */
  configure(texts: ReadonlySet<string>): void {
    for (const [text, name] of this.names) {
      if (!name.configured || texts.has(text)) continue;
      name.vouched = true;
      name.configured = false;
      this.#count(name, 1);
    }
    for (const text of texts) {
      const known = this.names.get(text);
      if (known?.configured) continue;
      if (known !== undefined) this.#count(known, -1);
      const name = known ?? this.#make(null);
      name.configured = true;
      this.names.set(text, name);
    }
  }

  /** Moves the names to another total. None is removed: an excess only keeps others out. */
  limit(limits: NameSetLimits): void {
    this.#limits.total.used -= this.#size;
    this.#limits = limits;
    limits.total.used += this.#size;
  }

  /** Keeps names of the settings and those confirmed last month. */
  beginMonth(): void {
    for (const [text, name] of this.names) {
      const stays = name.configured || isConfirmed(name);
      this.#count(name, -1);
      name.vouched = isConfirmed(name);
      name.clients = 0;
      if (stays) this.#count(name, 1);
      else this.#remove(text, name);
    }
    this.#exhausted.clear();
  }

  /** Puts all names on probation; none is removed. */
  doubt(): void {
    for (const name of this.names.values()) {
      this.#count(name, -1);
      name.vouched = false;
      name.clients = 0;
      this.#count(name, 1);
    }
    this.#exhausted.clear();
  }

  /** Removes all names. */
  clear(): void {
    this.#limits.total.used -= this.#size;
    this.#size = 0;
    for (const name of this.names.values()) this.#gone(name);
    this.names.clear();
  }

  #hasSpace(sender: NameSender | null): boolean {
    const { perKey, guaranteed, total } = this.#limits;
    if (this.#size >= 2 * perKey || (total.used >= total.max && this.#size >= guaranteed)) return false;
    const used = this.#byKey.get(sender?.key ?? '') ?? 0;
    if (used >= perKey) return false;
    return sender === null || used < perKey * FREE_SHARE || this.#clientUsed(sender) < perKey * CLIENT_SHARE;
  }

  #clientUsed({ client }: NameSender): number {
    return this.#byClient?.[client] ?? 0;
  }

  /** Displaces the oldest name on probation, of the same key if that has used its quota. */
  #displace({ key }: NameSender): boolean {
    const { perKey, guaranteed, total } = this.#limits;
    const used = this.#byKey.get(key) ?? 0;
    const isFull = this.#size >= 2 * perKey || (total.used >= total.max && this.#size >= guaranteed);
    if (!isFull && used < perKey) return true; // only the browser had used up its share
    for (const [text, name] of this.names) {
      if (isPermanent(name) || (used >= perKey && name.key !== key)) continue;
      this.#count(name, -1);
      this.#remove(text, name);
      return true;
    }
    if (this.#size < 2 * perKey && used < perKey && total.used < CONFIRMED_TOTAL_FACTOR * total.max) return true;
    this.#exhausted.add(key);
    return false;
  }

  #add(text: string, name: Name): Name {
    this.names.set(text, name);
    this.#count(name, 1);
    if (!isPermanent(name)) this.#exhausted.clear();
    return name;
  }

  #remove(text: string, name: Name): void {
    this.names.delete(text);
    this.#gone(name);
  }

  #count(name: KnownName, by: 1 | -1): void {
    if (name.configured) return;
    this.#size += by;
    this.#limits.total.used += by;
    this.#byKey.set(name.key, (this.#byKey.get(name.key) ?? 0) + by);
    if (!isPermanent(name)) this.#probation(name, by);
  }

  #probation({ client }: KnownName, by: 1 | -1): void {
    if (client < 0) return;
    this.#byClient ??= new Uint16Array(CLIENT_BITS);
    this.#byClient[client] = (this.#byClient[client] as number) + by;
  }
}

/** Not displaced this month. */
function isPermanent(name: KnownName): boolean {
  return name.configured || name.vouched || name.clients === CONFIRMED;
}

/** The calendar month (UTC) for which names are kept. */
export class CalendarMonth {
  #start = 0;
  #end = 0;

  /** Whether `now`, epoch ms, is in another month than at the last call. */
  turns(now: number): boolean {
    if (now >= this.#start && now < this.#end) return false;
    const date = new Date(now);
    this.#start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.#end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    return true;
  }
}
