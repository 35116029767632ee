/** How long a test waits for what a slow or busy machine still brings about; it costs nothing when tests pass. */
export const PATIENCE_MS = 120_000;
