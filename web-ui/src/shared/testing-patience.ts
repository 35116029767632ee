/** How long a test waits for something that a busy machine brings about slowly. A test that passes does not wait so long. */
export const PATIENCE_MS = 120_000;
