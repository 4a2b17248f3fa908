// @ts-check
import { SetupError } from './run-step.mjs';

/** engines.node of package.json; a test compares them. */
export const OLDEST_NODE = [22, 18];

/** @param {string} version as in `process.versions.node` */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new SetupError(
    'check Node',
    `this is Node ${version}, and Lastbyte needs ${OLDEST_NODE.join('.')} or newer.`,
    'install a current Node from https://nodejs.org and run the command again',
  );
}
