// What this client calls itself.
export const VERSION = "0.1.0";
export const CLIENT = `ebb-typescript/${VERSION}`;
