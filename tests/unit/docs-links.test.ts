import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const PAGES = [...DOCUMENTS, 'README.md', 'CONTRIBUTING.md', 'collector/dashboard/README.md'];

/** Without code, where brackets and signs mean something else. */
function prose(path: string): string {
  return readFileSync(path, 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');
}

/** As forges make them, and the site: packaging/site. */
function anchors(path: string): string[] {
  const headings = Array.from(prose(path).matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('%s: each link within the repository leads to a file, and to a heading of it', (page) => {
  const text = prose(page).replace(/`[^`\n]*`/g, '`');
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    if (path.includes(':')) return false;
    const file = path === '' ? page : posix.join(posix.dirname(page), path);
    return !existsSync(file) || (anchor !== undefined && !anchors(file).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test('each document is in the menu of the site', () => {
  const menu = readFileSync('packaging/site/.vitepress/config.mts', 'utf8');
  const pages = DOCUMENTS.filter((path) => !path.endsWith('/index.md'));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((path) => !menu.includes(`'${posix.basename(path, '.md')}'`))).toEqual([]);
});
