import type { Waits } from '../findings/waits.ts';
import { predictHttp2 } from './http2.ts';
import { predictKeepAlive } from './keep-alive.ts';
import { predictNearerSite } from './nearer-site.ts';
import { replayConnections } from './replay-connections.ts';
import { toUnits } from './saved-time.ts';
import type { Saving } from './saving.ts';
import { predictSessionTickets } from './session-tickets.ts';
import { predictSlowGroup } from './slow-group.ts';
import { predictTimingAllowed } from './timing-allowed.ts';
import { predictTls13 } from './tls-13.ts';

interface PredictOptions {
  /** Throws once the prediction is cancelled. */
  readonly checkpoint?: () => void;
  /** A saving that fewer browsers would notice is withheld. */
  readonly minBrowsers?: number;
  /** Whether a site may be named. */
  readonly isShown?: (site: string) => boolean;
}

/** What each remedy would save by itself, from recorded requests alone. The savings of several do not add up. */
export function predictSavings(
  waits: Waits,
  { checkpoint = () => {}, minBrowsers = 0, isShown = () => true }: PredictOptions = {},
): Saving[] {
  const units = toUnits(waits);
  const replayed = replayConnections(waits);
  checkpoint();
  return [
    ...predictKeepAlive(waits, units, replayed, minBrowsers),
    predictSessionTickets(waits, units, minBrowsers),
    predictTls13(waits, units, minBrowsers),
    predictHttp2(waits, units, replayed, minBrowsers),
    predictSlowGroup(waits, units, minBrowsers),
    ...predictNearerSite(waits, units, minBrowsers, isShown),
    predictTimingAllowed(waits, units, minBrowsers),
  ];
}
