/** Apart from `t.ts`, because only the overview says it. */
export { ENGLISH_HTTPS_COST as HTTPS_COST } from '../../analysis/text/english-https-cost.ts';
