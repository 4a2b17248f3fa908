import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { openBrowser } from '../fixtures/recorder/open-browser.ts';
import { type RecordedEntry, receiveEntries } from '../fixtures/recorder/recorded-entries.ts';
import { buildRecordingExtension } from '../fixtures/recorder/recording-extension.ts';
import type { NetworkPath } from './network-path.ts';
import { type PathKind, type ServedRequest, startPathSite } from './path-site.ts';
import { walkPath } from './walk-path.ts';
import { readConnections, type WireConnection } from './wire-connection.ts';

const PATTERNS = ['*://*.path.test/*'];
/** For the last entries of a walk to reach the recorder, ms. */
const ARRIVAL_MS = 8_000;

/** One request of a page: what the browser told, what the server saw, and its connection on the wire. */
export interface PathRequest extends RecordedEntry {
  readonly kind: PathKind;
  readonly served: ServedRequest;
  readonly wire: WireConnection;
}

export interface PathRecording {
  readonly version: string;
  readonly requests: readonly PathRequest[];
  /** Served, and told of by no entry. */
  readonly lost: readonly ServedRequest[];
  /** Begun on the wire, by kind; some never carry a request. */
  readonly connections: Readonly<Partial<Record<PathKind, number>>>;
}

export interface RecordOptions {
  readonly engine: BrowserEngine;
  readonly kinds: readonly PathKind[];
  readonly path: NetworkPath;
  /** Whether a kind has been walked often enough. */
  enough(kind: PathKind, newConnections: number, round: number): boolean;
  progress(line: string): void;
}

/** Drives a browser with the extension's own content script and background through the path. */
export async function recordPath(options: RecordOptions): Promise<PathRecording> {
  const { engine, kinds, path, enough, progress } = options;
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-path-'));
  const pages = new Map<string, string>();
  const site = await startPathSite((name) => pages.get(name) ?? null);
  const entries = await receiveEntries(PATTERNS);
  const extensionDir = await buildRecordingExtension(engine, entries.origin, PATTERNS, folder);
  const opened = await openBrowser({ engine, extensionDir, authority: site.authority, realLookups: true });
  try {
    const page = await opened.browser.newPage();
    for (let tries = 0; entries.all.length === 0; tries++) {
      if (tries > 30) throw new Error('the extension records nothing');
      pages.set('warm-up', '<!doctype html><link rel="icon" href="data:,"><title>warm-up</title>');
      await page.goto(site.url('plain', 'warm-up', '/d/warm-up'), { waitUntil: 'load' });
      await sleep(1_000);
    }
    const firstPacket = path.packets.length;
    const firstServed = site.served.length;
    for (const kind of kinds) {
      let news = 0;
      for (let round = 0; !enough(kind, news, round); round++) {
        await walkPath({ site, page, kind, round, pages });
        news = site.served.slice(firstServed).filter((one) => one.kind === kind && one.nth === 1).length;
      }
      progress(`${engine}: ${kind}, ${news} new connections`);
    }
    await page.goto('about:blank');
    const served = site.served.slice(firstServed).filter(({ url }) => !url.endsWith('/d/warm-up'));
    const named = () => new Map(entries.all.map((recorded) => [keyOf(recorded.entry.name), recorded]));
    for (let waited = 0; waited < ARRIVAL_MS && named().size < served.length + 1; waited += 200) await sleep(200);
    return {
      version: opened.version,
      ...joined(
        served,
        named(),
        readConnections(path.packets.slice(firstPacket), { falseStart: engine === 'chromium' }),
      ),
    };
  } finally {
    await opened.close();
    await entries.close();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function joined(
  served: readonly ServedRequest[],
  entries: ReadonlyMap<string, RecordedEntry>,
  wires: readonly WireConnection[],
): Omit<PathRecording, 'version'> {
  const requests: PathRequest[] = [];
  const lost: ServedRequest[] = [];
  const connections: Partial<Record<PathKind, number>> = {};
  const kinds = new Map(served.map(({ serverPort, kind }) => [serverPort, kind]));
  for (const { serverPort } of wires) {
    const kind = kinds.get(serverPort);
    if (kind) connections[kind] = (connections[kind] ?? 0) + 1;
  }
  for (const one of served) {
    const recorded = entries.get(one.url);
    const wire = wires
      .filter(
        ({ clientPort, serverPort, synAt }) =>
          clientPort === one.clientPort && serverPort === one.serverPort && synAt <= one.at * 1000,
      )
      .at(-1);
    if (!recorded || !wire) lost.push(one);
    else requests.push({ ...recorded, kind: one.kind, served: one, wire });
  }
  return { requests, lost, connections };
}

function keyOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`;
}
