"""English."""

from __future__ import annotations

import re

from paraqa.lang.asking_en import ENGLISH_ASKING
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
        "it its itself just let like many may me mention mentioned mentions might more most much "
        "must my neither no nor not "
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
        "different particular good better best large small big several way kind form gain "
        "publish appear date come write"
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
        | \b(?:show|give|find|get|have|recommend|suggest|know(?:\s+of)?)\s+(?:me\s+)?
             (?:all\s+|every\s+|any\s+|the\s+|some\s+|a\s+few\s+)*{_PAPERS}\b
        | \b(?:are|is)\s+there\s+(?:any\s+|other\s+|more\s+)*(?:papers|works|articles|studies)\b
        | \b(?:what|which)\s+(?:was|were|has\s+been)\s+published\b
        | \ball\s+(?:the\s+)?(?:papers|works|articles|studies)\b
        | ^\W*(?:is\s+there\s+|do\s+you\s+have\s+|have\s+you\s+got\s+|got\s+)?anything\s+
             (?:new\s+|else\s+|recent\s+)*(?:on|about|from|by|at|in|since|related|that)\b
        | \bwho\s+(?:else\s+)?(?:has|have|is|are|was|were)?\s*(?:ever\s+|also\s+|at\s+\S+\s+)?
             (?:work(?:ed|s|ing)?|published|publishes|studied|studies|looked)\s+(?:on|about|at|in)\b
        | \bany\s+(?:\w+\s+)?(?:works?|papers?|research|studies|articles)\s+
             (?:on|about|from|by|in|at|that|which|since|related|dealing|using)\b
        | \bwhat\s+(?:\w+\s+)?(?:works?|research|papers?|literature)\s+(?:exists?|is\s+there|
             are\s+there|has\s+been|have\s+been|was|were|is|are)\b
        | \bwhat\s+(?:has|have)\s+(?:\S+\s+){{1,4}}?(?:published|worked|done|written)\b
        | \bwhat(?:'s|\s+is)\s+(?:new|out\s+there|published)\b
        | ^\W*(?!(?:what|which|how|why|who|when|where|does|did|do|is|are|was|were|can|could|has|
             have|this|that|tell)\b)(?:[\w'.&-]+\s+){{0,4}}?(?:papers|works?|research|articles|
             studies|publications|literature)(?:\s+(?:on|about|from|by|in|since|at|of|between|
             before|after|that|which|with|using|for|related|dealing|dated|published|other|except)\b
             (?!.*\b(?:what|which|why|who|does|did)\b)|\s*[.!]*$)
        """
    ),
    comparison=re.compile(
        r"""(?ix)
          ^\W*(?:please\s+|can\s+you\s+|could\s+you\s+)*(?:compare|contrast)\b
        | \b(?:what|which)\s+(?:is|are|'s)?\s*(?:the\s+)?(?:main\s+|key\s+)?
             (?:differences?|similarit(?:y|ies))\b.*\b(?:between|from|of|and)\b
        | \bhow\s+(?:do|does|is|are|did)\b.*\b(?:differ|compare|different)\b
        """
    ),
    comparison_of=re.compile(
        r"""(?ix)
          \bdifferences?\s+between\b.+\band\b
        | \S\s+(?:versus|vs\.?)\s+\S
        | \b(?:compared?|comparing|comparison|contrast)\b.*\b(?:with|to|and|against|of|between)\s+
             (?!(?:the\s+|its\s+|an?\s+)?(?:baselines?|existing|prior|previous|other|single|
             state|default|naive|standard|vanilla|conventional|traditional))\S
        | \b(?:which|who|what)\b.*\b(?:better|worse|more|less|\w{2,}er|most|least|\w{2,}est|
             first)\b.*[,:]\s*.*\S\s+or\s+\S
        | \b(?:which|what)\s+(?:one\s+)?of\s+(?:the\s+two|them|these\s+two|the\s+three)\b
        | \S\s+or\s+\S.*[,:?]\s*\bwhich\b
        | ^\W*(?:is|are|was|were|does|do|can)\b.*\b(?:better|faster|slower|cheaper|larger|smaller|
             more\s+\w+|less\s+\w+)\b.*\bthan\s+(?!(?:the\s+|its\s+)?(?:baselines?|existing|
             prior|previous|other|before|a|an|one|\d))\S
        | \b(?:have|has)\b.*\bin\s+common\b | \bsimilarit(?:y|ies)\s+between\b
        """
    ),
    interrogative=re.compile(
        r"(?i)\?|\b(?:what|which|how|why|who|whom|whose|when|where|does|do|did|is|are|was|were|can|"
        r"could|will|would|should|has|have|tell|explain|describe|summari[sz]e|compare)\b"
    ),
    unwanted=re.compile(
        r",?\s*\b(?:[Oo]ther\s+than|[Bb]esides|[Ee]xcept(?:ing)?(?:\s+for)?|[Aa](?:part|side)\s+from|"
        r"[Ee]xcluding|but\s+not)\s+(?P<phrase>[A-Z][\w.-]*(?:(?:,|\s+and|\s+or)\s+[A-Z][\w.-]*)*"
        r"(?=\s+[a-z])|[^,.;:?!]{2,60}?(?=\s*(?:[,.;:?!]|$)|\s+(?:is|are|was|were|that|which|do|"
        r"does|can|deal|use|reduce|have|has)\b))"
    ),
    frame=re.compile(
        r"(?i)^\W*(?:(?:which|what|any|are\s+there|is\s+there|show\s+me|find|list|give\s+me|"
        r"looking\s+for|i\s+want|i\s+need|has\s+anyone|who\s+has|does\s+anyone)\b\s*)+"
        r"(?:(?:other|recent|all|some|of|the|me)\s+)*"
        r"(?:(?:papers?|works?|articles?|studies|research|entries|publications)\b\s*)?"
        r"(?:(?:that|which|on|about|are|is|for|do|does|can|has|have|deals?\s+with|look\s+at)\s+)*"
    ),
    about_corpus=re.compile(
        r"""(?ix)
          \bhow\s+(?:many|large|big)\s+(?:different\s+)?(?:papers|entries|articles|documents|
             abstracts|works|authors|institutions|languages|topics)\s*
             (?:(?:are|is)\s+(?:there|listed|included|indexed|covered|stored)(?!\s+(?:on|about|that|
             which|for|using|with|dealing))|do(?:es)?\s+(?:you|it|this|the\s+\w+)\s+(?:have|hold|
             contain|cover|know|include|list)|(?:are\s+)?in\s+(?:total|all|here|this|the\s+
             (?:corpus|collection|library|database|listing|set|index))|have\s+you|[?.!]*\s*$)
        | \bhow\s+(?:large|big)\s+is\s+(?:the|this|your)\s+(?:corpus|collection|library|database|
             listing|index|set\s+of\s+papers)\b(?!\s+of\b)
        | \b(?:what|which)\s+(?:topics?|subjects?|areas?|themes?|fields?|years?|period|dates?|
             institutions?|authors?|categories|venues?|languages?)\s+(?:do(?:es)?|are|is|can|did)\s+
             (?:(?:you|it|this|they|the\s+(?:corpus|collection|library|database|listing|papers|
             entries))\s*)?(?:cover(?:ed)?|span(?:ned)?|included?|represented|contain(?:ed)?|have|
             hold|listed|there|here|in\s+(?:the|this|your)\s+(?:corpus|collection|library|database|
             listing))\b
        | \b(?:what|which)\b.*\b(?:the\s+)?(?:corpus|collection|library|database|listing)\s+
             (?:cover|span|contain|hold|include|have)s?\b
        | \bwhat\s+(?:is|are|papers\s+are)\s+(?:there\s+)?in\s+(?:the|this|your)\s+(?:corpus|
             collection|library|database|listing)\b
        | \b(?:what|which)\s+(?:papers?\s+)?(?:is|are|was)\s+(?:the\s+)?(?:very\s+)?(?:oldest|
             newest|latest|earliest|most\s+recent|first|last)\s*(?:papers?|entry|entries|one|
             article|publication)?\s*(?:here|you\s+have|in\s+(?:the|this|your)\s+\w+|
             of\s+all)?\s*[?.!]*\s*$
        | \bhow\s+(?:old|recent|new|up\s+to\s+date)\s+(?:is|are)\s+(?:the|this|your)\s+(?:corpus|
             collection|library|database|listing|papers|data|entries)\b
        | \bwhat\s+(?:do|can)\s+you\s+(?:know\s+about|cover|have|hold)\s*[?.!]*\s*$
        """
    ),
    papers="papers",
    asking=ENGLISH_ASKING,
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
