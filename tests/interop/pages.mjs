// What the JavaScript clients share: the skill that they create, and taking an answer apart.

export const LONG_FILE = "references/long.md";

/** The arguments that create the skill. */
export function creation(name, text) {
  return {
    action: "create",
    name,
    description: "Made by a client in a test.",
    instructions: "Read the long file.\n",
    files: { [LONG_FILE]: text },
  };
}

/** All text of a tool's result; a failure is an error. */
export function textOf(result) {
  const blocks = result.content.filter((block) => block.type === "text");
  const text = blocks.map((block) => block.text).join("\n");
  if (result.isError) throw new Error(text);
  return text;
}

/** The part of a file between the marks of an answer, and where the next part starts. */
export function page(answer) {
  const from = answer.indexOf("\n\n");
  const to = answer.lastIndexOf("\n\n[");
  if (!answer.startsWith("[") || from < 0 || to < from + 2) {
    throw new Error(`no marks around the page: ${answer.slice(0, 200)}`);
  }
  const next = /next_start=(\d+)/.exec(answer.slice(to));
  return { part: answer.slice(from + 2, to), next: next ? Number(next[1]) : null };
}
