import { changesCaseOften, looksRandom } from './looks-random.ts';

/**
 * Folds one path segment, already decoded and without `/`, parentheses' content and `;…` parameters. An allow-list: text
 * stays only if it is made of words, the rest becomes placeholders. What a rule has not thought of is folded, not kept.
 */
export function foldSegment(segment: string): string {
  if (isWhole(segment)) return segment;
  if (EMAIL.test(segment)) return '{email}';
  const [lead] = LEAD.exec(segment) ?? [''];
  const body = segment.slice(lead.length).replace(UUID, '{uuid}');
  if (!ALLOWED.test(body)) return '{text}';
  const atoms = body.match(ATOM) ?? [];
  if (atoms.filter((atom) => WORD.test(atom)).length > MAX_WORDS) return '{text}';
  if (body.length > MAX_SEGMENT_LENGTH) return '{token}';
  const folded = atoms.map((atom, index) => foldAtom(atom, isEnding(atoms, index)));
  return lead + settle(folded, atoms);
}

const MAX_SEGMENT_LENGTH = 64;
/** A segment of more words is the title of something. */
const MAX_WORDS = 6;

const EMAIL = /^[^@]+@[^@]+\.[^@]+$/;
/** Anywhere in a segment, with or without its braces. */
const UUID = /\{?(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])\}?/gi;
/** OData's `$metadata` and `$batch`. */
const LEAD = /^\$?/;
/** Letters of any language, digits, separators, placeholders and the parentheses that hold one. */
const ALLOWED = /^(?:[\p{L}\p{M}0-9_.~-]|\{(?:n|uuid|hash|token|key|email|text|rest)\}|\(\{key\}\))*$/u;
const ATOM = /\(\{key\}\)|\{[a-z]+\}|[\p{L}\p{M}0-9]+|[_.~-]/gu;
const WORD = /^[\p{L}\p{M}0-9]/u;
/** Endings that hold a digit and would be folded as a name with a number. */
const ENDING = /^(mp[34]|m3u8|m4[av]|woff2|jp2|7z|h5)$/i;
/** An API version is part of the name: v1 and v2 are two things. */
const VERSION = /^v\d{1,2}$/i;

function foldAtom(atom: string, ending: boolean): string {
  if (!WORD.test(atom)) return atom;
  if (/^\d+$/.test(atom)) return '{n}';
  if (VERSION.test(atom) || (ending && ENDING.test(atom))) return atom;
  if (!/\d/.test(atom)) return looksRandom(atom) ? '{token}' : atom;
  if (/^[0-9a-f]{6,}$/i.test(atom)) return '{hash}';
  // page12, 100px: a word and a number.
  const [, word = '', , number = '', unit = ''] =
    /^([\p{L}\p{M}]{2,})(\d+)$|^(\d+)([\p{L}\p{M}]{1,3})$/u.exec(atom) ?? [];
  if (word !== '' && !looksRandom(word)) return `${word}{n}`;
  if (number !== '' || unit !== '') return `{n}${unit}`;
  return isNumeronym(atom) ? atom : '{token}';
}

/** i18n, a11y, s4hana, b2b: short, lower case, one group of at most two digits inside. */
function isNumeronym(atom: string): boolean {
  return atom.length <= 7 && /^[a-z]{1,3}\d{1,2}[a-z]{1,5}$/.test(atom);
}

/**
 * A token may hold separators of its own (base64url has - and _), so that pieces of it look like words. Beside a token
 * only whole words stay; otherwise, or with two pieces of letters and digits, all is one token.
 */
function settle(folded: readonly string[], atoms: readonly string[]): string {
  const text = folded.join('');
  if (atoms.filter(isMixed).length > 1 || mixesCasesOddly(atoms)) return '{token}';
  if (!folded.some(isSecret)) return text;
  const others = folded.filter((atom) => !isSecret(atom) && (WORD.test(atom) || atom.startsWith('{')));
  const alone = folded.filter(isSecret).length === 1;
  return alone && others.every((atom) => PLAIN_WORDS.test(atom)) ? text : '{token}';
}

function isSecret(atom: string): boolean {
  return atom === '{token}' || atom === '{hash}';
}

/** Beside a token: words of at least three letters, `myApp` too, or a file ending of two. */
const PLAIN_WORDS = /^(\p{Lu}?\p{Ll}{2,}(\p{Lu}\p{Ll}{2,})*|js|gz)$/u;

/** `kJ-tyBn_xQw`: every piece could be a word, all of them together are none. */
function mixesCasesOddly(atoms: readonly string[]): boolean {
  const words = atoms.filter((atom) => /^\p{L}+$/u.test(atom));
  return words.length > 1 && changesCaseOften(words.join(''));
}

function isMixed(atom: string): boolean {
  return WORD.test(atom) && /\d/.test(atom) && /\p{L}/u.test(atom) && !VERSION.test(atom) && !ENDING.test(atom);
}

function isEnding(atoms: readonly string[], index: number): boolean {
  return index === atoms.length - 1 && atoms[index - 1] === '.';
}

function isWhole(segment: string): boolean {
  return segment === '' || /^\{(?:n|uuid|hash|token|key|email|text|rest)\}$/.test(segment);
}
