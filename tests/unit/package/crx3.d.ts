declare module 'crx3/lib/crx3stream.js' {
  import type { WriteStream } from 'node:fs';
  export default function createCRX3Stream(path: string, options: { keyPath: string }): WriteStream;
}
