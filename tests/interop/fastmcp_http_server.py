"""A FastMCP server over HTTP that gives two answers from memory, to measure against.

Usage: fastmcp_http_server.py ANSWERS PORT
"""

import json
import sys

from fastmcp import FastMCP

with open(sys.argv[1], encoding="utf-8") as file:
    answers = json.load(file)
text = answers["get"]["content"][0]["text"]
server = FastMCP("bench")


@server.tool
def skills(action: str, name: str | None = None) -> str:
    """Lists and loads skills."""
    return text


@server.tool
def skill_edit(action: str, name: str) -> str:
    """Changes a skill."""
    return "no"


@server.tool
def guidelines() -> str:
    """Tells guidelines."""
    return "none"


server.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[2]),
    path="/mcp",
    stateless_http=True,
    json_response=True,
    show_banner=False,
    log_level="error",
)
