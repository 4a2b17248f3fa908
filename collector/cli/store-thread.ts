/** Runs in each thread of the store; built as a file of its own. */
import { INGESTION } from '../ingest/ingest-bodies.ts';
import { READINGS } from '../questions/computations.ts';
import { runJobThread } from '../storage/workers/job-thread.ts';

runJobThread({ readings: READINGS, ingestions: [INGESTION] });
