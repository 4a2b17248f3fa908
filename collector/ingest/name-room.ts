import type { NameCandidates } from './name-candidates.ts';

/** Different browsers of standing that confirm a name: as many as the smallest group that viewers are shown. */
const CONFIRMING_CLIENTS = 5;
/** Clients are told apart by so many bits of a hash, so that a name costs one number, not a list of browsers. */
const CLIENT_BITS = 32;
/** What a name's bitmap is once enough browsers sent it. */
const CONFIRMED = -1;
/** Once a key has used half of its quota, one client may have introduced a sixteenth of it at most. */
const FREE_SHARE = 1 / 2;
const CLIENT_SHARE = 1 / 16;
/** Confirmed names may take so many times the room of a total that names on probation in other rooms have filled. */
const CONFIRMED_TOTAL_FACTOR = 2;

/** Who sent a batch. An import has none: an administrator made it. */
export class NameSender {
  /** Id of the ingest key. */
  readonly key: string;
  readonly #clientId: string;
  readonly #counts: (clientId: string) => boolean;
  #client = -1;
  #vote = -1;

  /** @param counts whether a browser may confirm names: asked at most once, and only about names that aren't confirmed */
  constructor(key: string, clientId: string, counts: (clientId: string) => boolean) {
    this.key = key;
    this.#clientId = clientId;
    this.#counts = counts;
  }

  /** One of CLIENT_BITS numbers. On demand: most batches hold only names that are confirmed. */
  get client(): number {
    if (this.#client < 0) this.#client = fnv1a(this.#clientId) % CLIENT_BITS;
    return this.#client;
  }

  /** Its bit in a name's bitmap; 0 for a browser that confirms nothing. */
  get vote(): number {
    // Unsigned: the highest bit must not make it negative.
    if (this.#vote === -1) this.#vote = this.#counts(this.#clientId) ? (1 << this.client) >>> 0 : 0;
    return this.#vote;
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export class KnownName {
  /** Bitmap of the clients of standing that sent it this month, or CONFIRMED. */
  clients: number;
  /** Confirmed last month: safe this month too. */
  vouched = false;
  /** The settings name it: it takes no room and never gives way. */
  configured = false;
  /** Of the key and the client that introduced it; empty and -1 without a sender. */
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

/** Names in several rooms that share memory. */
export interface NameTotal {
  used: number;
  readonly max: number;
}

export interface NameRoomLimits {
  /** Names a key may introduce; all keys together twice as many, so that one key leaves room for another. */
  readonly perKey: number;
  /** Names that fit in whatever the total says. */
  readonly guaranteed: number;
  readonly total: NameTotal;
}

let lastMark = 0;

/**
 * The names of one kind in one place, such as the templates of a host. Ingest keys are shared and clients are free text, so
 * nothing here trusts a sender: a new name is on probation until several browsers of standing sent it. When the room is full,
 * names on probation give way to new ones that were confirmed in the meantime, and confirmed names stay. So a month stores at
 * most twice as many names as fit.
 */
export class NameRoom<Name extends KnownName = KnownName> {
  readonly names = new Map<string, Name>();
  readonly #mark = ++lastMark;
  #limits: NameRoomLimits;
  readonly #candidates: NameCandidates;
  readonly #make: (by: NameSender | null) => Name;
  /** Called for a name that gave way or ended with its month. */
  readonly #gone: (name: Name) => void;
  /** Names that take room. */
  #size = 0;
  #byKey = new Map<string, number>();
  /** Names on probation by the client that introduced them. */
  #byClient: Uint16Array | null = null;
  /** Keys for which nothing in here gives way, so that it need not be looked for again. */
  readonly #exhausted = new Set<string>();

  constructor(
    limits: NameRoomLimits,
    candidates: NameCandidates,
    make: (by: NameSender | null) => Name,
    gone: (name: Name) => void = () => {},
  ) {
    this.#limits = limits;
    this.#candidates = candidates;
    this.#make = make;
    this.#gone = gone;
  }

  /** The name if it is kept, undefined if it has to be folded. */
  admit(text: string, sender: NameSender | null): Name | undefined {
    const known = this.names.get(text);
    if (known !== undefined) {
      this.note(known, sender);
      return known;
    }
    if (this.#hasSpace(sender)) return this.#add(text, this.#make(sender));
    if (sender === null || this.#exhausted.has(sender.key)) return undefined;
    if (sender.vote === 0) return undefined;
    if (!enough(this.#candidates.see(this.#mark, text, sender.vote)) || !this.#makeWay(sender)) return undefined;
    const name = this.#make(sender);
    name.clients = CONFIRMED;
    return this.#add(text, name);
  }

  /** Counts one more sender of a name that is kept. Cheap once it is confirmed. */
  note(name: KnownName, sender: NameSender | null): void {
    if (sender === null || name.clients === CONFIRMED) return;
    // First without asking who counts: most of what isn't confirmed comes from the few that sent it before.
    if ((name.clients & (1 << sender.client)) !== 0) return;
    const clients = name.clients | sender.vote;
    if (clients === name.clients) return;
    if (enough(clients)) {
      if (!isSafe(name)) this.#probation(name, -1);
      name.clients = CONFIRMED;
    } else name.clients = clients;
  }

  /** The settings name exactly these. Others that they named before stay, and are as good as confirmed this month. */
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

  /** Moves the names to another total. None goes: what is too many then only keeps others out. */
  limit(limits: NameRoomLimits): void {
    this.#limits.total.used -= this.#size;
    this.#limits = limits;
    limits.total.used += this.#size;
  }

  /** Keeps what the settings name and what several browsers sent last month. */
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

  /** Puts all names on probation; none goes. */
  doubt(): void {
    for (const name of this.names.values()) {
      this.#count(name, -1);
      name.vouched = false;
      name.clients = 0;
      this.#count(name, 1);
    }
    this.#exhausted.clear();
  }

  /** None of these names takes memory any more. */
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

  /** The oldest name on probation gives way: of the same key where that has used its quota. */
  #makeWay({ key }: NameSender): boolean {
    const { perKey, guaranteed, total } = this.#limits;
    const used = this.#byKey.get(key) ?? 0;
    const roomFull = this.#size >= 2 * perKey || (total.used >= total.max && this.#size >= guaranteed);
    if (!roomFull && used < perKey) return true; // only its client had used its share
    for (const [text, name] of this.names) {
      if (isSafe(name) || (used >= perKey && name.key !== key)) continue;
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
    if (!isSafe(name)) this.#exhausted.clear();
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
    if (!isSafe(name)) this.#probation(name, by);
  }

  #probation({ client }: KnownName, by: 1 | -1): void {
    if (client < 0) return;
    this.#byClient ??= new Uint16Array(CLIENT_BITS);
    this.#byClient[client] = (this.#byClient[client] as number) + by;
  }
}

/** Never gives way this month. */
export function isSafe(name: KnownName): boolean {
  return name.configured || name.vouched || name.clients === CONFIRMED;
}

function enough(clients: number): boolean {
  let count = 0;
  for (let left = clients; left !== 0; left &= left - 1) count++;
  return count >= CONFIRMING_CLIENTS;
}
