import type { Reading } from '../storage/passes/reading-source.ts';
import { changes } from './changes.ts';
import { compare } from './compare.ts';
import { evidence } from './evidence.ts';
import { findings } from './findings.ts';
import { fleet } from './fleet.ts';
import { histogram } from './histogram.ts';
import { JOURNEYS } from './journeys.ts';
import { monthly } from './monthly.ts';
import { pageView } from './page-view.ts';
import { pages } from './pages.ts';
import { probes } from './probes.ts';
import type { AnyQuestion } from './question.ts';
import { DATA_STATE } from './remembered-answers.ts';
import { samples } from './samples.ts';
import { SHOWN_GROUPS } from './shown-groups.ts';
import { siteHosts } from './site-hosts.ts';
import { summary } from './summary.ts';
import { timeline } from './timeline.ts';
import { tls } from './tls.ts';
import { view } from './view.ts';
import { VIEWER_READINGS } from './viewer-rule.ts';
import { whatIf } from './what-if.ts';

/** Every question. HTTP serves those with an address, OpenAPI describes them, and the store's threads compute them. */
export const QUESTIONS: readonly AnyQuestion[] = [
  summary,
  histogram,
  timeline,
  compare,
  changes,
  siteHosts,
  findings,
  whatIf,
  pages,
  samples,
  pageView,
  evidence,
  tls,
  probes,
  fleet,
  view,
  monthly,
];

/** Every reading that a thread of the store may be asked for. */
export const READINGS: readonly Reading<never, unknown>[] = [
  ...QUESTIONS.map(({ reading }) => reading),
  SHOWN_GROUPS,
  JOURNEYS,
  ...VIEWER_READINGS,
  DATA_STATE,
];
