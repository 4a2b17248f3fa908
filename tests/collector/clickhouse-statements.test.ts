import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../collector/storage/clickhouse/blocking-query.ts';
import { chdbAbsent } from '../programs/chdb-folder.mjs';
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.ts';

describe.skipIf(chdbAbsent() !== null)('statements to ClickHouse', () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse();
  });
  afterAll(() => server?.stop());

  test('are answered in any order; one that was begun and dropped disturbs no other', () => {
    const clickHouse = openClickHouse(server.address('default'), () => {});
    const numbered = (n: number) => clickHouse.begin('SELECT toInt64({n:Int64}) AS n', { n });
    const [one, two, three] = [numbered(1), numbered(2), numbered(3)];
    expect(two.answer().numbers('n')).toEqual(Float64Array.of(2));
    three.drop();
    expect(clickHouse.select('SELECT 4 AS n').numbers('n')).toEqual(Float64Array.of(4));
    expect(one.answer().numbers('n')).toEqual(Float64Array.of(1));
    // Its answer had come by then; dropping what was answered does nothing.
    for (const over of [one, two, three]) over.drop();
    expect(clickHouse.select('SELECT 5 AS n').numbers('n')).toEqual(Float64Array.of(5));
    clickHouse.close();
  });

  test('a dropped one is ended at the server', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const hosts = [`http://127.0.0.1:${port}`];
    const clickHouse = openClickHouse({ ...server.address('default'), hosts }, () => {});
    const statement = clickHouse.begin('SELECT 1');
    const [, response] = await once(silent, 'request');
    statement.drop();
    await once(response, 'close');
    clickHouse.close();
    silent.close();
  });

  test('a failure is that of its own statement', () => {
    const clickHouse = openClickHouse(server.address('default'), () => {});
    const [wrong, right] = [clickHouse.begin('SELECT nothing'), clickHouse.begin('SELECT 1 AS n')];
    expect(right.answer().n).toBe(1);
    expect(() => wrong.answer()).toThrow('ClickHouse refused a statement');
    clickHouse.close();
  });
});
