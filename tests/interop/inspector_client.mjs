// The Inspector's command line with the real binary: one process of it for each step.
//
// Usage: inspector_client.mjs BINARY ERA NAME TEXT_FILE
//
// Runs with Node 22 or newer, which the Inspector needs. ERA is `legacy` or `2026-07-28`. The
// variables that a server here needs are passed on. Prints what it saw as one JSON object; whether
// that is right, the caller judges.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { LONG_FILE, creation, page, textOf } from "./pages.mjs";

const PASSED_ON = ["HOME", "USERPROFILE", "PATH", "IMPRINT_HOME", "SystemRoot"];
const [binary, era, name, textFile] = process.argv.slice(2);
const inspector = fileURLToPath(
  new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url),
);

async function printed(...args) {
  const variables = PASSED_ON.filter((key) => process.env[key] !== undefined);
  const environment = variables.flatMap((key) => ["-e", `${key}=${process.env[key]}`]);
  const all = [
    inspector,
    "--cli",
    ...environment,
    "--protocol-era",
    era === "legacy" ? "legacy" : "modern",
    "--format",
    "json",
    "-q",
    ...args,
    "--",
    binary,
    "mcp",
  ];
  const run = promisify(execFile)(process.execPath, all, { maxBuffer: 1 << 26 });
  const { stdout } = await run.catch((error) => {
    throw new Error(`the Inspector ended with ${error.code}: ${error.stderr}`);
  });
  return stdout;
}

async function inspect(...args) {
  const answer = JSON.parse(await printed(...args));
  return answer.result ?? answer;
}

// Reads every file of every skill that is listed, and ends badly if one differs from its manifest or
// a front matter from what the list says of it.
async function verified() {
  const lines = await printed("--method", "skills/list", "--verify", "--require-digests");
  const skills = lines.trim().split("\n").map((line) => JSON.parse(line));
  return skills.filter((skill) => skill.outcome === "verified").map((skill) => skill.name);
}

async function call(tool, args) {
  const json = JSON.stringify(args);
  return textOf(
    await inspect("--method", "tools/call", "--tool-name", tool, "--tool-args-json", json),
  );
}

const handshake = await inspect("--method", "initialize");
const { tools } = await inspect("--method", "tools/list", "--strict");
const text = await readFile(textFile, "utf8");
const created = await call("skill_edit", creation(name, text));
const parts = [];
for (let start = 0; start !== null; ) {
  const { part, next } = page(await call("skills", { action: "get", name, path: LONG_FILE, start }));
  parts.push(part);
  start = next;
}
const listed = await call("skills", { action: "list" });
const served = await verified();
console.log(
  JSON.stringify({
    protocol: handshake.protocolVersion,
    instructions: handshake.instructions,
    tools: tools.map((tool) => tool.name),
    created,
    pages: parts.length,
    text: parts.join(""),
    listed,
    served,
  }),
);
