import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { runHere } from './command.ts';

const README = readFileSync('README.md', 'utf8');
/** Lines of shell blocks that call the command. */
const CALLS = Array.from(README.matchAll(/^npx lastbyte (.+)$/gm), ([, call = '']) => call);

test('the README calls the command', () => {
  expect(CALLS.length).toBeGreaterThanOrEqual(4);
});

test.each(CALLS)('lastbyte %s: the command and all its options exist', async (call) => {
  const words = call.split(' ');
  const command = words.slice(
    0,
    words.findIndex((word) => word.startsWith('-') || /[./:"]/.test(word)),
  );
  const { code, stdout } = await runHere([...command, '--help']);
  expect(code).toBe(0);
  for (const [option] of call.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(option);
});

test('the settings in the README are valid', () => {
  const [, json = ''] = /<<'END'\n([\s\S]*?)\nEND/.exec(README) ?? [];
  expect(validateSettings(JSON.parse(json))).toMatchObject({ ok: true });
});

test('every file the README links to is there', () => {
  const links = Array.from(README.matchAll(/\]\(([^)#:]+)\)/g), ([, link = '']) => link);
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(readFileSync(link).length).toBeGreaterThan(0);
});
