import { BlockList, isIPv6 } from 'node:net';
import { type Cidr, parseCidr } from '../../shared/redact/cidr.ts';
import type { SiteNetworks } from '../../shared/settings/site-settings.ts';

/** The site of an address; null if no network contains it. */
export type SiteByNetwork = (address: string) => string | null;

/** The smallest network that contains an address decides. An IPv4 address may be written as IPv6 (`::ffff:10.1.2.3`). */
export function createSiteByNetwork(sites: readonly SiteNetworks[]): SiteByNetwork {
  const networks = sites
    .flatMap(({ site, networks: all }) =>
      all.flatMap((network) => {
        const cidr = parseCidr(network);
        return cidr === null ? [] : [{ site, prefix: cidr.prefix, list: listOf(cidr) }];
      }),
    )
    .sort((a, b) => b.prefix - a.prefix);
  return (address) => {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    return networks.find(({ list }) => list.check(address, family))?.site ?? null;
  };
}

function listOf({ address, prefix, family }: Cidr): BlockList {
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return list;
}
