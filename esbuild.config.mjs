/**
 * Builds everything that runs: the command (dist/lastbyte.mjs), the dashboard (dist/dashboard) and the unpacked
 * extension for each browser (dist/extension/chromium, dist/extension/firefox), packed too (dist/chromium.zip,
 * dist/firefox.xpi). `node esbuild.config.mjs`.
 */
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildDashboard } from './collector/dashboard/build-dashboard.mjs';
import { STAMP_FILE, sourceStamp } from './collector/setup/source-stamp.mjs';
import { buildExtension, packExtension } from './extension/build-extension.mjs';

/** Bundled: its 700 files, read one by one, made up two thirds of the time that every command took to start. */
const BUNDLED = /^(typebox|@fastify\/type-provider-typebox)(\/|$)/;
const packagesExternal = {
  name: 'packages-external',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED.test(path) ? undefined : { path, external: true },
    );
  },
};

// Built aside and then moved: a command that runs from dist never finds it half there.
const out = `dist-${process.pid}`;
const before = `${out}-before`;
const stamp = sourceStamp('.');
try {
  await mkdir(out, { recursive: true });
  await Promise.all([buildCommand(), buildDashboard(`${out}/dashboard`), buildExtension(`${out}/extension`)]);
  await packExtension(`${out}/extension`, out);
  await writeFile(`${out}/${STAMP_FILE}`, stamp);
  await rename('dist', before).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(out, 'dist');
} finally {
  await Promise.all([out, before].map((folder) => rm(folder, { recursive: true, force: true })));
}

async function buildCommand() {
  await build({
    entryPoints: {
      lastbyte: 'collector/cli/lastbyte.ts',
      // A thread starts from a file of its own.
      'store-thread': 'collector/cli/store-thread.ts',
      'report-thread': 'collector/reports/render-thread.ts',
      'parse-thread': 'collector/ingest/parse-thread.ts',
    },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only the demo needs (browser drivers) stays in chunks of its own, unloaded by a server.
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    plugins: [packagesExternal],
    sourcemap: true,
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  await chmod(`${out}/lastbyte.mjs`, 0o755);
}
