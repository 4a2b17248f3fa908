/**
 * Builds everything that runs: the command (dist/lastbyte.mjs), the dashboard (dist/dashboard) and the unpacked
 * extension for each browser (dist/extension/chromium, dist/extension/firefox), packed too (dist/chromium.zip,
 * dist/firefox.xpi). `node esbuild.config.mjs`.
 */
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildDashboard } from './collector/dashboard/build-dashboard.mjs';
import { STAMP_FILE, sourceStamp } from './collector/setup/source-stamp.mjs';
import { buildExtension, LICENSES, packExtension } from './extension/build-extension.mjs';
import { bundledLicenses } from './extension/build-licenses.mjs';

/**
 * Bundled: the certificates of the lab are a development dependency, and `lastbyte target` has to work without those; reading
 * typebox's 700 files one by one took two thirds of the time in which a command starts.
 */
const BUNDLED = [
  ...['asn1-ocsp', 'asn1-schema', 'asn1-x509', 'x509'].map((name) => `@peculiar/${name}`),
  ...['reflect-metadata', 'typebox', '@fastify/type-provider-typebox'],
];

// Built aside and then moved: a command that runs from dist never finds it half there.
const out = `dist-${process.pid}`;
const before = `${out}-before`;
const stamp = sourceStamp('.');
try {
  await mkdir(out, { recursive: true });
  const [command, dashboard] = await Promise.all([
    buildCommand(),
    buildDashboard(`${out}/dashboard`),
    buildExtension(`${out}/extension`),
  ]);
  await writeFile(`${out}/${LICENSES}`, await bundledLicenses([...command, ...dashboard]));
  await packExtension(`${out}/extension`, out);
  await cp('collector/lab/demo/assets', `${out}/assets`, { recursive: true });
  await writeFile(`${out}/${STAMP_FILE}`, stamp);
  await rename('dist', before).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(out, 'dist');
} finally {
  await Promise.all([out, before].map((folder) => rm(folder, { recursive: true, force: true })));
}

async function buildCommand() {
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  const { metafile } = await build({
    entryPoints: {
      lastbyte: 'collector/cli/lastbyte.ts',
      // A thread starts from a file of its own.
      'store-thread': 'collector/cli/store-thread.ts',
      'report-thread': 'collector/reports/render-thread.ts',
    },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only the demo needs (browser drivers) stays in chunks of its own, unloaded by a server.
    splitting: true,
    platform: 'node',
    target: 'node22.18',
    format: 'esm',
    external: Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.includes(name)),
    sourcemap: true,
    banner: { js: '#!/usr/bin/env node' },
    metafile: true,
    logLevel: 'warning',
  });
  await chmod(`${out}/lastbyte.mjs`, 0o755);
  return Object.keys(metafile.inputs);
}
