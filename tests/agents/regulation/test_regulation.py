# ruff: noqa: E501
"""What may be said and what may not, evasions and lawful uses of the same words included."""

import pytest

from agents.clause import Language
from agents.regulation.regulation import Regulation
from agents.regulation.rules import rules

REGULATION = Regulation()

FORBIDDEN: dict[str, list[str]] = {
    "superlative": [
        "这是最好的保温杯。", "全网最低价，只要39元！", "我们的面料最舒服。", "这款是最受欢迎的。",
        "最高级的享受。", "世界上最轻的耳机。", "最先进的技术。", "最优质的棉花。",
        "This is the best bag in the world.", "It's simply the best.", "We're number one in tea.",
        "Our #1 lamp.", "World-class quality.", "The cheapest price online.",
        "An unbeatable mug.", "The softest towel ever made.", "Best quality cotton.",
        "They are the finest cups you can buy anywhere.", "It is second to none.",
    ],
    "absolute": [
        "国家级的品质。", "顶级的羊绒。", "极致的手感。", "全球唯一的设计。", "独一无二的花纹。",
        "销量第一的牙刷。", "全国第一品牌。", "这款史无前例。", "行业领先的工艺。", "驰名商标，放心买。",
        "我们家排名第一！", "万能清洁剂。", "绝无仅有的机会。", "The ultimate thermos.",
    ],
    "authority": [
        "国务院特供的茶。", "医生推荐的枕头。", "专家一致推荐。", "Doctor recommended pillow.",
        "Clinically proven to work.", "It's FDA approved.", "Dermatologists love and recommend it; dermatologists recommend it.",
    ],
    "health": [
        "这款茶可以治疗失眠。", "能降血压。", "增强免疫力。", "喝了就能减肥。", "无任何副作用。",
        "祛斑效果好。", "缓解颈椎疼痛。", "帮你排毒养颜。", "This cream cures acne.", "It heals your skin.",
        "The tea boosts your immune system.", "It helps you lose weight.", "Relieves back pain at once.",
        "No side effects at all.", "A detox for your body.", "It prevents colds.", "Kills all viruses.",
    ],
    "guarantee": [
        "保证有效。", "三天见效。", "永不褪色。", "绝对安全。", "无效退款。", "100%有效。", "一定能瘦。",
        "Guaranteed results in a week.", "It's 100% safe.", "It never breaks.", "It lasts forever.",
        "Risk-free for you.", "Success is guaranteed.", "Instant results!",
    ],
    "profit": [
        "买了稳赚不赔。", "有升值空间。", "买就必中大奖。", "Double your money.", "It will go up in value.",
        "A jackpot for you.",
    ],
    "pressure": [
        "错过今天再等一年！", "明天就涨价了。", "跳楼价大甩卖。", "亏本给大家。", "再不抢就没了！",
        "It's now or never.", "This is your last chance.", "The price goes up tomorrow.",
        "Selling out fast, act now.", "A once in a lifetime offer.",
    ],
    "rivals": [
        "比淘宝便宜多了。", "吊打国际大牌。", "别家都是假货。", "比戴森好用。", "It's cheaper than Amazon.",
        "Better than Nike.", "Other brands are rubbish.", "It beats Dyson.",
    ],
    "profanity": ["你这个傻逼。", "What the fuck.", "他妈的真好。"],
}  # fmt: skip

EVASIONS = [
    "最 好的杯子", "最-好的杯子", "最·好", "最.好 的", "最🌟好", "顶 级 品 质", "頂級品質", "銷量第一！",
    "全网第１！", "极-致", "zui hao de beizi", "zuihao", "di yi pin pai", "ding ji", "Ｎｏ．１ tea",
    "b e s t in the world", "B.E.S.T in the world", "the bеst in the wоrld", "the b3st in the world",
    "It cur3s acne", "g u a r a n t e e d results", "國家級", "唯 一 的", "ＢＥＳＴ in the world",
    "这款治 疗失眠", "减~肥", "the b\u200best in the world", "no.1 quality, top 1",
]  # fmt: skip

