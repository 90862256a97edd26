// One session of the TypeScript client with the real binary.
//
// Usage: typescript_client.mjs BINARY ERA NAME TEXT_FILE
//
// ERA is `legacy` or `2026-07-28`. The environment is passed on to the server. Creates the skill
// NAME with the file `references/long.md`, pages through that file and prints what it saw as one
// JSON object; whether that is right, the caller judges.

import { readFile } from "node:fs/promises";
import process from "node:process";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

import { LONG_FILE, creation, page, textOf } from "./pages.mjs";

const [binary, era, name, textFile] = process.argv.slice(2);
const client = new Client(
  { name: "interop-typescript", version: "1" },
  { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: era } } },
);
await client.connect(
  new StdioClientTransport({ command: binary, args: ["mcp"], env: { ...process.env } }),
);
const call = async (tool, args) => textOf(await client.callTool({ name: tool, arguments: args }));

const { tools } = await client.listTools();
const text = await readFile(textFile, "utf8");
const created = await call("skill_edit", creation(name, text));
const parts = [];
for (let start = 0; start !== null; ) {
  const answer = await call("skills", { action: "get", name, path: LONG_FILE, start });
  const { part, next } = page(answer);
  parts.push(part);
  start = next;
}
const listed = await call("skills", { action: "list" });
console.log(
  JSON.stringify({
    protocol: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    tools: tools.map((tool) => tool.name),
    created,
    pages: parts.length,
    text: parts.join(""),
    listed,
  }),
);
await client.close();
