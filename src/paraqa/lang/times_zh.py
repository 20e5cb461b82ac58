"""How Chinese speaks of the time of papers: years and their parts, and which come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.language import VENUE, unnamed

if TYPE_CHECKING:
    from paraqa.types import Order

_NUMBER = "1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_AND = r"(?>\s*(?:、|,|/|或者|以及|[及或和与])\s*)"  # atomic: no space is taken in two places
_TO = r"(?>\s*(?:到|至|-|~|—+)\s*)"


def _month(n: int, letter: str = "z") -> str:
    """A pattern for a month, of the year of another moment where it stands alone."""
    # 2022年3、4月; 2022年3-5月
    return (
        rf"(?:(?P<m{letter}{n}>{_NUMBER})\s*(?:月份?|(?=(?:{_AND}|{_TO})(?:{_NUMBER})\s*月))"
        rf"(?:\s*(?P<d{letter}{n}>{_DAY})\s*[日号])?)"
    )


def _moment(n: int, *, year: str, apart: str = "(?<![a-z0-9_.-])") -> str:
    """A pattern for a year or a part of it, or for a decade; `year` is its sign."""
    part = (
        rf"\s*的?\s*(?:{_month(n, 'a')}|第?\s*(?P<qa{n}>[1-4一二三四])\s*个?季度?|q(?P<qb{n}>[1-4])"
        rf"(?![a-z0-9])|(?P<ha{n}>[上下前后])半年?)"
    )
    return (
        rf"(?:(?:(?P<ya{n}>{apart}(?:19|20)\d\d|[〇零一二三四五六七八九]{{4}})\s*年"
        rf"|(?P<r{n}>今年|本年度?|去年|前年))(?:(?P<s{n}>代)|{part})?(?![\d%])"
        rf"|(?P<yb{n}>{apart}(?:19|20)\d\d)(?:[-/.](?P<mb{n}>1[0-2]|0?[1-9])"
        rf"(?:[-/.](?P<db{n}>{_DAY}))?\s*月?|[\s-]*(?:q(?P<qc{n}>[1-4])(?![a-z0-9])"
        rf"|h(?P<hb{n}>[12])(?![a-z0-9])|第\s*(?P<qd{n}>[1-4一二三四])\s*个?季度?"
        rf"|(?P<hc{n}>[上下前后])半年))(?![\d%.]|[-/]\d)"
        rf"|(?P<yc{n}>{apart}(?:19|20)\d\d)\s*{year}(?![\d%]|[-/.]\d{{1,2}}(?!\d)))"
    )


_INSIDE = "(?<![a-z0-9_.])"
_ONE = _moment(1, year="年")
_TWO = _moment(2, year="年", apart=_INSIDE)
_BARE, _BARE_TWO = _moment(1, year="年?"), _moment(2, year="年?", apart=_INSIDE)
_OTHER, _ANY = unnamed(_TWO), unnamed(_BARE_TWO)
ITEM = (
    rf"(?:{_moment(1, year='年?', apart=_INSIDE)}|{_month(1)})(?:{_TO}(?:{_BARE_TWO}|{_month(2)}))?"
)
_END_OF = rf"(?:{_OTHER}|{unnamed(_month(2))})"
_SPAN = rf"(?:{_TO}{_END_OF})?"
_LAST = rf"(?:{_ANY}{_TO}{_END_OF}|{_END_OF})"
# One time or several, the last with its sign: 2019、2021和2023年, 2022年3月或5月.
_ONES = (
    rf"(?:{unnamed(_ONE)}{_SPAN}(?:{_AND}{_LAST}{_SPAN}){{0,11}}"
    rf"|{unnamed(_BARE)}(?:{_TO}{_ANY})?(?:{_AND}{_ANY}(?:{_TO}{_ANY})?){{0,10}}{_AND}{_LAST}{_SPAN})"
)
_AT = "(?:是)?(?:在|于)?"
_SAID = (
    r"(?:\s*(?:所|首次|正式|间|期间|新)*(?:发表|发布|出版|公开|提交|上传|问世|完成|出现)(?:出来)?的|"
    r"\s*的)?"
)
# `2019年数据集`: not the year itself.
_WHOLE = r"(?!\s*的?(?:数据|竞赛|比赛|挑战|版|标准|问题|会议|大会))"
_MORE_OR_LESS = "(?:[及或和与]|以及)"
_THAT = rf"(?:{_ANY}|当年|该年|本年|当月|当日|本数)"
# Whether a moment that bounds a span is in it: 2022年之前(含2022年).
_NOTE = (
    rf"(?:\s*[,(]*\s*(?:(?P<with>(?:并|也|且)?(?:包括|包含|含)了?{_THAT}?(?:本身|在内|当年)?)"
    rf"|(?P<without>不(?:包括|包含|含){_THAT}?(?:本身|在内|当年)?))\s*\)?)?"
)
_HELD = rf"(?:\s*\(?\s*(?P<held>(?:包括|包含|含){_THAT}?(?:本身|在内)?)\s*\)?\s*)"
_START, _END = "(?:年?初)?", "(?:年?[底末])?"
PERIODS = (
    ("between", rf"(?:{_AT}|从|自|介于){_BARE}{_START}{_TO}(?:{_TWO}|{_month(2)}){_WHOLE}{_END}"
     rf"(?:之间|期间|年间|间|之中|以内|内)?{_NOTE}{_SAID}"),
    ("between", rf"(?:{_AT}|从|自|介于){_BARE}\s*(?:到|至|-|~|和|与)\s*{_BARE_TWO}"
     rf"(?:之间|期间|年间){_NOTE}{_SAID}"),
    ("since", rf"{_AT}(?:自从|自|从|打)?{_BARE}{_START}(?:以来|至今|到现在|到目前|迄今|起|开始|"
     rf"往后|{_MORE_OR_LESS}(?:之|以|其)?后|{_MORE_OR_LESS}(?:更|较|其)?[晚新]){_NOTE}{_SAID}"),
    ("since", rf"(?:是)?(?:自从|自|从){_BARE}"
     rf"(?!\s*(?:年)?(?:到|至|-|的|之|以|发|[初底末中])){_SAID}"),
    ("since", rf"{_AT}{_BARE}{_HELD}(?:之后|以后|以来|后){_SAID}"),
    ("after", rf"(?:{_AT}|自从|自|从){_BARE}(?:之后|以后|"
     rf"后(?!训练|端|向|续|面|处|验|半|几|期)){_NOTE}{_SAID}"),
    ("since", rf"不早于{_BARE}{_NOTE}{_SAID}"),
    ("after", rf"(?:晚于|新于){_BARE}{_NOTE}{_SAID}"),
    ("until", rf"{_AT}{_BARE}{_HELD}(?:之前|以前|前){_SAID}"),
    ("before", rf"{_AT}{_BARE}(?:之前|以前|前(?!向|沿|端|馈|缀|后|半|几)){_NOTE}{_SAID}"),
    ("before", rf"(?:早于){_BARE}{_NOTE}{_SAID}"),
    ("until", rf"(?:截至|截止到?|直到|不晚于){_BARE}{_END}(?:为止|止)?{_NOTE}{_SAID}"),
    ("until", rf"(?:到|至){_ONE}{_END}(?:为止|止)?{_NOTE}{_SAID}"),
    ("until", rf"{_AT}{_BARE}(?:年?[底末](?:之|以)?前|{_MORE_OR_LESS}(?:之|以|其)?前|"
     rf"{_MORE_OR_LESS}(?:更|较|其)?早){_NOTE}{_SAID}"),
    ("in", rf"(?:{_AT}|从){_ONES}{_WHOLE}(?:度|份)?"
     rf"(?:之?内|期间|间|里|中|当年|全年)?{_NOTE}{_SAID}"),
    ("in", rf"{unnamed(_BARE)}(?:{_AND}{_ANY}){{0,11}}\s*(?:的\s*"
     r"(?=.{0,12}?(?:论文|文章|文献|工作|研究))|(?=论文|文章|文献))"),
    ("past", rf"{_AT}(?:最近|近来|近|过去|这(?!一))的?\s*"
     rf"(?P<n>\d{{1,2}}|[一二两三四五六七八九十几数半])\s*"
     rf"(?P<u>年|个?月)(?:以来|来|以内|之?内|间|里|中)?{_SAID}"),
    ("recent", rf"{_AT}近些?年来?{_SAID}"),
)  # fmt: skip
_VAGUE = (
    r"(?:\s*年?(?:初(?!步|始|次|级|创|衷)|底(?!层|部|座)|末(?!端|尾)|中(?!国|文|科|山|央|南|关村|心|间|型)|早期|晚期|前期|后期|前后(?!端)|左右|上下|"
    r"附近|[前头后](?:几|[一二两三四五六七八九十]|\d+)个?月|[上中下]旬|[春夏秋冬](?:[季天]|(?=的|发|出|以|之|到|至|\s|$))))"
)
_LEFT = rf"(?:{_TO}|{_AND})(?:{_ANY}|{unnamed(_month(1))})(?:{_VAGUE}|{_END})"
UNSHARP = (
    rf"(?P<sharp>(?:截至|截止到?|直到|不晚于|到|至){_ANY}\s*年?[底末]"
    rf"|{_ANY}{_START}{_TO}{_ANY}(?:年?[底末]|(?!{_VAGUE}))"
    rf"|{_ANY}\s*年?(?:[底末](?:(?:之|以)?前|为?止)|初(?:以来|起|至今|开始|到现在)))"
    rf"|(?P<vague>(?:{_ANY}(?:{_AND}|{_TO}))?(?:{_ANY}{_VAGUE}"
    rf"|{_ANY}(?:的|度|届)?\s*[{VENUE}]+|[{VENUE}]+(?:会议|大会)?[\s,('’-]*{_ANY}\)?(?:会议|大会)?"
    rf"(?:{_AND}{_ANY}){{0,11}})(?:{_LEFT}){{0,11}})"
)
_DATED = "(?:发表|发布|出版|公开|提交|收录|提出|问世|出现)"
_PAPER = (
    "(?:论文|文章|文献|预印本|工作(?!站|负载|流|量|原理|机制)|研究(?!院|所|生院|中心)|成果|"
    "[那一]篇)"
)
_REST = "[^,，。?？!！;；]{0,24}?"
# 使用最新GPU的论文
_NOT_OF = (
    "(?<!使用)(?<!采用)(?<!利用)(?<!运用)(?<!应用)(?<!支持)(?<!针对)(?<!面向)(?<!关于)(?<!基于)(?<!讨论)"
    "(?<!涉及)(?<!用)(?<!在)(?<!用了)(?<!用的)(?<!比)"
)
_NEWEST, _OLDEST = "最(?:新|晚)", "最(?:早|老|旧|先)"
_BY_TIME = "(?:按照?|依照?|以|根据)?(?:发表|发布|出版)?(?:时间|日期|年份)(?:的?先后)?"
_LINED_UP = "(?:顺序|次序|的顺序)?(?:排序|排列|排|列出|显示)?"
_DOWN = "(?:(?:从|由)?(?:新|近|晚)(?:到|至)(?:旧|老|远|早)|倒序|降序|逆序|倒排)"
_UP = "(?:(?:从|由)?(?:旧|老|远|早)(?:到|至)(?:新|近|晚)|正序|升序|顺序)"


def _orders(order: Order, most: str, way: str) -> tuple[tuple[Order, str], ...]:
    patterns = (
        rf"(?P<cut>{most}{_DATED}?的?)(?=(?:几|[一二两三四五]\d)?[篇批]?{_PAPER})",
        rf"{_NOT_OF}(?P<cut>{most}{_DATED}?的?)(?={_REST}{_PAPER})",
        rf"(?P<cut>(?:是|{_DATED}(?:得|时间|日期)?(?:是)?)?{most}{_DATED}?的?)(?=[^\w]*$)",
        rf"(?P<cut>[,，;；]?\s*[(]?(?:{_BY_TIME})?{way}{_LINED_UP}的?[)]?)"
        rf"(?<=[序排列示])(?!号)",
        rf"(?P<cut>[,，;；]?\s*[(]?(?:{_BY_TIME}){way}{_LINED_UP}的?[)]?)",
        rf"(?P<cut>[,，;；]?\s*[(]?(?:把|将)?{most}的?(?:{_PAPER})?(?:排|放)?在(?:最)?前面?[)]?)",
    )
    return tuple((order, pattern) for pattern in patterns)


ORDERS = (
    *_orders("newest", _NEWEST, _DOWN),
    *_orders("oldest", _OLDEST, _UP),
    ("newest", rf"(?P<cut>[,，;；]?\s*[(]?{_BY_TIME}(?:排序|排列)的?[)]?)"),
)
