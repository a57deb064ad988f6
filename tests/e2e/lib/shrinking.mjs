// How long it takes to make a run fit, in the page that is measured.

/** Runs in a page; closes over nothing. Each part at one size and at four times that: the fastest of some rounds, in ms. */
export async function measureShrinking() {
  const bench = await import('/wasm/bench.js');
  await bench.default();
  const fastest = (work) => {
    let ms = Infinity;
    for (let round = 0; round < 7; round += 1) {
      const began = performance.now();
      work();
      ms = Math.min(ms, performance.now() - began);
    }
    return ms;
  };
  const run = (steps, bytes) => {
    const shrinking = new bench.Shrinking(steps, bytes);
    const ms = fastest(() => shrinking.shrink());
    shrinking.free();
    return ms;
  };
  return [
    ['a run that shrinks', { of: '100 steps of 8 KB', ms: run(100, 8_000) }, { of: '400 steps of 8 KB', ms: run(400, 8_000) }],
    ['a large result that shrinks', { of: '1 step of 250 KB', ms: run(1, 250_000) }, { of: '1 step of 1 MB', ms: run(1, 1_000_000) }],
    ['its key points', { of: '250 KB', ms: fastest(() => bench.Shrinking.key_points(250_000)) }, { of: '1 MB', ms: fastest(() => bench.Shrinking.key_points(1_000_000)) }],
  ];
}
