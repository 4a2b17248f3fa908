/** The cost of requests: the bytes of a body as sent and as inflated, plus other work, converted to bytes. */

/** Per request, in addition to its bytes. */
export const REQUEST_COST = 2048;
/**
 * Per stored row, including its bytes as sent and inflated, of which a browser's row takes 135 to 190. A row that is sent
 * in fewer bytes still takes as much work, and as many bytes on disk in a chunk with those of others.
 */
export const STORED_ROW_COST = 400;
/**
 * Per stored batch, however few rows it has: its id and its browser's row are at random places in their tables, and
 * each changed page is written whole. A batch a minute from each of 20,000 browsers behind one address stays within the
 * rate of a network (admission.ts).
 */
export const BATCH_COST = 8 * 1024;
/** Per batch from a new browser: two pages of 16 KiB that nothing else changes at the same time. */
export const NEW_BROWSER_COST = 32 * 1024;
/** Per row that was validated only to be rejected. */
export const REJECTED_ROW_COST = 256;
/** Per body that was read only to be refused: browsers don't send it twice. */
export const REFUSED_BODY_COST = 64 * 1024;
