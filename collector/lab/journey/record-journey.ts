import type { Page } from 'puppeteer-core';
import { assembleRecording, type Recorded } from '../../../shared/journeys/assemble-recording.ts';
import type { Recording } from '../../../shared/journeys/recording.ts';
import { redactAddress } from '../../../shared/journeys/run-outcome.ts';
import { launchRobot, type RobotOptions } from './robot-browser.ts';

export interface RecordOptions extends RobotOptions {
  readonly url: string;
  /** Text of the extension's recorder.js. */
  readonly recorder: string;
  /** Ends the recording, as closing the window does. */
  readonly signal: AbortSignal;
  /** Called once the first page is being recorded. */
  readonly opened: (page: Page) => void;
}

const SEND = 'lastbyteRecorded';

/**
 * Records what a person does in a fresh browser. The recorder runs before the page's scripts and beside them: a page that is made to
 * deceive could add steps, which the person sees afterwards.
 * @throws CommandFailure
 */
export async function recordJourney(options: RecordOptions): Promise<Recording> {
  const { url, recorder, signal } = options;
  const { browser, page, close } = await launchRobot(options);
  try {
    const items: Recorded[] = [];
    await page.exposeFunction(SEND, ({ item }: { item: Recorded }) => {
      if (items.push(item) === 1) options.opened(page);
      return true;
    });
    await page.evaluateOnNewDocument(
      `((globalThis) => {${recorder}})({ chrome: { runtime: { sendMessage: window.${SEND} } } })`,
    );
    // A page that does not load is seen, and another can be opened.
    page.goto(url, { timeout: 0 }).catch(() => {});
    await new Promise<void>((resolve) => {
      page.on('close', () => resolve());
      browser.on('disconnected', () => resolve());
      signal.addEventListener('abort', () => resolve());
    });
    return assembleRecording(items, redactAddress(page.url()) || null, new URL(url).hostname);
  } finally {
    await close();
  }
}
