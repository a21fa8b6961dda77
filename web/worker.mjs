// A worker: an instance of the module on the memory that all share, with a stack and thread-locals of its own. Then it
// calls what it is told to, and answers through the port that came with the message.

const port = globalThis.process ? (await import("node:worker_threads")).parentPort : globalThis;

const PAGE_BYTES = 1 << 16;
const STACK_BYTES = 1 << 20;

let exports;

const tasks = {
  async begin(module, memory) {
    ({ exports } = await WebAssembly.instantiate(module, { env: { memory } }));
    // So far the instance has the stack of all others, so it may call nothing that has a stack frame. The pages come
    // from the memory, because the allocator of the program would be such a call. A stack grows down.
    const [tlsBytes, align] = [exports.__tls_size.value, exports.__tls_align.value];
    const begin = memory.grow(Math.ceil((STACK_BYTES + tlsBytes + align) / PAGE_BYTES)) * PAGE_BYTES;
    exports.__stack_pointer.value = begin + STACK_BYTES;
    exports.__wasm_init_tls(Math.ceil((begin + STACK_BYTES) / align) * align);
  },

  call: (name, ...values) => exports[name](...values),
};

port.onmessage = async ({ data: { task, values, reply } }) => {
  try {
    reply.postMessage({ result: await tasks[task](...values) });
  } catch (error) {
    reply.postMessage({ error: error.stack });
  }
};
