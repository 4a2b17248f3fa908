/**
 * Bundles the benches and runs them on plain Node, so that what is measured is JavaScript and no loader:
 * `node tests/bench/run-bench.mjs statistics --json`. Standard output is the bench's own.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outdir = fileURLToPath(new URL('../../dist/bench', import.meta.url));
const source = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  entryPoints: {
    bench: source('./bench.ts'),
    'ingest-server': source('./ingest-server.ts'),
    'hostile-attacker': source('./hostile-attacker.ts'),
    'store-thread': source('../../collector/cli/store-thread.ts'),
    'query-thread': source('../../collector/storage/clickhouse/query-thread.mjs'),
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  format: 'esm',
  packages: 'external',
  // A program of its own too: bundled, it would take the bench's command line for its own.
  plugins: [
    {
      name: 'extension-builder',
      setup: (builder) =>
        builder.onResolve({ filter: /\/build-extension\.mjs$/ }, () => ({
          path: new URL('../../extension/build-extension.mjs', import.meta.url).href,
          external: true,
        })),
    },
  ],
  logLevel: 'warning',
});

const bench = spawn(process.execPath, ['--expose-gc', join(outdir, 'bench.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
bench.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
