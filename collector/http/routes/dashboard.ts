import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { languageCookie, pageLanguage } from '../api/page-language.ts';

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

interface File {
  readonly plain: Coded;
  gzipped(): Coded;
}

const PAGE = /^index\.(\w+)\.html$/;

/**
 * The built dashboard: a handful of files, read once, so that no request is resolved to a path. Everyone may load it:
 * it holds no data and shows the sign-in form until there is a session. `/` is the page in the reader's language.
 */
export async function dashboardRoute(app: TypedApp, { dashboardFolder }: Pick<AppDeps, 'dashboardFolder'>) {
  if (dashboardFolder === null) return;
  const pages = new Map<string, File>();
  for (const name of await readdir(dashboardFolder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (type === undefined) continue;
    const language = PAGE.exec(name)?.[1];
    const body = await readFile(join(dashboardFolder, name));
    const file = codedFile(body, {
      'content-type': type,
      'cache-control': NAMED_BY_CONTENT.test(name) ? FOR_EVER : 'no-cache',
      vary: language === undefined ? 'accept-encoding' : 'accept-encoding, accept-language, cookie',
    });
    if (language === undefined) {
      app.get(`/${name}`, { config: { allow: 'everyone' } }, async (request, reply) => answer(file, request, reply));
    } else {
      pages.set(language, file);
    }
  }
  app.get<{ Querystring: { lang?: string } }>('/', { config: { allow: 'everyone' } }, async (request, reply) => {
    const { lang: asked } = request.query;
    const { cookie, 'accept-language': acceptLanguage } = request.headers;
    const chosen = languageCookie(asked);
    if (chosen !== null) reply.header('set-cookie', chosen);
    const page = pages.get(pageLanguage({ asked, cookie, acceptLanguage }));
    return page === undefined ? reply.callNotFound() : answer(page, request, reply);
  });
}

function codedFile(body: Buffer, common: Coded['headers']): File {
  const coded = (bytes: Buffer, coding: Coded['headers']): Coded => ({
    body: bytes,
    headers: { ...common, ...coding, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` },
  });
  // On first request: source maps are hardly ever requested.
  let zipped: Coded | null = null;
  return {
    plain: coded(body, {}),
    gzipped() {
      zipped ??= coded(gzipSync(body), { 'content-encoding': 'gzip' });
      return zipped;
    },
  };
}

function answer({ plain, gzipped }: File, { headers: asked }: FastifyRequest, reply: FastifyReply) {
  const { 'accept-encoding': codings = '', 'if-none-match': known } = asked;
  const { body, headers } = takesGzip(String(codings)) ? gzipped() : plain;
  reply.headers(headers);
  return known === headers.etag ? reply.code(304).send() : reply.send(body);
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
function takesGzip(header: string): boolean {
  return header.split(',').some((coding) => {
    const [name = '', weight = ''] = coding.split(';');
    return name.trim().toLowerCase() === 'gzip' && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
  });
}
