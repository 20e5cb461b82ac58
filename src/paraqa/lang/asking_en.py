"""How English asks for papers by time, origin, author and category."""

from __future__ import annotations

from paraqa.lang.language import (
    ARCHIVES,
    AUTHORS,
    CODES,
    DONE,
    ORIGINS,
    PERSON,
    PLACE,
    SURNAME,
    Asking,
)
from paraqa.lang.times_en import ITEM, ORDERS, PERIODS, UNSHARP, WORK

# What a question may call those who write papers.
_PEOPLE = r"(?:researchers?|authors?|people|teams?|groups?|scientists?|engineers?|folks|labs?)"
_HEAD = (
    rf"(?:{WORK}|{_PEOPLE}|systems?|frameworks?|methods?|approach(?:es)?|techniques?|projects?|who|someone|anyone|anybody|anything|something|nothing|"
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
    rf"\bwhich\s+(?:[\w-]+\s+)*?{WORK}\s+(?P<cut>(?:has|have|did|does|do)\s+{_DOER}{_OFTEN}\s+{_VERB})",
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
# What a paper may do to work that is not its own, and what is said of that work then.
_RELATED = (
    r"(?:(?:cit(?:e|es|ed|ing|ations?\s+(?:of|to|for))|outperform(?:s|ed|ing)?|beat(?:s|en|ing)?|"
    r"surpass(?:es|ed|ing)?|exceed(?:s|ed|ing)?|outdo(?:es)?|(?<!other\s)(?<!rather\s)than|versus|vs\.?|against|"
    r"over|(?:relative|related|similar|superior|inferior|comparable|according|equal)\s+to|"
    r"on\s+par\s+with|contrast(?:s|ed|ing)?\s+with|differ(?:s|ing)?\s+from|inspired\s+by|"
    r"compar(?:ed|es|ing|able|isons?)\s+(?:(?:themselves|itself|results?|performance)\s+)?(?:with|to|against|of)|"
    r"(?:based|built|builds?|building|improv(?:e|es|ed|ing)|rel(?:y|ies|ying)|draws?|drawing)\s+(?:up)?on|"
    r"on\s+top\s+of|extend(?:s|ed|ing)?|follow(?:s|ed|ing)?(?:\s+up)?(?:\s+on)?|replicat(?:e|es|ed|ing)|"
    r"reproduc(?:e|es|ed|ing)|criticiz(?:e|es|ed|ing)|criticis(?:e|es|ed|ing)|adopt(?:s|ed|ing)?|"
    r"appl(?:y|ies|ied|ying)|adapt(?:s|ed|ing)?|us(?:e|es|ed|ing)|employ(?:s|ed|ing)?|"
    r"refer(?:s|red|ring)?\s+to|improv(?:e|es|ed|ing)|acknowledg(?:e|es|ed|ing))"
    # Asked of papers, these say what they do; told to us, what we are to do.
    r"|(?<=\w\s)(?<!\bto\s)(?<!\byou\s)(?<!please\s)(?<!\bme\s)(?<!\band\s)"
    r"(?:compar(?:e|es|ing)|mention(?:s|ed|ing)?|discuss(?:es|ed|ing)?|"
    r"review(?:s|ed|ing)?|reference(?:s|d)?|survey(?:s|ed|ing)?|analy[sz](?:es?|ed|ing)|"
    r"evaluat(?:e|es|ed|ing)|examin(?:e|es|ed|ing)|critique(?:s|d)?))"
)
_ITS = (
    r"(?:(?:the|any|some|all|other|recent|earlier|prior|previous|existing|more|several|many|two|"
    r"both|a|an)\s+)*"
)
_SPOKEN_OF = (
    r"(?:papers?|publications?|articles?|preprints?|works?|research|studies|study|systems?|"
    r"frameworks?|methods?|approach(?:es)?|techniques?|projects?|models?|baselines?|results?|"
    r"ideas?|algorithms?|solutions?|efforts?|implementations?|librar(?:y|ies)|ones?|those|that)"
)
_FROM = (
    rf"(?:(?:that|which|is|are|was|were|been|being|come|comes|came|jointly|{_MADE})\s+)*"
    rf"(?:from|by|at|of|in|out\s+of)\s+(?:the\s+)?(?:{_PEOPLE}\s+(?:from|at|of|in)\s+)?(?:the\s+)?"
)
_WORD = (
    rf"(?:(?!(?:that|which|who|and|or|but|is|are|was|were)\s)[\w'-]+|"
    rf"[{PLACE}{PERSON}{SURNAME}{DONE}]+)\s+"
)
_MENTIONING = (
    rf"\b{_RELATED}\s+(?:{_ITS}|(?:{_WORD}){{0,5}}?{_SPOKEN_OF}\s+{_FROM}"
    rf"(?:[{PLACE}{PERSON}{SURNAME}]+\s+and\s+(?:(?:{_WORD}){{0,2}}?{_FROM})?)?)$"
    r"|\b(?:cited|referenced|adopted|outperformed|beaten|surpassed|criticized|criticised|extended|"
    r"replicated|reproduced|acknowledged|mentioned|followed|improved|compared|discussed)\s+"
    r"(?:in|by|at)\s+(?:the\s+)?$"
    rf"|\b(?:cit(?:e|es|ed|ing)|outperform(?:s|ed|ing)?|beat(?:s|en|ing)?|surpass(?:es|ed|ing)?|"
    rf"(?<!other\s)(?<!rather\s)than|versus)\s+(?:the\s+)?[\w'-]+\s+{_FROM}$"
)
_AUTHORSHIP = (
    rf"(?P<cut>(?:\b{_BY}(?:by|from)\s+)?{AUTHORS}(?:,)?\s+(?:et\s+al\b\.?|and\s+(?:others|"
    rf"colleagues|co-?authors)))(?:'s?)?",
    rf"(?P<cut>\b{_BY}by\s+{AUTHORS})",
    rf"(?P<cut>\bauthors?\s*(?:is|are|:|named|called|=)?\s*{AUTHORS})",
    rf"(?P<cut>{AUTHORS}'s?)\s+(?=(?:[\w-]+\s+){{0,3}}?{WORK}\b)",
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
    periods=PERIODS,
    item=ITEM,
    unsharp=UNSHARP,
    orders=ORDERS,
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
    ordinals={
        "first": 1,
        "1st": 1,
        "second": 2,
        "2nd": 2,
        "third": 3,
        "3rd": 3,
        "fourth": 4,
        "4th": 4,
        "last": 4,
    },
    halves={"first": 1, "1st": 1, "second": 2, "2nd": 2, "last": 2, "latter": 2},
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
    mentioning=_MENTIONING,
    mentioning_after="",
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
    joining=r"\s*,?\s*(?:and|or|but|and/or|,)\s*",
    dangling=(r"(?i)\s+(?:and|or|but)(?=\s*(?:[.?!,;]|$))"),
)
