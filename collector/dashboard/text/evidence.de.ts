/** See `evidence.ts`. */
export { EVIDENCE } from './german/evidence.ts';
