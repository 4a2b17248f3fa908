import { parseCidr } from '../redact/cidr.ts';
import type { DocumentProblem } from '../vocabulary/document-problem.ts';
import type { SiteNetworks } from './site-settings.ts';

/** Problems of sites and their networks that the schema does not catch. */
export function siteProblems(sites: readonly SiteNetworks[] = []): DocumentProblem[] {
  const seen = new Set<string>();
  return sites.flatMap(({ networks }, index) =>
    networks.flatMap((network, at): DocumentProblem[] => {
      const path = `/sites/${index}/networks/${at}`;
      const values = { network };
      const cidr = parseCidr(network);
      if (cidr === null) {
        const hint = 'Write an address and the length of its prefix: 10.1.0.0/16';
        return [{ path, message: `${network} is not a network`, hint, code: 'not_a_network', values }];
      }
      const key = `${cidr.address}/${cidr.prefix}`;
      if (seen.has(key)) {
        const hint = 'An address can belong to one site only.';
        return [{ path, message: `${network} is listed twice`, hint, code: 'repeated_network', values }];
      }
      seen.add(key);
      return [];
    }),
  );
}
