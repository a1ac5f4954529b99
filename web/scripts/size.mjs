/** Holds the built client to its budget: page, code and fonts, compressed as a server would send them. */

import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET = 300_000;
const folder = new URL("../../bulge/server/static/", import.meta.url);
const packed = /\.(woff2|png|webp)$/;

let total = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const bytes = readFileSync(`${entry.parentPath}/${entry.name}`);
  const size = packed.test(entry.name) ? bytes.length : gzipSync(bytes).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${entry.name}`);
}
console.log(`${String(total).padStart(8)}  of ${BUDGET}`);
process.exit(total > BUDGET ? 1 : 0);