LAWFUL = [
    "最近发货很快。", "这是最后三件。", "第一步先清洗。", "第一次使用前请冲洗。", "最大号是XL。", "最多能装500毫升。",
    "最好先用清水冲一下。", "最低起订两件。", "最快明天发货。", "第一，打开盖子；第二，倒水。", "第一款是托特包。",
    "最长可用12小时。", "店里最便宜的是马克杯，19元。", "店里价格最低的是乌龙茶。", "其中最贵的是音箱。",
    "最高承重20公斤。", "最后一步，晾干。", "第一位下单的朋友你好。", "百分之百纯棉。", "100%棉，可机洗。",
    "这款不能治疗疾病。", "本品不能代替药物。", "请先问医生。", "唯一编号在杯底。", "最小号是36码。", "最初的设计是白色。",
    "我最喜欢蓝色。", "保修一年。", "保证书在盒子里。", "现在还有12件。", "优惠到今晚八点结束。", "有现货，今天发。",
    "它不防水，可以挡一阵小雨。", "面料是百分之百羊毛。", "最亮的一档是400流明。", "第一季已经卖完了。", "大号最大直径30厘米。",
    "这款有三种颜色。", "满99元包邮。", "绝对值不讨论。", "最适用温度20度。", "这个我不能保证，先问一下客服。",
    "The best before date is on the box.", "We do our best to answer.", "Best wishes to you!",
    "It's 100% cotton.", "It comes with a one year warranty.", "Number one on the list is the tote.",
    "The lowest price here is $22, for the tea.", "It does not cure or treat anything.",
    "Please ask your doctor first.", "The ham is cured for six months.", "The first step is to rinse it.",
    "There are 12 left.", "The offer runs until 8 PM.", "It's best to wash it by hand.",
    "The best way to clean it is with a soft cloth.", "It keeps tea hot for 12 hours.",
    "You can return it within 14 days.", "A manicure set with five tools.", "This lamp has three modes.",
    "The Dawn Thermos costs less: $26, and the tote $39.", "It is not waterproof.", "Only $39 today.",
    "The guarantee is two years.", "It treats leather well when you wipe it.", "Best friends share one.",
    "The most it holds is 750 ml.", "Secure the lid first.", "The largest size is XL.",
    "We can't guarantee delivery by Friday.", "It fits laptops up to 14 inches.", "Do you want the cheapest one here?",
    "Never machine wash it.", "It's the last one in stock.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "text"), [(rule, text) for rule, texts in FORBIDDEN.items() for text in texts]
)
def test_what_is_forbidden_is_found(rule: str, text: str) -> None:
    language: Language = "zh" if text[0] > "\u3400" else "en"
    assert rule in {problem.rule for problem in REGULATION.check(text, language)}


@pytest.mark.parametrize("text", EVASIONS)
def test_evasions_are_found(text: str) -> None:
    assert REGULATION.check(text, "en")


@pytest.mark.parametrize("text", LAWFUL)
def test_lawful_uses_are_let_through(text: str) -> None:
    assert REGULATION.check(text, "zh") == []
    assert REGULATION.mend(text, "zh") == text


@pytest.mark.parametrize(
    "text", [text for texts in FORBIDDEN.values() for text in texts] + EVASIONS
)
def test_what_is_mended_may_be_said(text: str) -> None:
    mended = REGULATION.mend(text, "en")
    assert mended is None or REGULATION.check(mended, "en") == []


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("这是顶级的羊绒围巾，只要199元。", "这是优质的羊绒围巾，只要199元。"),
        ("It keeps tea hot. It cures colds. It costs $26.", "It keeps tea hot. It costs $26."),
        ("It's the best mug you can buy. It holds 400 ml.", None),
        ("销量第一！", None),
    ],
)
def test_what_is_true_stays(text: str, mended: str | None) -> None:
    result = REGULATION.mend(text, "en")
    if mended is None:
        assert result is None or REGULATION.check(result, "en") == []
    else:
        assert result == mended


def test_the_merchants_own_words_are_not_said() -> None:
    regulation = Regulation(("Acme", "便宜货", "art"))
    assert regulation.check("Not like acme.", "en")[0].rule == "own"
    assert regulation.check("这不是便 宜 货。", "zh")[0].rule == "own"
    assert regulation.check("A smart cartoon.", "en") == []


def test_a_problem_names_the_word_as_it_stands_and_the_law() -> None:
    (problem,) = REGULATION.check("这是頂 級的茶。", "zh")
    assert problem.word == "頂 級"
    assert "article 9" in problem.source
    assert problem.message == "广告不得使用的绝对化用语"


def test_every_rule_has_its_source_and_its_message() -> None:
    for rule in rules():
        assert rule.source
        assert rule.message["en"]
        assert rule.message["zh"]
