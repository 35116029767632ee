/**
 * Returns the path below which the service is served, such as `/equipoise`; empty at the root of its address. The
 * service writes it into the page.
 */
export function basePath(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="equipoise-base"]')?.content ?? "";
  // Without a service, as in development, the page has a relative path.
  return content.startsWith("/") ? content.slice(0, -1) : "";
}

/** Returns the address of the service, for links, agents and command lines. */
export function serviceAddress(): string {
  return window.location.origin + basePath();
}

/**
 * Returns the key of a value that the browser stores. Services below different paths of one address share its storage,
 * and must not get the tokens of each other.
 */
export function storageKey(name: string): string {
  return `equipoise.${name}${basePath()}`;
}
