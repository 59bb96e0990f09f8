"""Which reader takes a file: by its path first, by a word in its text where the path says too little."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

# Whatever fits a pattern below has one of these; asked first, since every file of a tree is asked about.
_ENDINGS = (".yaml", ".yml", ".toml", ".timer", ".sql", ".template", "schedules.json", "vercel.json")
_WORDS = ("cron", "wrangler")
_CRONTAB = (
    r"(^|/)(crontab|[^/]*\.(crontab|cron)|([^/]*[_-])?crontab([._-](txt|conf|prod|production|staging|dev|root|system))?"
    r"|cron\.d/[\w.-]+|crontabs/[\w.-]+)$"
)


class Format(msgspec.Struct, frozen=True):
    """One format of schedules and the module in `dialects/` that reads it.

    `path` is searched in the path with `/`. `marks` are words of which one has to stand in the text, none if the path
    suffices. `certain` says that such a path is meant for this format, so that a text which is no document of it is a
    problem and not just some other file.
    """

    name: str
    module: str
    path: str
    marks: tuple[str, ...] = ()
    certain: bool = False


@lru_cache(maxsize=1)
def formats() -> tuple[Format, ...]:
    """Every format, the surest path first: of two that match, the first one whose reader finds schedules counts."""
    return (
        Format("native", "native", r"(^|/)schedules\.(toml|ya?ml|json)$", certain=True),
        Format("github", "github", r"(^|/)\.(github|gitea|forgejo)/workflows/[^/]+\.ya?ml$", certain=True),
        Format("crontab", "crontab", _CRONTAB),
        Format("systemd", "systemd", r"\.timer$", ("[Timer]",)),
        Format("hosted", "hosted", r"(^|/)(wrangler(\.[\w-]+)?\.(toml|jsonc?)|vercel\.json)$", ("crons",)),
        Format("serverless", "aws", r"(^|/)serverless([.-][\w-]+)?\.ya?ml$", ("schedule",)),
        Format("gitlab", "gitlab", r"(^|/)(\.gitlab-ci|\.gitlab/.+)\.ya?ml$", ("script",)),
        Format("prefect", "prefect", r"(^|/)prefect\.ya?ml$", ("deployments",)),
        Format("pg_cron", "pg_cron", r"\.sql$", ("cron.schedule",)),
        Format("kubernetes", "kubernetes", r"\.ya?ml$", ("CronJob", "CronWorkflow")),
        Format("aws", "aws", r"\.(ya?ml|template)$", ("AWS::Serverless", "AWS::Events::Rule", "AWS::Scheduler")),
    )


@lru_cache(maxsize=1)
def _anything() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{row.path})" for row in formats()))


def recognise(path: str) -> str | None:
    """The format that takes a file of this path (with `/`), None when the file is none of ours."""
    if not path.endswith(_ENDINGS) and not any(word in path for word in _WORDS):
        return None
    if not _anything().search(path):
        return None
    return next(row.name for row in formats() if re.search(row.path, path))


def meant(path: str) -> bool:
    """Whether the path alone says that the file holds schedules, so that one without text is not passed over."""
    return any(not row.marks for row in formats() if re.search(row.path, path))


def candidates(path: str, text: str) -> list[Format]:
    """The formats that may read this text, the surest first; one that was named but has no known path is native."""
    by_path = [row for row in formats() if re.search(row.path, path)]
    if not by_path:
        return [row for row in formats() if row.name == "native"]
    return [row for row in by_path if not row.marks or any(mark in text for mark in row.marks)]
