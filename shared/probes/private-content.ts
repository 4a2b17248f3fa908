interface Probed {
  readonly cookies?: boolean | undefined;
  readonly steps?: readonly { readonly text?: string }[];
}

/**
 * Whether a probe asks what a page says that only this user may see. With the user's cookies, a text to look for would let
 * anyone who writes the settings put questions about signed-in pages to every browser. Settings refuse such a probe, and so
 * does the browser, which does not trust its collector. Sizes answer the same questions, so a probe that sends cookies
 * reports none: `sample-of-request.ts`.
 */
export function asksPrivateContent({ cookies = false, steps = [] }: Probed): boolean {
  return cookies && steps.some(({ text }) => text !== undefined);
}
