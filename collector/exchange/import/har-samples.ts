import { createHash } from 'node:crypto';
import { findTarget } from '../../../shared/redact/match-pattern.ts';
import { makeSample } from '../../../shared/sample/make-sample.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { Target } from '../../../shared/settings/settings-schema.ts';
import type { TimeName } from '../../../shared/vocabulary/time-names.ts';
import { type HarFault, type ReadHarEntry, readHarEntry } from './har-timing-entry.ts';
import type { Json } from './har-values.ts';
import { type OwnFields, restoreSample } from './restore-sample.ts';

/** Pages remembered while a file is read; no sensible file has more. */
const MAX_PAGES = 10_000;
/** Real producers write shorter ids. */
const MAX_PAGE_ID = 256;

/** A page's id, or the hash of a long one: ten thousand long ids would take gigabytes. */
export function toPageKey(id: string): string {
  return id.length <= MAX_PAGE_ID ? id : createHash('sha256').update(id).digest('base64');
}

export interface HarSamplesOptions {
  readonly targets: readonly Target[];
  /** Target of every entry; null determines it from the addresses. */
  readonly target: string | null;
  /** `har` or `har-LABEL`. */
  readonly source: string;
  /** Time zone of times that name none; absent or null refuses them. */
  readonly zone?: string | null;
  /** What applies to all entries of the file; absent: as in the specification. */
  readonly recording?: Recording;
}

export interface Recording {
  /** Name of the tool that wrote the file. */
  readonly creator: string;
  readonly statesConnections: boolean;
}

const AS_SPECIFIED: Recording = { creator: '', statesConnections: true };

interface Page {
  /** Often the address of its document. */
  title: string;
  /** Id of the target of the page's document or title. */
  target: string | null;
  hasDocument: boolean;
}

/**
 * Turns the entries of one HAR into samples, in order: timing → classify → redact, with the same code as in a browser. An
 * entry belongs to the target of its page, as in a browser, or else to that of its own address.
 */
export function harSamples(options: HarSamplesOptions) {
  const { targets, target: fixed, source, zone = null, recording = AS_SPECIFIED } = options;
  const pages = new Map<string, Page>();
  const byId = new Map(targets.map((target) => [target.id, target]));

  function pageOf(id: string): Page {
    const ref = toPageKey(id);
    const known = pages.get(ref);
    if (known !== undefined) return known;
    if (pages.size >= MAX_PAGES) pages.clear();
    const page = { title: '', target: null, hasDocument: false };
    pages.set(ref, page);
    return page;
  }

  return {
    /** Browsers and sitespeed.io write a page's address as its title. */
    page(id: string, title: string): void {
      const page = pageOf(id);
      page.title = title;
      page.target ??= findTarget(title, targets)?.id ?? null;
    },
    /** @param own what Lastbyte exported with the entry; null if another tool wrote it */
    entry(value: unknown, own: OwnFields | null = null): Sample | HarFault {
      const read = readHarEntry(value, recording.creator, zone);
      if (typeof read === 'string') return read;
      const page = pageOf(read.pageref);
      const byAddress = findTarget(read.url, targets)?.id ?? null;
      const topDocument = isTopDocument(read, page);
      if (topDocument && read.arrives) {
        page.hasDocument = true;
        page.target = byAddress ?? page.target;
      }
      const stated = own !== null && byId.has(read.pageref) ? read.pageref : null;
      const target = fixed ?? stated ?? page.target ?? byAddress;
      if (target === null) return 'no_target';
      const sample = sampleOf(read, topDocument, { target, source, recording, settings: byId.get(target) });
      return own === null || typeof sample === 'string' ? sample : restoreSample(sample, own, value as Json);
    },
  };
}

/** Only pages have frames: without one, each document was navigated to. So was the one that the page is called after. */
function isTopDocument({ loads, pageref, url }: ReadHarEntry, { title, hasDocument }: Page): boolean {
  if (loads === 'html') return !hasDocument;
  if (loads !== 'document') return loads === 'navigation';
  return pageref === '' || !hasDocument || url === title;
}

function sampleOf(
  read: ReadHarEntry,
  topDocument: boolean,
  options: Pick<HarSamplesOptions, 'source'> & { target: string; recording: Recording; settings: Target | undefined },
): Sample | HarFault {
  const { target, source, recording, settings } = options;
  const entry = topDocument
    ? { ...read.entry, entryType: 'navigation' as const, initiatorType: 'navigation', navigationType: 'navigate' }
    : read.entry;
  const { sample } = makeSample(entry, read.context, {
    target,
    source,
    templateRules: settings?.templateRules ?? [],
    serverTimingMetrics: settings?.serverTimingMetrics ?? [],
  });
  if (sample === null) return 'bad_value';
  const hidden = Object.fromEntries([...read.unknownSizes].map((name) => [name, null]));
  return asRecorded({ ...sample, ...hidden }, read, recording);
}

/** Removes what the timestamps state and the recording does not. */
function asRecorded(sample: Sample, read: ReadHarEntry, { statesConnections }: Recording): Sample {
  const excluded = sample.excluded ?? (read.abandoned ? 'abandoned' : null);
  // A memory cache does answer within no time.
  const isLocal = sample.connection === 'cache' && sample.connectionEvidence !== 'revalidated';
  const times = read.notRecorded.filter((name) => name !== 'ttlb' || !isLocal);
  const recorded = withoutTimes({ ...sample, excluded }, times);
  const isOpen = sample.connection === 'reused' || sample.connection === 'unknown';
  if (!isOpen || (statesConnections && !read.bare) || sample.excluded === 'invalid') return recorded;
  const connection = { connection: 'unknown', connectionEvidence: 'connections_not_recorded' } as const;
  // A lookup that took time was recorded.
  const lookup = sample.times.dns === 0 ? (['dns'] as const) : [];
  return { ...withoutTimes(recorded, [...lookup, 'tcp', 'tls']), ...connection };
}

function withoutTimes(sample: Sample, names: readonly TimeName[]): Sample {
  const known = names.filter((name) => sample.times[name] !== null);
  const each = <T>(value: T) => Object.fromEntries(known.map((name) => [name, value]));
  return {
    ...sample,
    times: { ...sample.times, ...each(null) },
    unknown: { ...sample.unknown, ...each('not_recorded') },
  };
}
