"""Whether two runs differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

_FLIPS = 10_000  # a p-value of 0.05 is then exact to about 0.004 (95%)
_SEED = 20260101  # fixed, so that the same runs give the same p-value
_ROUNDING = 1e-9  # sums that differ by less are equal


def p_value(differences: Sequence[float]) -> float:
    """The chance of a sum as far from 0 as this one, were the sign of each difference a coin's.

    The paired randomisation test, two-sided (Smucker, Allan and Carterette 2007).
    All signs are tried where they are at most 10,000, else as many are drawn, and the observed
    ones counted in, so that the value is never 0 (Phipson and Smyth 2010).
    """
    changed = np.array([value for value in differences if value])  # the sign of 0 is no matter
    if not changed.size:
        return 1.0
    observed = abs(changed.sum()) - _ROUNDING
    if 2**changed.size <= _FLIPS:
        signs = np.array(list(product((-1, 1), repeat=changed.size)))
        return float(np.mean(np.abs(signs @ changed) >= observed))
    random = np.random.default_rng(_SEED)
    signs = random.integers(2, size=(_FLIPS, changed.size)) * 2 - 1
    extreme = int(np.count_nonzero(np.abs(signs @ changed) >= observed))
    return (1 + extreme) / (1 + _FLIPS)
