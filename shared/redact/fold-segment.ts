import { NUMERONYMS } from './known-words.ts';
import { changesCaseOften, wordEvidence } from './word-evidence.ts';

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
  const folded = atoms.map((atom, index) => foldAtom(atom, isEnding(atoms, index)));
  return lead + settle(folded, atoms, isEnding(atoms, atoms.length - 1));
}

const MAX_SEGMENT_LENGTH = 64;
/** A segment of more words is the title of something. */
const MAX_WORDS = 6;

const EMAIL = /^[^@]+@[^@]+\.[^@]+$/;
/** `jane_doe_at_example_com`, `jane.doe-at-example.org`: ends like a domain; js, ts and gz are files. */
const EMAIL_IN_WORDS = /[_.-]at[_.-].+[_.-](?!(?:js|ts|gz)$)(?:[a-z]{2}|com|net|org|edu|gov|info|biz|dev|app|cloud)$/i;
/** Anywhere in a segment, with or without its braces. */
const UUID = /\{?(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])\}?/gi;
/** OData's `$metadata` and `$batch`. */
const LEAD = /^\$?/;
/** Letters of any language, digits, separators, placeholders and parentheses around one. */
const ALLOWED = /^(?:[\p{L}\p{M}0-9_.~-]|\{(?:n|uuid|hash|token|key|email|text|rest)\}|\(\{key\}\))*$/u;
const ATOM = /\(\{key\}\)|\{[a-z]+\}|[\p{L}\p{M}0-9]+|[_.~-]/gu;
const WORD = /^[\p{L}\p{M}0-9]/u;
/** Of files: not judged as letters or numbers, as code groups are. */
const ENDING = new RegExp(
  `^(?:${[
    '7z|asmx|aspx?|ashx|avif|axd|bin|bmp|c?js|cgi|conf|cfm|css|csv|dat|dll|docx?|exe|gif|gz|h5|html?|icon?|ics',
    'ini|jar|jp2|jpe?g|jspx?|json|log|m3u8|m4[av]|map|md|mjs|mp[34]|mpg|mov|msi|odt|ogg|otf|pdf|php|pl|png|pptx?|py',
    'rar|rss|rtf|s?html|svc|svg|swf|tar|tiff?|tgz|tsx?|ttf|txt|wasm|wav|webm|webp|woff2?|wsdl|xhtml|xlsx?|xml|xsd|xsl|ya?ml|zip',
  ].join('|')})$`,
  'i',
);
/** An API version is part of the name: v1, v1beta2 and v1p1beta1 are different things. */
const VERSION = /^v\d{1,2}(?:(?:alpha|beta|rc|p)\d{0,2}){0,2}$/i;

function foldAtom(atom: string, ending: boolean): string {
  if (!WORD.test(atom)) return atom;
  if (/^\d+$/.test(atom)) return '{n}';
  if (VERSION.test(atom) || ending) return atom;
  // No word has eight letters from a to f alone.
  if (/^[a-f]{8,}$/i.test(atom)) return '{hash}';
  if (!/\d/.test(atom)) return looksRandom(atom) ? '{token}' : atom;
  if (/^[0-9a-f]{6,}$/i.test(atom)) return '{hash}';
  // page12, v20260131, 100px: a word and a number.
  const [, word = '', unit = ''] = /^([\p{L}\p{M}]{2,}|v)\d+$|^\d+([\p{L}\p{M}]{1,3})$/u.exec(atom) ?? [];
  if (word !== '' && !looksRandom(word)) return `${word}{n}`;
  if (unit !== '') return `{n}${unit}`;
  if (NUMERONYMS.has(atom)) return atom;
  const words = atom.replace(/\d+/g, '{n}');
  return NUMBER_AMID_WORDS.test(words) && (wordEvidence(atom.replace(/\d+/g, '')) ?? 0) >= EVIDENCE_BESIDE_NUMBER
    ? words
    : '{token}';
}

/** `createOauth2Provider`, `s3Buckets`. */
const NUMBER_AMID_WORDS = /^\p{L}+\{n\}\p{L}+$/u;
const EVIDENCE_BESIDE_NUMBER = 9;

/**
 * A token may contain separators (base64url has - and _), and codes are written in groups, so that each part could be a word.
 * The segment is one token if its letters are none together, or if it has two mixed parts of letters and digits. Next to a
 * token only what is clearly a word is kept.
 */
function settle(folded: readonly string[], atoms: readonly string[], hasEnding: boolean): string {
  const stem = hasEnding ? folded.slice(0, -1) : folded;
  if (atoms.filter(isMixed).length > 1 || isSerial(atoms.filter((atom) => WORD.test(atom))) || isCode(stem))
    return '{token}';
  const secrets = stem.filter(isSecret);
  if (secrets.length === 0) return folded.join('');
  const others = stem.filter((atom) => !isSecret(atom) && (WORD.test(atom) || atom.startsWith('{')));
  return secrets.length === 1 && others.every(isClearlyWord) ? folded.join('') : '{token}';
}

