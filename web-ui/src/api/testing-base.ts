/** Writes a path into the page as the service does, which ends it with a slash. */
export function servedBelow(path: string): void {
  const meta = document.createElement("meta");
  meta.name = "equipoise-base";
  meta.content = path;
  document.head.append(meta);
}

/** Removes the path from the page. */
export function servedAnywhere(): void {
  document.querySelector('meta[name="equipoise-base"]')?.remove();
}
