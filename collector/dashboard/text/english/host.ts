export const HOST = {};
