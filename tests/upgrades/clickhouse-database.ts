import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Of tests, as docs/scale.md grants it: tests/programs/clickhouse-server.mjs. */
const DATABASE = 'lastbyte_upgrade';

export interface ClickHouseDatabase {
  /** As `--samples` wants it. */
  readonly address: string;
  /**
   * Writes two files for each table: how the release made it, and its rows in the format Native. BACKUP would write a file for
   * each column of each part.
   */
  dump(into: string): Promise<void>;
  restore(from: string): Promise<void>;
  end(): Promise<void>;
}

/** ClickHouse's engine in a process of its own, with its data in the folder. */
export async function startClickHouseIn(folder: string): Promise<ClickHouseDatabase> {
  const child = spawn(process.execPath, ['tests/programs/clickhouse-server.mjs', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  async function administer(sql: string, body: Uint8Array<ArrayBuffer> | null = null): Promise<Buffer> {
    const url = new URL(`http://127.0.0.1:${port}/?database=${DATABASE}&role=administrator`);
    if (body !== null) url.searchParams.set('query', sql);
    const response = await fetch(url, { method: 'POST', body: body ?? sql, headers: { connection: 'close' } });
    const answer = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${sql}: ${answer}`);
    return answer;
  }
  return {
    address: `clickhouse://default@127.0.0.1:${port}/${DATABASE}`,
    async dump(into) {
      await mkdir(into);
      for (const name of String(await administer('SHOW TABLES FORMAT TSV'))
        .trim()
        .split('\n')) {
        await writeFile(join(into, `${name}.sql`), await administer(`SHOW CREATE TABLE ${name} FORMAT TSVRaw`));
        await writeFile(join(into, `${name}.native`), await administer(`SELECT * FROM ${name} FORMAT Native`));
      }
    },
    async restore(from) {
      for (const file of await readdir(from)) {
        const [name, kind] = file.split('.');
        if (kind !== 'sql') continue;
        await administer(await readFile(join(from, file), 'utf8'));
        const rows = await readFile(join(from, `${name}.native`));
        if (rows.length > 0) await administer(`INSERT INTO ${name} FORMAT Native`, rows);
      }
    },
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
