/** Limit of a test's wait on a busy machine, in milliseconds. A test that passes does not wait so long. */
export const PATIENCE_MS = 120_000;
