"""How English asks for papers by time, origin, author and category."""

from __future__ import annotations

from paraqa.lang.language import (
    ARCHIVES,
    AUTHORS,
    CODES,
    DONE,
    ORIGINS,
    PERSON,
    SURNAME,
    Asking,
)

# What a question may call the papers it asks for, and those who write them.
_WORK = r"(?:papers?|publications?|articles?|preprints?|works?|research|studies|study|entries)"
_PEOPLE = r"(?:researchers?|authors?|people|teams?|groups?|scientists?|engineers?|folks|labs?)"
_HEAD = (
    rf"(?:{_WORK}|{_PEOPLE}|systems?|frameworks?|methods?|approach(?:es)?|techniques?|projects?|who|someone|anyone|anybody|anything|something|nothing|"
    r"everything|ones?|efforts?|what\s+is\s+new|what's\s+new|what\s+(?:has\s+)?c[ao]mes?)"
)
_MADE = (
    r"(?:co-?authored|published|written|authored|released|done|developed|made|produced|proposed|"
    r"presented|built|created|conducted|introduced|coming|put\s+out)"
)
# Of a company: what a question names of it that is no paper.
_PRODUCT = (
    r"(?:[a-z-]*\d[\w-]*|[gtncd]pus?|gpus?|hardware|chips?|cards?|accelerators?|clusters?|clouds?|"
    r"servers?|nodes?|platforms?|devices?|processors?|machines?|instances?|ec2|s3|azure|cuda|"
    r"nvlink|nccl|data|datasets?|traces?|logs?|workloads?|models?|librar(?:y|ies)|products?|"
    r"superchips?|supercomputers?|software|drivers?|search|maps|toolkits?)\b"
)
# What may come from a company and yet be no paper, or be done by it to a paper's subject.
_SOURCE = (
    r"(?:data|datasets?|traces?|logs?|workloads?|models?|[gtncd]pus?|hardware|chips?|"
    r"accelerators?|clusters?|cards?|traffic|requests|benefits?|gains?|gained|learn|learned|"
    r"derived|collected|taken|obtained|borrow|borrowed|different|distinct|far|away|move|moving|"
    r"migrate|migrating|inspired|used|offered|supported|provided|sold|manufactured|funded|"
    r"deployed|weights|checkpoints|apart|aside|samples|images|numbers|results|support)"
)
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


def _moment(n: int) -> str:
    """A pattern for a year, perhaps with month and day, or for a decade."""
    parted = r"(?<![a-z0-9_.$€£/+-])" if n == 1 else r"(?<![a-z0-9_.])"
    return (
        rf"(?:{parted}"
        rf"(?:(?P<m{n}>{_JAN})\.?(?:\s+(?P<e{n}>[0-3]?\d)(?:st|nd|rd|th)?)?,?\s+(?:of\s+)?)?"
        rf"(?P<y{n}>(?:19|20)\d\d)(?P<s{n}>s)?"
        rf"(?:-(?P<q{n}>0[1-9]|1[0-2])(?:-(?P<d{n}>[0-3]\d))?)?"
        r"(?![a-z0-9_%年月个张台块卡核层节万亿千百倍]|[.,]\d|-[a-z])"
        rf"(?!\s*-?\s*{_COUNTED})|(?P<r{n}>\b(?:this|last)\s+year(?!s)))"
    )


