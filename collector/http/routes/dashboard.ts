import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { AppDeps } from '../app-deps.ts';
import type { TypedApp } from '../typed-app.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
};

/** The build gives such a file another name when its content changes. */
const NAMED_BY_CONTENT = /-[A-Z0-9]{8}\.js$/;
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * The built dashboard: a handful of files, read once, so no request ever names a path. Everybody may load it; it
 * shows the sign-in until there is a session, and holds no data itself.
 */
export async function dashboardRoute(app: TypedApp, { dashboardFolder }: Pick<AppDeps, 'dashboardFolder'>) {
  if (dashboardFolder === null) return;
  for (const name of await readdir(dashboardFolder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(join(dashboardFolder, name));
    const caching = NAMED_BY_CONTENT.test(name) ? FOR_EVER : 'no-cache';
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    app.get(name === 'index.html' ? '/' : `/${name}`, { config: { allow: 'everyone' } }, async (request, reply) => {
      reply.headers({ 'content-type': type, etag, 'cache-control': caching });
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body);
    });
  }
}
