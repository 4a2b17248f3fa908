// @ts-check
/**
 * `node packaging/system/build.mjs FOLDER`: the .deb and the .rpm, by nfpm (https://nfpm.goreleaser.com), which has to be in PATH.
 * Everything is inside: Node, the collector with its dependencies, and the libraries that drive browsers.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const out = path.resolve(process.argv[2] ?? '.');
const root = path.join(import.meta.dirname, '../..');
const { version, peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const node = JSON.parse(
  readFileSync(path.join(root, 'collector/setup/node/package.json'), 'utf8'),
).optionalDependencies;
const arch = /** @type {'x64' | 'arm64'} */ (process.arch);
const stage = mkdtempSync(path.join(tmpdir(), 'lastbyte-system-'));
const home = path.join(stage, 'home');
/** @param {string} program @param {readonly string[]} args @param {string} cwd */
const run = (program, args, cwd = root) => execFileSync(program, args, { cwd, stdio: ['ignore', 2, 2], env });
const env = { ...process.env, STAGE: stage, VERSION: version, ARCH: { x64: 'amd64', arm64: 'arm64' }[arch] };

try {
  mkdirSync(home);
  mkdirSync(out, { recursive: true });
  run('npm', ['pack', '--pack-destination', stage]);
  const libraries = Object.entries({ ...peerDependencies, [`node-linux-${arch}`]: node[`node-linux-${arch}`] });
  const wanted = [path.join(stage, `lastbyte-${version}.tgz`), ...libraries.map((each) => each.join('@'))];
  writeFileSync(path.join(home, 'package.json'), '{}');
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], home);
  cpSync(path.join(home, `node_modules/node-linux-${arch}/bin/node`), path.join(home, 'node'));
  cpSync(path.join(home, `node_modules/node-linux-${arch}/LICENSE`), path.join(home, 'LICENSE'));
  const needless = [
    '.bin',
    `node-linux-${arch}`,
    'better-sqlite3/{deps,src,build}',
    `better-sqlite3/prebuilds/!(linux-${arch}).node`,
  ];
  const modules = path.join(home, 'node_modules');
  for (const each of needless.flatMap((pattern) => globSync(pattern, { cwd: modules }))) {
    rmSync(path.join(modules, each), { recursive: true });
  }
  run('strip', [
    '--strip-unneeded',
    path.join(home, 'node'),
    path.join(modules, `better-sqlite3/prebuilds/linux-${arch}.node`),
  ]);
  const date = execFileSync('git', ['log', '-1', '--format=%aD'], { cwd: root, encoding: 'utf8' }).trim();
  const changes = `lastbyte (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md in /usr/lib/lastbyte/node_modules/lastbyte.\n\n -- Lastbyte <packages@lastbyte.invalid>  ${date}\n`;
  writeFileSync(path.join(stage, 'changelog.gz'), gzipSync(changes, { level: 9 }));
  writeFileSync(
    path.join(stage, 'lastbyte.1.gz'),
    gzipSync(readFileSync(path.join(import.meta.dirname, 'lastbyte.1')), { level: 9 }),
  );
  run('chmod', ['-R', 'u=rwX,go=rX', stage]);
  for (const packager of ['deb', 'rpm'])
    run('nfpm', ['package', '--config', 'nfpm.yaml', '--packager', packager, '--target', out], import.meta.dirname);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
