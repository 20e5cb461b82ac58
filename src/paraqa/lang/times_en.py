"""How English speaks of the time of papers: years and their parts, and which come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.language import PERSON, SURNAME, VENUE, unnamed

if TYPE_CHECKING:
    from paraqa.types import Order

# What a question may call the papers it asks for.
WORK = r"(?:papers?|publications?|articles?|preprints?|works?|research|studies|study|entries)"
_JAN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
# What a number of four digits may count, and then is no year.
_COUNTED = (
    r"(?:(?:[gtncd]pu|core|node|device|chip|worker|machine|server|processor|accelerator|rank|host|"
    r"layer|expert|token|step|epoch|iteration|sample|image|parameter|param|dimension|dim|hour|day|"
    r"minute|second|job|request|user|client|word|character|bit|byte|feature|question|thread|"
    r"block|warp|problem|task|language|watt|graph|[ahv]\d00)s?|ms|[kmgt]i?b|[tpe]?flops?|times|"
    r"percent|classes|million|billion|trillion|thousand|[kmg]?hz|[km]w|qps|vertices|edges)\b"
)


_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NTH = r"(?:first|second|third|fourth|last|1st|2nd|3rd|4th)"


def _moment(n: int, *, apart: str = r"(?<![a-z0-9_.$€£/+-])") -> str:
    """A pattern for a year or a part of it, or for a decade; `apart` is what none stands behind."""
    front = (
        rf"(?P<ma{n}>{_JAN})(?:\.\s*|\s+)(?:(?P<da{n}>{_DAY})(?:st|nd|rd|th)?(?:,\s*|\s+))?"
        r",?\s*(?:of\s+)?"
        rf"|(?P<db{n}>{_DAY})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<mb{n}>{_JAN})\.?,?\s+(?:of\s+)?"
        rf"|q(?P<qa{n}>[1-4])[\s,'/-]*(?:(?:of|in)\s+)?|(?P<qb{n}>[1-4])q[\s-]*"
        rf"|(?P<qc{n}>{_NTH})\s+quarter,?\s+(?:(?:of|in)\s+)?(?:the\s+year\s+)?"
        rf"|h(?P<ha{n}>[12])[\s,'/-]*(?:(?:of|in)\s+)?|(?P<hb{n}>[12])h[\s-]*"
        rf"|(?P<hc{n}>{_NTH}|latter)\s+half,?\s+(?:(?:of|in)\s+)?(?:the\s+year\s+)?"
        rf"|(?P<mc{n}>1[0-2]|0?[1-9])/"
    )
    back = (
        rf"[-/](?P<md{n}>1[0-2]|0?[1-9])(?:[-/](?P<dd{n}>{_DAY}))?(?![-/]?\d)"
        rf"|[\s-]?q(?P<qd{n}>[1-4])|[\s-]?h(?P<hd{n}>[12])"
    )
    return (
        rf"(?:{apart}(?:{front})?"
        rf"(?:(?P<y{n}>(?:19|20)\d\d)(?:(?P<s{n}>s)|{back})?"
        # What is left of a day, of a span or of a number would be half read.
        r"(?![a-z0-9_%年月个张台块卡核层节万亿千百倍]|[.,]\d|-[a-z]|[-/]\d{1,2}(?!\d))"
        rf"(?!\s*-?\s*{_COUNTED})|(?P<r{n}>\b(?:this|last)\s+year(?!s))))"
    )


def _month(n: int) -> str:
    """A pattern for a month whose year is that of another moment."""
    return rf"(?:\b(?P<mz{n}>{_JAN})\b\.?(?:\s+(?P<dz{n}>{_DAY})(?:st|nd|rd|th)?\b)?(?!\s*\d))"


_INSIDE = r"(?<![a-z0-9_.])"  # of a list or a span, which hyphens and slashes may part
_ONE, _TWO = _moment(1), _moment(2, apart=_INSIDE)
_OUT = r"(?:published|dated|written|released|posted|submitted|uploaded|appeared|appearing|appear)"
# Words that a phrase of time takes along: `that were published in 2019`, but not `What was
# published in 2019?`
_SAID = (
    rf"(?:\b(?:that|which)\s+(?:(?:was|were|is|are|has|have|been|came|come)\s+)+(?:{_OUT}\s+)?"
    rf"|\b(?:that|which)\s+{_OUT}\s+"
    r"|(?<!was\s)(?<!were\s)(?<!been\s)(?<!is\s)(?<!are\s)(?<!what\s)(?<!has\s)(?<!have\s)"
    rf"\b{_OUT}\s+)?"
)
_LATER = (
    r"(?:on(?:wards?)?(?=\s*(?:[,.;:?!)]|$|\b(?:that|which|about|from|by|with|on|in|for|and)\b))|"
    r"onwards?|forward|(?:and|or)\s+(?:later|after(?!\s+[a-z]*\s*\d)|onwards?|newer|beyond|more\s+recent)|"
    r"to\s+(?:now|date|today|(?:the\s+)?present)|(?:until|till)\s+(?:now|today))"
)
_IN = r"(?:in|during|within|throughout|from|dated|published|over)"
_THE_YEAR = r"(?:the\s+)?(?:years?\s+|month\s+of\s+)?"
_COUNT = (
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|few|couple\s+of|several|"
    r"half\s+a)"
)
_UNIT = r"(?:years?|months?|decades?)\b"
# Atomic, since each space could be taken in two places.
_TO = (
    r"(?>\s*(?:-|\bto\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b|\bup\s+(?:to|until)\b)"
    r"(?:\s+and\s+including\b)?\s*)"
)
_AND = r"(?>\s*(?:,\s*(?:and\b|or\b)?|\band/or\b|\band\b|\bor\b|&|/)\s*)"
_OTHER = unnamed(_TWO)
ITEM = rf"(?:{_moment(1, apart=_INSIDE)}|{_month(1)})(?:{_TO}{_THE_YEAR}(?:{_TWO}|{_month(2)}))?"
# `2022, may I ask` is no list.
_MAY = r"may\b(?!\s*(?:[.?!,;)]|$|(?:on|about|that|which|from|by|with)\b))"
_LAST = rf"(?:{_OTHER}|(?!{_MAY}){unnamed(_month(2))})"
_SPAN = rf"(?:{_TO}{_THE_YEAR}{_LAST})?"
_EACH = rf"{_LAST}{_SPAN}"
# One time or several: `2019`, `2019, 2021 and 2023`, `March or May 2022`.
_MOST = 11  # times beside the first of a list: months
_MORE = rf"(?:{_AND}(?:(?:{_IN}|of|for)\s+)?{_THE_YEAR}{_EACH})"
_ONES = (
    rf"(?:{unnamed(_ONE)}{_SPAN}{_MORE}{{0,{_MOST}}}"
    rf"|{unnamed(_month(1))}(?:{_AND}{unnamed(_month(2))}){{0,{_MOST}}}(?:{_AND}|{_TO}){_OTHER}{_MORE}{{0,{_MOST}}})"
)
_THAT = rf"(?:(?:the\s+)?(?:end\s+of\s+)?{_OTHER}(?:\s+itself)?|that\s+(?:year|month|day)|it|both)"
# Whether a moment that bounds a span is in it: `before 2022 (inclusive)`.
_NOTE = (
    rf"(?:\s*,?\s*\(?\s*(?:(?P<with>(?:both\s+)?inclusive(?:ly)?(?:\s+of\s+{_THAT})?|"
    rf"(?:and\s+)?including\s+{_THAT}|{_THAT}\s+(?:is\s+)?(?:included|inclusive)|included)"
    rf"|(?P<without>exclusive(?:ly)?|(?:but\s+)?(?:not\s+including|excluding)\s+{_THAT}|"
    rf"{_THAT}\s+(?:is\s+)?excluded|not\s+inclusive))\b\s*\)?)?"
)
_BOTH = r"\s+(?:(?:and|or)\s+(?:including|during|in)\s+)"
_START = r"(?:(?:the\s+)?(?:start|beginning)\s+of\s+)?"
_END = r"(?:(?:the\s+)?end\s+of\s+)?"
PERIODS = (
    (
        "between",
        rf"{_SAID}\bbetween\s+{_START}{_THE_YEAR}(?:{_ONE}|{_month(1)})"
        rf"(?:\s*(?:and|&|or|,)\s*|{_TO}){_END}{_THE_YEAR}(?:{_TWO}|{_month(2)}){_NOTE}",
    ),
    (
        "between",
        rf"{_SAID}\b{_IN}\s+{_START}{_THE_YEAR}(?:{_ONE}|{_month(1)}){_TO}{_END}{_THE_YEAR}"
        rf"(?:{_TWO}|{_month(2)}){_NOTE}",
    ),
    ("between", rf"{_SAID}{_ONE}{_TO}{_TWO}{_NOTE}"),
    ("between", rf"{_SAID}{_month(1)}{_TO}{_TWO}{_NOTE}"),
    (
        "since",
        rf"{_SAID}\b(?:since|(?:starting|beginning)\s+(?:in|from|with)|starting|as\s+of|"
        rf"not\s+(?:before|earlier\s+than|older\s+than)|no\s+(?:earlier|older)\s+than)\s+"
        rf"{_START}{_THE_YEAR}{_ONE}(?:\s+{_LATER})?{_NOTE}",
    ),
    ("since", rf"{_SAID}\b(?:in|on|from)\s+(?:or|and)\s+(?:after|since)\s+{_ONE}"),
    ("since", rf"{_SAID}\b(?:after|from){_BOTH}{_THE_YEAR}{_ONE}(?:\s+{_LATER})?"),
    ("until", rf"{_SAID}\b(?:in|on)\s+(?:or|and)\s+before\s+{_ONE}"),
    ("until", rf"{_SAID}\b(?:before|prior\s+to){_BOTH}{_THE_YEAR}{_ONE}"),
    (
        "since",
        rf"{_SAID}(?:\b(?:from|in|dated)\s+)?{_START}{_THE_YEAR}{_ONE}(?:\s*,?\s+{_LATER}|\+){_NOTE}",
    ),
    (
        "until",
        rf"{_SAID}\b(?:until|till|up\s+to|up\s+until|through|"
        r"by|no\s+later\s+than|not\s+(?:after|later\s+than))(?:\s+and\s+including)?\s+"
        rf"{_END}{_THE_YEAR}{_ONE}{_NOTE}",
    ),
    (
        "until",
        rf"{_SAID}(?:\b(?:in|dated|from)\s+)?{_ONE}\s+(?:and|or)\s+(?:earlier|before|older)(?!\s+[a-z]*\s*\d)",
    ),
    (
        "after",
        rf"{_SAID}(?:\b(?:after|later\s+than|newer\s+than|more\s+recent\s+than)\s+"
        rf"{_THE_YEAR}{_ONE}){_NOTE}",
    ),
    (
        "before",
        rf"{_SAID}(?:\b(?:before|prior\s+to|earlier\s+than|older\s+than)\s+{_THE_YEAR}{_ONE}){_NOTE}",
    ),
    ("until", rf"{_SAID}\bbefore\s+(?:the\s+)?end\s+of\s+{_THE_YEAR}{_ONE}"),
    ("after", r"\bpost-(?P<y1>(?:19|20)\d\d)(?!\w)"),
    ("before", r"\bpre-(?P<y1>(?:19|20)\d\d)(?!\w)"),
    ("in", rf"{_SAID}\b{_IN}\s+{_THE_YEAR}{_ONES}"),
    ("in", rf"\b{WORK}\s+(?P<cut>(?:of|for)\s+{_THE_YEAR}{_ONES})"),
    ("in", rf"\b(?:papers|publications|articles|preprints)\s+(?P<cut>{_ONES})"),
    ("in", rf"[{PERSON}{SURNAME}](?:\s+et\s+al\.?)?,?\s*(?P<cut>\(?{_ONES}\)?)(?!\s+to\b)"),
    ("adjective", rf"(?P<cut>{_ONES}(?:'s)?)\s+(?=(?:[\w.-]+\s+){{0,3}}?{WORK}\b)"),
    ("in", rf"(?P<cut>{unnamed(_ONE)}(?<=year)(?:'s)?)"),
    (
        "past",
        rf"{_SAID}(?:\b(?:in|over|during|within|from|of|for)\s+)?\b(?:(?:the|these|our)\s+"
        rf"(?:last|past|previous)\s+(?:(?P<n>{_COUNT})\s+)?|(?:last|past|previous)\s+"
        rf"(?P<k>{_COUNT})\s+)(?P<u>{_UNIT})",
    ),
    ("recent", rf"{_SAID}\b(?:in|of|from|over|during|within)\s+(?:the\s+|more\s+)*recent\s+years"),
)
_VAGUE = (
    r"(?:\b(?:very\s+)?(?:early|mid|middle|late|later)\b|\b(?:the\s+)?(?:very\s+)?(?:beginning|start|middle|end|close|turn|"
    r"(?:early|late|later|first|last|latter)\s+(?:few\s+|two\s+|three\s+)?(?:parts?|months|weeks|days|quarters))\s+of\b|"
    r"\b(?:the\s+)?(?:spring|summer|autumn|fall|winter)\b|"
    r"\b(?:around|about|circa|approximately|roughly|nearly|close\s+to)\b)"
    rf"[\s-]+(?:(?:in|of|the|years?)\s+)*{_OTHER}"
)
_SHARP = (
    r"\b(?:by|until|till|before|through|to|up\s+to(?:\s+and\s+including)?|no\s+later\s+than)\s+(?:the\s+)?end\s+of\b"
    r"|\b(?:since|from|between|starting\s+(?:in|from|with|at))\s+(?:the\s+)?(?:start|beginning)\s+of\b"
)
# A conference with its years: `ICLR 2022`, `2023's NeurIPS`, `ICML 2021 and 2022`.
_EVENT = r"(?:\s+(?:conference|workshops?|proceedings|tracks?))*"
_VENUE = (
    rf"(?:[{VENUE}]+{_EVENT}(?:\s+(?:in|of))?[\s,('’-]*(?:the\s+)?{_OTHER}\)?(?:{_AND}{_OTHER})*"
    rf"|(?<![\w-]){_OTHER}(?:'s)?\s+[{VENUE}]+)"
)
UNSHARP = (
    rf"(?P<sharp>{_SHARP})|(?P<vague>(?:{_OTHER}(?:{_AND}|(?!{_TO}(?:the\s+)?end\s+of\b){_TO}))?"
    rf"(?:{_VAGUE}|{_VENUE})(?:(?:{_TO}|{_AND})(?:{_VAGUE}|{_VENUE}|{_OTHER}))*)"
)
_SUPERLATIVE = {
    "newest": r"(?:newest|latest|most\s+up-to-date|most\s+recent(?:ly)?"
    r"(?:\s+(?:published|released|posted|dated|submitted|written))?)",
    "oldest": r"(?:oldest|earliest|least\s+recent(?:ly\s+published)?)",
}
_NOUN = (
    r"(?:papers?|publications?|articles?|preprints?|works?|research|studies|study|entry|entries|ones?|"
    r"contributions?)\b"
)
_NO_NOUN = (
    r"(?:in|on|of|for|from|by|with|about|at|to|that|which|who|is|are|was|were|do|does|and|or|"
    r"than)\b"
)


def _orders(order: Order) -> tuple[tuple[Order, str], ...]:
    most = _SUPERLATIVE[order]
    there, back = ("old", "new") if order == "oldest" else ("new", "old")
    turned = r"(?:reverse(?:d)?[\s-]+|inverse\s+)"
    chronological = rf"(?:{turned if order == 'newest' else ''}chronological)"
    patterns = (
        rf"\b(?P<cut>(?:very\s+)?{most}\s+(?:of\s+(?:all\s+)?(?:the\s+|these\s+|your\s+)?)?)"
        rf"(?=(?:(?!{_NO_NOUN})(?:[^\W\d_]|\d)[\w.'-]*\s+){{0,5}}?{_NOUN})",
        rf"(?P<cut>\b(?:is|are|was|were|came?|comes)\s+(?:the\s+)?(?:very\s+)?{most}\b)(?=\W*$)",
        rf"(?P<cut>[,;:]?\s*[(]?(?:\bwith\s+)?(?:\bthe\s+)?\b{most}\s+(?:(?:papers?|ones?)\s+)?"
        r"(?:first|at\s+the\s+top|on\s+top)\b[)]?)",
        rf"(?P<cut>[,;:]?\s*[(]?(?:\b(?:sort(?:ed)?|order(?:ed)?|list(?:ed)?|arranged)\s+)?\b"
        rf"(?:from\s+)?(?:the\s+)?{there}(?:est|er)?\s+to\s+(?:the\s+)?{back}(?:est|er)?\b[)]?)",
        rf"(?P<cut>[,;:]?\s*[(]?(?:\b(?:sort(?:ed)?|order(?:ed)?|list(?:ed)?|arranged)\s+)?"
        rf"(?:\bin\s+(?:a\s+)?{chronological}\s+order|\b{chronological}ly)\b[)]?)",
    )
    return tuple((order, pattern) for pattern in patterns)


ORDERS = (
    *_orders("newest"),
    *_orders("oldest"),
    (
        "oldest",
        r"(?P<cut>[,;:]?\s*[(]?\b(?:sort(?:ed)?|order(?:ed)?|ranked)\s+by\s+(?:publication\s+)?"
        r"(?:date|year|time)\s*,?\s*\(?(?:asc(?:ending)?|oldest\s+first)\)?)",
    ),
    (
        "newest",
        r"(?P<cut>[,;:]?\s*[(]?\b(?:sort(?:ed)?|order(?:ed)?|ranked)\s+by\s+(?:publication\s+)?"
        r"(?:date|year|time|recency)\b(?:\s*,?\s*\(?(?:desc(?:ending)?|newest\s+first|latest\s+first)\b)?[)]?)",
    ),
)
