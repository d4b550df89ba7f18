"""All that is kept of one person: exported in one call, deleted in one call."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pipeline.configuration import Configuration
from pipeline.folders import people_folder
from pipeline.library import avatars
from pipeline.privacy.belongings import PhotoAvatars
from pipeline.privacy.person import check_person
from pipeline.privacy.recordings import Recording, RecordingIndex
from pipeline.privacy.transcripts import TranscriptStore

_MEGABYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Deleted:
    """How much there was of a person: lines of transcripts, files of recordings, identities."""

    transcripts: int = 0
    recordings: int = 0
    avatars: int = 0


class Holdings:
    """What is kept of people. Blocks; used by one thread at a time.

    Raises (all calls with a person):
        ConfigurationError: it is no id.
        OSError: a file cannot be read, written or deleted.
    """

    def __init__(
        self, transcripts: TranscriptStore, recordings: RecordingIndex, photos: PhotoAvatars
    ) -> None:
        self.transcripts = transcripts
        self.recordings = recordings
        self.photos = photos

    def export(self, person: str) -> dict[str, Any]:
        """Return all there is of a person, as JSON has it.

        "transcripts": lines {at, session, item, who, text, language}; "recordings": {file, at,
        bytes}, in the order of `recordings.of`; "avatars": the documents of identities made from
        photos of the person.
        """
        check_person(person)
        lines = [
            asdict(line) | {"at": line.at.isoformat(timespec="seconds")}
            for line in self.transcripts.read(person)
        ]
        return {
            "object": "person.data",
            "person": person,
            "transcripts": lines,
            "recordings": [_shown(each) for each in self.recordings.of(person)],
            "avatars": self.photos.export(person),
        }

    def delete(self, person: str) -> Deleted:
        """Delete all there is of a person; return how much that was."""
        check_person(person)
        return Deleted(
            self.transcripts.delete(person),
            self.recordings.delete(person),
            self.photos.delete(person),
        )

    def sweep(self) -> int:
        """Delete what is older than the retention period; return how many files."""
        return self.transcripts.sweep() + self.recordings.sweep()


def open_holdings(
    configuration: Configuration, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Holdings:
    """Return what is kept where the configuration says; nothing is made before it is needed."""
    privacy = configuration.privacy
    folder = privacy.folder or people_folder()
    return Holdings(
        TranscriptStore(
            folder / "transcripts",
            privacy.retention_days,
            privacy.most_megabytes * _MEGABYTE,
            now,
        ),
        RecordingIndex(folder, privacy.retention_days, now),
        PhotoAvatars(avatars(configuration.cache), configuration.cache),
    )


def _shown(recording: Recording) -> dict[str, Any]:
    at = recording.at.isoformat(timespec="seconds")
    return {"file": str(recording.path), "at": at, "bytes": recording.size}
