"""One session of a real Python client with the real binary.

Usage: python_client.py LIBRARY BINARY ERA NAME TEXT_FILE

LIBRARY is `mcp` or `fastmcp`, ERA `legacy` or `2026-07-28`. The environment is passed on to the
server. Creates the skill NAME with the file `references/long.md`, pages through that file and
prints what it saw as one JSON object; whether that is right, the caller judges.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

LONG_FILE = "references/long.md"


def mcp_client(binary: str, era: str):
    from mcp import Client, StdioServerParameters
    from mcp.types import Implementation

    server = StdioServerParameters(command=binary, args=["mcp"], env=dict(os.environ))
    info = Implementation(name="interop-mcp", version="1")
    return Client(server, client_info=info, mode="legacy" if era == "legacy" else "auto")


def fastmcp_client(binary: str, era: str):
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport
    from mcp.types import Implementation

    server = StdioTransport(binary, ["mcp"], env=dict(os.environ), keep_alive=False)
    info = Implementation(name="interop-fastmcp", version="1")
    return Client(server, client_info=info, mode="legacy" if era == "legacy" else "auto")


def page(text: str) -> tuple[str, int | None]:
    """The part of a file between the marks of an answer, and where the next part starts."""
    head, rest = text.split("\n\n", 1)
    part, tail = rest.rsplit("\n\n[", 1)
    if not head.startswith("["):
        raise ValueError(f"no mark before the page: {head[:200]!r}")
    start = re.search(r"next_start=(\d+)", tail)
    return part, int(start.group(1)) if start else None


async def session(client, name: str, text: str) -> dict:
    async def call(tool: str, **arguments) -> str:
        result = await client.call_tool(tool, arguments)
        return "\n".join(block.text for block in result.content if block.type == "text")

    tools = await client.list_tools()
    tools = getattr(tools, "tools", tools)
    created = await call(
        "skill_edit",
        action="create",
        name=name,
        description="Made by a client in a test.",
        instructions="Read the long file.\n",
        files={LONG_FILE: text},
    )
    parts, start = [], 0
    while start is not None:
        answer = await call("skills", action="get", name=name, path=LONG_FILE, start=start)
        part, start = page(answer)
        parts.append(part)
    return {
        "protocol": client.protocol_version,
        "instructions": client.instructions,
        "tools": [tool.name for tool in tools],
        "created": created,
        "pages": len(parts),
        "text": "".join(parts),
        "listed": await call("skills", action="list"),
    }


async def main() -> None:
    library, binary, era, name, text_file = sys.argv[1:]
    make = {"mcp": mcp_client, "fastmcp": fastmcp_client}[library]
    async with make(binary, era) as client:
        seen = await session(client, name, Path(text_file).read_text(encoding="utf-8"))
    print(json.dumps(seen))


asyncio.run(main())
