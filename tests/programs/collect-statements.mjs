/**
 * Opens databases in this thread and in others, leaves statements open or behind, and has them collected in the background
 * and at the end of each thread. Prints how many rows were read. `--expose-gc` is needed; argument: where better-sqlite3 is.
 */
import { createRequire } from 'node:module';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const from = isMainThread ? (process.argv[2] ?? import.meta.url) : workerData;
const Database = createRequire(from)('better-sqlite3');
const database = new Database(':memory:');
database.exec('CREATE TABLE sample (at INTEGER); INSERT INTO sample VALUES (1), (2), (3)');
const open = [];
let rows = 0;
for (let round = 0; round < 200; round++) {
  const statement = database.prepare('SELECT at FROM sample WHERE at > ?');
  rows += statement.all(round % 3).length;
  const rest = database.prepare('SELECT at FROM sample').iterate();
  if (round % 50 === 0) open.push(rest.next());
  else rest.return();
  if (round % 20 === 0) await globalThis.gc({ execution: 'async', type: 'minor' });
}
await globalThis.gc({ execution: 'async', type: 'major' });
if (isMainThread) {
  const threads = Array.from({ length: 4 }, () => new Worker(new URL(import.meta.url), { workerData: from }));
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.on('exit', resolve))));
  console.log(rows);
}
