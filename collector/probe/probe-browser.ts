import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LadderRequest } from '../../shared/probe/ladder-request.ts';
import type { LadderReport } from '../../shared/probe/probe-words.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import type { BrowserEngine } from '../browser/find-browser.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { CommandFailure } from '../cli/failure.ts';
import { packageExtension } from '../package/package-extension.ts';
import { openAnswerBox } from './answer-box.ts';

/** Starting a browser and handing back take a while beside the runs themselves, ms. */
const GRACE_MS = 60_000;

export interface ProbeBrowserOptions {
  readonly engine: BrowserEngine;
  readonly executable: string;
  /** Folder of the built extensions. */
  readonly built: string;
  readonly headless: boolean;
  /** PEM authorities to trust beside the browser's own. */
  readonly trust: readonly string[];
  /** `socks5://host:port`; null goes directly. */
  readonly proxy: string | null;
}

export interface ProbedLadder {
  readonly report: LadderReport;
  readonly samples: readonly Sample[];
  /** Of the browser, such as `156.0.8078.79`. */
  readonly version: string;
}

/**
 * Has a real browser with a fresh profile run a ladder, by the extension that users have, permitted to reach the probe's
 * hosts and nothing else. Rejects with a BrowserError where the browser does not start, with a CommandFailure where
 * nothing comes back.
 */
export async function probeWithBrowser(request: LadderRequest, options: ProbeBrowserOptions): Promise<ProbedLadder> {
  const { engine, executable, headless, trust, proxy } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lastbyte-probe-'));
  const box = await openAnswerBox();
  try {
    const match = [...hostPatterns(request), 'http://127.0.0.1/*'];
    await packageExtension({ source: options.built, engine, targets: [{ match }], enrolment: null, out: dir });
    await writeFile(join(dir, 'probe-now.json'), JSON.stringify({ answerTo: box.url, request }));
    const browser = await launchBrowser({
      engine,
      executable,
      extensionDir: dir,
      resolveHosts: null,
      trust,
      headless,
      proxy,
    });
    try {
      const answer = await inTime(box.answer, longest(request));
      return { ...answer, version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    await box.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function hostPatterns({ url, otherUrl, wildcard }: LadderRequest): string[] {
  return [url, otherUrl].flatMap((each) => {
    if (each === null) return [];
    const { protocol, hostname } = new URL(each);
    return [`${protocol}//${hostname}/*`, ...(wildcard ? [`${protocol}//*.${hostname}/*`] : [])];
  });
}

/** No run lasts longer than its time limit, so this is when nothing can come any more, ms. */
function longest({ maxRequests, timeoutMs, pauseMs, idleWaitMs, repetitions }: LadderRequest): number {
  return GRACE_MS + maxRequests * (timeoutMs + 2 * pauseMs) + repetitions * (idleWaitMs ?? 0);
}

async function inTime(answer: Promise<unknown>, ms: number): Promise<Omit<ProbedLadder, 'version'>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const result = (await Promise.race([answer, late]).finally(() => clearTimeout(timer))) as
    | Omit<ProbedLadder, 'version'>
    | { readonly error: string }
    | null;
  if (result === null) throw new CommandFailure('the browser handed nothing back', 'Run it again with --headed.');
  if ('error' in result)
    throw new CommandFailure(`the browser could not probe: ${result.error}`, 'Please report this.');
  return result;
}
