import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';
import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';
import type { NameBounds } from '../../ingest/bounds/name-bounds.ts';
import { toBatchColumns } from '../../ingest/decode/decode-batch.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import type { SampleStore } from '../../storage/store.ts';
import { OWN_CREATOR } from '../own-har.ts';
import { HarCutter, type HarPiece } from './har-cutter.ts';
import { type HarSamplesOptions, harSamples, toPageKey } from './har-samples.ts';
import type { HarFault } from './har-timing-entry.ts';
import { parsePiece, textAt } from './har-values.ts';
import type { SyntaxFault } from './json-syntax.ts';
import { recordingBrowser } from './recording-browser.ts';
import { ownFields, restoreOrigin } from './restore-sample.ts';
import { type HarSurvey, surveyHar } from './survey-har.ts';

/** Entries stored together; the same file gives the same groups. */
const GROUP_ENTRIES = 2000;
/** Pages per file whose titles are read. */
const MAX_PAGES = 10_000;
/** Longer titles are dropped: a useful one is the page's address. */
const MAX_TITLE = 2048;
/** Faults listed individually; further ones are only counted. */
const MAX_LISTED = 50;
const CLOCK_STEP_US = 100;

export interface ImportHarOptions extends Omit<HarSamplesOptions, 'recording'> {
  readonly samples: SampleStore;
  readonly names: NameBounds;
  readonly site: string;
  /** Samples from before this time were pruned and are refused, epoch ms. */
  readonly keptFrom: number;
  /** Epoch ms. */
  readonly now: number;
  readonly signal?: AbortSignal;
  /** Progress in bytes of the file; each counts half, because the file is read twice. */
  readonly progress?: (bytes: number) => void;
}

export interface ImportedHar {
  readonly entries: number;
  readonly accepted: number;
  /** Entries that had been imported before. */
  readonly duplicates: number;
  /** The first ones refused. */
  readonly faults: readonly { readonly entry: number; readonly reason: HarFault }[];
  /** All that were refused, listed or not. */
  readonly unreadable: number;
  /** How many were refused for each reason. */
  readonly reasons: Readonly<Partial<Record<HarFault, number>>>;
  /** Where the file stops being JSON, or null; readable entries were imported nevertheless. */
  readonly syntax: SyntaxFault | null;
  /** Pages whose `onContentLoad` or `onLoad` was dropped, because samples describe requests. */
  readonly pageTimings: number;
  /** Time of the oldest sample, epoch ms; null if there is none. */
  readonly oldest: number | null;
}

/** The file is not a HAR at all. */
export class NoHar extends Error {}

/** Position and reason of a syntax error, for people. */
export function syntaxText({ offset, line, column, message }: SyntaxFault): string {
  return `at line ${line}, column ${column} (byte ${offset}): ${message}`;
}

/**
 * Imports one HAR file. Streams it twice, so that memory does not grow with it. Unreadable entries are listed by index, the
 * others imported. Importing the same file again with the same source stores nothing: its samples count as duplicates.
 *
 * Throws NoHar, file system errors, a StoreError, or the signal's reason. Samples stored until then stay, and another
 * import completes them.
 */
