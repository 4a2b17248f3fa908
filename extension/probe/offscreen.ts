import { platform } from '../platform.ts';

const PAGE = 'probe-frame.html';

/** https://developer.chrome.com/docs/extensions/reference/api/offscreen; the polyfill's types leave it out. */
interface Offscreen {
  createDocument(options: { url: string; reasons: string[]; justification: string }): Promise<void>;
  closeDocument(): Promise<void>;
  hasDocument(): Promise<boolean>;
}

const { offscreen } = platform as unknown as { readonly offscreen?: Offscreen };

/** Chromium's; where there is none (Firefox) both do nothing. There is one such document at a time. */
export async function openOffscreen(
  reason: 'IFRAME_SCRIPTING' | 'BATTERY_STATUS',
  justification: string,
): Promise<void> {
  await offscreen?.createDocument({ url: PAGE, reasons: [reason], justification });
}

export async function closeOffscreen(): Promise<void> {
  if (await offscreen?.hasDocument()) await offscreen?.closeDocument();
}
