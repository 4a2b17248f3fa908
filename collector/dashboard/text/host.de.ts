/** See `host.ts`. */
export { HOST } from './german/host.ts';
