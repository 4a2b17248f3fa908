import type { Detector } from './candidate.ts';
import { findColdCache } from './cold-cache.ts';
import { findEarlyClose } from './early-close.ts';
import { findErrors } from './errors.ts';
import { findFarSite } from './far-site.ts';
import { findFullHandshakes } from './full-handshakes.ts';
import { findInspection } from './inspection.ts';
import { findLargeDownload } from './large-download.ts';
import { findPacketLoss } from './packet-loss.ts';
import { findQueueing } from './queueing.ts';
import { findRedirects } from './redirects.ts';
import { findSlowBrowser } from './slow-browser.ts';
import { findSlowDns } from './slow-dns.ts';
import { findBusyLine, findSlowHours } from './slow-hours.ts';
import { findSlowServer } from './slow-server.ts';

/** One for each kind of cause. */
export const DETECTORS: readonly Detector[] = [
  findSlowServer,
  findSlowHours,
  findPacketLoss,
  findEarlyClose,
  findFullHandshakes,
  findInspection,
  findFarSite,
  findSlowDns,
  findLargeDownload,
  findQueueing,
  findColdCache,
  findSlowBrowser,
  findBusyLine,
  findErrors,
  findRedirects,
];
