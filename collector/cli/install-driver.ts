import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package that this file is bundled into. */
const OWN = dirname(dirname(fileURLToPath(import.meta.url)));

/** The command that installs a library where an installed Lastbyte finds it. @param cwd where it will be typed */
export function installDriver(library: string, cwd: string, own = OWN): string {
  const modules = dirname(own);
  const home = dirname(modules);
  if (basename(modules) !== 'node_modules' || home === cwd) return `npm install ${library}`;
  // npm keeps package.json beside the modules of a folder, and none beside global ones.
  return existsSync(join(home, 'package.json'))
    ? `npm install --prefix '${home}' ${library}`
    : `npm install -g ${library}`;
}
