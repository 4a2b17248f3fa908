import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createServerCertificate } from '../../../collector/lab/servers/server-certificate.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const { authority, chain, key } = await createServerCertificate(['a.demo.test', 'b.demo.test'], NOW);
const root = new X509Certificate(authority);
const leaf = new X509Certificate(chain);

it('makes a leaf for exactly these hosts, signed by an authority of its own', () => {
  expect(leaf.checkHost('a.demo.test')).toBe('a.demo.test');
  expect(leaf.checkHost('b.demo.test')).toBe('b.demo.test');
  expect(leaf.checkHost('c.demo.test')).toBeUndefined();
  expect(leaf.verify(root.publicKey)).toBe(true);
  expect(leaf.checkIssued(root)).toBe(true);
});

it('lets only the authority sign', () => {
  expect(root.ca).toBe(true);
  expect(leaf.ca).toBe(false);
});

it('is valid now and not for long', () => {
  expect(Date.parse(leaf.validFrom)).toBeLessThan(NOW);
  expect(Date.parse(leaf.validTo)).toBeGreaterThan(NOW);
  expect(Date.parse(leaf.validTo) - NOW).toBeLessThan(60 * 24 * 3600 * 1000);
});

it('sends the authority after the leaf, whose key it returns', () => {
  expect(chain.endsWith(authority)).toBe(true);
  expect(key).toContain('BEGIN PRIVATE KEY');
});

it('has new keys each time', async () => {
  expect((await createServerCertificate(['a.demo.test'], NOW)).authority).not.toBe(authority);
});
