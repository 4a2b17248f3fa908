import { createHash } from 'node:crypto';
import { HTML_STYLE } from './html-style.ts';

/** The only thing that a report file may do: look as it does. The same policy goes into the file and over HTTP. */
export const HTML_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(HTML_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;
