/** The thread of report-renderer.ts; built as a separate file. */
import { serveJobs } from '../lib/serve-jobs.ts';
import { renderSource } from './render-source.ts';
import type { RenderJobs } from './report-renderer.ts';

serveJobs((): RenderJobs => ({ render: renderSource }));
