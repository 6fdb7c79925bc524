"""Shifted PPMI and the Krylov SVD as scikit-learn's estimators, for any matrix of counts."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
)
from sklearn.utils import Tags, check_random_state
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from pmifact.checks import check_integer, check_number
from pmifact.errors import InputError
from pmifact.ppmi import Margins, PPMIOptions, positive_pmi
from pmifact.svd.truncated import factorize

_FLOATS = (np.float64, np.float32)


class PPMITransformer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Shifted positive PMI of rows and columns of counts: words and contexts, documents and terms, ...

    With #(r,c) the counts of a row, #(r) their sum, and P(c) = #(c)^smoothing / sum #(c')^smoothing from the
    column sums #(c) of the matrix that was fitted, a cell becomes

        max(log(#(r,c) / (#(r) P(c))) - log shift, 0)

    (Levy & Goldberg 2014, equations 10 to 12). Of the matrix that was fitted this is the same as
    `pmifact.sppmi`. New rows bring their own #(r), and know no other P(c): each is transformed as if it had
    been one of many. A column that had no counts when fitted has no P(c), and stays 0.

    Parameters
    ----------
    shift : float, default 1.0
        k above 0; log k is taken off.
    smoothing : float, default 0.75
        Exponent of the column distribution, in (0, 1]; 1 is plain PMI.

    Attributes
    ----------
    column_sums_ : ndarray of float64, shape (n_features,)
        #(c) of the fitted matrix.
    n_features_in_ : int
        Columns seen by `fit`.
    feature_names_in_ : ndarray of str
        Their names, when all of them are strings.
    """

    def __init__(self, *, shift: float = 1.0, smoothing: float = 0.75) -> None:
        self.shift = shift
        self.smoothing = smoothing

    def fit(self, X: Any, y: Any = None) -> "PPMITransformer":  # noqa: N803
        """Keep the column sums of non-negative counts.

        Parameters
        ----------
        X : array-like or sparse matrix of int or float, shape (n_samples, n_features)
            Counts, none negative.
        y : ignored
            For scikit-learn's sake.

        Returns
        -------
        PPMITransformer
            Itself.

        Raises
        ------
        InputError
            If an option is out of range, or all counts are zero.
        """
        PPMIOptions(shift=self.shift, smoothing=self.smoothing)
        counts = self._counts(X, reset=True)
        sums = _sums(counts, axis=0)
        if not sums.any():
            raise InputError("PPMITransformer: every count is zero, so that no column has a probability")
        self.column_sums_ = sums
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Return the shifted positive PMI of counts.

        Parameters
        ----------
        X : array-like or sparse matrix of int or float, shape (n_samples, n_features)
            Counts, none negative.

        Returns
        -------
        csr_array, csr_matrix or ndarray, shape (n_samples, n_features)
            Sparse when X is; float32 when X is, else float64.
        """
        check_is_fitted(self, "column_sums_")
        counts = self._counts(X, reset=False)
        known = self.column_sums_ > 0
        # The ratio to an unknown column is made 0, which is never above the shift.
        margins = Margins.of_sums(_sums(counts, axis=1), self.column_sums_, self.smoothing)
        contexts = np.where(known, margins.contexts, np.inf)
        rows = csr_array(counts)
        with np.errstate(divide="ignore"):  # log 0, of such a column
            result, _ = positive_pmi(
                rows,
                Margins(margins.words, contexts, margins.normalizer),
                self.shift,
                dtype=np.float32 if counts.dtype == np.float32 else np.float64,
            )
        if not issparse(X):
            return result.toarray()
        return result if isinstance(counts, csr_array) else type(counts)(result)

    def _counts(self, X: Any, *, reset: bool) -> Any:  # noqa: N803
        found = validate_data(
            self, X, accept_sparse="csr", dtype=[*_FLOATS, np.int64], reset=reset, ensure_min_samples=1
        )
        check_non_negative(found, "PPMITransformer")
        counts = found if issparse(found) else csr_array(found)
        if not counts.has_canonical_format or not counts.data.all():
            counts = counts.copy()
            counts.sum_duplicates()
            counts.eliminate_zeros()
        return counts

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class KrylovSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Truncated SVD by block Krylov iteration, with measured residuals; see `pmifact.factorize`.

    X ~ U diag(s) V^T. Rows are transformed to X V diag(s)^(power - 1), which of the fitted rows is
    U diag(s)^power. With the default power 1 this is what scikit-learn's TruncatedSVD gives; as word vectors
    0.5 does better (Levy, Goldberg & Dagan 2015), and 0 makes all directions equally long.

    Parameters
    ----------
    n_components : int, default 2
        Triplets, at most the numerical rank of X.
    power : float, default 1.0
        Exponent of the singular values, at least 0.
    tol : float, default 0.03
        Largest residual of a triplet, relative to its singular value.
    memory : int, str or None
        Bound on the memory of the whole process, in bytes or such as ``4GB``.
    random_state : int, RandomState instance or None, default 0
        Of the random start; an integer makes it the same every time.
    threads : int or None
        None for all cores.
    device : {"cpu", "gpu", "auto"}
        Where to solve.

    Attributes
    ----------
    components_ : ndarray of float32, shape (n_components, n_features)
        V^T; the sign of each row is that with which the largest |entry| of its left vector is positive.
    singular_values_ : ndarray of float32, shape (n_components,)
        s, descending.
    residuals_ : ndarray of float32, shape (n_components,)
        max(||X v - s u||, ||X^T u - s v||) / s of each.
    explained_variance_ : ndarray of float64, shape (n_components,)
        Variance over the fitted rows of their projections on the components.
    explained_variance_ratio_ : ndarray of float64, shape (n_components,)
        The same over the sum of the variances of all columns; NaN when no column varies.
    n_features_in_ : int
        Columns seen by `fit`.
    feature_names_in_ : ndarray of str
        Their names, when all of them are strings.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        power: float = 1.0,
        tol: float = 0.03,
        memory: int | str | None = None,
        random_state: Any = 0,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.n_components = n_components
        self.power = power
        self.tol = tol
        self.memory = memory
        self.random_state = random_state
        self.threads = threads
        self.device = device

    def fit(self, X: Any, y: Any = None) -> "KrylovSVD":  # noqa: N803
        """Find the components of a matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of int or float, shape (n_samples, n_features)
            Finite, not all zero.
        y : ignored
            For scikit-learn's sake.

        Returns
        -------
        KrylovSVD
            Itself.

        Raises
        ------
        InputError
            If an option is out of range, or there are fewer components than asked for.
        DeviceError
            If there is no usable GPU and ``gpu`` was asked for.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> NDArray[np.floating]:  # noqa: N803
        """Find the components of a matrix and return its rows transformed, as `fit` and `transform` do."""
        return self._weighted(self._fit(X), self.power - 1)

    def transform(self, X: Any) -> NDArray[np.floating]:  # noqa: N803
        """Return X V diag(s)^(power - 1).

        Parameters
        ----------
        X : array-like or sparse matrix of int or float, shape (n_samples, n_features)

        Returns
        -------
        ndarray, shape (n_samples, n_components)
            Float32 when X is, else float64.
        """
        check_is_fitted(self, "components_")
        return self._weighted(self._projected(self._checked(X, reset=False)), self.power - 1)

    def inverse_transform(self, X: Any) -> NDArray[np.floating]:  # noqa: N803
        """Return the rows that transform to X and lie in the span of the components.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_components)

        Returns
        -------
        ndarray, shape (n_samples, n_features)
        """
        check_is_fitted(self, "components_")
        X = np.asarray(X)  # noqa: N806
        projected: NDArray[np.floating] = self._weighted(X, 1 - self.power) @ self.components_
        return projected

    def _fit(self, X: Any) -> NDArray[np.floating]:  # noqa: N803
        check_integer("n_components", self.n_components, least=1)
        check_number("power", self.power)
        if self.power < 0:
            raise InputError(f"power: expected a number of at least 0, got {self.power!r}")
        matrix = self._checked(X, reset=True)
        if self.n_components > min(matrix.shape):
            raise InputError(
                f"n_components: expected at most the smaller side of X, which has "
                f"n_samples={matrix.shape[0]} and n_features={matrix.shape[1]}, got {self.n_components}"
            )
        seed = self.random_state
        if not isinstance(seed, int | np.integer):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        factors = factorize(
            matrix,
            rank=self.n_components,
            tol=self.tol,
            memory=self.memory,
            seed=int(seed),
            threads=self.threads,
            device=self.device,
        )
        self.components_ = np.ascontiguousarray(factors.contexts.T)
        self.singular_values_ = factors.strengths
        self.residuals_ = factors.residuals
        projected = self._projected(matrix)
        total = mean_variance_axis(matrix, axis=0)[1].sum() if issparse(matrix) else matrix.var(axis=0).sum()
        self.explained_variance_ = projected.var(axis=0, dtype=np.float64)
        self.explained_variance_ratio_ = self.explained_variance_ / (total if total > 0 else np.nan)
        return projected

    def _checked(self, X: Any, *, reset: bool) -> Any:  # noqa: N803
        return validate_data(self, X, accept_sparse="csr", dtype=list(_FLOATS), reset=reset)

    def _projected(self, matrix: Any) -> NDArray[np.floating]:
        projected: NDArray[np.floating] = matrix @ self.components_.T
        return projected

    def _weighted(self, rows: NDArray[np.floating], exponent: float) -> NDArray[np.floating]:
        if exponent == 0:
            return rows
        weights = self.singular_values_.astype(np.float64) ** exponent
        return rows * weights.astype(rows.dtype if rows.dtype.kind == "f" else np.float64)

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _sums(counts: Any, axis: int) -> NDArray[np.float64]:
    """Return sums of counts, exact when they are integers that 64 bits can hold."""
    whole = counts.dtype.kind in "iu" and counts.data.sum(dtype=np.float64) < 2.0**63
    sums = counts.sum(axis=axis, dtype=np.int64 if whole else np.float64)
    return np.asarray(sums, dtype=np.float64).ravel()
