/** See `probes.ts`. */
export { PROBES } from './german/probes.ts';
