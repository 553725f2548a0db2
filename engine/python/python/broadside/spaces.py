"""The spaces of observations, for both kinds of environments."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from broadside._engine import MOST_SCALAR

Observation = dict[str, NDArray[Any]]


def observation_space(layout: dict[str, Any]) -> spaces.Dict:
    """Return the space of the observations of a layout."""
    planes = (len(layout["planes"]), *layout["board"])
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, planes, np.uint8),
            "scalars": spaces.Box(0.0, MOST_SCALAR, (len(layout["scalars"]),), np.float32),
            "action_mask": spaces.Box(0, 1, (layout["actions"],), np.int8),
        }
    )
