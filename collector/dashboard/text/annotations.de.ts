/** See `annotations.ts`. */
export { ANNOTATIONS } from './german/annotations.ts';
