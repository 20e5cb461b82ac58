"""What paraqa knows about English and Chinese.

One file per language holds what differs (`en`, `zh`); the others hold what is shared.
"""

from paraqa.lang.conversion import convert_quantities
from paraqa.lang.detection import detect, is_in_language, preferred, quoted
from paraqa.lang.folding import fold
from paraqa.lang.quantities import Quantity, quantities
from paraqa.lang.registry import LANGS
from paraqa.lang.segments import sentences
from paraqa.lang.vocabulary import Terms, is_generic, surfaces, terms, warm

__all__ = [
    "LANGS",
    "Quantity",
    "Terms",
    "convert_quantities",
    "detect",
    "fold",
    "is_generic",
    "is_in_language",
    "preferred",
    "quantities",
    "quoted",
    "sentences",
    "surfaces",
    "terms",
    "warm",
]
