import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.clause import Language
from agents.clauses import LIMITS, ClauseCutter, cut

LANGUAGES = st.sampled_from(["en", "zh"])
# Text dense in what makes cutting hard.
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["$9.99", "98.6", "10:30", "1,000", "Dr. ", "e.g. ", "U.S. ", "No. 5", "...", "……",
             "https://a.example/b?c=1, ", "，", "。", "！", "”", '"', ") ", ". ", ", ", "! ", "\n",
             "we open ", "我们每天开门", "二十五元", "—", "; ", "a.m. ", "3. "]
        ),
        st.text(max_size=12),
    ),
    max_size=40,
).map("".join)  # fmt: skip


@given(TEXTS, LANGUAGES)
def test_joined_clauses_are_the_text(text: str, language: Language) -> None:
    assert "".join(cut(text, language)) == text


@given(TEXTS, LANGUAGES, st.data())
def test_the_pieces_do_not_matter(text: str, language: Language, data: st.DataObject) -> None:
    ends = data.draw(st.lists(st.integers(0, len(text)), max_size=12).map(sorted))
    cutter = ClauseCutter(language)
    clauses: list[str] = []
    for start, end in zip([0, *ends], [*ends, len(text)], strict=True):
        clauses += cutter.feed(text[start:end])
    assert clauses + cutter.flush() == cut(text, language)


@given(TEXTS, LANGUAGES)
def test_clauses_are_bounded(text: str, language: Language) -> None:
    assert all(len(clause) <= LIMITS[language].hard for clause in cut(text, language))


@given(st.text(alphabet="字a9,. ", min_size=1, max_size=60).map(lambda t: t * 40), LANGUAGES)
def test_a_clause_without_stops_does_not_wait_for_ever(text: str, language: Language) -> None:
    cutter = ClauseCutter(language)
    received = 0
    for fed, char in enumerate(text, 1):
        received += sum(map(len, cutter.feed(char)))
        assert fed - received <= LIMITS[language].hard + 2


UNBROKEN = [
    "The temperature is 98.6 degrees.",
    "It costs $9.99 today.",
    "We close at 10:30 tonight.",
    "About 1,000 people came.",
    "Dr. Rossi made it.",
    "Pick a side, e.g. a salad.",
    "He is from the U.S. army.",
    "It is item No. 5 here.",
    "See https://a.example/b?c=1.2,3 now.",
    "On December 5, 2026 we moved.",
    "Open from 9 a.m. to noon.",
    "价格是9.9元哦",
    "今晚10：30见",
]


@pytest.mark.parametrize("text", UNBROKEN)
def test_nothing_is_cut_inside(text: str) -> None:
    language: Language = "zh" if "是" in text or "见" in text else "en"
    pieces = [clause.strip() for clause in cut(text, language)]
    whole = [p for p in pieces if p != "Pick a side,"]
    assert " ".join(whole) == text.removeprefix("Pick a side, ")
    assert len(whole) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We open at 11 AM, and close at 10 PM.", ["We open at 11 AM,", " and close at 10 PM."]),
        ("No. We do not.", ["No.", " We do not."]),
        ('She said "hello there." Then she left.', ['She said "hello there."', " Then she left."]),
        ("Well... I am not sure (yet). Ask me.", ["Well...", " I am not sure (yet).", " Ask me."]),
        ("We close at 10 p.m. See you then.", ["We close at 10 p.m.", " See you then."]),
        ("每天上午十一点开门，晚上十点打烊。", ["每天上午十一点开门，", "晚上十点打烊。"]),
        ("他说：“好的。”然后走了。", ["他说：", "“好的。”", "然后走了。"]),
        ("有现金、刷卡。", ["有现金、刷卡。"]),
        ("等等……我想想。好了！", ["等等……", "我想想。", "好了！"]),
        ("First line\nSecond line", ["First line", "\nSecond line"]),
        ("1. Order a pizza. 2. Eat it.", ["1. Order a pizza.", " 2. Eat it."]),
        ("", []),
    ],
)
def test_cuts(text: str, expected: list[str]) -> None:
    language: Language = "zh" if any("\u4e00" <= c <= "\u9fff" for c in text) else "en"
    assert cut(text, language) == expected


def test_the_first_clause_stands_as_soon_as_it_can() -> None:
    cutter = ClauseCutter("en")
    assert cutter.feed("We open at 11") == []
    assert cutter.feed(" AM,") == []
    assert cutter.feed(" and") == ["We open at 11 AM,"]


def test_a_long_phrase_breaks_before_a_hinge_word_and_not_beside_a_figure() -> None:
    text = "Our kitchen bakes every single pizza by hand with 30 kinds of toppings on top of it"
    first, *_ = cut(text, "en")
    assert first == "Our kitchen bakes every single pizza by hand"


def test_flush_starts_a_new_reply() -> None:
    cutter = ClauseCutter("zh")
    cutter.feed("你好，我们")
    cutter.flush()
    assert cutter.feed("你好，我们") == ["你好，"]
