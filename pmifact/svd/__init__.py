"""Sparse matrix to `Factors`: truncated SVD by block Krylov iteration, or by other libraries' solvers."""

from pmifact.svd.truncated import SOLVERS, factorize

__all__ = ["SOLVERS", "factorize"]