_ONE, _TWO = _moment(1), _moment(2)
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
    r"onwards?|forward|(?:and|or)\s+(?:later|after|onwards?|newer|beyond|more\s+recent)|"
    r"to\s+(?:now|date|today|(?:the\s+)?present)|(?:until|till)\s+(?:now|today))"
)
_IN = r"(?:in|during|within|throughout|from|dated|published|over)"
_THE_YEAR = r"(?:the\s+)?(?:years?\s+|month\s+of\s+)?"
_COUNT = (
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|few|couple\s+of|several|"
    r"half\s+a)"
)
_UNIT = r"(?:years?|months?|decades?)\b"
_PERIODS = (
    (
        "between",
        rf"{_SAID}\b(?:between|{_IN})\s+{_THE_YEAR}{_ONE}\s*"
        rf"(?:-|to|and|until|till|through|up\s+to|or|,|&)\s*{_THE_YEAR}{_TWO}",
    ),
    ("between", rf"{_SAID}{_ONE}\s*(?:-|\bto\b|\bthrough\b|\buntil\b)\s*{_TWO}"),
    (
        "since",
        rf"{_SAID}\b(?:since|(?:starting|beginning)\s+(?:in|from|with)|starting|as\s+of|"
        rf"not\s+(?:before|earlier\s+than|older\s+than)|no\s+(?:earlier|older)\s+than)\s+"
        rf"{_THE_YEAR}{_ONE}(?:\s+{_LATER})?",
    ),
    ("since", rf"{_SAID}\b(?:in|on|from)\s+or\s+(?:after|since)\s+{_ONE}"),
    ("until", rf"{_SAID}\b(?:in|on)\s+or\s+before\s+{_ONE}"),
    ("since", rf"{_SAID}(?:\b(?:from|in|dated)\s+)?{_THE_YEAR}{_ONE}(?:\s*,?\s+{_LATER}|\+)"),
    (
        "until",
        rf"{_SAID}\b(?:until|till|up\s+to|up\s+to\s+and\s+including|up\s+until|through|"
        r"by|no\s+later\s+than|not\s+(?:after|later\s+than))\s+(?:the\s+end\s+of\s+)?"
        rf"{_THE_YEAR}{_ONE}",
    ),
    ("until", rf"{_SAID}(?:\b(?:in|dated|from)\s+)?{_ONE}\s+(?:and|or)\s+(?:earlier|before|older)"),
    (
        "after",
        rf"{_SAID}(?:\b(?:after|later\s+than|newer\s+than|more\s+recent\s+than)\s+"
        rf"{_THE_YEAR}{_ONE})",
    ),
    (
        "before",
        rf"{_SAID}(?:\b(?:before|prior\s+to|earlier\s+than|older\s+than)\s+{_THE_YEAR}{_ONE})",
    ),
    ("after", r"\bpost-(?P<y1>(?:19|20)\d\d)(?!\w)"),
    ("before", r"\bpre-(?P<y1>(?:19|20)\d\d)(?!\w)"),
    ("in", rf"{_SAID}\b{_IN}\s+{_THE_YEAR}{_ONE}"),
    ("in", rf"\b{_WORK}\s+(?P<cut>(?:of|for)\s+{_THE_YEAR}{_ONE})"),
    ("in", rf"\b(?:papers|publications|articles|preprints)\s+(?P<cut>{_ONE})"),
    ("in", rf"[{PERSON}{SURNAME}](?:\s+et\s+al\.?)?,?\s*(?P<cut>\(?{_ONE}\)?)(?!\s+to\b)"),
    (
        "adjective",
        r"(?P<cut>(?<!early\s)(?<!late\s)(?<!mid\s)(?<!end\s)(?<!half\s)"
        rf"{_ONE}(?:'s)?)\s+(?=(?:[\w.-]+\s+){{0,3}}?{_WORK}\b)",
    ),
    ("in", r"(?P<r1>\b(?:this|last)\s+year)(?!s)(?:'s)?"),
    (
        "past",
        rf"{_SAID}(?:\b(?:in|over|during|within|from|of|for)\s+)?\b(?:(?:the|these|our)\s+"
        rf"(?:last|past|previous)\s+(?:(?P<n>{_COUNT})\s+)?|(?:last|past|previous)\s+"
        rf"(?P<k>{_COUNT})\s+)(?P<u>{_UNIT})",
    ),
    ("recent", rf"{_SAID}\b(?:in|of|from|over|during|within)\s+(?:the\s+|more\s+)*recent\s+years"),
)
_BY = (
    rf"(?:(?:that|which)\s+)?(?:(?:is|are|was|were|has\s+been|have\s+been|comes?|came|being)\s+)*"
    rf"(?:{_MADE}\s+)?(?:jointly\s+)?"
)
_WHERE = (
    rf"\s+(?:the\s+)?(?:{_PEOPLE}\s+(?:from|at|of|in)\s+)?(?:the\s+)?"
    rf"{ORIGINS}(?:'s?)?(?:\s+(?:{_PEOPLE}|universit(?:y|ies)|itself))?"
    rf"(?!'?s?\s*-?\s*{_PRODUCT})"
)
_VERB = (
    r"(?:been\s+)?(?:work(?:ed|ing)?|publish(?:ed|ing)?|done|do|doing|written|write|wrote|proposed?|"
    r"released?|built|build|developed|develop|presented?|contributed?|studied|study|studying|"
    r"researched|research|explored?|say|said|produced?|made|make|introduced?|come\s+up\s+with|"
    r"put\s+out|looked|look|tried|try)\b"
)
_OFTEN = r"(?:\s+(?:ever|also|already|recently|lately|so\s+far|not|yet|really|actually|itself))*"
_DOER = rf"(?:the\s+)?{ORIGINS}(?:\s+{_PEOPLE})?"
_ORIGINS = (
    rf"\b{_HEAD}\s+(?P<cut>{_BY}(?:from|by|at|of|out\s+of|in){_WHERE})",
    rf"\b{_MADE}\s+(?P<cut>(?:from|by|at)\s+(?:the\s+)?{ORIGINS}(?:\s+{_PEOPLE})?)"
    rf"(?!'?s?\s*-?\s*{_PRODUCT})",
    rf"\b{_HEAD}\b[^?.;!]{{1,90}}?(?<!\w)(?!{_SOURCE}\s)(?:[\w-]+|[{DONE}]+)\s+(?P<cut>{_BY}(?:from|by){_WHERE})",
    rf"\b{_HEAD}\b[^?.;!]{{1,90}}?\s(?P<cut>{_MADE}\s+(?:from|by|at){_WHERE})",
    rf"(?P<cut>{ORIGINS}(?:'s?|-(?:authored|affiliated|led|based))?)\s+(?=(?!{_PRODUCT})(?:(?:[\w-]+|[{DONE}]+)\s+){{0,3}}?"
    r"(?:papers?|publications?|articles?|preprints?|researchers|authors|teams?|groups?|scientists|"
    r"engineers)\b)",
    rf"(?P<cut>{ORIGINS}'s?)\s+(?=(?:(?:recent|latest|newest|new|own|other|early|earlier|prior|"
    r"published)\s+)*(?:works?|research|studies|study|contributions?|efforts?)\b)",
    rf"(?P<cut>{ORIGINS})\s+(?=(?:(?:recent|latest|newest|new|other)\s+)*(?:works?|research|studies)\s*"
    r"(?:[?.!]|$|on\b|about\b|in\b|for\b|since\b|from\b|that\b|which\b))",
    r"(?P<clause>\bwhat(?:'s|\s+(?:all|else|works?|research|papers?|kind\s+of\s+work))?\s+"
    rf"(?:has|have|did|does|do|is|are)\s+{_DOER}{_OFTEN}\s+{_VERB}{_OFTEN})",
    rf"\bwhich\s+(?:[\w-]+\s+)*?{_WORK}\s+(?P<cut>(?:has|have|did|does|do)\s+{_DOER}{_OFTEN}\s+{_VERB})",
    rf"(?P<clause>(?:^|(?<=[,.;:]\s))(?:has|have|did|does|do)\s+{_DOER}{_OFTEN}\s+(?:been\s+)?"
    r"(?:work(?:ed|ing)?|publish(?:ed)?|done|do|written|write|studied|study|researched|research|"
    r"looked|look|explored?|contributed?|have|got)(?:\s+(?:anything|something|(?:any\s+|some\s+)?"
    r"(?:works?|papers?|research)))?)(?=\s*(?:on|about|into|in|with|at|to|for|that|[?!.]|$))",
    rf"(?P<cut>(?:\b(?:whose|with|having)\s+)?(?:\bauthors?\s+)?\baffiliat(?:ed|ions?)\s*"
    rf"(?:with|to|at|in|of|:|is|are|the|being|includ(?:e|es|ing)|contain(?:s|ing)?|=|\s)*{ORIGINS})",
    rf"(?P<cut>\b(?:with|whose|has|have|having)\s+(?:an?\s+|the\s+)?(?:co-?)?authors?\s+"
    rf"(?:(?:is|are|who\s+(?:is|are))\s+)?(?:from|at|of)\s+{ORIGINS})",
    rf"\b(?:who|someone|anyone|anybody)\b[^?.;!]{{1,60}}?\s(?P<cut>at{_WHERE})",
    rf"(?P<cut>\b(?:with|by|from)\s+(?:an?\s+|the\s+)?{ORIGINS}(?:'s?)?\s+{_PEOPLE})",
    rf"^\W*(?P<cut>{ORIGINS})\s+(?=(?:on|about)\b)",
    rf"(?P<cut>[,\s]*(?:\bonly\s+(?:from|by)\s+{ORIGINS}|{ORIGINS}\s+only))\s*[?.!]*$",
    rf"^\W*(?:and|but|what\s+about|how\s+about|only|just|any|anything|new)?\s*(?:the\s+)?(?:ones?\s+)?"
    rf"(?P<cut>(?:from|by)\s+{ORIGINS})(?!'?s?\s*-?\s*{_PRODUCT})",
)
_AUTHORSHIP = (
    rf"(?P<cut>(?:\b{_BY}(?:by|from)\s+)?{AUTHORS}(?:,)?\s+(?:et\s+al\b\.?|and\s+(?:others|"
    rf"colleagues|co-?authors)))(?:'s?)?",
    rf"(?P<cut>\b{_BY}by\s+{AUTHORS})",
    rf"(?P<cut>\bauthors?\s*(?:is|are|:|named|called|=)?\s*{AUTHORS})",
    rf"(?P<cut>{AUTHORS}'s?)\s+(?=(?:[\w-]+\s+){{0,3}}?{_WORK}\b)",
    rf"(?P<cut>{AUTHORS})(?=,?\s*{DONE})",
    rf"\bthe\s+(?P<cut>{AUTHORS})\s+papers?\b",
)
_KIND = r"(?:categor(?:y|ies)|archives?|subjects?|class(?:es)?|tags?)"
_CATEGORIES = (
    r"(?:\b(?:in|under|from|of|within|on)\s+)?(?:\bthe\s+)?(?:\barxiv(?:'s)?\s+)?"
    rf"(?:\b(?:{_KIND}|tagged|labell?ed)(?:\s+(?:is|as|of|with)|:)?\s+)?{CODES}(?:\s+{_KIND}\b)?",
    r"(?:\b(?:in|under|from|of|within)\s+)?(?:\bthe\s+)?"
    rf"(?:\barxiv(?:'s)?|\b{_KIND}(?:\s+(?:is|as|of)|:)?)\s+{ARCHIVES}(?:\s+{_KIND}\b)?",
    rf"(?:\b(?:in|under|from|of|within)\s+)?(?:\bthe\s+)?{ARCHIVES}\s+{_KIND}\b",
)


