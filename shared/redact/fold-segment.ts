import { ABBREVIATIONS, NUMERONYMS } from './known-words.ts';
import { meanCommonness } from './letter-pairs.ts';

/** Placeholders in a template for what was folded. Everything else in a template was written by a programmer. */
export const PLACEHOLDERS = [
  /** Digits, dates, versions. */
  '{n}',
  '{uuid}',
  /** Hexadecimal. */
  '{hash}',
  /** Long or mixed letters and digits. */
  '{token}',
  /** Content of parentheses: SAP's mangled session data, an OData key. */
  '{key}',
  '{email}',
  /** Anything else that is not clearly a word: spaces, `name=value`, broken escapes. */
  '{text}',
  /** The end of a path that is too long. */
  '{rest}',
] as const;

/**
 * Folds one path segment, already decoded and without `/`, parentheses' content and `;…` parameters. An allow-list: only
 * text made of words stays, the rest becomes placeholders. Whatever no rule covers is folded.
 */
export function foldSegment(segment: string): string {
  if (isWhole(segment)) return segment;
  if (EMAIL.test(segment) || EMAIL_IN_WORDS.test(segment)) return '{email}';
  const [lead] = LEAD.exec(segment) ?? [''];
  const body = segment.slice(lead.length).replace(UUID, '{uuid}');
  if (!ALLOWED.test(body)) return '{text}';
  const atoms = body.match(ATOM) ?? [];
  if (atoms.filter((atom) => WORD.test(atom)).length > MAX_WORDS) return '{text}';
  if (body.length > MAX_SEGMENT_LENGTH) return '{token}';
  if (MEETING.test(body) && (meanCommonness(body.split('-')) ?? 0) < MIN_COMMONNESS_OF_THREE) return '{token}';
  const folded = atoms.map((atom, index) => foldAtom(atom, isEnding(atoms, index)));
  return lead + settle(folded, atoms);
}

const MAX_SEGMENT_LENGTH = 64;
/** A segment of more words is the title of something. */
const MAX_WORDS = 6;

const EMAIL = /^[^@]+@[^@]+\.[^@]+$/;
/** `jane_doe_at_example_com`, `jane.doe-at-example.org`: ends like a domain; js, ts and gz are files. */
const EMAIL_IN_WORDS = /[_.-]at[_.-].+[_.-](?!(?:js|ts|gz)$)(?:[a-z]{2}|com|net|org|edu|gov|info|biz|dev|app|cloud)$/i;
/** `abc-mnop-xyz`: a meeting id, unless it is made of words. */
const MEETING = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/i;
const MIN_COMMONNESS_OF_THREE = 6.5;
/** Anywhere in a segment, with or without its braces. */
const UUID = /\{?(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])\}?/gi;
/** OData's `$metadata` and `$batch`. */
const LEAD = /^\$?/;
/** Letters of any language, digits, separators, placeholders and parentheses around one. */
const ALLOWED = /^(?:[\p{L}\p{M}0-9_.~-]|\{(?:n|uuid|hash|token|key|email|text|rest)\}|\(\{key\}\))*$/u;
const ATOM = /\(\{key\}\)|\{[a-z]+\}|[\p{L}\p{M}0-9]+|[_.~-]/gu;
const WORD = /^[\p{L}\p{M}0-9]/u;
/** Endings that contain a digit and would otherwise be folded as a name with a number. */
const ENDING = /^(mp[34]|m3u8|m4[av]|woff2|jp2|7z|h5)$/i;
/** An API version is part of the name: v1 and v2 are two things. */
const VERSION = /^v\d{1,2}$/i;

function foldAtom(atom: string, ending: boolean): string {
  if (!WORD.test(atom)) return atom;
  if (/^\d+$/.test(atom)) return '{n}';
  if (VERSION.test(atom) || (ending && ENDING.test(atom))) return atom;
  // No word has eight letters from a to f alone.
  if (/^[a-f]{8,}$/i.test(atom)) return '{hash}';
  if (!/\d/.test(atom)) return looksRandom(atom) ? '{token}' : atom;
  if (/^[0-9a-f]{6,}$/i.test(atom)) return '{hash}';
  // page12, 100px: a word and a number.
  const [, word = '', , number = '', unit = ''] =
    /^([\p{L}\p{M}]{2,})(\d+)$|^(\d+)([\p{L}\p{M}]{1,3})$/u.exec(atom) ?? [];
  if (word !== '' && !looksRandom(word)) return `${word}{n}`;
  if (number !== '' || unit !== '') return `{n}${unit}`;
  return NUMERONYMS.has(atom) ? atom : '{token}';
}

/**
 * A token may contain separators (base64url has - and _), so that parts of it look like words. Next to a token only
 * whole words are kept; otherwise, or with two mixed parts of letters and digits, the whole segment is one token.
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

/** Next to a token: words of at least three letters, including `myApp`, or a file ending of two. */
const PLAIN_WORDS = /^(\p{Lu}?\p{Ll}{2,}(\p{Lu}\p{Ll}{2,})*|js|gz)$/u;

/** `kJ-tyBn_xQw`: each part could be a word, but not all of them together. */
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
  return segment === '' || (PLACEHOLDERS as readonly string[]).includes(segment);
}

/**
 * Whether letters without digits look like a token rather than words. Random letters change case often, have few vowels or
 * unusual letter pairs, or go on too long. No rule is certain; admins can add rules for false positives.
 */
function looksRandom(letters: string): boolean {
  const words = letters.match(CAMEL_WORD) ?? [];
  if (changesCaseOften(letters) || /(.)\1{3}/i.test(letters)) return true;
  if (letters.length > MAX_LETTERS || words.some((word) => word.length > MAX_WORD_LETTERS)) return true;
  if (letters.length < MIN_LETTERS_TO_JUDGE || !/^[a-z]+$/i.test(letters)) return false;
  const commonness = meanCommonness(words.filter((word) => !ABBREVIATIONS.has(word.toLowerCase()))) ?? PLAINLY_WORDS;
  if (commonness < MIN_COMMONNESS) return true;
  if (letters.length < MIN_LETTERS_FOR_VOWELS || commonness >= PLAINLY_WORDS) return false;
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0;
  return vowels / letters.length < MIN_VOWELS;
}

/** `kJtyBnxQw`: too many capitalised words for its length. */
function changesCaseOften(letters: string): boolean {
  const words = letters.match(CAMEL_WORD) ?? [];
  const least = letters.length >= MANY_LETTERS ? MIN_MEAN_WORD_OF_MANY : MIN_MEAN_WORD;
  return words.length >= 3 && letters.length / words.length < least && /\p{Ll}/u.test(letters);
}

/** Letters per camelCase word below which it is not camelCase. */
const MIN_MEAN_WORD = 3;
const MIN_MEAN_WORD_OF_MANY = 3.5;
const MANY_LETTERS = 16;
const MAX_LETTERS = 40;
const MAX_WORD_LETTERS = 24;
const MIN_LETTERS_TO_JUDGE = 7;
/**
 * Mean commonness of letter pairs. Of 60,000 words of seven letters and more, one in 100 (English) or 200 (other languages)
 * is below, measured on the words the pairs were counted from; of random strings, 88 % with seven letters, 95 % with 12, 99
 * % with 24.
 */
const MIN_COMMONNESS = 5.5;
/** `Rechtsschutz` has two vowels, but no rare pair. */
const PLAINLY_WORDS = 6.5;
const MIN_LETTERS_FOR_VOWELS = 10;
/** Share of the letters; English and German words have a third or more. */
const MIN_VOWELS = 0.2;
const CAMEL_WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
