import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';

/** Major version, such as `156`: finer ones would help to single out a browser. Empty where it is not told. */
export function browserVersion(engine: BrowserEngine, userAgent: string): string {
  const pattern = engine === 'chromium' ? /Chrom(?:e|ium)\/(\d+)/ : /Firefox\/(\d+)/;
  return pattern.exec(userAgent)?.[1] ?? '';
}
