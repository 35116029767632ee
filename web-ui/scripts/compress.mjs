// Writes a compressed copy beside every file of the built dashboard that the service sends unchanged: not the page.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const TEXTS = new Set([".js", ".css", ".svg"]);

for (const entry of readdirSync("dist", { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && TEXTS.has(extname(entry.name))) {
    const path = join(entry.parentPath, entry.name);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
  }
}
