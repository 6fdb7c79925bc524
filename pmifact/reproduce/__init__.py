"""The papers' tables, made again on any text, beside the figures that the papers print."""

from pmifact.reproduce.costs import Corrections
from pmifact.reproduce.levy2014 import plan_levy2014, reproduce_levy2014
from pmifact.reproduce.levy2015 import plan_levy2015, reproduce_levy2015
from pmifact.reproduce.plan import Plan, Stage
from pmifact.reproduce.results import Results

__all__ = [
    "Corrections",
    "Plan",
    "Results",
    "Stage",
    "plan_levy2014",
    "plan_levy2015",
    "reproduce_levy2014",
    "reproduce_levy2015",
]
