import { expect, test } from 'vitest';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { testApp } from './test-app.ts';

const TARGET = { id: 'erp', match: ['https://erp.example.com/*'] };

test('one code for every text that people name something with and in which something cannot be seen', async () => {
  const app = await testApp();
  for (const text of ['two\nlines', 'a\u0085b', 'a\u202eb', 'a\u2066b', 'a\ud800b']) {
    for (const [method, url, payload, field] of [
      ['POST', '/api/v1/annotations', { text }, 'text'],
      ['PUT', '/api/v1/views/x', { name: text, query: '' }, 'name'],
      ['POST', '/api/v1/tokens', { role: 'read', label: text }, 'label'],
    ] as const) {
      const answer = await app.send({ method, url, as: 'admin', payload });
      const { error } = answer.json();
      expect([url, text, answer.statusCode, error.code]).toEqual([url, text, 400, 'invalid_text']);
      expect(error.message).toMatch(new RegExp(`^${field} has a character that cannot be seen`));
    }
    const settings = { version: 1, targets: [{ ...TARGET, name: text }] };
    const answer = await app.send({ method: 'PUT', url: '/api/v1/settings', as: 'admin', payload: settings });
    expect(answer.json().error).toMatchObject({
      code: 'invalid_settings',
      problems: [{ path: '/targets/0/name', code: 'invalid_text' }],
    });
  }
});

test('what earlier versions stored is still listed', async () => {
  const { store, send } = await testApp();
  const text = 'a\u202eb';
  await store.annotations.add({
    id: 'n',
    at: NOW,
    until: null,
    text,
    target: null,
    host: null,
    author: text,
    createdAt: NOW,
  });
  await store.views.write({ id: 'v', name: text, query: '', at: NOW, author: text });
  await store.settings.write({ version: 1, targets: [{ ...TARGET, name: text }] }, null, NOW);
  for (const url of ['/api/v1/annotations', '/api/v1/views', '/api/v1/settings']) {
    const answer = await send({ url, as: 'admin' });
    expect([url, answer.statusCode, answer.body.includes(text)]).toEqual([url, 200, true]);
  }
});

test('what is wrong with a text is a sentence, never an expression', async () => {
  const app = await testApp();
  for (const [method, url, payload, message] of [
    ['POST', '/api/v1/annotations', { text: '' }, 'text is empty'],
    ['POST', '/api/v1/annotations', { text: 'x'.repeat(201) }, 'text has more than 200 characters'],
    ['PUT', '/api/v1/views/x', { name: '', query: '' }, 'name is empty'],
    ['PUT', '/api/v1/views/x', { name: 'x', query: '#token' }, 'query does not have the form it needs'],
    [
      'PUT',
      '/api/v1/views/X%20Y',
      { name: 'x', query: '' },
      'id takes lower-case letters, digits and hyphens, at most 63',
    ],
  ] as const) {
    const { error } = (await app.send({ method, url, as: 'admin', payload })).json();
    expect([url, error]).toMatchObject([url, { code: 'invalid_request', message }]);
  }
});
