"""Edits on the real renderer: how many do what was said, with the critic and without."""

import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pipeline.configuration import load_configuration
from pipeline.edit_studio import edit_studio
from pipeline.errors import ConfigurationError

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
            goes on after the lines it finds there.

    Returns: see `avatar.editing.bench.summary`; `set` and `builds` besides.

    Raises:
        ConfigurationError: the log cannot be read or written.
    """
    from avatar.editing.bench import Row, evaluate, items

    wanted = items(chosen)[:: _QUICK if quick else 1]
    try:
        lines = log.read_text("utf-8").splitlines() if log and log.exists() else []
        done = [Row.read(line) for line in lines]
    except (OSError, ValueError, KeyError) as error:
        raise ConfigurationError(f"{log} is no log of edits: {error}") from error
    with (
        edit_studio(load_configuration(config)) as studio,
        tqdm(total=len(wanted), initial=min(len(done), len(wanted)), file=sys.stderr) as bar,
    ):

        def tell(row: Row) -> None:
            bar.set_postfix_str(f"{row.say[:24]}: {row.fault or 'right'}", refresh=False)
            bar.update()
            if log is not None:
                with log.open("a", encoding="utf-8") as file:
                    file.write(row.written() + "\n")

        report = evaluate(studio, candidates=candidates, chosen=wanted, done=done, tell=tell)
        return {"set": chosen, "builds": studio.builds, **report}
