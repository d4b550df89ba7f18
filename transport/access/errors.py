"""Why somebody is not let in."""

import math
from typing import Final

from pipeline.errors import ConfigurationError, VivantError

MISSING: Final = "missing_credential"
WRONG: Final = "invalid_api_key"
EXPIRED: Final = "token_expired"


class AccessValueError(ConfigurationError):
    """A name, scope, limit or lifetime is not accepted."""


class CredentialError(VivantError):
    """No credential came, or it is none that is accepted now.

    Attributes:
        code: "missing_credential", "invalid_api_key" or "token_expired".
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ScopeError(VivantError):
    """The credential is right, but not for this. `scope`: what would be needed, where one would."""

    def __init__(self, message: str, scope: str | None = None) -> None:
        super().__init__(message)
        self.scope = scope


class LimitReachedError(VivantError):
    """A limit of the key is used up.

    Attributes:
        code: "sessions_limit", "minutes_limit", "requests_limit" or "attempts_limit".
        retry_after_s: whole seconds after which a new try makes sense, from 1.
    """

    retryable = True

    def __init__(self, code: str, message: str, retry_after_s: float) -> None:
        self.code = code
        self.retry_after_s = max(1, math.ceil(retry_after_s))
        super().__init__(f"{message}; try again in {self.retry_after_s} seconds")
