import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { isSignedByMozilla, listFiles, zipFiles, zipFolder } from '../../../collector/rollout/package/zip-files.mjs';

const file = (name: string, text = name) => ({ name, content: Buffer.from(text) });

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'lastbyte-zip-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test('the same files make the same bytes, in any order, of any age, under any umask', async () => {
  const [first, second] = [await folder(), await folder()];
  for (const [index, dir] of [first, second].entries()) {
    await mkdir(join(dir, 'b', 'c'), { recursive: true });
    const names = index === 0 ? ['a.txt', 'b/c/d.txt', 'b/a.txt'] : ['b/a.txt', 'b/c/d.txt', 'a.txt'];
    for (const name of names) await writeFile(join(dir, name), name, { mode: index === 0 ? 0o600 : 0o755 });
    await utimes(join(dir, 'a.txt'), 1e9 + index * 1e8, 1e9 + index * 1e8);
  }
  expect(await zipFolder(second)).toEqual(await zipFolder(first));
  expect(Object.keys(unzipSync(await zipFolder(first)))).toEqual(['a.txt', 'b/a.txt', 'b/c/d.txt']);
  expect(zipFiles((await listFiles(first)).reverse())).toEqual(await zipFolder(first));
});

test('contents lie in it as they are, under the name, length and checksum the format asks for', () => {
  const content = Buffer.from('zwölf Boxkämpfer');
  const zip = zipFiles([{ name: 'ä/b.txt', content }]);
  const name = Buffer.from('ä/b.txt');
  expect(zip.readUInt32LE(0)).toBe(0x04034b50);
  expect([zip.readUInt16LE(8), zip.readUInt32LE(14), zip.readUInt32LE(18)]).toEqual([
    0,
    crc32(content),
    content.length,
  ]);
  expect([zip.readUInt16LE(10), zip.readUInt16LE(12)]).toEqual([0, 0x21]);
  expect(zip.subarray(30, 30 + name.length)).toEqual(name);
  expect(zip.subarray(30 + name.length, 30 + name.length + content.length)).toEqual(content);
});

test.runIf(hasUnzip())('another program finds nothing wrong with it', async () => {
  const path = join(await folder(), 'x.zip');
  await writeFile(path, zipFiles([file('b/c'), file('a', ''), file('ä', 'x'.repeat(100_000))]));
  expect(execFileSync('unzip', ['-t', path]).toString()).toMatch(/No errors detected/);
});

test('an xpi is signed if it has the file of the signature; a broken one is not', () => {
  const zip = zipFiles([file('a'), file('META-INF/mozilla.rsa')]);
  expect(isSignedByMozilla(zip)).toBe(true);
  expect(isSignedByMozilla(zipFiles([file('x/META-INF/mozilla.rsa')]))).toBe(false);
  for (const broken of [
    Buffer.alloc(0),
    Buffer.from('PK'),
    Buffer.alloc(70_000),
    zip.subarray(0, -3),
    zip.subarray(9),
  ]) {
    expect(isSignedByMozilla(broken)).toBe(false);
  }
});

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
