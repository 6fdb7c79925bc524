"""Figures that the papers print.

NIPS 2014: Levy & Goldberg, Neural Word Embedding as Implicit Matrix Factorization.
TACL 2015: Levy, Goldberg & Dagan, Improving Distributional Similarity with Lessons Learned from Word
Embeddings. Both trained on the English Wikipedia, 1.5 billion tokens, words of at least 100 occurrences.
"""

from collections.abc import Mapping

# NIPS 2014, Table 1: deviation from the optimal objective in %, from samples of 10 million pairs; as printed.
DEVIATIONS: Mapping[int, Mapping[str, str]] = {
    k: dict(
        zip(
            (
                "PMI - log k",
                "SPPMI",
                *(f"{name} {rank}" for name in ("SVD", "SGNS") for rank in (100, 500, 1000)),
            ),
            row.split(),
            strict=True,
        )
    )
    for k, row in {
        1: "0 0.00009 26.1 25.2 24.2 31.4 29.4 7.40",
        5: "0 0.00004 95.8 95.1 94.9 39.3 36.0 7.13",
        15: "0 0.00002 266 266 265 7.80 6.37 5.97",
    }.items()
}

SPPMI_REMARK = (
    "The paper prints deviations near 0 for SPPMI. They do not follow from the definition printed there: "
    "where no pair was observed, SPPMI says 0, and the best value is -infinity. The exact figures of both "
    "readings stand here, with 0 and with -infinity in the unobserved cells; neither is near 0."
)

# NIPS 2014, Table 2: rank 1000, analogies by 3CosMul.
COLUMNS_2014 = ("ws353", "men", "google", "msr")
SCORES_2014: Mapping[tuple[str, int], Mapping[str, float]] = {
    (method, k): dict(zip(COLUMNS_2014, map(float, row.split()), strict=True))
    for method, k, row in (
        ("SPPMI", 1, ".605 .688 .655 .445"),
        ("SPPMI", 5, ".670 .721 .644 .466"),
        ("SPPMI", 15, ".687 .719 .571 .353"),
        ("SVD", 1, ".652 .735 .567 .448"),
        ("SVD", 5, ".691 .734 .472 .337"),
        ("SVD", 15, ".661 .694 .341 .208"),
        ("SGNS", 1, ".633 .690 .540 .590"),
        ("SGNS", 5, ".644 .708 .616 .619"),
        ("SGNS", 15, ".666 .716 .619 .627"),
    )
}

# TACL 2015, rank 500. Columns are (gold set, method).
COLUMNS_2015 = (
    *((name, "spearman") for name in ("ws353-sim", "ws353-rel", "men", "mturk287", "rw", "simlex999")),
    *((name, method) for name in ("google", "msr") for method in ("add", "mul")),
)


def _row(text: str) -> Mapping[tuple[str, str], float]:
    return dict(zip(COLUMNS_2015, map(float, text.replace("/", " ").split()), strict=True))


# Table 2: window 2, flat, no subsampling, shift 1, smoothing 1, words alone, power 0.
VANILLA_2015 = {
    "PPMI": _row(".709 .540 .688 .648 .393 .338 .491/.650 .246/.439"),
    "SVD": _row(".776 .658 .752 .557 .506 .422 .452/.498 .357/.412"),
    "SGNS": _row(".724 .587 .686 .678 .434 .401 .530/.552 .578/.592"),
}
# Table 3: window 2, dynamic, subsampled, shift 5, smoothing .75, words alone, power 0.
WORD2VEC_2015 = {
    "PPMI": _row(".755 .688 .745 .686 .423 .354 .553/.629 .289/.413"),
    "SVD": _row(".784 .672 .777 .625 .514 .402 .547/.587 .402/.457"),
    "SGNS": _row(".773 .623 .723 .676 .431 .423 .599/.625 .514/.546"),
}
# Table 5: the settings chosen by two-fold cross-validation, for each window.
CROSS_VALIDATED_2015 = {
    2: {
        "PPMI": _row(".732 .699 .744 .654 .457 .382 .552/.677 .306/.535"),
        "SVD": _row(".772 .671 .777 .647 .508 .425 .554/.591 .408/.468"),
        "SGNS": _row(".789 .675 .773 .661 .449 .433 .676/.689 .617/.644"),
    },
    5: {
        "PPMI": _row(".732 .706 .738 .668 .442 .360 .518/.649 .277/.467"),
        "SVD": _row(".764 .679 .776 .639 .499 .416 .532/.569 .369/.424"),
        "SGNS": _row(".772 .690 .772 .663 .454 .403 .692/.714 .605/.645"),
    },
    10: {
        "PPMI": _row(".735 .701 .741 .663 .235 .336 .532/.605 .249/.353"),
        "SVD": _row(".766 .681 .770 .628 .312 .419 .526/.562 .356/.406"),
        "SGNS": _row(".794 .700 .775 .678 .281 .422 .694/.710 .520/.557"),
    },
}
# What the paper advises after its grid.
ADVICE_2015: Mapping[tuple[str, str], str] = {
    **{(method, "smoothing"): "always 0.75" for method in ("PPMI", "SVD", "SGNS")},
    ("SVD", "power"): "never 1",
    ("SVD", "shift"): "1",
    ("SGNS", "shift"): "many",
}
