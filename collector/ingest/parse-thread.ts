/** The thread of parse-body.ts; built as a file of its own. */
import { serveJobs } from '../lib/serve-jobs.ts';
import { type ParseJobs, parseBody } from './parse-body.ts';

serveJobs(
  (): ParseJobs => ({
    parse: (bytes, isBinary, receivedAt) =>
      parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), isBinary, receivedAt),
  }),
);
