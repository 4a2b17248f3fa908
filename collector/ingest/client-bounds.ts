import { MAX_NEW_CLIENTS } from '../../shared/vocabulary/wire-limits.ts';
import { type NetworkSender, NetworkShares } from './network-shares.ts';

const DAY_MS = 86_400_000;

/**
 * Returns whether a browser is counted as one of its own. Each takes a number that is stored with its id, and a key in the
 * wrong hands can invent any number of them; beyond the limit they share one until the next day (UTC).
 *
 * @param isNumbered whether a browser has a number already
 */
export function createClientBounds(
  isNumbered: (client: string) => boolean,
  maxClients = MAX_NEW_CLIENTS,
): (client: string, now: number, sender: NetworkSender) => boolean {
  const shares = new NetworkShares(maxClients);
  const introduced = new Set<string>();
  let day = Number.NaN;

  return (client, now, sender) => {
    const today = Math.floor(now / DAY_MS);
    if (today !== day) {
      day = today;
      introduced.clear();
      shares.startOver();
    }
    if (introduced.has(client) || isNumbered(client)) return true;
    if (!shares.take(sender)) return false;
    introduced.add(client);
    return true;
  };
}
