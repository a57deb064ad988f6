// Searching the files of a folder for a text.
//
// Example: `await filesWith(profile, 'sk-canary')` returns the files of a browser's profile
// that contain a key.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below a folder that contain a text, as bytes of UTF-8 or UTF-16. */
export async function filesWith(folder, text) {
  const needles = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = [];
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle))) found.push(path);
  }
  return found;
}
