/**
 * In this thread and in others: leaves statements open or behind while there is so much other garbage that V8 marks in the
 * background and collects in a task of its own, outside any JavaScript. Prints how many rows each thread has read.
 * Argument: a file beside the node_modules that better-sqlite3 comes from.
 */
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const from = isMainThread ? (process.argv[2] ?? import.meta.url) : workerData;
const Database = createRequire(from)('better-sqlite3');
const database = new Database(':memory:');
database.exec('CREATE TABLE sample (at INTEGER); INSERT INTO sample VALUES (1), (2), (3)');
const open = [];
const garbage = [];
let rows = 0;
for (let round = 0; round < 60; round++) {
  for (let n = 0; n < 20; n++) rows += database.prepare('SELECT at FROM sample').all().length;
  if (open.length < 10) open.push(statementAmidRows());
  for (let n = 0; n < 200; n++) garbage[(round * 200 + n) % 4000] = Array.from({ length: 200 }, (_, at) => ({ at }));
  await turn();
}
console.log(rows, open.length);
if (isMainThread) {
  const threads = Array.from({ length: 2 }, () => new Worker(new URL(import.meta.url), { workerData: from }));
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.on('exit', resolve))));
}

function statementAmidRows() {
  const { value } = new Database(':memory:').prepare('SELECT 1').iterate().next();
  return value;
}
