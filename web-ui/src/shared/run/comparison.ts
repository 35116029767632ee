/** As many runs as the service compares at once. */
export const MOST_COMPARED = 100;
