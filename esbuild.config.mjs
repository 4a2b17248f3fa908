/**
 * Builds everything that runs: the command (dist/lastbyte.mjs), the dashboard (dist/dashboard) and the unpacked
 * extension for each browser (dist/extension/chromium, dist/extension/firefox). `node esbuild.config.mjs`.
 */
import { chmod, cp, mkdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildExtension } from './extension/build-extension.mjs';

await rm('dist', { recursive: true, force: true });
await mkdir('dist/dashboard', { recursive: true });

await Promise.all([buildCommand(), buildDashboard(), buildExtension('dist/extension')]);

async function buildCommand() {
  await build({
    entryPoints: { lastbyte: 'collector/cli/lastbyte.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  await chmod('dist/lastbyte.mjs', 0o755);
}

async function buildDashboard() {
  await build({
    entryPoints: { dashboard: 'collector/dashboard/dashboard.ts' },
    outdir: 'dist/dashboard',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome121', 'firefox128'],
    minify: true,
    sourcemap: true,
    logLevel: 'warning',
  });
  await Promise.all(
    ['index.html', 'dashboard.css'].map((name) => cp(`collector/dashboard/${name}`, `dist/dashboard/${name}`)),
  );
}
