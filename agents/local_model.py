"""A small language model in this process: a GGUF file run by llama.cpp through xllamacpp."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import xllamacpp

from agents.errors import AgentValueError, ModelError
from agents.handover import Handover
from agents.llm import Message

# Pieces made ahead of the reader.
_AHEAD = 32
# Tokens of a prompt read between two chances to stop; 8 take some 70 ms of one core.
_PROMPT_BATCH = 8


class LocalModel:
    """Streams from a GGUF chat model, one reply at a time, off the event loop.

    The prompt's beginning that a request shares with the one before is not read again.
    Loading blocks for about two seconds: construct it in a worker thread.

    Args:
        path: a GGUF file with a chat template.
        threads: cores used. More than are free makes it many times slower, so 1 by default.
        context: most tokens of prompt and reply together.
        max_waiting: most requests at a time; one more is refused.

    Raises:
        AgentValueError: the file is missing or no model, or a number is below 1.
    """

    def __init__(
        self, path: Path, *, threads: int = 1, context: int = 2048, max_waiting: int = 8
    ) -> None:
        if min(threads, context, max_waiting) < 1:
            raise AgentValueError(
                f"threads {threads}, context {context}, max_waiting {max_waiting}: all must be >= 1"
            )
        if not path.is_file():
            raise AgentValueError(f"no language model at {path}; a GGUF file is needed")
        self._server: Any = _load(path, threads, context)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="language-model")
        self._max_waiting = max_waiting
        self._open: set[Handover[str]] = set()
        self._closed = False

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = 96, temperature: float = 0.0
    ) -> AsyncGenerator[str, None]:
        """Yield the reply in pieces, usually one token each.

        Closing the iterator or cancelling its task returns once the model has stopped, within
        a token or a batch of the prompt.

        Raises:
            ModelError: closed, too many requests, prompt longer than the context.
        """
        if self._closed:
            raise ModelError("the language model is closed", retry=False)
        if len(self._open) >= self._max_waiting:
            raise ModelError(f"the language model has {len(self._open)} requests", retry=True)
        loop = asyncio.get_running_loop()
        pieces: Handover[str] = Handover(loop, _AHEAD)
        self._open.add(pieces)
        request = _request(messages, max_tokens, temperature)
        work = self._worker.submit(_generate, self._server, request, pieces)
        try:
            async for piece in pieces:
                yield piece
            if self._closed:
                raise ModelError("the language model was closed", retry=False)
        finally:
            pieces.close()
            try:
                if not work.cancel():
                    await asyncio.wait({asyncio.wrap_future(work)})
            finally:
                self._open.discard(pieces)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Read the beginning that later prompts will share, so that their first token is early."""
        async for _ in self.stream(messages, max_tokens=1):
            pass

    async def aclose(self) -> None:
        """Stop what runs and free the model. Idempotent."""
        if self._closed:
            return
        self._closed = True
        for pieces in tuple(self._open):
            pieces.close()
            pieces.finish()
        await asyncio.to_thread(self._free)

    def _free(self) -> None:
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._server = None


def _load(path: Path, threads: int, context: int) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = context
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = _PROMPT_BATCH
    for cpu in (parameters.cpuparams, parameters.cpuparams_batch):
        cpu.n_threads = threads
        # Waiting threads sleep: spinning would starve the rest of the process.
        cpu.poll = 0
    # Prompts set aside would take memory with every session.
    parameters.cache_ram_mib = 0
    parameters.verbosity = 0
    # The library also opens a port on the loopback address; nobody may use it.
    parameters.api_keys = [secrets.token_urlsafe(32)]
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise AgentValueError(f"{path} cannot be loaded as a GGUF model: {error}") from error


def _request(messages: Sequence[Message], max_tokens: int, temperature: float) -> dict[str, Any]:
    if not messages:
        raise AgentValueError("no messages; at least one is needed")
    return {
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        "max_tokens": max_tokens,
        "temperature": temperature,
        "stream": True,
        # Reports on the prompt are chances to stop before the first token.
        "return_progress": True,
    }


def _generate(server: Any, request: dict[str, Any], pieces: Handover[str]) -> None:
    """Run one request in the worker thread."""
    failures: list[str] = []

    def on_chunk(chunk: dict[str, Any]) -> bool:
        """Return True to stop."""
        if "error" in chunk:
            failures.append(str(chunk["error"].get("message", chunk["error"])))
            return True
        choices = chunk.get("choices") or [{}]
        text = choices[0].get("delta", {}).get("content")
        return not pieces.put(text) if text else pieces.closed

    if not pieces.closed:
        try:
            server.handle_chat_completions(request, on_chunk)
        except (RuntimeError, ValueError) as error:
            failures.append(str(error))
    if failures:
        pieces.finish(ModelError(f"the language model failed: {failures[0]}", retry=False))
    else:
        pieces.finish()
