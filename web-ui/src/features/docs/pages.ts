const FOLDER = "../../../../docs/";
const SUFFIX = ".md";

const TEXTS = import.meta.glob<string>("../../../../docs/**/*.md", { query: "?raw", import: "default" });
const IMAGES = import.meta.glob<string>("../../../../docs/images/*", { query: "?url", import: "default", eager: true });

/** Names of the pages of the documentation, such as `methods`. */
export const PAGES: ReadonlySet<string> = new Set(
  Object.keys(TEXTS).map((path) => path.slice(FOLDER.length, -SUFFIX.length)),
);

/** Reads a page of the documentation, which is a file of its own; null if there is none. */
export async function textOf(page: string): Promise<string | null> {
  const read = TEXTS[FOLDER + page + SUFFIX];
  return read === undefined ? null : read();
}

/** Returns the address of an image by its path in the documentation. */
export function imageOf(path: string): string | undefined {
  return IMAGES[FOLDER + path];
}
