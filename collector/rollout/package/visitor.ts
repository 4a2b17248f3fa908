/** Who asks for the extension, as far as the way to install it differs. */
export interface Visitor {
  readonly browser: 'chrome' | 'edge' | 'firefox' | 'other';
  readonly system: 'windows' | 'macos' | 'linux' | 'other';
}

/** From a User-Agent header, which is neither kept nor logged. Everybody built on Chromium says Chrome too. */
export function visitorOf(userAgent: string): Visitor {
  const is = (pattern: RegExp) => pattern.test(userAgent);
  const system = is(/Windows NT/) ? 'windows' : is(/Macintosh/) ? 'macos' : is(/Linux|X11/) ? 'linux' : 'other';
  if (is(/Android|iPhone|iPad|Mobile/)) return { browser: 'other', system: 'other' };
  if (is(/Firefox\//)) return { browser: 'firefox', system };
  if (is(/Edg\//)) return { browser: 'edge', system };
  return { browser: is(/Chrom(?:e|ium)\//) ? 'chrome' : 'other', system };
}
