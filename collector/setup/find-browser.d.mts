export type BrowserKind = 'chromium' | 'firefox';

export const BROWSER_KINDS: readonly BrowserKind[];

export interface FoundBrowser {
  readonly kind: BrowserKind;
  /** Absolute path of the executable. */
  readonly path: string;
  /** `installed`, or the environment variable that named it. */
  readonly from: string;
}

export interface Machine {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isExecutable: (file: string) => boolean;
}

/** null where none is installed. Throws where LASTBYTE_CHROMIUM or LASTBYTE_FIREFOX names no executable file. */
export function findBrowser(kind: BrowserKind, machine?: Machine): FoundBrowser | null;

export function thisMachine(): Machine;
