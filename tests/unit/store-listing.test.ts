import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../extension/manifest.mjs';

const FOLDER = 'packaging/store';
/** The strictest of the three stores, in characters: Edge's name, Chrome's summary, Edge's description. */
const MAX = { Name: 45, Summary: 132, Description: 10_000, 'Single purpose': 1_000 };
/** Edge wants at least this much. */
const MIN_DESCRIPTION = 250;
/** Edge: terms, characters of each, words of all. */
const MAX_TERMS = [7, 30, 21] as const;
/** Chrome, characters for each permission. */
const MAX_REASON = 1_000;
const MAX_PICTURE_BYTES = 250_000;
const DECLARED = JSON.parse(readFileSync(`${FOLDER}/declarations.json`, 'utf8'));

interface Manifest {
  readonly permissions: readonly string[];
  readonly optional_permissions?: readonly string[];
  readonly optional_host_permissions: readonly string[];
  readonly browser_specific_settings?: {
    readonly gecko: { readonly data_collection_permissions: { readonly required: readonly string[] } };
  };
}
const [chromium, firefox] = [manifest('chromium', '1.0.0'), manifest('firefox', '1.0.0')] as unknown as [
  Manifest,
  Manifest,
];

test('each permission of a manifest has its reason, within what Chrome takes, and nothing else has one', () => {
  const asked = [chromium, firefox].flatMap(({ permissions, optional_permissions = [], optional_host_permissions }) => [
    ...permissions,
    ...optional_permissions,
    ...optional_host_permissions,
  ]);
  expect(Object.keys(DECLARED.permissions).sort()).toEqual([...new Set(asked)].sort());
  for (const [name, reason] of Object.entries<string>(DECLARED.permissions)) {
    expect(reason, name).toMatch(/^[A-Z].{40,}\.$/);
    expect(reason.length, name).toBeLessThanOrEqual(MAX_REASON);
  }
});

test('what is declared to Mozilla is what the manifest declares', () => {
  const { required } = firefox.browser_specific_settings?.gecko.data_collection_permissions ?? { required: [] };
  expect(Object.keys(DECLARED.firefoxDataCollection)).toEqual(required);
});

describe.each(['en', 'de'])('the listing in %s', (language) => {
  const parts = readFileSync(`${FOLDER}/listing.${language}.md`, 'utf8')
    .split(/^## (.+)\n+/m)
    .slice(1);
  const listing: Readonly<Record<string, string>> = Object.fromEntries(
    parts.flatMap((part, at) => (at % 2 === 1 ? [[parts[at - 1], part.trim()]] : [])),
  );

  test('keeps to the lengths of every store', () => {
    for (const [name, max] of Object.entries(MAX)) {
      expect(listing[name]?.length, name).toBeGreaterThan(0);
      expect(listing[name]?.length, name).toBeLessThanOrEqual(max);
    }
    expect(listing.Description?.length).toBeGreaterThanOrEqual(MIN_DESCRIPTION);
    const terms = listing['Search terms']?.split(', ') ?? [];
    const words = terms.flatMap((term) => term.split(' '));
    expect([terms.length <= MAX_TERMS[0], words.length <= MAX_TERMS[2]]).toEqual([true, true]);
    expect(terms.filter((term) => term.length > MAX_TERMS[1])).toEqual([]);
  });

  test('has the name and summary of the package, which Chrome and Edge take from there', () => {
    const texts = JSON.parse(readFileSync(`extension/_locales/${language}/messages.json`, 'utf8'));
    expect([listing.Name, listing.Summary]).toEqual([texts.name.message, texts.description.message]);
  });

  test('has a small picture of 1280×800 for each caption', () => {
    const names = [...(listing.Pictures ?? '').matchAll(/^- (\w+): .+$/gm)].map(([, name]) => name);
    expect(names).toEqual(['popup', 'dashboard', 'options']);
    for (const name of names) {
      const file = `${FOLDER}/pictures/${name}.${language}.png`;
      const png = readFileSync(file);
      expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], file).toEqual([
        'PNG',
        1280,
        800,
      ]);
      expect(png.length, file).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
    }
  });
});