function isSecret(atom: string): boolean {
  return atom === '{token}' || atom === '{hash}';
}

/** Next to a token: words of at least three letters, including `myApp`. */
const PLAIN_WORDS = /^\p{Lu}?\p{Ll}{2,}(?:\p{Lu}\p{Ll}{2,})*$/u;
const EVIDENCE_BESIDE_TOKEN = 5;

function isClearlyWord(atom: string): boolean {
  return PLAIN_WORDS.test(atom) && (wordEvidence(atom) ?? 0) >= EVIDENCE_BESIDE_TOKEN;
}

/**
 * `ABCD-EFGH`, `mpjb-uvoa-qfhc`, `xoxb-123-abc`, `ORD-KXQZ-17`: each group could be an abbreviation, but not all of them
 * together. Neighbours are judged too, lest a long word hide them.
 */
function isCode(folded: readonly string[]): boolean {
  const groups = folded.map((atom) => atom.replace('{n}', '')).filter((atom) => /^[\p{L}\p{M}]+$/u.test(atom));
  const hasNumber = folded.some((atom) => atom.includes('{n}'));
  if (groups.length < 2 && !hasNumber) return false;
  if (groups.length > 1 && changesCaseOften(groups.join(''))) return true;
  if (isBelow(groups, hasNumber ? leastBesideNumber : leastTogether)) return true;
  if (
    groups.length > 2 &&
    isOfOneLength(groups) &&
    isBelow(groups, ({ length }) => length * EVIDENCE_OF_ORDINARY_LETTER)
  )
    return true;
  return groups.some((_, from) =>
    groups.some(
      (_, to) => to > from && to - from < groups.length - 1 && isBelow(groups.slice(from, to + 1), leastOfPart),
    ),
  );
}

/** `lusab-babad-gutih`: made to be pronounced, yet less like words than words. */
const EVIDENCE_OF_ORDINARY_LETTER = 1.2;

/** `0a-1b-22-3c`, `4821-KXQZ-1177`: letters and digits in three or more groups. */
function isSerial(groups: readonly string[]): boolean {
  const all = groups.join('');
  return groups.length > 2 && isOfOneLength(groups) && /\d/.test(all) && /\p{L}/u.test(all);
}

function isOfOneLength(groups: readonly string[]): boolean {
  return groups.every(({ length }) => length > 1 && length === groups[0]?.length);
}

function isBelow(groups: readonly string[], least: (letters: string) => number): boolean {
  const evidence = groups.map((group) => wordEvidence(group) ?? Number.POSITIVE_INFINITY);
  return evidence.reduce((sum, each) => sum + each, 0) < least(groups.join(''));
}

function isMixed(atom: string): boolean {
  return WORD.test(atom) && /\d/.test(atom) && /\p{L}/u.test(atom) && !VERSION.test(atom) && !ENDING.test(atom);
}

function isEnding(atoms: readonly string[], index: number): boolean {
  return index > 1 && index === atoms.length - 1 && atoms[index - 1] === '.' && ENDING.test(atoms[index] ?? '');
}

function isWhole(segment: string): boolean {
  return segment === '' || (PLACEHOLDERS as readonly string[]).includes(segment);
}

/** Whether letters without digits look like a token, not words. No rule is certain; admins can add exceptions. */
function looksRandom(letters: string): boolean {
  return changesCaseOften(letters) || /(.)\1{3}/i.test(letters) || isBelow([letters], leastAlone);
}

/**
 * The evidence below which letters are taken for a code. The fewer there are, the less can be told: up to four letters are
 * an abbreviation, and so are up to five in groups (`en-us`). Codes are often capitals, names of pages seldom.
 */
function leastAlone(letters: string): number {
  if (letters.length < 5) return Number.NEGATIVE_INFINITY;
  return isCapitals(letters) ? 5 : (LEAST_ALONE[letters.length - 5] ?? 2);
}

/** With five letters, six, seven and eight: at most 18, 5, 3 and 1 % of random ones pass, with nine and more 1 %. */
const LEAST_ALONE: readonly number[] = [-3, 1, 1, 3];

function leastTogether(letters: string): number {
  if (letters.length < 6) return Number.NEGATIVE_INFINITY;
  return isCapitals(letters) ? 8 : letters.length > 6 ? 5.5 : 7;
}

function leastOfPart(letters: string): number {
  if (letters.length < 6) return Number.NEGATIVE_INFINITY;
  return isCapitals(letters) ? 8 : letters.length < 8 ? 2 : 4.5;
}

/** `INV-2024` and `page-12` may be read, `KXQZ-4821` is a code. */
function leastBesideNumber(letters: string): number {
  if (letters.length < 4) return Number.NEGATIVE_INFINITY;
  return letters.length > 5 ? leastTogether(letters) : isCapitals(letters) ? 6.5 : 1;
}

function isCapitals(letters: string): boolean {
  return /^\p{Lu}+$/u.test(letters);
}
