import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
};

/** The build renames such a file whenever its content changes. */
const NAMED_BY_CONTENT = /-[A-Z0-9]{8}\.js$/;
const FOR_EVER = 'public, max-age=31536000, immutable';

/** A file in one content coding: a strong tag identifies its exact bytes. https://www.rfc-editor.org/rfc/rfc9110#name-etag */
interface Coded {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The built dashboard: a handful of files, read once, so that no request is resolved to a path. Everyone may load it:
 * it holds no data and shows the sign-in form until there is a session.
 */
export async function dashboardRoute(app: TypedApp, { dashboardFolder }: Pick<AppDeps, 'dashboardFolder'>) {
  if (dashboardFolder === null) return;
  for (const name of await readdir(dashboardFolder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(join(dashboardFolder, name));
    const common = {
      'content-type': type,
      'cache-control': NAMED_BY_CONTENT.test(name) ? FOR_EVER : 'no-cache',
      vary: 'accept-encoding',
    };
    const coded = (bytes: Buffer, coding: Readonly<Record<string, string>>): Coded => ({
      body: bytes,
      headers: { ...common, ...coding, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` },
    });
    const plain = coded(body, {});
    // On first request: source maps are hardly ever requested.
    let zipped: Coded | null = null;
    const gzipped = () => {
      zipped ??= coded(gzipSync(body), { 'content-encoding': 'gzip' });
      return zipped;
    };
    app.get(name === 'index.html' ? '/' : `/${name}`, { config: { allow: 'everyone' } }, async (request, reply) => {
      const { 'accept-encoding': codings = '', 'if-none-match': known } = request.headers;
      const { body: sent, headers } = takesGzip(String(codings)) ? gzipped() : plain;
      reply.headers(headers);
      return known === headers.etag ? reply.code(304).send() : reply.send(sent);
    });
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
function takesGzip(header: string): boolean {
  return header.split(',').some((coding) => {
    const [name = '', weight = ''] = coding.split(';');
    return name.trim().toLowerCase() === 'gzip' && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
  });
}
