"""The built client's files. Only what the folder holds can be asked for: a path is looked up, never followed."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import Path

from litestar import MediaType, Response, get
from litestar.datastructures import State
from litestar.params import FromPath

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>bulge</title>
<h1>The server runs, but its pages are not built</h1>
<p>In the folder <code>web</code> of the program, run <code>npm install</code> and <code>npm run build</code>;
then load this page again.</p></html>
"""
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class Pages:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, Path] = {}

    def find(self, path: str) -> Path | None:
        """The file of that name. A page of the client's own (no dot in its name) is the first page."""
        name = path.strip("/")
        if "." not in name.rpartition("/")[2]:
            name = "index.html"
        if name not in self._files or name == "index.html" or not self._files[name].is_file():
            self._look_again()
        return self._files.get(name)

    def _look_again(self) -> None:
        root = self._folder.resolve()
        found = (
            path for path in sorted(root.rglob("*")) if path.is_file() and path.resolve().is_relative_to(root)
        )
        self._files = {path.relative_to(root).as_posix(): path for path in found}


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(state: State, path: FromPath[str] = "/") -> Response[bytes]:
    """Whatever is not of the API."""
    return await asyncio.to_thread(_page, state.pages, path)


def _page(pages: Pages, path: str) -> Response[bytes]:
    is_api = path.strip("/").partition("/")[0] == "api"
    file = None if is_api else pages.find(path)
    if file is not None:
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        caching = FOREVER if "/assets/" in path else ASK_AGAIN
        return Response(file.read_bytes(), media_type=kind, headers={"Cache-Control": caching})
    if path.strip("/") == "":
        return Response(NOT_BUILT.encode(), media_type=MediaType.HTML)
    return Response(b'{"words":"there is nothing here"}', media_type="application/json", status_code=404)
