// @ts-check
/**
 * One set-up at a time, so that a test run and a demo started together on a fresh clone do not run `npm ci` at the same
 * time. Taken only if there is something to do. Implemented here, because it runs before any package is installed.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './run-step.mjs';

/** Interval between checks of a lock that another process holds, ms. */
const POLL_MS = 250;
/** No set-up takes this long, ms: the process id now belongs to another program. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  let reported = false;
  while (!take(file)) {
    const holder = readHolder(file);
    if (holder === null) continue;
    if (!isRunning(holder.pid) || Date.now() - holder.since > ABANDONED_MS) {
      removeAbandoned(file, holder.pid);
      continue;
    }
    if (!reported) say(`waiting for another set-up to end (process ${holder.pid}; if there is none, delete ${file})`);
    reported = true;
    await sleep(POLL_MS);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** @param {string} file */
function take(file) {
  // Written first and then linked, so that no lock is ever without its process id.
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** @param {string} file */
function readHolder(file) {
  try {
    return { pid: Number(readFileSync(file, 'utf8')), since: statSync(file).mtimeMs };
  } catch {
    return null; // Released between the two calls.
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Two waiters may find the same abandoned lock; the slower one must not remove the lock the faster one has just taken.
 * @param {string} file
 * @param {number} pid
 */
function removeAbandoned(file, pid) {
  const aside = `${file}.abandoned.${process.pid}`;
  try {
    renameSync(file, aside);
    if (Number(readFileSync(aside, 'utf8')) !== pid) linkSync(aside, file);
  } catch {
    // Another process was faster: the next check decides.
  } finally {
    rmSync(aside, { force: true });
  }
}
