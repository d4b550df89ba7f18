"""Prepared avatars on disk."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from avatar.body.asset import AvatarAsset, load_asset, save_asset
from avatar.body.prepare import asset_path
from avatar.errors import AvatarError
from avatar.renderer.base import Size
from avatar.renderer.opengl import OpenGLRenderer
from avatar.spec import SceneSpec, ready
from motion.pose import Pose


def test_what_is_saved_is_loaded(mia: AvatarAsset, tmp_path: Path) -> None:
    save_asset(mia, tmp_path / "again.safetensors")
    again = load_asset(tmp_path / "again.safetensors")
    assert [part.name for part in again.parts] == [part.name for part in mia.parts]
    for ours, theirs in zip(mia.parts, again.parts, strict=True):
        assert np.array_equal(ours.positions, theirs.positions)
        assert np.array_equal(ours.joints, theirs.joints)
        assert ours.values == theirs.values
    assert again.values == mia.values
    assert all(np.array_equal(mia.textures[name], again.textures[name]) for name in mia.textures)
    assert [path.name for path in tmp_path.iterdir()] == ["again.safetensors"]


def test_a_missing_a_broken_and_a_foreign_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(AvatarError, match=r"none\.safetensors cannot be read"):
        load_asset(tmp_path / "none.safetensors")
    (tmp_path / "broken.safetensors").write_bytes(b"not tensors at all")
    with pytest.raises(AvatarError, match=r"broken\.safetensors cannot be read"):
        load_asset(tmp_path / "broken.safetensors")
    save_file({"x": np.zeros(1)}, tmp_path / "foreign.safetensors")
    with pytest.raises(AvatarError, match="has format None"):
        load_asset(tmp_path / "foreign.safetensors")


# Materials without a texture of their own.
_PLAIN = ("metal", "glass", "shadow")


def test_every_vertex_is_lit_held_and_placed(mia: AvatarAsset) -> None:
    for part in mia.parts:
        assert np.isfinite(part.positions).all()
        assert np.allclose(np.linalg.norm(part.normals, axis=1), 1.0, atol=1e-3)
        assert np.allclose(part.weights.sum(1), 1.0, atol=1e-5)
        assert part.joints.max() < 104
        assert part.baked[:, :2].min() >= 0.0
        assert part.baked[:, :2].max() <= 1.0
        assert np.abs(part.baked[:, 2:]).max() <= 1.0
        assert part.triangles.max() < len(part.positions)
        assert part.texture in mia.textures or (not part.texture and part.material in _PLAIN)


def test_a_prepared_avatar_opens_without_the_body_package(avatars: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from avatar.renderer.opengl import OpenGLRenderer\n"
        "from avatar.renderer.base import Size\n"
        "from avatar.spec import SceneSpec, ready\n"
        "r = OpenGLRenderer(Path(sys.argv[1]), Path('missing'))\n"
        "r.open(ready('mia'), SceneSpec(), Size(64, 64))\n"
        "print([m for m in ('torch', 'anny', 'warp') if m in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(avatars)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


def test_building_tells_its_progress(building: tuple[Path, list[tuple[str, float]]]) -> None:
    shares = [share for _, share in building[1]]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_renderer_builds_what_is_missing_and_always_the_same(
    avatars: Path, anny_cache: Path, tmp_path: Path
) -> None:
    spec = ready("mia")
    renderer = OpenGLRenderer(tmp_path, anny_cache)
    handle = renderer.open(spec, SceneSpec(), Size(64, 64))
    picture = renderer.draw([handle], Pose.rest(1), 0.0)[0]
    assert picture.planes[:64].std() > 20
    renderer.release()
    assert asset_path(spec, tmp_path).read_bytes() == asset_path(spec, avatars).read_bytes()
