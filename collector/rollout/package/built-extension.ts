import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CommandFailure } from '../../lib/failure.ts';

/** Folder of the built extensions, beside the built command. Throws CommandFailure where it isn't there. */
export async function builtExtension(): Promise<string> {
  const folder = fileURLToPath(new URL('./extension', import.meta.url));
  await access(folder).catch(() => {
    throw new CommandFailure(`${folder} is not there`, 'Build it with npm run build.');
  });
  return folder;
}
