/** The thread of report-renderer.ts; built as a file of its own. */
import { serveJobs } from '../lib/serve-jobs.ts';
import { renderSource } from './render-source.ts';
import type { RenderJobs } from './report-renderer.ts';

serveJobs((): RenderJobs => ({ render: renderSource }));
