import type { Socket } from 'node:net';

/** A hello comes in one piece or a few; each is a buffer of some hundred bytes, however little it holds. */
const MAX_PIECES = 16;
/** As much as one record of TLS can hold; a browser's hello has about 2 KB. */
const MAX_BYTES = 2 ** 14;

export interface HelloWatch {
  /** Its first bytes are there. */
  begun(): void;
  /** It is no hello: more bytes, or in smaller pieces, than any client sends before it has an answer. */
  tooMuch(): void;
}

/**
 * Holds what a client says before its turn comes, and closes the connection of one that hangs up meanwhile. Left to
 * itself, a socket would buffer 64 KiB, which in pieces of a byte take many megabytes.
 *
 * @returns puts all of it back into the socket, for TLS to read
 */
export function holdHello(socket: Socket, { begun, tooMuch }: HelloWatch): () => void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const hold = (piece: Buffer) => {
    // It may have been cut while more was on its way.
    if (socket.destroyed) return;
    pieces.push(piece);
    bytes += piece.length;
    if (pieces.length > MAX_PIECES || bytes > MAX_BYTES) tooMuch();
    else if (pieces.length === 1) begun();
  };
  const hangUp = () => void socket.destroy();
  socket.on('data', hold);
  socket.on('end', hangUp);
  return () => {
    socket.pause();
    socket.off('data', hold);
    socket.off('end', hangUp);
    socket.unshift(Buffer.concat(pieces));
  };
}
