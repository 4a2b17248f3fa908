import { targetOf } from '../../shared/redact/match-pattern.ts';
import { makeSample } from '../../shared/sample/make-sample.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { type HarFault, type ReadHarEntry, readHarEntry } from './har-timing-entry.ts';

/** Pages that are remembered while a file is read; a file with more has lost its meaning. */
const MAX_PAGES = 10_000;

export interface HarSamplesOptions {
  readonly targets: readonly Target[];
  /** Takes every entry as this target's; null asks the addresses. */
  readonly target: string | null;
  /** `har` or `har-LABEL`. */
  readonly source: string;
}

interface Page {
  /** Id of the target that the page's document or title belongs to. */
  target: string | null;
  hasDocument: boolean;
}

/**
 * Turns the entries of one HAR into samples, in their order: timing → classify → redact, by the same code as in a browser. An
 * entry belongs to the target of its page, as in a browser, or else of its own address.
 */
export function harSamples({ targets, target: fixed, source }: HarSamplesOptions) {
  const pages = new Map<string, Page>();
  const byId = new Map(targets.map((target) => [target.id, target]));

  function pageOf(ref: string): Page {
    const known = pages.get(ref);
    if (known !== undefined) return known;
    if (pages.size >= MAX_PAGES) pages.clear();
    const page = { target: null, hasDocument: false };
    pages.set(ref, page);
    return page;
  }

  return {
    /** A page's title is its address in what browsers and sitespeed.io write. */
    page(id: string, title: string): void {
      pageOf(id).target ??= targetOf(title, targets)?.id ?? null;
    },
    entry(value: unknown): Sample | HarFault {
      const read = readHarEntry(value);
      if (typeof read === 'string') return read;
      const page = pageOf(read.pageref);
      const own = targetOf(read.url, targets)?.id ?? null;
      const topDocument = read.document && !page.hasDocument;
      if (topDocument) {
        page.hasDocument = true;
        page.target = own ?? page.target;
      }
      const target = fixed ?? page.target ?? own;
      if (target === null) return 'no_target';
      return sampleOf(read, topDocument, { target, source, settings: byId.get(target) });
    },
  };
}

function sampleOf(
  read: ReadHarEntry,
  topDocument: boolean,
  { target, source, settings }: { target: string; source: string; settings: Target | undefined },
): Sample | HarFault {
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
  return { ...sample, ...hidden };
}
