import { once } from 'node:events';
import { open, rename, rm, stat } from 'node:fs/promises';
import { CommandFailure } from './failure.ts';

/**
 * Writes a file that is whole or not there: under another name first, on disk before it gets its own. Throws a
 * CommandFailure where it cannot be written; what was there before is then untouched.
 *
 * @returns bytes written
 */
export async function writeWholeFile(file: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  // A device or a pipe is written as it is: a file in its place would do away with it.
  const there = await stat(file).catch(() => null);
  const asItIs = there !== null && !there.isFile() && !there.isDirectory();
  const part = asItIs ? file : `${file}.${process.pid}.part`;
  try {
    const handle = await open(part, asItIs ? 'w' : 'wx', 0o600);
    let written = 0;
    try {
      for await (const piece of pieces) {
        await handle.writeFile(piece);
        written += piece.byteLength;
      }
      if (!asItIs) await handle.sync();
    } finally {
      await handle.close();
    }
    if (!asItIs) await rename(part, file);
    return written;
  } catch (error) {
    // What went wrong first is what is told.
    if (!asItIs) await rm(part, { force: true }).catch(() => undefined);
    throw writeFailure(error, file);
  }
}

/** Waits where the reader is slower. A reader that has gone ends it with a CommandFailure. */
export async function writeToStandardOutput(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const { stdout } = process;
  let gone = false;
  const leave = () => {
    gone = true;
  };
  stdout.once('error', leave);
  let written = 0;
  for await (const piece of pieces) {
    if (gone) throw new CommandFailure('nobody reads standard output any more', 'Use --out FILE.');
    written += piece.byteLength;
    if (!stdout.write(piece)) await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(leave);
  }
  return written;
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: make room, or write to another one.',
  EDQUOT: 'The quota is used up: make room, or write to another disk.',
  ENOENT: 'Its folder does not exist: make it first.',
  EISDIR: 'It is a folder: name a file in it.',
};

/** Only what the file system says is the file's fault. */
function writeFailure(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const code = String(error.code);
  return new CommandFailure(
    `${file} cannot be written (${code})`,
    HINTS[code] ?? 'Check the path and its permissions.',
  );
}
