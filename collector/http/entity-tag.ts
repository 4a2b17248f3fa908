/** The ETag of a settings revision. https://www.rfc-editor.org/rfc/rfc9110#name-etag */
export function entityTag(revision: number): string {
  return `"${revision}"`;
}

/** Does an If-Match or If-None-Match header name this tag? `*` names any. Weak tags count as their strong ones. */
export function namesTag(header: string, tag: string): boolean {
  return header.split(',').some((part) => {
    const named = part.trim();
    return named === '*' || named === tag || named === `W/${tag}`;
  });
}
