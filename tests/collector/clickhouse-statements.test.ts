import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../collector/storage/clickhouse/open-clickhouse.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts';

describe.skipIf(chdbAbsent() !== null)('statements to ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());

  test('are answered in any order; one that was begun and dropped disturbs no other', async () => {
    const clickHouse = openClickHouse(server.address('default'), () => {});
    const numbered = (n: number) => clickHouse.begin('SELECT toInt64({n:Int64}) AS n', { n });
    const [one, two, three] = [numbered(1), numbered(2), numbered(3)];
    expect((await two.answer).numbers('n')).toEqual(Float64Array.of(2));
    three.drop();
    expect((await clickHouse.select('SELECT 4 AS n')).numbers('n')).toEqual(Float64Array.of(4));
    expect((await one.answer).numbers('n')).toEqual(Float64Array.of(1));
    // Its answer had come by then; dropping what was answered does nothing.
    for (const over of [one, two, three]) over.drop();
    expect((await clickHouse.select('SELECT 5 AS n')).numbers('n')).toEqual(Float64Array.of(5));
    clickHouse.close();
  });

  test('a dropped one is ended at the server', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const clickHouse = openClickHouse({ ...server.address('default'), url }, () => {});
    const statement = clickHouse.begin('SELECT 1');
    const [, response] = await once(silent, 'request');
    statement.drop();
    await once(response, 'close');
    clickHouse.close();
    silent.close();
  });

  test.each(['dropped', 'cancelled'])(
    'one that is %s amid its answer is ended at the server too, and has none',
    async (how) => {
      const halting = createServer().listen(0, '127.0.0.1');
      await once(halting, 'listening');
      const { port } = halting.address() as AddressInfo;
      let isCancelled = false;
      const clickHouse = openClickHouse({ ...server.address('default'), url: `http://127.0.0.1:${port}` }, () => {
        if (isCancelled) throw new Error('the job was cancelled');
      });
      const statement = clickHouse.begin('SELECT 1');
      const [, response] = (await once(halting, 'request')) as [unknown, ServerResponse];
      // More than a socket holds: once it is flushed, the client has read the beginning of the answer.
      await new Promise((flushed) => response.writeHead(200).write(Buffer.alloc(2 ** 26), flushed));
      if (how === 'dropped') statement.drop();
      else isCancelled = true;
      await once(response, 'close');
      await expect(statement.answer).rejects.toThrow(how === 'dropped' ? 'abort' : 'the job was cancelled');
      clickHouse.close();
      halting.close();
    },
  );

  test('a failure is that of its own statement', async () => {
    const clickHouse = openClickHouse(server.address('default'), () => {});
    const [wrong, right] = [clickHouse.begin('SELECT nothing'), clickHouse.begin('SELECT 1 AS n')];
    expect((await right.answer).n).toBe(1);
    await expect(wrong.answer).rejects.toThrow('ClickHouse refused a statement');
    clickHouse.close();
  });
});

const DOCUMENT = 'docs/scale.md';

/** Statements that an administrator runs. */
async function documentedStatements(): Promise<string[]> {
  const document = await readFile(DOCUMENT, 'utf8');
  const blocks = Array.from(document.matchAll(/```sql\n(.*?)```/gs), ([, sql = '']) => sql);
  const inText = Array.from(document.matchAll(/`((?:SYSTEM|DROP|CREATE) [^`]*)`/g), ([, sql = '']) => sql);
  return [...blocks.flatMap((sql) => sql.split(';\n')), ...inText].filter((sql) => sql.trim() !== '');
}

describe.skipIf(chdbAbsent() !== null)('documented statements', () => {
  test('are such that ClickHouse can read them, and name privileges that it has', async () => {
    const server = await startClickHouse();
    const statements = await documentedStatements();
    expect(statements.some((sql) => sql.includes('GRANT'))).toBe(true);
    const refused: string[] = [];
    for (const sql of statements) {
      try {
        await server.rows('default', `EXPLAIN AST ${sql.trim().replace(/;$/, '')}`);
      } catch (error) {
        refused.push(`${sql}: ${String(error).slice(0, 200)}`);
      }
    }
    expect(refused).toEqual([]);
    await expect(
      server.rows('default', 'EXPLAIN AST GRANT ALTER DROP PARTITION ON lastbyte.* TO lastbyte'),
    ).rejects.toThrow('Syntax error');
    await server.stop();
  });
});
