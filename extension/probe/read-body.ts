/**
 * Reads a body to its end without keeping it: it may be larger than the browser's memory.
 *
 * @param text what to look for, as UTF-8; null looks for nothing
 * @returns whether it was found
 */
export async function readBody(body: ReadableStream<Uint8Array> | null, text: string | null): Promise<boolean> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let found = false;
  /** The end of the body so far, where the text may have begun. */
  let last = '';
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return found;
    if (text === null || found) continue;
    const now = last + decoder.decode(value, { stream: true });
    found = now.includes(text);
    last = now.slice(Math.max(0, now.length - text.length + 1));
  }
}
