/**
 * Dead code, looked for twice. `knip` starts from programs and tests and also finds exports that only their own file uses.
 * `knip --production` starts from the programs alone and finds code that only tests reach; there, a constant or function
 * that its own file uses may be exported for a test.
 */
const production = process.argv.includes('--production');

export default {
  entry: [
    'collector/dashboard/dashboard.tsx!',
    // Take the place of the English modules in the German build.
    'collector/dashboard/text/*.de.ts!',
    'collector/{cli/store-thread,reports/render-thread}.ts!',
    'extension/background/background.ts!',
    'extension/content/content.ts!',
    'extension/journey/{recorder,replay-page,replay-world,robot}.ts!',
    'extension/pages/{options,popup}.ts!',
    'extension/probe/probe-frame.ts!',
    ...(production ? ['collector/setup/bootstrap.mjs!', '{collector/dashboard,extension}/build-*.mjs!'] : []),
    'tests/**/*.test.{ts,tsx}',
    'tests/bench/*.{ts,mjs}',
    'tests/fleets/fleet.ts',
    'tests/{,programs/,nodes/}*.mjs',
    'tests/upgrades/{record-folder,record-profile}.ts',
    'tests/fixtures/recorder/{record,recording-intake}.ts',
  ],
  project: ['{collector,extension,shared}/**/*.{ts,tsx,mjs}!', 'tests/**/*.{ts,tsx,mjs}', '*.{js,mjs}!'],
  // Installed apart: CONTRIBUTING.md. The parser of YAML comes with knip.
  ignoreDependencies: ['chdb'],
  ignoreBinaries: ['certutil', 'chroot', 'ip', 'mount', 'openssl', 'runc', 'ss', 'unshare'],
  // Types leave nothing in a program, and a test may name the type of an answer.
  exclude: production ? ['types'] : [],
  ignoreExportsUsedInFile: production || { interface: true, type: true },
};
