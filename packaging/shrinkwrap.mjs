// @ts-check
/** Before `npm pack`: pins all dependencies of an installed package as the lock file has them, without what only a clone needs. */
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { '': root, ...packages } = lock.packages;
const kept = Object.entries(packages).filter(([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer);
const { devDependencies: _, ...own } = root;
writeFileSync(
  'npm-shrinkwrap.json',
  JSON.stringify({ ...lock, packages: { '': own, ...Object.fromEntries(kept) } }, null, 1),
);
