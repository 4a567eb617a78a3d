"""The protocol's side: lists the tools, checks what a call brings, and answers it or says why not."""

import json
import logging
from typing import Any

import anyio
import mcp.types as types
from mcp.server import Server, ServerRequestContext
from pydantic import ValidationError

from rhumbline_client.errors import RhumblineError
from rhumbline_client.mcp.admission import Admission
from rhumbline_client.mcp.arguments import Arguments, StatusAsked
from rhumbline_client.mcp.failures import ToolFailure, words_of
from rhumbline_client.mcp.service import Service
from rhumbline_client.mcp.texts import plain
from rhumbline_client.mcp.tools import INSTRUCTIONS, TOOLS, Tool
from rhumbline_client.version import VERSION

LONGEST_CALL_S = 55.0
AT_ONCE, WAITING = 8, 256
STATUS_WAITS = 24
"""The service permits 32 streams of one address."""
MOST_FAULTS = 8

log = logging.getLogger(__name__)


class ToolServer:
    """Answers calls of tools, in bounded number and time.

    Args:
        service: what the tools ask.
        longest: seconds that a call may take, waiting for its turn included.
        calls: places for calls.
        waits: places for calls that wait for a transaction, which would keep all others from theirs.

    """

    def __init__(
        self,
        service: Service,
        *,
        longest: float = LONGEST_CALL_S,
        calls: Admission | None = None,
        waits: Admission | None = None,
    ) -> None:
        self._service = service
        self._longest = longest
        self._calls = calls or Admission(AT_ONCE, WAITING)
        self._waits = waits or Admission(STATUS_WAITS, 0)
        self._listed = [tool.described(name) for name, tool in TOOLS.items()]

    def protocol(self) -> Server[Any]:
        """Return the SDK's server, which speaks the protocol."""
        schemas = {each.name: each.input_schema for each in self._listed}
        return Server(
            "rhumbline",
            version=VERSION,
            title="Rhumbline",
            description="Quotes, plans and tracks swaps and transfers of tokens; signs nothing.",
            instructions=INSTRUCTIONS,
            get_tool_input_schema=schemas.get,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def answer(self, name: str, given: dict[str, Any]) -> types.CallToolResult:
        """Answer a call; whatever goes wrong is an answer with ``is_error`` and words for the agent."""
        tool = TOOLS.get(name)
        if tool is None:
            return _failed(f"There is no tool {plain(name, 60)!r}. There are: {', '.join(TOOLS)}")
        try:
            with anyio.fail_after(self._longest):
                return await self._worked(tool, given)
        except ValidationError as error:
            return _failed(f"Wrong arguments for `{name}`:\n{faults_of(error, tool)}")
        except ToolFailure as failure:
            return _failed(str(failure))
        except RhumblineError as error:
            return _failed(words_of(error))
        except TimeoutError:
            return _failed(f"No answer within {self._longest:g} seconds. Nothing was changed: call again in a while")
        except Exception:
            log.exception("the tool %s failed", name)
            return _failed("This server has failed at this call; its log says why. Nothing was changed")

    async def _worked(self, tool: Tool, given: dict[str, Any]) -> types.CallToolResult:
        arguments = tool.arguments.model_validate(given)
        places = self._waits if _waits(arguments) else self._calls
        async with places.place():
            try:
                result = await tool.call(self._service, arguments)
            except ValidationError as error:
                # Of an answer, not of what the agent gave.
                raise RuntimeError("an answer does not fit the tool's result") from error
        content = result.model_dump(mode="json")
        texts = (result.in_words(), json.dumps(content, ensure_ascii=False, separators=(",", ":")))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=each) for each in texts], structured_content=content
        )

    async def _list(
        self, _: ServerRequestContext[Any], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._listed)

    async def _call(self, _: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        return await self.answer(params.name, params.arguments or {})


def faults_of(error: ValidationError, tool: Tool) -> str:
    """Return a line for each fault of a call's arguments: the argument, what is wrong, and the remedy."""
    faults = error.errors(include_input=False, include_url=False, include_context=False)
    lines = []
    for fault in faults[:MOST_FAULTS]:
        name = plain(fault["loc"][0] if fault["loc"] else "arguments", 60)
        if fault["type"] == "extra_forbidden":
            known = ", ".join(tool.arguments.model_fields)
            lines.append(f"- {name}: there is no such argument; there are: {known or 'none'}")
        elif fault["type"] == "missing":
            lines.append(f"- {name}: is missing: {_meaning(tool, name)}")
        else:
            lines.append(f"- {name}: {plain(fault['msg'])}. {_meaning(tool, name)}")
    return "\n".join(dict.fromkeys(lines))


def _meaning(tool: Tool, name: str) -> str:
    field = tool.arguments.model_fields.get(name)
    return "" if field is None else " ".join((field.description or "").split())


def _waits(arguments: Arguments) -> bool:
    return isinstance(arguments, StatusAsked) and arguments.wait_seconds > 0


def _failed(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)], is_error=True)
