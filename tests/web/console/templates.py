"""Reads the markup out of a module: what stands in html`…` but for its expressions."""


def literals(source: str) -> list[str]:
    """Return the text of every html template, with NUL where an expression stands."""
    return _Scanner(source).run()


class _Scanner:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.found: list[str] = []

    def run(self) -> list[str]:
        self._code(until="")
        return self.found

    def _code(self, until: str) -> None:
        depth = 0
        while self.at < len(self.source):
            character = self.source[self.at]
            if self.source.startswith("//", self.at):
                self.at = self._after("\n")
            elif self.source.startswith("/*", self.at):
                self.at = self._after("*/")
            elif character in "\"'":
                self._string(character)
            elif character == "`":
                is_markup = self.source.endswith("html", 0, self.at)
                self.at += 1
                self._template(is_markup)
            elif character == until and depth == 0:
                self.at += 1
                return
            else:
                depth += (character == "{") - (character == "}")
                self.at += 1

    def _template(self, is_markup: bool) -> None:
        text = ""
        while self.source[self.at] != "`":
            if self.source.startswith("${", self.at):
                self.at += 2
                self._code(until="}")
                text += "\0"
            else:
                text += self.source[self.at]
                self.at += 1
        self.at += 1
        if is_markup:
            self.found.append(text.replace("=>", "").replace("<\0", "<x"))

    def _string(self, quote: str) -> None:
        self.at += 1
        while self.source[self.at] != quote:
            self.at += 2 if self.source[self.at] == "\\" else 1
        self.at += 1

    def _after(self, end: str) -> int:
        place = self.source.find(end, self.at)
        return len(self.source) if place < 0 else place + len(end)
