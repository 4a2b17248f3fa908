/** Builds the unpacked extension for each browser: `<outdir>/chromium` and `<outdir>/firefox`. */
export function buildExtension(outdir: string): Promise<void>;
