import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostPatterns } from '../../../shared/probes/host-patterns.ts';
import { REQUESTS_PER_REPETITION, type SequenceRequest } from '../../../shared/probes/sequence-request.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { SequenceReport } from '../../../shared/vocabulary/probe-words.ts';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { packageExtension } from '../../rollout/package/package-extension.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { type AnswerBox, openAnswerBox } from './answer-box.ts';

/** Starting a browser takes a while beside the runs themselves, ms. */
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
  /** Told before each round how many are done. */
  readonly progress?: (rounds: number) => void;
  /** Ends it, browser and all, with its reason. */
  readonly signal?: AbortSignal;
}

export interface ProbedLadder {
  readonly report: SequenceReport;
  readonly samples: readonly Sample[];
  /** Of the browser, such as `156.0.8078.79`. */
  readonly version: string;
}

/**
 * Has a real browser with a fresh profile run a ladder, by the extension that users have, permitted to reach the probe's
 * hosts and nothing else. Rejects with a BrowserError where the browser does not start, with a CommandFailure where
 * nothing comes back.
 */
export async function probeWithBrowser(request: SequenceRequest, options: ProbeBrowserOptions): Promise<ProbedLadder> {
  const { engine, executable, headless, trust, proxy } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lastbyte-probe-'));
  const box = await openAnswerBox();
  try {
    const match = [...hostPatterns(request), 'http://127.0.0.1/*'];
    await packageExtension({
      source: options.built,
      engine,
      targets: [{ match }],
      enrolment: null,
      network: true,
      out: dir,
    });
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
      const ladder = result(box, longestRound(request), options.progress);
      return { ...(await Promise.race([ladder, stopped(options.signal)])), version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    await box.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** No run lasts longer than its time limit, so this is when nothing can come any more, ms. */
function longestRound({ timeoutMs, pauseMs, idleWaitMs }: SequenceRequest): number {
  return GRACE_MS + REQUESTS_PER_REPETITION * (timeoutMs + 2 * pauseMs) + 2 * (idleWaitMs ?? 0);
}

/** Rejects at the signal, and never resolves. */
function stopped(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

type Answer = Omit<ProbedLadder, 'version'> | { readonly error: string } | { readonly round: number } | null;

async function result(
  box: AnswerBox,
  withinMs: number,
  progress: (rounds: number) => void = () => {},
): Promise<Omit<ProbedLadder, 'version'>> {
  for (;;) {
    const answer = (await box.next(withinMs)) as Answer;
    if (answer === null) throw new CommandFailure('the browser handed nothing back', 'Run it again with --headed.');
    if ('error' in answer) {
      throw new CommandFailure(`the browser could not probe: ${answer.error}`, 'Please report this.');
    }
    if ('report' in answer) return answer;
    progress(answer.round);
  }
}
