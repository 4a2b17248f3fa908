// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { run, SetupError, say } from './run-step.mjs';
import { STAMP_FILE, sourceStamp } from './source-stamp.mjs';

/** @param {string} root */
export function buildStep(root) {
  return {
    isNeeded: async () => builtStamp(root) !== sourceStamp(root),
    async run() {
      say('building');
      const code = await run(process.execPath, ['esbuild.config.mjs'], { cwd: root });
      if (code === 0) return;
      throw new SetupError('build', `the bundler ended with code ${code}; see its output above.`, 'npm run check');
    },
  };
}

/** @param {string} root */
function builtStamp(root) {
  try {
    return readFileSync(path.join(root, 'dist', STAMP_FILE), 'utf8');
  } catch {
    return null; // Never built, or the build did not finish.
  }
}
