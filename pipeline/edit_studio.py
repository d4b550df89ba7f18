"""Opens what edits are drawn with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipeline.configuration import Configuration
from pipeline.folders import avatar_folder, body_folder

if TYPE_CHECKING:
    from avatar.editing.rendering import RenderStudio


@contextmanager
def edit_studio(configuration: Configuration) -> Iterator["RenderStudio"]:
    """Yield a studio that builds drafts and keeps none of them as files.

    Raises:
        AvatarError: no graphics context can be made.
    """
    from avatar.body.prepare import FACES
    from avatar.body.workshop import DRAFT, Workshop
    from avatar.editing.rendering import RenderStudio
    from avatar.renderer.opengl import OpenGLRenderer

    folders = avatar_folder(configuration.cache), body_folder(configuration.cache)
    renderer = OpenGLRenderer(*folders, patient=True)
    workshop = Workshop(renderer.context, folders[1], folders[0] / FACES, directions=DRAFT)
    studio = RenderStudio(renderer, workshop)
    try:
        yield studio
    finally:
        studio.release()
        renderer.release()
