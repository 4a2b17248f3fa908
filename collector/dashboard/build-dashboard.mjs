import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const COPIED = ['icon.svg'];
/** Entry points of a first visit; preloads are made from their imports. */
const FIRST = ['dashboard.tsx', 'overview/overview.tsx'];

/** Bundles the dashboard into `folder`, with one chunk per lazily loaded view and one for the charts. */
export async function buildDashboard(folder) {
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: [
      { in: here('dashboard.tsx'), out: 'dashboard' },
      { in: here('styles/dashboard.css'), out: 'dashboard' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: ['chrome121', 'firefox128'],
    minify: true,
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
  });
  await Promise.all(COPIED.map((name) => cp(here(name), `${folder}/${name}`)));
  const page = await readFile(here('index.html'), 'utf8');
  await writeFile(`${folder}/index.html`, page.replace('  </head>', `${preloads(metafile.outputs)}  </head>`));
}

/** Without preloads a browser discovers the imports of each module one round trip after the other. */
function preloads(outputs) {
  const names = new Set();
  const visit = (path) => {
    if (names.has(path)) return;
    names.add(path);
    for (const { path: imported, kind } of outputs[path].imports) if (kind === 'import-statement') visit(imported);
  };
  for (const first of FIRST) {
    const found = Object.keys(outputs).find((path) => outputs[path].entryPoint?.endsWith(`dashboard/${first}`));
    if (found === undefined) throw new Error(`Nothing was built from ${first}.`);
    visit(found);
  }
  return [...names].map((path) => `    <link rel="modulepreload" href="${basename(path)}">\n`).join('');
}
