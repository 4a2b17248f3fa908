import { cpSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

/** `/lastbyte/` where the site is a folder of a host. */
const base = process.env.SITE_BASE ?? '/';

const MENU = {
  Start: ['ten-minutes', 'administrators', 'users', 'engineers', 'blind-spots', 'comparison'],
  'Read the numbers': ['dashboard', 'measurement', 'statistics', 'reports', 'data', 'export'],
  'Measure on purpose': ['probes', 'journeys', 'load', 'articles'],
  'Run it': ['rollout', 'stores', 'operations', 'alerts', 'metrics', 'scale'],
  'Trust it': ['privacy', 'security', 'delivery', 'wire-format', 'architecture'],
};

/** Under its heading, up to a colon. */
function entry(name: string) {
  const [, text = name] = /^# ([^:\n]+)/.exec(readFileSync(`../../docs/${name}.md`, 'utf8')) ?? [];
  return { text, link: `/${name}` };
}

const germanSearch = {
  button: { buttonText: 'Suchen', buttonAriaLabel: 'Suchen' },
  modal: {
    displayDetails: 'Ausführlich anzeigen',
    resetButtonTitle: 'Suche leeren',
    noResultsText: 'Nichts gefunden für',
    footer: { selectText: 'öffnen', navigateText: 'blättern', closeText: 'schließen' },
  },
};

const german: DefaultTheme.Config = {
  nav: [
    { text: 'In zehn Minuten', link: '/ten-minutes' },
    { text: 'Der Vergleich', link: '/comparison' },
  ],
  darkModeSwitchLabel: 'Darstellung',
  darkModeSwitchTitle: 'Dunkel anzeigen',
  lightModeSwitchTitle: 'Hell anzeigen',
  langMenuLabel: 'Sprache',
  skipToContentLabel: 'Zum Inhalt springen',
};

export default defineConfig({
  title: 'Lastbyte',
  description: 'What do your users really wait for, from connect to last byte?',
  srcDir: '../../docs',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  base,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de', description: 'Worauf warten Ihre Nutzer wirklich?', themeConfig: german },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: ['ten-minutes', 'comparison'].map(entry),
    sidebar: Object.entries(MENU).map(([text, names]) => ({ text, items: names.map(entry) })),
    outline: 'deep',
    // Only the start page is in German.
    i18nRouting: false,
    search: { provider: 'local', options: { locales: { de: { translations: germanSearch } } } },
  },
  markdown: { anchor: { slugify: anchorAsOnForges }, config: unlinkSources },
  vite: {
    plugins: [
      {
        name: 'lastbyte-site',
        enforce: 'pre',
        // Vite looks for packages beside the documents, and Vue is beside this file, as are the pages while they are rendered.
        resolveId: (source, _, { ssr }) => (ssr && /^vue(\/|$)/.test(source) ? { id: source, external: true } : null),
        // VitePress has an index for each language: the German start page would find itself alone.
        transform: (code, id) =>
          id.endsWith('@localSearchIndex') ? code.replace('@localSearchIndexde', '@localSearchIndexroot') : null,
      },
    ],
  },
  buildEnd: ({ srcDir, outDir }) => {
    for (const file of ['examples', 'grafana']) cpSync(`${srcDir}/${file}`, `${outDir}/${file}`, { recursive: true });
    cpSync(`${srcDir}/../collector/dashboard/icon.svg`, `${outDir}/icon.svg`);
  },
});

/** Links between documents are written for the forge, whose anchors drop punctuation. */
function anchorAsOnForges(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, '');
  return words.trim().replaceAll(' ', '-');
}

/** The site has no sources: links to them are shown as text. */
function unlinkSources(md: MarkdownRenderer): void {
  md.core.ruler.push('unlink_sources', ({ tokens, env }) => {
    const isSource = (href: string) => posix.join(env.relativePath, '..', href).startsWith('../');
    for (const block of tokens) {
      let isDropped = false;
      block.children = (block.children ?? []).filter((token) => {
        if (token.type === 'link_open') isDropped = isSource(token.attrGet('href') ?? '');
        return !(isDropped && token.type.startsWith('link_'));
      });
    }
  });
}
