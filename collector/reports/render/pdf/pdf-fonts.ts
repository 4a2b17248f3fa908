import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { plainFont } from './plain-font.ts';

const require = createRequire(import.meta.url);

/** DejaVu: free to embed, with Latin, Greek, Cyrillic and the signs of mathematics. */
const FILES = {
  regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
} as const;

export type FontName = keyof typeof FILES;

const read = new Map<FontName, Buffer>();

export function fontFile(name: FontName): Buffer {
  let file = read.get(name);
  if (file === undefined) {
    file = plainFont(readFileSync(FILES[name]()));
    read.set(name, file);
  }
  return file;
}
