"""Full softmax over the vocabulary, batched through BLAS."""

import numpy as np
from numpy.typing import NDArray

LARGEST_VOCABULARY = 30_000


def softmax_gradients(
    words: NDArray[np.floating],
    contexts: NDArray[np.floating],
    inputs: NDArray[np.int32],
    targets: NDArray[np.int32],
) -> tuple[float, NDArray[np.floating], NDArray[np.floating]]:
    """Return the loss of a batch of pairs, and its gradients.

    With p(o|c) = exp(u_o.v_c) / sum_w exp(u_w.v_c), the gradient of -log p(o|c) is
    sum_w (p(w|c) - 1[w=o]) u_w on v_c, and (p(w|c) - 1[w=o]) v_c on u_w.

    Parameters
    ----------
    words, contexts : ndarray of floats, shape (V, d)
        The v and the u.
    inputs, targets : ndarray of int32, shape (B,)
        The c and the o of each pair.

    Returns
    -------
    float, ndarray of shape (B, d), ndarray of shape (V, d)
        The sum of -log p(o|c); the gradient on each pair's v_c; the gradient on u, summed over the pairs.
    """
    rows = words[inputs]
    errors = rows @ contexts.T
    errors -= errors.max(axis=1, keepdims=True)
    pairs = np.arange(len(inputs))
    of_targets = errors[pairs, targets].astype(np.float64)
    np.exp(errors, out=errors)
    sums = errors.sum(axis=1, keepdims=True)
    loss = float((np.log(sums[:, 0].astype(np.float64)) - of_targets).sum())
    errors /= sums
    errors[pairs, targets] -= 1
    return loss, errors @ contexts, errors.T @ rows


def softmax_step(
    words: NDArray[np.float32],
    contexts: NDArray[np.float32],
    inputs: NDArray[np.int32],
    targets: NDArray[np.int32],
    rate: np.float32,
) -> float:
    """Take one step against the gradients, in place, and return the loss before it; NaN once it diverges."""
    with np.errstate(over="ignore", invalid="ignore"):
        loss, on_inputs, on_contexts = softmax_gradients(words, contexts, inputs, targets)
        np.subtract.at(words, inputs, rate * on_inputs)
        on_contexts *= rate
        contexts -= on_contexts
    return loss
