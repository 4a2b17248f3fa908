/** An element as a strict reader sees it: no comments, no mixed contents, everything closed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const TOKEN =
  /<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<\/([\w:]+)>|<([\w:]+)((?:\s+[\w:]+=(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The root element, or an error for anything that is not well formed. */
export function readXml(text: string): XmlElement {
  const root: XmlElement & { children: XmlElement[] } = { name: '', attributes: {}, children: [], text: '' };
  const open: { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string }[] = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(text);
    if (token === null) throw new Error(`not XML at: ${text.slice(at, at + 60)}`);
    const [, closing, opening, attributes = '', empty, content] = token;
    const current = open.at(-1);
    if (current === undefined) throw new Error('more than one root');
    if (content !== undefined) {
      current.text += decode(content);
    } else if (closing !== undefined) {
      if (current.name !== closing) throw new Error(`</${closing}> closes <${current.name}>`);
      open.pop();
    } else if (opening !== undefined) {
      const element = { name: opening, attributes: readAttributes(attributes), children: [], text: '' };
      current.children.push(element);
      if (empty === '') open.push(element);
    }
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || only === undefined || others.length > 0) throw new Error('not one closed root element');
  return only;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/([\w:]+)=(?:"([^"]*)"|'([^']*)')/g), ([, name = '', double, single]) => [
      name,
      decode(double ?? single ?? ''),
    ]),
  );
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));|&/gi, (whole, hex, decimal, name) => {
    if (hex ?? decimal) return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10));
    const character = ENTITIES[name];
    if (character === undefined) throw new Error(`${whole} is no entity of XML`);
    return character;
  });
}

/** The value of a property list. https://developer.apple.com/library/archive/documentation/General/Conceptual/DevPedia-CocoaCore/PropertyList.html */
export function readPlist(text: string): unknown {
  const { name, children } = readXml(text);
  const [only] = children;
  if (name !== 'plist' || children.length !== 1 || only === undefined) throw new Error('not a property list');
  return readValue(only);
}

function readValue({ name, children, text }: XmlElement): unknown {
  switch (name) {
    case 'string':
      return text;
    case 'integer':
      return Number(text);
    case 'true':
    case 'false':
      return name === 'true';
    case 'array':
      return children.map(readValue);
    case 'dict': {
      const entries: [string, unknown][] = [];
      for (let index = 0; index < children.length; index += 2) {
        const [key, value] = [children[index], children[index + 1]];
        if (key?.name !== 'key' || value === undefined) throw new Error('a dict is not pairs of key and value');
        entries.push([key.text, readValue(value)]);
      }
      return Object.fromEntries(entries);
    }
    default:
      throw new Error(`<${name}> is not of a property list`);
  }
}
