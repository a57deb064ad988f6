// The time of shrinking a run to its budget, in the page that is measured.

/**
 * Runs in a page and uses no variable from outside. Each part at one size and at four times that
 * size: the fastest of `rounds`, in ms.
 */
export async function measureShrinking({ steps, bytes, result, rounds }) {
  const bench = await import('/wasm/bench.js');
  await bench.default();
  const fastest = (work) => {
    let ms = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      work();
      ms = Math.min(ms, performance.now() - began);
    }
    return ms;
  };
  const kb = (bytes) => `${bytes / 1_000} KB`;
  const run = (steps, bytes) => {
    const shrinking = new bench.ContextBench(steps, bytes);
    const ms = fastest(() => shrinking.shrink());
    shrinking.free();
    return ms;
  };
  return [
    ['a run that shrinks', { of: `${steps} steps of ${kb(bytes)}`, ms: run(steps, bytes) }, { of: `${4 * steps} steps of ${kb(bytes)}`, ms: run(4 * steps, bytes) }],
    ['a large result that shrinks', { of: `1 step of ${kb(result)}`, ms: run(1, result) }, { of: `1 step of ${kb(4 * result)}`, ms: run(1, 4 * result) }],
    ['its key points', { of: kb(result), ms: fastest(() => bench.ContextBench.key_points(result)) }, { of: kb(4 * result), ms: fastest(() => bench.ContextBench.key_points(4 * result)) }],
  ];
}
