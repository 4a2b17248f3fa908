import { expect, test } from 'vitest';
import { collectorAddress } from '../../../collector/rollout/package/check-enrolment.ts';

test.each([
  'https://lb.example.com',
  'http://127.0.0.1:8642',
  'http://localhost:8642',
  'http://lb.localhost',
  'http://[::1]:1',
])('%s needs no further word', (address) => {
  expect(collectorAddress(`${address}/`, {})).toBe(address);
});

test.each([
  'http://lb.example.com',
  'http://10.0.0.1:8642',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://0.0.0.0:8642',
  'http://[::ffff:127.0.0.1]',
])('%s is not encrypted, and needs --allow-http', (address) => {
  expect(() => collectorAddress(address, {})).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('--allow-http') }),
  );
  expect(collectorAddress(address, { allowHttp: true })).toMatch(/^http:/);
});
