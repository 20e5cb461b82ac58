"""How the page is served: under a policy that lets the browser talk to this host only."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import gradio as gr

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Even if text of a paper or a model were rendered, the browser would load nothing for it. Gradio's
# own scripts need inline and evaluated code.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    ]
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-dns-prefetch-control", b"off"),
]
# System fonts, with Han faces of each system behind the Latin ones; nothing is downloaded.
FONTS = (
    "system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Noto Sans",
    "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC",
    "Source Han Sans SC", "sans-serif",
)  # fmt: skip
CODE_FONTS = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace")


def serve_page(app: FastAPI, blocks: gr.Blocks) -> FastAPI:
    """The application with the blocks mounted at `/`."""
    here = files(__package__)
    script = here.joinpath("page.js").read_text(encoding="utf-8")
    style = here.joinpath("style.css").read_text(encoding="utf-8")
    gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        theme=gr.themes.Base(font=FONTS, font_mono=CODE_FONTS),
        # Not as `css`, of which Gradio rewrites the selectors.
        head=f"<style>{style}</style><script>{script}</script>",
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        show_error=False,
        max_file_size="1kb",  # nothing here takes files
    )
    # Gradio skips its check of incoming file paths until an application has "launched", and
    # mounting is not launching: any file of this machine could be read without this line.
    blocks.has_launched = True
    app.add_middleware(_PagePolicy)
    return app


class _PagePolicy:
    """Puts the policy on the page itself; other routes of the application keep their headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        is_page = scope["type"] == "http" and scope["path"] == "/"
        await self.app(scope, receive, send_with_policy if is_page else send)