ENGLISH_ASKING = Asking(
    periods=_PERIODS,
    years={"this": 0, "last": -1},
    months={
        "jan": 1,
        "feb": 2,
        "mar": 3,
        "apr": 4,
        "may": 5,
        "jun": 6,
        "jul": 7,
        "aug": 8,
        "sep": 9,
        "oct": 10,
        "nov": 11,
        "dec": 12,
    },
    numerals={
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "few": 3,
        "couple": 2,
        "several": 3,
        "half": 0.5,
    },
    units={"year": 12, "month": 1, "decade": 120},
    origins=_ORIGINS,
    authorship=_AUTHORSHIP,
    categories=_CATEGORIES,
    verifying=(
        r"^\W*(?:is|are|was|were)\b(?!\s+(?:there|any\w*|some\w*)\b)"
        r"|^\W*(?:did|does|has|have|do)\b.*\b(?:come\s+from|came|come\s+out|appear|appeared)\b"
        r"|\bof\s+(?:the|these|those)\s+(?:two|three)\b|\bof\s+(?:them|both)\b"
        r"|^\W*which\s+(?:one\s+)?(?:is|was|came|comes)\b"
        r"|\bwhether\b.*\b(?:is|are|was|were|comes?|came)\b"
    ),
    dating=(
        r"^\W*(?:and\s+)?when\s+(?:is|are|was|were|did|does|do|has|have)\b"
        r"|\b(?:what|which)\s+(?:year|date|month)\b"
    ),
    excluding=(
        r"(?:\bnot|n't|\bexcept(?:ing)?|\b(?:all|any\w*|every\w*)\s+but|\bother\s+than|\bexcluding|\bbesides|\bbeyond|"
        r"\boutside(?:\s+of)?|\b(?:apart|aside|different|away|far)|\brather\s+than|\bwithout|"
        r"\binstead\s+of|\bignor(?:e|ing)|\bunlike|\bnon)(?:\s+(?:for|the|any|those|ones?|papers?|"
        r"works?|from|by|in))*[\s-]*$"
    ),
    excluding_after=r"\s*(?:excluded|excepted)\b",
    dangling=(r"(?i)\s+(?:and|or|but)(?=\s*(?:[.?!,;]|$))"),
)
