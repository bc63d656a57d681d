"""Uses Wegweiser through the official Python library of the Model Context Protocol; see README.md."""

import asyncio
import json
import os
from importlib.metadata import version

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

BASE = os.environ.get("WEGWEISER_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("WEGWEISER_KEY")
HEADERS = {"authorization": f"Bearer {KEY}"} if KEY else {}


def structured(result):
    """The structured content; the library has checked it against the tool's schema."""
    assert not result.isError, result
    assert json.loads(result.content[0].text) == result.structuredContent
    return result.structuredContent


async def main():
    async with streamablehttp_client(f"{BASE}/mcp", headers=HEADERS) as (reading, writing, _):
        async with ClientSession(reading, writing) as session:
            started = await session.initialize()
            print("initialize:", started.serverInfo.name, started.protocolVersion)
            await session.send_ping()
            tools = (await session.list_tools()).tools
            print("tools:", [tool.name for tool in tools])
            assert [tool.name for tool in tools] == ["search", "fetch"]
            found = structured(await session.call_tool("search", {"query": "Was hilft gegen Aufschieben?"}))
            first = found["results"][0]
            print("search:", len(found["results"]), "results, answerable:", found["answerable"], "first:", first)
            assert found["answerable"] is True
            section = structured(await session.call_tool("fetch", {"id": first["id"]}))
            print("fetch:", section["title"], "|", section["text"][:60], "…", section["metadata"])
            assert section["id"] == first["id"] and section["url"] == first["url"] and section["text"]
            nothing = structured(await session.call_tool("search", {"query": "Wie hoch ist der Mount Everest?"}))
            print("no answer: answerable:", nothing["answerable"])
            assert nothing["answerable"] is False
            unknown = await session.call_tool("fetch", {"id": "gibt#es-nicht"})
            print("unknown section:", unknown.content[0].text.splitlines()[0])
            assert unknown.isError
    print("ok: mcp", version("mcp"))


asyncio.run(main())
