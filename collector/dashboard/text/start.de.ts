/** See `start.ts`. */
export { START } from './german/start.ts';
