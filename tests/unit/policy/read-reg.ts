type RegValue = string | number | readonly string[];

/** Keys and their values of a .reg file, read line by line as regedit does. Throws at anything else. */
export function readReg(text: string): Record<string, Record<string, RegValue>> {
  const lines = text.split('\r\n');
  if (lines.shift() !== 'Windows Registry Editor Version 5.00') throw new Error('no .reg file of version 5');
  const keys: Record<string, Record<string, RegValue>> = {};
  let current: Record<string, RegValue> | null = null;
  for (const line of lines) {
    if (line === '') continue;
    const key = /^\[(HKEY_LOCAL_MACHINE\\[^[\]]+)\]$/.exec(line)?.[1];
    const [, name, value] = /^"((?:[^"\\]|\\["\\])+)"=(.+)$/.exec(line) ?? [];
    if (key !== undefined) {
      current = {};
      keys[key] = current;
    } else if (current !== null && name !== undefined && value !== undefined) {
      current[name.replace(/\\(.)/g, '$1')] = readValue(value);
    } else {
      throw new Error(`not a line of a .reg file: ${line}`);
    }
  }
  return keys;
}

function readValue(text: string): RegValue {
  const [, plain] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text) ?? [];
  if (plain !== undefined) return plain.replace(/\\(.)/g, '$1');
  const [, dword] = /^dword:([0-9a-f]{8})$/.exec(text) ?? [];
  if (dword !== undefined) return Number.parseInt(dword, 16);
  const [, type, hex] = /^hex\((1|7)\):((?:[0-9a-f]{2},)*[0-9a-f]{2})$/.exec(text) ?? [];
  if (hex === undefined) throw new Error(`not a value of a .reg file: ${text}`);
  const strings = Buffer.from(hex.replaceAll(',', ''), 'hex').toString('utf16le').split('\0');
  if (type === '1') {
    if (strings.length !== 2 || strings[1] !== '') throw new Error('a string ends with one zero');
    return strings[0] ?? '';
  }
  if (strings.at(-1) !== '' || strings.at(-2) !== '') throw new Error('a list ends with two zeros');
  return strings.slice(0, -2);
}
