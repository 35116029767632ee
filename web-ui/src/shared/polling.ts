/** Milliseconds between two looks at what changes all the time. The query client pauses while the tab is hidden. */
export const LIVE = 1_500;

/** Milliseconds between two looks at what changes when somebody posts something. */
export const CALM = 5_000;
