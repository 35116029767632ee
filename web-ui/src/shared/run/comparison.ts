/** The most runs that the service compares at once. */
export const MAX_COMPARED = 100;
