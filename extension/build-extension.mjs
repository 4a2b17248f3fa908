/**
 * `npm run build:extension [-- --key FILE] [-- --out DIR]`: the extension for each browser, unpacked in dist/extension and
 * packed as dist/chromium.zip and dist/firefox.xpi. The same sources give the same bytes.
 */
import { createPublicKey } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { zipFolder } from '../collector/rollout/package/zip-files.mjs';
import { bundledLicenses } from './build-licenses.mjs';
import { manifest } from './manifest.mjs';

const ENGINES = ['chromium', 'firefox'];
const TARGETS = { chromium: 'chrome121', firefox: 'firefox140' };

/** Gzip bytes. Every page view loads the content script, so exceeding this fails the build. */
const MAX_BYTES = { 'content.js': 4 * 1024, 'background.js': 44 * 1024 };

const PAGES = ['popup', 'options'];
/** What only a robot loads: its page, and what runs in the pages that it replays a journey in. */
const JOURNEY = ['robot', 'replay-page', 'replay-world'];
/** Offscreen documents exist in Chromium only. */
const PROBE_FRAME = 'probe-frame';

/** File in each built folder with the licences of bundled packages. */
export const LICENSES = 'licenses.txt';

/** File names of the packed extension. */
const PACKED = { chromium: 'chromium.zip', firefox: 'firefox.xpi' };

/** Built in a separate folder and then moved, so that a half-finished build is never visible. */
async function buildFromCommandLine() {
  const { values } = parseArgs({ options: { key: { type: 'string' }, out: { type: 'string', default: 'dist' } } });
  const key = values.key === undefined ? undefined : manifestKey(await readFile(values.key));
  await mkdir(values.out, { recursive: true });
  const aside = await mkdtemp(join(values.out, '.building-'));
  try {
    await buildExtension(join(aside, 'extension'), key);
    await packExtension(join(aside, 'extension'), aside);
    for (const name of ['extension', ...Object.values(PACKED)]) {
      await rm(join(values.out, name), { recursive: true, force: true });
      await rename(join(aside, name), join(values.out, name));
    }
  } finally {
    await rm(aside, { recursive: true, force: true, maxRetries: 10 }); // a failed build may still be writing
  }
}

/** The public half of a PEM key, private or public; Chromium derives the extension's id from it. */
function manifestKey(pem) {
  return createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Builds the unpacked extension for each browser: `<outdir>/chromium` and `<outdir>/firefox`. */
export async function buildExtension(outdir, key) {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await Promise.all(ENGINES.map((engine) => buildFor(engine, join(outdir, engine), version, key)));
}

/** Packs what `buildExtension` built in `folder`, for the stores: `<outdir>/chromium.zip` and `<outdir>/firefox.xpi`. */
export async function packExtension(folder, outdir) {
  await Promise.all(
    ENGINES.map(async (engine) => writeFile(join(outdir, PACKED[engine]), await zipFolder(join(folder, engine)))),
  );
}

async function buildFor(engine, dir, version, key) {
  await mkdir(dir, { recursive: true });
  const common = {
    bundle: true,
    format: 'iife',
    target: TARGETS[engine],
    minify: true,
    legalComments: 'none',
    outdir: dir,
    define: { __ENGINE__: JSON.stringify(engine) },
    metafile: true,
    logLevel: 'warning',
  };
  const [content, pages] = await Promise.all([
    build({
      ...common,
      entryPoints: { content: 'extension/content/content.ts', recorder: 'extension/journey/recorder.ts' },
      plugins: [withoutPolyfill],
    }),
    build({
      ...common,
      plugins: engine === 'firefox' ? [withoutPolyfill] : [],
      entryPoints: {
        background: 'extension/background/background.ts',
        ...Object.fromEntries(PAGES.map((page) => [page, `extension/pages/${page}.ts`])),
        ...Object.fromEntries(JOURNEY.map((name) => [name, `extension/journey/${name}.ts`])),
        ...(engine === 'chromium' ? { [PROBE_FRAME]: `extension/probe/${PROBE_FRAME}.ts` } : {}),
      },
    }),
    writeFile(join(dir, 'manifest.json'), `${JSON.stringify(manifest(engine, version, key), null, 2)}\n`),
    cp('extension/managed-schema.json', join(dir, 'managed-schema.json')),
    cp('extension/_locales', join(dir, '_locales'), { recursive: true }),
    cp('extension/icons', join(dir, 'icons'), { recursive: true, filter: (path) => !path.endsWith('.svg') }),
    ...[...PAGES.map((page) => `${page}.html`), 'robot.html', 'pages.css'].map((file) =>
      cp(`extension/pages/${file}`, join(dir, file)),
    ),
    ...(engine === 'chromium' ? [cp(`extension/probe/${PROBE_FRAME}.html`, join(dir, `${PROBE_FRAME}.html`))] : []),
  ]);
  const inputs = [content, pages].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(dir, LICENSES), await bundledLicenses(inputs));
  await assertSizes(dir);
}

async function assertSizes(dir) {
  for (const [file, limit] of Object.entries(MAX_BYTES)) {
    const bytes = gzipSync(await readFile(join(dir, file))).length;
    if (bytes > limit) throw new Error(`${join(dir, file)} is ${bytes} bytes gzip; the limit is ${limit}.`);
  }
}

/**
 * In Firefox the polyfill is the browser's own object anyway. The content script only uses messages and storage, which
 * Chromium too offers as promises natively.
 */
const withoutPolyfill = {
  name: 'without-polyfill',
  setup(builder) {
    builder.onResolve({ filter: /^webextension-polyfill$/ }, ({ path }) => ({ path, namespace: 'platform' }));
    builder.onLoad({ filter: /.*/, namespace: 'platform' }, () => ({
      contents: 'export default globalThis.browser ?? globalThis.chrome;',
    }));
  },
};

// Last, once everything above is initialized.
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildFromCommandLine();
