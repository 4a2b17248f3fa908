import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const COPIED = ['icon.svg'];
/** Entry points of a first visit; preloads are made from their imports. */
const FIRST = ['dashboard.tsx', 'overview/overview.tsx'];
const COMMON = {
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
};

/** By its BCP 47 tag, the ending of the modules that take the place of those directly in `text/`; null for none. */
const TEXTS = { en: null, de: '.de.ts' };

/**
 * Bundles the dashboard into `folder` once per language, with one chunk per lazily loaded view and one for the charts.
 * Chunks that hold no texts have the same name and content in every language.
 * @returns the paths of all files that are in it
 */
export async function buildDashboard(folder) {
  await mkdir(folder, { recursive: true });
  await build({ ...COMMON, entryPoints: [{ in: here('styles/dashboard.css'), out: 'dashboard' }], outdir: folder });
  await Promise.all(COPIED.map((name) => cp(here(name), `${folder}/${name}`)));
  const page = await readFile(here('index.html'), 'utf8');
  const inputs = [];
  for (const [language, texts] of Object.entries(TEXTS)) {
    const { metafile } = await build({
      ...COMMON,
      entryPoints: [{ in: here('dashboard.tsx'), out: `dashboard.${language}` }],
      outdir: folder,
      plugins: [withoutMaps(), ...(texts === null ? [] : [replacedTexts(texts)])],
    });
    inputs.push(...Object.keys(metafile.inputs));
    const translated = page
      .replace('<html lang="en">', `<html lang="${language}">`)
      .replace('dashboard.js', `dashboard.${language}.js`)
      .replace('  </head>', `${preloads(metafile.outputs)}  </head>`);
    await writeFile(`${folder}/index.${language}.html`, translated);
  }
  return inputs;
}

/**
 * Modules of Observable Plot that no chart uses, a tenth of a first visit's script: its map projections and colour schemes. A chart
 * that asks for one fails.
 */
const WITHOUT = {
  projection: `
    const none = () => { throw new Error('The dashboard is built without map projections: build-dashboard.mjs.'); };
    export const createProjection = ({projection}) => projection == null ? undefined : none();
    export const hasProjection = () => false;
    export const projectionAspectRatio = () => undefined;
    export {none as project, none as xyProjection, none as applyPosition, none as getGeometryChannels};`,
  schemes: `
    const none = () => { throw new Error('The dashboard is built without colour schemes: build-dashboard.mjs.'); };
    export const isCategoricalScheme = () => false;
    export const isDivergingScheme = () => false;
    export {none as ordinalScheme, none as ordinalRange, none as maybeBooleanRange, none as quantitativeScheme};`,
};

function withoutMaps() {
  return {
    name: 'without-maps',
    setup({ onLoad }) {
      onLoad({ filter: /@observablehq[\\/]plot[\\/]src[\\/](scales[\\/]schemes|projection)\.js$/ }, ({ path }) => ({
        contents: WITHOUT[basename(path, '.js')],
      }));
    },
  };
}

function replacedTexts(ending) {
  return {
    name: 'texts',
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
        const translated = resolve(resolveDir, path).replace(/\.ts$/, ending);
        return dirname(translated) === here('text') && existsSync(translated) ? { path: translated } : null;
      });
    },
  };
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
