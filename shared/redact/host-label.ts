/// <reference path="./punycode.d.ts" />
// With its file: by its bare name Node takes it for a module of its own, which is deprecated.
import { toUnicode } from 'punycode/punycode.es6.js';
import { canonicalHost } from './host-name.ts';

/** Letters of one script, or of what Japanese and Korean combine; digits and hyphens with any. */
const ONE_SCRIPT = new RegExp(
  `^(?:${['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Han Hiragana Katakana', 'Han Hangul']
    .map((scripts) => `[${scripts.replace(/\w+/g, '\\p{scx=$&}')}\\d-]+`)
    .join('|')})$`,
  'u',
);
/** A label of nothing but these could pass for a Latin one. */
const LIKE_LATIN = /^[асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡαεηικνορτυωχ\d-]+$/;

/**
 * A canonical host as people read it: `xn--mller-kva.example` → `müller.example`. A label that mixes scripts, or that could
 * pass for a Latin one, stays as it is, and so does one that no name is encoded as.
 */
export function hostLabel(host: string): string {
  if (!host.includes('xn--')) return host;
  return host
    .split('.')
    .map((label) => {
      if (!label.startsWith('xn--')) return label;
      const shown = decoded(label);
      return ONE_SCRIPT.test(shown) && !LIKE_LATIN.test(shown) && canonicalHost(shown) === label ? shown : label;
    })
    .join('.');
}

function decoded(label: string): string {
  try {
    return toUnicode(label);
  } catch {
    return label;
  }
}
