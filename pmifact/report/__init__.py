"""One self-contained HTML page about models: settings, scores, verdicts, maps, neighbours and errors."""

from pmifact.report.build import Report
from pmifact.report.make import make_report
from pmifact.report.model import ReportModel, read_report_model
from pmifact.report.options import ReportOptions
from pmifact.report.page import check_report_target, write_report

__all__ = [
    "Report",
    "ReportModel",
    "ReportOptions",
    "check_report_target",
    "make_report",
    "read_report_model",
    "write_report",
]
