// Starts the workers that are the threads of pools, in a browser and in node.

/// Starts so many workers by `newWorker`. Returns the memory that they share, and a function that calls an export of
/// the module on the first of them. All others are threads. The caller is none of them, because the main thread of a
/// page may not wait.
export async function start(module, workers, newWorker) {
  const memory = new WebAssembly.Memory({ initial: 32, maximum: 16384, shared: true });
  const [program, ...threads] = await Promise.all(
    Array.from({ length: workers }, async () => {
      const worker = newWorker();
      await ask(worker, "begin", module, memory);
      return worker;
    }),
  );
  // They answer if they fail.
  threads.forEach((thread) => ask(thread, "call", "be_thread"));
  return { memory, call: (name, ...values) => ask(program, "call", name, ...values) };
}

function ask(worker, task, ...values) {
  const { port1: here, port2: reply } = new MessageChannel();
  worker.postMessage({ task, values, reply }, [reply]);
  return new Promise((resolve, reject) => {
    here.onmessage = ({ data: { result, error } }) => {
      here.close();
      error === undefined ? resolve(result) : reject(new Error(error));
    };
  });
}
