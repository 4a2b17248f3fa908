/** See `compare.ts`. */
export { COMPARE } from './german/compare.ts';
