"""Pictures are asked for as late as the machine allows."""

from pipeline.lead import LONGEST, PATIENCE, SHORTEST, STEP, WINDOW, Lead


def feed(lead: Lead, spare: float, windows: int) -> list[int]:
    return [lead.samples for _ in range(windows * WINDOW) if lead.note(spare)]


def test_late_pictures_are_asked_for_earlier_up_to_a_limit() -> None:
    lead = Lead()
    assert feed(lead, -0.01, 5) == [SHORTEST + STEP, LONGEST]


def test_a_few_late_ones_are_no_reason() -> None:
    lead = Lead()
    changes = [lead.note(-0.1 if index % 50 == 0 else 0.02) for index in range(4 * WINDOW)]
    assert not any(changes)


def test_time_to_spare_brings_the_lead_down_with_patience() -> None:
    lead = Lead()
    feed(lead, -0.01, 1)
    assert feed(lead, 0.07, PATIENCE - 1) == []
    assert feed(lead, 0.07, 1) == [SHORTEST]
    assert feed(lead, 0.07, 3 * PATIENCE) == []
