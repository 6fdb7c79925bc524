"""Huffman coding of the words by their counts."""

import numpy as np
from numba import njit


@njit(cache=True)
def join_rarest(counts):
    """Join the two rarest trees until one is left; return the parent and the side of every node.

    Leaves are the nodes 0..n-1, inner nodes follow in the order in which they are made, the root is the
    last; the first of two joined trees gets side 0. Of equal counts the leaf goes first, which keeps the
    tree shallow.

    counts int64[n], ascending. Returns parents int64[2n - 1] (-1 for the root), sides int8[2n - 1].
    """
    n = len(counts)
    weight = np.empty(2 * n - 1, np.int64)
    weight[:n] = counts
    parents = np.full(2 * n - 1, -1, np.int64)
    sides = np.zeros(2 * n - 1, np.int8)
    leaf, inner = 0, n
    for node in range(n, 2 * n - 1):
        weight[node] = 0
        for side in range(2):
            if leaf < n and (inner >= node or weight[leaf] <= weight[inner]):
                child = leaf
                leaf += 1
            else:
                child = inner
                inner += 1
            parents[child] = node
            sides[child] = side
            weight[node] += weight[child]
    return parents, sides


@njit(cache=True)
def path_lengths(parents, n):
    """Return the number of edges from the root to each of the leaves 0..n-1: int64[n]."""
    depth = np.zeros(2 * n - 1, np.int64)
    for node in range(2 * n - 3, -1, -1):  # a parent comes after its children
        depth[node] = depth[parents[node]] + 1
    return depth[:n]


@njit(cache=True)
def fill_paths(parents, sides, begins, ends, nodes, codes):
    """Write the path of every leaf, from the root down.

    begins, ends int64[n]; for leaf i the places begins[i]:ends[i] of nodes int32 (output: the inner nodes
    passed, numbered from 0) and of codes int8 (output: the side taken there).
    """
    n = len(begins)
    for leaf in range(n):
        node = leaf
        for place in range(ends[leaf] - 1, begins[leaf] - 1, -1):
            codes[place] = sides[node]
            node = parents[node]
            nodes[place] = node - n
