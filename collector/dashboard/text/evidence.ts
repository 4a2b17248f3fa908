import type { EvidenceClass } from '../../../shared/sample/evidence.ts';
import { ENGLISH } from '../../analysis/text/english.ts';

const { count, ms, wholeShare } = ENGLISH.numbers;
const samples = (n: number) => `${count(n)} ${n === 1 ? 'sample' : 'samples'}`;
const batches = (n: number) => `${count(n)} ${n === 1 ? 'batch' : 'batches'}`;

export const EVIDENCE = {
  title: 'Evidence',
  announced: (classes: number) => `${classes} classes of evidence`,
  noSamples: 'No browser has sent a sample in this range.',
  timed: (share: number, all: number) => `${wholeShare(share)} of ${samples(all)} can be timed.`,
  /** `others` have the largest shares; `rest` is the share of `further` more. */
  notTimed: (others: readonly { readonly label: string; readonly share: number }[], rest: number, further: number) => {
    const named = others.map(({ label, share }) => `${wholeShare(share)} ${label}`).join(', ');
    const tail = rest === 0 ? '' : `, ${wholeShare(rest)} for ${further === 1 ? 'another reason' : 'other reasons'}`;
    return `The rest is counted but not timed: ${named}${tail}.`;
  },

  classes: {
    heading: 'Classes of evidence',
    title: 'Samples by class',
    note: 'Every sample is in exactly one class.',
    table: 'All samples by class',
    columns: { label: 'Class', count: 'Samples', share: 'Share', meaning: 'What it means' },
    usable: 'usable',
    opaque: 'opaque',
    cache: 'from the cache',
    shareOf: (label: string, share: number) => `${label}: ${wholeShare(share)}`,
    countOf: (label: string, n: number, share: number) => `${label} ${count(n)} (${wholeShare(share)})`,
  },
  meanings: {
    usable: 'included in all times',
    opaque: 'another origin hides its times; ask for Timing-Allow-Origin',
    cache: 'nothing was sent over the network',
    abandoned: 'the page gave up before the response had ended; it would have taken longer',
    failed: 'the request ended with an error; counted, not timed',
    invalid: 'the browser’s timestamps contradict each other; never corrected',
    worker: 'the timestamps describe the page and its service worker, not the network',
    status: 'a response such as 401 or 404 is fast and says nothing about the page',
    redirect: 'the response was a redirect',
    challenge: 'the browser authenticated first, and that time counts as blocked',
    warmup: 'first requests of probes, to warm up',
    hidden: 'browsers throttle hidden tabs',
    bfcache: 'the page was restored from the back/forward cache',
    prerender: 'the page was prerendered; the user was not waiting',
    rule: 'your own exclusion rule',
    unproven: 'a probe’s run that did not prove its scenario',
  } as Readonly<Record<EvidenceClass, string>>,

  cells: {
    title: 'By host and type',
    columns: {
      host: 'Host',
      type: 'Type',
      samples: 'Samples',
      browsers: 'Browsers',
      usable: 'Usable',
      opaque: 'Opaque',
      cache: 'Cache',
      excluded: 'Excluded',
      why: 'Reasons for exclusion',
    },
  },
  unknown: {
    title: 'Unknown times in usable samples',
    columns: { time: 'Time', reason: 'Reason', count: 'Samples' },
    /** Times that are no phases. */
    times: { redirect: 'Redirects', ttfb: 'To first byte', ttlb: 'To last byte' } as Readonly<Record<string, string>>,
    note: 'Unknown is never counted as 0. A reused connection has no DNS, TCP or TLS to measure; that is not a gap.',
  },
  cache: 'Cache hits and refetches',
  missing: (reason: string) => `Cache and versions cannot be shown: ${reason}`,

  timing: {
    title: 'Ask for Timing-Allow-Origin',
    none: 'No host hides its times from your pages.',
    intro:
      'These hosts hide their times from your apps’ pages. Their owners can allow access with one response header.',
    hidden: (app: string, opaque: number, all: number) =>
      ` on pages of ${app}: ${count(opaque)} of ${samples(all)} hidden`,
    copy: (host: string, header: string) => `Copy the header for ${host}: ${header}`,
    several: 'If there are several lines, the server must send the one that matches the requesting origin.',
  },

  browsers: {
    panel: 'Browsers',
    title: 'Reporting browsers',
    intro: 'Browsers that reported in this range, in their last reported state.',
    none: 'No browser has reported. Is the extension rolled out, and is its key still valid?',
    truncated: 'There are more browsers than can be counted here. Filter by site.',
    tooFew: 'not shown: too few browsers',
    tiles: {
      reporting: 'Reporting',
      last: (age: string) => `last report ${age}`,
      collecting: 'Collecting',
      degraded: 'Degraded',
      notAllAllowed: 'not all apps allowed',
      unknown: 'State unknown',
      older: 'older extensions',
      clocks: 'Wrong clocks',
      corrected: 'by more than 1 s; corrected',
      silent: 'Silent for a day',
    },
    degradedTip: 'The user has not allowed all apps or has revoked a permission',
    states: { collecting: 'collecting', degraded: 'degraded' } as Readonly<Record<string, string>>,
    noLabel: '(no label)',
    sites: {
      title: 'Browsers by site',
      columns: { site: 'Site', browsers: 'Browsers', degraded: 'Degraded', last: 'Last report' },
    },
    named: {
      title: 'Individual browsers',
      columns: {
        client: 'Browser',
        site: 'Site',
        state: 'State',
        version: 'Version',
        extension: 'Extension',
        last: 'Last report',
        clock: 'Clock error',
        waiting: 'Waiting',
        dropped: 'Dropped',
        lost: 'Lost',
      },
      notes: [
        'Ids are random and change on the first of the month. To delete a browser’s data: lastbyte erase --client ID.',
        'Clock error: ahead of (+) or behind (−) the collector at the last batch; its times were corrected.',
      ],
    },
  },
  versions: {
    title: 'Versions of browsers and extension',
    columns: {
      browser: 'Browser',
      extension: 'Extension',
      browsers: 'Browsers',
      samples: 'Samples',
      last: 'Last sample',
    },
    clocksRight: (all: number) => `In ${batches(all)} no clock had to be corrected.`,
    clocksWrong: (corrected: number, all: number, seconds: number) =>
      `${count(corrected)} of ${batches(all)} had a clock that was wrong by up to ${ms(seconds)} s; their times were corrected.`,
  },
  losses: {
    title: 'Losses',
    columns: { where: 'Where', reason: 'Reason', count: 'Rows', browsers: 'Browsers' },
    dropped: 'never left the browser',
    rejected: 'rejected by the collector',
    lost: 'never became a sample',
    ignored: 'left out of a sample',
    notKept: 'not stored by the collector',
    note: 'Counted by each browser since its extension was installed. docs/wire-format.md, docs/delivery.md and docs/operations.md explain the reasons.',
  },
};
