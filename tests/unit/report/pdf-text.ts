import { inflateSync } from 'node:zlib';

/** What can be selected on each page of a PDF of ours, piece by piece in the order it was drawn, and its figures. */
export interface ReadPdf {
  readonly pages: readonly (readonly string[])[];
  /** Types of the elements that a screen reader meets, in no order. */
  readonly elements: readonly string[];
}

/** Reads text through the fonts' own tables to Unicode, as a viewer does when somebody copies it. */
export function readPdf(file: Buffer): ReadPdf {
  const raw = file.toString('latin1');
  const objects = new Map(
    Array.from(
      raw.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g),
      ([, id = '', body = '']) => [id, body] as const,
    ),
  );
  const body = (id: string) => objects.get(id) ?? '';
  const streamOf = (id: string): string => {
    const [, data] = /stream\n([\s\S]*)\nendstream/.exec(body(id)) ?? [];
    if (data === undefined) return '';
    const bytes = Buffer.from(data, 'latin1');
    return (body(id).includes('FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  };
  const reference = (text: string, name: string) => new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1] ?? '';
  const pages = [...objects.values()].filter((text) => /\/Type \/Page\n/.test(text));
  return {
    pages: pages.map((page) => {
      const fonts = new Map(
        Array.from(body(reference(page, 'Resources')).matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id = '']) => [
          name,
          toUnicode(streamOf(reference(body(id), 'ToUnicode'))),
        ]),
      );
      return textOf(streamOf(reference(page, 'Contents')), fonts);
    }),
    elements: Array.from(raw.matchAll(/\/S \/([A-Z]\w*)\n/g), ([, type = '']) => type),
  };
}

/** `<0000> <0010> [<0041> <0042>]`: code by code. */
function toUnicode(table: string): string[] {
  const signs: string[] = [];
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g)) {
    Array.from(list.matchAll(/<([0-9a-f]*)>/g)).forEach(([, hex = ''], i) => {
      signs[Number.parseInt(first, 16) + i] = Buffer.from(hex, 'hex').swap16().toString('utf16le');
    });
  }
  return signs;
}

function textOf(content: string, fonts: ReadonlyMap<string, readonly string[]>): string[] {
  const pieces: string[] = [];
  let font: readonly string[] = [];
  for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name !== undefined) font = fonts.get(name) ?? [];
    else {
      const hex = Array.from((shown ?? '').matchAll(/<([0-9a-f]*)>/g), ([, part = '']) => part).join('');
      pieces.push((hex.match(/.{4}/g) ?? []).map((code) => font[Number.parseInt(code, 16)] ?? '\ufffd').join(''));
    }
  }
  return pieces;
}
