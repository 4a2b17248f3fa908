import { once } from 'node:events';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { CommandFailure } from './failure.ts';

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes a file completely or not at all: under a temporary name, renamed once it is on disk. Throws a CommandFailure
 * if it cannot be written; an existing file is then untouched. Own code: the packages for it write no streams.
 *
 * @returns bytes written
 */
export async function writeWholeFile(file: string, pieces: Pieces): Promise<number> {
  // A device or a pipe is written directly: renaming a file over it would remove it.
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
    // The first error is the one to report.
    if (!asItIs) await rm(part, { force: true }).catch(() => undefined);
    throw writeFailure(error, file);
  }
}

/** Waits for a slower reader. Throws a CommandFailure once the reader has closed the pipe. */
export async function writeToStandardOutput(pieces: Pieces, stdout: Writable = process.stdout): Promise<number> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  stdout.once('error', leave).once('close', leave);
  let written = 0;
  for await (const piece of pieces) {
    if (gone.signal.aborted) throw new CommandFailure('standard output was closed', 'Use --out FILE.');
    written += piece.byteLength;
    if (!stdout.write(piece)) await once(stdout, 'drain', gone).catch(leave);
  }
  return written;
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free space, or write to another one.',
  EDQUOT: 'The quota is used up: free space, or write to another disk.',
  ENOENT: 'Its folder does not exist: create it first.',
  EISDIR: 'It is a folder: name a file in it.',
};

/** Only file system errors are about the file. */
function writeFailure(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const code = String(error.code);
  return new CommandFailure(
    `${file} cannot be written (${code})`,
    HINTS[code] ?? 'Check the path and its permissions.',
  );
}
