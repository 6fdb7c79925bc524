"""`train_skipgram`, the one call: checks the options and puts the parts of a training together."""

from pmifact.cooccurrence import CooccurrenceCounts
from pmifact.corpus import EncodedCorpus
from pmifact.factors import Factors
from pmifact.resources.progress import Progress, no_progress
from pmifact.resources.threads import resolve_threads
from pmifact.skipgram.engine import Training
from pmifact.skipgram.losses import make_loss
from pmifact.skipgram.options import resolve_options
from pmifact.skipgram.report import Monitor, no_monitor
from pmifact.skipgram.sources import INPUTS_OF_A_TARGET, CorpusWindows, CountPairs, ExampleSource
from pmifact.skipgram.start import Start


def train_skipgram(
    source: EncodedCorpus | CooccurrenceCounts,
    *,
    rank: int | None = None,
    loss: str = "ns",
    window: int | None = None,
    fixed_window: bool | None = None,
    negatives: int | None = None,
    epochs: int = 5,
    negative_rule: str | None = None,
    subsample: float | None = None,
    noise_exponent: float | None = None,
    learning_rate: float = 0.025,
    init: Factors | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = no_progress,
    monitor: Monitor = no_monitor,
) -> Factors:
    """Train skip-gram word vectors.

    Negative sampling maximises, over pairs of a word w and a context c, log s(w.c) + sum_k log s(-w.c_neg),
    with k negatives drawn from P_n(c) ~ #(c)^a (Mikolov et al. 2013). Its optimum is PMI(w, c) - log k under
    the rule ``exact`` and a = 1 (Levy & Goldberg, NIPS 2014), and log(#(w,c) / (k (#(w) - #(w,c)) P_n(c)))
    under the rule ``word2vec``. All inputs of one window share its negatives.

    Parameters
    ----------
    source : EncodedCorpus or CooccurrenceCounts
        Text, read as it is needed and never loaded whole, whose windows are drawn anew every epoch; or
        counts, whose pairs are drawn by their share of the sum, as many an epoch as the counts add up to, so
        that SVD and skip-gram see the same statistics. Four pairs share a context and its negatives.
    rank : int, optional
        Dimensions d; 300 when not given, or those of `init`.
    loss : {"ns", "hs", "softmax"}
        Negative sampling; hierarchical softmax, whose contexts are the V - 1 inner nodes of a Huffman tree;
        full softmax, for at most 30,000 words.
    window : int, optional
        Tokens to each side, drawn uniformly from 1..window at every position; 5 when not given. Text only.
    fixed_window : bool, optional
        Whether every window has the full width; no when not given. Text only.
    negatives : int, optional
        k; 5 when not given. ``ns`` only.
    epochs : int
        Passes over the source.
    negative_rule : {"word2vec", "exact"}, optional
        Whether a negative that equals the positive is skipped (when not given) or kept. ``ns`` only.
    subsample : float, optional
        A token of relative frequency f is kept with probability min(1, sqrt(t/f) + t/f), drawn anew every
        epoch; t is 1e-3 when not given, and 0 keeps all. Text only.
    noise_exponent : float, optional
        a; 0.75 when not given. #(c) are the words' counts for text, the column sums for counts. ``ns`` only.
    learning_rate : float
        At the start; it falls linearly over all epochs to 1e-4 of that.
    init : Factors, optional
        Where to start, for example an SVD of the same vocabulary and rank; at random when not given.
    seed : int
        Seed of every draw.
    threads : int, optional
        All cores when not given. With one thread the result is the same every time; with more, threads
        update the same arrays without locks, and ``options["deterministic"]`` is false (the threads of
        softmax are those of BLAS, which are no matter).
    progress : callable, optional
        Called with (done, total), in tokens or pairs.
    monitor : callable, optional
        Called with a `TrainingReport`.

    Returns
    -------
    Factors
        words float32 (V, d), strengths 1, contexts float32 (C, d), C = V for text, or for ``hs`` (C - 1, d).
        A word that no step has moved has a zero row. ``options`` holds the options, ``epochs_finished``,
        ``epoch_losses`` (mean loss of a pair in nats, in each epoch; for ns and hs over a sample of the
        pairs) and ``deterministic``.

    Raises
    ------
    InputError
        If an option is out of range or does not apply, the source gives nothing to train on, or training
        diverges.
    TrainingInterrupted
        After Ctrl-C; a KeyboardInterrupt that holds the factors of the last finished epoch.
    """
    threads = resolve_threads(threads)
    options = resolve_options(
        "counts" if isinstance(source, CooccurrenceCounts) else "corpus",
        loss,
        rank=rank if rank is not None else init.rank if init is not None else 300,
        window=window,
        fixed_window=fixed_window,
        negatives=negatives,
        epochs=epochs,
        negative_rule=negative_rule,
        subsample=subsample,
        noise_exponent=noise_exponent,
        learning_rate=learning_rate,
        seed=seed,
    )
    examples: ExampleSource = (
        CountPairs(source, 1 if loss == "softmax" else INPUTS_OF_A_TARGET)
        if isinstance(source, CooccurrenceCounts)
        else CorpusWindows(source, options)
    )
    objective = make_loss(examples.occurrences, options)
    training = Training(
        source=examples,
        loss=objective,
        start=Start(examples, options, objective.outputs, init),
        options=options,
        threads=threads,
        progress=progress,
        monitor=monitor,
    )
    return training.run()
