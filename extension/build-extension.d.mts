/**
 * Builds the unpacked extension for each browser: `<outdir>/chromium` and `<outdir>/firefox`. `key` is a public key (SPKI, DER,
 * base64) that gives Chromium's a fixed id.
 */
export function buildExtension(outdir: string, key?: string): Promise<void>;
/** Packs what `buildExtension` built in `folder`: `<outdir>/chromium.zip` and `<outdir>/firefox.xpi`. */
export function packExtension(folder: string, outdir: string): Promise<void>;
