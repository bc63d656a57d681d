"""Uses Wegweiser through the official Python library of the Model Context Protocol; see README.md."""

import asyncio
import json
import os
from importlib.metadata import version

import httpx2
from mcp import MCPError
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

BASE = os.environ.get("WEGWEISER_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("WEGWEISER_KEY")
HEADERS = {"authorization": f"Bearer {KEY}"} if KEY else {}


def structured(result):
    """The structured content; the library has checked it against the tool's schema."""
    assert not result.is_error, result
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def use(mode):
    transport = streamable_http_client(f"{BASE}/mcp", http_client=httpx2.AsyncClient(headers=HEADERS))
    async with Client(transport, mode=mode) as client:
        print(f"{mode}: protocol {client.protocol_version}, server {client.server_info}")
        tools = (await client.list_tools()).tools
        print("tools:", [tool.name for tool in tools])
        assert [tool.name for tool in tools] == ["search", "fetch"]
        found = structured(await client.call_tool("search", {"query": "Was hilft gegen Aufschieben?"}))
        first = found["results"][0]
        print("search:", len(found["results"]), "results, answerable:", found["answerable"], "first:", first)
        assert found["answerable"] is True
        section = structured(await client.call_tool("fetch", {"id": first["id"]}))
        print("fetch:", section["title"], "|", section["text"][:60], "…", section["metadata"])
        assert section["id"] == first["id"] and section["url"] == first["url"] and section["text"]
        nothing = structured(await client.call_tool("search", {"query": "Wie hoch ist der Mount Everest?"}))
        print("no answer: answerable:", nothing["answerable"])
        assert nothing["answerable"] is False
        unknown = await client.call_tool("fetch", {"id": "gibt#es-nicht"})
        print("unknown section:", unknown.content[0].text.splitlines()[0])
        assert unknown.is_error
        try:
            await client.call_tool("loeschen", {})
            raise AssertionError("an unknown tool must be refused")
        except MCPError as error:
            print("unknown tool:", error)
        missing = await client.call_tool("search", {})
        print("no query:", missing.content[0].text.splitlines()[0])
        assert missing.is_error


async def main():
    await use("legacy")  # the `initialize` handshake
    await use("auto")  # asks the server what it speaks
    print("ok: mcp", version("mcp"))


asyncio.run(main())
