"""Sentences of made-up words: whoever listens to them learns sounds, and no words by heart.

A grammar's talk has a few hundred words; a network that hears mouths in it learns the words, and
misses closures in others. Made-up ones have every consonant beside every vowel, and p, b and m
often, with what sounds alike.
"""

import random
from typing import Final

from agents.clause import Language
from pipeline.corpus.grammar import Sentence

# What may begin a syllable, hold it and end it, as English is written; more often what comes twice.
_ONSETS: Final = (
    "b b b p p p m m m f v w n n l l d t g k h r s sh th ch j y "
    "bl br pl pr sp sm spl fl fr tr dr st sn sl kl kr gl sk sw tw"
)
_NUCLEI: Final = "a e i o u a e i o u ee oo ai oa ar er or ow oy ie"
_CODAS: Final = "n n m m p b t d l r s k g f v ng nk mp mb nt nd st ft lp lm lb rm rp rb ps ms bs"
_SMALL: Final = "the a an and of to in on up it is my by from them some"
# Characters by how they begin, with many rhymes each.
_CHARACTERS: Final = (
    "八百白班办半帮包报北本比边表别冰并波不步布被宝笔变",
    "怕拍排盘旁跑陪朋皮片票漂平瓶破铺普碰配拼",
    "马买卖满忙猫毛没美门们迷米面民名明磨末木妈慢每免",
    "发法反放飞分风封福父大带单当到得地点电定东都读短对多",
    "他太谈汤套特提天条听通头图团推拿那南脑内能你年鸟您牛农女暖",
    "拉来蓝老类冷里连两林零流龙楼路绿乱高哥给跟工狗古瓜关光贵国",
    "开看考科可客空口哭快宽哈海汉好喝和黑很红后湖花话欢黄会火",
    "家见讲叫街今京九举军七前强桥切亲青秋去全西先想小写新星修学选",
    "扎站张找这真正中周住抓转茶长超车吃春出床沙山上少社身生是书水说",
    "然让热人日如入早怎走租昨坐菜草层次从村三色四送岁所",
    "牙烟羊要也一音英用有雨元月云挖外完王为文问我五屋",
)
_LIPS: Final = 3  # of the rows above, those that begin with closed lips
_CLOSED: Final = 0.4  # share of characters taken from them


def nonsense(language: Language, rng: random.Random) -> Sentence:
    """Return a sentence of a language's sounds that means nothing; `rng` decides which."""
    text = _english(rng) if language == "en" else _mandarin(rng)
    return Sentence(text, "nonsense", "neutral")


def _english(rng: random.Random) -> str:
    words = [
        _one(_SMALL, rng) if rng.random() < 0.25 else _word(rng) for _ in range(rng.randint(5, 9))
    ]
    if rng.random() < 0.5:
        words[len(words) // 2] += ","
    return " ".join(words).capitalize() + rng.choice("...?!")


def _word(rng: random.Random) -> str:
    syllables = []
    for _ in range(rng.choice((1, 1, 2, 2, 3))):
        onset = _one(_ONSETS, rng) if rng.random() < 0.9 else ""
        coda = _one(_CODAS, rng) if rng.random() < 0.55 else ""
        syllables.append(onset + _one(_NUCLEI, rng) + coda)
    return "".join(syllables)


def _one(listed: str, rng: random.Random) -> str:
    return rng.choice(listed.split())


def _mandarin(rng: random.Random) -> str:
    words = ["".join(_character(rng) for _ in range(2)) for _ in range(rng.randint(4, 7))]
    words.insert(len(words) // 2, "，" if rng.random() < 0.5 else "")
    return "".join(words) + rng.choice("。。！？")


def _character(rng: random.Random) -> str:
    rows = _CHARACTERS[:_LIPS] if rng.random() < _CLOSED else _CHARACTERS[_LIPS:]
    return rng.choice(rng.choice(rows))
