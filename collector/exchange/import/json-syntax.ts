const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** No number needs more characters; anything longer is not a literal. */
const MAX_LITERAL = 400;
/** Limit for quotes in a message, characters. */
const MAX_QUOTED = 20;

export interface SyntaxFault {
  /** Byte offset in the uncompressed file, from 0. */
  readonly offset: number;
  /** Both from 1; columns are bytes. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What is allowed next. */
type State = 'value' | 'value_or_end' | 'name' | 'name_or_end' | 'colon' | 'comma_or_end' | 'nothing';

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  value_or_end: 'a value or ]',
  name: 'a name in quotes',
  name_or_end: 'a name in quotes or }',
  colon: ':',
  comma_or_end: ', or the end of the list or object',
  nothing: 'the end of the file',
};

/**
 * Finds the first position at which bytes are not JSON (RFC 8259), piece by piece, for recordings of any size. It holds
 * only the open brackets, whereas streaming JSON parsers hold strings of any length.
 */
export class JsonSyntax {
  private found: SyntaxFault | null = null;
  private state: State = 'value';
  private readonly open: number[] = [];
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private literal = '';
  private inString = false;
  private stringIsName = false;
  private escaped = false;
  /** Remaining hexadecimal digits of a `\u`. */
  private hex = 0;

  push(chunk: Buffer): void {
    for (let index = 0; index < chunk.length && this.found === null; index++) {
      const byte = chunk[index] as number;
      if (this.inString) this.readString(byte);
      else if (!(this.at < 3 && byte === BYTE_ORDER_MARK[this.at])) this.read(byte);
      if (byte === NEWLINE) {
        this.line++;
        this.lineStart = this.at + 1;
      }
      this.at++;
    }
  }

  /** Call it after the last piece. @returns null if the file is JSON */
  end(): SyntaxFault | null {
    if (this.found !== null) return this.found;
    this.endLiteral();
    if (this.inString) this.fail('the file ends inside a string');
    else if (this.state !== 'nothing') this.fail(`the file ends where ${EXPECTED[this.state]} is expected`);
    return this.found;
  }

  private readString(byte: number): void {
    if (this.hex > 0) {
      if (!/[0-9a-f]/i.test(String.fromCharCode(byte))) this.fail('\\u is not followed by four hexadecimal digits');
      this.hex--;
    } else if (this.escaped) {
      this.escaped = false;
      const character = String.fromCharCode(byte);
      if (character === 'u') this.hex = 4;
      else if (!'"\\/bfnrt'.includes(character)) this.fail(`\\${quoted(byte)} is not an escape`);
    } else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      if (this.stringIsName) this.state = 'colon';
      else this.endValue();
    } else if (byte < 0x20) this.fail('there is a line break or another control character in a string');
  }

  private read(byte: number): void {
    const character = String.fromCharCode(byte);
    if (this.literal !== '' || /[-+.\w]/.test(character)) {
      if (/[-+.\w]/.test(character)) {
        this.addToLiteral(character, byte);
        return;
      }
      this.endLiteral();
      if (this.found !== null) return;
    }
    if (' \t\r\n'.includes(character)) return;
    const { state } = this;
    if (character === '"' && (state === 'value' || state === 'value_or_end')) this.beginString(false);
    else if (character === '"' && (state === 'name' || state === 'name_or_end')) this.beginString(true);
    else if ((character === '{' || character === '[') && (state === 'value' || state === 'value_or_end')) {
      this.open.push(byte);
      this.state = character === '{' ? 'name_or_end' : 'value_or_end';
    } else if (character === '}' && this.closes('{') && (state === 'name_or_end' || state === 'comma_or_end')) {
      this.close();
    } else if (character === ']' && this.closes('[') && (state === 'value_or_end' || state === 'comma_or_end')) {
      this.close();
    } else if (character === ':' && state === 'colon') this.state = 'value';
    else if (character === ',' && state === 'comma_or_end') this.state = this.closes('{') ? 'name' : 'value';
    else this.fail(`${quoted(byte)} where ${EXPECTED[state]} is expected`);
  }

  private beginString(isName: boolean): void {
    this.inString = true;
    this.stringIsName = isName;
  }

  private addToLiteral(character: string, byte: number): void {
    if (this.state !== 'value' && this.state !== 'value_or_end') {
      this.fail(`${quoted(byte)} where ${EXPECTED[this.state]} is expected`);
    } else if (this.literal.length < MAX_LITERAL) this.literal += character;
  }

  private endLiteral(): void {
    const { literal } = this;
    if (literal === '') return;
    this.literal = '';
    if (LITERAL.test(literal)) this.endValue();
    else this.fail(`${literal.slice(0, MAX_QUOTED)} is not a value`, literal.length);
  }

  private closes(bracket: string): boolean {
    return this.open.at(-1) === bracket.charCodeAt(0);
  }

  private close(): void {
    this.open.pop();
    this.endValue();
  }

  private endValue(): void {
    this.state = this.open.length === 0 ? 'nothing' : 'comma_or_end';
  }

  /** @param back number of bytes before this one at which the fault began */
  private fail(message: string, back = 0): void {
    const offset = this.at - back;
    this.found ??= { offset, line: this.line, column: offset - this.lineStart + 1, message };
  }
}

function quoted(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `byte 0x${byte.toString(16).padStart(2, '0')}`;
}
