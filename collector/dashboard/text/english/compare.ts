export const COMPARE = {};
