/** Runs in each thread of the store; built as a separate file. */
import { INGESTION } from '../ingest/ingest-bodies.ts';
import { READINGS } from '../questions/registry.ts';
import { runStoreThread } from '../storage/open-store.ts';

runStoreThread({ readings: READINGS, ingestions: [INGESTION] });
