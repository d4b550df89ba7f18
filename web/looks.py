"""What a page may offer before a call: identities with a still picture, scenes, motion styles."""

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from avatar.spec import FRAMINGS
from pipeline.errors import ConfigurationError
from pipeline.looks import Looks
from web.errors import RequestRefusedError
from web.page import answer_file

PATH: Final = "/v1/looks"


def look_routes(looks: Looks) -> list[Route]:
    """Return the routes of the list and of the still pictures."""

    async def show(_: Request) -> JSONResponse:
        defaults = looks.defaults
        return JSONResponse(
            {
                "avatars": [_avatar(looks, name) for name in looks.avatars.names],
                "scenes": list(looks.scenes.names),
                "styles": list(looks.styles.names),
                "framings": list(FRAMINGS),
                "default": {
                    "avatar": defaults.avatar,
                    "scene": defaults.scene,
                    "style": defaults.style,
                },
            }
        )

    async def still(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            path = looks.still(name)
        except ConfigurationError as error:
            raise RequestRefusedError(404, str(error), param="name") from None
        if path is None:
            raise RequestRefusedError(404, f"avatar {name!r} has no picture yet", param="name")
        return answer_file(request, path)

    return [Route(PATH, show), Route(PATH + "/avatars/{name}/still", still)]


def _avatar(looks: Looks, name: str) -> dict[str, object]:
    """`picture` is an address relative to the list's own, None where there is none yet; a call to
    one who is not `ready` waits some seconds until its figure is built.
    """
    here = looks.still(name) is not None
    who = looks.avatars.get(name)
    return {
        "name": name,
        "title": who.title or name.title(),
        "ready": looks.is_ready(who),
        "picture": f"looks/avatars/{name}/still" if here else None,
    }
