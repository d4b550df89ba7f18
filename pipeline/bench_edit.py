"""Edits on the real renderer: how many do what was said, with the critic and without."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from pipeline.configuration import load_configuration
from pipeline.errors import ConfigurationError
from pipeline.studio import edit_studio

if TYPE_CHECKING:
    from avatar.editing.bench import Row

# A quick run takes one instruction of so many.
_QUICK = 8


def run(
    chosen: str = "known",
    *,
    quick: bool = False,
    log: Path | None = None,
    candidates: int = 4,
    config: Path | None = None,
) -> dict[str, Any]:
    """Carry a set of instructions out on drafts drawn by the renderer, and check the outcomes.

    Args:
        chosen: of `avatar.editing.bench.SETS`.
        quick: every eighth instruction only.
        log: a file that takes a line as soon as an instruction is done; a run that was broken off
            goes on after the whole lines it finds there.

    Returns: see `avatar.editing.bench.summary`; `set` and `builds` besides.

    Raises:
        ConfigurationError: the log cannot be read or written.
    """
    from avatar.editing.bench import evaluate, items

    wanted = items(chosen)[:: _QUICK if quick else 1]
    done = _resumed(log) if log and log.exists() else []
    with (
        edit_studio(load_configuration(config)) as studio,
        tqdm(total=len(wanted), initial=min(len(done), len(wanted)), file=sys.stderr) as bar,
    ):

        def tell(row: "Row") -> None:
            bar.set_postfix_str(f"{row.say[:24]}: {row.fault or 'right'}", refresh=False)
            bar.update()
            if log is not None:
                with log.open("a", encoding="utf-8") as file:
                    file.write(row.written() + "\n")

        report = evaluate(studio, candidates=candidates, chosen=wanted, done=done, tell=tell)
        return {"set": chosen, "builds": studio.builds, **report}


def _resumed(log: Path) -> list["Row"]:
    """Return the rows of a log, and cut off the line it was broken off in."""
    from avatar.editing.bench import Row

    try:
        text = log.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        rows = [Row.read(line) for line in whole.splitlines()]
        if whole != text:
            log.write_text(whole, "utf-8")
    except (OSError, ValueError, KeyError) as error:
        raise ConfigurationError(f"{log} is no log of edits: {error}") from error
    return rows
