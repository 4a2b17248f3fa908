import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { manifest } from '../../../extension/manifest.mjs';

type Messages = Readonly<Record<string, { readonly message: string }>>;

const LANGUAGES = ['en', 'de'];
const messages = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async (language) => [
      language,
      JSON.parse(await readFile(`extension/_locales/${language}/messages.json`, 'utf8')) as Messages,
    ]),
  ),
) as Record<string, Messages>;
const sources = await Promise.all(
  (await readdir('extension', { recursive: true }))
    .filter((file) => /\.(ts|html)$/.test(file) && /^(pages|background|journey)/.test(file))
    .map((file) => readFile(`extension/${file}`, 'utf8')),
);
const source = [...sources, JSON.stringify(manifest('chromium', '1.0.0'))].join('\n');
/** `state_` of `state_${status.state}`: every text that begins so may be shown. */
const prefixes = [...source.matchAll(/[`']([a-z]+_(?:[a-z]+_)?)\$\{/g)].map(([, prefix = '']) => prefix);

test('both languages have the same texts, none of them empty, with the same places for values', () => {
  const { en = {}, de = {} } = messages;
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const [name, { message }] of Object.entries(en)) {
    const places = (text = '') => (text.match(/\$\d/g) ?? []).sort();
    expect(de[name]?.message, name).toMatch(/\S/);
    expect(places(de[name]?.message), name).toEqual(places(message));
  }
});

test('every text is used', () => {
  expect(prefixes).toContain('state_');
  const unused = Object.keys(messages.en ?? {}).filter(
    (name) =>
      !source.includes(`'${name}'`) &&
      !source.includes(`"${name}"`) &&
      !source.includes(`__MSG_${name}__`) &&
      !prefixes.some((prefix) => name.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});

test('every text that is asked for by its whole name is there', () => {
  const asked = [
    ...source.matchAll(/(?<!\.)\btext\('([a-z_]+)'/g),
    ...source.matchAll(/data-text="([a-z_]+)"/g),
    ...source.matchAll(/\bshowResult\('([a-z_]+)'/g),
    ...source.matchAll(/__MSG_([a-z_]+)__/g),
  ].map(([, name = '']) => name);
  expect(asked.length).toBeGreaterThan(40);
  for (const name of asked) expect(Object.keys(messages.en ?? {}), name).toContain(name);
});

test('words of the vocabulary all have a text', async () => {
  const { RESOURCE_TYPES, CONNECTIONS } = await import('../../../shared/vocabulary/vocabulary.ts');
  const states = ['not_enrolled', 'paused', 'no_settings', 'key_refused', 'no_targets', 'degraded', 'collecting'];
  const names = [
    ...RESOURCE_TYPES.map((type) => `type_${type}`),
    ...CONNECTIONS.map((connection) => `connection_${connection}`),
    ...states.flatMap((state) => [`state_${state}`, `hint_${state}`]),
    ...['hour', 'restart', 'forever'].map((length) => `pause_${length}`),
    ...['restart', 'forever', 'turn'].map((until) => `paused_${until}`),
    ...['ok', 'unreachable', 'wrong_key', 'not_a_collector', 'busy'].map((result) => `result_${result}`),
    ...['not_yet', 'skipped', 'done', 'partly', 'failed'].map((result) => `probe_${result}`),
    ...['policy', 'user', 'package', 'nobody'].map((source_) => `enrolled_by_${source_}`),
  ];
  for (const name of names) expect(Object.keys(messages.en ?? {}), name).toContain(name);
});

test('the pages hold the English texts, for the moment before the script and for whoever reads them', async () => {
  for (const page of ['popup', 'options']) {
    const html = await readFile(`extension/pages/${page}.html`, 'utf8');
    const named = [...html.matchAll(/data-text="([a-z_]+)"[^>]*>\s*([^<]*?)\s*</g)];
    expect(named.length, page).toBeGreaterThan(5);
    for (const [, name = '', shown = ''] of named) {
      expect(shown.replace(/\s+/g, ' '), name).toBe(messages.en?.[name]?.message);
    }
  }
});
