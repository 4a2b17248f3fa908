/** Bundles `fleet.ts` and runs it on plain Node, like the benches: `node tests/fleets/run-fleet.mjs fill quiet --data DIR`. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outfile = fileURLToPath(new URL('../../dist/fleets/fleet.mjs', import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL('./fleet.ts', import.meta.url))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  format: 'esm',
  packages: 'external',
  // The list of views loads them on demand; nothing demands one here.
  plugins: [{ name: 'views', setup: (builder) => builder.onResolve({ filter: /\.tsx$/ }, () => ({ external: true })) }],
  logLevel: 'warning',
});

const fleet = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' });
fleet.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
