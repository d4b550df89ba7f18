"""Whether the manner in which something is asked leads to what answers it."""

from decimal import Decimal

import pytest

from agents.clause import Language
from agents.history import History
from agents.shop.desk import ShopDesk, is_remedy
from agents.shop.product import Offer, Product, Shop, Words

_POLICIES: dict[str, Words] = {
    "shipping": {
        "en": "Ships within 2 days. Delivery takes 5 days.",
        "zh": "2天内发货，5天送到。",
    },
    "returns": {
        "en": "Returns within 30 days. Refunds arrive within 6 days. "
        "If it arrives damaged, write to us within 3 days.",
        "zh": "30天内可退。退款6天内到账。收到破损，3天内联系我们。",
    },
    "payment": {
        "en": "We take cards and PayPal. No cash on delivery.",
        "zh": "支持银行卡和PayPal，不支持货到付款。",
    },
}


def _product(
    product_id: str,
    english: str,
    chinese: str,
    aliases: tuple[str, str],
    offer: Offer | None = None,
    **attributes: tuple[str, str],
) -> Product:
    return Product(
        id=product_id,
        name={"en": english, "zh": chinese},
        category=product_id,
        price=Decimal(45),
        currency="USD",
        stock=31,
        aliases={"en": tuple(aliases[0].split(",")), "zh": tuple(aliases[1].split(","))},
        attributes={key: {"en": en, "zh": zh} for key, (en, zh) in attributes.items()},
        points={"en": ("Height adjusts with one hand.",), "zh": ("单手就能调高度。",)}
        if product_id == "lamp"
        else {},
        offer=offer,
    )


_SHOP = Shop(
    "loft",
    {"en": "Loft", "zh": "阁楼"},
    (
        _product(
            "lamp",
            "Halo Desk Lamp",
            "光环台灯",
            ("lamp", "台灯,灯"),
            Offer(Decimal("38.5"), {"en": "for the first 60 orders", "zh": "前60单"}),
            colour=("white, brass", "白色、黄铜色"),
            arm_height=("30-62 cm", "30-62厘米"),
            weight=("1.9 kg", "1.9公斤"),
            brightness=("up to 800 lumens", "最高800流明"),
            contents=("lamp, cable", "台灯、数据线"),
            power=("USB-C; wall adapter not included", "USB-C供电，不含充电头"),
        ),
        _product(
            "mixer",
            "Whirl Hand Mixer",
            "旋风打蛋器",
            ("mixer,whisk", "打蛋器"),
            weight=("820 g", "820克"),
            speed=("5 speeds", "5档"),
            handedness=("for either hand", "左右手通用"),
        ),
        _product(
            "bin",
            "Tidy Trash Can",
            "净角垃圾桶",
            ("can,bin", "垃圾桶"),
            capacity=("12 litres", "12升"),
            weight=("1.4 kg", "1.4公斤"),
        ),
        _product(
            "shelf",
            "One Wall Shelf",
            "一格墙架",
            ("shelf", "架子,墙架"),
            max_load=("15 kg", "15公斤"),
            width=("60 cm", "60厘米"),
            drainage=("holes at the back", "背面有孔"),
            switching=("its light turns on by itself", "灯自动亮"),
        ),
    ),
    policies=_POLICIES,
)
_DESK = ShopDesk(_SHOP, lambda: 0.0)


def _cited(question: str, focus: str | None) -> set[str]:
    language: Language = "zh" if any(char > "\u3400" for char in question) else "en"
    answers = _DESK.answers(question, language, History(), focus)
    return {citation for answer in answers for citation in answer.citations}


@pytest.mark.parametrize(
    "question",
    [
        "when do i get my refund",
        "how long do refunds take",
        "when will the money be back in my account",
        "退款多久到账",
        "退的钱多久能到",
        "钱什么时候退给我",
        "what if it shows up cracked",
        "it came damaged what do i do",
        "broken when i got it",
        "收到是坏的咋办",
        "寄到的时候破了找谁",
        "快递摔坏了赔吗",
    ],
)
def test_refunds_and_what_arrives_broken_are_returns(question: str) -> None:
    assert _cited(question, "lamp") == {"policy:returns"}


@pytest.mark.parametrize(
    "question",
    [
        "can i pay cash when it arrives",
        "can i pay when i get it",
        "pay at the door ok?",
        "can i pay the courier in cash",
        "收到货再给钱行吗",
        "到了再付款可以吗",
    ],
)
def test_paying_on_arrival_is_payment(question: str) -> None:
    assert _cited(question, None) == {"policy:payment"}


