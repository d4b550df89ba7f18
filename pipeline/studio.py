"""Opens what contact sheets and edits are drawn with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.configuration import Configuration
from pipeline.folders import avatar_folder, body_folder

if TYPE_CHECKING:
    from avatar.body.workshop import Workshop
    from avatar.editing.rendering import RenderStudio
    from avatar.renderer.opengl import OpenGLRenderer


@contextmanager
def patient_renderer(configuration: Configuration) -> Iterator["OpenGLRenderer"]:
    """Yield a renderer whose pictures wait for their scene.

    Raises:
        AvatarError: no graphics context can be made.
    """
    from avatar.renderer.opengl import OpenGLRenderer

    folders = avatar_folder(configuration.cache), body_folder(configuration.cache)
    renderer = OpenGLRenderer(*folders, patient=True)
    try:
        yield renderer
    finally:
        renderer.release()


def workshop_of(
    configuration: Configuration, renderer: "OpenGLRenderer", directions: int
) -> "Workshop":
    """Return what builds avatars in the renderer's context, faces from photos among them."""
    from avatar.body.prepare import FACES
    from avatar.body.workshop import Workshop

    return Workshop(
        renderer.context,
        body_folder(configuration.cache),
        avatar_folder(configuration.cache) / FACES,
        directions=directions,
    )


@contextmanager
def edit_studio(configuration: Configuration) -> Iterator["RenderStudio"]:
    """Yield a studio that builds drafts and keeps none of them as files.

    Raises:
        AvatarError: no graphics context can be made.
    """
    from avatar.body.workshop import DRAFT
    from avatar.editing.rendering import RenderStudio

    with patient_renderer(configuration) as renderer:
        studio = RenderStudio(renderer, workshop_of(configuration, renderer, DRAFT))
        try:
            yield studio
        finally:
            studio.release()
