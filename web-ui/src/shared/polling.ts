/**
 * Polling period, in milliseconds, of state that changes all the time. The query client pauses while the tab is hidden.
 */
export const LIVE = 1_500;

/** Polling period, in milliseconds, of state that changes only on requests. */
export const CALM = 5_000;