@pytest.mark.parametrize(
    "question", ["do i pay for delivery", "how much is the shipping", "几天到", "运费谁付"]
)
def test_what_delivery_costs_and_takes_is_still_shipping(question: str) -> None:
    assert _cited(question, "lamp") == {"policy:shipping"}


@pytest.mark.parametrize(
    ("question", "focus", "cited"),
    [
        ("how much r these", "mixer", "mixer.price"),
        ("how much r the white lamps", "mixer", "lamp.price"),
        ("how much is a grey can", "lamp", "bin.price"),
        ("how much is the weight of the lamp", None, "lamp.weight"),
        ("how much can this take", "shelf", "shelf.max_load"),
        ("how many of the lamps do you have", "mixer", "lamp.stock"),
        ("how many lamps do you have", "mixer", "lamp.stock"),
        ("how many mixers r left", "lamp", "mixer.stock"),
        ("how many colours do you have", "lamp", "lamp.colour"),
        ("how many speeds does it have", "mixer", "mixer.speed"),
        ("38.5那个价是前多少单啊", "lamp", "lamp.offer"),
        ("38.5那个价还有吗", "lamp", "lamp.offer"),
        ("how many orders get the 38.50", "lamp", "lamp.offer"),
    ],
)
def test_what_is_counted_is_told_from_what_is_paid(question: str, focus: str, cited: str) -> None:
    assert _cited(question, focus) == {cited}


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("最高能调到多少", "lamp.arm_height"),
        ("台灯最低能降到多少", "lamp.arm_height"),
        ("how high can i raise the lamp", "lamp.arm_height"),
        ("最亮有多少", "lamp.brightness"),
        ("whats the most the shelf can hold", "shelf.max_load"),
        ("架子最多能放多重", "shelf.max_load"),
    ],
)
def test_the_highest_and_the_lowest_are_answered_by_a_figure(question: str, cited: str) -> None:
    assert _cited(question, "lamp") == {cited}


@pytest.mark.parametrize(
    ("question", "focus", "cited"),
    [
        ("which is heavier the can or the lamp", None, {"bin.weight", "lamp.weight"}),
        ("which is heavier this or the trash can", "lamp", {"bin.weight", "lamp.weight"}),
        ("这个跟垃圾桶哪个轻", "lamp", {"bin.weight", "lamp.weight"}),
        ("which is cheaper the can or the shelf", None, {"bin.price", "shelf.price"}),
    ],
)
def test_two_are_compared_by_what_is_asked(
    question: str, focus: str | None, cited: set[str]
) -> None:
    assert _cited(question, focus) == cited


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("这个带充电头吗", "lamp.power"),
        ("does it come with a wall adapter", "lamp.power"),
        ("does it come with a cable", "lamp.contents"),
        ("送数据线吗", "lamp.contents"),
    ],
)
def test_what_is_left_out_is_told_where_it_is_written(question: str, cited: str) -> None:
    assert _cited(question, "lamp") == {cited}


def test_which_is_wider_tells_how_wide_they_are() -> None:
    assert "shelf.width" in _cited("which is wider this or the lamp", "shelf")


@pytest.mark.parametrize(
    ("question", "focus", "cited"),
    [
        ("can lefties use the mixer", None, "mixer.handedness"),
        ("can a left handed person use it", "mixer", "mixer.handedness"),
        ("左撇子能用吗", "mixer", "mixer.handedness"),
        ("架子后面有洞吗", None, "shelf.drainage"),
        ("do i have to turn it on myself", "shelf", "shelf.switching"),
    ],
)
def test_hands_holes_and_what_goes_by_itself(question: str, focus: str | None, cited: str) -> None:
    assert _cited(question, focus) == {cited}


def test_what_is_done_about_what_arrives_broken_is_known_where_the_shop_says_it() -> None:
    question = "收到是坏的咋办"
    assert is_remedy(question, _DESK.answers(question, "zh", History(), None))
    assert not is_remedy("几天到", _DESK.answers("几天到", "zh", History(), None))
    silent = Shop("s", {"zh": "店"}, _SHOP.products, policies={"returns": {"zh": "30天内可退。"}})
    desk = ShopDesk(silent, lambda: 0.0)
    assert not is_remedy(question, desk.answers(question, "zh", History(), None))
