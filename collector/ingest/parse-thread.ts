/** The thread of parse-body.ts; built as a file of its own. */
import { parentPort } from 'node:worker_threads';
import { stepBack } from '../lib/step-back.ts';
import { type ParseAnswer, type ParseRequest, parseBody } from './parse-body.ts';

stepBack();

parentPort?.on('message', ({ bytes, receivedAt }: ParseRequest) => {
  parentPort?.postMessage(answerTo(bytes, receivedAt));
});

function answerTo(bytes: Uint8Array, receivedAt: number): ParseAnswer {
  try {
    return { read: parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), receivedAt) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