export async function importHar(file: string, options: ImportHarOptions): Promise<ImportedHar> {
  const fileHash = await hashOf(file, options.signal);
  const pages: [string, string][] = [];
  const survey = await surveyHar(contentOf(file, options, [0, 0.5]), (id, title) => {
    // Held until the file has been read a second time.
    if (pages.length < MAX_PAGES && title.length <= MAX_TITLE) pages.push([toPageKey(id), title]);
  });
  if (!survey.foundEntries) throw new NoHar(noHarText(survey));
  const { statesConnections, pageTimings, syntax } = survey;
  const creator = textAt(survey.creator, 'name');
  const reader = harSamples({ ...options, recording: { creator, statesConnections } });
  for (const [key, title] of pages) reader.page(key, title);
  const cutter = new HarCutter();
  const faults: { entry: number; reason: HarFault }[] = [];
  const reasons: Partial<Record<HarFault, number>> = {};
  const total = { entries: 0, accepted: 0, duplicates: 0, unreadable: 0, oldest: Number.POSITIVE_INFINITY };
  const origin = originOf(fileHash, options.site, survey);
  let group: GroupedSample[] = [];

  const refuse = (entry: number, reason: HarFault) => {
    total.unreadable++;
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    if (faults.length < MAX_LISTED) faults.push({ entry, reason });
  };
  const flush = async () => {
    const number = Math.floor((total.entries - 1) / GROUP_ENTRIES);
    const byOrigin = new Map<string, GroupedSample[]>();
    for (const one of group) {
      const key = JSON.stringify(one.origin);
      const same = byOrigin.get(key);
      if (same === undefined) byOrigin.set(key, [one]);
      else same.push(one);
    }
    group = [];
    const batches = [...byOrigin.values()].flatMap((samples, place) => {
      const rows = validRows(samples, refuse);
      if (rows.n === 0) return [];
      return {
        id: uuidFrom(`${fileHash}\n${options.source}\n${number}${place === 0 ? '' : `\n${place}`}`),
        receivedAt: options.now,
        clockCorrection: 0,
        origin: samples[0]?.origin ?? origin,
        columns: options.names.bound(rows, options.now, '').columns,
        imported: true,
      };
    });
    if (batches.length === 0) return;
    const outcomes = await options.samples.append(batches);
    for (const [place, { columns }] of batches.entries()) {
      if (outcomes[place]?.duplicate) total.duplicates += columns.n;
      else total.accepted += columns.n;
    }
  };
  const handle = async (piece: HarPiece) => {
    if (piece.name !== 'entry') return;
    const entry = total.entries++;
    const made = read(piece);
    if (typeof made === 'string') refuse(entry, made);
    else if (made.sample.at < options.keptFrom) refuse(entry, 'older_than_kept');
    else {
      total.oldest = Math.min(total.oldest, made.sample.at);
      group.push({ entry, ...made });
    }
    if (total.entries % GROUP_ENTRIES === 0) await flush();
  };

  function read(piece: HarPiece): Omit<GroupedSample, 'entry'> | HarFault {
    if (piece.text === null) return piece.fault;
    const value = parsePiece(piece.text);
    if (value === undefined) return 'not_json';
    const own = creator === OWN_CREATOR ? ownFields(value) : null;
    const sample = reader.entry(value, own);
    if (typeof sample === 'string') return sample;
    return { sample, origin: own === null ? origin : restoreOrigin(origin, own, clientOf) };
  }

  /** As an id of this file: two imports of one export are two recordings, like any others. */
  function clientOf(client: string): string {
    return uuidFrom(`${fileHash}\nclient\n${client}`);
  }

  const content = contentOf(file, options, [0.5, 1]);
  for await (const chunk of content) for (const piece of cutter.push(chunk)) await handle(piece);
  if (cutter.insideEntry) refuse(total.entries++, 'cut_off');
  if (group.length > 0) await flush();
  const { oldest, ...counts } = total;
  return { ...counts, faults, reasons, syntax, pageTimings, oldest: Number.isFinite(oldest) ? oldest : null };
}

function noHarText({ syntax }: HarSurvey): string {
  return syntax === null ? 'there is no log.entries in it' : `it stops being JSON ${syntaxText(syntax)}`;
}

interface GroupedSample {
  readonly entry: number;
  readonly sample: Sample;
  readonly origin: ClientInfo;
}

/** All rows as columns; the rare ones that cannot be stored are found one by one. */
function validRows(group: readonly GroupedSample[], refuse: (entry: number, reason: HarFault) => void): BatchColumns {
  try {
    return toBatchColumns(group.map(({ sample }) => sample));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const valid = group.filter(({ entry, sample }) => {
      try {
        return toBatchColumns([sample]).n === 1;
      } catch {
        refuse(entry, 'bad_value');
        return false;
      }
    });
    return toBatchColumns(valid.map(({ sample }) => sample));
  }
}

/** A recording of another tool counts as one browser. */
function originOf(fileHash: string, site: string, { creator, browser, userAgent }: HarSurvey): ClientInfo {
  const from = recordingBrowser(browser, creator, userAgent);
  return {
    client: uuidFrom(`${fileHash}\nclient`),
    site,
    browser: from.browser,
    browserVersion: from.version,
    extensionVersion: 'har',
    clockStep: CLOCK_STEP_US,
  };
}

async function hashOf(file: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

/** sitespeed.io compresses its HAR files. @param span the part of the progress this reading covers, within 0 to 1 */
async function* contentOf(
  file: string,
  { progress, signal }: ImportHarOptions,
  [from, to]: readonly [number, number],
): AsyncGenerator<Buffer> {
  const { size } = await stat(file);
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  const read = () => {
    signal?.throwIfAborted();
    progress?.(from * size + (to - from) * stream.bytesRead);
  };
  try {
    if (await isGzip(file)) {
      // Without the flush, everything that precedes a missing end would be lost.
      const unpacked = stream.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
      stream.once('error', (error) => unpacked.destroy(error));
      for await (const chunk of unpacked) {
        read();
        yield chunk as Buffer;
      }
    } else {
      for await (const chunk of stream) {
        read();
        yield chunk as Buffer;
      }
    }
  } finally {
    stream.destroy();
  }
}

/** Recognized by its first bytes, since browsers unpack downloads and leave their names. https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}

/** A deterministic UUID of a text (version 8: custom). */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
