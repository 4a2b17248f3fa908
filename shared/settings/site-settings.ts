import { type Static, Type } from 'typebox';
import { MAX_SITE_LENGTH } from '../vocabulary/client-fields.ts';
import { object } from '../vocabulary/json-schema.ts';

/** Sites by the networks that browsers send from, for browsers whose policy names none. */
export const SitesSchema = Type.Array(
  object({
    site: Type.String({ minLength: 1, maxLength: MAX_SITE_LENGTH, description: 'Label in reports, such as Berlin.' }),
    networks: Type.Array(Type.String({ minLength: 3, maxLength: 50 }), {
      minItems: 1,
      maxItems: 200,
      description:
        'Networks as CIDR, such as 10.1.0.0/16 or 2001:db8:1::/48; the smallest that contains an address counts.',
    }),
  }),
  { maxItems: 500 },
);
export type SiteNetworks = Static<typeof SitesSchema>[number];
