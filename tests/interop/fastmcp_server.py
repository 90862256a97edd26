"""The least that a FastMCP server can be, for the benchmark of the handshake."""

from fastmcp import FastMCP

server = FastMCP("bench", instructions="A server without data.")


@server.tool
def echo(text: str) -> str:
    """Says what it is told."""
    return text


if __name__ == "__main__":
    server.run(transport="stdio", show_banner=False)
