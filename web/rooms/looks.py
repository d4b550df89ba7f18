"""Hosts and scenes over HTTP: made and changed as `vivant avatar` does it; their pictures."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from avatar.spec import AvatarSpec, SceneSpec
from pipeline.atelier import LONGEST_SENTENCE, OWN_PICTURE, Atelier
from pipeline.contract import Engine
from pipeline.errors import AvatarPreparingError, ConfigurationError
from pipeline.looks import Looks
from pipeline.options import SessionOptions, VideoFormat
from pipeline.rooms.errors import RecordNotFoundError, RecordTakenError
from transport.strict_json import shown
from web.access import prefix_of
from web.body import read_bytes, read_object
from web.errors import RequestRefusedError
from web.page import answer_file
from web.rooms.products import (
    PICTURE_KINDS,
    PICTURE_LIMIT,
    PICTURE_SECONDS,
    answer_picture,
    kind_of,
)
from web.rooms.reading import answer_deleted
from web.rooms.versions import Versions, answer_document, check_version

AVATARS: Final = "/v1/avatars"
AVATAR: Final = AVATARS + "/{name}"
SCENES: Final = "/v1/scenes"
SCENE: Final = SCENES + "/{name}"
PICTURE: Final = VideoFormat(width=360, height=640)
MOST_PICTURES: Final = 64  # of scenes, kept in memory until a scene changes


def identity_routes(atelier: Atelier, looks: Looks) -> list[Route]:
    """Return the routes by which hosts are made, changed and seen."""

    async def create(request: Request) -> JSONResponse:
        body = await read_object(request)
        name = _text(body, "name", 40, ("name", "sentence", "base"))
        sentence = _text(body, "sentence", LONGEST_SENTENCE)
        base = _text(body, "base", 40) if "base" in body else "mia"
        _check_free(looks, name)
        report = await atelier.create(name, sentence, base)
        return _made(request, name, {**report, "ready": await _ready(name)})

    async def edit(request: Request) -> JSONResponse:
        name = _known(looks, request)
        body = await read_object(request)
        instruction = _text(body, "instruction", LONGEST_SENTENCE, ("instruction", "save_as"))
        save_as = _text(body, "save_as", 40) if body.get("save_as") is not None else None
        if save_as is not None and save_as != name:
            _check_free(looks, save_as)
        report = await atelier.edit(name, instruction, save_as)
        if report["refused"]:
            return JSONResponse({"object": "avatar.edit", **report, "ready": False})
        saved = str(report["saved"])
        report["ready"] = await _ready(saved)
        return _made(request, saved, {"object": "avatar.edit", **report})

    async def show(request: Request) -> JSONResponse:
        name = _known(looks, request)
        return answer_document(_whole(looks.avatars.get(name)))

    async def delete(request: Request) -> JSONResponse:
        name = _known(looks, request)
        atelier.remove(name)
        return answer_deleted("avatar", name)

    async def picture(request: Request) -> Response:
        path = looks.still(_known(looks, request))
        if path is None:
            raise RecordNotFoundError("picture", request.path_params["name"])
        return answer_file(request, path)

    async def _ready(name: str) -> bool:
        """Build the figure, so that it can be shown; one that takes long goes on being built."""
        try:
            await atelier.prepare(name)
        except AvatarPreparingError:
            return False
        return True

    return [
        Route(AVATARS, create, methods=["POST"]),
        Route(AVATAR, show, methods=["GET"]),
        Route(AVATAR, delete, methods=["DELETE"]),
        Route(AVATAR + "/edit", edit, methods=["POST"]),
        Route(AVATAR + "/picture", picture, methods=["GET"]),
    ]


def scene_routes(atelier: Atelier, engine: Engine, looks: Looks, versions: Versions) -> list[Route]:
    """Return the routes by which scenes are made, changed and seen."""
    pictures: dict[str, bytes] = {}

    async def show(request: Request) -> JSONResponse:
        return answer_document(_document(request))

    async def create(request: Request) -> JSONResponse:
        name = request.path_params["name"]
        if name in looks.scenes.names:
            raise RecordTakenError("scene", name)
        made = atelier.keep_scene(name, await read_object(request), new=True)
        place = f"{prefix_of(request)}{SCENES}/{made.name}"
        return answer_document(_scene(made), 201, place)

    async def update(request: Request) -> JSONResponse:
        body = await read_object(request)
        async with versions.changing:
            check_version(request, _document(request))
            made = atelier.keep_scene(request.path_params["name"], body, new=False)
        return answer_document(_scene(made))

    async def delete(request: Request) -> JSONResponse:
        document = _document(request)
        async with versions.changing:
            check_version(request, document)
            atelier.remove_scene(request.path_params["name"])
        return answer_deleted("scene", request.path_params["name"])

    async def picture(request: Request) -> Response:
        _document(request)
        key = atelier.scene(request.path_params["name"]).to_json()
        if key not in pictures:
            options = SessionOptions(scene=request.path_params["name"], video=PICTURE)
            drawn = await engine.still(options)
            if len(pictures) >= MOST_PICTURES:
                pictures.pop(next(iter(pictures)))
            pictures[key] = drawn
        return answer_picture(request, pictures[key])

    async def put_picture(request: Request) -> JSONResponse:
        document = _document(request)
        data = await read_bytes(request, PICTURE_LIMIT, PICTURE_KINDS, PICTURE_SECONDS)
        kind_of(data)
        async with versions.changing:
            check_version(request, document)
            name = request.path_params["name"]
            made = await asyncio.to_thread(atelier.keep_background, name, data)
        return answer_document(_scene(made))

    def _document(request: Request) -> dict[str, Any]:
        name = request.path_params["name"]
        if name not in looks.scenes.names:
            raise RecordNotFoundError("scene", name)
        return _scene(atelier.scene(name))

    return [
        Route(SCENE, show, methods=["GET"]),
        Route(SCENE, create, methods=["POST"]),
        Route(SCENE, update, methods=["PUT"]),
        Route(SCENE, delete, methods=["DELETE"]),
        Route(SCENE + "/picture", picture, methods=["GET"]),
        Route(SCENE + "/picture", put_picture, methods=["PUT"]),
    ]


def _whole(document: AvatarSpec | SceneSpec) -> dict[str, Any]:
    """Return a document with all its fields, those that are as ever too."""
    return {"kind": document.KIND, "version": document.VERSION, **document.model_dump(mode="json")}


def _scene(scene: SceneSpec) -> dict[str, Any]:
    """Return a scene's document; a picture of its own is called that, and not by its file."""
    document = _whole(scene)
    background = document["background"]
    source = background.get("source")
    if source is not None and not source.startswith("asset:"):
        document["background"] = {**background, "source": OWN_PICTURE}
    return document


def _known(looks: Looks, request: Request) -> str:
    name: str = request.path_params["name"]
    if name not in looks.avatars.names:
        raise RecordNotFoundError("avatar", name)
    return name


def _check_free(looks: Looks, name: str) -> None:
    if name in looks.avatars.names:
        raise RecordTakenError("avatar", name)
    try:
        looks.avatars.free(name)
    except ConfigurationError as error:
        raise RequestRefusedError(400, str(error), param="name") from None


def _made(request: Request, name: str, report: Mapping[str, object]) -> JSONResponse:
    place = f"{prefix_of(request)}{AVATARS}/{name}"
    return JSONResponse({"object": "avatar", **report}, 201, {"Location": place})


def _text(body: Mapping[str, Any], key: str, most: int, known: tuple[str, ...] = ()) -> str:
    for name in body if known else ():
        if name not in known:
            message = f"{name[:40]} is not known; accepted: {', '.join(known)}"
            raise RequestRefusedError(400, message, param=name[:40])
    value = body.get(key)
    if not isinstance(value, str) or not 0 < len(value.strip()) <= most:
        message = f"{key} is {shown(value)}; accepted: 1 to {most} characters"
        raise RequestRefusedError(400, message, param=key)
    return value
