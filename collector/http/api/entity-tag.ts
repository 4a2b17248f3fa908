import { createHash } from 'node:crypto';

const DIGEST_LENGTH = 16;

/**
 * A strong ETag of a document's content. Not of its revision number: a new data folder behind the same address starts
 * counting again, and browsers would keep the old document. https://www.rfc-editor.org/rfc/rfc9110#name-etag
 */
export function entityTag(document: object): string {
  return `"${createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, DIGEST_LENGTH)}"`;
}

/** For If-Match: `*` matches any tag, and weak tags match none. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1 */
export function namesTagStrongly(header: string, tag: string): boolean {
  return listed(header).some((named) => named === '*' || named === tag);
}

/** For If-None-Match: a weak tag matches its strong one. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function namesTagWeakly(header: string, tag: string): boolean {
  return namesTagStrongly(header, tag) || listed(header).includes(`W/${tag}`);
}

function listed(header: string): string[] {
  return header.split(',').map((part) => part.trim());
}
