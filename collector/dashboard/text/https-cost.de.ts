/** See `https-cost.ts`. */
export { GERMAN_HTTPS_COST as HTTPS_COST } from '../../analysis/text/german-https-cost.ts';
