// A generated picture: a tower before a sky, as a PNG.

import { crc32, deflateSync } from 'node:zlib';

/** A square of `size` pixels, in base64. As no two rows are alike, it is too large for a record. */
export function png(size = 256) {
  const rows = Array.from({ length: size }, (_, y) => {
    const row = [0];
    for (let x = 0; x < size; x += 1) {
      const isTower = Math.abs(x - size / 2) < size / 12 + y / 10 && y > size / 4;
      const noise = (Math.imul(x * x + 31 * y, 2_654_435_761) >>> 24) % 24;
      row.push(...(isTower ? [190 + noise, 40 + noise, 30] : [90 + (y * 120) / size + noise, 140 + noise, 220 + noise]));
    }
    return Buffer.from(row);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]).toString('base64');
}

function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
