import { expect, it } from 'vitest';
import { classifyResource } from '../../../shared/classify/resource-type.ts';

const type = (initiatorType: string, contentType: string | null, path = '/x') =>
  classifyResource({ entryType: 'resource', initiatorType, contentType, name: `https://a.test${path}` });

it.each([
  ['script', 'text/javascript', '/x', 'script'],
  ['fetch', 'application/json', '/x', 'fetch'],
  ['fetch', 'image/png; charset=x', '/x', 'image'],
  ['xmlhttprequest', 'text/html', '/x', 'fetch'],
  ['iframe', 'text/html', '/x', 'iframe'],
  ['css', 'font/woff2', '/x', 'font'],
  ['css', 'application/font-woff', '/x', 'font'],
  ['link', 'Text/CSS', '/x', 'style'],
  ['link', '', '/x.css', 'style'],
  ['link', null, '/x.js;jsessionid=1', 'script'],
  ['css', '', '/x.woff2?v=1', 'font'],
  ['css', '', '/x.SVG', 'image'],
  ['img', '', '/x.js', 'image'],
  ['video', 'application/octet-stream', '/x', 'media'],
  ['beacon', 'image/gif', '/x', 'beacon'],
  ['other', '', '/x', 'other'],
  ['constructor', '', '/x', 'other'],
])('%s, %s, %s: %s', (initiator, contentType, path, expected) => {
  expect(type(initiator, contentType, path)).toBe(expected);
});

it('knows a document from the navigation of an iframe', () => {
  const navigation = {
    entryType: 'navigation',
    initiatorType: 'navigation',
    contentType: 'text/html',
    name: 'https://a.test/',
  } as const;
  expect(classifyResource(navigation)).toBe('document');
  expect(classifyResource(navigation, false)).toBe('iframe');
});
