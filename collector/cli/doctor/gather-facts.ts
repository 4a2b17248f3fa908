import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import manifest from '../../../package.json' with { type: 'json' };
import { BROWSER_ENGINES } from '../../../shared/vocabulary/vocabulary.ts';
import { findBrowser } from '../../lab/browser/find-browser.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { readText } from '../../lib/read-text.ts';
import { collectorAddress } from '../../rollout/package/check-enrolment.ts';
import { PACKAGES_FOLDER, readPackagesRecord } from '../../rollout/package/packages-record.ts';

import { isSupported } from '../../setup/provide-node.mjs';
import { inspectFolder, parseClickHouseAddress, reachStore } from '../../storage/open-store.ts';
import { readAuthority } from '../authority-option.ts';
import { installDriver } from '../install-driver.ts';
import { checkAddress, type StoreOption } from '../store-option.ts';

/** Longest wait for a server's answer, ms. */
const ANSWER_MS = 10_000;

export type DoctorOptions = StoreOption &
  Partial<Record<'collector' | 'ca' | 'tlsCert' | 'tlsKey' | 'samples', string>>;
/** Why a fact could not be gathered. */
export type Trouble = Record<'code' | 'message' | 'hint', string>;
/** A fact is null if it was not requested or does not exist. */
export type Facts = Awaited<ReturnType<typeof gatherFacts>>;
export type FolderFacts = Awaited<ReturnType<typeof lookAtFolder>>;
export type Certificate = Awaited<ReturnType<typeof readCertificate>>;
/** `status` is that of the answer, else why there is none; `date` is what the server's clock said, epoch ms. */
export type Answer = { url: string; status: number | string; date: number | null; body: string };

/** Changes nothing, and may run beside a server. */
export async function gatherFacts(options: DoctorOptions) {
  const { data, control, samples, tlsCert, tlsKey, ca } = options;
  const password = process.env.LASTBYTE_CLICKHOUSE_PASSWORD ?? '';
  const authority = ca === undefined ? [] : [await readAuthority(ca)];
  const folder = await lookAtFolder(data);
  const contents = folder.error === null ? await attempt(() => inspectFolder(data, password)) : null;
  const packages = await attempt(() => readPackagesRecord(join(data, PACKAGES_FOLDER)));
  const updatesFrom = packages !== null && 'collector' in packages ? packages.collector : null;
  const known = contents !== null && 'samplesIn' in contents ? contents.samplesIn : null;
  const address = samples === undefined ? known : parseClickHouseAddress(samples, password);
  const asked = (base: string | null, ...paths: readonly string[]) =>
    Promise.all(paths.flatMap((path) => (base === null ? [] : ask(`${base}${path}`, authority))));
  const reach = async (option: string, url: string, store: Parameters<typeof reachStore>[0]) => ({
    option,
    trouble: await attempt(() => checkAddress(option, url).then(() => reachStore(store, ANSWER_MS))),
  });
  const collector = options.collector === undefined ? null : collectorAddress(options.collector, { allowHttp: true });
  const host = collector ?? updatesFrom;
  const peers = Object.entries(manifest.peerDependencies);
  const { node, tz = 'an unknown release' } = process.versions;
  return {
    now: Date.now(),
    node: { version: node, isSupported: isSupported(node), zones: tz },
    folder,
    contents,
    certificate: tlsCert === undefined ? null : await attempt(() => readCertificate(tlsCert, tlsKey)),
    /** Name of the collector. */
    host: host === null ? null : new URL(host).hostname.replace(/^\[|\]$/g, ''),
    packages,
    updates: await asked(updatesFrom, '/install/update.xml', '/install/updates.json'),
    collector: await asked(collector, '/readyz'),
    stores: [
      ...(control === undefined ? [] : [await reach('--control', control, control)]),
      ...(address === null ? [] : [await reach('--samples', address.url, address)]),
    ],
    browsers: BROWSER_ENGINES.map((engine) => findBrowser(engine)),
    drivers: peers.map(([name, wanted]) => ({
      name,
      has: installed(name),
      install: installDriver(`${name}@${wanted}`, process.cwd()),
    })),
  };
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T | Trouble> {
  try {
    return await work();
  } catch (error) {
    const { code = 'failed', message, hint = '' } = error as Error & Partial<Trouble>;
    return { code, message, hint };
  }
}

async function lookAtFolder(path: string) {
  const seen = { path, isOwn: true, mode: 0, foreign: [] as string[] };
  try {
    const { uid, mode } = await stat(path);
    Object.assign(seen, { isOwn: uid === (process.getuid?.() ?? uid), mode });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    await access(join(path, 'lastbyte.sqlite'), constants.R_OK | constants.W_OK);
    // A server's files come and go.
    const toOwner = (name: string) => statSync(join(path, name), { throwIfNoEntry: false })?.uid ?? uid;
    return { ...seen, foreign: (await readdir(path)).filter((name) => toOwner(name) !== uid), error: null };
  } catch (error) {
    return { ...seen, error: toCode(error) };
  }
}

const toCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

async function readCertificate(file: string, keyFile: string | undefined) {
  const pem = (await readText(file)).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (pem === null) throw new CommandFailure(`${file} holds no certificate`, 'Give --tls-cert a chain in PEM format.');
  const key = keyFile === undefined ? null : createPrivateKey(await readText(keyFile));
  return { file, chain: pem.map((each) => new X509Certificate(each)), key };
}

async function ask(url: string, authority: readonly string[]): Promise<Answer> {
  try {
    await checkAddress('--collector', url);
    const dispatcher = new Agent({ connect: { timeout: ANSWER_MS, ca: [...rootCertificates, ...authority] } });
    const { statusCode, headers, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(ANSWER_MS) });
    return { url, status: statusCode, date: Date.parse(String(headers.date)) || null, body: await body.text() };
  } catch (error) {
    return { url, status: toCode(error), date: null, body: '' };
  }
}

/** Its version; null if it is not beside this command. */
function installed(name: string): string | null {
  try {
    return createRequire(import.meta.url)(`${name}/package.json`).version;
  } catch {
    return null;
  }
}
