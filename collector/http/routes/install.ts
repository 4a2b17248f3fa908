import type { FastifyReply, FastifyRequest } from 'fastify';
import { installPage, nothingPackagedPage, toVisitor } from '../../rollout/package/install-page.ts';
import { INSTALL_STYLE } from '../../rollout/package/install-style.ts';
import { type OfferedFile, type OfferedName, offeredPackages } from '../../rollout/package/offered-packages.ts';
import { PACKAGE_FILES, type PackagesRecord } from '../../rollout/package/packages-record.ts';
import { chromiumUpdates, firefoxUpdates } from '../../rollout/package/update-manifests.ts';
import { isSignedByMozilla } from '../../rollout/package/zip-files.mjs';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { pageLanguage } from '../api/page-language.ts';

const EVERYONE = { config: { allow: 'everyone' } } as const;

const DOWNLOADS: Readonly<Record<OfferedName, string>> = {
  crx: 'application/x-chrome-extension',
  zip: 'application/zip',
  xpi: 'application/x-xpinstall',
};

/**
 * Where browsers get the extension: a page for people, the packages, and the update manifests. Browsers send no token, so
 * everyone may read them. The files are a fixed list: no address is resolved to a path.
 */
export function installRoutes(app: TypedApp, { packagesFolder }: Pick<AppDeps, 'packagesFolder'>): void {
  if (packagesFolder === undefined) return;
  const packages = offeredPackages(packagesFolder);

  async function record(): Promise<PackagesRecord> {
    const read = await packages.record();
    if (read === null) throw nothingPackaged();
    return read;
  }
  async function file(name: OfferedName): Promise<OfferedFile> {
    const found = await packages.file(name);
    if (found === null) throw nothingPackaged();
    return found;
  }

  app.get<{ Querystring: { lang?: string } }>('/install', EVERYONE, async (request, reply) => {
    const packaged = await packages.record();
    const { cookie, 'accept-language': acceptLanguage } = request.headers;
    const language = pageLanguage({ asked: request.query.lang, cookie, acceptLanguage });
    // The page depends on the visitor's browser.
    reply.headers({ 'content-type': 'text/html; charset=utf-8', vary: 'user-agent, accept-language, cookie' });
    if (packaged === null) return reply.code(404).send(nothingPackagedPage(language));
    const xpi = await packages.file('xpi');
    return installPage({
      packaged,
      visitor: toVisitor(request.headers['user-agent'] ?? ''),
      language,
      signed: xpi !== null && isSignedByMozilla(xpi.body),
      collector: baseOf(request, packaged),
    });
  });
  app.get('/install/install.css', EVERYONE, async (_request, reply) => {
    reply.header('content-type', 'text/css; charset=utf-8');
    return INSTALL_STYLE;
  });
  app.get('/install/update.xml', EVERYONE, async (request, reply) => {
    const packaged = await record();
    reply.header('content-type', 'text/xml; charset=utf-8');
    return chromiumUpdates(packaged, await file('crx'), `${baseOf(request, packaged)}/install/${PACKAGE_FILES.crx}`);
  });
  app.get('/install/updates.json', EVERYONE, async (request, reply) => {
    const packaged = await record();
    reply.header('content-type', 'application/json; charset=utf-8');
    return firefoxUpdates(packaged, await file('xpi'), `${baseOf(request, packaged)}/install/${PACKAGE_FILES.xpi}`);
  });
  for (const [name, type] of Object.entries(DOWNLOADS) as [OfferedName, string][]) {
    app.get(`/install/${PACKAGE_FILES[name]}`, EVERYONE, async (request, reply) =>
      download(request, reply, await file(name), type),
    );
  }
}

function download(request: FastifyRequest, reply: FastifyReply, { body, sha256 }: OfferedFile, type: string) {
  const etag = `"${sha256}"`;
  reply.headers({ 'content-type': type, etag, 'cache-control': 'no-cache' });
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body);
}

/** The collector's public URL: the one it was packaged for, including a proxy's path prefix. */
function baseOf(request: FastifyRequest, packaged: PackagesRecord): string {
  return packaged.collector ?? addressOf(request);
}

function addressOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}

function nothingPackaged(): HttpError {
  return new HttpError(
    'not_found',
    'nothing has been packaged yet',
    'Package it in the dashboard, or with: lastbyte package --collector URL',
  );
}
