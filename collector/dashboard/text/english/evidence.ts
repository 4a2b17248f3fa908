export const EVIDENCE = {};
