import { once } from '../columns/once.ts';
import type { DatabaseLocation } from './open-database.ts';
import { type JobWatch, openReaderJobs, type ReaderJobs } from './reader-jobs.ts';
import { createScanJobs, type ScanJobs } from './scan-columns.ts';
import { openWriterJobs, type WriterJobs } from './writer-jobs.ts';

export interface StoreJobs extends Omit<ReaderJobs, 'close'>, Omit<ScanJobs, 'close'>, Omit<WriterJobs, 'close'> {
  close(): void;
}

/** All jobs there are. A connection is opened by the first job that needs it, since no thread does both kinds. */
export function openStoreJobs(place: DatabaseLocation, watch: JobWatch): StoreJobs {
  const opened: { close(): void }[] = [];
  const keep = <T extends { close(): void }>(jobs: T): T => {
    opened.push(jobs);
    return jobs;
  };
  const reader = once(() => keep(openReaderJobs(place.file, watch)));
  const scanner = once(() => keep(createScanJobs(place.file)));
  const writer = once(() => keep(openWriterJobs(place)));
  return {
    aggregate: (query) => reader().aggregate(query),
    distributions: (query) => reader().distributions(query),
    read: (reading, question) => reader().read(reading, question),
    rollUpPending: (among) => reader().rollUpPending(among),
    pendingChunks: () => reader().pendingChunks(),
    findUnreadable: (chunks) => reader().findUnreadable(chunks),
    findUnreadableOfDay: (day) => reader().findUnreadableOfDay(day),
    faultInQuarantine: (chunk) => reader().faultInQuarantine(chunk),
    finalizeDay: (day) => reader().finalizeDay(day),
    finalizeMonth: (month) => reader().finalizeMonth(month),
    compactDay: (day) => reader().compactDay(day),
    eraseFromDay: (whose, day) => reader().eraseFromDay(whose, day),
    forgetClients: () => reader().forgetClients(),
    checkDay: (day) => reader().checkDay(day),
    startOver: () => reader().startOver(),
    checkpoint: () => reader().checkpoint(),
    emptyLog: () => reader().emptyLog(),
    openScan: (query) => scanner().openScan(query),
    nextBlock: (scan) => scanner().nextBlock(scan),
    closeScan: (scan) => scanner().closeScan(scan),
    append: (group) => writer().append(group),
    ingest: (ingestion, bodies, shift) => writer().ingest(ingestion, bodies, shift),
    apply: (writes, now) => writer().apply(writes, now),
    setAside: (faults, now) => writer().setAside(faults, now),
    release: (chunk) => writer().release(chunk),
    changeSessions: (changes, now) => writer().changeSessions(changes, now),
    prune: (now, retention) => writer().prune(now, retention),
    forgetBatchIds: (now, after) => writer().forgetBatchIds(now, after),
    giveRoomBack: () => writer().giveRoomBack(),
    finishCheckpoint: () => writer().finishCheckpoint(),
    probeWrite: () => writer().probeWrite(),
    close() {
      for (const jobs of opened) jobs.close();
    },
  };
}
