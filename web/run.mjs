#!/usr/bin/env node
// Builds the module, and then:
//   web/run.mjs             serves the page
//   web/run.mjs node        runs the same in node, and checks the results
//   web/run.mjs chromium    runs the page in Chromium without a window, and waits for its results
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { argv, env, exit } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { painters, run } from "./demo.mjs";
import { start } from "./threads.mjs";

const PORT = 8000;
const WORKERS = 4;
const MODULE = "filch_web.wasm";
/// How often one worker may be done before another one has begun.
const TRIES = 20;

const folder = fileURLToPath(new URL(".", import.meta.url));
const TYPES = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/// Builds the module. Returns its bytes.
function build() {
  const target = resolve(env.CARGO_TARGET_DIR ?? join(folder, "target"));
  // Cargo reads the settings of the folder that it is called in.
  const cargo = ["+nightly", "build", "--quiet", "--release", "--locked", "--target-dir", target];
  if (spawnSync("cargo", cargo, { cwd: folder, stdio: "inherit" }).status !== 0) exit(1);
  return readFileSync(join(target, "wasm32-unknown-unknown/release", MODULE));
}

/// Serves the page and what it loads, at a port of 127.0.0.1; at a free one for 0. Returns the address.
function serve(wasm, port) {
  const files = { [MODULE]: wasm };
  ["index.html", "demo.mjs", "threads.mjs", "worker.mjs"].forEach((name) => {
    files[name] = readFileSync(join(folder, name));
  });
  const server = createServer(({ url }, response) => {
    const name = new URL(url, "http://localhost").pathname.slice(1) || "index.html";
    response.writeHead(name in files ? 200 : 404, {
      "Content-Type": TYPES[extname(name)] ?? "text/plain",
      // Without these two, browsers share no memory between workers.
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    });
    response.end(files[name]);
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}/`));
  });
}

/// The same as the page, in the threads of node. Each result is checked.
async function inNode(wasm) {
  const newWorker = () => new Worker(new URL("worker.mjs", import.meta.url));
  const filch = await start(await WebAssembly.compile(wasm), WORKERS, newWorker);
  const tell = (workers, { queensMs, mandelbrotMs, rows }) =>
    console.log(`${workers}, ${queensMs.toFixed(0)} ms, ${mandelbrotMs.toFixed(0)} ms, ${painters(rows)}`);
  console.log("workers, queens, picture, painters");
  tell(1, await run(filch, 1));
  for (let tries = 0; tries < TRIES; tries++) {
    const byAll = await run(filch, WORKERS);
    tell(WORKERS, byAll);
    if (painters(byAll.rows) > 1) return;
  }
  throw new Error(`one worker painted each of ${TRIES} pictures`);
}

/// Opens the page in Chromium, and waits for its title.
async function inChromium(wasm) {
  const address = await serve(wasm, 0);
  const profile = mkdtempSync(join(tmpdir(), "filch-"));
  const options = ["--headless=new", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const page = `${address}?workers=${WORKERS}`;
  const chromium = spawn("chromium", [...options, page], { stdio: ["ignore", "ignore", "pipe"] });
  try {
    const title = await titleOf(chromium, address);
    console.log(title);
    if (!title.includes(" ms")) throw new Error("the page has found a mistake");
  } finally {
    chromium.kill();
    await new Promise((resolve) => chromium.once("close", resolve));
    rmSync(profile, { recursive: true, force: true });
  }
}

/// The title that the page at the address has in the end.
async function titleOf(chromium, address) {
  for await (const line of createInterface({ input: chromium.stderr })) {
    const port = line.match(/^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/)?.[1];
    if (port === undefined) continue;
    for (;;) {
      const pages = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
      const title = pages.find(({ url }) => url.startsWith(address))?.title;
      if (title?.startsWith("Filch: ")) return title;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("Chromium has ended");
}

const wasm = build();
switch (argv[2]) {
  case undefined:
    console.log(`open ${await serve(wasm, PORT)}`);
    break;
  case "node":
    await inNode(wasm);
    exit(0);
  case "chromium":
    await inChromium(wasm);
    exit(0);
  default:
    throw new Error(`${argv[2]}: it is node or chromium`);
}
