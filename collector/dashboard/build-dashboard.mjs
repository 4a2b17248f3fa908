import { cp, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const COPIED = ['index.html', 'icon.svg'];

/** Bundles the dashboard into `folder`; each view that is loaded on demand, and the charts, land in chunks of their own. */
export async function buildDashboard(folder) {
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [
      { in: here('dashboard.ts'), out: 'dashboard' },
      { in: here('styles/dashboard.css'), out: 'dashboard' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome121', 'firefox128'],
    minify: true,
    sourcemap: true,
    logLevel: 'warning',
  });
  await Promise.all(COPIED.map((name) => cp(here(name), `${folder}/${name}`)));
}
