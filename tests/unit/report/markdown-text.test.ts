import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownLine, markdownText } from '../../../collector/reports/render/render-markdown.ts';

/** Each was given to cmark-gfm 0.29, which showed the text on the left and no element. */
test.each([
  ['www.evil.example', 'www\\.evil.example'],
  ['WWW.evil.example', 'WWW\\.evil.example'],
  ['(www.evil.example)', '(www\\.evil.example)'],
  ['http://evil.example/x', 'http\\://evil.example/x'],
  ['ftp://evil.example', 'ftp\\://evil.example'],
  ['<https://evil.example>', '&lt;https\\://evil.example&gt;'],
  ['ops@evil.example', 'ops@<!-- -->evil.example'],
  ['mailto:ops@evil.example', 'mailto:ops@<!-- -->evil.example'],
  ['xmpp:ops@evil.example', 'xmpp:ops@<!-- -->evil.example'],
  ['@everyone', '@<!-- -->everyone'],
  ['#123', '\\#<!-- -->123'],
  ['~~gone~~', '\\~\\~gone\\~\\~'],
  ['~gone~', '\\~gone\\~'],
  ['$a$', '\\$a\\$'],
  ['![x](y)', '!\\[x\\](y)'],
  ['[x]: /y', '\\[x\\]: /y'],
  ['`x` | **y** __z__ \\*', '\\`x\\` \\| \\*\\*y\\*\\* \\_\\_z\\_\\_ \\\\\\*'],
  ['<b>&amp;</b>', '&lt;b&gt;&amp;amp;&lt;/b&gt;'],
  ['two\r\n\r\n# lines', 'two \\# lines'],
  ['/a/{id}/b-c.d', '/a/{id}/b-c.d'],
  ['10:30, 5 % at 12', '10:30, 5 % at 12'],
])('%j is written as %j', (text, markdown) => {
  expect(markdownText(text)).toBe(markdown);
});

test.each([
  ['- x', '\\- x'],
  ['+ x', '\\+ x'],
  ['---', '\\---'],
  ['===', '\\==='],
  ['1. x', '1\\. x'],
  ['12) x', '12\\) x'],
  ['    code', 'code'],
  ['# x', '\\# x'],
  ['> x', '&gt; x'],
  ['1.5 ms', '1.5 ms'],
])('a line that begins with %j begins with %j', (text, markdown) => {
  expect(markdownLine(text)).toBe(markdown);
});

test('nothing that means something is left without its escape', () => {
  const parts = [
    'www.',
    'http://',
    'a@b.c',
    '~~',
    '`',
    '|',
    '[',
    ']',
    '!',
    '<',
    '>',
    '&',
    '\\',
    '*',
    '_',
    '#1',
    '\n',
    ' ',
    'x',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (signs) => {
      const bare = markdownText(signs.join(''))
        .replaceAll('<!-- -->', '\0')
        // An escaped sign is text, and no longer part of what is looked for.
        .replace(/\\[!-/:-@[-`{-~]/g, '\ufffd')
        .replace(/&(amp|lt|gt);/g, '\ufffd');
      expect(bare).not.toMatch(/[~`|[\]<>&\\*_#\n]|www\.|:\/\/|@[^\0 ]/i);
    }),
    { numRuns: 2000 },
  );
});
