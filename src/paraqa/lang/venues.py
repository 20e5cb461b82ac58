"""Conferences by the names that are written beside a year, which is not that of a paper's date."""

from __future__ import annotations

# Those that are no word, in any letters, and those that count in capitals only.
_PLAIN = (
    "iclr neurips nips icml aaai ijcai ecai uai aistats colt cvpr iccv eccv wacv bmvc emnlp naacl "
    "eacl aacl coling conll tacl lrec interspeech icassp kdd sigkdd sigir cikm wsdm icdm recsys "
    "sosp osdi nsdi eurosys asplos isca hpca ppopp ipdps icpp hpdc cluster'?s? ccgrid europar "
    "cgo pldi popl oopsla icse fse issta usenix sigcomm sigmetrics infocom imc conext mobicom "
    "mobisys sensys sigmod vldb pvldb icde edbt cidr pods mlsys sysml socc apsys hotos hotnets "
    "hotcloud hotstorage iccad aspdac isscc vlsi micro-\\d+ iros icra rss corl siggraph uist cscw "
    "ndss asiacrypt eurocrypt tocs tpds jmlr tmlr tacas neurips icws middleware"
)
_CAPITALS = "ACL MICRO SC ATC FAST DATE DAC CHI CAV WWW ICS PACT SP CCS SPAA PODC STOC FOCS SODA"

PLAIN = "(?:" + "|".join(sorted(_PLAIN.split(), key=len, reverse=True)) + ")"
CAPITALS = frozenset(_CAPITALS.split())
