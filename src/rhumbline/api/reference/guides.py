"""The guides of ``docs/guides``, made into HTML for our pages."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

GUIDES: Mapping[str, str] = MappingProxyType(
    {"fees": "Fees", "slippage": "Slippage", "tracking": "Tracking", "errors": "Errors"}
)
"""The guides by the name of their file, with their titles, as they are listed."""


@cache
def rendered(name: str) -> str:
    """Return a guide as HTML; KeyError for one that is not listed."""
    # Here, because a start should not wait for what the first reader needs.
    from markdown_it import MarkdownIt

    if name not in GUIDES:
        raise KeyError(name)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(files("rhumbline.api.reference").joinpath("guides", f"{name}.md").read_text("utf-8"))
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("href", served_at(str(child.attrGet("href"))))
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")


def served_at(target: str) -> str:
    """Return where our pages have what a guide links to by its file: other guides, and the document."""
    file, mark, part = target.partition("#")
    if file == "../openapi.json":
        return "/docs" + mark + part
    return f"/docs/guides/{file.removesuffix('.md')}{mark}{part}" if file.endswith(".md") else target
