/** The licences of packages whose code a bundle holds: most of them ask to come along with it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * One text with the licence of each package, in the order of their names.
 * @param {readonly string[]} inputs paths of bundled files, as esbuild's metafile has them
 * @throws {Error} where a package has no licence file
 */
export async function bundledLicenses(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]);
  const texts = await Promise.all([...new Set(folders.filter(Boolean))].map(licenseOf));
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} folder of a package */
async function licenseOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} is bundled, and has no licence file.`);
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
}
