import type { Json } from './settings-diff.ts';
import { type Item, type SettingsPath, toItems, toText, valueAt, withValue } from './settings-path.ts';

/** As long as the schema of settings allows. */
const MAX_ID_LENGTH = 63;
/** Letters that decomposing does not bring to ASCII. */
const LATIN: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** An id for a new item: from its name, or from `word` if nothing of the name can be used, and not yet `taken`. */
export function idFor(name: string, word: string, taken: ReadonlySet<string>): string {
  const ascii = name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, (letter) => LATIN[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '');
  const slug = ascii.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '') || word;
  let id = slug.slice(0, MAX_ID_LENGTH).replace(/-+$/, '');
  for (let i = 2; taken.has(id); i++) {
    const end = `-${i}`;
    id = slug.slice(0, MAX_ID_LENGTH - end.length).replace(/-+$/, '') + end;
  }
  return id;
}

/** The ids of all items of a list but the one at `index`. */
export function otherIds(items: readonly Item[], index: number | null): ReadonlySet<string> {
  return new Set(items.filter((_, i) => i !== index).map(({ id }) => toText(id)));
}

/** Where else in the settings the ids of a list are used, by the path of the list. */
const USERS: Readonly<Record<string, readonly (readonly [list: string, property: string])[]>> = {
  targets: [
    ['probes/schedule', 'target'],
    ['alerts/rules', 'target'],
  ],
  'alerts/webhooks': [['alerts/rules', 'webhooks']],
};

/** Gives an item another id, and everything that names it too. */
export function withId(document: Json, path: SettingsPath, id: string): Json {
  const before = toText(valueAt(document, [...path, 'id']));
  let next = withValue(document, [...path, 'id'], id === '' ? undefined : id);
  for (const [list, property] of USERS[path.slice(0, -1).join('/')] ?? []) {
    const steps = list.split('/');
    for (const [i, item] of toItems(valueAt(document, steps)).entries()) {
      const value = item[property];
      const at = [...steps, i, property];
      if (before !== '' && value === before) next = withValue(next, at, id);
      else if (Array.isArray(value) && value.includes(before)) {
        next = withValue(
          next,
          at,
          value.map((one) => (one === before ? id : one)),
        );
      }
    }
  }
  return next;
}
