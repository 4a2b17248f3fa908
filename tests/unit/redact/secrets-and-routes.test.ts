import { readFileSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { toTemplate } from '../../../shared/redact/path-template.ts';
import { IS_SHORT, rounds } from '../../rounds.ts';
import { KINDS, type Kind } from './kinds-of-secrets.ts';

const SAMPLES = rounds(1000, 5000);
const MAX_SURVIVING = 0.01;
const MIN_STAYING = 0.98;

/** Few samples may lie three standard errors above a share that many keep to. */
const limit = (share: number) => share + (IS_SHORT ? 3 * Math.sqrt((share * (1 - share)) / SAMPLES) : 0);

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether four characters in a row of the secret are in the template, or a whole group of one whose groups are shorter. */
function survives({ lead = '', secret, end = '' }: Kind, random: () => number): string | null {
  const drawn = secret(random);
  const template = toTemplate(`/go/${lead}${drawn}${end}/next`).slice('/go/'.length, -'/next'.length);
  const rest = template.startsWith(lead) ? template.slice(lead.length) : template;
  const groups = drawn.match(/[A-Za-z0-9]+/g) ?? [];
  const stretch = Math.min(4, Math.max(...groups.map((group) => group.length)));
  const kept = groups.some((group) =>
    Array.from({ length: group.length - stretch + 1 }, (_, at) => group.slice(at, at + stretch)).some((part) =>
      rest.includes(part),
    ),
  );
  return kept ? `${lead}${drawn}${end} → ${template}` : null;
}

test.each(KINDS)('%s: at most 1 % survive', (_name, kind) => {
  const random = seeded(7);
  const surviving = Array.from({ length: SAMPLES }, () => survives(kind, random)).filter((each) => each !== null);
  expect(surviving.length / SAMPLES, surviving.slice(0, 20).join('\n')).toBeLessThanOrEqual(limit(MAX_SURVIVING));
});

/** What docs/measurement.md says of letters too few to be sure of. */
test.each([
  [5, 0.18],
  [6, 0.05],
  [7, 0.03],
])('%i random lower-case letters pass for a word in at most %d of the cases', (length, most) => {
  const random = seeded(7);
  const letters = () => Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
  const drawn = Array.from({ length: SAMPLES }, letters);
  const staying = drawn.filter((each) => toTemplate(`/${each}`) === `/${each}`).length / SAMPLES;
  expect(staying).toBeLessThanOrEqual(limit(most));
});

/** A line per app, `name: word word …`: names in its public routes. The letters were counted without the words of most. */
const ROUTES = new URL('../../fixtures/routes/public-routes.txt', import.meta.url);

it('at least 98 % of the words in 200 public route lists stay, apart from their numbers', () => {
  const lists = readFileSync(ROUTES, 'utf8').trim().split('\n');
  const words = lists.flatMap((list) => list.slice(list.indexOf(': ') + 2).split(' '));
  const lost = words.filter((word) => ![word, word.replace(/\d+/g, '{n}')].includes(toTemplate(`/${word}`).slice(1)));
  expect(lists).toHaveLength(200);
  expect(1 - lost.length / words.length, lost.join(' ')).toBeGreaterThanOrEqual(MIN_STAYING);
});
