/**
 * Bundles the benches and runs them on plain Node, so that what is measured is JavaScript and no loader:
 * `node tests/bench/run-bench.mjs statistics --json`. Standard output is the bench's own.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outfile = fileURLToPath(new URL('../../dist/bench/bench.mjs', import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL('./bench.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});

const bench = spawn(process.execPath, ['--expose-gc', outfile, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
bench.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
