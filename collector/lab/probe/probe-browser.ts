import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostPatterns } from '../../../shared/probes/host-patterns.ts';
import { REQUESTS_PER_REPETITION, type SequenceRequest } from '../../../shared/probes/sequence-request.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import type { SequenceReport } from '../../../shared/vocabulary/probe-words.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { packageExtension } from '../../rollout/package/package-extension.ts';
import type { BrowserOptions } from '../browser/browser-session.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { type AnswerBox, openAnswerBox } from './answer-box.ts';

/** Allowance for starting the browser, ms. */
const GRACE_MS = 60_000;

export interface ProbeBrowserOptions extends Pick<BrowserOptions, 'engine' | 'executable' | 'headless' | 'trust'> {
  /** Folder of the built extensions. */
  readonly built: string;
  /** `socks5://host:port`; null for a direct connection. */
  readonly proxy: string | null;
  /** Called before each round with the number of finished ones. */
  readonly progress?: (rounds: number) => void;
  /** Ends the browser; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ProbeResult {
  readonly report: SequenceReport;
  readonly samples: readonly Sample[];
  /** The browser's version, such as `156.0.8078.79`. */
  readonly version: string;
}

/**
 * Runs a probe sequence in a real browser with a fresh profile, with the extension that users have, permitted to reach
 * only the probe's hosts. Rejects with a CommandFailure if the browser does not start, or without a result.
 */
export async function probeWithBrowser(request: SequenceRequest, options: ProbeBrowserOptions): Promise<ProbeResult> {
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
      const result = receiveResult(box, longestRound(request), options.progress);
      return { ...(await Promise.race([result, stopped(options.signal)])), version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    await box.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** In ms. No run exceeds its time limit, so no document takes longer than this. */
function longestRound({ timeoutMs, pauseMs, idleWaitMs }: SequenceRequest): number {
  return GRACE_MS + REQUESTS_PER_REPETITION * (timeoutMs + 2 * pauseMs) + 2 * (idleWaitMs ?? 0);
}

/** Rejects when the signal aborts, and never resolves. */
function stopped(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

type Posted = Omit<ProbeResult, 'version'> | { readonly error: string } | { readonly round: number } | null;

async function receiveResult(
  box: AnswerBox,
  withinMs: number,
  progress: (rounds: number) => void = () => {},
): Promise<Omit<ProbeResult, 'version'>> {
  for (;;) {
    const posted = (await box.next(withinMs)) as Posted;
    if (posted === null) throw new CommandFailure('the browser returned no result', 'Run it again with --headed.');
    if ('error' in posted) {
      throw new CommandFailure(`the browser could not probe: ${posted.error}`, 'Please report this.');
    }
    if ('report' in posted) return posted;
    progress(posted.round);
  }
}
