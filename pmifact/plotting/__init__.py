"""Pictures for papers and reports: maps of words, spectra, scores; matplotlib is known in this room alone."""

from pmifact.plotting.curves import draw_curves
from pmifact.plotting.map import draw_map
from pmifact.plotting.published import draw_published
from pmifact.plotting.rank import draw_rank_choice
from pmifact.plotting.saving import check_picture_target, save_picture, svg_of
from pmifact.plotting.scores import draw_scores
from pmifact.plotting.spectrum import draw_spectrum

__all__ = [
    "check_picture_target",
    "draw_curves",
    "draw_map",
    "draw_published",
    "draw_rank_choice",
    "draw_scores",
    "draw_spectrum",
    "save_picture",
    "svg_of",
]
