"""Learnery in Python.

`learnery.vector.make` gives its worlds as Gymnasium's vector environments.
"""

from learnery import vector

__all__ = ["vector"]
