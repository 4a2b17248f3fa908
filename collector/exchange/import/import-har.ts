import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { ClientInfo, Sample } from '../../../shared/sample/sample.ts';
import type { NameBounds } from '../../ingest/bounds/name-bounds.ts';
import { batchColumnsOf } from '../../ingest/decode/decode-batch.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import type { SampleStore } from '../../storage/store.ts';
import { HarCutter, type HarPiece } from './har-cutter.ts';
import { type HarSamplesOptions, harSamples, pageKeyOf } from './har-samples.ts';
import type { HarFault } from './har-timing-entry.ts';
import { parsePiece, textAt } from './har-values.ts';
import type { SyntaxFault } from './json-syntax.ts';
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
  readonly faults: readonly { readonly entry: number; readonly reason: HarFault }[];
  /** Number of entries that could not be read, listed or not. */
  readonly unreadable: number;
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
    if (pages.length < MAX_PAGES && title.length <= MAX_TITLE) pages.push([pageKeyOf(id), title]);
  });
  if (!survey.foundEntries) throw new NoHar(noHarText(survey));
  const { statesConnections, pageTimings, syntax } = survey;
  const creator = textAt(survey.creator, 'name');
  const reader = harSamples({ ...options, recording: { creator, statesConnections } });
  for (const [key, title] of pages) reader.page(key, title);
  const cutter = new HarCutter();
  const faults: { entry: number; reason: HarFault }[] = [];
  const total = { entries: 0, accepted: 0, duplicates: 0, unreadable: 0, oldest: Number.POSITIVE_INFINITY };
  const origin = originOf(fileHash, options.site, survey);
  let group: { entry: number; sample: Sample }[] = [];

  const refuse = (entry: number, reason: HarFault) => {
    total.unreadable++;
    if (faults.length < MAX_LISTED) faults.push({ entry, reason });
  };
  const flush = async () => {
    const rows = validRows(group, refuse);
    const number = Math.floor((total.entries - 1) / GROUP_ENTRIES);
    group = [];
    if (rows.n === 0) return;
    const [outcome] = await options.samples.append([
      {
        id: uuidFrom(`${fileHash}\n${options.source}\n${number}`),
        receivedAt: options.now,
        clockCorrection: 0,
        origin,
        columns: options.names.bound(rows, options.now, null).columns,
        imported: true,
      },
    ]);
    if (outcome?.duplicate) total.duplicates += rows.n;
    else total.accepted += rows.n;
  };
  const handle = async (piece: HarPiece) => {
    if (piece.name !== 'entry') return;
    const entry = total.entries++;
    const sample = read(piece);
    if (typeof sample === 'string') refuse(entry, sample);
    else if (sample.at < options.keptFrom) refuse(entry, 'older_than_kept');
    else {
      total.oldest = Math.min(total.oldest, sample.at);
      group.push({ entry, sample });
    }
    if (total.entries % GROUP_ENTRIES === 0) await flush();
  };

  function read(piece: HarPiece): Sample | HarFault {
    if (piece.text === null) return piece.fault;
    const value = parsePiece(piece.text);
    return value === undefined ? 'not_json' : reader.entry(value);
  }

  const content = contentOf(file, options, [0.5, 1]);
  for await (const chunk of content) for (const piece of cutter.push(chunk)) await handle(piece);
  if (cutter.insideEntry) refuse(total.entries++, 'cut_off');
  if (group.length > 0) await flush();
  const { oldest, ...counts } = total;
  return { ...counts, faults, syntax, pageTimings, oldest: Number.isFinite(oldest) ? oldest : null };
}

function noHarText({ syntax }: HarSurvey): string {
  return syntax === null ? 'there is no log.entries in it' : `it stops being JSON ${syntaxText(syntax)}`;
}

/** All rows as columns; the rare ones that cannot be stored are found one by one. */
function validRows(
  group: readonly { readonly entry: number; readonly sample: Sample }[],
  refuse: (entry: number, reason: HarFault) => void,
): BatchColumns {
  try {
    return batchColumnsOf(group.map(({ sample }) => sample));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const valid = group.filter(({ entry, sample }) => {
      try {
        return batchColumnsOf([sample]).n === 1;
      } catch {
        refuse(entry, 'bad_value');
        return false;
      }
    });
    return batchColumnsOf(valid.map(({ sample }) => sample));
  }
}

/** One recording counts as one browser. */
function originOf(fileHash: string, site: string, { creator, browser }: HarSurvey): ClientInfo {
  const name = `${textAt(browser, 'name')} ${textAt(creator, 'name')}`.toLowerCase();
  const version = /^\d{1,4}(\.\d{1,6}){0,3}/.exec(textAt(browser, 'version'))?.[0] ?? '';
  return {
    client: uuidFrom(`${fileHash}\nclient`),
    site,
    browser: name.includes('firefox') ? 'firefox' : 'chromium',
    browserVersion: version,
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
    if (file.endsWith('.gz')) {
      const unpacked = stream.pipe(createGunzip());
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

/** A deterministic UUID of a text (version 8: custom). */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
