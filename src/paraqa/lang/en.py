"""English."""

from __future__ import annotations

import re

from paraqa.lang.language import Language, words

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|might|may)"
_PAPERS = (
    r"(?:papers?|works|articles|studies|publications|entries|systems|frameworks|methods|"
    r"approaches|techniques|authors|groups|teams|projects)"
)

ENGLISH = Language(
    code="en",
    locale="en",
    quotes=("“", "”"),
    enders="",  # `.`, `!` and `?` end a sentence only before a space: see segments
    abbreviations=words(
        "al approx cf co corp dept dr ed eds e.g eq eqs etc fig figs i.e inc ltd mr mrs ms no nos "
        "prof ref refs resp sec st tab univ vol vs w.r.t a.k.a u.s"
    ),
    stop_words=words(
        "a about above across after again against all also am among an and any are as at be "
        "because been before being below between both but by can cannot could did do does doing "
        "done down during each either else ever every few for from further get gets give given "
        "gives had has have having he her here hers him his how however i if in instead into is "
        "it its itself just let like many may me might more most much must my neither no nor not "
        "of off on once one ones only onto or other others our ours out over own per rather s "
        "same shall she should show shows so some such t tell than that the their theirs them "
        "themselves then there these they this those through thus to too toward towards under "
        "until up upon us use used uses using very via was we were what when where whether which "
        "while who whom whose why will with within without would yes yet you your "
        "paper papers article articles please list something someone "
        "compare describe explain introduce summarise summarize thanks thank ok okay hello hi"
    ),
    generic_words=words(
        "reduce improve increase decrease propose present tackle address help aim target make "
        "report handle deal study explore investigate support enable provide allow lower cut solve "
        "achieve develop design offer consider focus discuss claim need want work run new novel "
        "different particular good better best large small big several way kind form gain"
    ),
    function_words=re.compile(
        r"\b(?:a|an|and|are|as|at|be|by|can|did|do|does|for|from|has|have|how|in|is|it|its|list|"
        r"of|on|or|show|tell|than|that|the|their|them|they|this|to|was|were|what|when|where|"
        r"which|who|why|with|you)\b",
        re.IGNORECASE | re.ASCII,
    ),
    separator=" and ",
    list_question=re.compile(
        rf"""(?ix)
          \b(?:which|what)\b (?:\s+[\w.-]+){{0,3}}? \s+ (?:papers|works|articles|studies|entries|
             publications|systems|frameworks|methods|approaches|techniques|projects)\b
        | ^\W*(?:please\s+)?(?:list|enumerate|name\s+all)\b
        | \b(?:show|give|find|get)\s+(?:me\s+)?(?:all\s+|every\s+|any\s+|the\s+|some\s+)*{_PAPERS}\b
        | \b(?:are|is)\s+there\s+(?:any\s+|other\s+|more\s+)*(?:papers|works|articles|studies)\b
        | \b(?:what|which)\s+(?:was|were|has\s+been)\s+published\b
        | \ball\s+(?:the\s+)?(?:papers|works|articles|studies)\b
        """
    ),
    reference=re.compile(
        r"""(?ix) \b(?:
          (?P<place>(?:the\s+)?(?:first|second|third|fourth|fifth|last|1st|2nd|3rd)\s+
             (?:one|paper|work|system|method|article|entry|of\s+(?:them|these|those))
             |the\s+(?:former|latter))
        | (?P<owner>its|their)
        | (?P<many>they|them|these|those|(?:these|those|both|the\s+two)\s+(?:two\s+)?
             (?:papers|works|systems|methods|approaches))
        | (?P<one>it|(?:this|that|the\s+same)\s+(?:one|paper|work|system|method|approach|article|
             framework|study)|the\s+(?:paper|authors))
        )\b(?!-)"""
    ),
    definite=re.compile(r"(?i)(?:the|this|that)\s+\w+"),
    subject=re.compile(rf"(?i)\b{_AUXILIARY}\s+$"),
    plural_owners=words("their"),
    expletive=re.compile(
        r"(?i)\b(?:is|was|be|makes?|made)\s+it\s+(?:\w+ly\s+)?(?:possible|better|true|worth|"
        r"necessary|feasible|common|known|important|safe|easy|easier|hard|harder|useful|"
        r"difficult|faster|cheaper)\b|\bit\s+(?:is|was)\s+\w+\s+(?:to|that)\b|"
        r"\b(?:which|what)\s+(?:of\s+)?(?:these|those)\b|\b(?:these|those)\s+(?!two\b|papers\b|"
        r"works\b|systems\b|methods\b|approaches\b)[a-z]\w*|\bof\s+these\s+papers\b"
    ),
    elliptical=re.compile(r"(?i)^\W*(?:and|but|what\s+about|how\s+about|also|so)\b"),
    places=(
        ("first", 0),
        ("1st", 0),
        ("former", 0),
        ("second", 1),
        ("2nd", 1),
        ("third", 2),
        ("3rd", 2),
        ("fourth", 3),
        ("fifth", 4),
        ("last", -1),
        ("latter", -1),
    ),
    clause=re.compile(
        rf"[,;:.!?]\s|\b(?:and|but|when|if|because|so\s+that)\b(?!\s+{_AUXILIARY}\b)"
    ),
    owner_form="{name}'s",
)
