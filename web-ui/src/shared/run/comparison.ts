/** The most runs that the service compares at once. */
export const MOST_COMPARED = 100;
