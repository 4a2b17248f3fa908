/** See `changes.ts`. */
export { GERMAN_CHANGES as CHANGES } from '../../analysis/text/german-changes.ts';
