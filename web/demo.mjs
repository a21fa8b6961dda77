// What the page shows and the tests check: a number and a picture, by one worker and by more.

const QUEENS = 13;
const SIZE = 800;
const LIMIT = 2000;

/// Calls both. Returns how long each took in milliseconds, and the rows of the picture, each with its `worker` and the
/// `steps` of its points. Throws if something is wrong.
export async function run({ memory, call }, workers) {
  const timed = async (...what) => {
    const begin = performance.now();
    return [await call(...what), performance.now() - begin];
  };
  const [count, queensMs] = await timed("queens", workers, QUEENS);
  const [picture, mandelbrotMs] = await timed("mandelbrot", workers, SIZE, LIMIT);
  const words = new Uint32Array(memory.buffer, picture, SIZE * (SIZE + 1));
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const [worker, ...steps] = words.subarray(y * (SIZE + 1), (y + 1) * (SIZE + 1));
    return { worker, steps };
  });
  check(count, rows, workers);
  return { queensMs, mandelbrotMs, rows, limit: LIMIT };
}

function check(count, rows, workers) {
  const must = (holds, what) => {
    if (!holds) throw new Error(`wrong with ${workers} workers: ${what}`);
  };
  // The On-Line Encyclopedia of Integer Sequences, A000170.
  must(count === 73712, `${count} ways`);
  must(rows.every(({ worker }) => worker < workers), "a row has no worker");
  const isSame = (a, b) => a.every((value, i) => value === b[i]);
  must(rows.every(({ steps }, y) => isSame(steps, rows[SIZE - 1 - y].steps)), "the set is symmetric");
  // Its largest parts are bounded by a cardioid and a circle, and all of it by a circle around 0.
  const place = (i) => (3 * (i - (SIZE - 1) / 2)) / SIZE;
  const isRight = (i, j, steps) => {
    const [x, y] = [place(i) - 0.5, place(j)];
    const q = (x - 0.25) ** 2 + y ** 2;
    const isInside = q * (q + x - 0.25) < y ** 2 / 4 || (x + 1) ** 2 + y ** 2 < 1 / 16;
    return isInside ? steps === LIMIT : x ** 2 + y ** 2 <= 4 || steps < LIMIT;
  };
  must(rows.every((row, j) => row.steps.every((steps, i) => isRight(i, j, steps))), "a point of the picture");
}

/// How many workers have painted a row.
export const painters = (rows) => new Set(rows.map(({ worker }) => worker)).size;
