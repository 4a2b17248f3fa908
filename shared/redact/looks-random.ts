import { ABBREVIATIONS } from './known-words.ts';
import { meanCommonness } from './letter-pairs.ts';

/**
 * Whether letters without digits look like a token rather than words. Random letters change case all the time, have few
 * vowels, pairs that no word has, or never end. No rule can be sure; admins add rules of their own for what it takes wrongly.
 */
export function looksRandom(letters: string): boolean {
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

/** `kJtyBnxQw`: too many beginnings of words for its length. */
export function changesCaseOften(letters: string): boolean {
  const words = letters.match(CAMEL_WORD) ?? [];
  const least = letters.length >= MANY_LETTERS ? MIN_MEAN_WORD_OF_MANY : MIN_MEAN_WORD;
  return words.length >= 3 && letters.length / words.length < least && /\p{Ll}/u.test(letters);
}

/** Letters per word of camelCase below which it is none. */
const MIN_MEAN_WORD = 3;
const MIN_MEAN_WORD_OF_MANY = 3.5;
const MANY_LETTERS = 16;
const MAX_LETTERS = 40;
const MAX_WORD_LETTERS = 24;
const MIN_LETTERS_TO_JUDGE = 7;
/**
 * Of letter pairs. Of 60,000 words of seven letters and more one in 100 (English) or 200 (other languages) lies
 * below, measured on the very words the pairs were counted from; of random ones 88 % with seven letters, 95 % with 12, 99 % with 24.
 */
const MIN_COMMONNESS = 5.5;
/** `Rechtsschutz` has two vowels, and no pair that is rare. */
const PLAINLY_WORDS = 6.5;
const MIN_LETTERS_FOR_VOWELS = 10;
/** Part of the letters; English and German words have a third or more. */
const MIN_VOWELS = 0.2;
const CAMEL_WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
